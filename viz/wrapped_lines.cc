#include "tessera/viz/wrapped_lines.h"

#include <string_view>

#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::vector<std::string> WrappedLines(std::string_view text, size_t width) {
  std::vector<std::string> lines(1);
  for (std::string_view word : SplitViews(text, ' ', absl::SkipEmpty())) {
    const bool is_first = lines.back().empty();
    if (!is_first && lines.back().size() + 1 + word.size() <= width) {
      StrAppend(&lines.back(), " ", word);
      continue;
    }
    if (!is_first) lines.emplace_back();
    for (; word.size() > width; word.remove_prefix(width)) {
      lines.back() = std::string(word.substr(0, width));
      lines.emplace_back();
    }
    lines.back() = std::string(word);
  }
  return lines;
}

}  // namespace tessera
