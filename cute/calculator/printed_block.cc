#include "tessera/cute/calculator/printed_block.h"

#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/bracket_map.h"
#include "tessera/cute/calculator/element_type.h"

namespace tessera {
namespace cute {
namespace {

// A heading of a block: words only, as "MMA Atom".
bool IsHeading(std::string_view line) {
  if (line.empty() || !absl::ascii_isalpha(line[0])) return false;
  for (const char c : line) {
    if (!IsWordByte(c) && c != ' ') return false;
  }
  return true;
}

// A row of a table of values, or the line between two.
bool IsTableRow(std::string_view line) {
  bool has_rule = false;
  int words = 0;
  char before = ' ';
  for (const char c : line) {
    if (!absl::ascii_isdigit(c) && !StrContains("+-|.e \t", c)) {
      return false;
    }
    has_rule |= c == '|' || (c == '-' && before == '+');
    if (absl::ascii_isspace(before) && !absl::ascii_isspace(c)) ++words;
    before = c;
  }
  return has_rule || words > 1;
}

// What a print has behind a label that is no value of CuTe's: 16b, f16.
bool IsElementType(std::string_view text) {
  if (ElementTypeBits(text).has_value()) return true;
  return EndsWith(text, "b") &&
         text.find_first_not_of("0123456789") == text.size() - 1;
}

}  // namespace

size_t LabelLength(std::string_view line) {
  size_t begin = 0;
  while (begin < line.size() && absl::ascii_isblank(line[begin])) ++begin;
  // "(tma_a) slayout:".
  const size_t first =
      begin < line.size() && line[begin] == '(' ? begin + 1 : begin;
  if (first >= line.size() || !absl::ascii_isalpha(line[first])) return 0;
  for (size_t i = first; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ':') {
      const size_t end = i + 1;
      const bool ends = end == line.size() || absl::ascii_isspace(line[end]);
      return ends ? end : 0;
    }
    if (!IsWordByte(c) && c != ' ' && !(c == ')' && first > begin)) return 0;
  }
  return 0;
}

bool IsLineWithoutValue(std::string_view line) {
  line = StripAsciiWhitespace(line);
  if (line.empty() || !absl::ascii_isalpha(line[0])) return false;
  for (const std::string_view heading :
       {"TiledMMA", "MMA_Atom", "TiledCopy", "Copy_Atom", "ThrMMA", "ThrCopy",
        "Tiled MMA", "MMA Atom", "Tiled Copy", "Copy Atom"}) {
    if (line == heading) return true;
  }
  const size_t length = LabelLength(line);
  return length > 0 && IsElementType(StripAsciiWhitespace(line.substr(length)));
}

std::vector<LabelledText> LabelledTexts(std::string_view text) {
  std::vector<LabelledText> found;
  int lines = 0;
  bool is_block = false;
  for (std::string_view line : SplitViews(text, '\n')) {
    line = StripAsciiWhitespace(line);
    if (line.empty()) continue;
    ++lines;
    if (IsTableRow(line)) {
      is_block = true;
      continue;
    }
    if (IsHeading(line)) continue;
    const size_t length = LabelLength(line);
    is_block |= length > 0;
    LabelledText labelled;
    if (length > 0) {
      labelled.label = StripTrailingAsciiWhitespace(line.substr(0, length - 1));
    }
    labelled.text = StripAsciiWhitespace(line.substr(length));
    // print_tensor ends its first line so.
    if (EndsWith(labelled.text, ":")) labelled.text.remove_suffix(1);
    if (labelled.text.empty() || IsElementType(labelled.text)) continue;
    found.push_back(labelled);
  }
  if (lines < 2 || !is_block) found.clear();
  return found;
}

}  // namespace cute
}  // namespace tessera
