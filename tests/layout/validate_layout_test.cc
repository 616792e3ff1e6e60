#include "tessera/layout/validate_layout.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "proto/xla_data.pb.h"

namespace tessera {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::min();
constexpr int64_t kStar = Tile::kCombineDimension;
constexpr int64_t k2To62 = int64_t{1} << 62;

class AnyPhysicalShape : public PhysicalShape {
 public:
  std::string ToString() const override { return "f32[8]{0}"; }
  ShapeProto ToProto() const override { return ShapeProto(); }
  bool Equals(const PhysicalShape&) const override { return true; }
};

SplitConfig Split(int64_t dimension, std::vector<int64_t> split_indices) {
  SplitConfig split;
  split.dimension = dimension;
  split.split_indices.assign(split_indices.begin(), split_indices.end());
  return split;
}

// A descending layout for `rank` dimensions with one change.
Layout Descending(int64_t rank,
                  std::function<void(Layout::Parts*)> change = nullptr) {
  Layout::Parts parts;
  for (int64_t i = rank - 1; i >= 0; --i) parts.minor_to_major.push_back(i);
  if (change != nullptr) change(&parts);
  return Layout(parts);
}

Layout Tiled(int64_t rank, Layout::Tiles tiles) {
  return Descending(rank).WithTiles(std::move(tiles));
}

Layout Aligned(int64_t rank, int64_t alignment) {
  return Descending(rank, [alignment](Layout::Parts* parts) {
    parts->tail_padding_alignment_in_elements = alignment;
  });
}

Layout WithSplits(int64_t rank, std::vector<SplitConfig> splits) {
  return Descending(rank, [&splits](Layout::Parts* parts) {
    parts->split_configs = std::move(splits);
  });
}

TEST(ValidateLayout, Accepts) {
  struct Case {
    Layout layout;
    PrimitiveType type;
    std::vector<int64_t> dimensions;
  };
  const Case kCases[] = {
      {Layout(), F32, {}},
      {Layout({0, 1}), F32, {2, 3}},
      {Layout({2, 0, 1}), F32, {2, 3, 4}},
      {Layout({0}), F32, {0}},
      {Layout({0, 1}), F32, {kUnbounded, kUnbounded}},
      {Tiled(0, {Tile({128})}), U32, {}},
      {Tiled(1, {Tile({8, 128})}), F32, {3}},
      {Tiled(2, {Tile({8, 128}), Tile({2, 1})}), BF16, {16, 256}},
      {Tiled(3, {Tile({2, kStar, 128})}), BF16, {2, 3, 1004}},
      {Tiled(5, {Tile({kStar, kStar, 2, kStar, 3})}), F32, {2, 7, 8, 11, 10}},
      {Aligned(1, 1), F32, {7}},
      {Aligned(1, 100), F32, {7}},
      {Layout({0}).WithElementSizeInBits(32), F32, {8}},
      {Layout({0}).WithElementSizeInBits(4), S4, {8}},
      {Layout({0}).WithMemorySpace(200), F32, {8}},
      {Layout({0}).WithMemorySpace(kMax), F32, {8}},
      {Descending(
           1, [](auto* p) { p->dynamic_shape_metadata_prefix_bytes = 1024; }),
       F32,
       {8}},
      {WithSplits(1, {Split(0, {})}), F32, {8}},
      {WithSplits(1, {Split(0, {1, 7})}), F32, {8}},
      // Physical dimensions: 0 is the major-most, here logical dimension 2.
      {WithSplits(3, {Split(0, {1}), Split(2, {3})})
           .WithMinorToMajor({0, 1, 2}),
       F32,
       {4, 1, 2}},
      // At the edge of int64_t: elements, bytes, and the padding of L.
      {Layout({0}), S8, {kMax}},
      {Layout({0}), F32, {kMax / 4}},
      {Layout({0}).WithElementSizeInBits(4), S4, {kMax}},
      {Layout({0}).WithElementSizeInBits(k2To62), F32, {15}},
      {Aligned(1, kMax), S8, {1}},
      {Tiled(1, {Tile({kMax})}), S8, {1}},
      {Layout({0}).WithElementSizeInBits(1), PRED, {kMax}},
      {Aligned(1, kMax).WithElementSizeInBits(1), PRED, {1}},
      {Layout({0}).WithElementSizeInBits(kMax), F32, {1}},
      // Multiplying sizes and entries, the quick bound, would not fit.
      {Tiled(2, {Tile({kMax / 64, 1})}), S8, {1, 1}},
      {Tiled(1, {Tile({1024}), Tile({1024}), Tile({1024}), Tile({1024}),
                 Tile({1024}), Tile({1024}), Tile({1024})}),
       F32,
       {1024}},
      // Nothing to hold, nothing to overflow.
      {Aligned(2, kMax), F64, {0, 5}},
      {Tiled(2, {Tile({k2To62, 4})}), F32, {5, 0}},
      {Tiled(3, {Tile({kStar, kStar, 2})}), F32, {k2To62, 4, 0}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.layout.ToString());
    EXPECT_EQ(ValidateLayout(c.layout, c.type, c.dimensions), absl::OkStatus());
    EXPECT_EQ(ValidateLayout(c.layout), absl::OkStatus());
  }
}

struct RejectCase {
  Layout layout;
  std::vector<int64_t> dimensions;
  ShapePart part;
  int64_t i;
  int64_t j;
  const char* message;
};

void ExpectViolation(const std::optional<Violation>& violation,
                     const RejectCase& c) {
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->part, c.part);
  EXPECT_EQ(violation->i, c.i);
  EXPECT_EQ(violation->j, c.j);
  EXPECT_EQ(violation->message, c.message);
  EXPECT_EQ(violation->ToStatus(),
            absl::InvalidArgumentError(violation->message));
}

