#include "tessera/cute/atoms/atom_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

bool IsNameByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// SM80_, MMA_64x.
bool HasDigitBehind(std::string_view name, std::string_view prefix) {
  return ConsumePrefix(&name, prefix) && !name.empty() &&
         absl::ascii_isdigit(name[0]);
}

bool MayBeAtom(std::string_view name) {
  // Most names are functions of the calculator.
  if (absl::ascii_islower(name[0])) {
    return name == "make_mma_atom" || name == "make_copy_atom";
  }
  if ((HasDigitBehind(name, "SM") && StrContains(name, '_')) ||
      HasDigitBehind(name, "MMA_") || HasDigitBehind(name, "GMMA_")) {
    return true;
  }
  for (const std::string_view word :
       {"MMA_Atom", "MMA_Traits", "Copy_Atom", "Copy_Traits", "UniversalFMA",
        "UniversalCopy", "DefaultCopy", "AutoVectorizingCopy",
        "AutoVectorizingCopyWithAssumedAlignment"}) {
    if (name == word) return true;
  }
  for (const std::string_view vendor : {"CDNA", "RDNA", "MFMA", "WMMA"}) {
    if (StartsWith(name, vendor)) return true;
  }
  if (!EndsWith(name, "Op")) return false;
  for (const std::string_view kind :
       {"Mma", "SM103Mma", "Ld", "St", "Cp", "Copy"}) {
    if (StartsWith(name, kind)) return true;
  }
  return false;
}

size_t PastName(std::string_view text, size_t position) {
  if (position < text.size() && absl::ascii_isdigit(text[position])) {
    return position;
  }
  while (position < text.size() && IsNameByte(text[position])) ++position;
  return position;
}

size_t PastSpace(std::string_view text, size_t position) {
  while (position < text.size() && absl::ascii_isspace(text[position])) {
    ++position;
  }
  return position;
}

// `argument` without `name=`.
std::string_view WithoutKeyword(std::string_view argument) {
  const size_t end = PastName(argument, 0);
  const size_t equals = PastSpace(argument, end);
  if (end > 0 && equals < argument.size() && argument[equals] == '=') {
    argument.remove_prefix(equals + 1);
  }
  return StripAsciiWhitespace(argument);
}

// Returns the position after the bracket that opens at `open`; npos if it is
// not closed. Sets the parts between its commas, if not null.
size_t ReadBracket(std::string_view text, size_t open,
                   std::vector<std::string_view>* parts) {
  int depth = 0;
  size_t begin = open + 1;
  for (size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    const bool closes = c == '>' || c == ')' || c == ']' || c == '}';
    if (closes) --depth;
    const bool ends = closes && depth == 0;
    if (ends || (c == ',' && depth == 1)) {
      const std::string_view part =
          StripAsciiWhitespace(text.substr(begin, i - begin));
      if (parts != nullptr && !part.empty()) {
        parts->push_back(WithoutKeyword(part));
      }
      begin = i + 1;
    }
    if (ends) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

AtomText ReadAtomText(std::string_view text) {
  AtomText read;
  size_t position = 0;
  while (true) {
    const size_t end = PastName(text, position);
    const std::string_view name = text.substr(position, end - position);
    if (name.empty()) return AtomText();
    if (MayBeAtom(name)) {
      read.name = name;
      position = end;
      break;
    }
    read.qualifier = name;
    if (text.substr(end, 2) == "::") {
      position = end + 2;
    } else if (text.substr(end, 1) == ".") {
      position = end + 1;
    } else {
      return AtomText();
    }
  }
  const size_t open = PastSpace(text, position);
  if (open < text.size() && (text[open] == '<' || text[open] == '(')) {
    const size_t end = ReadBracket(text, open, &read.arguments);
    if (end == std::string_view::npos) {
      read.arguments.clear();
    } else {
      position = end;
    }
  }
  if (text.substr(position, 2) == "{}") position += 2;
  read.length = position;
  return read;
}

std::string_view LastName(std::string_view text) {
  if (text.empty() || !IsNameByte(text.back())) return "";
  size_t begin = text.size();
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::vector<int64_t> Integers(std::string_view text) {
  std::vector<std::string_view> parts;
  if (!text.empty() && (text[0] == '(' || text[0] == '[')) {
    ReadBracket(text, 0, &parts);
  } else {
    parts.push_back(text);
  }
  std::vector<int64_t> integers;
  for (std::string_view part : parts) {
    if (ConsumePrefix(&part, "Int<")) ConsumeSuffix(&part, ">");
    part = LastName(part);
    if (!ConsumePrefix(&part, "_")) ConsumePrefix(&part, "x");
    int64_t value;
    if (part.empty() || part.size() > 4 ||
        !std::all_of(part.begin(), part.end(), absl::ascii_isdigit) ||
        !absl::SimpleAtoi(AbslView(part), &value)) {
      return {};
    }
    integers.push_back(value);
  }
  return integers;
}

}  // namespace tessera::cute
