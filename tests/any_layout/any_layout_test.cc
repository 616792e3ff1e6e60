#include "tessera/any_layout/any_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

using Extents = std::vector<std::vector<int64_t>>;

constexpr char kTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";

constexpr char kStrided[] = "f32[4,8] strides (64, 8) bytes";

TEST(AnyLayout, EveryFamilyHasMapAndTiles) {
  const absl::StatusOr<AnyLayout> cute =
      ParseAnyLayout("((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  ASSERT_THAT(cute, IsOk());
  EXPECT_EQ(*ToIndexMap(*cute)->LinearIndex({4, 1}), 59 + 177 + 13);
  EXPECT_EQ(TileExtents(*cute), (Extents{{3, 8}, {3, 2}}));

  const absl::StatusOr<AnyLayout> composed =
      ParseAnyLayout("Sw<2,0,3> o 0 o (8,8):(8,1)");
  ASSERT_THAT(composed, IsOk());
  EXPECT_EQ(*ToIndexMap(*composed)->LinearIndex({1, 0}), 9);
  EXPECT_EQ(TileExtents(*composed), std::nullopt);

  const absl::StatusOr<AnyLayout> tensor = ParseAnyLayout(kTensor);
  ASSERT_THAT(tensor, IsOk());
  EXPECT_EQ(*ToIndexMap(*tensor)->LinearIndex({18, 40}), 3080);
  EXPECT_EQ(TileExtents(*tensor), std::nullopt);

  const absl::StatusOr<AnyLayout> strided = ParseAnyLayout(kStrided);
  ASSERT_THAT(strided, IsOk());
  EXPECT_EQ(*ToIndexMap(*strided)->LinearIndex({3, 1}), 3 * 16 + 2);
  EXPECT_EQ(TileExtents(*strided), std::nullopt);
}

TEST(AnyLayout, ReadsAsTheFamilyThatIsGiven) {
  const absl::StatusOr<AnyLayout> layout =
      ParseAnyLayout("(4,8):(8,1)", LayoutFamily::kXla);
  EXPECT_THAT(layout.status().message(),
              HasSubstr("in tuple: expected a type, '(' or ')', found '4'"));
}

TEST(AnyLayout, ExpressionsAreReadIfAsked) {
  constexpr std::string_view kText = "slice((1,_), (4,8):(8,1))";
  EXPECT_FALSE(ParseAnyLayout(kText).ok());
  AnyLayoutOptions options;
  options.cute_expressions = true;
  std::vector<Diagnostic> notes;
  const absl::StatusOr<AnyLayout> slice =
      ParseAnyLayout(kText, options, &notes);
  ASSERT_THAT(slice, IsOk());
  EXPECT_EQ(ToString(*slice), "(8):(1)");
  ASSERT_EQ(notes.size(), 1);
  EXPECT_EQ(notes[0].message, "the slice begins at offset 8");
  EXPECT_THAT(ParseAnyLayout(kText, options), IsOk());
  EXPECT_EQ(ParseAnyLayout("size(4:1)", options).status().message(),
            "expected a layout, found the integer 4");
}

TEST(AnyLayout, AxesAreCheckedBeforeTheyTakeTime) {
  const struct {
    std::string_view text;
    int64_t axes;
  } cases[] = {
      {"f32[3,5]{1,0:T(2,2)}", 4},
      {"(f32[2], (f32[2,3,4], f32[]))", 3},
      {"b(f32[3,5])", 2},
      {"token[]", 0},
      {"((2,2),3):((24,2),8)", 3},
      {kTensor, 4},
      {kStrided, 2},
  };
  for (const auto& c : cases) {
    int64_t seen = -1;
    AnyLayoutOptions options;
    options.check_axes = [&seen](int64_t axes) {
      seen = axes;
      return absl::ResourceExhaustedError("too many");
    };
    EXPECT_EQ(ParseAnyLayout(c.text, options).status(),
              absl::ResourceExhaustedError("too many"))
        << c.text;
    EXPECT_EQ(seen, c.axes) << c.text;
  }
}

TEST(AnyLayout, StridedArraysCountInBytesAndBits) {
  const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(kStrided);
  ASSERT_THAT(layout, IsOk());
  const struct {
    PositionUnit unit;
    int64_t position;
  } cases[] = {{PositionUnit::kElements, 50},
               {PositionUnit::kBytes, 200},
               {PositionUnit::kBits, 1600}};
  for (const auto& c : cases) {
    EXPECT_THAT(CheckUnit(*layout, c.unit), IsOk());
    EXPECT_EQ(*ToIndexMap(*layout, c.unit)->LinearIndex({3, 1}), c.position);
  }
}

TEST(AnyLayout, ElementsAreThoseOfAnXlaArray) {
  const struct {
    std::string_view text;
    std::optional<int64_t> bits;
    std::string_view array;
  } cases[] = {
      {"bf16[9,130]{1,0:T(8,128)(2,1)}", 16, "bf16[9,130]{1,0:T(8,128)(2,1)}"},
      {"s4[8]{0:E(4)}", 4, "s4[8]{0:E(4)}"},
      {"4:1", std::nullopt, "a CuTe layout does not have an element type"},
      {kTensor, 32, "f32[53,63]{1,0}"},
      {kStrided, 32, "f32[4,8]{1,0}"},
      {"memref<4x8xi4, strided<[1, 9]>>", 8, "s4[4,8]{1,0}"},
      {"memref<f16>", 16, "f16[]"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(c.text);
    ASSERT_THAT(layout, IsOk());
    EXPECT_EQ(ElementBits(*layout), c.bits) << c.text;
    const absl::StatusOr<Shape> array = ToArrayShape(*layout);
    EXPECT_EQ(
        array.ok() ? array->ToString() : std::string(array.status().message()),
        std::string(c.array))
        << c.text;
  }
}

TEST(AnyLayout, WhatHasNoUnitsButElements) {
  const struct {
    std::string_view text;
    std::string_view error;
  } cases[] = {
      {"4:1",
       "a CuTe layout does not have an element size: its positions count "
       "elements, not bytes or bits"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(c.text);
    ASSERT_THAT(layout, IsOk());
    EXPECT_THAT(CheckUnit(*layout, PositionUnit::kElements), IsOk());
    for (const PositionUnit unit :
         {PositionUnit::kBytes, PositionUnit::kBits}) {
      EXPECT_EQ(StdView(CheckUnit(*layout, unit).message()), c.error);
      EXPECT_EQ(StdView(ToIndexMap(*layout, unit).status().message()), c.error);
    }
  }
}

// Each way of counting says the same of the same memory: an element of the map
// in whole elements lies at the begin of its positions, and the rest are gaps.
TEST(AnyLayout, ElementsHaveSeveralPositions) {
  const std::string_view block_floats =
      "tensor<20x40xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
      "<1x1>, memref<1x2x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>>>";
  const struct {
    std::string_view text;
    PositionUnit unit;
    int64_t begin;
    int64_t size;
  } cases[] = {
      {"f32[3,5]{1,0:T(2,2)}", PositionUnit::kElements, 0, 1},
      {"f32[3,5]{1,0:T(2,2)}", PositionUnit::kBytes, 0, 4},
      {"bf16[<=9]{0:T(8)M(64)}", PositionUnit::kBytes, 64, 2},
      {"bf16[<=9]{0:T(8)M(64)}", PositionUnit::kBits, 512, 16},
      {"s4[3,5]{1,0:T(2,2)E(4)}", PositionUnit::kBits, 0, 4},
      {"(3,5):(8,1)", PositionUnit::kElements, 0, 1},
      {"f32[4,8] strides (64, 8) bytes, offset 12 bytes", PositionUnit::kBytes,
       0, 4},
      {kTensor, PositionUnit::kBytes, 0, 4},
      {kTensor, PositionUnit::kBits, 0, 32},
      {block_floats, PositionUnit::kElements, 0, 1},
      {block_floats, PositionUnit::kBytes, 0, 1},
      {block_floats, PositionUnit::kBits, 0, 8},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(c.text);
    ASSERT_THAT(layout, IsOk());
    const absl::StatusOr<IndexMap> map = ToIndexMap(*layout, c.unit);
    ASSERT_THAT(map, IsOk());
    const absl::StatusOr<ElementPositions> whole =
        ToElementPositions(*layout, c.unit);
    ASSERT_THAT(whole, IsOk());
    const ElementPositions& elements = *whole;
    EXPECT_EQ(elements.begin, c.begin);
    EXPECT_EQ(elements.size, c.size);
    EXPECT_EQ(map->position_count(),
              elements.PositionOf(elements.map.position_count()));
    std::vector<int64_t> index(map->rank(), 0), found(map->rank(), 0);
    for (int64_t p = 0; p < elements.map.position_count(); ++p) {
      const PositionKind kind =
          elements.map.MultidimensionalIndexUnchecked(p, absl::MakeSpan(index));
      const int64_t begin = elements.PositionOf(p);
      ASSERT_EQ(map->MultidimensionalIndexUnchecked(
                    begin, absl::MakeSpan(found)) == PositionKind::kElement,
                kind == PositionKind::kElement)
          << p;
      if (kind != PositionKind::kElement) continue;
      ASSERT_EQ(index, found);
      for (int64_t i = 1; i < c.size; ++i) {
        const PositionKind rest = map->MultidimensionalIndexUnchecked(
            begin + i, absl::MakeSpan(found));
        ASSERT_EQ(RefineKind(*layout, c.unit, begin + i, rest),
                  PositionKind::kGap)
            << p;
      }
    }
  }
}

TEST(AnyLayout, ATensorTellsItsKindsOfPadding) {
  // Shards of 4x5 in f32, of which the last row and the last column are padded.
  const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(
      "tensor<7x9xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
      "memref<4x5xf32, #tt.memory_space<l1>>>>");
  ASSERT_THAT(layout, IsOk());
  const auto kind_of = [&](PositionUnit unit, int64_t position) {
    const absl::StatusOr<IndexMap> map = ToIndexMap(*layout, unit);
    std::vector<int64_t> index(2);
    return RefineKind(
        *layout, unit, position,
        map->MultidimensionalIndexUnchecked(position, absl::MakeSpan(index)));
  };
  EXPECT_EQ(kind_of(PositionUnit::kElements, 24), PositionKind::kGridPadding);
  EXPECT_EQ(kind_of(PositionUnit::kBytes, 96), PositionKind::kGridPadding);
  EXPECT_EQ(kind_of(PositionUnit::kBytes, 97), PositionKind::kGap);
  EXPECT_EQ(kind_of(PositionUnit::kBits, 768), PositionKind::kGridPadding);
  EXPECT_EQ(kind_of(PositionUnit::kBytes, 92), PositionKind::kElement);
}

StridedArray Strided(std::vector<int64_t> dimensions,
                     std::vector<int64_t> strides) {
  StridedArray array;
  array.dimensions = std::move(dimensions);
  array.strides = std::move(strides);
  return array;
}

// Each of these can be read, or made, and has no map: what asks about its
// elements says so, and nothing ends the program.
TEST(AnyLayout, LayoutsWithoutAMapAreErrors) {
  std::vector<AnyLayout> layouts = {
      AnyLayout(Shape::Array(F32, {3, 5})), AnyLayout(Shape::Array(F32, {})),
      AnyLayout(Shape()),
      // A stride is missing, and a dimension is negative.
      AnyLayout(Strided({4, 8}, {8})), AnyLayout(Strided({4}, {8, 1})),
      AnyLayout(Strided({-4}, {1}))};
  for (const std::string_view text :
       {"f32[?]{0}", "(f32[3], s32[])", "()", "token[]", "opaque[]",
        "(4,2):(1@0,1@1)",
        // Shards for fewer cells than the tensor needs.
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
        "<1x1>, memref<32x32xf32, #tt.memory_space<l1>>>>"}) {
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(text);
    ASSERT_THAT(layout, IsOk()) << text;
    layouts.push_back(*layout);
  }
  for (size_t i = 0; i < layouts.size(); ++i) {
    const AnyLayout& layout = layouts[i];
    for (const PositionUnit unit :
         {PositionUnit::kElements, PositionUnit::kBytes, PositionUnit::kBits}) {
      const absl::Status status = ToIndexMap(layout, unit).status();
      EXPECT_FALSE(status.ok()) << i;
      EXPECT_EQ(ToElementPositions(layout, unit).status(), status) << i;
      EXPECT_EQ(RefineKind(layout, unit, 0, PositionKind::kGap),
                PositionKind::kGap)
          << i;
    }
    EXPECT_EQ(TileExtents(layout), std::nullopt) << i;
    if (layout.As<CuteLayout>() != nullptr) continue;
    EXPECT_EQ(ToArrayShape(layout).status(), ToIndexMap(layout).status()) << i;
  }
  EXPECT_EQ(ElementBits(layouts[2]), std::nullopt);
  EXPECT_EQ(ElementBits(*ParseAnyLayout("token[]")), std::nullopt);
  EXPECT_EQ(ElementBits(layouts.back()), std::nullopt);
  EXPECT_EQ(ElementBits(*ParseAnyLayout("bf16[?]{0}")), 16);
}

TEST(AnyLayout, TheSizeOfAnElementTravelsWithACuteLayout) {
  const absl::StatusOr<AnyLayout> layout =
      ParseAnyLayout("Sw<2,4,3> o smem_ptr[16b](unset) o (_8,_32):(_32,_1)");
  ASSERT_THAT(layout, IsOk());
  EXPECT_EQ(ToString(*layout), "Sw<2,3,3> o 0 o (8,32):(32,1)");
  EXPECT_EQ(ElementBits(*layout), 16);
  const IndexMap elements = *ToIndexMap(*layout);
  const IndexMap bytes = *ToIndexMap(*layout, PositionUnit::kBytes);
  const IndexMap bits = *ToIndexMap(*layout, PositionUnit::kBits);
  for (int64_t i = 0; i < 8; ++i) {
    for (int64_t j = 0; j < 32; ++j) {
      // As C++ has it, of the byte address.
      const int64_t address = 2 * (32 * i + j);
      const int64_t swizzled = address ^ (address >> 3 & 0x30);
      EXPECT_EQ(bytes.LinearIndexUnchecked({i, j}), swizzled);
      EXPECT_EQ(elements.LinearIndexUnchecked({i, j}), swizzled / 2);
      EXPECT_EQ(bits.LinearIndexUnchecked({i, j}), 8 * swizzled);
    }
  }
  const absl::StatusOr<AnyLayout> halves =
      ParseAnyLayout("gmem_ptr[4b](0x0) o (8,4):(4,1)");
  ASSERT_THAT(halves, IsOk());
  EXPECT_THAT(ToIndexMap(*halves, PositionUnit::kBytes),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("elements of 4 bits do not begin on whole "
                                 "bytes")));
  EXPECT_EQ(
      ToIndexMap(*halves, PositionUnit::kBits)->LinearIndexUnchecked({1, 1}),
      20);
  EXPECT_THAT(CheckUnit(*ParseAnyLayout("(8,4):(4,1)"), PositionUnit::kBytes),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("does not have an element size")));
}

TEST(AnyLayout, ValidateChecksTheRulesOfEachFamily) {
  for (const std::string_view text :
       {"(f32[3,5]{1,0:T(2,2)}, token[])", "(3,5):(8,1)",
        "Sw<2,0,3> o 0 o (8,8):(8,1)", kTensor, kStrided}) {
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(text);
    ASSERT_THAT(layout, IsOk());
    EXPECT_THAT(Validate(*layout), IsOk()) << text;
  }
  const absl::StatusOr<AnyLayout> tensor = ParseAnyLayout(
      "tensor<7x9xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
      "memref<1x1xf32, #tt.memory_space<l1>>>>");
  ASSERT_THAT(tensor, IsOk());
  EXPECT_THAT(Validate(*tensor),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  StridedArray array;
  array.dimensions = {4, 8};
  array.strides = {8};
  EXPECT_THAT(std::string(Validate(AnyLayout(array)).message()),
              HasSubstr("2 dimensions, found 1"));
  EXPECT_FALSE(
      Validate(AnyLayout(Shape::Array(F32, {3, 5}, GetDefaultLayoutForRank(1))))
          .ok());
}

TEST(AnyLayout, ATensorThatBreaksARuleHasNoMap) {
  const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(
      "tensor<7x9xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
      "memref<1x1xf32, #tt.memory_space<l1>>>>");
  ASSERT_THAT(layout, IsOk());
  EXPECT_THAT(ToIndexMap(*layout),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace tessera
