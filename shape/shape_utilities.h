// File: shape/shape_utilities.h
//
// XLA's ShapeUtil, as far as it asks about whole shapes and needs no index:
// counts, layouts of whole tuples, reorderings, and the pieces of a split.
//
//   #include "tessera/parser/parser.h"
//
//   const Shape shape =
//       *ParseShape("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
//   ElementsIn(shape);               // 3000000
//   SplitSizes(shape, 1);            // {40, 90, 70}
//   MaxElementsInPerSplit(shape);    // 150 * 90 * 70
//   PermuteDimensions({2, 0, 1}, shape)->ToString();
//       // "f32[100,150,200]{1,2,0:SC(0:30)(1:40,130)}"
//
// Names and results are those of xla/shape_util.h and xla/layout_util.h; where
// XLA aborts or overflows, an error comes back. Functions of whole shapes reach
// every array in nested tuples and buffers, without recursion. Sizes in bytes,
// tiles counted, are in index_util/array_sizes.h.
//
// Errors, unless a function says otherwise: kFailedPrecondition if the shape is
// not an array, has an unbounded dimension where its size matters, or lacks a
// layout that is needed; kInvalidArgument for a dimension that it does not
// have; kOutOfRange for a product past int64_t.

#ifndef TESSERA_SHAPE_SHAPE_UTILITIES_H_
#define TESSERA_SHAPE_SHAPE_UTILITIES_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Checks that `shape` is an array and that every dimension of it has a size.
absl::Status CheckBoundedArray(const Shape& shape);
// Checks that `minor_to_major` is a permutation of the dimensions.
absl::Status CheckOrder(const Shape& array,
                        absl::Span<const int64_t> minor_to_major);
// Checks all that untiled positions ask for: CheckBoundedArray, and that there
// is a layout, and CheckOrder of it.
absl::Status CheckOrderedArray(const Shape& shape);

// Returns the product of the dimensions: 1 for a scalar, a bounded dimension at
// its bound.
absl::StatusOr<int64_t> ElementsIn(const Shape& array);

// Returns how many dimensions have another size than 1 (zero is another).
int64_t TrueNumDimensions(const Shape& shape);
// Whether `shape` is an array of which no dimension has another size than 1.
bool IsEffectiveScalar(const Shape& shape);

// Whether every array in `shape` has a layout, or any has. Tokens and opaque
// values need none and count as having one.
bool HasLayout(const Shape& shape);
bool HasAnyLayout(const Shape& shape);

// Returns the memory space of an array; 0 where there is no layout.
int64_t MemorySpace(const Shape& shape);

// Returns the descending layout of an array, the empty one of a token or opaque
// value.
absl::StatusOr<Layout> GetDefaultLayoutForShape(const Shape& shape);

// Returns `shape` with every array in it, in tuples and buffers too, replaced
// by what `transform` makes of it.
Shape TransformArrays(const Shape& shape,
                      absl::FunctionRef<Shape(const Shape& array)> transform);

// Returns `shape` with layouts as DeviceLayoutToHostLayout leaves them, and
// whether that changes nothing.
Shape DeviceShapeToHostShape(const Shape& shape);
bool DeviceShapeIsHostShape(const Shape& shape);

// Returns `shape` with E(n) in every layout: the width of the type where
// `pack_subbyte_types` and the type is one that packs, else none.
Shape UpdateElementSizeInBits(const Shape& shape, bool pack_subbyte_types);

// Returns the array whose dimension i is dimension permutation[i] of `array`,
// its layout such that no element moves. Errors: kInvalidArgument if
// `permutation` is not a permutation of the dimensions, or the layout not
// valid.
absl::StatusOr<Shape> PermuteDimensions(absl::Span<const int64_t> permutation,
                                        const Shape& array);

// Returns the array without a dimension, its layout as DeleteDimension of
// layout/layout_utilities.h leaves it.
absl::StatusOr<Shape> DeleteDimension(int64_t dimension, const Shape& array);

// Returns the array with a dimension made the major-most of its layout; without
// a layout, the array as it is. (XLA drops tiles and all else but the order,
// here they stay, and apply to whatever stands in their place now.)
absl::StatusOr<Shape> MoveDimToMajor(const Shape& array, int64_t dimension);

// Returns the array with a dimension of `bound` elements put in front, which is
// the major-most of its layout too. All else stays, splits renumbered. (XLA
// drops it.) Errors: also kInvalidArgument if `bound` is negative.
absl::StatusOr<Shape> PrependMajorDimension(int64_t bound, const Shape& array);

// Returns how many elements of 1-D packed data share a word: 2 for
// bf16[2048]{0:T(1024)(128)(2,1)}. Errors: kInvalidArgument unless the array
// has one dimension and three tiles, the third of two entries.
absl::StatusOr<int64_t> PackedFactorFor1DInterleavedArray(const Shape& array);

// Returns the sizes of the pieces that SC cuts a *logical* dimension into (the
// dimension of a split is physical); the whole if it is not cut. Errors, here
// and below: also kInvalidArgument if there is a layout and it is not valid.
absl::StatusOr<absl::InlinedVector<int64_t, 4>> SplitSizes(const Shape& array,
                                                           int64_t dimension);
// Returns the largest of them.
absl::StatusOr<int64_t> MaxSplitSize(const Shape& array, int64_t dimension);
// Returns the product of MaxSplitSize over all dimensions.
absl::StatusOr<int64_t> MaxElementsInPerSplit(const Shape& array);

}  // namespace tessera

#endif  // TESSERA_SHAPE_SHAPE_UTILITIES_H_
