// Converts the computed allocations of a program to the model of XLA's own
// assignment.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_COMPUTED_ASSIGNMENT_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_COMPUTED_ASSIGNMENT_H_

#include <cstdint>
#include <vector>

#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/dataflow/program_values.h"

namespace tessera {
namespace hlo_internal {

// Returns the allocations, with the values of the program in their order, and
// after them constants of reducers, which have no live range. All temporaries
// of a memory space are one allocation, as in the end they are for XLA.
// Positions and uses are left out.
BufferAssignment ToBufferAssignment(const ProgramValues& program,
                                    const AssignedBuffers& buffers);

// XLA's own assignment of a program, on the axis of the program's steps.
struct AlignedAssignment {
  BufferAssignment assignment;
  // For each of its values that of the program; -1 for one that it lacks.
  std::vector<int32_t> program_values;
};

// Live ranges stay where XLA wrote them for the same steps; the others are the
// program's.
AlignedAssignment AlignAssignment(const BufferAssignment& by_xla,
                                  const ProgramValues& program);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_COMPUTED_ASSIGNMENT_H_
