// From the literal evaluator's layouts to the library's shapes.

#ifndef TESSERA_TESTS_INDEX_UTIL_LITERAL_SHAPE_H_
#define TESSERA_TESTS_INDEX_UTIL_LITERAL_SHAPE_H_

#include "tessera/shape/shape.h"
#include "tessera/tests/literal/literal_evaluator.h"

namespace tessera {

// The array of bytes that layout.ToString() names.
Shape ToShape(const LiteralLayout& layout);

}  // namespace tessera

#endif  // TESSERA_TESTS_INDEX_UTIL_LITERAL_SHAPE_H_