TEST(ValidateLayout, RejectsWhateverTheArray) {
  const RejectCase kCases[] = {
      {Layout({5, 7}),
       {2, 3},
       ShapePart::kMinorToMajor,
       0,
       -1,
       "minor_to_major[0] = 5 is outside [0, 2)"},
      {Layout({0, -1}),
       {2, 3},
       ShapePart::kMinorToMajor,
       1,
       -1,
       "minor_to_major[1] = -1 is outside [0, 2)"},
      {Layout({1, 0, 1}),
       {2, 3, 4},
       ShapePart::kMinorToMajor,
       2,
       -1,
       "minor_to_major {1,0,1} names dimension 1 twice"},
      {Tiled(1, {Tile({8}), Tile()}),
       {8},
       ShapePart::kTile,
       1,
       -1,
       "tiles[1] = () has no entries"},
      {Tiled(1, {Tile({0})}),
       {8},
       ShapePart::kTile,
       0,
       0,
       "tiles[0][0] = 0 is neither positive nor '*'"},
      {Tiled(1, {Tile({8}), Tile({2, -2})}),
       {8},
       ShapePart::kTile,
       1,
       1,
       "tiles[1][1] = -2 is neither positive nor '*'"},
      {Tiled(1, {Tile({2, kStar})}),
       {8},
       ShapePart::kTile,
       0,
       1,
       "tiles[0] = (2,*) ends in '*', which has no dimension to combine with"},
      {Tiled(1, {Tile({kStar})}),
       {8},
       ShapePart::kTile,
       0,
       0,
       "tiles[0] = (*) ends in '*', which has no dimension to combine with"},
      {Aligned(1, 0),
       {8},
       ShapePart::kTailPadding,
       -1,
       -1,
       "tail padding L(0) is below 1"},
      {Aligned(1, -3),
       {8},
       ShapePart::kTailPadding,
       -1,
       -1,
       "tail padding L(-3) is below 1"},
      {Layout({0}).WithElementSizeInBits(-4),
       {8},
       ShapePart::kElementSize,
       -1,
       -1,
       "element size E(-4) is below 0"},
      {Layout({0}).WithMemorySpace(-1),
       {8},
       ShapePart::kMemorySpace,
       -1,
       -1,
       "memory space S(-1) is below 0"},
      {Descending(1,
                  [](auto* p) { p->dynamic_shape_metadata_prefix_bytes = -5; }),
       {8},
       ShapePart::kMetadataPrefix,
       -1,
       -1,
       "metadata prefix M(-5) is below 0"},
      {Descending(1, [](auto* p) { p->index_primitive_type = F32; }),
       {8},
       ShapePart::kIndexType,
       -1,
       -1,
       "index type f32 is not unsigned integral"},
      {Descending(1, [](auto* p) { p->pointer_primitive_type = S32; }),
       {8},
       ShapePart::kPointerType,
       -1,
       -1,
       "pointer type s32 is not unsigned integral"},
      {WithSplits(1, {Split(3, {1})}),
       {8},
       ShapePart::kSplitConfig,
       0,
       -1,
       "split_configs[0] cuts physical dimension 3, which is outside [0, 1)"},
      {WithSplits(1, {Split(-1, {1})}),
       {8},
       ShapePart::kSplitConfig,
       0,
       -1,
       "split_configs[0] cuts physical dimension -1, which is outside [0, 1)"},
      {WithSplits(2, {Split(1, {1}), Split(1, {2})}),
       {8, 8},
       ShapePart::kSplitConfig,
       1,
       -1,
       "split_configs[1] cuts physical dimension 1 a second time"},
      {WithSplits(1, {Split(0, {2, 1})}),
       {8},
       ShapePart::kSplitConfig,
       0,
       1,
       "split_configs[0] has the index 1 after 2, but its indices must be "
       "positive and increase"},
      {WithSplits(1, {Split(0, {2, 2})}),
       {8},
       ShapePart::kSplitConfig,
       0,
       1,
       "split_configs[0] has the index 2 after 2, but its indices must be "
       "positive and increase"},
      {WithSplits(1, {Split(0, {0})}),
       {8},
       ShapePart::kSplitConfig,
       0,
       0,
       "split_configs[0] has the index 0 after 0, but its indices must be "
       "positive and increase"},
  };
  for (const RejectCase& c : kCases) {
    SCOPED_TRACE(c.layout.ToString());
    ExpectViolation(FindLayoutViolation(c.layout), c);
    ExpectViolation(FindLayoutViolation(c.layout, F32, c.dimensions), c);
  }
}

