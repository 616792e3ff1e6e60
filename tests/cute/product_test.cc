#include "tessera/cute/algebra/product.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/modes.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

RandomCuteOptions Options() {
  RandomCuteOptions options;
  options.max_size = 24;
  return options;
}

// Each sum of an offset of one and an offset of the other is another.
bool AreApart(const Layout& product) {
  return OffsetsOf(product).size() ==
         OffsetsOf(product.Mode(0)).size() * OffsetsOf(product.Mode(1)).size();
}

TEST(LogicalProduct, ByALayout) {
  int64_t count = 0;
  ForEachRandomLayout(Options(), [&](const Layout& a, RandomBits* random) {
    const Layout b = LayoutOf(RandomCuteLayout(Options(), random));
    SCOPED_TRACE(b.ToString());
    const absl::StatusOr<Layout> result = LogicalProduct(a, b);
    if (!result.ok()) {
      ASSERT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
      return;
    }
    ++count;
    ASSERT_EQ(result->rank(), 2);
    ASSERT_EQ(result->Mode(0), a);
    ASSERT_TRUE(Compatible(b.shape(), result->Mode(1).shape()));
    ASSERT_TRUE(AreApart(*result)) << TextOf(result);
    // As many tiles apart as B has offsets.
    ASSERT_EQ(OffsetsOf(result->Mode(1)).size(), OffsetsOf(b).size());
  });
  EXPECT_GT(count, Samples(10000) / 10);
}

// The cotarget of the formula, and what it should be: enough for all of B.
TEST(LogicalProduct, IsTheFormulaWhereItsBoundIsEnough) {
  int64_t count = 0;
  ForEachRandomLayout(Options(), [&](const Layout& a, RandomBits* random) {
    const Layout b = LayoutOf(RandomCuteLayout(Options(), random));
    const absl::StatusOr<Layout> product = LogicalProduct(a, b);
    const absl::StatusOr<Layout> repetitions =
        Complement(a, a.size() * b.cosize());
    if (!product.ok() || repetitions->size() < b.cosize()) return;
    const absl::StatusOr<Layout> placed = Composition(*repetitions, b);
    if (!placed.ok()) return;
    ++count;
    ASSERT_EQ(ValuesOf(product->Mode(1)), ValuesOf(*placed)) << b.ToString();
  });
  EXPECT_GT(count, Samples(10000) / 20);
}

// The documented bound is size(A) * cosize(B), which need not reach past the
// extent of A: the third tile would begin at 2, which is in the first.
TEST(LogicalProduct, DocumentedBoundIsTooSmall) {
  const Layout block = LayoutOf("(2,2):(2,7)");
  const Layout tiles = LayoutOf("3:1");
  const Layout repetitions = *Complement(block, 4 * 3);
  EXPECT_EQ(TextOf(repetitions), "2:1");
  EXPECT_EQ(Composition(repetitions, tiles)->operator()(2), block(1));
  EXPECT_FALSE(LogicalProduct(block, tiles).ok());
}

// What is refused for an overlap does overlap: some B(j) is there twice, or
// the repetitions do not hold it.
// Where B repeats an offset, it repeats a tile.
TEST(LogicalProduct, TilesOverlapWhereBRepeatsAnOffset) {
  int64_t count = 0;
  ForEachRandomLayout(Options(), [&](const Layout& a, RandomBits* random) {
    const Layout b = LayoutOf(RandomCuteLayout(Options(), random));
    const absl::StatusOr<Layout> result = LogicalProduct(a, b);
    if (!result.ok()) return;
    const std::vector<int64_t> asked = ValuesOf(b);
    const std::vector<int64_t> placed = ValuesOf(result->Mode(1));
    std::map<int64_t, int64_t> place_of;
    for (size_t i = 0; i < asked.size(); ++i) {
      const auto place = place_of.emplace(asked[i], placed[i]).first;
      ASSERT_EQ(place->second, placed[i]) << b.ToString();
    }
    count += place_of.size() < asked.size();
  });
  EXPECT_GT(count, Samples(10000) / 100);
}

Layout LayoutOfTile(const LiteralTiler& tiler) {
  return tiler.kind == LiteralTiler::Kind::kSize
             ? Tiler::OfShape(tiler.size)->layout()
             : LayoutOf(tiler.layout);
}

// The modes of `layout`, or all of it if there is one, as C++ slices it.
std::vector<Layout> SeveralModes(const Layout& layout) {
  if (layout.rank() == 1) return {layout};
  const auto modes = layout.Modes();
  return {modes.begin(), modes.end()};
}

