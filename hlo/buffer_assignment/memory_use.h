// Computes the bytes of an assignment that are in use at each step.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_MEMORY_USE_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_MEMORY_USE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/buffer_assignment/occupancy.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace hlo_internal {

// The use of one memory space.
struct UseOverTime {
  // The use at each step where it changes. The first step is 0 or later.
  std::vector<Occupancy::Used> changes;
  // The largest of these, and its step.
  Occupancy::Used peak;
};

// Returns the bytes in use at each of `steps` steps.
std::vector<int64_t> UseByStep(const UseOverTime& use, int64_t steps);

// Returns the use by memory space, without thread-local memory. `steps` is the
// number of steps.
std::map<int64_t, UseOverTime> FindUse(const BufferAssignment& assignment,
                                       int64_t steps, WorkCheck* check);

// Returns the most bytes at one step, by memory space, if each buffer of the
// program had its own place.
std::map<int64_t, int64_t> FindUnsharedPeaks(const ProgramValues& program,
                                             WorkCheck* check);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_MEMORY_USE_H_
