#include "tests/bench/repeated_dump.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

bool IsOfName(char byte) {
  return absl::ascii_isalnum(byte) || byte == '_' || byte == '.' || byte == '-';
}

}  // namespace

RepeatedDump::RepeatedDump(std::string_view module) {
  // From the first computation to the end of the last whole one.
  const size_t begin = std::min(module.find("\n%"), module.find("\nENTRY"));
  const size_t end = module.rfind("\n}");
  if (begin == module.npos || end == module.npos || end < begin) return;
  text_ = absl::StrReplaceAll(AbslView(module.substr(begin, end + 2 - begin)),
                              {{"\nENTRY ", "\n"}});
  absl::StrAppend(&text_, "\n");
  const std::string_view text = text_;
  bool in_string = false;
  size_t piece = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && text[i - 1] != '\\') in_string = !in_string;
    if (text[i] != '%' || in_string) continue;
    while (i + 1 < text.size() && IsOfName(text[i + 1])) ++i;
    pieces_.push_back(text.substr(piece, i + 1 - piece));
    piece = i + 1;
  }
  pieces_.push_back(text.substr(piece));
}

void RepeatedDump::Append(int64_t number, std::string* out) const {
  const std::string suffix = absl::StrCat(".r", number);
  for (const std::string_view piece : pieces_) {
    out->append(piece.data(), piece.size());
    if (piece.data() != pieces_.back().data()) out->append(suffix);
  }
}

std::string RepeatDump(std::string_view module, size_t bytes) {
  const RepeatedDump dump(module);
  std::string text = dump.Header();
  for (int64_t i = 0; text.size() < bytes; ++i) {
    const size_t before = text.size();
    dump.Append(i, &text);
    if (text.size() == before) break;
  }
  return text;
}

}  // namespace tessera
