// Reads a BufferAssignment from XLA's protos.
//
//   // HloProto { hlo_module { name: "m" } buffer_assignment {
//   //   buffer_allocations { size: 8 } } }
//   const std::string bytes = "\n\x03\n\x01m\x1a\x04\x1a\x02\x10\x08";
//   const std::vector<std::optional<BufferAssignment>> assignments =
//       ReadProtoAssignments(bytes);
//   assignments.size();                       // 1: one for each module
//   assignments[0]->allocations[0].bytes;     // 8
//
// Live ranges are those of the heap simulator's traces: steps are its events,
// one heap after another. A trace may allocate and free a buffer several times,
// for example once for each branch of a conditional. The buffer is live in the
// union of these intervals. If a buffer is freed more often than it was
// allocated, it is live up to the last of these events. XLA writes an interval
// of no length with the allocation after the free. The buffer is then live only
// at the allocation.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_PROTO_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_PROTO_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// Returns the assignment of every module in `bytes`, in the order of the
// modules in ParseHloProto (hlo/parse_hlo.h); nullopt for a module without one.
// `bytes` is an HloProto or an XSpace, and must outlive the result.
//
// The errors of an assignment are in its `problems`, with an offset in `bytes`
// and without line and column; at most `problem_limit` are kept. Everything
// else is read. Takes time and memory linear in `bytes`.
std::vector<std::optional<BufferAssignment>> ReadProtoAssignments(
    std::string_view bytes, int64_t problem_limit = 1000);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_PROTO_H_
