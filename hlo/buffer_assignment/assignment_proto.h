// File: hlo/buffer_assignment/assignment_proto.h
//
// XLA's protos -> BufferAssignment.
//
//   // HloProto { hlo_module { name: "m" } buffer_assignment {
//   //   buffer_allocations { size: 8 } } }
//   const std::string bytes = "\n\x03\n\x01m\x1a\x04\x1a\x02\x10\x08";
//   const std::vector<absl::optional<BufferAssignment>> assignments =
//       ReadProtoAssignments(bytes);
//   assignments.size();                       // 1: one for each module
//   assignments[0]->allocations[0].bytes;     // 8
//
// Live ranges are those of the heap simulator's traces: steps are its events,
// those of one heap behind those of another. A trace may allocate and free one
// buffer several times, as it does for each branch of a conditional: the buffer
// is there in the union of these intervals. One that is freed more often than
// it was allocated is there up to the last of these events; if it is allocated
// behind them, which XLA writes for an interval of no length, for that event.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_PROTO_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_PROTO_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// Returns the assignment of every module in `bytes`, in the order in which
// ParseHloProto (hlo/parse_hlo.h) has the modules; nullopt for a module without
// one. `bytes` are those of an HloProto or an XSpace, and must outlive the
// result.
//
// What is wrong with an assignment is in its `problems`, whose offset is that
// in `bytes`, without line and column; no more than `problem_limit` are kept.
// All else is read. Takes time linear in `bytes`, and memory.
std::vector<absl::optional<BufferAssignment>> ReadProtoAssignments(
    absl::string_view bytes, int64_t problem_limit = 1000);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_PROTO_H_
