#include "tessera/tests/cute/random_cute_layouts.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/tests/cute/literal_layout.h"

namespace tessera::cute {
namespace {

constexpr int64_t kSamples = 5000;

int64_t Depth(const LiteralLayout& layout) {
  int64_t depth = 0;
  for (const LiteralLayout& mode : layout.modes) {
    depth = std::max(depth, Depth(mode) + 1);
  }
  return depth;
}

bool AnyLeaf(const LiteralLayout& layout,
             const std::function<bool(const LiteralLayout&)>& predicate) {
  const std::vector<LiteralLayout> leaves = layout.Leaves();
  return std::any_of(leaves.begin(), leaves.end(), predicate);
}

bool HasNegativeStride(const LiteralLayout& layout) {
  return AnyLeaf(layout, [](const auto& leaf) { return leaf.stride < 0; });
}

bool IsInjective(const LiteralLayout& layout) {
  const std::vector<int64_t> values = layout.Values();
  return std::set<int64_t>(values.begin(), values.end()).size() ==
         values.size();
}

TEST(RandomCuteLayout, Example) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  const LiteralLayout layout = RandomCuteLayout(options, &random);
  EXPECT_EQ(*ParseLiteralLayout(layout.ToString()), layout);
  const LiteralTiler tiler = RandomTiler(layout, options, &random);
  EXPECT_FALSE(tiler.ToString().empty());
}

TEST(RandomCuteLayout, StaysInsideTheLimits) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  for (const int64_t max_depth : {0, 1, 2, 3}) {
    for (const int64_t max_size : {1, 30, 500}) {
      options.max_depth = max_depth;
      options.max_size = max_size;
      options.max_leaves = max_depth + 2;
      for (int64_t n = 0; n < 500; ++n) {
        const LiteralPair pair = n % 2 == 0 ? RelatedPair(options, &random)
                                            : UnrelatedPair(options, &random);
        for (const LiteralLayout& layout : {pair.a, pair.b}) {
          ASSERT_LE(Depth(layout), max_depth) << layout.ToString();
          ASSERT_LE(layout.Size(), max_size) << layout.ToString();
          ASSERT_LE(static_cast<int64_t>(layout.Leaves().size()),
                    options.max_leaves)
              << layout.ToString();
          ASSERT_FALSE(AnyLeaf(layout, [](const auto& leaf) {
            return leaf.shape < 1;
          })) << layout.ToString();
          ASSERT_FALSE(HasNegativeStride(layout)) << layout.ToString();
        }
      }
    }
  }
}

TEST(RandomCuteLayout, EveryKindIsFrequent) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 500;
  options.negative_strides = true;
  int64_t deep = 0, integers = 0, size_one = 0, zero = 0, negative = 0;
  int64_t injective = 0, compact = 0, many = 0;
  for (int64_t n = 0; n < kSamples; ++n) {
    const LiteralLayout layout = RandomCuteLayout(options, &random);
    deep += Depth(layout) == 3;
    integers += layout.is_leaf;
    size_one +=
        AnyLeaf(layout, [](const auto& leaf) { return leaf.shape == 1; });
    zero += AnyLeaf(layout, [](const auto& leaf) { return leaf.stride == 0; });
    negative += HasNegativeStride(layout);
    many += layout.Leaves().size() == 8;
    if (IsInjective(layout)) {
      ++injective;
      std::vector<int64_t> values = layout.Values();
      std::sort(values.begin(), values.end());
      compact += values.front() == 0 && values.back() + 1 == layout.Size();
    }
  }
  EXPECT_GT(deep, kSamples / 10);
  EXPECT_GT(integers, kSamples / 20);
  EXPECT_GT(size_one, kSamples / 10);
  EXPECT_GT(zero, kSamples / 10);
  EXPECT_GT(negative, kSamples / 10);
  EXPECT_GT(many, kSamples / 20);
  EXPECT_GT(injective, kSamples / 4);
  EXPECT_LT(injective, kSamples * 9 / 10);
  EXPECT_GT(compact, kSamples / 10);
}

