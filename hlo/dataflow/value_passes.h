// File: hlo/dataflow/value_passes.h
//
// The steps by which FindProgramValues finds the values, in their order.
//
//   ValueDraft draft(module, rules, &arrays);
//   FlattenSchedule(entry, &draft);
//   JoinAliases(&draft);
//   NumberValues(&draft);
//   FindLiveRanges(&draft);
//   MakeBuffers(&draft);
//   AddThreadLocalValues(&draft);

#ifndef TESSERA_HLO_DATAFLOW_VALUE_PASSES_H_
#define TESSERA_HLO_DATAFLOW_VALUE_PASSES_H_

#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

// Puts the computations that run in front of their callers, gives each
// instruction its time, and finds what every position holds.
void FlattenSchedule(HloComputation entry, ValueDraft* draft);

// Joins the values that must lie in one place: results that are written over
// operands, and the aliases and donors of the module's header.
void JoinAliases(ValueDraft* draft);

// Numbers the values as XLA does, by the post order of their instructions.
void NumberValues(ValueDraft* draft);

// Finds when each value is there.
void FindLiveRanges(ValueDraft* draft);

// Makes a buffer of the values that lie in one place, each of which ends where
// the next begins.
void MakeBuffers(ValueDraft* draft);

// Adds up the values of computations that run for each element, such as
// reducers. Fusions have none of their own.
void AddThreadLocalValues(ValueDraft* draft);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_VALUE_PASSES_H_
