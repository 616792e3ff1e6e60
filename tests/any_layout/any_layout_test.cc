#include "tessera/any_layout/any_layout.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/any_layout/layout_family.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

using Extents = std::vector<std::vector<int64_t>>;

constexpr char kTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";

constexpr char kStrided[] = "f32[4,8] strides (64, 8) bytes";

TEST(LayoutFamily, Example) {
  EXPECT_EQ(FamilyOf("f32[3,5]{1,0:T(2,2)}"), LayoutFamily::kXla);
  EXPECT_EQ(FamilyOf("(8,4):(1,8)"), LayoutFamily::kCute);
  EXPECT_EQ(FamilyOf("coalesce((2,4):(1,2))"), LayoutFamily::kCute);
  EXPECT_EQ(FamilyOf("tensor<2x3xf32, #tt.metal_layout<"),
            LayoutFamily::kTenstorrent);
  EXPECT_EQ(FamilyOf("memref<4x8xf32, strided<[16, 2]>>"),
            LayoutFamily::kStrided);
}

TEST(AnyLayout, Example) {
  const absl::StatusOr<AnyLayout> layout =
      ParseAnyLayout("F32[3,5]{1,0:T(2,2)}");
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(ToString(*layout), "f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(*ToIndexMap(*layout)->LinearIndex({2, 3}), 17);
  EXPECT_EQ(*ToIndexMap(*layout, PositionUnit::kBytes)->LinearIndex({2, 3}),
            68);
  EXPECT_EQ(TileExtents(*layout), (Extents{{2, 2}}));
}

TEST(AnyLayout, EveryFamilyHasMapAndTiles) {
  const absl::StatusOr<AnyLayout> cute =
      ParseAnyLayout("((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  ASSERT_TRUE(cute.ok()) << cute.status();
  EXPECT_EQ(*ToIndexMap(*cute)->LinearIndex({4, 1}), 59 + 177 + 13);
  EXPECT_EQ(TileExtents(*cute), (Extents{{3, 8}, {3, 2}}));

  const absl::StatusOr<AnyLayout> composed =
      ParseAnyLayout("Sw<2,0,3> o 0 o (8,8):(8,1)");
  ASSERT_TRUE(composed.ok()) << composed.status();
  EXPECT_EQ(*ToIndexMap(*composed)->LinearIndex({1, 0}), 9);
  EXPECT_EQ(TileExtents(*composed), absl::nullopt);

  const absl::StatusOr<AnyLayout> tensor = ParseAnyLayout(kTensor);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(*ToIndexMap(*tensor)->LinearIndex({18, 40}), 3080);
  EXPECT_EQ(TileExtents(*tensor), absl::nullopt);

  const absl::StatusOr<AnyLayout> strided = ParseAnyLayout(kStrided);
  ASSERT_TRUE(strided.ok()) << strided.status();
  EXPECT_EQ(*ToIndexMap(*strided)->LinearIndex({3, 1}), 3 * 16 + 2);
  EXPECT_EQ(TileExtents(*strided), absl::nullopt);
}

TEST(AnyLayout, ReadsAsTheFamilyThatIsGiven) {
  const absl::StatusOr<AnyLayout> layout =
      ParseAnyLayout("(4,8):(8,1)", LayoutFamily::kXla);
  EXPECT_THAT(layout.status().message(),
              HasSubstr("in tuple: expected a type, '(' or ')', found '4'"));
}

TEST(AnyLayout, ExpressionsAreReadIfAsked) {
  constexpr absl::string_view kText = "slice((1,_), (4,8):(8,1))";
  EXPECT_FALSE(ParseAnyLayout(kText).ok());
  AnyLayoutOptions options;
  options.cute_expressions = true;
  std::vector<Diagnostic> notes;
  const absl::StatusOr<AnyLayout> slice =
      ParseAnyLayout(kText, options, &notes);
  ASSERT_TRUE(slice.ok()) << slice.status();
  EXPECT_EQ(ToString(*slice), "(8):(1)");
  ASSERT_EQ(notes.size(), 1);
  EXPECT_EQ(notes[0].message, "the slice begins at offset 8");
  EXPECT_TRUE(ParseAnyLayout(kText, options).ok());
  EXPECT_EQ(ParseAnyLayout("size(4:1)", options).status().message(),
            "expected a layout, found the integer 4");
}

TEST(AnyLayout, AxesAreCheckedBeforeTheyTakeTime) {
  const struct {
    absl::string_view text;
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
  ASSERT_TRUE(layout.ok()) << layout.status();
  const struct {
    PositionUnit unit;
    int64_t position;
  } cases[] = {{PositionUnit::kElements, 50},
               {PositionUnit::kBytes, 200},
               {PositionUnit::kBits, 1600}};
  for (const auto& c : cases) {
    EXPECT_TRUE(CheckUnit(*layout, c.unit).ok());
    EXPECT_EQ(*ToIndexMap(*layout, c.unit)->LinearIndex({3, 1}), c.position);
  }
}

TEST(AnyLayout, ElementsAreThoseOfAnXlaArray) {
  const struct {
    absl::string_view text;
    absl::optional<int64_t> bits;
    absl::string_view array;
  } cases[] = {
      {"bf16[9,130]{1,0:T(8,128)(2,1)}", 16, "bf16[9,130]{1,0:T(8,128)(2,1)}"},
      {"s4[8]{0:E(4)}", 4, "s4[8]{0:E(4)}"},
      {"4:1", absl::nullopt,
       "a CuTe layout does not say of what type its elements are"},
      {kTensor, 32, "f32[53,63]{1,0}"},
      {kStrided, 32, "f32[4,8]{1,0}"},
      {"memref<4x8xi4, strided<[1, 9]>>", 8, "s4[4,8]{1,0}"},
      {"memref<f16>", 16, "f16[]"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(c.text);
    ASSERT_TRUE(layout.ok()) << layout.status();
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
    absl::string_view text;
    absl::string_view error;
  } cases[] = {
      {"4:1",
       "a CuTe layout does not say how large an element is: its positions "
       "count elements, not bytes or bits"},
      {kTensor,
       "a Tenstorrent tensor lies in many shards: its positions count "
       "elements, not bytes or bits"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(c.text);
    ASSERT_TRUE(layout.ok()) << layout.status();
    EXPECT_TRUE(CheckUnit(*layout, PositionUnit::kElements).ok());
    for (const PositionUnit unit :
         {PositionUnit::kBytes, PositionUnit::kBits}) {
      EXPECT_EQ(CheckUnit(*layout, unit).message(), c.error);
      EXPECT_EQ(ToIndexMap(*layout, unit).status().message(), c.error);
    }
  }
}

TEST(AnyLayout, ATensorThatBreaksARuleHasNoMap) {
  const absl::StatusOr<AnyLayout> layout = ParseAnyLayout(
      "tensor<7x9xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
      "memref<1x1xf32, #tt.memory_space<l1>>>>");
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(ToIndexMap(*layout).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace tessera
