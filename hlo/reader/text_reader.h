// File: hlo/reader/text_reader.h
//
// Reads HLO text and passes its parts to a handler. For hlo/hlo_reader.h.
//
//   HloCounts counts = TextReader(text, &shapes, &handler).Read();
//
// How it works. One position moves over the text. Open computations form a
// stack, as a rule one deep: a computation written inline as an attribute's
// value opens above the one whose instruction has the attribute, and that
// instruction waits. Operands and attributes of all of them share one vector
// each, so that reading an instruction allocates nothing.
//
// A function that meets what it cannot read notes it in failure_ and returns
// false. The loop that began the item reports that and looks for the next item
// from the line after the failed one's first: what is wrong is often a quote or
// a bracket that swallowed lines. The size of the text bounds how much may be
// read again.

#ifndef TESSERA_HLO_READER_TEXT_READER_H_
#define TESSERA_HLO_READER_TEXT_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/attribute_reader.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/diagnostic_maker.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/reader/operand_reader.h"

namespace tessera {
namespace hlo_internal {

class TextReader {
 public:
  // All of these must outlive the reader.
  TextReader(std::string_view text, HloShapeTable* shapes, HloHandler* handler)
      : scanner_(text),
        brackets_(scanner_, &failure_),
        attribute_reader_(scanner_, &brackets_, &failure_),
        operand_reader_(scanner_, &brackets_, &failure_),
        diagnostics_(text),
        shapes_(shapes),
        handler_(handler),
        position_(scanner_.begin()),
        delivered_end_(scanner_.begin()),
        rescan_budget_(2 * static_cast<int64_t>(text.size())) {}
  TextReader(const TextReader&) = delete;
  TextReader& operator=(const TextReader&) = delete;

  // Reads the text until it ends or the handler has enough. Call it once.
  HloCounts Read();

 private:
  using Result = BracketReader::Result;

  struct OpenComputation {
    HloComputationText computation;
    // Instructions that stand in no computation make one of their own, which is
    // announced with the first of them and closed by whatever comes.
    bool is_implicit = false;
    bool is_announced = false;
    // How much of the common vectors belongs to the computations below.
    size_t operands = 0;
    size_t nested_operands = 0;
    size_t attributes = 0;
    // The instruction being read.
    HloInstructionText instruction;
    const char* instruction_begin = nullptr;
    const char* attributes_begin = nullptr;
    AttributeReader::List list;
  };

  // Each reads or skips one item. Returns false at the end of the text.
  bool ReadOutsideComputation();
  void ReadInComputation();

  void ReadModule();
  void ReadFrameTable();
  bool ReadComputationHeader();
  OpenComputation& Open();
  void OpenInlineComputation();
  void CloseComputation();
  // Ends every open computation; none of them is closed.
  void LeaveComputations();
  void EndComputation(absl::Span<const HloAttribute> attributes);
  void AnnounceModule();
  void AnnounceComputations();

  // The name, or what stands in its place, comes after ROOT if that is there;
  // `past_name` is null if it is not a name.
  void ReadInstruction(const char* name, const char* past_name);
  bool ReadInstructionToOperands(const char* name, const char* past_name);
  bool ReadKnownShape(const char** p, HloInstructionText* instruction);
  // Moves `*p`, at the parenthesis of a parameter or constant, past what it
  // opens.
  bool ReadLiteral(const char** p);
  // Ends the instruction, or opens a computation written inline, after which
  // the attributes go on.
  void ReadInstructionAttributes();
  void Deliver();
  void ForgetInstruction();

  bool Fail(HloFailure failure);
  bool Expected(std::string_view what, const char* at) {
    return Fail(scanner_.Expected(what, at));
  }
  void Report(const char* at, std::string_view message);
  // Reports failure_ and moves on from the item that began at `begin`.
  void SkipFailedItem(const char* begin);
  bool LineStartsItem(const char* p) const;

  const HloScanner scanner_;
  HloFailure failure_;
  BracketReader brackets_;
  AttributeReader attribute_reader_;
  OperandReader operand_reader_;
  DiagnosticMaker diagnostics_;
  HloShapeTable* const shapes_;
  HloHandler* const handler_;

  const char* position_;
  HloModuleText module_;
  bool module_is_announced_ = false;
  std::vector<HloAttribute> module_attributes_;
  std::vector<OpenComputation> open_;
  std::vector<HloOperandText> operands_;
  std::vector<HloOperandText> nested_operands_;
  std::vector<HloAttribute> attributes_;
  HloCounts counts_;

  // What lies before this was handed over and must not be read again.
  const char* delivered_end_;
  // How many bytes may still be read a second time.
  int64_t rescan_budget_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_TEXT_READER_H_
