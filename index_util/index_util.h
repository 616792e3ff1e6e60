// XLA's IndexUtil, under XLA's names: it ignores tiles; TiledLinearIndex
// (index_util/tiled_index.h) finds an element of a tiled array. Like
// xla/index_util.h, everything here looks only at dimensions and
// minor_to_major, and also ignores tail padding, element size and metadata
// prefix. For tiled positions of many elements, use ToIndexMap
// (index_util/to_index_map.h).
//
//   #include "tessera/parser/parser.h"
//
//   const Shape shape = *ParseShape("f32[2,3]{0,1}");
//   IndexUtil::MultidimensionalIndexToLinearIndex(shape, {1, 2});   // 5
//   IndexUtil::LinearIndexToMultidimensionalIndex(shape, 5);        // {1, 2}
//   IndexUtil::GetDimensionStride(shape, 1);                        // 2
//
// How it differs from XLA: every condition that XLA asserts in debug builds, or
// not at all, is an error here, and nothing overflows.

#ifndef TESSERA_INDEX_UTIL_INDEX_UTIL_H_
#define TESSERA_INDEX_UTIL_INDEX_UTIL_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/shape/shape.h"

namespace tessera {

struct IndexUtil {
  using DimensionVector = absl::InlinedVector<int64_t, 6>;

  // Returns the untiled linear index of `multi_index`: its position if the
  // elements are stored densely in the order of the layout. 0 for rank 0.
  //
  // Errors: kFailedPrecondition if `shape` is not an array, has an unbounded
  // dimension or, in the first form, lacks a layout; kInvalidArgument if
  // `multi_index` or `minor_to_major` do not have one entry per dimension, or
  // the latter is not a permutation; kOutOfRange if an entry is outside its
  // bound, or if the linear index exceeds 2^63-1, which happens only for an
  // array that ValidateShape refuses.
  static absl::StatusOr<int64_t> MultidimensionalIndexToLinearIndex(
      const Shape& shape, absl::Span<const int64_t> multi_index);
  static absl::StatusOr<int64_t> MultidimensionalIndexToLinearIndex(
      const Shape& shape, absl::Span<const int64_t> minor_to_major,
      absl::Span<const int64_t> multi_index);

  // Returns the index of the element at an untiled linear index, the inverse of
  // the function above.
  //
  // Errors: as above, and kOutOfRange if `linear_index` is not in [0, number of
  // elements), so always for an array without elements.
  static absl::StatusOr<DimensionVector> LinearIndexToMultidimensionalIndex(
      const Shape& shape, int64_t linear_index);

  // Advances `indices` to the next index in logical row-major order, the last
  // dimension fastest, whatever the layout. Returns false and leaves `indices`
  // unchanged at the last index, for rank 0, and if `indices` is out of bounds.
  static bool BumpIndices(const Shape& shape, absl::Span<int64_t> indices);

  // Returns the untiled distance in elements between neighbours along
  // `dimension`.
  //
  // Errors: kFailedPrecondition as above; kInvalidArgument if there is no such
  // dimension (XLA returns the number of elements); kOutOfRange if the stride
  // exceeds 2^63-1, which only an array without elements can have.
  static absl::StatusOr<int64_t> GetDimensionStride(const Shape& shape,
                                                    int64_t dimension);

  // Whether `index` has one entry per dimension, each in [0, bound). (XLA
  // accepts negative entries.) In an unbounded dimension every entry from 0 up
  // is valid.
  static bool IndexInBounds(const Shape& shape,
                            absl::Span<const int64_t> index);

  // Compares lexicographically: -1 if `lhs` comes first, 0 if they are equal, 1
  // otherwise. Error: kInvalidArgument if they differ in length.
  static absl::StatusOr<int> CompareIndices(absl::Span<const int64_t> lhs,
                                            absl::Span<const int64_t> rhs);
};

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_INDEX_UTIL_H_
