#include "tessera/cute/tile_extents.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/cute/parse.h"

namespace tessera::cute {
namespace {

using Extents = std::vector<std::vector<int64_t>>;

Extents Of(const std::string& layout) {
  return TileExtents(*ParseLayout(layout));
}

TEST(TileExtents, Table) {
  EXPECT_EQ(Of("(4,8):(8,1)"), Extents());
  EXPECT_EQ(Of("8:1"), Extents());
  EXPECT_EQ(Of("((2,2),3):((24,2),8)"), (Extents{{2, 3}}));
  EXPECT_EQ(Of("((2,3,4)):((1,2,6))"), (Extents{{6}, {2}}));
  EXPECT_EQ(Of("(((2,5),3),(4,7)):(((1,2),10),(30,120))"),
            (Extents{{10, 4}, {2, 4}}));
}

}  // namespace
}  // namespace tessera::cute
