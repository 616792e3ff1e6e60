// Parses "1.5e9" exactly. Sizes (byte_size.h) and percentages (percent.h) are
// decimals followed by a unit.
//
//   std::string_view text = "2.5MiB";
//   std::optional<Decimal> number = TakeDecimal(&text);  // text is "MiB" now
//   ProductRoundedDown(*number, 1 << 20);                 // 2621440

#ifndef TESSERA_REPORT_TEXT_DECIMAL_H_
#define TESSERA_REPORT_TEXT_DECIMAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

// The number 0.d1d2d3... times 10^exponent. Digits do not begin with 0; the
// number 0 has none.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
};

// Takes a number without a sign, such as "4096", ".5" or "1.5e9", from the
// beginning of `*text`. Returns nullopt if there is none.
std::optional<Decimal> TakeDecimal(std::string_view* text);

// Returns `number` times `unit`, rounded down; nullopt for more than 2^63-1.
// Precondition: `unit` is 2^60 or less.
std::optional<int64_t> ProductRoundedDown(const Decimal& number, uint64_t unit);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_DECIMAL_H_
