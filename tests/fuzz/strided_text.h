// What must hold for any text that is read as a strided array?
//
//   StridedTextProblem("f32[4,8] strides (64, 8) bytes")  // ""

#ifndef TESSERA_TESTS_FUZZ_STRIDED_TEXT_H_
#define TESSERA_TESTS_FUZZ_STRIDED_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of ParseStridedArray: what is read prints
// as a text that reads back as the same value, and has a map whose first and
// last index lie within the buffer, where the inverse, if there is one, finds
// them; what is refused says where.
std::string StridedTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_STRIDED_TEXT_H_
