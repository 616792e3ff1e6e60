// File: hlo/reader/plain_instruction.h
//
// Reads an instruction that stands just as XLA prints one: for
// hlo/reader/window_reader.h.
//
// A dump is nearly nothing but lines such as
//
//   %name = f32[2]{0} opcode(%a, %b), key=value, key={value}
//
// with one blank in each of these places and none in others, a shape that was
// seen before, and the next instruction or a brace on the next line. Read in
// one go, they take about two thirds of the time that the grammar takes, which
// allows comments, blanks and line breaks between any two tokens. What is read
// so is what the grammar would have read.

#ifndef TESSERA_HLO_READER_PLAIN_INSTRUCTION_H_
#define TESSERA_HLO_READER_PLAIN_INSTRUCTION_H_

#include <vector>

#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/hlo_scanner.h"

namespace tessera {

class PlainInstructionReader {
 public:
  PlainInstructionReader(const HloScanner& scanner,
                         const BracketReader& brackets,
                         const HloShapeTable& shapes)
      : scanner_(scanner), brackets_(brackets), shapes_(shapes) {}

  // Reads the instruction at `begin` and returns where it ends, its operands
  // and attributes put behind those in the vectors; or returns nullptr if it is
  // not plain, with nothing else said of it and the vectors as they please.
  const char* Read(const char* begin, HloInstructionText* instruction,
                   std::vector<HloOperandText>* operands,
                   std::vector<HloAttribute>* attributes);

  // The text has moved.
  void Forget() { next_item_ = nullptr; }

 private:
  const char* ReadShape(const char* p, HloInstructionText* instruction) const;
  // Past the bracket round a literal.
  const char* PastLiteral(const char* bracket) const;
  const char* ReadOperands(const char* p,
                           std::vector<HloOperandText>* operands) const;
  const char* PastValue(const char* p, absl::string_view key) const;
  // Whether an item begins at `p` before which an instruction ends.
  bool EndsInstruction(const char* p);

  const HloScanner& scanner_;
  const BracketReader& brackets_;
  const HloShapeTable& shapes_;
  // The item behind the last instruction, and where its name ends: that was
  // looked for already.
  const char* next_item_ = nullptr;
  const char* past_next_name_ = nullptr;
};

}  // namespace tessera

#endif  // TESSERA_HLO_READER_PLAIN_INSTRUCTION_H_
