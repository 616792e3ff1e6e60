// What must hold for any buffer assignment that was read from anything?
//
//   AssignmentProblem(BufferAssignment())  // ""

#ifndef TESSERA_TESTS_FUZZ_ASSIGNMENT_LAWS_H_
#define TESSERA_TESTS_FUZZ_ASSIGNMENT_LAWS_H_

#include <string>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// Returns what is wrong: numbers that lead out of the lists that they count in,
// values outside of their allocation or of the steps, problems that say
// nothing, and sums that disagree. "" if nothing is.
std::string AssignmentProblem(const BufferAssignment& assignment);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_ASSIGNMENT_LAWS_H_
