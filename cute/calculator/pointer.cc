#include "tessera/cute/calculator/pointer.h"

#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/swizzled.h"
#include "tessera/cute/calculator/bracket_map.h"
#include "tessera/cute/element_type.h"
#include "tessera/cute/parse.h"

namespace tessera::cute {
namespace {

bool IsPointerName(std::string_view name) {
  return EndsWith(name, "ptr") || name == "tmem_";
}

// Returns 0x7f8f00000c00, modulo 2^63; 0 for a text without such a number.
int64_t AddressOf(std::string_view text) {
  const size_t hex = text.find("0x");
  if (hex == std::string_view::npos) return 0;
  uint64_t address = 0;
  for (size_t i = hex + 2; i < text.size(); ++i) {
    const char c = absl::ascii_tolower(text[i]);
    if (!absl::ascii_isxdigit(c)) break;
    address = address << 4 | (absl::ascii_isdigit(c) ? c - '0' : c - 'a' + 10);
  }
  return static_cast<int64_t>(address & ~(uint64_t{1} << 63));
}

// Returns the first swizzle in a list of C++, of the DSL or of MLIR.
std::optional<Swizzle> SwizzleIn(std::string_view list) {
  for (const std::string_view name : {"Swizzle<", "Sw<", "S<"}) {
    size_t found = list.find(name);
    while (found != std::string_view::npos && found > 0 &&
           IsWordByte(list[found - 1])) {
      found = list.find(name, found + 1);
    }
    if (found == std::string_view::npos) continue;
    const size_t end = PastBracket(list, found + name.size() - 1);
    if (end == std::string_view::npos) continue;
    const absl::StatusOr<Swizzle> swizzle =
        ParseSwizzle(list.substr(found, end - found));
    if (swizzle.ok()) return *swizzle;
  }
  return std::nullopt;
}

}  // namespace

std::string Pointer::ToString(const TextForm&) const {
  if (coordinates.has_value()) {
    return absl::StrCat("ArithTuple", coordinates->ToString());
  }
  const std::string left = swizzle.has_value() ? swizzle->ToString() : "";
  if (element_bits == 0) return absl::StrCat(name, "<", left, ">");
  return absl::StrCat(left, left.empty() ? "" : "_", name, "[", element_bits,
                      "b](unset)");
}

size_t PastBracket(std::string_view text, size_t open) {
  int64_t depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '[') ++depth;
    if ((c == ')' || c == '>' || c == ']') && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool ReadPrintedPointer(std::string_view text, size_t begin, Pointer* pointer,
                        size_t* end) {
  size_t position = begin;
  while (position < text.size() && IsWordByte(text[position])) ++position;
  const std::string_view name = text.substr(begin, position - begin);
  if (!IsPointerName(name) || position == text.size() ||
      text[position] != '[') {
    return false;
  }
  const size_t close = text.find("b](", position);
  int64_t bits;
  if (close == std::string_view::npos ||
      !absl::SimpleAtoi(
          AbslView(text.substr(position + 1, close - position - 1)), &bits) ||
      bits < 1) {
    return false;
  }
  const size_t past = PastBracket(text, close + 2);
  if (past == std::string_view::npos) return false;
  *pointer = Pointer();
  pointer->name = std::string(name);
  pointer->element_bits = bits;
  pointer->address = AddressOf(text.substr(close, past - close));
  *end = past;
  return true;
}

Pointer PointerOfList(std::string_view list) {
  Pointer pointer;
  pointer.swizzle = SwizzleIn(list);
  pointer.address = AddressOf(list);
  for (size_t i = 0; i < list.size();) {
    if (!IsWordByte(list[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < list.size() && IsWordByte(list[i])) ++i;
    const std::string_view word = list.substr(begin, i - begin);
    if (absl::ascii_isdigit(word[0])) continue;
    if (StartsWith(word, "smem") || word == "gmem" ||
        StartsWith(word, "gmem_")) {
      pointer.name = StrCat(word.substr(0, 4), "_ptr");
    }
    if (pointer.element_bits == 0) {
      pointer.element_bits = ElementTypeBits(word).value_or(0);
    }
  }
  return pointer;
}

absl::StatusOr<Swizzle> SwizzleOfElements(const Swizzle& bytes, int64_t bits) {
  if (bits < 1 || (bits & (bits - 1)) != 0) {
    return InvalidArgumentError("a swizzle of bytes, ", bytes.ToString(),
                                ", is not one of elements of ", bits,
                                " bits, which are not a power of two");
  }
  return Recast(bytes, /*from_bits=*/8, bits);
}

}  // namespace tessera::cute