TEST(RandomCuteLayout, IsRepeatedByItsSeed) {
  const auto text = [](uint64_t seed) {
    RandomBits random(seed);
    std::string all;
    for (int64_t n = 0; n < 20; ++n) {
      const LiteralPair pair = RelatedPair(RandomCuteOptions(), &random);
      all += pair.a.ToString() + pair.b.ToString() +
             RandomTiler(pair.a, RandomCuteOptions(), &random).ToString();
    }
    return all;
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

int64_t CountCompositions(LiteralPair (*make)(const RandomCuteOptions&,
                                              RandomBits*)) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 1000;
  int64_t count = 0;
  for (int64_t n = 0; n < kSamples; ++n) {
    const LiteralPair pair = make(options, &random);
    count += LayoutExists(pair.a, pair.b);
  }
  ::testing::Test::RecordProperty("compositions", count);
  return count;
}

TEST(RelatedPair, MostlyComposes) {
  const int64_t count = CountCompositions(RelatedPair);
  EXPECT_GT(count, kSamples / 2);
  EXPECT_LT(count, kSamples * 19 / 20);
}

TEST(UnrelatedPair, AsOftenComposesAsNot) {
  const int64_t count = CountCompositions(UnrelatedPair);
  EXPECT_GT(count, kSamples / 4);
  EXPECT_LT(count, kSamples * 3 / 4);
}

TEST(LiteralTiler, PrintsNested) {
  const auto layout = [](const char* text) {
    LiteralTiler tiler;
    tiler.kind = LiteralTiler::Kind::kLayout;
    tiler.layout = *ParseLiteralLayout(text);
    return tiler;
  };
  LiteralTiler size;
  size.kind = LiteralTiler::Kind::kSize;
  size.size = 8;
  LiteralTiler inner, outer;
  inner.kind = outer.kind = LiteralTiler::Kind::kTuple;
  inner.modes = {layout("2:1"), layout("(2,2):(4,1)")};
  outer.modes = {layout("3:4"), size, LiteralTiler(), inner};
  EXPECT_EQ(outer.ToString(), "<3:4,8,_,<2:1,(2,2):(4,1)>>");
}

// A tiler asks for no mode that the layout does not have.
void ExpectFits(const LiteralTiler& tiler, const LiteralLayout& layout) {
  if (tiler.kind != LiteralTiler::Kind::kTuple) return;
  ASSERT_FALSE(layout.is_leaf);
  ASSERT_GE(tiler.modes.size(), 1u);
  ASSERT_LE(tiler.modes.size(), layout.modes.size());
  for (size_t i = 0; i < tiler.modes.size(); ++i) {
    ExpectFits(tiler.modes[i], layout.modes[i]);
  }
}

TEST(RandomTiler, FitsItsLayoutAndTriesEveryKind) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  int64_t count[4] = {}, short_tuples = 0, composes = 0;
  for (int64_t n = 0; n < kSamples; ++n) {
    const LiteralLayout layout = RandomCuteLayout(options, &random);
    const LiteralTiler tiler = RandomTiler(layout, options, &random);
    ExpectFits(tiler, layout);
    ++count[static_cast<int>(tiler.kind)];
    if (tiler.kind == LiteralTiler::Kind::kTuple) {
      short_tuples += tiler.modes.size() < layout.modes.size();
    }
    if (tiler.kind == LiteralTiler::Kind::kLayout) {
      composes += LayoutExists(layout, tiler.layout);
    }
  }
  for (const int64_t c : count) EXPECT_GT(c, kSamples / 20);
  EXPECT_GT(short_tuples, kSamples / 20);
  EXPECT_GT(composes * 2, count[static_cast<int>(LiteralTiler::Kind::kLayout)]);
}

}  // namespace
}  // namespace tessera::cute
