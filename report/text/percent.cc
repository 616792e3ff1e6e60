#include "tessera/report/text/percent.h"

#include <limits>
#include <optional>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/decimal.h"

namespace tessera {

std::string ReadPercent(std::string_view text, int64_t* ppm) {
  constexpr int64_t kPpmOfPercent = 10'000;
  std::string_view rest = StripAsciiWhitespace(text);
  const bool is_negative = ConsumePrefix(&rest, "-");
  if (!is_negative) ConsumePrefix(&rest, "+");
  const std::optional<Decimal> number = TakeDecimal(&rest);
  rest = StripLeadingAsciiWhitespace(rest);
  if (!number.has_value() || (!rest.empty() && rest != "%")) {
    return StrCat(text, " is not a percentage, such as 5% or 2.5%");
  }
  const std::optional<int64_t> product =
      ProductRoundedDown(*number, kPpmOfPercent);
  const bool is_below_zero = is_negative && !number->digits.empty();
  if (!product.has_value() || is_below_zero) {
    return StrCat(text, " is not from 0% to ",
                  std::numeric_limits<int64_t>::max() / kPpmOfPercent, "%");
  }
  *ppm = *product;
  return "";
}

}  // namespace tessera
