// File: hlo/diff/instruction_matching.h
//
// Which instruction of one module is which of another?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> before = ParseHlo(R"(
//       ENTRY main {
//         x = f32[8,128]{1,0} parameter(0)
//         y = f32[8,128]{1,0} negate(x)
//         ROOT z.7 = f32[8,128]{1,0} add(x, y)
//       })");
//   absl::StatusOr<HloDump> after = ParseHlo(R"(
//       ENTRY main {
//         x = f32[8,128]{1,0} parameter(0)
//         y = f32[8,128]{1,0} negate(x)
//         ROOT z.12 = f32[8,128]{1,0} add(x, y)
//       })");
//   std::vector<InstructionMatch> matches =
//       MatchInstructions(before->modules()[0], after->modules()[0]);
//   matches[2].after->name();                     // "z.12"
//   matches[2].how == DiffMatch::kStructure;      // true
//
// Structure counts before names, which compilers number anew. Two computations
// are compared at a time: the entries first, then those that matched
// instructions call, then those of equal names. Within such a pair, in this
// order, each step with what the steps before it have left:
//
// - instructions with the same expression: opcode, dimensions, op_name and
//   literal are equal, and so are the expressions of all operands and the roots
//   of all called computations;
// - neighbours of matched instructions: operands in the same place, and users,
//   of the same opcode, dimensions and op_name;
// - parameters of the same op_name, then parameters of the same number, and the
//   roots, if their opcodes are equal;
// - instructions of the same opcode, dimensions and op_name, then of the same
//   opcode and op_name, for a partitioner changes dimensions;
// - neighbours of the same opcode and dimensions, whatever their op_name;
// - instructions without op_name, of the same opcode and dimensions;
// - instructions of the same name and opcode;
// - neighbours of the same opcode alone.
//
// So a layer that is removed is gone as a whole: its op_name says which it was.
//
// Then, within the whole module: instructions of the same opcode, dimensions
// and op_name; of the same opcode and op_name; of the same dimensions and
// op_name, for an optimizer changes opcodes. Of several candidates one of the
// same name wins, or else the first. Layouts are never compared: they are what
// a diff reports.

#ifndef TESSERA_HLO_DIFF_INSTRUCTION_MATCHING_H_
#define TESSERA_HLO_DIFF_INSTRUCTION_MATCHING_H_

#include <vector>

#include "absl/types/optional.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

// How an instruction was matched with one of the other module.
enum class DiffMatch {
  kNone,
  // By its expression, or as the neighbour of a matched instruction.
  kStructure,
  kName,
  // By opcode, dimensions and op_name, or by all but one of these.
  kSignature,
};

struct InstructionMatch {
  // nullopt: only the other module has it.
  absl::optional<HloInstruction> before;
  absl::optional<HloInstruction> after;
  DiffMatch how = DiffMatch::kNone;
};

// Returns every instruction of both modules once: those of `before` in the
// order of the text, then those that only `after` has. Takes linear time.
std::vector<InstructionMatch> MatchInstructions(HloModule before,
                                                HloModule after);

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_INSTRUCTION_MATCHING_H_
