#include "tests/hlo/line_counter.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Writes blanks over comments and strings.
void BlankOut(std::string* text) {
  size_t i = 0;
  auto blank_until = [&](size_t end) {
    for (; i < end && i < text->size(); ++i) {
      if ((*text)[i] != '\n') (*text)[i] = ' ';
    }
  };
  while (i < text->size()) {
    const char c = (*text)[i];
    if (text->compare(i, 2, "//") == 0) {
      blank_until(text->find('\n', i));
    } else if (text->compare(i, 2, "/*") == 0) {
      blank_until(text->find("*/", i) + 2);
    } else if (c == '"' || c == '\'') {
      size_t end = i + 1;
      while (end < text->size() && (*text)[end] != c) {
        end += (*text)[end] == '\\' ? 2 : 1;
      }
      blank_until(end + 1);
    } else {
      ++i;
    }
  }
}

// "%x = " but not "key=".
bool IsInstruction(std::string_view line) {
  const size_t size = line.find(" = ");
  if (size == 0 || size == line.npos) return false;
  for (const char c : line.substr(0, size)) {
    if (!absl::ascii_isalnum(c) && !tessera::StrContains("%._-", c))
      return false;
  }
  return true;
}

// The opcode and all behind it: the first lower-case word between a blank and
// a parenthesis, which in shapes stands only in "b(".
std::string_view FromOpcode(std::string_view text) {
  for (size_t open = text.find('('); open != text.npos;
       open = text.find('(', open + 1)) {
    size_t word = open;
    while (absl::ascii_islower(text[word - 1]) ||
           absl::ascii_isdigit(text[word - 1]) || text[word - 1] == '-') {
      --word;
    }
    const bool is_opcode = word != open && text[word - 1] == ' ' &&
                           text.substr(word, open - word) != "b";
    if (is_opcode) return text.substr(word);
  }
  return std::string_view();
}

// The commas outside brackets, plus one, up to the end of the parentheses that
// open in `text`; 0 if nothing stands in them.
int64_t CountOperands(std::string_view text) {
  int64_t depth = 0, commas = 0;
  bool is_empty = true;
  for (const char c : text.substr(text.find('('))) {
    if (tessera::StrContains(")]}", c) && --depth == 0) break;
    if (depth == 1 && c == ',') ++commas;
    if (depth >= 1 && c != ' ') is_empty = false;
    if (tessera::StrContains("([{", c)) ++depth;
  }
  return is_empty ? 0 : commas + 1;
}

}  // namespace

LineCounts CountByLines(std::string text) {
  BlankOut(&text);
  LineCounts counts;
  for (std::string_view line : SplitViews(text, '\n')) {
    line = tessera::StripAsciiWhitespace(line);
    const bool is_root = tessera::ConsumePrefix(&line, "ROOT ");
    if (!IsInstruction(line)) {
      counts.modules += tessera::StartsWith(line, "HloModule ");
      counts.computations += tessera::EndsWith(line, "{");
      counts.entries += tessera::StartsWith(line, "ENTRY ");
      continue;
    }
    ++counts.instructions;
    counts.roots += is_root;
    // Operands may go on over the end of the line.
    const std::string_view from_opcode = FromOpcode(
        std::string_view(line.data(), text.data() + text.size() - line.data()));
    if (!tessera::StartsWith(from_opcode, "parameter(") &&
        !tessera::StartsWith(from_opcode, "constant(")) {
      counts.operands += CountOperands(from_opcode);
    }
  }
  return counts;
}

}  // namespace tessera
