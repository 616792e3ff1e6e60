// Are whole buffers moved as one element after the other is?
//
//   RelayoutTextProblem("f32[3,5]\nf32[3,5]{0,1}\n7");   // ""

#ifndef TESSERA_TESTS_FUZZ_RELAYOUT_TEXT_H_
#define TESSERA_TESTS_FUZZ_RELAYOUT_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of relayouts. The text has two layouts of
// any family, one per line, and a third line, whose bytes choose the box, the
// padding and the number of pieces. Layouts of up to 4096 positions are moved
// as a whole and in pieces, and compared with a copy by elements.
std::string RelayoutTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_RELAYOUT_TEXT_H_