std::optional<Layout> Logical(const Layout& a, const LiteralTiler& tiler) {
  if (tiler.kind == LiteralTiler::Kind::kKeep) return a;
  if (tiler.kind != LiteralTiler::Kind::kTuple) {
    const absl::StatusOr<Layout> result =
        LogicalProduct(a, LayoutOfTile(tiler));
    return result.ok() ? std::make_optional(*result) : std::nullopt;
  }
  std::vector<Layout> modes;
  for (int64_t i = 0; i < a.rank(); ++i) {
    modes.push_back(a.Mode(i));
    if (i >= static_cast<int64_t>(tiler.modes.size())) continue;
    const std::optional<Layout> mode = Logical(modes[i], tiler.modes[i]);
    if (!mode) return std::nullopt;
    modes[i] = *mode;
  }
  return *Layout::Concatenate(modes);
}

// Blocks and repetitions; what no tiler reaches goes with the repetitions.
std::pair<Layout, Layout> Zipped(const Layout& a, const LiteralTiler& tiler) {
  if (tiler.kind == LiteralTiler::Kind::kKeep) {
    return std::make_pair(a, Layout());
  }
  if (tiler.kind != LiteralTiler::Kind::kTuple) {
    const Layout result = *LogicalProduct(a, LayoutOfTile(tiler));
    return std::make_pair(result.Mode(0), result.Mode(1));
  }
  std::vector<Layout> blocks;
  std::vector<Layout> repetitions;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (i >= static_cast<int64_t>(tiler.modes.size())) {
      repetitions.push_back(a.Mode(i));
      continue;
    }
    const auto mode = Zipped(a.Mode(i), tiler.modes[i]);
    blocks.push_back(mode.first);
    repetitions.push_back(mode.second);
  }
  return std::make_pair(*Layout::Concatenate(blocks),
                        *Layout::Concatenate(repetitions));
}

TEST(Product, FourFormsOfOneFunction) {
  int64_t count = 0;
  ForEachRandomLayout(Options(), [&](const Layout& a, RandomBits* random) {
    const LiteralTiler literal = RandomTiler(LiteralOf(a), Options(), random);
    const Tiler tiler = TilerOf(literal);
    SCOPED_TRACE(literal.ToString());
    const auto logical = LogicalProduct(a, tiler);
    const auto expected = Logical(a, literal);
    ASSERT_EQ(logical.ok(), expected.has_value()) << TextOf(logical);
    ASSERT_EQ(ZippedProduct(a, tiler).ok(), logical.ok());
    if (!logical.ok()) return;
    ++count;
    ASSERT_EQ(*logical, *expected);
    const auto zipped = Zipped(a, literal);
    ASSERT_EQ(TextOf(ZippedProduct(a, tiler)),
              TextOf(Layout::Concatenate({zipped.first, zipped.second})));
    std::vector<Layout> tiled = {zipped.first};
    for (const Layout& mode : SeveralModes(zipped.second)) {
      tiled.push_back(mode);
    }
    ASSERT_EQ(TextOf(TiledProduct(a, tiler)),
              TextOf(Layout::Concatenate(tiled)));
    std::vector<Layout> flat = SeveralModes(zipped.first);
    flat.insert(flat.end(), tiled.begin() + 1, tiled.end());
    ASSERT_EQ(TextOf(FlatProduct(a, tiler)), TextOf(Layout::Concatenate(flat)));
  });
  EXPECT_GT(count, Samples(10000) / 10);
}

