// Shapes nested so deep that anything recursive runs out of stack.

#ifndef TESSERA_TESTS_SHAPE_DEEP_TUPLE_H_
#define TESSERA_TESTS_SHAPE_DEEP_TUPLE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/shape/shape.h"

namespace tessera {

// Leaves a stack of 8 MiB 33 bytes a level, less than any frame. A sanitizer's
// frames are larger and its pace is slower.
#ifdef TESSERA_SANITIZER
constexpr int64_t kDeep = 50000;
#else
constexpr int64_t kDeep = 250000;
#endif

// `innermost` in `depth` tuples of one element.
inline Shape DeepTuple(int64_t depth, Shape innermost) {
  Shape shape = std::move(innermost);
  for (int64_t i = 0; i < depth; ++i) {
    std::vector<Shape> elements;
    elements.push_back(std::move(shape));
    shape = Shape::Tuple(std::move(elements));
  }
  return shape;
}

// `innermost` in `depth` buffers, which no rule allows.
inline Shape DeepBuffer(int64_t depth, Shape innermost) {
  Shape shape = std::move(innermost);
  for (int64_t i = 0; i < depth; ++i) shape = Shape::Buffer(std::move(shape));
  return shape;
}

}  // namespace tessera

#endif  // TESSERA_TESTS_SHAPE_DEEP_TUPLE_H_
