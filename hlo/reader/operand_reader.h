// File: hlo/reader/operand_reader.h
//
// Reads the operands between parentheses.
//
//   HloFailure failure;
//   const HloScanner scanner("(%a, f32[2] %b, add(c, d)), dimensions={0}");
//   BracketReader brackets(scanner, &failure);
//   OperandReader reader(scanner, &brackets, &failure);
//   std::vector<HloOperandText> operands, nested;
//   const char* p = scanner.begin();
//   reader.Read(&p, /*first_nested=*/0, &operands, &nested);  // true
//   operands.size();  // 3
//   nested.size();    // 2: c and d
//   *p;               // the comma before `dimensions`

#ifndef TESSERA_HLO_READER_OPERAND_READER_H_
#define TESSERA_HLO_READER_OPERAND_READER_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {
namespace hlo_internal {

class OperandReader {
 public:
  // Describes what fails in `*failure`.
  OperandReader(const HloScanner& scanner, BracketReader* brackets,
                HloFailure* failure)
      : scanner_(scanner), brackets_(*brackets), failure_(failure) {}

  // Reads the list whose opening parenthesis is at `*p`, appends its operands
  // to `operands` and what stands within nested expressions to `nested`, and
  // moves `*p` past the closing parenthesis. HloOperandText::nested_begin
  // counts from entry `first_nested` of `nested`. Returns false on failure;
  // then the vectors hold what was read until then.
  bool Read(const char** p, size_t first_nested,
            std::vector<HloOperandText>* operands,
            std::vector<HloOperandText>* nested);

 private:
  // A nested expression whose list is open: an operand with operands of its
  // own.
  struct OpenExpression {
    bool is_nested;  // in nested_, else in operands_
    size_t index;
  };

  // Sets `*opens_list` if `*p` is now in the list of a nested expression.
  bool ReadOperand(const char** p, bool* opens_list);
  // Reads an operand that is nothing but `%name`; most are. Returns nullptr if
  // it is something else.
  const char* ReadPlainName(const char* begin);
  bool ReadTuplePath(const char** p, const char** past,
                     HloOperandText* operand);
  bool Open(const char* begin, const HloOperandText& operand);
  void Close(const char* past);
  std::vector<HloOperandText>& list() {
    return open_.empty() ? *operands_ : *nested_;
  }
  bool Expected(std::string_view what, const char* at) {
    *failure_ = scanner_.Expected(what, at);
    return false;
  }

  const HloScanner& scanner_;
  BracketReader& brackets_;
  HloFailure* const failure_;
  // Of the list that is being read.
  std::vector<HloOperandText>* operands_ = nullptr;
  std::vector<HloOperandText>* nested_ = nullptr;
  size_t first_nested_ = 0;
  std::vector<OpenExpression> open_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_OPERAND_READER_H_
