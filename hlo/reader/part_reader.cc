#include "tessera/hlo/reader/part_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_handler.h"
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

bool PartReader::MayNest(const char* p, size_t others) {
  constexpr size_t kNestingLimit = 8192;
  if (open_.size() + others < kNestingLimit) return true;
  Fail({p, StrCat("brackets nested deeper than ", kNestingLimit), p});
  return false;
}

PartReader::Result PartReader::FailUnclosed(const char* open,
                                            const char* reached,
                                            const char* next) {
  return Fail(
      {open,
       StrCat("'", std::string_view(open, 1), "' is not closed before ",
              next == nullptr ? "the text ends" : "the next instruction"),
       reached, next});
}

const char* PartReader::InstructionOnLine(const char* line) const {
  const char* const end = scanner_.PastLine(line, scanner_.end());
  const char* const item = scanner_.PastBlanks(line, end);
  return scanner_.StartsInstruction(item, end) ? item : nullptr;
}

const char* PartReader::PastPlainBracket(const char* bracket,
                                         HloBraces braces) const {
  if (*bracket == '{' && braces.are_dictionary) {
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
          return *p != '{' || !braces.may_be_computation ||
                 !MayStartInstruction(p + 1);
        }
        if ((open & 3) != kind) return false;
        open >>= 2;
        if (open == 0) last = p;
        return open != 0;
      });
  return last == nullptr ? nullptr : last + 1;
}

bool PartReader::MayStartInstruction(const char* p) const {
  if (p == scanner_.end()) return false;
  if (HloScanner::Is(HloScanner::kBlank, *p) || *p == '%') return true;
  const char* const past = scanner_.PastIdentifier(p);
  // No instruction begins with `key=`, `{0,1}` or `{devices=`.
  return past == scanner_.end() ||
         (past != p && (HloScanner::Is(HloScanner::kBlank, *past) ||
                        *past == ':' || *past == '/'));
}

PartReader::Result PartReader::ReadBracket(const char** p, HloBraces braces) {
  if (const char* past = PastPlainBracket(*p, braces)) {
    *p = past;
    return Result::kClosed;
  }
  const size_t depth = open_.size();
  const Result result = Open(p, braces);
  return result == Result::kClosed ? Continue(p, depth, braces) : result;
}

PartReader::Result PartReader::Open(const char** p, HloBraces braces) {
  const bool is_brace = **p == '{';
  if (is_brace && braces.are_dictionary) return ReadDictionary(p);
  if (!MayNest(*p)) return Result::kFailed;
  open_.push_back((*p)++);
  if (is_brace && braces.may_be_computation &&
      scanner_.StartsInstruction(scanner_.PastBlanks(*p))) {
    return Result::kComputation;
  }
  return Result::kClosed;
}

