// What must hold for any text that is read as XLA's buffer assignment?
//
//   AssignmentTextProblem("BufferAssignment:\n")  // ""

#ifndef TESSERA_TESTS_FUZZ_ASSIGNMENT_TEXT_H_
#define TESSERA_TESTS_FUZZ_ASSIGNMENT_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of ReadBufferAssignmentText:
// AssignmentProblem finds nothing (tests/fuzz/assignment_laws.h), views lead
// into the text, problems are placed right, and a limit changes how many are
// kept and nothing else. A form feed in `text` ends the first file, another the
// file of values.
std::string AssignmentTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_ASSIGNMENT_TEXT_H_
