#include "tessera/hlo/proto/literal_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"
#include "proto/xla_data.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout_proto.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr std::string_view kElided = "{...}";
constexpr int64_t kMostElements = 10;
// No array of so few elements has more dimensions in a program.
constexpr int kMostDimensions = 8;

uint16_t LittleEndian16(const char* p) {
  const auto byte = [](char c) { return static_cast<unsigned char>(c); };
  return static_cast<uint16_t>(byte(p[0]) | byte(p[1]) << 8);
}

float FromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float FloatOfBf16(uint16_t bits) { return FromBits(uint32_t{bits} << 16); }

float FloatOfF16(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const int exponent = bits >> 10 & 0x1f;
  const int mantissa = bits & 0x3ff;
  if (exponent == 0x1f) {
    return FromBits(sign | 0x7f800000u | static_cast<uint32_t>(mantissa) << 13);
  }
  const float magnitude =
      exponent == 0
          ? std::ldexp(static_cast<float>(mantissa), -24)
          : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  return sign != 0 ? -magnitude : magnitude;
}

// Prints only the digits that distinguish a `Float` from its neighbours.
template <typename Float>
std::string Shortest(Float value, int digits) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  std::string text;
  for (int precision = 1; precision <= digits; ++precision) {
    text = absl::StrFormat("%.*g", precision, value);
    if (static_cast<Float>(std::strtod(text.c_str(), nullptr)) == value) break;
  }
  return text;
}

// Prints a value of 16 bits. Its neighbours are further apart than a float's.
std::string ShortestOf16Bits(uint16_t bits, float (*decode)(uint16_t)) {
  const float value = decode(bits);
  if (std::isnan(value) || std::isinf(value) || value == 0) {
    return ShortestText(value);
  }
  const auto middle = [&](int step) {
    const float neighbour = decode(static_cast<uint16_t>(bits + step));
    return std::isfinite(neighbour)
               ? (static_cast<double>(value) + neighbour) / 2
               : static_cast<double>(value);
  };
  const double inner = std::abs(middle(-1));
  const double outer = std::abs(middle(1));
  for (int precision = 1; precision < 6; ++precision) {
    const std::string text = absl::StrFormat("%.*g", precision, value);
    const double read = std::abs(std::strtod(text.c_str(), nullptr));
    if (read > inner && read < outer) return text;
  }
  return ShortestText(value);
}

template <typename Repeated, typename ToText>
std::vector<std::string> Texts(const Repeated& values, ToText to_text) {
  std::vector<std::string> texts;
  for (const auto& value : values) {
    if (static_cast<int64_t>(texts.size()) > kMostElements) break;
    texts.push_back(to_text(value));
  }
  return texts;
}

template <typename ToText>
std::vector<std::string> TextsOf16Bits(const std::string& bytes,
                                       ToText to_text) {
  std::vector<std::string> texts;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (static_cast<int64_t>(texts.size()) > kMostElements) break;
    texts.push_back(to_text(LittleEndian16(bytes.data() + i)));
  }
  return texts;
}

std::vector<std::string> Elements(const hlo_proto::LiteralProto& literal,
                                  PrimitiveType type, bool is_scalar) {
  const auto integer = [](auto value) { return absl::StrCat(value); };
  const auto floating = [](auto value) { return ShortestText(value); };
  switch (type) {
    case PRED:
      return Texts(literal.preds(), [is_scalar](bool value) -> std::string {
        if (is_scalar) return value ? "true" : "false";
        return value ? "1" : "0";
      });
    case S8:
      return Texts(literal.s8s(), [](char c) {
        return absl::StrCat(static_cast<int>(static_cast<signed char>(c)));
      });
    case U8:
      return Texts(literal.u8s(), [](char c) {
        return absl::StrCat(static_cast<int>(static_cast<unsigned char>(c)));
      });
    case S16:
      return TextsOf16Bits(literal.s16s(), [](uint16_t bits) {
        return absl::StrCat(static_cast<int16_t>(bits));
      });
    case U16:
      return TextsOf16Bits(literal.u16s(),
                           [](uint16_t bits) { return absl::StrCat(bits); });
    case S32:
      return Texts(literal.s32s(), integer);
    case S64:
      return Texts(literal.s64s(), integer);
    case U32:
      return Texts(literal.u32s(), integer);
    case U64:
      return Texts(literal.u64s(), integer);
    case F32:
      return Texts(literal.f32s(), floating);
    case F64:
      return Texts(literal.f64s(), floating);
    case F16:
      return TextsOf16Bits(literal.f16s(), [](uint16_t bits) {
        return ShortestOf16Bits(bits, FloatOfF16);
      });
    case BF16:
      return TextsOf16Bits(literal.bf16s(), [](uint16_t bits) {
        return ShortestOf16Bits(bits, FloatOfBf16);
      });
    default:
      return {};
  }
}

