#include "tests/hlo/values.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {
namespace {

size_t EndOfValue(std::string_view text, size_t at) {
  int depth = 0;
  bool is_quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted) {
      if (c == '\\') ++at;
      if (c == '"') is_quoted = false;
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '{' || c == '(' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ')' || c == ']') {
      --depth;
      if (depth == 0 && text.substr(at + 1, 2) != " {") return at + 1;
    }
    if (depth == 0 && !is_quoted && (c == ',' || c == '\n')) return at;
  }
  return at;
}

}  // namespace

std::vector<std::string_view> ValuesOf(std::string_view key,
                                       std::string_view text) {
  const std::string start = absl::StrCat(" ", AbslView(key), "=");
  std::vector<std::string_view> values;
  for (size_t at = text.find(start); at != text.npos;
       at = text.find(start, at + 1)) {
    const size_t begin = at + start.size();
    values.push_back(text.substr(begin, EndOfValue(text, begin) - begin));
  }
  return values;
}

void ExpectErrors(std::initializer_list<BadValue> values,
                  absl::Status (*decode)(std::string_view)) {
  for (const BadValue& bad : values) {
    const absl::Status status = decode(bad.value);
    EXPECT_EQ(status.code(), bad.code) << bad.value;
    EXPECT_EQ(std::string(status.message()), std::string(bad.error));
    EXPECT_TRUE(DiagnosticOf(status).has_value()) << bad.value;
  }
}

}  // namespace tessera
