#include "tessera/hlo/reader/hlo_scanner.h"

#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"

namespace tessera {
namespace hlo_internal {

const char* HloScanner::PastBlanksAndComments(const char* p,
                                              const char* end) const {
  while (p != end) {
    if (Is(kBlank, *p)) {
      ++p;
    } else if (*p != '/') {
      return p;
    } else if (end - p < 2) {
      return p;
    } else if (p[1] == '/') {
      p += 2;
      while (p != end && *p != '\n' && *p != '\r') ++p;
    } else if (p[1] == '*') {
      if (endless_comment_ != nullptr && p >= endless_comment_) {
        return p;
      }
      const size_t size = Between(p + 2, end).find("*/");
      if (size == std::string_view::npos) {
        if (end == end_) endless_comment_ = p;
        return p;
      }
      p += size + 4;
    } else {
      return p;
    }
  }
  return p;
}

const char* HloScanner::PastIndexComment(const char* p) const {
  constexpr std::string_view kBegin = "/*index=";
  // Numbers are never longer.
  constexpr size_t kLongest = kBegin.size() + 20 + 2;
  std::string_view text = Between(p, end_).substr(0, kLongest);
  if (!ConsumePrefix(&text, kBegin)) return p;
  while (!text.empty() && absl::ascii_isdigit(text.front())) {
    text.remove_prefix(1);
  }
  return ConsumePrefix(&text, "*/") ? text.data() : p;
}

const char* HloScanner::ClosingQuote(const char* open) const {
  const char* close = open;
  while (true) {
    close = *open == '"' ? Find<ByteIndex::kQuote>(close + 1)
                         : FindByte('\'', close + 1);
    if (close == end_) return close;
    const char* escape = close;
    while (escape[-1] == '\\') --escape;
    if ((close - escape) % 2 == 0) return close;
  }
}

const char* HloScanner::PastString(const char* open) const {
  const char* const close = ClosingQuote(open);
  if (close == end_) return nullptr;
  const char* const past = close + 1;
  if (past != end_ && !Is(kAfterString, *past) &&
      std::memchr(open, '\n', close - open) != nullptr) {
    return nullptr;
  }
  return past;
}

bool HloScanner::StartsInstruction(const char* p, const char* end) const {
  const char* past_name = PastName(p, end);
  if (past_name != nullptr && Between(p, past_name) == "ROOT") {
    p = PastBlanks(past_name, end);
    past_name = PastName(p, end);
  }
  if (past_name == nullptr) return false;
  const char* q = PastBlanks(past_name, end);
  if (q == end || *q != '=') return false;
  // `x=` is the name of an attribute, `%x=` is not.
  if (q == past_name && *p != '%') return false;
  q = PastBlanks(q + 1, end);
  if (q == end) return false;
  if (*q == '(') return true;
  if (!Is(kIdentifierStart, *q)) return false;
  q = PastBlanks(PastIdentifier(q, end), end);
  return q != end && (*q == '[' || *q == '(');
}

bool HloScanner::StartsShape(const char* p) const {
  if (p == end_) return false;
  if (*p == '(') return true;
  const std::string_view word = WordAt(p);
  if (word.empty()) return false;
  p = PastBlanks(p + word.size());
  if (p == end_) return false;
  if (*p == '[') return true;
  if (*p != '(' || word != "b") return false;
  // It is b(f32[2]), not the computation b (x: f32[2]) -> f32[2] {
  p = PastBlanks(p + 1);
  p = PastBlanks(PastIdentifier(p));
  return p != end_ && *p == '[';
}

bool HloScanner::StartsComputation(const char* p, const char* end) const {
  p = PastName(p, end);
  if (p == nullptr || p[-1] == ':') return false;
  p = PastBlanks(p, end);
  if (p == end) return false;
  if (*p != '(') return *p == '{';
  p = PastBlanks(p + 1, end);
  if (p == end) return false;
  if (*p == ')' || *p == '(' || *p == '%') return true;
  p = PastName(p, end);
  if (p == nullptr || p[-1] == ':') return p != nullptr;
  p = PastBlanks(p, end);
  return p != end && StartsShape(p);
}

bool HloScanner::StartsItem(const char* p, const char* end) const {
  if (p == end) return false;
  return *p == '}' || IsKeyword(Between(p, PastIdentifier(p, end))) ||
         StartsInstruction(p, end) || StartsComputation(p, end);
}

HloFailure HloScanner::Expected(std::string_view what, const char* p) const {
  const char* const next = StartsInstruction(p) ? p : nullptr;
  const std::string found = next == nullptr
                                ? Cursor(Between(p, end_)).DescribeNextToken()
                                : "the next instruction";
  // The place of a missing item is the place where it should be.
  const char* const at = next != nullptr || p == end_ ? BeforeBlanks(p) : p;
  return {at, StrCat("expected ", what, ", found ", found), p, next};
}

bool HloScanner::IsFrameTable(std::string_view word) {
  return word == "FileNames" || word == "FunctionNames" ||
         word == "FileLocations" || word == "StackFrames";
}

bool HloScanner::IsKeyword(std::string_view word) {
  // Upper case is rare.
  if (word.empty() || word.front() < 'A' || word.front() > 'Z') return false;
  return word == "ROOT" || word == "ENTRY" || word == "HloModule" ||
         IsFrameTable(word);
}

}  // namespace hlo_internal
}  // namespace tessera
