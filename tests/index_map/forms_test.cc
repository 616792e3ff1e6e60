// The forms of the forward and of the inverse function, of which a processor
// and a map use one, agree.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/index_map/internal/compiled_map.h"
#include "tessera/index_map/internal/gather_bits.h"
#include "tessera/index_map/internal/programs.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {

namespace {

using Coordinate = IndexMap::Builder::Coordinate;
using index_map_internal::CompiledMap;
using index_map_internal::ForwardProgram;
using index_map_internal::InverseProgram;

// The map as a processor that gathers no bits would have it.
class Portable {
 public:
  explicit Portable(const IndexMap& map)
      : map_(map.structure()),
        forward_(index_map_internal::MakeForwardProgram(
            map_, /*can_gather_bits=*/false)),
        inverse_(index_map_internal::MakeInverseProgram(
            map_, /*can_gather_bits=*/false)) {}

  int64_t LinearIndex(const std::vector<int64_t>& index) const {
    return forward_->run(*forward_, map_, index.data());
  }
  PositionKind MultidimensionalIndex(int64_t position,
                                     std::vector<int64_t>* index) const {
    return inverse_->run(*inverse_, map_, position, index->data());
  }
  // By the form that serves any map with an inverse.
  PositionKind GeneralMultidimensionalIndex(int64_t position,
                                            std::vector<int64_t>* index) const {
    return index_map_internal::GeneralInverse(*inverse_, map_, position,
                                              index->data());
  }
  bool is_direct() const {
    return inverse_->run != index_map_internal::GeneralInverse;
  }

 private:
  CompiledMap map_;
  std::unique_ptr<const ForwardProgram> forward_;
  std::unique_ptr<const InverseProgram> inverse_;
};

int64_t RandomSize(std::mt19937& random) {
  constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 33, 64, 128};
  return kSizes[random() % std::size(kSizes)];
}

std::vector<int64_t> RandomBounds(std::mt19937& random, int most) {
  std::vector<int64_t> bounds(1 + random() % most);
  for (int64_t& bound : bounds) bound = RandomSize(random);
  return bounds;
}

// Every dimension cut in up to three, powers of two among the sizes.
std::vector<Coordinate> RandomAxes(std::mt19937& random,
                                   IndexMap::Builder& builder, int64_t rank) {
  std::vector<Coordinate> axes;
  for (int64_t i = 0; i < rank; ++i) {
    auto outer = builder.Split(builder.Dimension(i), RandomSize(random));
    axes.push_back(outer.first);
    // A divisor of the modulus, so that the remainder cuts without a new
    // source.
    const int64_t half = outer.second.bound % 2 == 0 ? 2 : 1;
    auto inner = builder.Split(outer.second, half);
    axes.push_back(inner.first);
    axes.push_back(inner.second);
  }
  std::shuffle(axes.begin(), axes.end(), random);
  return axes;
}

IndexMap RandomMap(std::mt19937& random) {
  const std::vector<int64_t> bounds = RandomBounds(random, 4);
  IndexMap::Builder builder(bounds);
  const auto axes = RandomAxes(random, builder, bounds.size());
  return *std::move(builder).BuildRowMajor(axes, 1 + random() % 5);
}

// Strides at random, many of them powers of two times a common number.
IndexMap RandomStridedMap(std::mt19937& random) {
  const std::vector<int64_t> bounds = RandomBounds(random, 8);
  IndexMap::Builder builder(bounds);
  std::vector<IndexMap::Builder::StridedCoordinate> strided;
  for (const Coordinate& axis : RandomAxes(random, builder, bounds.size())) {
    int64_t stride = int64_t{1} << random() % 12;
    if (random() % 2 == 0) stride *= 5;
    if (random() % 4 == 0) stride += 3;
    if (random() % 8 == 0) stride = -stride;
    if (random() % 8 == 0) stride = 0;
    strided.push_back({axis, stride});
  }
  return *std::move(builder).BuildStrided(strided, int64_t{1} << 40);
}

