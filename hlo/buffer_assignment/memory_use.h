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

// Of one memory space.
struct UseOverTime {
  // By step, where something changes; the first stands at step 0 or later.
  std::vector<Occupancy::Used> changes;
  // The greatest of them, and its step.
  Occupancy::Used peak;
};

// The bytes at each of so many steps.
std::vector<int64_t> UseByStep(const UseOverTime& use, int64_t steps);

// By memory space, what is thread-local left out. `steps` is how many there
// are.
std::map<int64_t, UseOverTime> FindUse(const BufferAssignment& assignment,
                                       int64_t steps, WorkCheck* check);

// Returns the most bytes at one step, by memory space, if each buffer of the
// program had its own place.
std::map<int64_t, int64_t> FindUnsharedPeaks(const ProgramValues& program,
                                             WorkCheck* check);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_MEMORY_USE_H_
