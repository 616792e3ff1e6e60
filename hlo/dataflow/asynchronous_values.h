// File: hlo/dataflow/asynchronous_values.h
//
// What do asynchronous starts, updates and dones hold?
//
//   AsynchronousValues asynchronous(&draft);
//   const int32_t caller = asynchronous.CallerAt(instruction);
//   asynchronous.FinishStart(instruction, computation);
//
// A start can come without operands. Then updates bring them, and the last of
// these runs its computation.

#ifndef TESSERA_HLO_DATAFLOW_ASYNCHRONOUS_VALUES_H_
#define TESSERA_HLO_DATAFLOW_ASYNCHRONOUS_VALUES_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/hlo/dataflow/value_draft.h"

namespace tessera {
namespace hlo_internal {

// How starts, updates and dones hand on what they hold.
class AsynchronousValues {
 public:
  explicit AsynchronousValues(ValueDraft* draft) : draft_(*draft) {}

  // The instruction whose computations run when `current` does: a start runs
  // its own unless it waits for operands, and then the update that brings the
  // last of them runs the start's. -1 if none runs.
  int32_t CallerAt(int32_t current) const;
  // What parameter `number` of the computation that `update` runs holds.
  ValueDraft::Position ArgumentOf(int32_t update, int64_t number) const;

  // `computation` is what ran, -1 for nothing.
  void FinishStart(int32_t current, int32_t computation);
  void FinishUpdate(int32_t current, int32_t computation);
  // What ran is needed until `done`.
  void KeepUntilDone(int32_t done);
  // Whether the part of a start is what SparseCore works in.
  bool IsScratch(int32_t start, int64_t part) const;

 private:
  using Position = ValueDraft::Position;

  // A start that gets its operands with updates.
  struct WaitingStart {
    int32_t start;
    int64_t parameter_count;
    std::vector<Position> bound;  // so far
  };

  // How many operands a start gets with updates, before it runs; 0 for one that
  // has them.
  int64_t AwaitedOperands(int32_t start) const;
  // The start of the chain that an update goes on with, if that waits for
  // operands.
  const WaitingStart* WaitingFor(int32_t update) const;
  bool HasAliases(int32_t current) const;
  // What stands behind operands and result stays, where the text does not say
  // so itself.
  void ForwardContext(int32_t current, const Position& chain);
  void ForwardResult(int32_t current, const Position& before);
  // Joins what is built alike.
  void JoinParts(int32_t current, int64_t part, const Position& from);

  ValueDraft& draft_;
  // By the instructions of their chains.
  absl::flat_hash_map<int32_t, WaitingStart> waiting_starts_;
  // What a start runs, by the instructions of its chain.
  absl::flat_hash_map<int32_t, int32_t> async_computations_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_ASYNCHRONOUS_VALUES_H_
