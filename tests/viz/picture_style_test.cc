#include "tessera/viz/picture_style.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

Picture Draw(const std::string& shape, const PictureOptions& options = {}) {
  return *MakePicture(*ToIndexMap(*ParseShape(shape)), options);
}

TEST(PictureStyle, TextOfPadding) {
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(TextOfCell(picture, 2, 5, CellText::kPositions), "21");
  EXPECT_EQ(TextOfCell(picture, 2, 5, CellText::kIndices), "");
  EXPECT_EQ(TextOfCell(picture, 2, 3, CellText::kNothing), "");
  EXPECT_EQ(TextOfCell(Draw("f32[]"), 0, 0, CellText::kIndices), "()");
}

TEST(PictureStyle, Lines) {
  PictureOptions options;
  options.tiles = std::vector<std::vector<int64_t>>{{4, 4}, {2, 4}};
  const Picture tiled = Draw("f32[6,6]", options);
  std::vector<LineWeight> rows, columns;
  for (int64_t i = 0; i <= 6; ++i) {
    rows.push_back(LineBefore(tiled, tiled.rows, i, &TileLevel::rows));
    columns.push_back(LineBefore(tiled, tiled.columns, i, &TileLevel::columns));
  }
  constexpr LineWeight kNone = LineWeight::kNone;
  constexpr LineWeight kThin = LineWeight::kThin;
  constexpr LineWeight kThick = LineWeight::kThick;
  EXPECT_EQ(rows, (std::vector<LineWeight>{kThick, kNone, kThin, kNone, kThick,
                                           kNone, kThick}));
  EXPECT_EQ(columns, (std::vector<LineWeight>{kThick, kNone, kNone, kNone,
                                              kThick, kNone, kThick}));
  const Picture plain = Draw("f32[2,2]");
  EXPECT_EQ(LineBefore(plain, plain.rows, 0, &TileLevel::rows), kThin);
  EXPECT_EQ(LineBefore(plain, plain.rows, 1, &TileLevel::rows), kNone);
}

TEST(PictureStyle, PlacesInALine) {
  auto places = [](const std::string& shape, int64_t count, int64_t fit) {
    PictureOptions options;
    options.memory = PictureRange{0, count};
    return PlacesInALine(Draw(shape, options), fit);
  };
  // All; two lines of three tiles; whole tiles; halves of tiles.
  EXPECT_EQ(places("f32[3,5]{1,0:T(2,2)}", 24, 30), 24);
  EXPECT_EQ(places("f32[3,5]{1,0:T(2,2)}", 24, 21), 12);
  EXPECT_EQ(places("f32[3,5]{1,0:T(2,2)}", 24, 7), 4);
  EXPECT_EQ(places("f32[64,64]{1,0:T(8,8)}", 256, 40), 32);
  // Rows where there are no tiles.
  EXPECT_EQ(places("f32[7,6]", 42, 20), 18);
  EXPECT_EQ(places("f32[7,6]", 42, 0), 1);
}

}  // namespace
}  // namespace tessera
