// File: hlo/buffer_assignment/tpu_assigner.h
//
// Computes the allocations that XLA's TPU compiler makes for the values of a
// program, and the place of each value in them.
//
//   AssignedBuffers assigned = AssignTpuBuffers(program, &check);
//   assigned.temporaries[0].bytes;
//
// In HBM, parameters, constants, outputs and the tables of tuples have an
// allocation each. All other arrays make up one heap (time_heap.h), and nothing
// else lies in an output or a parameter. The temporaries of a memory space, one
// after the other, are one allocation in the end; their order comes from the
// std::partition of xla/service/buffer_assignment.cc.
//
// In VMEM (CMEM on v4) the compiler places arrays by what it gains, which no
// text says. What is given there is the least that holds them.
//
// Found by comparison with libtpu 0.0.52.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_TPU_ASSIGNER_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_TPU_ASSIGNER_H_

#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace hlo_internal {

// Returns the allocations, which lack some if `check` ends.
// Precondition: the sum of all sizes is less than 2^61.
AssignedBuffers AssignTpuBuffers(const ProgramValues& program,
                                 WorkCheck* check);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_TPU_ASSIGNER_H_
