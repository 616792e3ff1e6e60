// Which sizes are taken, and what are they, up to 2^63-1 bytes? Against
// arithmetic of 128 bits.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/derivation.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/validate_shape.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t k2To60 = int64_t{1} << 60;

#ifdef TESSERA_SANITIZER
constexpr int kShapes = 10000;
#else
constexpr int kShapes = 100000;
#endif

Shape Parse(const std::string& text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_THAT(shape, IsOk()) << text;
  return shape.ok() ? *std::move(shape) : Shape();
}

std::string Refusal(const std::string& text) {
  return std::string(ParseShape(text).status().message());
}

struct Sizes {
  std::string text;
  int64_t elements;
  int64_t unpadded_bytes;
  int64_t padded_bytes;
};

TEST(SizeLimits, BytesUpTo2To63Less1) {
  const Sizes kCases[] = {
      {"f32[1048576,1048576,1024,1024]", k2To60, 4 * k2To60, 4 * k2To60},
      {"u8[1152921504606846976]", k2To60, k2To60, k2To60},
      {"u8[9223372036854775807]", kMax, kMax, kMax},
      {"pred[9223372036854775807]", kMax, kMax, kMax},
      {"s4[9223372036854775807]", kMax, kMax, kMax},
      {"f32[2305843009213693951]", kMax / 4, kMax - 3, kMax - 3},
      {"c128[576460752303423487]", kMax / 16, kMax - 15, kMax - 15},
      // Packed: 2^65 bits and more.
      {"s4[9223372036854775807]{0:E(4)}", kMax, 4 * k2To60, 4 * k2To60},
      {"u2[9223372036854775807]{0:E(2)}", kMax, 2 * k2To60, 2 * k2To60},
      {"pred[9223372036854775807]{0:E(1)}", kMax, k2To60, k2To60},
      {"f4e2m1fn[3458764513820540929]{0:E(4)}", 3 * k2To60 + 1,
       3 * k2To60 / 2 + 1, 3 * k2To60 / 2 + 1},
      // Wider than its type, and by no whole byte.
      {"pred[6148914691236517204]{0:E(12)}", 6148914691236517204,
       6148914691236517204, 9223372036854775806},
      {"pred[6148914691236517205]{0:E(9)}", 6148914691236517205,
       6148914691236517205, 6917529027641081856},
      // Padding makes it large.
      {"u8[1]{0:T(9223372036854775807)}", 1, 1, kMax},
      {"bf16[1]{0:L(4611686018427387903)}", 1, 2, kMax - 1},
      {"s8[3,5]{1,0:T(2147483648,4294967295)}", 15, 15,
       (int64_t{1} << 31) * 4294967295},
  };
  for (const Sizes& c : kCases) {
    SCOPED_TRACE(c.text);
    const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(Parse(c.text));
    ASSERT_THAT(sizes, IsOk());
    EXPECT_EQ(sizes->elements, c.elements);
    EXPECT_EQ(sizes->unpadded_bytes, c.unpadded_bytes);
    EXPECT_EQ(sizes->padded_bytes, c.padded_bytes);
  }
}

TEST(SizeLimits, From2To63BytesOnRefused) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case kCases[] = {
      {"f32[2305843009213693952]",
       "the size in bytes, 2305843009213693952 elements * 4, exceeds 2^63-1"},
      {"u8[4611686018427387904,2]",
       "the number of elements, 4611686018427387904 * 2 up to dimensions[1], "
       "exceeds 2^63-1"},
      {"pred[6148914691236517206]{0:E(12)}",
       "the physical size, 6148914691236517206 elements of 12 bits, exceeds "
       "2^63-1 bytes"},
      {"f32[1]{0:T(2305843009213693952)}",
       "the physical size, 2305843009213693952 elements of 32 bits, exceeds "
       "2^63-1 bytes"},
      {"f32[1]{0:L(2305843009213693952)}",
       "the physical size, 2305843009213693952 elements of 32 bits, exceeds "
       "2^63-1 bytes"},
      {"u8[9223372036854775807]{0:T(2)}",
       "the physical size, 4611686018427387904 * 2 elements, exceeds 2^63-1"},
  };
  for (const Case& c : kCases) {
    EXPECT_THAT(Refusal(c.text), HasSubstr(c.message));
  }
}

