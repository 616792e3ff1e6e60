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

// An assignment whose steps are those of a program.
struct AlignedAssignment {
  BufferAssignment assignment;
  // For each value of `assignment`, the program's value, or -1 if there is
  // none.
  std::vector<int32_t> program_values;
};

// Returns the allocations. Their values are those of the program, in its order,
// then the constants of reducers, which do not have a live range, and the later
// parts of live ranges with idle branches. All temporaries of a memory space
// are one allocation, as they finally are in XLA. Positions and uses are left
// out.
AlignedAssignment ToBufferAssignment(const ProgramValues& program,
                                     const AssignedBuffers& buffers);

// Returns XLA's assignment on the steps of the program. Live ranges that XLA
// wrote for the same steps are kept. The others are those of the program.
AlignedAssignment AlignAssignment(const BufferAssignment& by_xla,
                                  const ProgramValues& program);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_COMPUTED_ASSIGNMENT_H_
