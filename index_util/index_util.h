// File: index_util/index_util.h
//
// XLA's IndexUtil, under XLA's names: it ignores tiles; TiledLinearIndex
// (index_util/tiled_index.h) says where an element of a tiled array lies.
// Everything here looks at dimensions and minor_to_major only, as
// xla/index_util.h does, and ignores tail padding, element size and metadata
// prefix, too. For many elements, ToIndexMap (index_util/to_index_map.h) has
// tiled positions.
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

  // Returns the untiled linear index of `multi_index`: its position in the
  // array's elements, laid out densely in the order of the layout. 0 for rank
  // 0.
  //
  // Errors: kFailedPrecondition if `shape` is no array, has an unbounded
  // dimension or, in the first form, no layout; kInvalidArgument if
  // `multi_index` or `minor_to_major` do not have one entry per dimension, or
  // the latter is not a permutation; kOutOfRange if an entry is outside its
  // bound, or if the linear index exceeds 2^63-1, which only an array that
  // ValidateShape refuses can bring about.
  static absl::StatusOr<int64_t> MultidimensionalIndexToLinearIndex(
      const Shape& shape, absl::Span<const int64_t> multi_index);
  static absl::StatusOr<int64_t> MultidimensionalIndexToLinearIndex(
      const Shape& shape, absl::Span<const int64_t> minor_to_major,
      absl::Span<const int64_t> multi_index);

  // The inverse: the index of the element at that untiled linear index.
  //
  // Errors: as above, and kOutOfRange if `linear_index` is not in
  // [0, number of elements), so always for a zero-element array.
  static absl::StatusOr<DimensionVector> LinearIndexToMultidimensionalIndex(
      const Shape& shape, int64_t linear_index);

  // Advances `indices` to the next index in logical row-major order, the last
  // dimension fastest, whatever the layout. False, leaving `indices` as they
  // are, at the last index, for rank 0, and where `indices` are not in bounds.
  static bool BumpIndices(const Shape& shape, absl::Span<int64_t> indices);

  // Returns how many elements apart, untiled, neighbours along `dimension` lie.
  //
  // Errors: kFailedPrecondition as above; kInvalidArgument if there is no such
  // dimension (XLA returns the number of elements); kOutOfRange if the stride
  // exceeds 2^63-1, which only a zero-element array can have.
  static absl::StatusOr<int64_t> GetDimensionStride(const Shape& shape,
                                                    int64_t dimension);

  // Whether `index` has one entry per dimension, each in [0, bound). (XLA lets
  // negative entries pass.) Every entry from 0 up is within an unbounded
  // dimension.
  static bool IndexInBounds(const Shape& shape,
                            absl::Span<const int64_t> index);

  // Compares lexicographically: -1 if `lhs` comes first, 0 if they are equal, 1
  // otherwise. Error: kInvalidArgument if they differ in length.
  static absl::StatusOr<int> CompareIndices(absl::Span<const int64_t> lhs,
                                            absl::Span<const int64_t> rhs);
};

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_INDEX_UTIL_H_
