#include "tessera/hlo/reader/bracket_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {
namespace {

// The upper bits: 1 for parentheses, 2 for square brackets, 3 for braces.
constexpr uint64_t BracketKind(char bracket) {
  return static_cast<uint64_t>(bracket) >> 5;
}

// The lower bits are 0 for '(' and 3 for '[' and '{', but 1 and 5 for closing
// brackets.
constexpr bool IsOpening(char bracket) {
  return (0b1001 >> (bracket & 7) & 1) != 0;
}

char ClosingBracket(char opening) {
  return opening == '(' ? ')' : opening == '[' ? ']' : '}';
}

}  // namespace

BracketReader::Result BracketReader::Fail(HloFailure failure) {
  *failure_ = std::move(failure);
  return Result::kFailed;
}

BracketReader::Result BracketReader::FailUnclosed(const char* open,
                                                  const char* reached,
                                                  const char* next) {
  return Fail(
      {open,
       absl::StrCat("'", AbslView(std::string_view(open, 1)),
                    "' is not closed before ",
                    next == nullptr ? "the text ends" : "the next instruction"),
       reached, next});
}

const char* BracketReader::InstructionOnLine(const char* line) const {
  const char* const end = scanner_.PastLine(line, scanner_.end());
  const char* const item = scanner_.PastBlanks(line, end);
  return scanner_.StartsInstruction(item, end) ? item : nullptr;
}

const char* BracketReader::PastPlainBracket(const char* bracket,
                                            HloBraces braces) const {
  if (*bracket == '{' && braces == HloBraces::kDictionary) {
    int64_t depth = 0;
    const char* last = nullptr;
    scanner_.VisitOutsideStrings<ByteIndex::kBrace>(
        bracket, /*in_dictionary=*/true, [&](const char* p) {
          depth += *p == '{' ? 1 : -1;
          if (depth == 0) last = p;
          return depth > 0;
        });
    return last == nullptr ? nullptr : last + 1;
  }
  // Two bits per level: 1, 2 or 3 for each kind of bracket.
  uint64_t open = 0;
  const char* last = nullptr;
  scanner_.VisitOutsideStrings<ByteIndex::kBracket>(
      bracket, /*in_dictionary=*/false, [&](const char* p) {
        const uint64_t kind = BracketKind(*p);
        if (IsOpening(*p)) {
          if (open >> 62 != 0) return false;
          open = open << 2 | kind;
          return *p != '{' || !MayBeComputation(braces) ||
                 !MayStartInstruction(p + 1);
        }
        if ((open & 3) != kind) return false;
        open >>= 2;
        if (open == 0) last = p;
        return open != 0;
      });
  return last == nullptr ? nullptr : last + 1;
}

bool BracketReader::MayStartInstruction(const char* p) const {
  if (p == scanner_.end()) return false;
  if (HloScanner::Is(HloScanner::kBlank, *p) || *p == '%') return true;
  const char* const past = scanner_.PastIdentifier(p);
  // No instruction begins with `key=`, `{0,1}` or `{devices=`.
  return past == scanner_.end() ||
         (past != p && (HloScanner::Is(HloScanner::kBlank, *past) ||
                        *past == ':' || *past == '/'));
}

BracketReader::Result BracketReader::Read(const char** p, HloBraces braces) {
  if (const char* past = PastPlainBracket(*p, braces)) {
    *p = past;
    return Result::kClosed;
  }
  const size_t depth = open_.size();
  const Result result = Open(p, braces);
  return result == Result::kClosed ? Continue(p, depth, braces) : result;
}

BracketReader::Result BracketReader::Open(const char** p, HloBraces braces) {
  const bool is_brace = **p == '{';
  if (is_brace && braces == HloBraces::kDictionary) return ReadDictionary(p);
  if (open_.size() == kNestingLimit) {
    return Fail(TooDeep(*p));
  }
  open_.push_back((*p)++);
  if (is_brace && MayBeComputation(braces) &&
      scanner_.StartsInstruction(scanner_.PastBlanks(*p))) {
    return Result::kComputation;
  }
  return Result::kClosed;
}