PartReader::Result PartReader::ReadDictionary(const char** position) {
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

PartReader::Result PartReader::Continue(const char** position, size_t depth,
                                        HloBraces braces) {
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
          return Fail(
              scanner_.Expected(StrCat("'", std::string(1, expected), "'"), p));
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
        if (braces.are_closed) break;
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

bool PartReader::ReadShape(const char** position, bool body_may_follow) {
  const char* p = *position;
  // A tuple begins with its bracket, any other shape with a word before it.
  if (*p != '(') {
    p = scanner_.PastBlanks(scanner_.PastIdentifier(p));
  }
  const bool may_have_layout = *p == '[';
  if (!ReadBracket(&p)) return false;
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
  if (!ReadBracket(&p)) return false;
  *position = p;
  return true;
}

PartReader::Result PartReader::ReadAttributes(
    const char** p, List* list, std::vector<HloAttribute>* attributes) {
  while (true) {
    HloAttribute attribute;
    const Result result = ReadAttribute(p, list, &attribute);
    if (result != Result::kClosed || attribute.key.empty()) return result;
    attributes->push_back(attribute);
  }
}

PartReader::Result PartReader::ReadAttribute(const char** p, List* list,
                                             HloAttribute* attribute) {
  attribute->key = std::string_view();
  // A key that is already there was read before an inline computation.
  if (list->key.empty()) {
    const char* const comma = scanner_.PastBlanks(*p);
    if (!scanner_.Sees(comma, ',')) return Result::kClosed;
    if (list->comma == comma) {
      list->key = list->next_key;
      list->value_begin = nullptr;
      *p = list->key.data() + list->key.size() + 1;
    } else {
      *p = comma + 1;
      const Result result = ReadKey(p, list);
      if (result != Result::kClosed || list->key.empty()) return result;
    }
  }
  const Result result = ReadValue(p, list);
  if (result != Result::kClosed) return result;
  attribute->key = list->key;
  attribute->value = list->value_begin == nullptr
                         ? std::string_view()
                         : HloScanner::Between(list->value_begin, *p);
  list->key = std::string_view();
  return Result::kClosed;
}

PartReader::Result PartReader::ReadKey(const char** p, List* list) {
  const char* const begin = scanner_.PastBlanks(*p);
  if (begin == scanner_.end()) {
    return Fail(scanner_.Expected("an attribute", begin));
  }
  const std::string_view key = scanner_.WordAt(begin);
  const char* equals = begin + key.size();
  if (key.empty() || !scanner_.Sees(equals, '=')) {
    // Tools that remove attributes leave their commas.
    if (scanner_.StartsItem(begin)) return Result::kClosed;
    equals = scanner_.PastBlanks(equals);
    if (key.empty() || !scanner_.Sees(equals, '=')) {
      return Fail(scanner_.Expected("an attribute", begin));
    }
  }
  list->key = key;
  list->value_begin = nullptr;
  *p = equals + 1;
  return Result::kClosed;
}

PartReader::Result PartReader::ReadValue(const char** p, List* list) {
  HloBraces braces = list->braces;
  if (list->key == "backend_config" || list->key == "frontend_attributes") {
    // They may contain MLIR's attributes, in MLIR's syntax.
    braces = HloBraces();
    braces.are_dictionary = true;
  }
  // Brackets around a computation written inline are still open.
  if (open_.size() > list->depth) {
    const Result result = Continue(p, list->depth, braces);
    if (result != Result::kClosed) return result;
  }
  while (true) {
    const char* const token = scanner_.PastBlanks(*p);
    if (token == scanner_.end()) return Result::kClosed;
    const char* past = token + 1;
    Result result = Result::kClosed;
    switch (*token) {
      case ',':
        if (!ValueGoesOnAfterComma(token, list)) return Result::kClosed;
        break;
      case '}':
        return Result::kClosed;
      case '(':
      case '[':
      case '{':
        past = token;
        result = ReadBracket(&past, braces);
        break;
      case '"':
      case '\'':
        past = scanner_.PastString(token);
        if (past == nullptr) return Fail(scanner_.EndlessString(token));
        break;
      case ')':
      case ']':
      case '\\':
        return Fail(scanner_.Expected("a value", token));
      case '/':
        if (scanner_.StartsBlockComment(token)) {
          return Fail(scanner_.EndlessComment(token));
        }
        break;
      default:
        if (*token != '%' && !HloScanner::Is(HloScanner::kIdentifier, *token))
          break;
        past = scanner_.PastIdentifier(past);
        if (NameEndsValue(token, past, *list)) return Result::kClosed;
    }
    if (result == Result::kFailed) return result;
    if (list->value_begin == nullptr) list->value_begin = token;
    *p = past;
    if (result == Result::kComputation) return result;
  }
}

bool PartReader::ValueGoesOnAfterComma(const char* comma, List* list) const {
  const char* const p = scanner_.PastBlanks(comma + 1);
  const std::string_view word = scanner_.WordAt(p);
  if (!word.empty() && scanner_.Sees(p + word.size(), '=')) {
    if (word == "device_ids" && list->value_begin != nullptr &&
        scanner_.WordAt(list->value_begin) == "mesh") {
      return true;
    }
    list->comma = comma;
    list->next_key = word;
    return false;
  }
  return p != scanner_.end() && !scanner_.StartsItem(p);
}

bool PartReader::NameEndsValue(const char* p, const char* past_name,
                               const List& list) const {
  const bool is_bare = *p != '%';
  if (is_bare && HloScanner::IsKeyword(HloScanner::Between(p, past_name))) {
    return true;
  }
  const char* const next = scanner_.PastBlanks(past_name);
  if (next == scanner_.end()) {
    if (list.braces.are_closed) return false;
    // It is the name of an instruction that is cut off.
    const char* const before = scanner_.BeforeBlanks(p);
    return list.value_begin != nullptr &&
           StrContains(HloScanner::Between(before, p), '\n');
  }
  if (*next == '=') return !is_bare || next != past_name;
  // `to_apply=add` and `[8]T(1,0)`: names that belong to the value.
  if (list.value_begin == nullptr || p[-1] == ']') return false;
  return (*next == '{' || *next == '(') &&
         scanner_.StartsComputation(p, scanner_.end());
}

}  // namespace hlo_internal
}  // namespace tessera
