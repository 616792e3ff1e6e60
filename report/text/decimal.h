// File: report/text/decimal.h
//
// Parses "1.5e9" exactly. Sizes (byte_size.h) and percentages (percent.h) are
// decimals followed by a unit.
//
//   absl::string_view text = "2.5MiB";
//   absl::optional<Decimal> number = TakeDecimal(&text);  // text is "MiB" now
//   ProductRoundedDown(*number, 1 << 20);                 // 2621440

#ifndef TESSERA_REPORT_TEXT_DECIMAL_H_
#define TESSERA_REPORT_TEXT_DECIMAL_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace tessera {

// The number 0.d1d2d3... times 10^exponent. Digits do not begin with 0, unless
// the number is 0: there are none then.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
};

// Takes a number without a sign, such as "4096", ".5" or "1.5e9", from the
// beginning of `*text`. Returns nullopt if there is none.
absl::optional<Decimal> TakeDecimal(absl::string_view* text);

// Returns `number` times `unit`, rounded down; nullopt for more than 2^63-1.
// Precondition: `unit` is 2^60 or less.
absl::optional<int64_t> ProductRoundedDown(const Decimal& number,
                                           uint64_t unit);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_DECIMAL_H_