BracketReader::Result BracketReader::ReadDictionary(const char** position) {
  const char* const open = *position;
  int64_t depth = 0;
  const char* p = open;
  do {
    p = scanner_.Find<ByteIndex::kBrace, ByteIndex::kQuote,
                      ByteIndex::kBackslashOrLineBreak>(p);
    if (p == scanner_.end()) return FailUnclosed(open, p, nullptr);
    const char* past = p + 1;
    switch (*p) {
      case '{':
        ++depth;
        break;
      case '}':
        --depth;
        break;
      case '"':
        past = scanner_.PastString(p);
        if (past == nullptr) return Fail(scanner_.EndlessString(p));
        break;
      case '\n':
        if (const char* item = InstructionOnLine(past)) {
          return FailUnclosed(open, p, item);
        }
        break;
      default:  // a backslash, which may have a meaning there
        break;
    }
    p = past;
  } while (depth > 0);
  *position = p;
  return Result::kClosed;
}

BracketReader::Result BracketReader::Continue(const char** position,
                                              size_t depth, HloBraces braces) {
  const char* p = *position;
  while (open_.size() > depth) {
    p = scanner_.Find<ByteIndex::kBracket, ByteIndex::kQuote,
                      ByteIndex::kApostropheOrSlash,
                      ByteIndex::kBackslashOrLineBreak>(p);
    if (p == scanner_.end()) return FailUnclosed(open_.back(), p, nullptr);
    const char* past = p + 1;
    switch (*p) {
      case '(':
      case '[':
      case '{': {
        past = p;
        const Result result = Open(&past, braces);
        if (result != Result::kClosed) {
          *position = past;
          return result;
        }
        break;
      }
      case ')':
      case ']':
      case '}': {
        const char expected = ClosingBracket(*open_.back());
        if (*p != expected) {
          return Fail(scanner_.Expected(
              absl::StrCat("'", std::string(1, expected), "'"), p));
        }
        open_.pop_back();
        break;
      }
      case '"':
      case '\'':
        past = scanner_.PastString(p);
        if (past == nullptr) return Fail(scanner_.EndlessString(p));
        break;
      case '/':
        past = scanner_.PastBlanks(p);
        if (past == p && scanner_.StartsBlockComment(p)) {
          return Fail(scanner_.EndlessComment(p));
        }
        // It is not a comment, so it is an ordinary byte.
        past = std::max(past, p + 1);
        break;
      case '\n':
        if (IsKnownClosed(braces)) break;
        if (const char* item = InstructionOnLine(past)) {
          return FailUnclosed(open_.back(), p, item);
        }
        break;
      default:
        return Fail({p, "'\\' outside a string", p});
    }
    p = past;
  }
  *position = p;
  return Result::kClosed;
}

bool BracketReader::ReadShape(const char** position, bool body_may_follow) {
  const char* p = *position;
  // A tuple begins with its bracket, any other shape with a word before it.
  if (*p != '(') {
    p = scanner_.PastBlanks(scanner_.PastIdentifier(p));
  }
  const bool may_have_layout = *p == '[';
  if (!ReadClosed(&p)) return false;
  *position = p;
  if (!may_have_layout) return true;
  p = scanner_.PastBlanks(p);
  if (p == scanner_.end() || *p != '{') return true;
  if (body_may_follow) {
    const char* first = scanner_.PastBlanks(p + 1);
    const bool is_layout = first != scanner_.end() &&
                           (*first == ':' || absl::ascii_isdigit(*first));
    if (!is_layout) return true;
  }
  if (!ReadClosed(&p)) return false;
  *position = p;
  return true;
}

}  // namespace hlo_internal
}  // namespace tessera
