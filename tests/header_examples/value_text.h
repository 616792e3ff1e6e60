// How do the values of the examples read in the comments behind them?
//
//   TextOf(ParseInteger("17"))         17, of an absl::StatusOr<int64_t>
//   TextOf(std::string_view("a,b"))   a,b
//   TextOf(std::vector<int>{2, 3})     {2, 3}
//   TextOf(std::optional<int>())      nullopt
//   TextOf(absl::OkStatus())           OK
//
// An absl::StatusOr reads like its value, or like its error.

#ifndef TESSERA_TESTS_HEADER_EXAMPLES_VALUE_TEXT_H_
#define TESSERA_TESTS_HEADER_EXAMPLES_VALUE_TEXT_H_

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

// Without its payloads: what they say is data.
inline std::string TextOf(const absl::Status& status) {
  return status.ToString(absl::StatusToStringMode::kWithNoExtraData);
}

template <typename T>
std::string TextOf(const absl::StatusOr<T>& value);

template <typename T>
std::string TextOf(const std::optional<T>& value);

template <typename A, typename B>
std::string TextOf(const std::pair<A, B>& value);

// Of a truth value, a number, a text or a list of these.
template <typename T>
std::string TextOf(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::is_convertible_v<const T&, absl::string_view>) {
    return std::string(value);  // a message of Abseil's
  } else if constexpr (std::is_arithmetic_v<T>) {
    return absl::StrCat(value);
  } else {
    std::string text = "{";
    std::string_view separator = "";
    for (const auto& element : value) {
      const std::string entry = TextOf(element);
      const bool is_text =
          std::is_convertible_v<decltype(element), std::string_view>;
      absl::StrAppend(&text, AbslView(separator), is_text ? "\"" : "", entry,
                      is_text ? "\"" : "");
      separator = ", ";
    }
    return text + "}";
  }
}

template <typename T>
std::string TextOf(const absl::StatusOr<T>& value) {
  return value.ok() ? TextOf(*value) : TextOf(value.status());
}

template <typename T>
std::string TextOf(const std::optional<T>& value) {
  return value.has_value() ? TextOf(*value) : "nullopt";
}

template <typename A, typename B>
std::string TextOf(const std::pair<A, B>& value) {
  return absl::StrCat("{", TextOf(value.first), ", ", TextOf(value.second),
                      "}");
}

// The value that is compared with an enumerator or a number.
template <typename T>
const T& ValueOf(const T& value) {
  return value;
}

template <typename T>
T ValueOf(const absl::StatusOr<T>& value) {
  return value.value();
}

template <typename T>
std::string ErrorIn(const T&) {
  return "";
}

inline std::string ErrorIn(const absl::Status& status) {
  return status.ok() ? "" : TextOf(status);
}

template <typename T>
std::string ErrorIn(const absl::StatusOr<T>& value) {
  return ErrorIn(value.status());
}

// Runs an expression of any type, void as well. Returns the text of the status
// that it is or has, or "" if there is no error.
template <typename Expression>
std::string ErrorOf(Expression expression) {
  if constexpr (std::is_void_v<decltype(expression())>) {
    expression();
    return "";
  } else {
    return ErrorIn(expression());
  }
}

// Equal to a text in which "..." stands for any text.
MATCHER_P(IsText, pattern, absl::StrCat("reads ", pattern)) {
  const std::string text = arg;
  size_t begin = 0;
  const std::vector<std::string> parts =
      absl::StrSplit(std::string(pattern), "...");
  if (!tessera::StartsWith(text, parts.front())) return false;
  for (const std::string& part : parts) {
    begin = text.find(part, begin);
    if (begin == std::string::npos) return false;
    begin += part.size();
  }
  return begin == text.size() || parts.back().empty() ||
         (parts.size() > 1 && tessera::EndsWith(text, parts.back()));
}

}  // namespace tessera

#endif  // TESSERA_TESTS_HEADER_EXAMPLES_VALUE_TEXT_H_