TEST(InverseForms, Agree) {
  if (!CanGatherBits()) GTEST_SKIP() << "this processor gathers no bits";
  std::mt19937 random(20261121);
  int kinds[4] = {};
  for (int round = 0; round < 2000; ++round) {
    const IndexMap map = RandomMap(random);
    const Portable portable(map);
    ASSERT_TRUE(portable.is_direct()) << map.ToString();
    std::vector<int64_t> a(map.rank()), b(map.rank()), c(map.rank());
    for (int sample = 0; sample < 200; ++sample) {
      const int64_t position = std::uniform_int_distribution<int64_t>(
          0, map.position_count() - 1)(random);
      const PositionKind kind =
          portable.GeneralMultidimensionalIndex(position, &a);
      ++kinds[static_cast<int>(kind)];
      ASSERT_EQ(portable.MultidimensionalIndex(position, &b), kind)
          << map.ToString() << " at " << position;
      ASSERT_EQ(map.MultidimensionalIndexUnchecked(position, absl::MakeSpan(c)),
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

TEST(ForwardForms, AgreeWithTheDigits) {
  if (!CanGatherBits()) GTEST_SKIP() << "this processor scatters no bits";
  std::mt19937 random(20261122);
  constexpr size_t kSamples = 50;
  for (int round = 0; round < 4000; ++round) {
    const IndexMap map =
        round % 2 == 0 ? RandomMap(random) : RandomStridedMap(random);
    const Portable portable(map);
    std::vector<std::vector<int64_t>> columns(map.rank());
    std::vector<const int64_t*> coordinates;
    for (int64_t d = 0; d < map.rank(); ++d) {
      for (size_t i = 0; i < kSamples; ++i) {
        columns[d].push_back(random() % map.bounds()[d]);
      }
      coordinates.push_back(columns[d].data());
    }
    std::vector<int64_t> batch(kSamples);
    BatchIndexMap(map).LinearIndicesUnchecked(coordinates,
                                              absl::MakeSpan(batch));
    std::vector<int64_t> index(map.rank());
    for (size_t i = 0; i < kSamples; ++i) {
      for (int64_t d = 0; d < map.rank(); ++d) index[d] = columns[d][i];
      int64_t position = map.base();
      for (const IndexMap::Digit& digit : map.digits()) {
        position +=
            index[digit.source] / digit.divisor % digit.modulus * digit.stride;
      }
      ASSERT_EQ(map.LinearIndexUnchecked(index), position) << map.ToString();
      ASSERT_EQ(portable.LinearIndex(index), position) << map.ToString();
      ASSERT_EQ(batch[i], position) << map.ToString();
    }
  }
}

// Of what tensors over grids are made of: dimensions that collapse into one,
// cut by sizes that do not divide one another.
IndexMap RandomComputedMap(std::mt19937& random) {
  const std::vector<int64_t> bounds = RandomBounds(random, 5);
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> coordinates;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const Coordinate major = builder.Dimension(static_cast<int64_t>(i));
    if (i + 1 == bounds.size() || random() % 2 == 0) {
      coordinates.push_back(major);
      continue;
    }
    ++i;
    // With gaps, now and then.
    const int64_t step = bounds[i] + (random() % 4 == 0 ? 1 : 0);
    coordinates.push_back(builder.Sum(
        {{major, step}, {builder.Dimension(static_cast<int64_t>(i)), 1}}));
  }
  std::vector<Coordinate> axes;
  for (const Coordinate& coordinate : coordinates) {
    const auto outer = builder.Split(coordinate, 1 + random() % 40);
    axes.push_back(outer.first);
    const auto inner = builder.Split(outer.second, RandomSize(random));
    axes.push_back(inner.first);
    axes.push_back(inner.second);
  }
  if (random() % 2 == 0) std::shuffle(axes.begin(), axes.end(), random);
  return *std::move(builder).BuildRowMajor(axes);
}

TEST(ComputedForms, Agree) {
  if (!CanGatherBits()) GTEST_SKIP() << "this processor gathers no bits";
  std::mt19937 random(20261124);
  int computed = 0;
  int kinds[4] = {};
  for (int round = 0; round < 4000; ++round) {
    const IndexMap map = RandomComputedMap(random);
    computed += !map.computed_sources().empty();
    const Portable portable(map);
    std::vector<int64_t> a(map.rank()), b(map.rank()), index(map.rank());
    for (int sample = 0; sample < 100; ++sample) {
      for (int64_t d = 0; d < map.rank(); ++d) {
        index[d] = random() % map.bounds()[d];
      }
      const int64_t element = portable.LinearIndex(index);
      ASSERT_EQ(map.LinearIndexUnchecked(index), element) << map.ToString();
      if (map.kind() == IndexMap::Kind::kGeneral) continue;
      ASSERT_EQ(map.MultidimensionalIndexUnchecked(element, absl::MakeSpan(a)),
                PositionKind::kElement)
          << map.ToString() << " at " << element;
      ASSERT_EQ(a, index) << map.ToString();
      const int64_t position = std::uniform_int_distribution<int64_t>(
          0, map.position_count() - 1)(random);
      const PositionKind kind =
          portable.GeneralMultidimensionalIndex(position, &a);
      ++kinds[static_cast<int>(kind)];
      ASSERT_EQ(map.MultidimensionalIndexUnchecked(position, absl::MakeSpan(b)),
                kind)
          << map.ToString() << " at " << position;
      if (kind == PositionKind::kElement) {
        ASSERT_EQ(a, b) << map.ToString() << " at " << position;
      }
    }
  }
  EXPECT_GT(computed, 1000);
  EXPECT_GT(kinds[static_cast<int>(PositionKind::kElement)], 1000);
  EXPECT_GT(kinds[static_cast<int>(PositionKind::kPadding)], 1000);
  EXPECT_GT(kinds[static_cast<int>(PositionKind::kGap)], 100);
}

// The swizzle goes with whatever form is below it.
TEST(SwizzledForms, Agree) {
  if (!CanGatherBits()) GTEST_SKIP() << "this processor gathers no bits";
  std::mt19937 random(20261123);
  int swizzled = 0;
  for (int round = 0; round < 1000; ++round) {
    const int32_t bits = 1 + random() % 3;
    const int32_t base = random() % 4;
    const absl::StatusOr<IndexMap> map =
        RandomMap(random).Swizzled({bits, base, random() % 2 == 0 ? 3 : -3});
    ASSERT_THAT(map, IsOk());
    swizzled += map->is_swizzled();
    const Portable portable(*map);
    std::vector<int64_t> a(map->rank()), b(map->rank());
    for (int sample = 0; sample < 100; ++sample) {
      const int64_t position = std::uniform_int_distribution<int64_t>(
          0, map->position_count() - 1)(random);
      const PositionKind kind =
          map->MultidimensionalIndexUnchecked(position, absl::MakeSpan(a));
      ASSERT_EQ(portable.MultidimensionalIndex(position, &b), kind)
          << map->ToString() << " at " << position;
      if (kind != PositionKind::kElement) continue;
      ASSERT_EQ(a, b) << map->ToString() << " at " << position;
      ASSERT_EQ(map->LinearIndexUnchecked(a), position) << map->ToString();
      ASSERT_EQ(portable.LinearIndex(a), position) << map->ToString();
    }
  }
  EXPECT_GT(swizzled, 500);
}

TEST(ComputedForms, AMultipleOfARemainderIsNotTheRemainder) {
  IndexMap::Builder builder({100});
  const Coordinate sum =
      builder.Sum({{builder.Split(builder.Dimension(0), 12).second, 3}});
  const auto [high, low] = builder.Split(sum, 8);
  const IndexMap map = *std::move(builder).BuildRowMajor({low, high});
  for (int64_t x = 0; x < 100; ++x) {
    const int64_t value = 3 * (x % 12);
    EXPECT_EQ(*map.LinearIndex({x}), value % 8 * high.bound + value / 8) << x;
  }
}

}  // namespace
}  // namespace tessera
