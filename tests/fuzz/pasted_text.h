// What must hold for any text that somebody pastes?
//
//   PastedTextProblem("Ran out of memory in memory space hbm.")  // ""

#ifndef TESSERA_TESTS_FUZZ_PASTED_TEXT_H_
#define TESSERA_TESTS_FUZZ_PASTED_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of AnswerExplainText: a text is explained
// or refused, a refusal says what the text is and has no answer beside it, the
// sums of an answer agree, and its lists keep to their rows.
std::string PastedTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_PASTED_TEXT_H_
