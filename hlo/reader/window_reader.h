// File: hlo/reader/window_reader.h
//
// Reads HLO text that comes in pieces: for hlo/hlo_reader.h and
// hlo/for_each_instruction.h.
//
//   WindowReader reader(&shapes, &handler);
//   size_t done = reader.Read(first_4096_bytes, /*is_last=*/false);
//   // what is left of the first, and more
//   done = reader.Read(next_bytes, /*is_last=*/true);
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
// a bracket that swallowed lines. How much may be read again is bounded by the
// size of the text.
//
// Where an item ends depends on what follows. The scanner notes whether anyone
// has looked at the end of the window: then nothing is handed over, and the
// item is read again when there is more.

#ifndef TESSERA_HLO_READER_WINDOW_READER_H_
#define TESSERA_HLO_READER_WINDOW_READER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/attribute_reader.h"
#include "tessera/hlo/reader/bracket_reader.h"
#include "tessera/hlo/reader/diagnostic_maker.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/hlo/reader/plain_instruction.h"

namespace tessera {

class WindowReader {
 public:
  WindowReader(HloShapeTable* shapes, HloHandler* handler)
      : brackets_(scanner_, &failure_),
        attribute_reader_(scanner_, &brackets_, &failure_),
        plain_reader_(scanner_, brackets_, *shapes),
        shapes_(shapes),
        handler_(handler) {}
  WindowReader(const WindowReader&) = delete;
  WindowReader& operator=(const WindowReader&) = delete;

  // Hands over what is certain of `window`, which begins where the last one
  // said that it was done, and returns how many bytes of it are done with.
  // `is_last`: the text ends with the window.
  //
  // Where less than the whole text is read at a time, a handler is not told of
  // frame tables, and views hold during its calls only.
  size_t Read(absl::string_view window, bool is_last);

  // Gives up on the item that the last window holds the beginning of, and
  // skips it as one that cannot be read, because of `message`.
  void GiveUp(absl::string_view message);

  const HloCounts& counts() const { return counts_; }

  // For tests: everything is read by the grammar, which must give the same.
  void DoWithoutPlainReader() { has_plain_reader_ = false; }

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
    // A computation written inline in it was handed over, so that it cannot be
    // read again from its beginning.
    bool is_half_told = false;
    // Its attributes go on at `position_`.
    bool awaits_attributes = false;
  };

  // Each reads or skips one item; false at the end of the window, and where
  // what comes next must be waited for.
  bool ReadItem();
  bool ReadOutsideComputation();
  bool ReadInComputation();
  bool PassBlanks();

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

  // The name, or what stands in its place, is behind ROOT if that is there;
  // `past_name` is null if it is no name.
  void ReadInstruction(const char* name, const char* past_name);
  bool ReadInstructionToOperands(const char* name, const char* past_name);
  bool ReadKnownShape(const char** p, HloInstructionText* instruction);
  bool ReadOperands(const char** p);
  // `*opens_list`: `*p` is in the list of operands of a nested expression.
  bool ReadOperand(const char** p, bool* opens_list);
  bool OpenExpression(const char* begin, const HloOperandText& operand);
  void CloseExpression(const char* past);
  // Reads and delivers an instruction that stands as XLA prints one.
  bool ReadPlainInstruction();
  // Ends the instruction, or opens a computation written inline, after which
  // the attributes go on.
  void ReadInstructionAttributes();
  void Deliver();
  void ForgetInstruction();

  bool PassBrackets(const char** p) {
    return brackets_.Read(p, HloBraces::kTokens) == Result::kClosed;
  }

  // Whether what was read might read otherwise if the window went on; then the
  // item that begins at `begin` is to be read again when it does. To be asked
  // before anything is handed over.
  bool Waits(const char* begin);
  // The same for what is about to be reported at `at`, with the text round it.
  bool WaitsToReport(const char* begin, const char* at);
  void WaitAt(const char* begin);
  bool IsUncertain(const char* reported_at) const;

  // Makes every pointer into the last window one into `window`.
  void MoveTo(absl::string_view window);
  // What is handed over again later, with the window gone.
  absl::string_view Retain(absl::string_view view);
  absl::string_view RetainForModule(absl::string_view view);

  bool Fail(HloFailure failure);
  bool Expected(absl::string_view what, const char* at) {
    return Fail(scanner_.Expected(what, at));
  }
  void Report(const char* at, absl::string_view message);
  // Reports failure_ and moves on from the item that began at `begin`.
  void SkipFailedItem(const char* begin);
  // Moves on to the next line that begins an item, from the line after that of
  // `p`, or from `p` itself; no further than `limit`.
  void SkipLines(const char* p, bool is_line_start, const char* limit);
  bool LineStartsItem(const char* p) const;

  HloScanner scanner_;
  HloFailure failure_;
  BracketReader brackets_;
  AttributeReader attribute_reader_;
  PlainInstructionReader plain_reader_;
  DiagnosticMaker diagnostics_;
  HloShapeTable* const shapes_;
  HloHandler* const handler_;

  absl::string_view window_;
  // Where the next window is to begin.
  const char* kept_ = nullptr;
  bool has_plain_reader_ = true;
  bool is_last_ = true;  // the text ends with the window
  bool is_stream_ = false;
  bool waits_ = false;
  // A failed item is being skipped, and the window ended before the next.
  bool skips_ = false;
  bool skips_from_line_start_ = false;
  // The names and header parts of what is open, in a stream.
  std::deque<std::string> retained_;
  std::deque<std::string> retained_of_module_;

  const char* position_ = nullptr;
  HloModuleText module_;
  bool module_is_announced_ = false;
  std::vector<HloAttribute> module_attributes_;
  std::vector<OpenComputation> open_;
  std::vector<HloOperandText> operands_;
  std::vector<HloOperandText> nested_operands_;
  struct OpenExpressionEntry {
    bool is_nested;  // in nested_operands_, else in operands_
    size_t index;
  };
  std::vector<OpenExpressionEntry> open_expressions_;
  const char* last_operand_ = nullptr;
  std::vector<HloAttribute> attributes_;
  HloCounts counts_;

  // What lies before this was handed over and must not be read again.
  const char* delivered_end_ = nullptr;
  // How many bytes may still be read a second time.
  int64_t rescan_budget_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_HLO_READER_WINDOW_READER_H_
