// File: hlo/for_each_instruction.h
//
// Every instruction of a dump that is larger than memory, or comes from a pipe.
//
//   int64_t dots = 0;
//   absl::StatusOr<HloCounts> counts = ForEachInstruction(
//       STDIN_FILENO, [&dots](const HloInstructionText& instruction) {
//         dots += instruction.opcode == "dot";
//         return true;  // go on
//       });
//   counts->instructions;
//
// What is handed over is what ReadHlo (hlo/hlo_reader.h) hands over, operands
// as text: names are not resolved. Memory holds the longest instruction, twice,
// and less than a megabyte, however long the dump. gzip is unpacked on the way.

#ifndef TESSERA_HLO_FOR_EACH_INSTRUCTION_H_
#define TESSERA_HLO_FOR_EACH_INSTRUCTION_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/byte_source.h"
#include "tessera/hlo/hlo_counts.h"
#include "tessera/hlo/hlo_handler.h"

namespace tessera {

// The views, and everything that the instruction points to, hold during the
// call. Returns whether to go on.
using HloInstructionVisitor =
    absl::FunctionRef<bool(const HloInstructionText&)>;

struct HloStreamOptions {
  // How much is read at a time, in bytes; at least 1.
  size_t window_bytes = 1 << 18;
  // A longer instruction, which a quote without its other end makes of all the
  // text behind it, is reported as one that cannot be read, and skipped.
  size_t max_instruction_bytes = size_t{1} << 28;
  // Is told everything else: modules, computations, diagnostics; and the
  // instructions, before the visitor. Not told of frame tables.
  HloHandler* handler = nullptr;
  // If there is one, is told after every window how many bytes of the file are
  // behind it.
  std::function<void(int64_t)> progress;
};

// Returns what was read, up to where the visitor stopped.
//
// Errors: those of ByteSource::Read. What is wrong with the text is no error:
// HloCounts::diagnostics counts it, and the handler is told.
absl::StatusOr<HloCounts> ForEachInstruction(
    ByteSource* source, HloInstructionVisitor visit,
    const HloStreamOptions& options = {});

// The same from a file descriptor, which stays the caller's; and from memory,
// without a copy unless it is gzip's.
absl::StatusOr<HloCounts> ForEachInstruction(
    int file_descriptor, HloInstructionVisitor visit,
    const HloStreamOptions& options = {});
absl::StatusOr<HloCounts> ForEachInstruction(
    absl::string_view text, HloInstructionVisitor visit,
    const HloStreamOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_FOR_EACH_INSTRUCTION_H_
