#include "tessera/viz/tile_levels.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

// Of the last two dimensions: "8 x 128, 2 x 1".
std::string LevelsOf(const IndexMap& map) {
  const std::vector<int64_t> zero(map.rank());
  const int64_t last = map.rank() - 1;
  const CellAxis columns(map, last, zero);
  const CellAxis rows = last > 0 ? CellAxis(map, last - 1, zero) : CellAxis();
  return absl::StrJoin(LevelsByMemoryOrder(rows, columns), ", ",
                       [](std::string* out, const TileLevel& level) {
                         absl::StrAppend(out, ToString(level));
                       });
}

std::string OfShape(const std::string& shape) {
  return LevelsOf(*ToIndexMap(*ParseShape(shape)));
}

std::string OfCute(const std::string& layout) {
  return LevelsOf(*cute::ToIndexMap(*cute::ParseLayout(layout)));
}

TEST(TileLevels, OfShapes) {
  // Rows, columns, and the one dimension there is, follow one another.
  EXPECT_EQ(OfShape("f32[4,8]"), "");
  EXPECT_EQ(OfShape("f32[4,8]{0,1}"), "");
  EXPECT_EQ(OfShape("f32[300]{0:T(128)}"), "");
  EXPECT_EQ(OfShape("f32[9,130]{1,0:T(8,128)}"), "8 x 128");
  EXPECT_EQ(OfShape("f32[130,9]{0,1:T(8,128)}"), "128 x 8");
  EXPECT_EQ(OfShape("bf16[9,130]{1,0:T(8,128)(2,1)}"), "8 x 128, 2 x 1");
  EXPECT_EQ(OfShape("s8[64,256]{1,0:T(32,128)(4,1)}"), "32 x 128, 4 x 1");
  // One tile, and less than one, have no lines.
  EXPECT_EQ(OfShape("f32[8,128]{1,0:T(8,128)}"), "");
  EXPECT_EQ(OfShape("f32[3,5]{1,0:T(8,128)}"), "");
  // Rows of the tiles are another dimension.
  EXPECT_EQ(OfShape("f32[16,4,256]{2,0,1:T(8,128)}"), "1 x 128");
  // In cells: 8 take 9. The tiles of 3 within follow one another.
  EXPECT_EQ(OfShape("s8[20]{0:T(8)(3)}"), "1 x 9");
  EXPECT_EQ(OfShape("s8[4,20]{1,0:T(2,8)(2,3)}"), "2 x 9, 2 x 3");
}

TEST(TileLevels, OfModes) {
  EXPECT_EQ(OfCute("(4,8):(8,1)"), "");
  EXPECT_EQ(OfCute("((2,3),(5,4)):((5,30),(1,10))"), "2 x 5");
  // Blocks below one another are one.
  EXPECT_EQ(OfCute("((2,3),(5,4)):((5,10),(1,30))"), "6 x 5");
  // The minor-most digit of the rows has the largest stride.
  EXPECT_EQ(OfCute("((2,2),3):((24,2),8)"), "2 x 3");
  EXPECT_EQ(OfCute("((2,2),(2,2)):((8,1),(4,2))"), "2 x 2");
  // Positions that are shared.
  EXPECT_EQ(OfCute("(4,8):(0,1)"), "");
}

TEST(TileLevels, Tidy) {
  const IndexMap map = *ToIndexMap(*ParseShape("f32[16,16]"));
  const CellAxis rows(map, 0, {0, 0});
  const CellAxis columns(map, 1, {0, 0});
  std::vector<TileLevel> levels = {{16, 99}, {8, 99}, {8, 16}, {4, 4},
                                   {2, 2},   {1, 2},  {1, 1}};
  TidyLevels(rows, columns, &levels);
  EXPECT_EQ(levels, (std::vector<TileLevel>{{8, 16}, {4, 4}, {2, 2}, {1, 2}}));
}

}  // namespace
}  // namespace tessera
