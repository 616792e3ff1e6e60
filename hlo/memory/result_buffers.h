// File: hlo/memory/result_buffers.h
//
// Which arrays in the result of an instruction have a buffer of their own?
//
//   // e { p = f32[8]{0} parameter(0)
//   //     t = (f32[8]{0}, f32[8]{0}) tuple(p, p)
//   //     ROOT f = f32[8]{0} fusion(p), kind=kLoop, calls=g }
//   ResultBuffers buffers(dump);
//   buffers.AddModule(module);                  // true: it has an ENTRY
//   buffers.RuleOf(t);                          // ResultBuffers::kNothing
//   buffers.RuleOf(f);                          // ResultBuffers::kEverything
//   buffers.HasBuffers(*f.called(HloCallKind::kCalls));   // false
//
// No buffer of their own have tuples, what lies in a buffer of an operand
// (get-tuple-element, bitcast, the results of while and call, the operands in
// the result of an asynchronous start), the parameters of computations that a
// program calls, and all that is inside of fusions and reducers.

#ifndef TESSERA_HLO_MEMORY_RESULT_BUFFERS_H_
#define TESSERA_HLO_MEMORY_RESULT_BUFFERS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

class ResultBuffers {
 public:
  // Which parts of a result have buffers. Many instructions have one rule.
  using Rule = int32_t;
  static constexpr Rule kNothing = 0;
  static constexpr Rule kEverything = 1;

  explicit ResultBuffers(const HloDump& dump);

  // Finds out which computations of a module of the dump run. Returns false if
  // that cannot be told, because none is marked ENTRY.
  bool AddModule(HloModule module);

  // Whether the computation runs by itself, and not inside of a fusion or for
  // every element of a reduction. False for all of a module that was not added.
  bool HasBuffers(HloComputation computation) const {
    return running_.contains(computation.index());
  }
  // The rule for an instruction of a computation that has buffers.
  Rule RuleOf(HloInstruction instruction);
  // For each part of a shape: whether it has a buffer by that rule. Only parts
  // that are arrays can.
  std::vector<bool> PartsWithBuffers(Rule rule,
                                     const ArrayTable::ShapeParts& parts) const;

 private:
  using Paths = std::vector<ShapeIndex>;

  const hlo_internal::OpcodeTraits& TraitsOf(HloInstruction instruction) const {
    return traits_[instruction.opcode_index()];
  }
  Rule StartRule(HloInstruction start);
  Rule AliasRule(HloInstruction instruction);
  // The rule by which all has a buffer but what lies at these paths.
  Rule AllBut(Paths paths);

  absl::flat_hash_set<int64_t> running_;            // computations
  std::vector<hlo_internal::OpcodeTraits> traits_;  // by opcode
  // By rule.
  std::vector<Paths> exceptions_;
  absl::flat_hash_map<Paths, Rule> rules_;
};

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_RESULT_BUFFERS_H_
