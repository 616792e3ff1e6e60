// File: hlo/dataflow/value_draft.h
//
// What every position holds so far, and which values must lie in one place.
//
//   ValueDraft draft(module, rules, &arrays);
//   FlattenSchedule(entry, &draft);                    // value_passes.h
//   draft.ValueAt(instruction, part);                  // number of a value
//   draft.sets.Find(draft.ValueAt(instruction, part)); // the first in its place

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
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

// Numbers that are joined into sets.
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
    // The lower number stands for the set.
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int32_t> parents_;
};

// The values of a program while they are found.
struct ValueDraft {
  using ShapeParts = ArrayTable::ShapeParts;

  static constexpr int32_t kNone = -1;
  static constexpr int32_t kUnset = -2;  // in `program.value_at`

  // A part of the result of an instruction.
  struct Position {
    int32_t instruction = kNone;
    int64_t part = 0;

    bool exists() const { return instruction >= 0; }
  };

  // All three must outlive the draft.
  ValueDraft(HloModule the_module, const ValueRules& the_rules,
             ArrayTable* the_arrays)
      : module(the_module), rules(the_rules), arrays(*the_arrays) {}

  // -- Positions

  const ShapeParts* PartsOf(int32_t instruction) const {
    return program.instructions[instruction].parts;
  }
  int64_t SlotCount(int32_t instruction) const {
    const ShapeParts* parts = PartsOf(instruction);
    return parts == nullptr ? 1 : parts->size();
  }
  // The part that the indices lead to from there.
  Position Within(Position position, absl::Span<const int64_t> indices) const;
  // Element `i` of a part; -1 if there is none.
  int64_t Child(int32_t instruction, int64_t part, int64_t i) const {
    const ShapeParts* parts = PartsOf(instruction);
    return parts == nullptr || part < 0 ? -1 : parts->child(part, i);
  }
  absl::Span<const Position> OperandsOf(int32_t instruction) const {
    const auto [begin, end] = operand_ranges[instruction];
    return absl::MakeConstSpan(operands).subspan(begin, end - begin);
  }
  Position OperandOf(int32_t instruction, int64_t i) const {
    const absl::Span<const Position> all = OperandsOf(instruction);
    return i < static_cast<int64_t>(all.size()) ? all[i] : Position();
  }
  Position RootOf(int32_t computation) const;
  // Whether what stands at a position is built as part `part` of `to`.
  bool SameStructure(int32_t to, int64_t part, const Position& from) const;

  // -- Values

  int32_t& ValueAt(int32_t instruction, int64_t part) {
    return program.value_at[program.SlotOf(instruction, part)];
  }
  // Part `part` of `to` holds what stands at `from`.
  void Forward(int32_t to, int64_t part, const Position& from);
  int32_t NewValue(int32_t instruction, int64_t part);
  // A value that is one of several, whichever way the program went.
  int32_t NewPhi(int32_t instruction, int64_t part);
  // The value `from` turned out to be the value `to`.
  void Redirect(int32_t from, int32_t to);
  int32_t Resolve(int32_t value);
  // Joins what must lie in one place: a part of the result, and an operand.
  void Join(int32_t current, int64_t part, const Position& from);
  // Joins a part of the result with an operand of the same shape.
  void JoinEqual(int32_t current, int64_t part, const Position& from);
  // Whether it writes its result over operand 1.
  bool IsInPlacePermute(int32_t current) const;

  const HloModule module;
  const ValueRules rules;
  ArrayTable& arrays;
  ProgramValues program;
  std::vector<Position> operands;
  std::vector<std::pair<int32_t, int32_t>> operand_ranges;
  // Users, and what is nested within their operands.
  std::vector<std::pair<int32_t, Position>> nested_uses;
  // The computations of the dump that run.
  absl::flat_hash_set<int64_t> entered;
  // The parameter of the body, by the while.
  absl::flat_hash_map<int32_t, int32_t> body_parameters;
  // Of values that turned out to be another.
  std::vector<int32_t> redirects;
  std::vector<bool> is_phi;
  DisjointSets sets;

 private:
  int64_t PaddedBytes(const ArrayTable::Array& array) const;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_VALUE_DRAFT_H_
