// What does an opcode do with the memory of its operands, and so which arrays
// in the result of an instruction have a buffer of their own?
//
//   TraitsOf("add").is_elementwise;                   // true
//   TraitsOf("bitcast").flow == OperandFlow::kAll;    // true
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

// Which values of its operands are those of an instruction's result.
enum class OperandFlow {
  kNone,  // all of the result is new
  kParameter,
  kAll,    // the result is operand 0: bitcast
  kTuple,  // operand i is part {i}, the table is new
  kTupleElement,
  kTupleCopy,  // a copy: what a tuple holds stays, its table is new
  kWhile,
  kConditional,
  kCall,
  kCopyStart,    // operand 0 is part {1}
  kSend,         // operand 0 is part {0}
  kReceiveDone,  // part {0} of operand 0 is part {0}
  kCopyDone,     // part {0} of operand 0 is the result
  kStart,        // operands are part {0}; what runs is called, or is the opcode
  kUpdate,
  kDone,  // part {1} of operand 0 is the result
};

struct OpcodeTraits {
  OperandFlow flow = OperandFlow::kNone;
  // What it calls runs as a computation with memory of its own, unlike the
  // inside of a fusion and reducers.
  bool runs_computations = false;
  // As in HloOpcodeFacts.
  bool is_elementwise = false;
};

// As of xla/hlo/ir/hlo_instruction.cc and
// xla/hlo/analysis/hlo_dataflow_analysis.cc, August 2026. An opcode that is not
// known is new in all of its result.
OpcodeTraits TraitsOf(std::string_view opcode);

}  // namespace hlo_internal

// The computations of a module that run by themselves, by their index(), and
// not inside of a fusion or for every element of a reduction. Empty if they are
// not known, because none is marked ENTRY.
absl::flat_hash_set<int64_t> RunningComputations(HloModule module);

// Paths of parts of a shape, in their order.
using PartPaths = std::vector<ShapeIndex>;

// Where the result of an instruction of a running computation lies in a buffer
// of an operand, of what it calls or of its caller. All arrays but those at and
// within these paths have a buffer of their own; nullopt if none has.
std::optional<PartPaths> PathsWithoutBuffer(HloInstruction instruction);

// For each part of a shape: whether it is an array that has a buffer of its
// own.
std::vector<bool> PartsWithBuffer(const PartPaths& paths_without_buffer,
                                  const ArrayTable::ShapeParts& parts);

}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_