TEST(SizeLimits, MapsInBytesReachAsFarAndMapsInBitsDoNot) {
  const Shape bytes = Parse("u8[1152921504606846976]");
  const absl::StatusOr<IndexMap> in_bytes =
      ToIndexMap(bytes, PositionUnit::kBytes);
  ASSERT_THAT(in_bytes, IsOk());
  EXPECT_EQ(*in_bytes->LinearIndex({k2To60 - 1}), k2To60 - 1);
  EXPECT_EQ(ToIndexMap(bytes, PositionUnit::kBits).status(),
            absl::OutOfRangeError(
                "the buffer of u8[1152921504606846976]{0}, 1152921504606846976 "
                "positions of 8 bits, exceeds 2^63-1 bits"));
  EXPECT_EQ(
      ToIndexMap(Parse("s8[1152921504606846975]{0:M(1)}"), PositionUnit::kBits)
          .status(),
      absl::OutOfRangeError(
          "the buffer of s8[1152921504606846975]{0:M(1)}, "
          "1152921504606846975 positions of 8 bits after 8 bits of "
          "metadata, exceeds 2^63-1 bits"));

  const Shape floats = Parse("f32[1048576,1048576,1024,1024]");
  EXPECT_EQ(*ToIndexMap(floats, PositionUnit::kBytes)
                 ->LinearIndex({1048575, 1048575, 1023, 1023}),
            4 * (k2To60 - 1));
  EXPECT_EQ(ToIndexMap(Parse("f32[2305843009213693951]{0:M(4)}"),
                       PositionUnit::kBytes)
                .status(),
            absl::OutOfRangeError(
                "the buffer of f32[2305843009213693951]{0:M(4)}, "
                "2305843009213693951 positions of 4 bytes after 4 bytes of "
                "metadata, exceeds 2^63-1 bytes"));
  EXPECT_EQ(ToIndexMap(Parse("f32[2305843009213693951]{0:M(3)}"),
                       PositionUnit::kBytes)
                ->position_count(),
            kMax);
}

// -- Without elements ---------------------------------------------------------

