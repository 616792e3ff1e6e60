// What must hold for any bytes that are read as a proto of XLA's?
//
//   HloProtoProblem("\n\x03\n\x01m")  // ""

#ifndef TESSERA_TESTS_FUZZ_HLO_PROTO_H_
#define TESSERA_TESTS_FUZZ_HLO_PROTO_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of ParseHloProto: every mistake is said,
// places lie in the bytes, a proto without mistakes makes text without mistakes
// that prints as itself, and the text is in proportion to the bytes.
std::string HloProtoProblem(std::string_view bytes);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_HLO_PROTO_H_
