// Determines how an opcode uses the memory of its operands, and so which arrays
// in the result of an instruction have their own buffer.
//
//   TraitsOf("add").is_elementwise;                   // true
//   TraitsOf("bitcast").flow == OperandFlow::kPart;   // true
//   TraitsOf("while").runs_computations;              // true
//   // e { p = f32[8]{0} parameter(0)
//   //     t = (f32[8]{0}, f32[8]{0}) tuple(p, p)
//   //     ROOT f = f32[8]{0} fusion(p), kind=kLoop, calls=g }
//   RunningComputations(module).contains(g.index());  // false
//   PathsWithoutBuffer(t).has_value();                // false: nothing has one
//   PathsWithoutBuffer(f)->empty();                   // true: everything has

#ifndef TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_
#define TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace hlo_internal {

// How values of the operands become part of an instruction's result.
enum class OperandFlow {
  kNone,  // the whole result is new
  kParameter,
  kPart,   // operand 0, or an element of it, is the result or an element of it
  kTuple,  // operand i is part {i}; the table is new
  kTupleElement,
  kTupleCopy,  // a copy: elements of a tuple stay, its table is new
  kWhile,
  kConditional,
  kCall,
  kStart,  // operands are part {0}; runs a callee, or its own opcode
  kUpdate,
  kDone,  // part {1} of operand 0 is the result
};

struct OpcodeTraits {
  OperandFlow flow = OperandFlow::kNone;
  // Whether the called computations run with their own memory, unlike the
  // inside of a fusion and reducers.
  bool runs_computations = false;
  // For kPart: the elements, or -1 for the whole.
  int8_t result_element = -1;
  int8_t operand_element = -1;
  // The same value as in HloOpcodeFacts.
  bool is_elementwise = false;
};

// Returns the traits as of xla/hlo/ir/hlo_instruction.cc and
// xla/hlo/analysis/hlo_dataflow_analysis.cc, August 2026. The whole result of
// an unknown opcode is new.
OpcodeTraits TraitsOf(std::string_view opcode);

}  // namespace hlo_internal

// Returns the computations of a module, by index(), that run by themselves and
// not inside a fusion or for every element of a reduction. Empty if no
// computation is marked ENTRY, because they are then not known.
absl::flat_hash_set<int64_t> RunningComputations(HloModule module);

// The paths of parts of a shape, in order.
using PartPaths = std::vector<ShapeIndex>;

// Returns the paths of the parts of the instruction's result that are in a
// buffer of an operand, of a called computation or of the caller. All arrays
// except those at and within these paths have their own buffer. Returns nullopt
// if no array has one. Precondition: the instruction is in a running
// computation.
std::optional<PartPaths> PathsWithoutBuffer(HloInstruction instruction);

// Returns for each part of a shape whether it is an array with its own buffer.
std::vector<bool> PartsWithBuffer(const PartPaths& paths_without_buffer,
                                  const ArrayTable::ShapeParts& parts);

}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_
