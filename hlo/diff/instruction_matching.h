// Matches the instructions of one module with those of another.
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
// Structure counts before names, since compilers renumber names. Computations
// are compared in pairs: first the entries, then those that matched
// instructions call, then those of equal names. Within a pair, these steps
// apply in order, each to the instructions that the earlier steps left:
//
// - instructions with the same expression: opcode, dimensions, op_name and
//   literal are equal, and so are the expressions of all operands and the roots
//   of all called computations;
// - neighbours of matched instructions: operands in the same place, and users,
//   of the same opcode, dimensions and op_name;
// - parameters of the same op_name, then parameters of the same number, and the
//   roots, if their opcodes are equal;
// - instructions of the same opcode, dimensions and op_name, then of the same
//   opcode and op_name, since a partitioner changes dimensions;
// - neighbours of the same opcode and dimensions, whatever their op_name;
// - instructions without op_name, of the same opcode and dimensions;
// - instructions of the same name and opcode;
// - neighbours of the same opcode.
//
// So a removed layer vanishes as a whole: its op_name identifies it.
//
// Then, within the whole module: instructions of the same opcode, dimensions
// and op_name; of the same opcode and op_name; of the same dimensions and
// op_name, since an optimizer changes opcodes. Among several candidates, one
// with the same name wins, or else the first. Layouts are never compared,
// because they are what a diff reports.
//
// In two dumps of one compilation, names are reliable, because XLA never gives
// the name of one instruction to another. With MatchOptions::are_names_kept,
// instructions of the same name and opcode are matched first, wherever they
// are. Those of the same opcode and dimensions are matched last, because a pass
// that inlines a call changes op_names.

#ifndef TESSERA_HLO_DIFF_INSTRUCTION_MATCHING_H_
#define TESSERA_HLO_DIFF_INSTRUCTION_MATCHING_H_

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

// How an instruction was matched.
enum class DiffMatch {
  kNone,
  // By its expression, or as the neighbour of a matched instruction.
  kStructure,
  kName,
  // By opcode, dimensions and op_name, or by all but one of these.
  kSignature,
};

struct MatchOptions {
  // Whether both modules are from one compilation, so that names count first.
  bool are_names_kept = false;
  // If set, is called now and then. Its first error ends the search, and some
  // instructions are then not matched.
  std::function<absl::Status()> go_on = nullptr;
};

struct InstructionMatch {
  // nullopt if only the other module has it.
  std::optional<HloInstruction> before;
  std::optional<HloInstruction> after;
  DiffMatch how = DiffMatch::kNone;
};

// Returns every instruction of both modules once: those of `before` in the
// order of the text, then those that are only in `after`. Takes linear time.
std::vector<InstructionMatch> MatchInstructions(
    HloModule before, HloModule after, const MatchOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_INSTRUCTION_MATCHING_H_
