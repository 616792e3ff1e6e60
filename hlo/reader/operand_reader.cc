#include "tessera/hlo/reader/operand_reader.h"

#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {

bool OperandReader::Read(const char** position, size_t first_nested,
                         std::vector<HloOperandText>* operands,
                         std::vector<HloOperandText>* nested) {
  operands_ = operands;
  nested_ = nested;
  first_nested_ = first_nested;
  open_.clear();
  const char* p = *position + 1;
  const char* last_operand = p;
  bool after_comma = false;
  while (true) {
    p = scanner_.PastBlanks(p);
    if (!scanner_.Sees(p, ')')) {
      last_operand = p;
      bool opens_list = false;
      if (!ReadOperand(&p, &opens_list)) return false;
      after_comma = false;
      if (opens_list) continue;
    } else if (after_comma) {
      return Expected("an operand", p);
    }
    // Past what closes behind the operand.
    for (p = scanner_.PastBlanks(p); scanner_.Sees(p, ')');
         p = scanner_.PastBlanks(p)) {
      ++p;
      if (open_.empty()) {
        *position = p;
        return true;
      }
      Close(p);
    }
    if (scanner_.Sees(p, '=')) return Expected("an operand", last_operand);
    if (!scanner_.Sees(p, ',')) return Expected("',' or ')'", p);
    ++p;
    after_comma = true;
  }
}

const char* OperandReader::ReadPlainName(const char* begin) {
  if (!scanner_.Sees(begin, '%')) return nullptr;
  const char* const past = scanner_.PastIdentifier(begin + 1);
  if (past == begin + 1 ||
      !(scanner_.Sees(past, ',') || scanner_.Sees(past, ')'))) {
    return nullptr;
  }
  HloOperandText& operand = list().emplace_back();
  operand.text = HloScanner::Between(begin, past);
  operand.name = HloScanner::Between(begin + 1, past);
  return past;
}

bool OperandReader::ReadOperand(const char** position, bool* opens_list) {
  const char* const begin = *position;
  if (const char* const past_name = ReadPlainName(begin)) {
    *position = past_name;
    return true;
  }
  HloOperandText operand;
  const char* p = begin;
  const char* past = begin;  // of the operand as far as it is read
  if (scanner_.StartsShape(p)) {
    if (!brackets_.ReadShape(&past, /*body_may_follow=*/false)) return false;
    operand.shape_text = HloScanner::Between(begin, past);
    p = scanner_.PastBlanks(past);
  }
  const char* const past_name = scanner_.PastName(p);
  // `...(+3)` and numbers are not names.
  const char* next =
      past_name == nullptr ? scanner_.PastIdentifier(p) : past_name;
  if (next != p) past = next;
  const std::string_view word = HloScanner::Between(p, next);
  next = scanner_.PastBlanks(next);
  if (scanner_.Sees(next, '(') && past_name != nullptr && *p != '%') {
    operand.opcode = word;
    if (!HloHasLiteral(word)) {
      *opens_list = true;
      *position = next + 1;
      return Open(begin, operand);
    }
  }
  if (scanner_.Sees(next, '(') || scanner_.Sees(next, '{')) {
    if (!brackets_.ReadClosed(&next)) return false;
    past = next;
  } else if (past_name != nullptr) {
    operand.name = HloScanner::BareName(p, past_name);
    if (!ReadTuplePath(&next, &past, &operand)) return false;
  }
  if (past == begin) return Expected("an operand", begin);
  operand.text = HloScanner::Between(begin, past);
  list().push_back(operand);
  *position = past;
  return true;
}

bool OperandReader::ReadTuplePath(const char** p, const char** past,
                                  HloOperandText* operand) {
  const char* const path = *p;
  while (scanner_.Sees(*p, '#')) {
    const char* const index = scanner_.PastBlanks(*p + 1);
    *past = index;
    while (*past != scanner_.end() && absl::ascii_isdigit(**past)) ++*past;
    if (*past == index) return Expected("an index after '#'", index);
    operand->tuple_path = HloScanner::Between(path, *past);
    *p = scanner_.PastBlanks(*past);
  }
  return true;
}

bool OperandReader::Open(const char* begin, const HloOperandText& operand) {
  if (brackets_.depth() + open_.size() >= BracketReader::kNestingLimit) {
    *failure_ = BracketReader::TooDeep(begin);
    return false;
  }
  std::vector<HloOperandText>& operands = list();
  open_.push_back({!open_.empty(), operands.size()});
  operands.push_back(operand);
  // Close() knows the end.
  operands.back().text = HloScanner::Between(begin, begin);
  operands.back().nested_begin = nested_->size() - first_nested_;
  return true;
}

void OperandReader::Close(const char* past) {
  const auto [is_nested, index] = open_.back();
  open_.pop_back();
  HloOperandText& operand = (is_nested ? *nested_ : *operands_)[index];
  operand.text = HloScanner::Between(operand.text.data(), past);
  operand.nested_count = nested_->size() - first_nested_ - operand.nested_begin;
}

}  // namespace hlo_internal
}  // namespace tessera
