// The state and the steps of the search for the values of a program: the value
// of every position so far, and the values that must share a place.

#ifndef TESSERA_HLO_DATAFLOW_VALUE_DRAFT_H_
#define TESSERA_HLO_DATAFLOW_VALUE_DRAFT_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

// A union-find structure over numbers.
class DisjointSets {
 public:
  int32_t Add() {
    parents_.push_back(parents_.size());
    return parents_.back();
  }
  int32_t Find(int32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void Join(int32_t a, int32_t b) {
    a = Find(a);
    b = Find(b);
    // The lower number represents the set.
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int32_t> parents_;
};

struct ValueDraft : ProgramValues {
  static constexpr int32_t kNone = -1;
  static constexpr int32_t kUnset = -2;  // in `value_at`

  // An asynchronous start and its progress.
  struct Chain {
    // For a start that gets its operands from updates; the last update runs it.
    int32_t start = kNone;
    int64_t parameter_count = 0;
    std::vector<Position> bound;  // so far
    // The computation that has run.
    int32_t computation = kNone;
  };

  // All arguments must outlive the draft.
  ValueDraft(HloModule the_module, const ValueRules& the_rules,
             ArrayTable* the_arrays, WorkCheck* the_check)
      : module(the_module),
        rules(the_rules),
        arrays(*the_arrays),
        check(*the_check) {}

  // Returns the position that the indices lead to from there; none if they lead
  // nowhere.
  Position Within(Position from, absl::Span<const int64_t> indices) const;
  Position OperandOf(int32_t instruction, int64_t i) const {
    const absl::Span<const Position> all = OperandsOf(instruction);
    return i < static_cast<int64_t>(all.size()) ? all[i] : Position();
  }
  bool IsTuple(int32_t instruction) const {
    const ShapeParts* parts = PartsOf(instruction);
    return parts != nullptr && (*parts)[0].is_tuple();
  }
  // Whether the parts at both positions have the same structure.
  bool SameStructure(Position to, Position from) const;

  int32_t& ValueAt(Position at) {
    return value_at[instructions[at.instruction].first_slot + at.part];
  }
  // Gives `to`, with the parts within it, the values at `from`.
  void Forward(Position to, Position from);
  int32_t NewValue(Position at);
  // Adds a value that is one of several, depending on the run.
  int32_t NewPhi(Position at);
  // Records that the value `from` is the value `to`.
  void Redirect(int32_t from, int32_t to);
  int32_t Resolve(int32_t value);
  // Joins a part of a result and an operand that must share a place.
  void Join(Position result, Position operand);
  // Like Join, but only if both have the same shape.
  void JoinEqual(Position result, Position operand);
  // Whether the instruction writes its result over operand 1.
  bool IsInPlacePermute(int32_t instruction) const;

  const HloModule module;
  const ValueRules rules;
  ArrayTable& arrays;
  WorkCheck& check;
  // Users, and the positions that nested expressions in their operands use.
  std::vector<std::pair<int32_t, Position>> nested_uses;
  // The computations of the dump that run.
  absl::flat_hash_set<int64_t> entered;
  // The chain of each start, and of each of its updates.
  absl::flat_hash_map<int32_t, Chain> chains;
  // By value: the value that it turned out to be, or itself.
  std::vector<int32_t> redirects;
  std::vector<bool> is_phi;
  DisjointSets sets;

 private:
  int64_t PaddedBytes(const ArrayTable::Array& array) const;
};

// The steps of FindProgramValues, in order. Each ends early if draft->check
// ends the work.

// Puts the computations that run before their callers, assigns a time to each
// instruction, and finds the value of every position, as in
// xla/hlo/analysis/hlo_dataflow_analysis.cc.
void FlattenSchedule(HloComputation entry, ValueDraft* draft);

// Joins the values that must share a place: results that overwrite operands,
// and the aliases and donors of the module's header.
void JoinAliases(ValueDraft* draft);

// Numbers the values as XLA does, by the post order of their instructions.
// Afterwards, `buffer` of a value is its set, or -1 if it was redirected.
void NumberValues(ValueDraft* draft);

// Finds the live range of each value.
void FindLiveRanges(ValueDraft* draft);

// Joins a result with the first operand in its list (aliasing_operands.h) that
// is no longer needed.
void JoinDyingOperands(ValueDraft* draft);

// Makes a buffer for the values that share a place. Each of these values ends
// where the next begins.
void MakeBuffers(ValueDraft* draft);

// Fills `idle_branches`, for TPU.
void FindIdleBranches(ValueDraft* draft);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_VALUE_DRAFT_H_