TEST(ValidateLayout, RejectsForAnArray) {
  const RejectCase kCases[] = {
      {Layout({0}),
       {2, 3},
       ShapePart::kMinorToMajor,
       -1,
       -1,
       "minor_to_major has 1 entry, but the array has 2 dimensions"},
      {Tiled(0, {Tile({8})}),
       {2},
       ShapePart::kMinorToMajor,
       -1,
       -1,
       "minor_to_major has 0 entries, but the array has 1 dimension"},
      {Descending(1, [](auto* p) { p->index_primitive_type = U32; }),
       {8},
       ShapePart::kIndexType,
       -1,
       -1,
       "index type u32 belongs to a sparse layout, and arrays are dense"},
      {Descending(1, [](auto* p) { p->pointer_primitive_type = U16; }),
       {8},
       ShapePart::kPointerType,
       -1,
       -1,
       "pointer type u16 belongs to a sparse layout, and arrays are dense"},
      {Descending(1,
                  [](auto* p) {
                    p->physical_shape = std::make_shared<AnyPhysicalShape>();
                  }),
       {8},
       ShapePart::kPhysicalShape,
       -1,
       -1,
       "physical shape P(f32[8]{0}) belongs to a sparse layout, and arrays are "
       "dense"},
      {WithSplits(1, {Split(0, {2, 8})}),
       {8},
       ShapePart::kSplitConfig,
       0,
       1,
       "split_configs[0] cuts physical dimension 0 at 8, which is not below "
       "its size 8"},
      // Physical dimension 1 is logical dimension 0 here.
      {WithSplits(2, {Split(1, {3})}).WithMinorToMajor({0, 1}),
       {2, 9},
       ShapePart::kSplitConfig,
       0,
       0,
       "split_configs[0] cuts physical dimension 1 at 3, which is not below "
       "its size 2"},
      {WithSplits(2, {Split(1, {1}), Split(0, {4})}),
       {kUnbounded, 2},
       ShapePart::kSplitConfig,
       1,
       0,
       "split_configs[1] cuts physical dimension 0 at 4, but it is unbounded"},
      {Tiled(2, {Tile({k2To62, 4})}),
       {5, 7},
       ShapePart::kLayout,
       -1,
       -1,
       "the physical size, 1 * 2 * 4611686018427387904 * 4 elements, exceeds "
       "2^63-1"},
      {Tiled(3, {Tile({kStar, 2, 2})}),
       {k2To62, 4, 0},
       ShapePart::kLayout,
       -1,
       -1,
       "the tile's * joins dimensions of 4611686018427387904 and 4, whose "
       "product exceeds 2^63-1"},
      {Aligned(1, kMax - 1),
       {kMax},
       ShapePart::kTailPadding,
       -1,
       -1,
       "the physical size, 9223372036854775807 elements rounded up to a "
       "multiple of L(9223372036854775806), exceeds 2^63-1"},
      {Aligned(1, k2To62),
       {3},
       ShapePart::kLayout,
       -1,
       -1,
       "the physical size, 4611686018427387904 elements of 32 bits, exceeds "
       "2^63-1 bytes"},
      {Layout({0}).WithElementSizeInBits(k2To62),
       {16},
       ShapePart::kLayout,
       -1,
       -1,
       "the physical size, 16 elements of 4611686018427387904 bits, exceeds "
       "2^63-1 bytes"},
      {Layout({0}),
       {kMax / 4 + 1},
       ShapePart::kLayout,
       -1,
       -1,
       "the physical size, 2305843009213693952 elements of 32 bits, exceeds "
       "2^63-1 bytes"},
  };
  for (const RejectCase& c : kCases) {
    SCOPED_TRACE(c.layout.ToString());
    ExpectViolation(FindLayoutViolation(c.layout, F32, c.dimensions), c);
  }
}

