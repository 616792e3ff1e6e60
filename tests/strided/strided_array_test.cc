#include "tessera/strided/strided_array.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/strided/parse.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using Numbers = std::vector<int64_t>;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

IndexMap MapOf(std::string_view text,
               PositionUnit unit = PositionUnit::kElements) {
  return *ToIndexMap(*ParseStridedArray(text), unit);
}

TEST(StridedArray, KindsOfMaps) {
  const struct {
    std::string_view text;
    IndexMap::Kind kind;
    int64_t position_count;
  } cases[] = {
      {"memref<4x8xf32>", IndexMap::Kind::kMixedRadix, 32},
      {"memref<4x8xf32, strided<[1, 4]>>", IndexMap::Kind::kMixedRadix, 32},
      {"memref<4x8xf32, strided<[16, 2]>>", IndexMap::Kind::kInjective, 63},
      {"memref<4x8xf32, strided<[8, 1], offset: 3>>",
       IndexMap::Kind::kInjective, 35},
      {"f32[4] strides (-4) bytes", IndexMap::Kind::kInjective, 4},
      {"f32[4,8] strides (0, 4) bytes", IndexMap::Kind::kGeneral, 8},
      {"f32[6,3] strides (4, 4) bytes", IndexMap::Kind::kGeneral, 8},
      {"memref<f32>", IndexMap::Kind::kMixedRadix, 1},
      {"memref<f32, strided<[], offset: 2>>", IndexMap::Kind::kInjective, 3},
      {"f32[4,0] strides (-4, 9223372036854775804) bytes",
       IndexMap::Kind::kMixedRadix, 0},
      // A dimension of 1 has no stride to speak of.
      {"f32[1,3] strides (0, 4) bytes", IndexMap::Kind::kMixedRadix, 3},
      {"f32[1,3] strides (-400, 4) bytes", IndexMap::Kind::kMixedRadix, 3},
  };
  for (const auto& c : cases) {
    const IndexMap map = MapOf(c.text);
    EXPECT_EQ(map.kind(), c.kind) << c.text;
    EXPECT_EQ(map.position_count(), c.position_count) << c.text;
  }
}

TEST(StridedArray, TheLargest) {
  const IndexMap map =
      MapOf("u8[2] strides (9223372036854775805) bytes, offset 1 byte");
  EXPECT_EQ(*map.LinearIndex({1}), kMax - 1);
  EXPECT_THAT(ToIndexMap(*ParseStridedArray(
                             "u8[2] strides (4611686018427387904) bytes"),
                         PositionUnit::kBits),
              StatusIs(absl::StatusCode::kOutOfRange));
  StridedArray array;
  array.dimensions = {2};
  array.strides = {std::numeric_limits<int64_t>::min()};
  array.element_type = U8;
  EXPECT_THAT(ValidateStridedArray(array),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(LowestOffset(array), std::nullopt);
}

TEST(StridedArray, WhatIsNoArray) {
  const auto error = [](const StridedArray& array) {
    return std::string(ValidateStridedArray(array).message());
  };
  StridedArray array;
  array.dimensions = {2, 3};
  array.strides = {3};
  EXPECT_EQ(error(array),
            "expected a stride for each of 2 dimensions, found 1");
  array.strides = {3, 1};
  array.dimensions = {2, -3};
  EXPECT_EQ(error(array), "dimension 1 is negative: -3");
  array.dimensions = {2, 3};
  array.element_type = TOKEN;
  EXPECT_EQ(error(array), "no array has elements of token");
  array.element_type = S1;
  EXPECT_EQ(error(array), "");
  array.notation = StridedArray::Notation::kMemref;
  EXPECT_EQ(error(array), "a memref has no elements of s1");
  array.says_signed = true;
  EXPECT_EQ(error(array), "");
  EXPECT_EQ(array.ToString(), "memref<2x3xsi1>");
}

TEST(StridedArray, EveryTypeInBothNotations) {
  for (int i = 0; i < PrimitiveType_ARRAYSIZE; ++i) {
    StridedArray array;
    array.element_type = static_cast<PrimitiveType>(i);
    if (!IsArrayType(array.element_type)) continue;
    array.dimensions = {3};
    array.strides = {2};
    EXPECT_EQ(*ParseStridedArray(array.ToString()), array);
    array.notation = StridedArray::Notation::kMemref;
    array.says_signed = array.element_type == S1;
    EXPECT_EQ(*ParseStridedArray(array.ToString()), array);
  }
}

StridedArray RandomArray(std::mt19937& random) {
  const auto below = [&random](int64_t bound) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
  };
  constexpr PrimitiveType kTypes[] = {PRED, S4, BF16, F32, C64, C128, F8E4M3FN};
  StridedArray array;
  array.element_type = kTypes[below(7)];
  array.notation = below(2) == 0 ? StridedArray::Notation::kBytes
                                 : StridedArray::Notation::kMemref;
  const int64_t rank = below(5);
  int64_t next = 1;
  const bool is_nested = below(3) != 0;
  for (int64_t i = 0; i < rank; ++i) {
    array.dimensions.push_back(below(20) == 0 ? 0 : 1 + below(5));
    array.strides.push_back(is_nested ? next : below(20) - 8);
    next = next * std::max<int64_t>(1, array.dimensions[i]) + below(2);
    if (is_nested && below(4) == 0) array.strides[i] = -array.strides[i];
    // Broadcasts and windows.
    if (below(12) == 0) array.strides[i] = below(2);
  }
  std::shuffle(array.strides.begin(), array.strides.end(), random);
  array.offset = *LowestOffset(array) + (below(2) == 0 ? 0 : below(9));
  return array;
}

