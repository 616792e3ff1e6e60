// File: hlo/dataflow/value_flow.h
//
// Who holds which value: what the result of an instruction takes from its
// operands and from the computations that it runs, by OperandFlow.
//
//   ValueFlow flow(&draft);
//   for (const HloCall call : flow.CallsOf(instruction)) ...   // visited first
//   flow.Visit(instruction);
//
// As xla/hlo/analysis/hlo_dataflow_analysis.cc.

#ifndef TESSERA_HLO_DATAFLOW_VALUE_FLOW_H_
#define TESSERA_HLO_DATAFLOW_VALUE_FLOW_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/hlo/dataflow/asynchronous_values.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

// Finds what the results of instructions hold, one instruction after another.
class ValueFlow {
 public:
  explicit ValueFlow(ValueDraft* draft)
      : draft_(*draft), asynchronous_(draft) {}

  // What computations an instruction runs, in the order in which they stand in
  // the schedule.
  std::vector<HloCall> CallsOf(int32_t current) const;
  // The call at `position` among those of `caller` runs `computation` next.
  void Enter(int32_t caller, HloCall call, int64_t position,
             int32_t computation);
  // Fills the slots of an instruction whose calls have run.
  void Visit(int32_t current);

 private:
  using Position = ValueDraft::Position;

  // How the computations that an instruction runs were entered.
  struct Run {
    HloCallKind kind;
    int64_t position;  // among the calls
    int32_t computation;
  };

  // The first computation that it has run; -1 for none.
  int32_t ComputationRunBy(int32_t current) const;
  // A parameter of a computation that is run holds what the caller gives.
  void BindParameter(int32_t current);
  void FinishWhile(int32_t current);
  Position ParameterOfWhile(int32_t computation) const;
  void FinishConditional(int32_t current);
  // What is not known to be an operand's is new.
  void FillRest(int32_t current);

  ValueDraft& draft_;
  AsynchronousValues asynchronous_;
  // Of instructions that run computations and have not been visited.
  absl::flat_hash_map<int32_t, std::vector<Run>> runs_;
  // The parameter of a body or condition.
  absl::flat_hash_map<int32_t, int32_t> while_parameters_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_VALUE_FLOW_H_
