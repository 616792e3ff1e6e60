#include "tessera/report/text/byte_size.h"

#include <optional>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/decimal.h"

namespace tessera {

const char kByteSizeHelp[] =
    R"(SIZE is in bytes: 4096, 1e9, 10MiB, 1.5G. K, M, G, T, P and KiB, ..., EiB are
powers of 1024; KB, ..., EB are powers of 1000. A fraction of a byte is dropped.)";

namespace {

// Returns the bytes of a unit, or nullopt if there is no such unit.
std::optional<uint64_t> BytesOfUnit(std::string_view unit) {
  if (unit.empty() || EqualsIgnoreCase(unit, "B")) return 1;
  uint64_t binary = 1, decimal = 1;
  for (const char letter : std::string_view("KMGTPE")) {
    binary *= 1024;
    decimal *= 1000;
    const std::string name(1, letter);
    if (letter != 'E' && EqualsIgnoreCase(unit, name)) return binary;
    if (EqualsIgnoreCase(unit, name + "iB")) return binary;
    if (EqualsIgnoreCase(unit, name + "B")) return decimal;
  }
  return std::nullopt;
}

}  // namespace

std::string ReadByteSize(std::string_view text, const ByteRange& range,
                         int64_t* bytes) {
  std::string_view rest = StripAsciiWhitespace(text);
  const bool is_negative = ConsumePrefix(&rest, "-");
  if (!is_negative) ConsumePrefix(&rest, "+");
  const std::optional<Decimal> number = TakeDecimal(&rest);
  const std::optional<uint64_t> unit =
      BytesOfUnit(StripLeadingAsciiWhitespace(rest));
  if (!number.has_value() || !unit.has_value()) {
    return StrCat(text,
                  " is not a number of bytes, such as 4096, 1e9, 10MiB, "
                  "10M (the same) or 10MB");
  }
  const std::optional<int64_t> product = ProductRoundedDown(*number, *unit);
  const bool is_below_zero = is_negative && !number->digits.empty();
  if (!product.has_value() || is_below_zero || *product < range.smallest ||
      *product > range.largest) {
    return StrCat(text, " is not from ", range.smallest, " to ", range.largest,
                  " bytes");
  }
  *bytes = *product;
  return "";
}

}  // namespace tessera
