#include "tessera/index_util/tile_extents.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

using Extents = std::vector<std::vector<int64_t>>;

std::optional<Extents> Of(const std::string& shape) {
  return TileExtents(*ParseShape(shape));
}

TEST(TileExtents, Table) {
  EXPECT_EQ(Of("f32[4,16]"), Extents());
  EXPECT_EQ(Of("f32[4,16]{0,1:T(2,8)}"), (Extents{{8, 2}}));
  EXPECT_EQ(Of("f32[4,16]{1,0:T(8)}"), (Extents{{1, 8}}));
  EXPECT_EQ(Of("f32[4,16]{1,0:T(4,8)(2)}"), (Extents{{4, 8}, {1, 2}}));
  EXPECT_EQ(Of("f32[]"), Extents());
  // Joined, of more entries than dimensions, or cutting tiles themselves.
  EXPECT_EQ(Of("f32[4,16]{1,0:T(*,8)}"), std::nullopt);
  EXPECT_EQ(Of("f32[4]{0:T(8,128)}"), std::nullopt);
  EXPECT_EQ(Of("f32[4,16]{1,0:T(8)(2,2)}"), std::nullopt);
}

// What has no map has no tiles either.
TEST(TileExtents, ShapesWithoutAMap) {
  for (const char* shape : {"f32[?,8]{1,0:T(8,128)}", "(f32[8]{0:T(8)})",
                            "token[]", "b(f32[8]{0:T(8)})"}) {
    EXPECT_EQ(Of(shape), std::nullopt) << shape;
  }
  EXPECT_EQ(TileExtents(Shape::Array(F32, {3, 5})), std::nullopt);
  EXPECT_EQ(TileExtents(Shape()), std::nullopt);
}

}  // namespace
}  // namespace tessera
