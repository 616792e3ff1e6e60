// What must hold for any text that is read as a shape or a layout?
//
//   ShapeTextProblem("f32[2]")  // ""

#ifndef TESSERA_TESTS_FUZZ_SHAPE_TEXT_H_
#define TESSERA_TESTS_FUZZ_SHAPE_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// Properties (tests/fuzz/property.h) of ParseShape, ConsumeShape and
// ParseProgramShape under each option: what is read is valid and prints as a
// text that reads back as the same value, and its elements lie where they can
// be found again (tests/fuzz/array_positions.h); what is refused says where.
std::string ShapeTextProblem(std::string_view text);

// The same of ParseLayout and ParseTile.
std::string LayoutTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_SHAPE_TEXT_H_
