// What must hold of the positions of any valid array?
//
//   ArrayPositionsProblem(shape)  // ""

#ifndef TESSERA_TESTS_FUZZ_ARRAY_POSITIONS_H_
#define TESSERA_TESTS_FUZZ_ARRAY_POSITIONS_H_

#include <string>

#include "tessera/shape/shape.h"

namespace tessera {

// Properties (tests/fuzz/property.h) of a shape that ValidateShape accepts: it
// survives the proto; and if it is an array with a layout and of known size,
// it has a map, sizes that agree with it, and a first and a last index that the
// inverse brings back. The elements and the padding of small ones lie where the
// literal evaluator (tests/literal/literal_evaluator.h) has them.
std::string ArrayPositionsProblem(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_ARRAY_POSITIONS_H_
