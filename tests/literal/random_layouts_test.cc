#include "tessera/tests/literal/random_layouts.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::UnorderedElementsAreArray;

using Tiles = std::vector<std::vector<int64_t>>;

constexpr int64_t kCombine = LiteralLayout::kCombine;

TEST(ForEachSmallLayout, VisitsEveryLayoutOnce) {
  SmallLayouts family;
  family.max_rank = 1;
  family.max_bound = 1;
  family.max_tile_rank = 2;
  family.tile_entries = {2, kCombine};
  std::vector<std::string> visited;
  ForEachSmallLayout(family, 0, 1, [&](const LiteralLayout& layout) {
    visited.push_back(layout.ToString());
  });
  EXPECT_THAT(visited,
              UnorderedElementsAreArray(
                  {"s8[]{:T(2)}", "s8[]{:T(2,2)}", "s8[]{:T(*,2)}",
                   "s8[0]{0:T(2)}", "s8[0]{0:T(2,2)}", "s8[0]{0:T(*,2)}",
                   "s8[1]{0:T(2)}", "s8[1]{0:T(2,2)}", "s8[1]{0:T(*,2)}"}));
}

TEST(ForEachSmallLayout, CountsAreThoseOfTheProduct) {
  const auto count = [](const SmallLayouts& family) {
    return ForEachSmallLayout(family, 0, 1, [](const LiteralLayout&) {});
  };
  SmallLayouts family;
  // (1 + 5 + 25 * 2 + 125 * 6) arrays times 4 * (1 + 5 + 25 + 125) tiles.
  EXPECT_EQ(count(family), 806 * 624);
  family.tile_levels = 0;
  EXPECT_EQ(count(family), 806);
  family.tile_levels = 2;
  family.max_rank = 2;
  family.max_tile_rank = 2;
  EXPECT_EQ(count(family), 56 * 24 * 24);
}

TEST(ForEachSmallLayout, PartsMakeUpTheWhole) {
  SmallLayouts family;
  family.max_rank = 2;
  std::set<std::string> visited;
  int64_t sum = 0;
  for (int64_t part = 0; part < 3; ++part) {
    sum +=
        ForEachSmallLayout(family, part, 3, [&](const LiteralLayout& layout) {
          visited.insert(layout.ToString());
        });
  }
  EXPECT_EQ(sum, 56 * 624);
  EXPECT_EQ(visited.size(), sum);
}

TEST(TestSeed, ComesFromTheEnvironment) {
  ASSERT_EQ(setenv("TESSERA_TEST_SEED", "18446744073709551615", 1), 0);
  EXPECT_EQ(TestSeed(), 18446744073709551615u);
  ASSERT_EQ(unsetenv("TESSERA_TEST_SEED"), 0);
  EXPECT_EQ(TestSeed(), 1);
}

TEST(RandomLayout, IsRepeatedByItsSeed) {
  RandomBits first(17);
  RandomBits second(17);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(RandomLayout(RandomLayoutOptions(), &first).ToString(),
              RandomLayout(RandomLayoutOptions(), &second).ToString());
  }
}

void ExpectValid(const LiteralLayout& layout,
                 const RandomLayoutOptions& options) {
  SCOPED_TRACE(layout.ToString());
  EXPECT_LE(layout.rank(), options.max_rank);
  for (const int64_t bound : layout.bounds) {
    EXPECT_GE(bound, 0);
    EXPECT_LE(bound, options.max_bound);
  }
  std::vector<int64_t> dimensions = layout.minor_to_major;
  std::sort(dimensions.begin(), dimensions.end());
  ASSERT_EQ(dimensions.size(), layout.bounds.size());
  for (int64_t d = 0; d < layout.rank(); ++d) EXPECT_EQ(dimensions[d], d);
  for (const std::vector<int64_t>& tile : layout.tiles) {
    ASSERT_FALSE(tile.empty());
    EXPECT_NE(tile.back(), kCombine);
    for (const int64_t entry : tile)
      EXPECT_TRUE(entry > 0 || entry == kCombine);
  }
  EXPECT_GE(layout.tail_padding_alignment, 1);
}

TEST(RandomLayout, IsValidAndSmallEnoughToEvaluate) {
  const RandomLayoutOptions options;
  RandomBits random(TestSeed());
  for (int i = 0; i < 2000; ++i) {
    const LiteralLayout layout = RandomLayout(options, &random);
    ExpectValid(layout, options);
    EXPECT_LE(EvaluateLiterally(layout).cells.size(), options.max_positions);
  }
}

TEST(RandomLayout, LargeOnesAreValidAndLarge) {
  const RandomLayoutOptions options = LargeLayoutOptions();
  RandomBits random(TestSeed());
  int64_t largest = 0;
  for (int i = 0; i < 2000; ++i) {
    const LiteralLayout layout = RandomLayout(options, &random);
    ExpectValid(layout, options);
    for (const int64_t bound : layout.bounds)
      largest = std::max(largest, bound);
  }
  EXPECT_GT(largest, int64_t{1} << 38);
}

