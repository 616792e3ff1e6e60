#include "tessera/hlo/message/stated_bytes.h"

#include <limits>

#include "absl/numeric/int128.h"
#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// For so many digits, times any unit, the products below are less than 2^127.
constexpr int kMostDigits = 17;
constexpr int kMostDecimals = 6;

// Moves digits from the front of `*text` into `*value`, and counts them.
// Returns false for none, and for more than `most`.
bool TakeDigits(std::string_view* text, int most, int64_t* value, int* count) {
  *value = 0;
  *count = 0;
  while (!text->empty() && absl::ascii_isdigit((*text)[0])) {
    if (++*count > most) return false;
    *value = 10 * *value + ((*text)[0] - '0');
    text->remove_prefix(1);
  }
  return *count > 0;
}

}  // namespace

bool StatedBytes::Covers(int64_t number) const {
  return absl::int128(number) - bytes <= slack &&
         absl::int128(bytes) - number <= slack;
}

size_t ReadStatedBytes(std::string_view text, StatedBytes* stated) {
  std::string_view rest = text;
  int64_t whole = 0;
  int64_t fraction = 0;
  int digits = 0;
  if (!TakeDigits(&rest, kMostDigits, &whole, &digits)) return 0;
  digits = 0;
  if (rest.size() > 1 && rest[0] == '.' && absl::ascii_isdigit(rest[1])) {
    rest.remove_prefix(1);
    if (!TakeDigits(&rest, kMostDecimals, &fraction, &digits)) return 0;
  }
  constexpr std::string_view kUnits = "KMGTP";
  const size_t unit_index = rest.empty() ? kUnits.npos : kUnits.find(rest[0]);
  int64_t unit = 1;
  if (unit_index != kUnits.npos) {
    constexpr int kBitsOfUnit = 10;
    unit <<= kBitsOfUnit * (static_cast<int>(unit_index) + 1);
    rest.remove_prefix(1);
    ConsumePrefix(&rest, "i");
  }
  ConsumePrefix(&rest, "B");
  // A number followed by more letters or digits is not one: 0x10, 4e3.
  if (!rest.empty() && absl::ascii_isalnum(rest[0])) return 0;
  absl::int128 power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  const absl::int128 bytes =
      (absl::int128(whole) * power + fraction) * unit / power;
  if (bytes > std::numeric_limits<int64_t>::max()) return 0;
  stated->bytes = static_cast<int64_t>(bytes);
  stated->slack = unit == 1 ? 0 : static_cast<int64_t>(unit / power);
  return text.size() - rest.size();
}

}  // namespace tessera
