// Prints the parts that the texts of all layouts have in common, for their
// ToString functions.
//
//   TextWriter writer(&text);
//   AppendShaped("memref", {18, 32}, ElementType{DataType::kF32}, "tt",
//                &writer);                   // "memref<18x32xf32, "

#ifndef TESSERA_TENSTORRENT_TEXT_LAYOUT_PRINTING_H_
#define TESSERA_TENSTORRENT_TEXT_LAYOUT_PRINTING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "absl/types/span.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"

namespace tessera::tenstorrent {

// Appends "18x32", and nothing for no dimensions.
void AppendDimensions(absl::Span<const int64_t> dimensions, TextWriter* writer);

template <typename Part>
void AppendPart(const Part& part, TextWriter* writer) {
  if constexpr (std::is_same_v<Part, char>) {
    writer->Char(part);
  } else if constexpr (std::is_integral_v<Part>) {
    writer->Int(part);
  } else if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
    writer->Text(part);
  } else if constexpr (std::is_same_v<Part, Dimensions>) {
    AppendDimensions(part, writer);
  } else {
    part.AppendTo(writer);
  }
}

// Appends characters, texts, numbers, sizes, and what has AppendTo.
template <typename... Parts>
void Append(TextWriter* writer, const Parts&... parts) {
  (AppendPart(parts, writer), ...);
}

// Appends "memref<18x32xf32, ": a shaped type up to its attribute. A tile gets
// the name of `dialect`.
void AppendShaped(std::string_view name, absl::Span<const int64_t> shape,
                  const ElementType& element, std::string_view dialect,
                  TextWriter* writer);

// Returns the text that value.AppendTo appends.
template <typename Value>
std::string PrintToString(const Value& value) {
  std::string text;
  {
    TextWriter writer(&text);
    value.AppendTo(&writer);
  }
  return text;
}

// Returns the value whose KeywordOf is `keyword`, or nullopt.
template <typename Enum, size_t n>
std::optional<Enum> ValueWithKeyword(std::string_view keyword,
                                     const Enum (&values)[n]) {
  for (const Enum value : values) {
    if (KeywordOf(value) == keyword) return value;
  }
  return std::nullopt;
}

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_TEXT_LAYOUT_PRINTING_H_
