#include "tessera/cute/to_index_map.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

#ifdef TESSERA_SANITIZER
constexpr int kLayouts = 500;
#else
constexpr int kLayouts = 10000;
#endif

// Calls `visit` with every index within the bounds of `map`.
template <typename Visit>
void ForEachIndexOf(const IndexMap& map, const Visit& visit) {
  std::vector<int64_t> index(map.rank(), 0);
  while (true) {
    visit(index);
    int64_t i = 0;
    while (i < map.rank() && ++index[i] == map.bounds()[i]) index[i++] = 0;
    if (i == map.rank()) return;
  }
}

TEST(ToIndexMap, WhatIsNoMapOfPositions) {
  const auto error = [](const char* layout) {
    return std::string(ToIndexMap(*ParseLayout(layout)).status().message());
  };
  EXPECT_EQ(error("(4,3):(1@0,1@1)"),
            "the values of (4,3):(1@0,1@1) are coordinates, which are not "
            "positions");
  EXPECT_THAT(ToIndexMap(*ParseLayout("4:-1")),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(
      ToIndexMap(ComposedLayout(*ParseLayout("4:2"), 1, *ParseLayout("3:1"))),
      StatusIs(absl::StatusCode::kUnimplemented));
  // An offset that makes up for a negative stride.
  EXPECT_EQ(*ToIndexMap(ComposedLayout(Swizzle(), 3, *ParseLayout("4:-1")))
                 ->LinearIndex({3}),
            0);
}

TEST(ToIndexMap, RandomLayoutsAtEveryIndex) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 512;
  for (int n = 0; n < kLayouts; ++n) {
    const Layout layout =
        *ParseLayout(RandomCuteLayout(options, &random).ToString());
    const absl::StatusOr<IndexMap> map = ToIndexMap(layout);
    ASSERT_THAT(map, IsOk()) << layout.ToString();
    ASSERT_EQ(map->rank(), layout.rank());
    ForEachIndexOf(*map, [&](absl::Span<const int64_t> index) {
      ASSERT_EQ(map->LinearIndexUnchecked(index), layout.At(index))
          << layout.ToString();
    });
  }
}

TEST(ToIndexMap, SwizzledLayoutsThereAndBack) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 256;
  for (int n = 0; n < kLayouts / 4; ++n) {
    const Layout layout =
        *ParseLayout(RandomCuteLayout(options, &random).ToString());
    const int64_t bits = Uniform(0, 3, &random);
    const int64_t shift = Uniform(bits, bits + 2, &random);
    const Swizzle swizzle =
        *Swizzle::Create(bits, Uniform(0, 3, &random),
                         Uniform(0, 1, &random) == 0 ? shift : -shift);
    const ComposedLayout composed(swizzle, Uniform(0, 9, &random), layout);
    const absl::StatusOr<IndexMap> map = ToIndexMap(composed);
    ASSERT_THAT(map, IsOk()) << composed.ToString();
    ForEachIndexOf(*map, [&](absl::Span<const int64_t> index) {
      const int64_t position = map->LinearIndexUnchecked(index);
      ASSERT_EQ(position, composed.Apply(layout.At(index)))
          << composed.ToString();
      if (map->kind() == IndexMap::Kind::kGeneral) return;
      std::vector<int64_t> back(map->rank());
      ASSERT_EQ(*map->MultidimensionalIndex(position, absl::MakeSpan(back)),
                PositionKind::kElement);
      ASSERT_EQ(absl::MakeConstSpan(back), index) << composed.ToString();
    });
  }
}

}  // namespace
}  // namespace tessera::cute
