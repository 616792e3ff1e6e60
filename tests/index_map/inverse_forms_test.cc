// The three forms of the inverse, of which a processor and a map use one,
// agree.

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/index_map/gather_bits.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

class IndexMapTestPeer {
 public:
  static bool IsDirect(const IndexMap& map) {
    return map.inverse_ != IndexMap::Inverse::kGeneral;
  }
  static PositionKind Gathering(const IndexMap& map, int64_t position,
                                absl::Span<int64_t> index) {
    return map.GatheringMultidimensionalIndex(position, index);
  }
  static PositionKind Portable(const IndexMap& map, int64_t position,
                               absl::Span<int64_t> index) {
    return map.PortableMultidimensionalIndex(position, index);
  }
  static PositionKind General(const IndexMap& map, int64_t position,
                              absl::Span<int64_t> index) {
    return map.GeneralMultidimensionalIndex(position, index);
  }
};

namespace {

using Coordinate = IndexMap::Builder::Coordinate;

// Bounds, cuts and orders at random, powers of two among them.
IndexMap RandomMap(std::mt19937& random) {
  const int64_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 33, 64, 128};
  auto draw = [&random, &sizes] { return sizes[random() % std::size(sizes)]; };
  std::vector<int64_t> bounds(1 + random() % 4);
  for (int64_t& bound : bounds) bound = draw();
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    auto outer = builder.Split(builder.Dimension(i), draw());
    axes.push_back(outer.first);
    // A divisor of the modulus, so that the remainder cuts without a new
    // source.
    const int64_t half = outer.second.bound % 2 == 0 ? 2 : 1;
    auto inner = builder.Split(outer.second, half);
    axes.push_back(inner.first);
    axes.push_back(inner.second);
  }
  std::shuffle(axes.begin(), axes.end(), random);
  return *std::move(builder).BuildRowMajor(axes, 1 + random() % 5);
}

TEST(InverseForms, Agree) {
  if (!CanGatherBits()) GTEST_SKIP() << "this processor gathers no bits";
  std::mt19937 random(20261121);
  int kinds[4] = {};
  for (int round = 0; round < 2000; ++round) {
    const IndexMap map = RandomMap(random);
    ASSERT_TRUE(IndexMapTestPeer::IsDirect(map)) << map.ToString();
    std::vector<int64_t> a(map.rank()), b(map.rank()), c(map.rank());
    for (int sample = 0; sample < 200; ++sample) {
      const int64_t position = std::uniform_int_distribution<int64_t>(
          0, map.position_count() - 1)(random);
      const PositionKind kind =
          IndexMapTestPeer::General(map, position, absl::MakeSpan(a));
      ++kinds[static_cast<int>(kind)];
      ASSERT_EQ(IndexMapTestPeer::Portable(map, position, absl::MakeSpan(b)),
                kind)
          << map.ToString() << " at " << position;
      ASSERT_EQ(IndexMapTestPeer::Gathering(map, position, absl::MakeSpan(c)),
                kind)
          << map.ToString() << " at " << position;
      if (kind != PositionKind::kElement) continue;
      ASSERT_EQ(a, b) << map.ToString() << " at " << position;
      ASSERT_EQ(a, c) << map.ToString() << " at " << position;
      ASSERT_EQ(map.LinearIndexUnchecked(a), position) << map.ToString();
    }
  }
  EXPECT_GT(kinds[static_cast<int>(PositionKind::kElement)], 1000);
  EXPECT_GT(kinds[static_cast<int>(PositionKind::kPadding)], 1000);
}

}  // namespace
}  // namespace tessera