// A zero forgives what stands after it, as XLA's ValidateShape has it, and the
// order of the dimensions in memory plays no part in that.
TEST(SizeLimits, ZeroInEveryOrder) {
  constexpr int64_t k2To62 = 4 * k2To60;
  std::vector<int64_t> dimensions = {0, 4, k2To62};
  do {
    const bool zero_is_last = dimensions[2] == 0;
    Layout::MinorToMajor order = {0, 1, 2};
    do {
      const Layout untiled(order);
      for (const Layout& layout :
           {untiled, untiled.WithTiles({Tile({8, 128})}),
            untiled.WithTiles({Tile({8, 128}), Tile({2, 1})}),
            untiled.WithTiles({Tile(
                {Tile::kCombineDimension, Tile::kCombineDimension, 128})}),
            untiled.WithElementSizeInBits(64)}) {
        const Shape shape = Shape::Array(
            F32, {dimensions[0], dimensions[1], dimensions[2]}, layout);
        SCOPED_TRACE(shape.ToString());
        const absl::Status status = ValidateShape(shape);
        EXPECT_EQ(status.ok(), !zero_is_last) << status;
        const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(shape);
        EXPECT_EQ(sizes.ok(), !zero_is_last) << sizes.status();
        if (!sizes.ok()) continue;
        EXPECT_EQ(sizes->elements, 0);
        EXPECT_EQ(sizes->physical_elements, 0);
        EXPECT_EQ(sizes->padded_bytes, 0);
        const absl::StatusOr<std::vector<int64_t>> bounds =
            ExpandedBounds(shape);
        ASSERT_THAT(bounds, IsOk());
        EXPECT_EQ(std::count(bounds->begin(), bounds->end(), 0), 1);
        EXPECT_EQ(ExpandedBoundsByTile(shape)->back(), *bounds);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  } while (std::next_permutation(dimensions.begin(), dimensions.end()));
}

// What digits can count is no size of an array without elements.
TEST(SizeLimits, PaddingOfNothingDoesNotOverflow) {
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(
      Parse("s8[5,0]{1,0:T(3,4)(4611686018427387904,1,1,1)}"));
  ASSERT_THAT(sizes, IsOk());
  EXPECT_EQ(sizes->padded_bytes, 0);
  EXPECT_THAT(ComputeArraySizes(Parse("s8[0,4611686018427387909]{1,0:"
                                      "T(4611686018427387904)}")),
              IsOk());
}

// -- 128 bits -----------------------------------------------------------------

using Wide = unsigned __int128;

// Larger than any size, and small enough to be multiplied by one.
constexpr Wide kTooLarge = Wide{1} << 63;

Wide Times(Wide a, Wide b) { return std::min(a * b, kTooLarge); }
Wide CeilingOf(Wide dividend, Wide divisor) {
  return (dividend + divisor - 1) / divisor;
}
bool Fits(Wide size) { return size <= static_cast<Wide>(kMax); }

// What the rules make of an array; sizes of one that is refused are of no use.
struct Expected {
  bool is_valid = true;
  Wide elements = 1;
  Wide positions = 1;
  Wide bytes = 0;
  Wide last_position = 0;  // of the last element, where there are any
};

Wide BytesOf(Wide elements, int64_t bits) {
  return CeilingOf(elements * bits, 8);
}

Expected Expect(const Shape& shape) {
  Expected expected;
  bool overflows = false;
  for (const int64_t size : shape.dimensions()) {
    expected.elements = Times(expected.elements, size);
    overflows |= !Fits(expected.elements);
  }
  overflows |= !Fits(Times(expected.elements, ByteWidth(shape.element_type())));

  struct Axis {
    Wide bound, index;
  };
  const Layout& layout = shape.layout();
  std::vector<Axis> axes;
  for (int64_t i = layout.rank(); i-- > 0;) {
    const Wide bound = shape.dimensions(layout.minor_to_major(i));
    axes.push_back({bound, bound == 0 ? 0 : bound - 1});
  }
  for (const Tile& tile : layout.tiles()) {
    const size_t entries = tile.dimensions().size();
    while (axes.size() < entries) axes.insert(axes.begin(), Axis{1, 0});
    std::vector<Axis> after(axes.begin(), axes.end() - entries), remainders;
    Axis joined = {1, 0};
    for (size_t i = 0; i < entries; ++i) {
      const Axis& axis = axes[axes.size() - entries + i];
      joined = {Times(joined.bound, axis.bound),
                Times(joined.index, axis.bound) + axis.index};
      if (tile.dimension(i) == Tile::kCombineDimension) continue;
      overflows |= !Fits(joined.bound);
      const Wide divisor = tile.dimension(i);
      after.push_back(
          {CeilingOf(joined.bound, divisor), joined.index / divisor});
      remainders.push_back({divisor, joined.index % divisor});
      joined = {1, 0};
    }
    after.insert(after.end(), remainders.begin(), remainders.end());
    axes = std::move(after);
  }
  const bool is_empty = expected.elements == 0;
  for (const Axis& axis : axes) {
    expected.positions = Times(expected.positions, axis.bound);
    expected.last_position =
        Times(expected.last_position, axis.bound) + axis.index;
  }
  if (is_empty) expected.positions = 0;
  const Wide alignment = layout.tail_padding_alignment_in_elements();
  expected.positions =
      Times(CeilingOf(expected.positions, alignment), alignment);
  expected.bytes = BytesOf(expected.positions, StorageBits(shape));
  overflows |= !Fits(expected.positions) || !Fits(expected.bytes);
  expected.is_valid = !overflows;
  return expected;
}

// A size of any magnitude, powers of two and their neighbours often.
int64_t AnySize(RandomBits* random) {
  const int64_t power = int64_t{1} << Uniform(0, 62, random);
  switch (Uniform(0, 3, random)) {
    case 0:
      return Uniform(1, 8, random);
    case 1:
      return power;
    case 2:
      return std::max<int64_t>(power + Uniform(-1, 1, random), 1);
    default:
      return Uniform(1, power, random);
  }
}

Shape AnyShape(RandomBits* random) {
  constexpr PrimitiveType kTypes[] = {PRED, S4, U2, U8, BF16, F32, F64, C128};
  const PrimitiveType type = kTypes[Uniform(0, 7, random)];
  const int64_t rank = Uniform(0, 4, random);
  Shape::Dimensions dimensions;
  // Near the limit half the time: the last makes up what the others leave.
  const bool is_near = Uniform(0, 1, random) == 0;
  int64_t left = kMax / ByteWidth(type);
  Layout::Parts parts;
  for (int64_t i = 0; i < rank; ++i) {
    parts.minor_to_major.push_back(i);
    int64_t size = AnySize(random);
    if (is_near) {
      size = i + 1 == rank
                 ? left - 1 + std::min(Uniform(0, 2, random), kMax - left + 1)
                 : std::min(size, left);
      size = std::max<int64_t>(size, 1);
      left /= size;
    }
    if (Uniform(0, 24, random) == 0) size = 0;
    dimensions.push_back(size);
  }
  std::shuffle(dimensions.begin(), dimensions.end(), *random);
  std::shuffle(parts.minor_to_major.begin(), parts.minor_to_major.end(),
               *random);
  for (int64_t tiles = std::max<int64_t>(Uniform(-2, 2, random), 0); tiles > 0;
       --tiles) {
    Tile::Dimensions entries;
    for (int64_t i = Uniform(1, 3, random); i > 0; --i) {
      entries.push_back(i > 1 && Uniform(0, 3, random) == 0
                            ? Tile::kCombineDimension
                        : Uniform(0, 3, random) == 0 ? AnySize(random)
                                                     : Uniform(1, 9, random));
    }
    parts.tiles.push_back(Tile(std::move(entries)));
  }
  if (Uniform(0, 3, random) == 0) {
    parts.tail_padding_alignment_in_elements = AnySize(random);
  }
  if (Uniform(0, 2, random) == 0) {
    parts.element_size_in_bits =
        Uniform(0, 1, random) == 0 ? BitWidth(type) : Uniform(1, 130, random);
  }
  return Shape::Array(type, std::move(dimensions), Layout(std::move(parts)));
}

TEST(SizeLimits, AgreeWithWiderArithmetic) {
  RandomBits random(TestSeed());
  int64_t valid = 0, beyond_bits = 0;
  for (int i = 0; i < kShapes; ++i) {
    const Shape shape = AnyShape(&random);
    SCOPED_TRACE(shape.ToString());
    const Expected expected = Expect(shape);
    const absl::Status status = ValidateShape(shape);
    ASSERT_EQ(status.ok(), expected.is_valid) << status;
    const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(shape);
    ASSERT_EQ(sizes.ok(), expected.is_valid) << sizes.status();
    if (!sizes.ok()) continue;
    ++valid;
    const int64_t bits = StorageBits(shape);
    ASSERT_EQ(Wide(sizes->elements), expected.elements);
    ASSERT_EQ(Wide(sizes->physical_elements), expected.positions);
    // Whole bytes of the type; less where E packs it, and never more.
    const int64_t whole = (BitWidth(shape.element_type()) + 7) / 8 * 8;
    ASSERT_EQ(Wide(sizes->unpadded_bytes),
              BytesOf(expected.elements, std::min(bits, whole)));
    ASSERT_EQ(Wide(sizes->padded_bytes), expected.bytes);

    const bool bits_fit = Fits(expected.positions * bits);
    beyond_bits += !bits_fit;
    ASSERT_EQ(ToIndexMap(shape, PositionUnit::kBits).ok(), bits_fit);
    const absl::StatusOr<IndexMap> bytes =
        ToIndexMap(shape, PositionUnit::kBytes);
    ASSERT_EQ(bytes.ok(), bits % 8 == 0) << bytes.status();
    const absl::StatusOr<std::vector<int64_t>> bounds = ExpandedBounds(shape);
    ASSERT_THAT(bounds, IsOk());
    if (expected.elements == 0) continue;

    std::vector<int64_t> last;
    for (const int64_t size : shape.dimensions()) last.push_back(size - 1);
    const absl::StatusOr<IndexMap> map = ToIndexMap(shape);
    const int64_t position = *map->LinearIndex(last);
    ASSERT_EQ(Wide(position), expected.last_position);
    std::vector<int64_t> index(last.size());
    ASSERT_EQ(*map->MultidimensionalIndex(position, absl::MakeSpan(index)),
              PositionKind::kElement);
    ASSERT_EQ(index, last);
    if (!bytes.ok()) continue;
    ASSERT_EQ(Wide(*bytes->LinearIndex(last)),
              expected.last_position * (bits / 8));
    if (sizes->data_end_bytes.has_value()) {
      ASSERT_GE(*sizes->data_end_bytes, sizes->unpadded_bytes);
      ASSERT_LE(*sizes->data_end_bytes, sizes->padded_bytes);
    }
  }
  EXPECT_GT(valid, kShapes / 5);
  EXPECT_GT(beyond_bits, kShapes / 100);
}

}  // namespace
}  // namespace tessera
