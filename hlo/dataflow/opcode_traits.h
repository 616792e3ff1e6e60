// File: hlo/dataflow/opcode_traits.h
//
// What does an opcode do with the memory of its operands?
//
//   TraitsOf("add").is_elementwise;                   // true
//   TraitsOf("bitcast").flow == OperandFlow::kAll;    // true
//   TraitsOf("while").runs_computations;              // true

#ifndef TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_
#define TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_

#include "absl/strings/string_view.h"

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
OpcodeTraits TraitsOf(absl::string_view opcode);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_OPCODE_TRAITS_H_
