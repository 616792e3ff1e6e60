// XLA's ShapeUtil::ForEachIndex and byte strides: steps over the indices of an
// array in the order of its layout, as if it were stored densely.
//
//   #include "tessera/parser/parser.h"
//
//   const Shape shape = *ParseShape("f32[2,3]{0,1}");
//   std::vector<std::vector<int64_t>> visited;
//   const auto visit = [&visited](absl::Span<const int64_t> index) {
//     visited.emplace_back(index.begin(), index.end());
//     return true;   // go on
//   };
//   ForEachIndex(shape, visit);   // OK
//   visited;   // {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}
//
//   // From {0, 1} on, 2 x 2 of them.
//   visited.clear();
//   ForEachIndex(shape, {0, 1}, {2, 2}, {1, 1}, visit);   // OK
//   visited;   // {{0, 1}, {1, 1}, {0, 2}, {1, 2}}
//   UnpackedByteStrides(shape);   // {4, 8}
//
// Everything here is *untiled*, as in XLA: tiles and padding are ignored.
// index_map/slice_positions.h steps through the elements of tiled memory.

#ifndef TESSERA_INDEX_UTIL_FOR_EACH_INDEX_H_
#define TESSERA_INDEX_UTIL_FOR_EACH_INDEX_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Receives an index, which is valid only during the call. Returning false ends
// the walk.
using IndexVisitor = absl::FunctionRef<bool(absl::Span<const int64_t> index)>;

// Visits the indices base[i], base[i] + increment[i], ... below base[i] +
// count[i] of each dimension, the minor-most dimension of the layout fastest. A
// rank-0 array has one index. A count of 0 visits nothing. (XLA then visits the
// base.)
//
// Errors: kFailedPrecondition if `shape` is not an array, has an unbounded
// dimension or lacks a layout; kInvalidArgument if its minor_to_major is not a
// permutation, if `base`, `count` or `increment` does not have one entry per
// dimension, or if an increment is not positive; kOutOfRange if a base or count
// is negative, or base + count exceeds the dimension.
absl::Status ForEachIndex(const Shape& shape, absl::Span<const int64_t> base,
                          absl::Span<const int64_t> count,
                          absl::Span<const int64_t> increment,
                          IndexVisitor visit);
// Visits all indices.
absl::Status ForEachIndex(const Shape& shape, IndexVisitor visit);

// Returns the untiled distance in bytes between neighbours along each
// dimension. Each element takes the whole bytes of its type (ByteWidth): E(n)
// and packing are ignored.
//
// Errors: those of IndexUtil::GetDimensionStride; kOutOfRange if a stride
// exceeds 2^63-1 bytes.
absl::StatusOr<absl::InlinedVector<int64_t, 6>> UnpackedByteStrides(
    const Shape& shape);

// Like UnpackedByteStrides, but with elements of E(n) bits. Errors: also
// kFailedPrecondition if n is not a multiple of 8. (XLA refuses these too, but
// still counts the bytes of the type.)
absl::StatusOr<absl::InlinedVector<int64_t, 6>> ByteStrides(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_FOR_EACH_INDEX_H_