TEST(BlockedProduct, PairsTheModesOfTheProduct) {
  int64_t count = 0;
  ForEachRandomLayout(Options(), [&](const Layout& a, RandomBits* random) {
    const Layout b = LayoutOf(RandomCuteLayout(Options(), random));
    SCOPED_TRACE(b.ToString());
    const absl::StatusOr<Layout> blocked = BlockedProduct(a, b);
    const absl::StatusOr<Layout> raked = RakedProduct(a, b);
    const absl::StatusOr<Layout> product = LogicalProduct(a, b);
    ASSERT_EQ(blocked.ok(), product.ok()) << TextOf(blocked);
    ASSERT_EQ(raked.ok(), product.ok()) << TextOf(raked);
    if (!product.ok()) return;
    ++count;
    const int64_t rank = std::max(a.rank(), b.rank());
    ASSERT_EQ(blocked->rank(), rank);
    ASSERT_EQ(raked->rank(), rank);
    for (int64_t i = 0; i < rank; ++i) {
      const Layout pair = blocked->Mode(i);
      ASSERT_EQ(pair.rank(), 2);
      ASSERT_EQ(ValuesOf(pair.Mode(0)),
                i < a.rank() ? ValuesOf(a.Mode(i)) : std::vector<int64_t>{0});
      const Layout tiles = b.rank() == 1 && b.depth() == 0
                               ? product->Mode(1)
                               : product->Mode(1).Mode(i < b.rank() ? i : 0);
      if (i < b.rank()) {
        ASSERT_EQ(ValuesOf(pair.Mode(1)), ValuesOf(tiles)) << i;
      } else {
        ASSERT_EQ(pair.Mode(1).size(), 1) << i;
      }
      ASSERT_EQ(ValuesOf(raked->Mode(i).Mode(0)), ValuesOf(pair.Mode(1)));
      ASSERT_EQ(ValuesOf(raked->Mode(i).Mode(1)), ValuesOf(pair.Mode(0)));
    }
    std::vector<int64_t> expected = ValuesOf(*product);
    std::vector<int64_t> actual = ValuesOf(*blocked);
    std::vector<int64_t> interleaved = ValuesOf(*raked);
    std::sort(expected.begin(), expected.end());
    std::sort(actual.begin(), actual.end());
    std::sort(interleaved.begin(), interleaved.end());
    ASSERT_EQ(actual, expected);
    ASSERT_EQ(interleaved, expected);
  });
  EXPECT_GT(count, Samples(10000) / 10);
}

TEST(Product, Table) {
  const struct {
    std::string_view block;
    std::string_view tiles;
    std::string expected;
  } kCases[] = {
      {"1:0", "4:1", "(1,4):(0,1)"},
      {"4:1", "1:0", "(4,1):(1,0)"},
      {"4:0", "3:1", "(4,3):(0,1)"},
      // A stride of 0 says that tiles shall overlap.
      {"4:1", "(3,2):(0,1)", "(4,(3,2)):(1,(0,4))"},
      {"(2,2):(2,7)", "3:1",
       "error: the tiles B = 3:1 cannot be placed on the repetitions A = "
       "(2,1):(1,14) of the block: no layout equals A o B: in B, 3:1, A(B) is "
       "14 at coordinate 2, not 2, which ends a run of 2 equal steps; 2 does "
       "not divide 3"},
      {"4:1", "(2,2):(1,1)", "(4,(2,2)):(1,(4,4))"},
      {"4:1", "(2,3):(3,2)", "(4,(2,3)):(1,(12,8))"},
      {"(2,2):(2,3)", "4:1",
       "error: the stride of mode 1 of A, 2:3, is less than the extent 4 that "
       "mode 0 of A, 2:2, reaches: the value 3 at coordinate (0,1) lies "
       "within"},
      {"4:1", "4:1@0",
       "error: tiles lie at offsets, not at the coordinates that 4:1@0 gives"},
      {"4:1", "<2, 3>", "error: 2 modes are asked of a layout with 1"},
      {"(4,4):(1,1)", "<2, (2,2):(1,1)>",
       "((4,2),(4,(2,2))):((1,4),(1,(4,4)))"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(LogicalProduct(LayoutOf(c.block), TilerOf(c.tiles))),
              c.expected)
        << c.block << " * " << c.tiles;
  }
}

TEST(BlockedProduct, OfDifferentRank) {
  EXPECT_EQ(TextOf(BlockedProduct(LayoutOf("4:1"), LayoutOf("3:1"))),
            "((4,3)):((1,4))");
  EXPECT_EQ(TextOf(BlockedProduct(LayoutOf("(4):(1)"), LayoutOf("3:1"))),
            "((4,3)):((1,4))");
  // C++ pairs an integer that comes first with all of the other.
  EXPECT_EQ(TextOf(BlockedProduct(LayoutOf("4:1"), LayoutOf("(3):(1)"))),
            "((4,(3))):((1,(4)))");
  EXPECT_EQ(TextOf(RakedProduct(LayoutOf("((5,2)):((1,5))"), LayoutOf("8:1"))),
            "((8,((5,2)))):((10,((1,5))))");
  EXPECT_EQ(TextOf(BlockedProduct(LayoutOf("4:1"), LayoutOf("(3,2):(1,3)"))),
            "((4,3),(1,2)):((1,4),(0,12))");
  EXPECT_EQ(TextOf(RakedProduct(LayoutOf("(4,2):(1,4)"), LayoutOf("3:1"))),
            "((3,4),(1,2)):((8,1),(0,4))");
}

}  // namespace
}  // namespace tessera::cute
