#include "tessera/report/text/byte_size.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "tessera/report/text/decimal.h"

namespace tessera {

const char kByteSizeHelp[] =
    R"(SIZE is in bytes: 4096, 1e9, 10MiB, 1.5G. K, M, G, T, P and KiB, ..., EiB are
powers of 1024; KB, ..., EB are powers of 1000. A fraction of a byte is dropped.)";

namespace {

// Returns the bytes of a unit, or nullopt if there is no such unit.
absl::optional<uint64_t> BytesOfUnit(absl::string_view unit) {
  if (unit.empty() || absl::EqualsIgnoreCase(unit, "B")) return 1;
  uint64_t binary = 1, decimal = 1;
  for (const char letter : absl::string_view("KMGTPE")) {
    binary *= 1024;
    decimal *= 1000;
    const std::string name(1, letter);
    if (letter != 'E' && absl::EqualsIgnoreCase(unit, name)) return binary;
    if (absl::EqualsIgnoreCase(unit, name + "iB")) return binary;
    if (absl::EqualsIgnoreCase(unit, name + "B")) return decimal;
  }
  return absl::nullopt;
}

}  // namespace

std::string ReadByteSize(absl::string_view text, const ByteRange& range,
                         int64_t* bytes) {
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  const bool is_negative = absl::ConsumePrefix(&rest, "-");
  if (!is_negative) absl::ConsumePrefix(&rest, "+");
  const absl::optional<Decimal> number = TakeDecimal(&rest);
  const absl::optional<uint64_t> unit =
      BytesOfUnit(absl::StripLeadingAsciiWhitespace(rest));
  if (!number.has_value() || !unit.has_value()) {
    return absl::StrCat(text,
                        " is not a number of bytes, such as 4096, 1e9, 10MiB, "
                        "10M (the same) or 10MB");
  }
  const absl::optional<int64_t> product = ProductRoundedDown(*number, *unit);
  const bool is_below_zero = is_negative && !number->digits.empty();
  if (!product.has_value() || is_below_zero || *product < range.smallest ||
      *product > range.largest) {
    return absl::StrCat(text, " is not from ", range.smallest, " to ",
                        range.largest, " bytes");
  }
  *bytes = *product;
  return "";
}

}  // namespace tessera
