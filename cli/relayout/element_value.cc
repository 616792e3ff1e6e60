#include "tessera/cli/relayout/element_value.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"

namespace tessera::cli {
namespace {

// The meaning of the codes with the largest exponent, or of others, as in the
// suffixes of the types' names.
enum class Specials {
  kIeee,    // infinities and NaN
  kFn,      // a NaN of all ones, no infinity
  kFnuz,    // the NaN where -0 would be, no infinity
  kFinite,  // neither
  kFnu,     // powers of two alone, all ones a NaN
};

// A format of at most 16 bits.
struct SmallFloat {
  PrimitiveType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;

  uint32_t sign_bit() const {
    return specials == Specials::kFnu ? 0
                                      : 1u << (exponent_bits + mantissa_bits);
  }
  uint32_t magnitudes() const { return 1u << (exponent_bits + mantissa_bits); }
  uint32_t exponent_mask() const { return (1u << exponent_bits) - 1; }
};

constexpr SmallFloat kSmallFloats[] = {
    {F16, 5, 10, 15, Specials::kIeee},
    {BF16, 8, 7, 127, Specials::kIeee},
    {F8E5M2, 5, 2, 15, Specials::kIeee},
    {F8E4M3, 4, 3, 7, Specials::kIeee},
    {F8E3M4, 3, 4, 3, Specials::kIeee},
    {F8E4M3FN, 4, 3, 7, Specials::kFn},
    {F8E4M3B11FNUZ, 4, 3, 11, Specials::kFnuz},
    {F8E4M3FNUZ, 4, 3, 8, Specials::kFnuz},
    {F8E5M2FNUZ, 5, 2, 16, Specials::kFnuz},
    {F8E8M0FNU, 8, 0, 127, Specials::kFnu},
    {F4E2M1FN, 2, 1, 1, Specials::kFinite},
    {F6E3M2FN, 3, 2, 3, Specials::kFinite},
    {F6E2M3FN, 2, 3, 1, Specials::kFinite},
};

// Returns the value of a code without its sign, or nullopt if it is not a
// finite number.
std::optional<double> Magnitude(const SmallFloat& format, uint32_t code) {
  const uint32_t exponent = code >> format.mantissa_bits;
  const uint32_t mantissa = code & ((1u << format.mantissa_bits) - 1);
  const bool is_last = code == format.magnitudes() - 1;
  switch (format.specials) {
    case Specials::kIeee:
      if (exponent == format.exponent_mask()) return std::nullopt;
      break;
    case Specials::kFn:
      if (is_last) return std::nullopt;
      break;
    case Specials::kFnu:
      if (is_last) return std::nullopt;
      return std::ldexp(1.0, static_cast<int>(code) - format.bias);
    case Specials::kFnuz:
    case Specials::kFinite:
      break;
  }
  const int scale = -format.bias - format.mantissa_bits;
  if (exponent == 0) return std::ldexp(mantissa, 1 + scale);
  return std::ldexp(mantissa + (1u << format.mantissa_bits),
                    static_cast<int>(exponent) + scale);
}

std::optional<uint32_t> NanCode(const SmallFloat& format) {
  switch (format.specials) {
    case Specials::kIeee:
      // The quiet one.
      return format.exponent_mask() << format.mantissa_bits |
             1u << (format.mantissa_bits - 1);
    case Specials::kFn:
    case Specials::kFnu:
      return format.magnitudes() - 1;
    case Specials::kFnuz:
      return format.sign_bit();
    case Specials::kFinite:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint32_t> Encode(const SmallFloat& format, double value) {
  if (std::isnan(value)) return NanCode(format);
  const uint32_t sign = std::signbit(value) ? format.sign_bit() : 0;
  const double magnitude = std::fabs(value);
  if (format.specials == Specials::kFnu && !(value > 0)) return std::nullopt;
  if (std::isinf(value)) {
    if (format.specials != Specials::kIeee) return std::nullopt;
    return sign | format.exponent_mask() << format.mantissa_bits;
  }
  // Magnitudes increase with their codes.
  std::optional<uint32_t> nearest;
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (uint32_t code = 0; code < format.magnitudes(); ++code) {
    const std::optional<double> each = Magnitude(format, code);
    if (!each.has_value()) continue;
    largest = *each;
    const double distance = std::fabs(*each - magnitude);
    if (distance < least || (distance == least && code % 2 == 0)) {
      nearest = code;
      least = distance;
    }
  }
  if (magnitude > largest) return std::nullopt;
  // There is no -0 if its code is the NaN.
  if (format.specials == Specials::kFnuz && *nearest == 0) return 0;
  return sign | *nearest;
}

ElementBytes LowBytes(uint64_t code, int64_t count) {
  ElementBytes bytes = {};
  for (int64_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(code >> (8 * i));
  }
  return bytes;
}

absl::Status OutOfRange(std::string_view text, PrimitiveType type) {
  return OutOfRangeError(text, " is outside what ", PrimitiveTypeName(type),
                         " holds");
}

absl::StatusOr<ElementBytes> ParseInteger(std::string_view text,
                                          PrimitiveType type) {
  const int64_t bits = BitWidth(type), bytes = ByteWidth(type);
  const uint64_t mask = ~uint64_t{0} >> (64 - bits);
  const bool is_unsigned = IsUnsignedIntegralType(type);
  int64_t value = 0;
  uint64_t unsigned_value = 0;
  if (absl::SimpleAtoi(AbslView(text), &unsigned_value)) {
    if (unsigned_value > (is_unsigned ? mask : mask >> 1)) {
      return OutOfRange(text, type);
    }
    return LowBytes(unsigned_value, bytes);
  }
  if (absl::SimpleAtoi(AbslView(text), &value)) {  // negative
    if (is_unsigned || value < -1 - static_cast<int64_t>(mask >> 1)) {
      return OutOfRange(text, type);
    }
    // With the sign extended if an element of less than a byte takes a whole
    // byte.
    return LowBytes(static_cast<uint64_t>(value), bytes);
  }
  const bool is_number = !text.empty() &&
                         text.find_first_not_of("0123456789", text[0] == '-') ==
                             std::string_view::npos &&
                         text != "-";
  if (is_number) return OutOfRange(text, type);
  return InvalidArgumentError("'", text, "' is not a whole number, which ",
                              PrimitiveTypeName(type), " requires");
}

template <typename Float, typename Code>
ElementBytes BytesOf(Float value) {
  static_assert(sizeof(Float) == sizeof(Code), "");
  Code code = 0;
  std::memcpy(&code, &value, sizeof(code));
  return LowBytes(code, sizeof(code));
}

absl::StatusOr<ElementBytes> ParseFloat(std::string_view text,
                                        PrimitiveType type) {
  double value = 0;
  if (!absl::SimpleAtod(AbslView(text), &value)) {
    return InvalidArgumentError("'", text, "' is not a number");
  }
  // SimpleAtod returns infinity for a number that is too large, as well as for
  // "inf".
  const bool is_overflow =
      std::isinf(value) && text.find_first_of("0123456789") != text.npos;
  if (is_overflow) return OutOfRange(text, type);
  if (type == F64 || type == C128) return BytesOf<double, uint64_t>(value);
  if (type == F32 || type == C64) {
    float single = 0;
    (void)!absl::SimpleAtof(AbslView(text), &single);
    if (std::isinf(single) && !std::isinf(value)) return OutOfRange(text, type);
    return BytesOf<float, uint32_t>(single);
  }
  for (const SmallFloat& format : kSmallFloats) {
    if (format.type != type) continue;
    const std::optional<uint32_t> code = Encode(format, value);
    if (!code.has_value()) return OutOfRange(text, type);
    return LowBytes(*code, ByteWidth(type));
  }
  return UnimplementedError("numbers of ", PrimitiveTypeName(type),
                            " are not read");
}

}  // namespace

absl::StatusOr<ElementBytes> ParseElementValue(std::string_view text,
                                               PrimitiveType type) {
  text = StripAsciiWhitespace(text);
  if (type == PRED) {
    if (text == "true" || text == "1") return LowBytes(1, 1);
    if (text == "false" || text == "0") return LowBytes(0, 1);
    return InvalidArgumentError("'", text, "' is neither true nor false");
  }
  if (IsIntegralType(type)) return ParseInteger(text, type);
  return ParseFloat(text, type);
}

}  // namespace tessera::cli
