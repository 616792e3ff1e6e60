#include "tessera/hlo/reader/plain_instruction.h"

#include <cstring>
#include <vector>

#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/attribute_reader.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {

const char* PlainInstructionReader::Read(
    const char* begin, HloInstructionText* instruction,
    std::vector<HloOperandText>* operands,
    std::vector<HloAttribute>* attributes) {
  // Nothing below looks further than this without asking again.
  constexpr int kLookahead = 8;
  if (scanner_.end() - begin <= kLookahead) return nullptr;
  const char* const end = scanner_.end() - kLookahead;
  const char* p = begin;
  instruction->is_root = std::memcmp(p, "ROOT ", 5) == 0;
  if (instruction->is_root) p += 5;

  const char* past = p == next_item_ ? past_next_name_ : scanner_.PastName(p);
  if (past == nullptr || past >= end || past[-1] == ':' ||
      std::memcmp(past, " = ", 3) != 0) {
    return nullptr;
  }
  instruction->name = HloScanner::BareName(p, past);

  p = ReadShape(past + 3, instruction);
  if (p == nullptr || p >= end) return nullptr;
  past = scanner_.PastIdentifier(p);
  if (past >= end || *past != '(' ||
      !HloScanner::Is(HloScanner::kIdentifierStart, *p)) {
    return nullptr;
  }
  instruction->opcode = HloScanner::Between(p, past);

  const char* const operand_text = past + 1;
  if (HloHasLiteral(instruction->opcode)) {
    past = PastLiteral(past);
    if (past == nullptr) return nullptr;
  } else {
    past = ReadOperands(operand_text, operands);
    if (past == nullptr) return nullptr;
  }
  instruction->operand_text = HloScanner::Between(operand_text, past - 1);

  const char* const attributes_text = past;
  while (past < end && *past == ',') {
    if (past[1] != ' ') return nullptr;
    const char* const key = past + 2;
    HloAttribute attribute;
    attribute.key = scanner_.WordAt(key);
    const char* const past_key = key + attribute.key.size();
    if (past_key == key || past_key >= end || *past_key != '=') return nullptr;
    past = PastValue(past_key + 1, attribute.key);
    if (past == nullptr) return nullptr;
    attribute.value = HloScanner::Between(past_key + 1, past);
    attributes->push_back(attribute);
  }
  if (past >= end || *past != '\n') return nullptr;
  instruction->attributes_text = HloScanner::Between(attributes_text, past);
  return EndsInstruction(past + 1) && !scanner_.has_seen_end() ? past : nullptr;
}

const char* PlainInstructionReader::ReadShape(
    const char* p, HloInstructionText* instruction) const {
  const char* const past =
      *p == '(' ? brackets_.PastPlainBracket(p, HloBraces::kTokens)
                : scanner_.Find<ByteIndex::kSpace>(p);
  // A brace behind the blank would be the layout.
  if (past == nullptr || !scanner_.Sees(past, ' ') ||
      scanner_.Sees(past + 1, '{')) {
    return nullptr;
  }
  const absl::string_view text = HloScanner::Between(p, past);
  const int64_t index = shapes_.Find(text);
  if (index < 0) return nullptr;
  instruction->shape_text = text;
  instruction->shape_index = index;
  instruction->shape = &shapes_.shape(index);
  return past + 1;
}

const char* PlainInstructionReader::PastLiteral(const char* bracket) const {
  // A number, as a rule.
  const char* past = scanner_.PastIdentifier(bracket + 1);
  if (scanner_.Sees(past, ')')) return past + 1;
  past = brackets_.PastPlainBracket(bracket, HloBraces::kTokens);
  // White space round it would have to go.
  return past == nullptr || past[-2] == ' ' || bracket[1] == ' ' ? nullptr
                                                                 : past;
}

const char* PlainInstructionReader::ReadOperands(
    const char* p, std::vector<HloOperandText>* operands) const {
  if (scanner_.Sees(p, ')')) return p + 1;
  while (true) {
    if (!scanner_.Sees(p, '%')) return nullptr;
    const char* const past = scanner_.PastIdentifier(p + 1);
    if (past == p + 1 || scanner_.IsEnd(past)) return nullptr;
    operands->emplace_back();
    operands->back().text = HloScanner::Between(p, past);
    operands->back().name = HloScanner::Between(p + 1, past);
    if (*past == ')') return past + 1;
    if (*past != ',' || !scanner_.Sees(past + 1, ' ')) return nullptr;
    p = scanner_.PastIndexComment(past + 2);
  }
}

const char* PlainInstructionReader::PastValue(const char* p,
                                              absl::string_view key) const {
  const char* past = nullptr;
  switch (*p) {
    case '{':
      past = brackets_.PastPlainBracket(
          p, AttributeReader::BracesOf(key, HloBraces::kTokensOrComputation));
      break;
    case '"':
      past = scanner_.PastString(p);
      break;
    default:
      past = scanner_.PastIdentifier(p + (*p == '%'));
      // Any other value, `[2,4]<=[8]`, goes on where a name ends; and
      // `mesh[..], device_ids=(..)` behind the comma, but not behind a name.
      if (past == p || HloScanner::IsKeyword(HloScanner::Between(p, past))) {
        return nullptr;
      }
  }
  if (past == nullptr || scanner_.IsEnd(past)) return nullptr;
  return *past == ',' || *past == '\n' ? past : nullptr;
}

bool PlainInstructionReader::EndsInstruction(const char* p) {
  p = scanner_.PastBlanks(p);
  if (scanner_.IsEnd(p)) return false;
  if (*p == '}') return true;
  const char* const past = scanner_.PastName(p);
  constexpr int kLookahead = 3;
  if (past == nullptr || scanner_.end() - past < kLookahead) return false;
  next_item_ = p;
  past_next_name_ = past;
  return std::memcmp(past, " = ", kLookahead) == 0 ||
         HloScanner::Between(p, past) == "ROOT";
}

}  // namespace tessera
