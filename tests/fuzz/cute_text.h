// What must hold for any text that is read as CuTe's?
//
//   CuteTextProblem("(6,2):(8,2)\n(4,3):(3,1)")  // ""

#ifndef TESSERA_TESTS_FUZZ_CUTE_TEXT_H_
#define TESSERA_TESTS_FUZZ_CUTE_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of the readers of cute/parse.h and of the
// calculator: what is read prints, in every dialect, as a text that reads back
// as the same value; what is refused says where. The calculator takes the text
// line by line, and its values print as expressions of the same value. Where
// the first two lines are layouts, the algebra's laws hold of them
// (tests/fuzz/cute_laws.h).
std::string CuteTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_CUTE_TEXT_H_
