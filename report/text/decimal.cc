#include "tessera/report/text/decimal.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Takes all digits at the beginning of `*text`.
std::string_view TakeDigits(std::string_view* text) {
  size_t count = 0;
  while (count < text->size() && absl::ascii_isdigit((*text)[count])) ++count;
  const std::string_view digits = text->substr(0, count);
  text->remove_prefix(count);
  return digits;
}

// Takes "e+9". Returns 0 if there is no exponent.
int64_t TakeExponent(std::string_view* text) {
  std::string_view rest = *text;
  if (!ConsumePrefix(&rest, "e") && !ConsumePrefix(&rest, "E")) {
    return 0;
  }
  const bool is_negative = ConsumePrefix(&rest, "-");
  if (!is_negative) ConsumePrefix(&rest, "+");
  const std::string_view digits = TakeDigits(&rest);
  // For example the unit EB.
  if (digits.empty()) return 0;
  *text = rest;
  // More than the digits of any text, and far from overflow.
  constexpr int64_t kLarge = int64_t{1} << 50;
  int64_t exponent = 0;
  for (const char digit : digits) {
    exponent = std::min(exponent * 10 + (digit - '0'), kLarge);
  }
  return is_negative ? -exponent : exponent;
}

}  // namespace

std::optional<Decimal> TakeDecimal(std::string_view* text) {
  const std::string_view whole = TakeDigits(text);
  std::string_view fraction;
  if (ConsumePrefix(text, ".")) fraction = TakeDigits(text);
  if (whole.empty() && fraction.empty()) return std::nullopt;
  Decimal number;
  number.digits = StrCat(whole, fraction);
  const size_t zeros =
      std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, zeros);
  number.exponent = static_cast<int64_t>(whole.size()) -
                    static_cast<int64_t>(zeros) + TakeExponent(text);
  return number;
}

std::optional<int64_t> ProductRoundedDown(const Decimal& number,
                                          uint64_t unit) {
  // 10^19 is more than 2^63, and 2^60 units are less than 10^19.
  constexpr int64_t kMostDigits = 19;
  if (number.digits.empty() || number.exponent <= -kMostDigits) return 0;
  if (number.exponent > kMostDigits) return std::nullopt;
  const int64_t size = static_cast<int64_t>(number.digits.size());
  const int64_t whole_digits = std::max<int64_t>(number.exponent, 0);
  uint64_t whole = 0;
  for (int64_t i = 0; i < whole_digits; ++i) {
    whole = whole * 10 + (i < size ? number.digits[i] - '0' : 0);
  }
  // Horner's rule from the last digit on. Rounding down at every step gives the
  // rounded-down result, because the digits are whole numbers.
  uint64_t part = 0;
  for (int64_t i = size; i > whole_digits; --i) {
    part = ((number.digits[i - 1] - '0') * unit + part) / 10;
  }
  for (int64_t i = number.exponent; i < 0; ++i) part /= 10;
  int64_t product = 0;
  if (__builtin_mul_overflow(whole, unit, &product) ||
      __builtin_add_overflow(product, part, &product)) {
    return std::nullopt;
  }
  return product;
}

}  // namespace tessera
