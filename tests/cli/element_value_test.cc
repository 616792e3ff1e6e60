#include "tessera/cli/relayout/element_value.h"

#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

// The bytes of an element in hexadecimal, the lowest first; "invalid" or
// "range" for errors.
std::string Hex(const std::string& text, PrimitiveType type) {
  const absl::StatusOr<ElementBytes> value = ParseElementValue(text, type);
  if (absl::IsInvalidArgument(value.status())) return "invalid";
  if (absl::IsOutOfRange(value.status())) return "range";
  if (!value.ok()) return value.status().ToString();
  for (size_t i = ByteWidth(type); i < value->size(); ++i) {
    EXPECT_EQ((*value)[i], 0) << text;
  }
  return absl::BytesToHexString(
      AbslView(std::string_view(reinterpret_cast<const char*>(value->data()),
                                static_cast<size_t>(ByteWidth(type)))));
}

TEST(ParseElementValue, Example) {
  EXPECT_EQ(Hex("-1", S16), "ffff");
  EXPECT_EQ(Hex("1.5", BF16), "c03f");
  EXPECT_EQ(Hex("-inf", F16), "00fc");
}

TEST(ParseElementValue, WholeNumbers) {
  EXPECT_EQ(Hex("127", S8), "7f");
  EXPECT_EQ(Hex("128", S8), "range");
  EXPECT_EQ(Hex("-128", S8), "80");
  EXPECT_EQ(Hex("-129", S8), "range");
  EXPECT_EQ(Hex("255", U8), "ff");
  EXPECT_EQ(Hex("256", U8), "range");
  EXPECT_EQ(Hex("-1", U8), "range");
  EXPECT_EQ(Hex("7", S4), "07");
  EXPECT_EQ(Hex("8", S4), "range");
  EXPECT_EQ(Hex("-8", S4), "f8");
  EXPECT_EQ(Hex("15", U4), "0f");
  EXPECT_EQ(Hex("16", U4), "range");
  EXPECT_EQ(Hex("-1", S1), "ff");
  EXPECT_EQ(Hex("1", S1), "range");
  EXPECT_EQ(Hex("9223372036854775807", S64), "ffffffffffffff7f");
  EXPECT_EQ(Hex("9223372036854775808", S64), "range");
  EXPECT_EQ(Hex("-9223372036854775808", S64), "0000000000000080");
  EXPECT_EQ(Hex("-9223372036854775809", S64), "range");
  EXPECT_EQ(Hex("18446744073709551615", U64), "ffffffffffffffff");
  EXPECT_EQ(Hex("18446744073709551616", U64), "range");
  EXPECT_EQ(Hex("1.5", S32), "invalid");
  EXPECT_EQ(Hex("-", S32), "invalid");
  EXPECT_EQ(Hex("", S32), "invalid");
  EXPECT_EQ(Hex("x", S32), "invalid");
  EXPECT_EQ(Hex("true", PRED), "01");
  EXPECT_EQ(Hex("0", PRED), "00");
  EXPECT_EQ(Hex("2", PRED), "invalid");
}

TEST(ParseElementValue, FloatingPoint) {
  EXPECT_EQ(Hex("1", F32), "0000803f");
  EXPECT_EQ(Hex("-0", F32), "00000080");
  EXPECT_EQ(Hex("inf", F32), "0000807f");
  EXPECT_EQ(Hex("1e39", F32), "range");
  EXPECT_EQ(Hex("1", F64), "000000000000f03f");
  EXPECT_EQ(Hex("1e999", F64), "range");
  EXPECT_EQ(Hex("-inf", F64), "000000000000f0ff");
  EXPECT_EQ(Hex("1", C64), "0000803f00000000");
  EXPECT_EQ(Hex("1", C128), "000000000000f03f0000000000000000");
  EXPECT_EQ(Hex("1,5", F32), "invalid");
  EXPECT_EQ(Hex("", F32), "invalid");

  EXPECT_EQ(Hex("1", F16), "003c");
  EXPECT_EQ(Hex("65504", F16), "ff7b");
  EXPECT_EQ(Hex("65536", F16), "range");
  EXPECT_EQ(Hex("-0", F16), "0080");
  EXPECT_EQ(Hex("nan", F16), "007e");
  EXPECT_EQ(Hex("5.960464477539063e-08", F16), "0100");
  // Halfway: to even.
  EXPECT_EQ(Hex("2049", F16), "0068");
  EXPECT_EQ(Hex("2051", F16), "0268");
  EXPECT_EQ(Hex("0.1", BF16), "cd3d");
  EXPECT_EQ(Hex("-3.3895313892515355e38", BF16), "7fff");
  EXPECT_EQ(Hex("3.4e38", BF16), "range");
}

// As ml_dtypes has them.
TEST(ParseElementValue, SmallFloatingPoint) {
  EXPECT_EQ(Hex("1", F8E5M2), "3c");
  EXPECT_EQ(Hex("57344", F8E5M2), "7b");
  EXPECT_EQ(Hex("-inf", F8E5M2), "fc");
  EXPECT_EQ(Hex("1", F8E4M3), "38");
  EXPECT_EQ(Hex("240", F8E4M3), "77");
  EXPECT_EQ(Hex("15.5", F8E3M4), "6f");
  EXPECT_EQ(Hex("448", F8E4M3FN), "7e");
  EXPECT_EQ(Hex("480", F8E4M3FN), "range");
  EXPECT_EQ(Hex("inf", F8E4M3FN), "range");
  EXPECT_EQ(Hex("nan", F8E4M3FN), "7f");
  EXPECT_EQ(Hex("30", F8E4M3B11FNUZ), "7f");
  EXPECT_EQ(Hex("240", F8E4M3FNUZ), "7f");
  EXPECT_EQ(Hex("1", F8E4M3FNUZ), "40");
  EXPECT_EQ(Hex("57344", F8E5M2FNUZ), "7f");
  EXPECT_EQ(Hex("nan", F8E5M2FNUZ), "80");
  EXPECT_EQ(Hex("-0", F8E5M2FNUZ), "00");
  EXPECT_EQ(Hex("-1e-9", F8E5M2FNUZ), "00");
  EXPECT_EQ(Hex("1", F8E8M0FNU), "7f");
  EXPECT_EQ(Hex("nan", F8E8M0FNU), "ff");
  EXPECT_EQ(Hex("0", F8E8M0FNU), "range");
  EXPECT_EQ(Hex("-1", F8E8M0FNU), "range");
  EXPECT_EQ(Hex("6", F4E2M1FN), "07");
  EXPECT_EQ(Hex("-0.5", F4E2M1FN), "09");
  EXPECT_EQ(Hex("nan", F4E2M1FN), "range");
  EXPECT_EQ(Hex("28", F6E3M2FN), "1f");
  EXPECT_EQ(Hex("7.5", F6E2M3FN), "1f");
  EXPECT_EQ(Hex("-1", F6E2M3FN), "28");
}

TEST(ParseElementValue, EveryTypeHasANumber) {
  for (int number = 0; number < PrimitiveType_ARRAYSIZE; ++number) {
    const PrimitiveType type = static_cast<PrimitiveType>(number);
    if (!IsArrayType(type)) continue;
    const std::string one = type == S1 ? "-1" : "1";
    EXPECT_THAT(ParseElementValue(one, type), IsOk()) << number;
  }
}

}  // namespace
}  // namespace tessera::cli
