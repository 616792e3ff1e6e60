#include "tessera/cute/element_type.h"

#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

struct NamedBits {
  std::string_view name;
  int64_t bits;
};

// Names that do not begin with a kind and the number of bits.
constexpr NamedBits kIrregular[] = {
    {"half_t", 16},       {"half", 16},         {"__half", 16},
    {"Half", 16},         {"BFloat16", 16},     {"__nv_bfloat16", 16},
    {"nv_bfloat16", 16},  {"float", 32},        {"double", 64},
    {"char", 8},          {"short", 16},        {"int", 32},
    {"unsigned", 32},     {"long", 64},         {"size_t", 64},
    {"bool", 8},          {"float_e4m3_t", 8},  {"float_e5m2_t", 8},
    {"float_ue4m3_t", 8}, {"float_ue8m0_t", 8}, {"float_e3m2_t", 6},
    {"float_e2m3_t", 6},  {"float_e2m1_t", 4},  {"__nv_fp8_e4m3", 8},
    {"__nv_fp8_e5m2", 8}, {"__nv_fp4_e2m1", 4}, {"bin1_t", 1},
    {"Boolean", 8},
};

// Before the number of bits, as in bfloat16_t, Float8E4M3FN and f16.
constexpr std::string_view kKinds[] = {
    "bfloat", "tfloat", "float", "uint", "int", "BFloat", "TFloat",
    "TF",     "Float",  "Uint",  "Int",  "bf",  "tf",     "f",
    "fp",     "ui",     "si",    "i",    "u",   "s"};

}  // namespace

std::optional<int64_t> ElementTypeBits(std::string_view name) {
  for (const NamedBits& type : kIrregular) {
    if (type.name == name) return type.bits;
  }
  for (const std::string_view kind : kKinds) {
    std::string_view rest = name;
    if (!ConsumePrefix(&rest, kind)) continue;
    size_t digits = 0;
    while (digits < rest.size() && absl::ascii_isdigit(rest[digits])) ++digits;
    int64_t bits;
    if (digits == 0 || digits > 3 ||
        !absl::SimpleAtoi(AbslView(rest.substr(0, digits)), &bits) ||
        bits < 1) {
      continue;
    }
    rest.remove_prefix(digits);
    // int4b_t, bfloat16_t, f8E4M3FN.
    ConsumePrefix(&rest, "b");
    if (rest.empty() || rest == "_t" || rest[0] == 'E') return bits;
  }
  return std::nullopt;
}

}  // namespace tessera::cute
