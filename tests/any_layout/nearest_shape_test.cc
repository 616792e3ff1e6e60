#include "tessera/any_layout/nearest_shape.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

TEST(NearestShape, Example) {
  EXPECT_EQ(NearestShape("bfloat16[8]"), std::string("bf16[8]"));
  EXPECT_EQ(NearestShape("f32[3,5]{T(2,2)}"),
            std::string("f32[3,5]{1,0:T(2,2)}"));
  EXPECT_EQ(NearestShape("g32[2]"), std::nullopt);
  const absl::StatusOr<Shape> shape = ParseShapeWithHint("bfloat16[8]");
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(shape.status());
  ASSERT_TRUE(diagnostic.has_value());
  EXPECT_EQ(diagnostic->message,
            "in shape: expected a type or '(', found 'bfloat16'; XLA calls it "
            "bf16; did you mean bf16[8]?");
  EXPECT_EQ(diagnostic->offset, 0);
}

TEST(NearestShape, PutsSlipsRight) {
  const struct {
    std::string_view text;
    std::string_view nearest;
  } cases[] = {
      {"float32[8]", "f32[8]"},
      {"fp32[8]", "f32[8]"},
      {"Float16[8]", "f16[8]"},
      {"Bf16[8]", "bf16[8]"},
      {"float8_e4m3fn[8]", "f8e4m3fn[8]"},
      {"int32[2,3]{0,1}", "s32[2,3]{0,1}"},
      {"i8[2]", "s8[2]"},
      {"ui4[2]", "u4[2]"},
      {"uint64[]", "u64[]"},
      {"bool[2]", "pred[2]"},
      {"i1[2]", "pred[2]"},
      {"complex64[2]", "c64[2]"},
      {"(float32[2], /*b*/ int8[3])", "(f32[2], /*b*/ s8[3])"},
      {"f32[3,5] {T(2,2)}", "f32[3,5] {1,0:T(2,2)}"},
      {"f32[7]{S(1)}", "f32[7]{0:S(1)}"},
      {"u32[]{T(128)}", "u32[]{:T(128)}"},
      {"(f32[2,3]{T(2,2)}, f32[2]{T(2)})",
       "(f32[2,3]{1,0:T(2,2)}, f32[2]{0:T(2)})"},
      {"float32[<=8,4]{T(2,2)}", "f32[<=8,4]{1,0:T(2,2)}"},
  };
  for (const auto& c : cases) {
    EXPECT_FALSE(ParseShapeWithHint(c.text).ok()) << c.text;
    EXPECT_EQ(NearestShape(c.text), std::string(c.nearest)) << c.text;
  }
}

TEST(NearestShape, SaysNothingOfTheRest) {
  for (const std::string_view text :
       {"", "[", "f32[8]", "g32[8]", "float32", "float32[8", "float32(8)",
        "float7[8]", "f32[3,5]{", "f32[3,5]{T", "f32[3,5]{1:T(2,2)}",
        "f32[3,5]{T(2,2)", "float32[2]\n", "float32[2]/*\xc3\xa4*/"}) {
    EXPECT_EQ(NearestShape(text), std::nullopt) << text;
  }
  const std::string longest = absl::StrCat("float32[", std::string(151, ' '));
  EXPECT_NE(NearestShape(absl::StrCat(longest, "]")), std::nullopt);
  EXPECT_EQ(NearestShape(absl::StrCat(longest, " ]")), std::nullopt);
  const absl::StatusOr<Shape> shape = ParseShapeWithHint("g32[8]");
  EXPECT_EQ(DiagnosticOf(shape.status())->message,
            "in shape: expected a type or '(', found 'g32'");
}

TEST(NearestShape, GoesByTheOptions) {
  ParseOptions options;
  options.upper_case_types = true;
  EXPECT_EQ(NearestShape("(F32[2], float32[2])"),
            std::string("(f32[2], f32[2])"));
  EXPECT_THAT(ParseShapeWithHint("F32[2]", options), IsOk());
  EXPECT_FALSE(ParseShapeWithHint("F32[2]").ok());
}

}  // namespace
}  // namespace tessera
