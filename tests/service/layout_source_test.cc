#include "tessera/service/layout_source.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(LayoutSource, Example) {
  const ServiceOptions options;
  EXPECT_EQ(FamilyOf("(8,4):(1,8)"), LayoutFamily::kCute);
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
  ASSERT_TRUE(layout.ok());
  EXPECT_EQ(*layout->map().LinearIndex({2, 3}), 17);
  EXPECT_EQ(CanonicalText(layout->source()), "f32[3,5]{1,0:T(2,2)}");
}

TEST(LayoutSource, TheFamilyIsToldFromTheBegin) {
  const struct {
    const char* text;
    LayoutFamily family;
  } cases[] = {
      {"f32[2]", LayoutFamily::kXla},
      {" /*a*/ f32[2]", LayoutFamily::kXla},
      {"(f32[2], s8[3])", LayoutFamily::kXla},
      {"((f32[2]))", LayoutFamily::kXla},
      {"b(f32[2])", LayoutFamily::kXla},
      {"token[]", LayoutFamily::kXla},
      {"()", LayoutFamily::kXla},
      {"", LayoutFamily::kXla},
      {"{1,0:T(8,128)}", LayoutFamily::kXla},
      {"(x: f32[2]) -> f32[2]", LayoutFamily::kXla},
      // A mistake in a type is still XLA's.
      {"g32[2]", LayoutFamily::kXla},
      {"tensor[2]", LayoutFamily::kXla},
      {"8:1", LayoutFamily::kCute},
      {"((2,2),3):((24,2),8)", LayoutFamily::kCute},
      {"(_8,_4):(_1,_8)", LayoutFamily::kCute},
      {"_", LayoutFamily::kCute},
      {"<3:4, 8:2>", LayoutFamily::kCute},
      {"[3:4;8:2]", LayoutFamily::kCute},
      {"Sw<2,0,3> o 0 o (8,8):(8,1)", LayoutFamily::kCute},
      {"S<2,0,3>", LayoutFamily::kCute},
      {"SW_2_0_3", LayoutFamily::kCute},
      {"tensor<2x3xf32, #l>", LayoutFamily::kTensor},
      {"#l = #tt.metal_layout<...>", LayoutFamily::kTensor},
      {"// a file\n#l = ...", LayoutFamily::kTensor},
  };
  for (const auto& c : cases) EXPECT_EQ(FamilyOf(c.text), c.family) << c.text;
}

TEST(LayoutSource, IndicesAreWhole) {
  const ServiceOptions options;
  const absl::StatusOr<MappedLayout> pairs =
      ReadMappedLayout("(3,5):(5,1)", ELEMENTS, options);
  ASSERT_TRUE(pairs.ok());
  EXPECT_EQ(*CountIndices(pairs->map(), 6, options), 3);
  EXPECT_EQ(*CountIndices(pairs->map(), 0, options), 0);
  EXPECT_EQ(CountIndices(pairs->map(), 3, options).status().message(),
            "3 entries are no whole number of indices of rank 2");
  const absl::StatusOr<MappedLayout> scalar =
      ReadMappedLayout("f32[]", ELEMENTS, options);
  ASSERT_TRUE(scalar.ok());
  EXPECT_EQ(*CountIndices(scalar->map(), 0, options), 1);
  EXPECT_FALSE(CountIndices(scalar->map(), 1, options).ok());
}

}  // namespace
}  // namespace tessera
