// File: hlo/buffer_assignment/assignment_text.h
//
// XLA's *-buffer-assignment.txt -> BufferAssignment.
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
// Older versions of XLA write all into one file. Newer ones write the used
// values and the live ranges beside it, into *-buffer-assignment-values.txt and
// *-live-range.txt, if --xla_dump_buffer_assignment_analysis asks for them. The
// list "Live ranges at ... (peak)" is not read: it repeats what stands above.
//
// The words are those of BufferAssignment::ToString
// (xla/service/buffer_assignment.cc), HloValue::ToString
// (xla/service/hlo_value.cc) and HloLiveRange::ToString
// (xla/hlo/utils/hlo_live_range.cc).

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_TEXT_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_TEXT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// What a file that XLA wrote about its buffer assignment begins with.
enum class AssignmentTextPart {
  kNone,         // it is another file
  kAllocations,  // "BufferAssignment:", and perhaps all the rest
  kValues,       // "Used values:", which "Total bytes used:" may precede
  kLiveRanges,   // "HloLiveRange"
};

// Tells by the start of a file; 100 bytes are enough.
AssignmentTextPart FindAssignmentTextPart(absl::string_view start);

inline bool IsBufferAssignmentText(absl::string_view start) {
  return FindAssignmentTextPart(start) != AssignmentTextPart::kNone;
}

struct AssignmentTextOptions {
  // What XLA wrote beside the text, if it did; empty if not. The same lifetime
  // as that of the text.
  absl::string_view values_text;
  absl::string_view live_range_text;
  // So many problems are kept; all are counted.
  int64_t problem_limit = 1000;
};

// Returns the assignment that `text` says, whose views lead into it: `text`
// must outlive the result.
//
// What cannot be read, and numbers that contradict one another, are in
// `problems`, with line and column: those of `text`, and behind them those of
// the other texts. All else is read: a value that does not lie within its
// allocation, for one, is in `values` and no tenant. Of two assignments in one
// text, as two processes leave them that write one file, only the first is
// read. Where the last step of a live range is past the last instruction, as
// XLA has it for what lives to the end, `last` is that instruction.
//
// Takes time linear in the texts, and memory.
BufferAssignment ReadBufferAssignmentText(
    absl::string_view text, const AssignmentTextOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNMENT_TEXT_H_
