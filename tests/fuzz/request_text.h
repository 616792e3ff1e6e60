// What must hold for any text that is taken for a request in JSON?
//
//   RequestTextProblem(R"({"parse":{"text":"f32[2]"}})")  // ""

#ifndef TESSERA_TESTS_FUZZ_REQUEST_TEXT_H_
#define TESSERA_TESTS_FUZZ_REQUEST_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of service/json.h and of the whole service
// behind it: a request that is read prints as a text that reads back as the
// same request; whatever the text is, the answer is one line of JSON that reads
// as a response with a result or an error, and what is refused says where.
std::string RequestTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_REQUEST_TEXT_H_
