#include "tessera/cute/calculator/printed_block.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/bracket_map.h"
#include "tessera/cute/calculator/pointer.h"
#include "tessera/cute/element_type.h"

namespace tessera::cute {
namespace {

// A heading of a block: words only, as "MMA Atom".
bool IsHeading(std::string_view line) {
  if (line.empty() || !absl::ascii_isalpha(line[0])) return false;
  for (const char c : line) {
    if (!IsWordByte(c) && c != ' ') return false;
  }
  return true;
}

// A row of a table of coordinates, as "(0,0)  (0,1)".
bool IsRowOfCoordinates(std::string_view line) {
  int count = 0;
  for (const std::string_view word : SplitViews(line, ' ')) {
    if (word.empty()) continue;
    if (!StartsWith(word, "(") || !EndsWith(word, ")") ||
        word.find_first_not_of("(),-0123456789") != std::string_view::npos) {
      return false;
    }
    ++count;
  }
  return count > 1;
}

// A row of a table of values, or the line between two.
bool IsTableRow(std::string_view line) {
  if (IsRowOfCoordinates(line)) return true;
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

// Returns whether the text after a label is an element type and not a CuTe
// value: 16b, f16.
bool IsElementType(std::string_view text) {
  if (ElementTypeBits(text).has_value()) return true;
  return EndsWith(text, "b") &&
         text.find_first_not_of("0123456789") == text.size() - 1;
}

// A name and its value, as LShape=cute::tuple<cute::_4>.
struct TemplateArgument {
  std::string_view name;
  std::string_view value;
};

// Returns the arguments after "[with ", up to its closing bracket; gcc has
// semicolons between them, nvcc commas.
std::vector<TemplateArgument> TemplateArguments(std::string_view text) {
  constexpr std::string_view kWith = "[with ";
  std::vector<TemplateArgument> arguments;
  size_t begin = text.find(kWith);
  if (begin == std::string_view::npos) return arguments;
  begin += kWith.size();
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    const bool ends = depth == 0 && (c == ']' || c == ',' || c == ';');
    if (ends) {
      const std::string_view argument = text.substr(begin, i - begin);
      const size_t equals = argument.find('=');
      if (equals != std::string_view::npos) {
        arguments.push_back(
            {StripAsciiWhitespace(argument.substr(0, equals)),
             StripAsciiWhitespace(argument.substr(equals + 1))});
      }
      begin = i + 1;
      if (c == ']') break;
    }
    if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
  }
  return arguments;
}

// Returns the layouts among the arguments: those of a type Layout, and the
// shapes with a stride of the same name.
std::vector<LabelledText> LayoutsOfArguments(std::string_view text) {
  const std::vector<TemplateArgument> arguments = TemplateArguments(text);
  std::vector<LabelledText> found;
  for (const TemplateArgument& argument : arguments) {
    LabelledText labelled;
    labelled.label = std::string(argument.name);
    labelled.offset = argument.value.data() - text.data();
    const std::string_view type = argument.value.substr(
        0, std::min(argument.value.find('<'), argument.value.size()));
    if (EndsWith(type, "Layout")) {
      labelled.text = std::string(argument.value);
      found.push_back(labelled);
      continue;
    }
    std::string_view name = argument.name;
    if (!ConsumeSuffix(&name, "Shape")) continue;
    for (const TemplateArgument& other : arguments) {
      std::string_view stride = other.name;
      if (!ConsumeSuffix(&stride, "Stride") || stride != name) continue;
      labelled.text = StrCat("Layout<", argument.value, ",", other.value, ">");
      found.push_back(labelled);
      break;
    }
  }
  return found;
}

// Returns the types of layouts that a compiler message quotes, each once.
std::vector<LabelledText> LayoutsOfMessage(std::string_view text) {
  std::vector<LabelledText> found;
  size_t end = 0;
  while (true) {
    const size_t open = text.find("Layout<", end);
    if (open == std::string_view::npos) return found;
    size_t begin = open;
    while (begin > end &&
           (IsWordByte(text[begin - 1]) || text[begin - 1] == ':')) {
      --begin;
    }
    end = PastBracket(text, open + 6);
    if (end == std::string_view::npos) return found;
    const std::string_view type = text.substr(begin, end - begin);
    const bool is_known =
        std::any_of(found.begin(), found.end(),
                    [&](const LabelledText& one) { return one.text == type; });
    if (!is_known) {
      found.push_back(
          {absl::StrCat("that at byte ", begin + 1), std::string(type), begin});
    }
  }
}

// "error: no matching function ...", "note: candidate ...".
bool IsMessageOfCompiler(std::string_view text) {
  return StrContains(text, "error:") || StrContains(text, "note:") ||
         StrContains(text, "static assertion failed") ||
         StrContains(text, "required from");
}

}  // namespace

size_t LabelLength(std::string_view line) {
  size_t begin = 0;
  while (begin < line.size() && absl::ascii_isblank(line[begin])) ++begin;
  // "(tma_a) slayout:".
  const size_t first =
      begin < line.size() && line[begin] == '(' ? begin + 1 : begin;
  if (first >= line.size() || !absl::ascii_isalpha(line[first])) return 0;
  // A layout has its strides directly after the colon.
  const size_t colon = line.find(':', first);
  if (colon == line.npos) return 0;
  const size_t end = colon + 1;
  if (end < line.size() && !absl::ascii_isspace(line[end])) return 0;
  for (size_t i = first; i < colon; ++i) {
    const char c = line[i];
    if (!IsWordByte(c) && c != ' ' && !(c == ')' && first > begin)) return 0;
  }
  return end;
}

bool IsLineWithoutValue(std::string_view line) {
  line = StripAsciiWhitespace(line);
  if (line.empty() || !absl::ascii_isalpha(line[0])) return false;
  // A call, as most lines are.
  if (line.back() == ')') return false;
  static constexpr std::string_view kHeadings[] = {
      "TiledMMA", "MMA_Atom",  "TiledCopy", "Copy_Atom",  "ThrMMA",
      "ThrCopy",  "Tiled MMA", "MMA Atom",  "Tiled Copy", "Copy Atom"};
  for (const std::string_view heading : kHeadings) {
    if (line == heading) return true;
  }
  const size_t length = LabelLength(line);
  return length > 0 && IsElementType(StripAsciiWhitespace(line.substr(length)));
}

bool MayHaveLabelledTexts(std::string_view text) {
  return StrContains(text, '\n') || StrContains(text, "[with ") ||
         IsMessageOfCompiler(text);
}

std::vector<LabelledText> LabelledTexts(std::string_view text) {
  std::vector<LabelledText> found = LayoutsOfArguments(text);
  if (found.empty() && IsMessageOfCompiler(text)) {
    found = LayoutsOfMessage(text);
  }
  if (!found.empty()) return found;
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
    std::string_view value = StripAsciiWhitespace(line.substr(length));
    // print_tensor ends its first line like this.
    ConsumeSuffix(&value, ":");
    if (value.empty() || IsElementType(value)) continue;
    const std::string_view label =
        length == 0 ? ""
                    : StripTrailingAsciiWhitespace(line.substr(0, length - 1));
    found.push_back({std::string(label), std::string(value),
                     static_cast<size_t>(value.data() - text.data())});
  }
  if (lines < 2 || !is_block) found.clear();
  return found;
}

}  // namespace tessera::cute
