// Reads from the text of an instruction which operands its results overwrite.
//
//   // f = (f32[8], f32[8]) fusion(a, b), kind=kLoop, calls=c, backend_config={
//   //     "aliasing_operands":{"lists":[{"indices":["1","2"]}]}}
//   FindAliasingOperands(f);  // operand 1 and element 0 of the result
//
// TPU's compiler writes the lists into the backend config of any instruction.
// An index below the number of operands is an operand; the others, less that
// number, are elements of the result, or the result itself if that is an array.
// The meaning was found by comparison with the compiler's assignments (libtpu
// 0.0.52): a result takes the place of the first operand in its list that is no
// longer needed. If all are needed later, the result has its own place.

#ifndef TESSERA_HLO_DATAFLOW_ALIASING_OPERANDS_H_
#define TESSERA_HLO_DATAFLOW_ALIASING_OPERANDS_H_

#include <cstdint>
#include <vector>

#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

struct AliasingOperand {
  int64_t operand = 0;
  int64_t output = 0;
};

// Returns the pairs of an operand and an element of the result that may share a
// place, in the order of the text. Lists without both an operand and an element
// are left out. So are malformed lists and those with a number past int64_t:
// the compiler wrote them, so they are not errors of the module.
std::vector<AliasingOperand> FindAliasingOperands(HloInstruction instruction);

// Returns the aliases in output_to_operand_aliasing={...}, which XLA itself
// writes; empty if it cannot be read.
std::vector<OutputOperandAlias> FindOutputAliases(HloInstruction instruction);

// Whether the result consists of all operands, one after the other: the pieces
// of a sliced prefetch.
bool IsConcatBitcast(HloInstruction instruction);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_ALIASING_OPERANDS_H_
