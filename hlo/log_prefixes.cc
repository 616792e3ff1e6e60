#include "tessera/hlo/log_prefixes.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Removes bytes of a kind from the front of `*line`. Returns whether there are
// at least `least` of them.
bool Skip(bool (*is_of_kind)(unsigned char), size_t least,
          std::string_view* line) {
  const size_t size =
      std::find_if_not(line->begin(), line->end(), is_of_kind) - line->begin();
  line->remove_prefix(size);
  return size >= least;
}

bool SkipDigits(size_t least, std::string_view* line) {
  return Skip(absl::ascii_isdigit, least, line);
}

bool SkipBlanks(std::string_view* line) {
  return Skip(absl::ascii_isspace, 1, line);
}

// Returns 0 if the line does not have a prefix.
size_t PrefixSize(const std::string_view line) {
  std::string_view rest = line;
  constexpr std::string_view kSeverities = "IWEF";
  if (rest.empty() || !StrContains(kSeverities, rest[0])) return 0;
  rest.remove_prefix(1);
  const bool has_time_and_thread =
      SkipDigits(4, &rest) && ConsumePrefix(&rest, " ") &&
      SkipDigits(2, &rest) && ConsumePrefix(&rest, ":") &&
      SkipDigits(2, &rest) && ConsumePrefix(&rest, ":") &&
      SkipDigits(2, &rest) && ConsumePrefix(&rest, ".") &&
      SkipDigits(1, &rest) && SkipBlanks(&rest) && SkipDigits(1, &rest) &&
      SkipBlanks(&rest);
  if (!has_time_and_thread) return 0;
  const size_t colon = rest.find(':');
  if (colon == std::string_view::npos || colon == 0) return 0;
  rest.remove_prefix(colon + 1);
  if (!SkipDigits(1, &rest) || !ConsumePrefix(&rest, "]")) return 0;
  return line.size() - rest.size();
}

template <typename Visit>
void ForEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!visit(line)) return;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace

bool HasLogPrefixes(std::string_view text) {
  constexpr size_t kFurthest = size_t{64} << 10;
  int lines_left = 16;
  bool has_prefix = false;
  ForEachLine(text.substr(0, kFurthest), [&](std::string_view line) {
    has_prefix = PrefixSize(line) > 0;
    if (!StripAsciiWhitespace(line).empty()) --lines_left;
    return !has_prefix && lines_left > 0;
  });
  return has_prefix;
}

void BlankLogPrefixes(std::string* text) {
  char* const begin = &(*text)[0];
  ForEachLine(*text, [&](std::string_view line) {
    std::fill_n(begin + (line.data() - text->data()), PrefixSize(line), ' ');
    return true;
  });
}

}  // namespace tessera
