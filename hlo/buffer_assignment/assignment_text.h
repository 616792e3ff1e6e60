// Reads a BufferAssignment from XLA's *-buffer-assignment.txt.
//
//   BufferAssignment assignment = ReadBufferAssignmentText(
//       "BufferAssignment:\n"
//       "allocation 0: size 648, preallocated-temp:\n"
//       " value: <85 negate @0> (size=512,offset=128): f64[64]{0}\n");
//   assignment.allocations[0].bytes;      // 648
//   assignment.TenantsOf(0)[0].offset;    // 128
//   assignment.values[0].instruction;     // "negate"
//   assignment.problem_count;             // 0
//
// Older versions of XLA write everything into one file. Newer versions write
// the used values and the live ranges into *-buffer-assignment-values.txt and
// *-live-range.txt next to it, if --xla_dump_buffer_assignment_analysis is set.
// The list "Live ranges at ... (peak)" is not read, because it repeats earlier
// lines.
//
// The format is that of BufferAssignment::ToString
// (xla/service/buffer_assignment.cc), HloValue::ToString
// (xla/service/hlo_value.cc) and HloLiveRange::ToString
// (xla/hlo/utils/hlo_live_range.cc).

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_TEXT_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_TEXT_H_

#include <cstdint>
#include <string_view>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// The kind of a file that XLA wrote about its buffer assignment, and its start.
enum class AssignmentTextPart {
  kNone,         // it is another file
  kAllocations,  // "BufferAssignment:", and perhaps all the rest
  kValues,       // "Used values:", which "Total bytes used:" may precede
  kLiveRanges,   // "HloLiveRange"
};

// Returns the kind of a file from its first bytes; 100 bytes are enough.
AssignmentTextPart FindAssignmentTextPart(std::string_view start);

inline bool IsBufferAssignmentText(std::string_view start) {
  return FindAssignmentTextPart(start) != AssignmentTextPart::kNone;
}

struct AssignmentTextOptions {
  // The other texts that XLA wrote, or empty. They must live as long as the
  // text.
  std::string_view values_text;
  std::string_view live_range_text;
  // The number of problems that are kept; all are counted.
  int64_t problem_limit = 1000;
};

// Returns the assignment in `text`. Its views point into `text`, which must
// outlive the result.
//
// Text that cannot be read, and numbers that contradict one another, are in
// `problems`, with line and column: first those of `text`, then those of the
// other texts. Everything else is read: a value outside its allocation, for
// example, is in `values` but not in `tenants`. If two processes wrote their
// assignments into one file, only the first is read. If a live range ends past
// the last instruction, as XLA writes it for values that live to the end,
// `last` is that instruction.
//
// Takes time and memory linear in the texts.
BufferAssignment ReadBufferAssignmentText(
    std::string_view text, const AssignmentTextOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_TEXT_H_