// Returns the distance between neighbours in each dimension, in elements.
std::vector<int64_t> Strides(const ShapeProto& shape) {
  const int rank = shape.dimensions_size();
  std::vector<int64_t> strides(rank, 0);
  int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    const int64_t dimension = shape.layout().minor_to_major_size() == rank
                                  ? shape.layout().minor_to_major(i)
                                  : rank - 1 - i;
    strides[dimension] = stride;
    stride *= shape.dimensions(static_cast<int>(dimension));
  }
  return strides;
}

std::string Nested(const ShapeProto& shape, const std::vector<int64_t>& strides,
                   const std::vector<std::string>& elements, int dimension,
                   int64_t position) {
  const int rank = shape.dimensions_size();
  if (dimension == rank) return elements[position];
  std::vector<std::string> parts;
  for (int64_t i = 0; i < shape.dimensions(dimension); ++i) {
    parts.push_back(Nested(shape, strides, elements, dimension + 1,
                           position + i * strides[dimension]));
  }
  // As in xla/literal.cc.
  const bool is_innermost = dimension + 1 == rank;
  const std::string_view blank =
      rank > 1 && (!is_innermost || parts.size() > 1) ? " " : "";
  return absl::StrCat("{", AbslView(blank), absl::StrJoin(parts, ", "),
                      AbslView(blank), "}");
}

// Returns 0 for more elements than are printed.
int64_t CountOf(const ShapeProto& shape) {
  int64_t count = 1;
  for (const int64_t dimension : shape.dimensions()) {
    if (dimension < 1 || dimension > kMostElements) return 0;
    count *= dimension;
    if (count > kMostElements) return 0;
  }
  return count;
}

bool LayoutFits(const ShapeProto& a, const ShapeProto& b) {
  if (a.dimensions_size() != b.dimensions_size()) return false;
  std::vector<bool> is_seen(a.dimensions_size());
  for (const int64_t dimension : a.layout().minor_to_major()) {
    if (dimension < 0 || dimension >= a.dimensions_size() ||
        is_seen[dimension]) {
      return false;
    }
    is_seen[dimension] = true;
  }
  return std::equal(a.dimensions().begin(), a.dimensions().end(),
                    b.dimensions().begin());
}

}  // namespace

std::string ShortestText(float value) { return Shortest(value, 9); }
std::string ShortestText(double value) { return Shortest(value, 17); }

std::string LiteralText(std::string_view bytes, const ShapeProto& shape) {
  const int64_t count = CountOf(shape);
  const PrimitiveType type = PrimitiveTypeFromProto(shape.element_type());
  if (type == TUPLE || count == 0 ||
      shape.dimensions_size() > kMostDimensions) {
    return std::string(kElided);
  }
  hlo_proto::LiteralProto literal;
  // No literal of so few elements is longer.
  constexpr size_t kLongest = 4096;
  if (bytes.size() > kLongest ||
      !literal.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !LayoutFits(literal.shape(), shape)) {
    return std::string(kElided);
  }
  const std::vector<std::string> elements =
      Elements(literal, type, shape.dimensions_size() == 0);
  if (static_cast<int64_t>(elements.size()) != count) {
    return std::string(kElided);
  }
  return Nested(shape, Strides(literal.shape()), elements, 0, 0);
}

}  // namespace hlo_internal
}  // namespace tessera
