#include "tessera/hlo/reader/attribute_reader.h"

#include <string_view>
#include <utility>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {
HloBraces AttributeReader::BracesOf(std::string_view key, HloBraces braces) {
  // Values that may contain MLIR's attributes, in MLIR's syntax.
  const bool is_dictionary =
      key == "backend_config" || key == "frontend_attributes";
  return is_dictionary ? HloBraces::kDictionary : braces;
}

AttributeReader::Result AttributeReader::Read(
    const char** p, List* list, std::vector<HloAttribute>* attributes) {
  while (true) {
    HloAttribute attribute;
    const Result result = ReadOne(p, list, &attribute);
    if (result != Result::kClosed || attribute.key.empty()) return result;
    attributes->push_back(attribute);
  }
}

AttributeReader::Result AttributeReader::ReadOne(const char** p, List* list,
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

AttributeReader::Result AttributeReader::ReadKey(const char** p, List* list) {
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

AttributeReader::Result AttributeReader::ReadValue(const char** p, List* list) {
  const HloBraces braces = BracesOf(list->key, list->braces);
  // Brackets around a computation written inline are still open.
  if (brackets_.depth() > list->depth) {
    const Result result = brackets_.Continue(p, list->depth, braces);
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
        result = brackets_.Read(&past, braces);
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

bool AttributeReader::ValueGoesOnAfterComma(const char* comma,
                                            List* list) const {
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

bool AttributeReader::NameEndsValue(const char* p, const char* past_name,
                                    const List& list) const {
  const bool is_bare = *p != '%';
  if (is_bare && HloScanner::IsKeyword(HloScanner::Between(p, past_name))) {
    return true;
  }
  const char* const next = scanner_.PastBlanks(past_name);
  if (next == scanner_.end()) {
    if (IsKnownClosed(list.braces)) return false;
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

AttributeReader::Result AttributeReader::Fail(HloFailure failure) {
  *failure_ = std::move(failure);
  return Result::kFailed;
}

}  // namespace hlo_internal
}  // namespace tessera