// A sample without a case of some kind would judge nothing of that kind.
TEST(RandomLayout, EveryKindIsFrequent) {
  constexpr int kLayouts = 2000;
  int zero_bound = 0;
  int unit_bound = 0;
  int three_levels = 0;
  int combined_first = 0;
  int combined_later = 0;
  int rank_padded = 0;
  int tile_padding = 0;
  int no_tile_padding = 0;
  int tail_padding = 0;
  int powers_of_two = 0;
  int device_tiles = 0;
  RandomBits random(TestSeed());
  for (int i = 0; i < kLayouts; ++i) {
    const LiteralLayout layout = RandomLayout(RandomLayoutOptions(), &random);
    const LiteralArray array = EvaluateLiterally(layout);
    const auto has_bound = [&](int64_t bound) {
      return std::count(layout.bounds.begin(), layout.bounds.end(), bound) > 0;
    };
    const auto has_cell = [&](LiteralCell::Kind kind) {
      return std::any_of(
          array.cells.begin(), array.cells.end(),
          [kind](const LiteralCell& cell) { return cell.kind == kind; });
    };
    zero_bound += has_bound(0);
    unit_bound += has_bound(1);
    three_levels += layout.tiles.size() == 3;
    for (size_t level = 0; level < layout.tiles.size(); ++level) {
      const std::vector<int64_t>& tile = layout.tiles[level];
      const bool combines = std::count(tile.begin(), tile.end(), kCombine) > 0;
      (level == 0 ? combined_first : combined_later) += combines;
      rank_padded += tile.size() > array.expanded_bounds[level].size();
    }
    tile_padding += has_cell(LiteralCell::Kind::kTilePadding);
    no_tile_padding +=
        !layout.tiles.empty() && !has_cell(LiteralCell::Kind::kTilePadding);
    tail_padding += has_cell(LiteralCell::Kind::kTailPadding);
    const std::vector<int64_t>& axes = array.expanded_bounds.back();
    powers_of_two += layout.tiles.size() > 1 &&
                     std::all_of(axes.begin(), axes.end(), [](int64_t bound) {
                       return bound > 0 && (bound & (bound - 1)) == 0;
                     });
    device_tiles += layout.tiles == Tiles{{8, 128}, {2, 1}};
  }
  EXPECT_GT(zero_bound, kLayouts / 100);
  EXPECT_GT(unit_bound, kLayouts / 4);
  EXPECT_GT(three_levels, kLayouts / 10);
  EXPECT_GT(combined_first, kLayouts / 10);
  EXPECT_GT(combined_later, kLayouts / 10);
  EXPECT_GT(rank_padded, kLayouts / 20);
  EXPECT_GT(tile_padding, kLayouts / 4);
  EXPECT_GT(no_tile_padding, kLayouts / 20);
  EXPECT_GT(tail_padding, kLayouts / 20);
  EXPECT_GT(powers_of_two, kLayouts / 20);
  EXPECT_GT(device_tiles, kLayouts / 200);
}

// How often a variant of a random layout has all elements, by number, where
// the layout has them.
struct Outcomes {
  int same = 0;
  int moved = 0;
};

Outcomes TryVariants(int layouts,
                     LiteralLayout (*variant_of)(LiteralLayout, RandomBits*)) {
  Outcomes outcomes;
  RandomBits random(TestSeed());
  for (int i = 0; i < layouts; ++i) {
    const LiteralLayout layout = RandomLayout(RandomLayoutOptions(), &random);
    const LiteralLayout variant = variant_of(layout, &random);
    if (variant.ToString() == layout.ToString()) continue;
    if (!FitsInto(20000, variant)) continue;
    const LiteralArray array = EvaluateLiterally(layout);
    const LiteralArray other = EvaluateLiterally(variant);
    EXPECT_EQ(array.positions.size(), other.positions.size());
    (array.positions == other.positions ? outcomes.same : outcomes.moved) += 1;
  }
  return outcomes;
}

TEST(RewrittenLayout, OftenButNotAlwaysLeavesEveryElementWhereItWas) {
  const Outcomes outcomes = TryVariants(2000, RewrittenLayout);
  EXPECT_GT(outcomes.same, 500);
  EXPECT_GT(outcomes.moved, 100);
}

TEST(RewrittenLayout, KeepsTheBounds) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 500; ++i) {
    const LiteralLayout layout = RandomLayout(RandomLayoutOptions(), &random);
    EXPECT_EQ(RewrittenLayout(layout, &random).bounds, layout.bounds);
  }
}

TEST(ReshapedLayout, OftenButNotAlwaysLeavesEveryElementWhereItWas) {
  const Outcomes outcomes = TryVariants(2000, ReshapedLayout);
  EXPECT_GT(outcomes.same, 500);
  EXPECT_GT(outcomes.moved, 100);
}

TEST(FitsInto, CountsAllTiles) {
  const LiteralLayout layout = {{3, 5}, {1, 0}, {{2, 2}, {3}}};
  EXPECT_EQ(EvaluateLiterally(layout).cells.size(), 36);
  EXPECT_TRUE(FitsInto(36, layout));
  EXPECT_FALSE(FitsInto(35, layout));
  EXPECT_TRUE(FitsInto(15, {{3, 5}, {1, 0}, {}}));
  EXPECT_FALSE(FitsInto(14, {{3, 5}, {1, 0}, {}}));
}

}  // namespace
}  // namespace tessera
