// Finds the operands that the results of an instruction overwrite: as the text
// lists them, or as the instructions of a fusion permit.
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

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
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

// The uses in a fused computation, and the operands of the fusion that its
// results may overwrite.
class FusedGraph {
 public:
  // The dump must outlive the graph.
  explicit FusedGraph(HloComputation computation);

  // The number of instructions, all of which one question may visit.
  int64_t size() const { return computation_.instructions().size(); }
  // The number of outputs: the operands of a tuple at the root, or 1.
  int64_t output_count() const { return outputs_.size(); }
  // Whether the root is a tuple.
  bool has_tuple() const { return has_tuple_; }

  // Returns the outputs that are always computed in place, and their
  // parameters, which are operands of the fusion. From such an output,
  // bitcasts lead back to a dynamic-update-slice, scatter or custom call with
  // aliases, and from there bitcasts lead to a parameter.
  std::vector<AliasingOperand> FindInPlacePairs() const;

  // Whether output `output` may overwrite the memory of a parameter with the
  // same number of elements of the same width, by the rule of
  // xla/service/gpu/alias_info.cc, `FusionCanShareBufferHint`.
  bool MayOverwrite(int64_t parameter, int64_t output) const;

  // Whether all instructions that depend on the parameter are elementwise. If
  // `through_tuple`, one of them may be a tuple at the root. This is the rule
  // of other backends: with the tuple for loop and input fusions, without it
  // for other fusions.
  bool IsElementwiseFrom(int64_t parameter, bool through_tuple) const;

  // Whether the root is an addition.
  bool RootIsAdd() const;
  // Whether the root adds the parameter to the result of a dot or convolution,
  // and nothing else uses the parameter: the rule for output fusions with an
  // addition at the root.
  bool AddsToProduct(int64_t parameter) const;

 private:
  absl::Span<const int32_t> OperandsOf(int64_t node) const;
  absl::Span<const int32_t> UsersOf(int64_t node) const;
  HloInstruction At(int64_t node) const {
    return computation_.instructions()[node];
  }
  int64_t PastBitcasts(int64_t node) const;
  // Returns -1 if there is none.
  int64_t ParameterNode(int64_t number) const;
  // Whether the result of `user` is an elementwise function of its operand
  // `operand`.
  bool IsElementwiseOn(int64_t operand, int64_t user) const;
  // Whether `user`, on the way to the output, reads only the elements of its
  // operand `operand` that it writes.
  bool KeepsElements(int64_t operand, int64_t user, int64_t output_root) const;
  // The first reduction among the heroes of the outputs, or -1.
  int64_t FindReduction() const;

  const HloComputation computation_;
  std::vector<int32_t> operands_;
  std::vector<int32_t> first_operand_;
  std::vector<int32_t> users_;
  std::vector<int32_t> first_user_;
  std::vector<int32_t> outputs_;
  std::vector<bool> is_output_;  // by node
  absl::flat_hash_map<int64_t, int32_t> parameters_;
  int64_t root_ = -1;
  int64_t reduction_ = -1;
  bool has_tuple_ = false;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_ALIASING_OPERANDS_H_
