#include "tessera/hlo/proto/value_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "proto/hlo.pb.h"
#include "proto/xla_data.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout_proto.h"
#include "tessera/layout/primitive_type.h"

namespace tessera::hlo_internal {
namespace {

bool MayBegin(char c) { return absl::ascii_isalpha(c) || c == '_'; }

bool MayFollow(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
}

constexpr int64_t kMostElements = 10;
// No array of so few elements has more dimensions in a program.
constexpr int kMostDimensions = 8;

float FromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float FloatOfBf16(uint16_t bits) { return FromBits(uint32_t{bits} << 16); }

float FloatOfF16(uint16_t bits) {
  constexpr uint32_t kInfinity = 0x7f800000;
  // The exponent is moved to that of a float, with another bias.
  const uint32_t moved = uint32_t{bits & 0x7fffu} << 13;
  const bool is_finite = moved < (0x1fu << 23);
  const float magnitude =
      is_finite ? FromBits(moved) * 0x1p112f : FromBits(moved | kInfinity);
  return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0f : 1.0f);
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
template <float (*decode)(uint16_t)>
std::string ShortestOf16Bits(uint16_t bits) {
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

template <typename Integer>
std::string IntegerText(Integer value) {
  return absl::StrCat(value);
}

std::vector<uint16_t> LittleEndian16(const std::string& bytes) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  std::vector<uint16_t> values;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    values.push_back(static_cast<uint16_t>(byte(i) | byte(i + 1) << 8));
  }
  return values;
}

template <typename Repeated, typename ToText>
std::vector<std::string> Texts(const Repeated& values, ToText to_text) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(to_text(value));
  return texts;
}

std::vector<std::string> Elements(const hlo_proto::LiteralProto& literal,
                                  PrimitiveType type, bool is_scalar) {
  const auto floating = [](auto value) { return ShortestText(value); };
  switch (type) {
    case PRED:
      return Texts(literal.preds(), [is_scalar](bool value) -> std::string {
        if (is_scalar) return value ? "true" : "false";
        return value ? "1" : "0";
      });
    case S8:
      return Texts(literal.s8s(), IntegerText<int8_t>);
    case U8:
      return Texts(literal.u8s(), IntegerText<uint8_t>);
    case S16:
      return Texts(LittleEndian16(literal.s16s()), IntegerText<int16_t>);
    case U16:
      return Texts(LittleEndian16(literal.u16s()), IntegerText<uint16_t>);
    case S32:
      return Texts(literal.s32s(), IntegerText<int32_t>);
    case S64:
      return Texts(literal.s64s(), IntegerText<int64_t>);
    case U32:
      return Texts(literal.u32s(), IntegerText<uint32_t>);
    case U64:
      return Texts(literal.u64s(), IntegerText<uint64_t>);
    case F32:
      return Texts(literal.f32s(), floating);
    case F64:
      return Texts(literal.f64s(), floating);
    case F16:
      return Texts(LittleEndian16(literal.f16s()),
                   ShortestOf16Bits<FloatOfF16>);
    case BF16:
      return Texts(LittleEndian16(literal.bf16s()),
                   ShortestOf16Bits<FloatOfBf16>);
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
  if (!absl::c_equal(a.dimensions(), b.dimensions())) return false;
  std::vector<bool> is_seen(a.dimensions_size());
  for (const int64_t dimension : a.layout().minor_to_major()) {
    if (dimension < 0 || dimension >= a.dimensions_size() ||
        is_seen[dimension]) {
      return false;
    }
    is_seen[dimension] = true;
  }
  return true;
}

}  // namespace

std::string ShortestText(float value) { return Shortest(value, 9); }
std::string ShortestText(double value) { return Shortest(value, 17); }

std::string LiteralText(std::string_view bytes, const ShapeProto& shape) {
  constexpr const char* kElided = "{...}";
  // No literal of so few elements is longer.
  constexpr size_t kLongest = 4096;
  const int64_t count = CountOf(shape);
  hlo_proto::LiteralProto literal;
  if (count == 0 || shape.dimensions_size() > kMostDimensions ||
      bytes.size() > kLongest ||
      !literal.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !LayoutFits(literal.shape(), shape)) {
    return kElided;
  }
  const std::vector<std::string> elements =
      Elements(literal, PrimitiveTypeFromProto(shape.element_type()),
               shape.dimensions_size() == 0);
  return static_cast<int64_t>(elements.size()) == count
             ? Nested(shape, Strides(literal.shape()), elements, 0, 0)
             : kElided;
}

bool IsHloWord(std::string_view text) {
  return !text.empty() && MayBegin(text[0]) &&
         std::all_of(text.begin(), text.end(), MayFollow);
}

std::string ToHloWord(std::string_view text) {
  std::string word(text);
  for (char& c : word) {
    if (!MayFollow(c)) c = '_';
  }
  if (word.empty() || !MayBegin(word[0])) word.insert(word.begin(), '_');
  return word;
}

void AppendHloString(std::string_view text, std::string* out) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\'' && c != '\\';
  });
  out->push_back('"');
  if (is_plain) {
    out->append(text);
  } else {
    out->append(absl::CEscape(AbslView(text)));
  }
  out->push_back('"');
}

bool IsHloDictionary(std::string_view text) {
  if (text.empty() || text.front() != '{') return false;
  int64_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return i + 1 == text.size();
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    }
  }
  return false;
}

}  // namespace tessera::hlo_internal
