#include "tessera/hlo/proto/hlo_words.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace hlo_internal {
namespace {

bool MayBegin(char c) { return absl::ascii_isalpha(c) || c == '_'; }

bool MayFollow(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
}

}  // namespace

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

}  // namespace hlo_internal
}  // namespace tessera
