// Are only requests answered whose end, host and origin are clear?

#ifndef TESSERA_TESTS_FUZZ_HTTP_TEXT_H_
#define TESSERA_TESTS_FUZZ_HTTP_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of what a client sends on one connection:
// every answer is one of HTTP/1.1, and a handler sees a request only if its
// host is allowed, its origin its own, and its body as long as its head says.
std::string HttpTextProblem(std::string_view bytes);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_HTTP_TEXT_H_
