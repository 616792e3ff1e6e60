// Where our std::string_view meets Abseil's string_view.
//
// Our code and our callers hold std's views. Abseil can be built with a
// string_view of its own, as on Debian 12, to which std's does not convert.
// Then a view is handed over by name:
//
//   absl::SimpleAtoi(AbslView(digits), &number);
//   std::string_view words = StdView(status.message());
//
// Where both are one type, AbslView and StdView do nothing. The functions
// below are Abseil's, of the same name, for std's views. Errors take the parts
// of their message:
//
//   return InvalidArgumentError("expected ", expected, ", found ", found);

#ifndef TESSERA_BASE_TEXT_ABSL_VIEW_H_
#define TESSERA_BASE_TEXT_ABSL_VIEW_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tessera {

inline absl::string_view AbslView(std::string_view text) {
  return {text.data(), text.size()};
}

inline std::string_view StdView(absl::string_view text) {
  return {text.data(), text.size()};
}

inline bool StartsWith(std::string_view text, std::string_view prefix) {
  return absl::StartsWith(AbslView(text), AbslView(prefix));
}

inline bool EndsWith(std::string_view text, std::string_view suffix) {
  return absl::EndsWith(AbslView(text), AbslView(suffix));
}

inline bool StrContains(std::string_view text, std::string_view part) {
  return absl::StrContains(AbslView(text), AbslView(part));
}

inline bool StrContains(std::string_view text, char part) {
  return text.find(part) != std::string_view::npos;
}

inline bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(AbslView(a), AbslView(b));
}

inline bool ConsumePrefix(std::string_view* text, std::string_view prefix) {
  const bool is_there = StartsWith(*text, prefix);
  if (is_there) text->remove_prefix(prefix.size());
  return is_there;
}

inline bool ConsumeSuffix(std::string_view* text, std::string_view suffix) {
  const bool is_there = EndsWith(*text, suffix);
  if (is_there) text->remove_suffix(suffix.size());
  return is_there;
}

inline std::string_view StripPrefix(std::string_view text,
                                    std::string_view prefix) {
  return StdView(absl::StripPrefix(AbslView(text), AbslView(prefix)));
}

inline std::string_view StripSuffix(std::string_view text,
                                    std::string_view suffix) {
  return StdView(absl::StripSuffix(AbslView(text), AbslView(suffix)));
}

inline std::string_view StripAsciiWhitespace(std::string_view text) {
  return StdView(absl::StripAsciiWhitespace(AbslView(text)));
}

inline std::string_view StripLeadingAsciiWhitespace(std::string_view text) {
  return StdView(absl::StripLeadingAsciiWhitespace(AbslView(text)));
}

inline std::string_view StripTrailingAsciiWhitespace(std::string_view text) {
  return StdView(absl::StripTrailingAsciiWhitespace(AbslView(text)));
}

template <typename Part>
const Part& AbslPart(const Part& part) {
  return part;
}
inline absl::string_view AbslPart(std::string_view part) {
  return AbslView(part);
}

// The parts are those of absl::StrCat and std::string_view.
template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  return absl::StrCat(AbslPart(parts)...);
}

template <typename... Parts>
void StrAppend(std::string* out, const Parts&... parts) {
  absl::StrAppend(out, AbslPart(parts)...);
}

// Return errors whose message is StrCat of the parts.
template <typename... Parts>
absl::Status InvalidArgumentError(const Parts&... parts) {
  return absl::InvalidArgumentError(AbslView(StrCat(parts...)));
}
template <typename... Parts>
absl::Status OutOfRangeError(const Parts&... parts) {
  return absl::OutOfRangeError(AbslView(StrCat(parts...)));
}
template <typename... Parts>
absl::Status ResourceExhaustedError(const Parts&... parts) {
  return absl::ResourceExhaustedError(AbslView(StrCat(parts...)));
}
template <typename... Parts>
absl::Status UnimplementedError(const Parts&... parts) {
  return absl::UnimplementedError(AbslView(StrCat(parts...)));
}
template <typename... Parts>
absl::Status FailedPreconditionError(const Parts&... parts) {
  return absl::FailedPreconditionError(AbslView(StrCat(parts...)));
}

// Returns the pieces of `text`, like absl::StrSplit. They point into `text`.
// `how` is a delimiter and optionally a predicate, as in Abseil.
template <typename... How>
std::vector<std::string_view> SplitViews(std::string_view text, How... how) {
  std::vector<std::string_view> pieces;
  for (const absl::string_view piece :
       absl::StrSplit(AbslView(text), std::move(how)...)) {
    pieces.push_back(StdView(piece));
  }
  return pieces;
}

// Returns the views joined by `separator`.
template <typename Views>
std::string JoinViews(const Views& views, std::string_view separator) {
  return absl::StrJoin(
      views, AbslView(separator),
      [](std::string* out, std::string_view view) { out->append(view); });
}

// For tables whose keys are strings or views, with lookups by either.
struct ViewHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const {
    return absl::Hash<absl::string_view>()(AbslView(text));
  }
};

// `Key` is std::string or std::string_view.
template <typename Key, typename Value>
using TextMap = absl::flat_hash_map<Key, Value, ViewHash, std::equal_to<>>;
template <typename Key>
using TextSet = absl::flat_hash_set<Key, ViewHash, std::equal_to<>>;

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_ABSL_VIEW_H_
