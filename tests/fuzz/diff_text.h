// Is the difference of two dumps the same from both sides, and does its page
// hold whatever names they have?

#ifndef TESSERA_TESTS_FUZZ_DIFF_TEXT_H_
#define TESSERA_TESTS_FUZZ_DIFF_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of DiffDumps and PageWriter. The text has
// two dumps, with a line of "----" between them. What vanishes one way appears
// the other way; sums and peaks are swapped; changes add up to the difference
// of the peaks. The page of the second dump with the changes is UTF-8 and ends
// no script early.
std::string DiffTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_DIFF_TEXT_H_