// An element at a time, as numpy's documents say it, and a table of what lies
// where.
TEST(StridedArray, RandomOnesAsTheLiteralSum) {
  std::mt19937 random(20261122);
  int64_t shared = 0, inverses = 0;
  for (int round = 0; round < 3000; ++round) {
    const StridedArray array = RandomArray(random);
    SCOPED_TRACE(array.ToString());
    ASSERT_THAT(ValidateStridedArray(array), IsOk());
    const absl::StatusOr<StridedArray> again =
        ParseStridedArray(array.ToString());
    ASSERT_THAT(again, IsOkAndHolds(array));

    const IndexMap map = *ToIndexMap(array);
    const IndexMap bytes = *ToIndexMap(array, PositionUnit::kBytes);
    const IndexMap bits = *ToIndexMap(array, PositionUnit::kBits);
    const int64_t size = array.element_bytes();
    std::map<int64_t, Numbers> at;
    bool is_shared = false;
    Numbers index(array.dimensions.size());
    for (int64_t n = 0; n < map.element_count(); ++n) {
      int64_t rest = n, position = array.offset;
      for (size_t i = index.size(); i-- > 0;) {
        index[i] = rest % array.dimensions[i];
        rest /= array.dimensions[i];
        position += index[i] * array.strides[i];
      }
      ASSERT_EQ(*map.LinearIndex(index), position);
      ASSERT_EQ(*bytes.LinearIndex(index), position * size);
      ASSERT_EQ(*bits.LinearIndex(index), position * size * 8);
      is_shared = !at.emplace(position, index).second || is_shared;
    }
    ASSERT_EQ(map.position_count(), at.empty() ? 0 : at.rbegin()->first + 1);
    if (is_shared) {
      ++shared;
      ASSERT_EQ(map.kind(), IndexMap::Kind::kGeneral);
    }
    if (map.kind() == IndexMap::Kind::kGeneral) continue;
    ++inverses;
    for (int64_t p = 0; p < map.position_count(); ++p) {
      const auto found = at.find(p);
      const PositionKind kind =
          *map.MultidimensionalIndex(p, absl::MakeSpan(index));
      ASSERT_EQ(kind, found == at.end() ? PositionKind::kGap
                                        : PositionKind::kElement);
      if (found != at.end()) {
        ASSERT_EQ(index, found->second);
      }
    }
    // Runs cover the same positions.
    int64_t in_runs = 0;
    ElementRun run;
    absl::StatusOr<ElementRuns> runs = ElementRuns::Create(map);
    ASSERT_THAT(runs, IsOk());
    while (runs->Next(&run)) {
      for (int64_t i = 0; i < run.length; ++i) {
        ASSERT_EQ(at.count(run.position + i), 1);
      }
      in_runs += run.length;
    }
    ASSERT_EQ(in_runs, map.element_count());
  }
  EXPECT_GT(shared, 200);
  EXPECT_GT(inverses, 1000);
}

// Nothing lies at strides that no index takes; in bits they would be past
// 2^63-1.
TEST(ToIndexMap, LongStridesOfNoElements) {
  const absl::StatusOr<StridedArray> array = ParseStridedArray(
      "u8[0,2] strides (4611686018427387903, -4611686018427387903) bytes");
  ASSERT_THAT(array, IsOk());
  const absl::StatusOr<IndexMap> map = ToIndexMap(*array, PositionUnit::kBits);
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->element_count(), 0);
  for (const auto& digit : map->digits()) EXPECT_EQ(digit.stride, 0);
}

// Nothing that a caller may put into the struct ends the program.
TEST(StridedArray, DimensionsWithoutStrides) {
  StridedArray few, many, negative;
  few.dimensions = {4, 8};
  few.strides = {8};
  many.dimensions = {4};
  many.strides = {8, 1};
  negative.dimensions = {-4};
  negative.strides = {1};
  EXPECT_FALSE(few.IsRowMajor());
  EXPECT_EQ(LowestOffset(few), std::nullopt);
  EXPECT_FALSE(many.IsRowMajor());
  EXPECT_EQ(LowestOffset(many), std::nullopt);
  EXPECT_EQ(LowestOffset(negative), std::nullopt);
  for (const StridedArray& array : {few, many, negative}) {
    EXPECT_THAT(ToIndexMap(array),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace tessera
