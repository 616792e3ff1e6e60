// The part of XLA's ShapeUtil that works on whole shapes, without an index:
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
// XLA aborts or overflows, these functions return an error. Functions of whole
// shapes visit every array in nested tuples and buffers, without recursion.
// index_util/array_sizes.h has sizes in bytes with tiles.
//
// Errors, unless a function documents others: kFailedPrecondition if the shape
// is not an array, has an unbounded dimension whose size matters, or lacks a
// layout that is needed; kInvalidArgument for a dimension that it does not
// have; kOutOfRange for a product that exceeds int64_t.

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

// Checks that `shape` is an array without unbounded dimensions.
absl::Status CheckBoundedArray(const Shape& shape);
// Checks that `minor_to_major` is a permutation of the dimensions.
absl::Status CheckOrder(const Shape& array,
                        absl::Span<const int64_t> minor_to_major);
// Checks all requirements of untiled positions: CheckBoundedArray, that there
// is a layout, and CheckOrder of that layout.
absl::Status CheckOrderedArray(const Shape& shape);

// Returns the product of the dimensions: 1 for a scalar. A bounded dimension
// counts at its bound.
absl::StatusOr<int64_t> ElementsIn(const Shape& array);

// Returns the number of dimensions whose size is not 1 (0 counts, too).
int64_t TrueNumDimensions(const Shape& shape);
// Returns whether `shape` is an array whose dimensions all have size 1.
bool IsEffectiveScalar(const Shape& shape);

// Return whether every array in `shape` has a layout, or any of them. Tokens
// and opaque values need no layout and count as having one.
bool HasLayout(const Shape& shape);
bool HasAnyLayout(const Shape& shape);

// Returns the memory space of an array; 0 without a layout.
int64_t MemorySpace(const Shape& shape);

// Returns the descending layout for an array, or the empty layout for a token
// or opaque value.
absl::StatusOr<Layout> GetDefaultLayoutForShape(const Shape& shape);

// Returns `shape` with `transform` applied to every array in it, including
// those in tuples and buffers.
Shape TransformArrays(const Shape& shape,
                      absl::FunctionRef<Shape(const Shape& array)> transform);

// Return `shape` with DeviceLayoutToHostLayout applied to its layouts, and
// whether that leaves it unchanged.
Shape DeviceShapeToHostShape(const Shape& shape);
bool DeviceShapeIsHostShape(const Shape& shape);

// Returns `shape` with E(n) in the layout of every type that packs, if
// `pack_subbyte_types`, where n is the width of the type; removes E from all
// other layouts.
Shape UpdateElementSizeInBits(const Shape& shape, bool pack_subbyte_types);

// Returns the array whose dimension i is dimension permutation[i] of `array`,
// with a layout that moves no element. Errors: kInvalidArgument if
// `permutation` is not a permutation of the dimensions, or if the layout is not
// valid.
absl::StatusOr<Shape> PermuteDimensions(absl::Span<const int64_t> permutation,
                                        const Shape& array);

// Returns the array without a dimension. DeleteDimension of
// layout/layout_utilities.h edits its layout.
absl::StatusOr<Shape> DeleteDimension(int64_t dimension, const Shape& array);

// Returns the array with a dimension moved to the major-most place of its
// layout; without a layout, returns the array unchanged. (XLA drops everything
// but the order. Here tiles and the rest stay, and apply to the dimensions that
// are in their places afterwards. A layout that is then invalid is refused.)
absl::StatusOr<Shape> MoveDimToMajor(const Shape& array, int64_t dimension);

// Returns the array with a new dimension 0 of `bound` elements, which is also
// the major-most of its layout. Everything else stays, with splits renumbered.
// (XLA drops it.) Errors: also kInvalidArgument if `bound` is negative.
absl::StatusOr<Shape> PrependMajorDimension(int64_t bound, const Shape& array);

// Returns the number of elements of 1-D packed data that share a word: 2 for
// bf16[2048]{0:T(1024)(128)(2,1)}. Errors: kInvalidArgument unless the array
// has one dimension and three tiles, the third of two entries.
absl::StatusOr<int64_t> PackedFactorFor1DInterleavedArray(const Shape& array);

// Returns the sizes of the pieces that SC cuts a *logical* dimension into (the
// dimension of a split is physical); the whole dimension if it is not cut.
// Errors, here and below: also kInvalidArgument if the array has a layout that
// is not valid.
absl::StatusOr<absl::InlinedVector<int64_t, 4>> SplitSizes(const Shape& array,
                                                           int64_t dimension);
// Returns the largest of these pieces.
absl::StatusOr<int64_t> MaxSplitSize(const Shape& array, int64_t dimension);
// Returns the product of MaxSplitSize over all dimensions.
absl::StatusOr<int64_t> MaxElementsInPerSplit(const Shape& array);

}  // namespace tessera

#endif  // TESSERA_SHAPE_SHAPE_UTILITIES_H_