TEST(ValidateLayout, WithoutAnArraySparseRemainsPass) {
  EXPECT_EQ(
      ValidateLayout(Descending(2,
                                [](Layout::Parts* parts) {
                                  parts->index_primitive_type = U32;
                                  parts->pointer_primitive_type = U16;
                                  parts->physical_shape =
                                      std::make_shared<AnyPhysicalShape>();
                                })),
      absl::OkStatus());
}

TEST(ValidateLayout, HighRanksTakeLinearTimeAndShortMessages) {
  constexpr int64_t kRank = 1000000;
  Layout::MinorToMajor minor_to_major(kRank);
  std::iota(minor_to_major.begin(), minor_to_major.end(), 0);
  const std::vector<int64_t> dimensions(kRank, 1);
  std::vector<SplitConfig> splits;
  for (int64_t i = 0; i < kRank; ++i) splits.push_back(Split(i, {}));
  const Layout layout =
      WithSplits(0, std::move(splits)).WithMinorToMajor(minor_to_major);
  EXPECT_EQ(ValidateLayout(layout, F32, dimensions), absl::OkStatus());

  minor_to_major.back() = 77;
  EXPECT_EQ(ValidateLayout(Layout(minor_to_major), F32, dimensions).message(),
            "minor_to_major {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,...} names "
            "dimension 77 twice");
}

TEST(IsPlainlyValid, SaysSoOfWhatCompilersPrint) {
  EXPECT_TRUE(IsPlainlyValid(Layout(), F32, {}));
  EXPECT_TRUE(IsPlainlyValid(Layout({1, 0}), F32, {128, 256}));
  EXPECT_TRUE(IsPlainlyValid(Tiled(2, {Tile({8, 128}), Tile({2, 1})}), BF16,
                             {256, 4096}));
  EXPECT_TRUE(IsPlainlyValid(
      Layout({0}).WithMemorySpace(1).WithElementSizeInBits(4), S4, {8}));
}

// Orders of three entries, right and wrong, all of them.
TEST(IsPlainlyValid, TakesPermutationsOnly) {
  int64_t valid = 0;
  for (int64_t a = -1; a <= 3; ++a) {
    for (int64_t b = -1; b <= 3; ++b) {
      for (int64_t c = -1; c <= 3; ++c) {
        const bool is_permutation =
            std::set<int64_t>{0, 1, 2} == std::set<int64_t>{a, b, c};
        EXPECT_EQ(IsPlainlyValid(Layout({a, b, c}), F32, {2, 3, 4}),
                  is_permutation);
        valid += is_permutation;
      }
    }
  }
  EXPECT_EQ(valid, 6);
  EXPECT_FALSE(IsPlainlyValid(Layout({0, 1}), F32, {2, 3, 4}));
  EXPECT_FALSE(IsPlainlyValid(Layout({kMax}), F32, {2}));
}

// 63 dimensions are the most that the quick look has room for.
TEST(IsPlainlyValid, HighRanks) {
  EXPECT_TRUE(IsPlainlyValid(Descending(63), F32, std::vector<int64_t>(63, 1)));
  EXPECT_FALSE(
      IsPlainlyValid(Descending(64), F32, std::vector<int64_t>(64, 1)));
}

TEST(IsPlainlyValid, CountsTheBitsOfTheLargestPaddedSize) {
  // 2^59 elements of a byte have 2^62 bits, 2^60 have 2^63.
  EXPECT_TRUE(IsPlainlyValid(Layout({0}), S8, {int64_t{1} << 59}));
  EXPECT_FALSE(IsPlainlyValid(Layout({0}), S8, {int64_t{1} << 60}));
  // A small E does not hide that the bytes of the unpacked array overflow.
  EXPECT_FALSE(IsPlainlyValid(Layout({0}).WithElementSizeInBits(1), S8,
                              {int64_t{1} << 60}));
  EXPECT_FALSE(IsPlainlyValid(Layout({0}).WithElementSizeInBits(16), S8,
                              {int64_t{1} << 59}));
  EXPECT_TRUE(IsPlainlyValid(Tiled(1, {Tile({2})}), S8, {int64_t{1} << 58}));
  EXPECT_FALSE(IsPlainlyValid(Tiled(1, {Tile({2})}), S8, {int64_t{1} << 59}));
}

}  // namespace
}  // namespace tessera
