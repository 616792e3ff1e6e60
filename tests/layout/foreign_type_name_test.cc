#include "tessera/layout/foreign_type_name.h"

#include <optional>
#include <string_view>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(PrimitiveTypeFromForeignName, Example) {
  const struct {
    std::string_view name;
    std::optional<PrimitiveType> type;
  } cases[] = {
      {"bfloat16", BF16},
      {"float8_e4m3fn", F8E4M3FN},
      {"ui8", U8},
      {"g32", std::nullopt},
      {"bf16", BF16},
      {"F32", F32},
      {"float64", F64},
      {"complex64", C64},
      {"uint16", U16},
      {"int64", S64},
      {"si4", S4},
      {"i32", S32},
      {"i1", PRED},
      {"bool", PRED},
      {"f8E4M3FN", F8E4M3FN},
      {"float", std::nullopt},
      {"tuple", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(PrimitiveTypeFromForeignName(c.name), c.type) << c.name;
  }
}

}  // namespace
}  // namespace tessera
