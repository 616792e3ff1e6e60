// Decides whether a buffer of one shape can be read as another shape, without
// moving a byte.
//
//   #include "tessera/parser/parser.h"
//
//   // One tile is row-major, two are not.
//   IsBitcast(*ParseShape("bf16[8,128]{1,0:T(8,128)}"),
//             *ParseShape("bf16[1024]{0}"));   // true
//   IsBitcast(*ParseShape("bf16[8,256]{1,0:T(8,128)}"),
//             *ParseShape("bf16[2048]{0}"));   // false
//
//   // No reshape, but the transpose dimensions={0,2,1,3}.
//   const Bitcasts bitcasts =
//       *FindBitcasts(*ParseShape("f16[1,2,128,64]{3,2,1,0}"),
//                     *ParseShape("f16[1,128,2,64]{3,1,2,0}"));
//   *bitcasts.as_reshape;      // false
//   *bitcasts.as_transpose;    // true
//   bitcasts.dimensions;       // {0, 2, 1, 3}
//
// XLA's bitcasts may be a reshape, a transpose or both. IsBitcast checks for
// the reshape, FindBitcasts for all of them. Both take tiles, element sizes,
// memory spaces and prefixes into account. The functions with XLA's names
// follow XLA's rule, which looks only at dimensions and minor_to_major:
// f32[64,256]{1,0:T(8,128)} and f32[8,8,256]{2,1,0} are a bitcast for
// ReshapeIsBitcast but not for IsBitcast, and s4[4]{0} and s8[4]{0} the other
// way round, because XLA requires equal element types.

#ifndef TESSERA_INDEX_UTIL_BITCAST_H_
#define TESSERA_INDEX_UTIL_BITCAST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns whether reading `from` as `to` is a bitcast as a reshape. Both must
// have the same number of elements of the same number of bits (type and sign do
// not matter), in the same memory space after equal metadata prefixes, and for
// every n, element number n in row-major logical order must lie at the same
// position in both. The buffers may still differ in size because of padding
// after the data.
//
// Errors: those of ToIndexMap for either shape; kResourceExhausted as for
// SameFunction.
absl::StatusOr<bool> IsBitcast(const Shape& from, const Shape& to);

// The facts that decide whether a buffer can be read as another. They exist for
// an XLA shape and for any other array whose elements have a size.
struct ArrayBuffer {
  IndexMap map;              // in elements
  int64_t element_bits = 0;  // of one in memory
  int64_t prefix_bytes = 0;  // in front of position 0
  std::string memory_space;  // "S(1)"; empty for the default
};

// Returns the buffer of an XLA array. Errors: those of ToIndexMap.
absl::StatusOr<ArrayBuffer> ToArrayBuffer(const Shape& shape);

// A bitcast that is neither a reshape nor a transpose alone: a transpose, then
// a reshape, then a transpose, none of which moves an element. XLA decomposes
// bitcasts into the same three (ShapeUtil::DecomposeBitcastToTrt).
struct BitcastSteps {
  std::vector<int64_t> first_dimensions;  // of the first transpose
  Shape transposed;                       // the transpose of `from`
  Shape reshaped;                         // the reshape of that
  std::vector<int64_t> last_dimensions;   // of the last transpose
};

// The answers to two questions: whether the buffers are compatible, and, by
// kind of bitcast, whether the elements keep their places. An answer that takes
// too long to compute is absent.
struct Bitcasts {
  // Whether it is a bitcast as a reshape or as a transpose, as far as these
  // were requested; false if there is an obstacle.
  std::optional<bool> is_bitcast;
  // Why the one buffer cannot be read as the other, wherever its elements lie:
  // "20 and 24 elements", "elements of 32 and of 16 bits", or "two memory
  // spaces, S(1) and the default". Empty if there is no obstacle. Different
  // memory spaces do not affect the answers below; with any other obstacle they
  // are false.
  std::string obstacle;
  // Whether, for every n, element number n in row-major order lies at the same
  // position in both. Also absent if options.dimensions names a transpose.
  std::optional<bool> as_reshape;
  // Whether there is a transpose that leaves every element in its place, and
  // which one: XLA's dimensions={...}, where dimension i of `to` is dimension
  // dimensions[i] of `from`. Except for dimensions of size 1, there is at most
  // one. Dimensions of size 1 are ordered as in minor_to_major of both, as
  // XLA's TransposeIsBitcast requires, unless every dimension can keep its
  // place.
  std::optional<bool> as_transpose;
  // The dimensions of that transpose; if options.dimensions names one, these
  // dimensions even if it is not a bitcast. Empty if none was found.
  std::vector<int64_t> dimensions;
  // If neither is true of two shapes: the bitcast that is both, if one was
  // found. It is found if the two arrays are a bitcast with their dimensions in
  // the order of memory, as all untiled arrays of one size are.
  std::optional<BitcastSteps> steps;
};

struct BitcastOptions {
  // Check only this transpose; if empty, find one.
  std::vector<int64_t> dimensions;
  // How long to search if the structure of the two maps does not decide.
  SameFunctionOptions same_function;
};

// Returns the ways in which the buffer of `from` can be read as `to`. Costs as
// much as a few calls of SameFunction, whatever the rank. The buffers may
// differ in size because of padding after the data; element types do not
// matter.
//
// Precondition of buffers: if several elements share a position, they do so
// along whole dimensions, as with strides of 0; in layouts of shapes no two
// elements do. Errors: those of ToIndexMap for either shape; kInvalidArgument
// if options.dimensions is not a permutation of the dimensions of `from`, or
// does not map its bounds to those of `to`.
absl::StatusOr<Bitcasts> FindBitcasts(const Shape& from, const Shape& to,
                                      const BitcastOptions& options = {});
absl::StatusOr<Bitcasts> FindBitcasts(const ArrayBuffer& from,
                                      const ArrayBuffer& to,
                                      const BitcastOptions& options = {});

// XLA's ShapeUtil::ReshapeIsBitcast: returns whether `from` and `to` have the
// same element type and number of elements, and each index of either that is 1
// in one place and 0 elsewhere keeps its *untiled* linear index when it is read
// as the other shape. Arrays without elements are a bitcast.
//
// Errors: kFailedPrecondition if a shape is not an array, has an unbounded
// dimension or lacks a layout; kInvalidArgument if its minor_to_major is not a
// permutation; kOutOfRange if it has more than 2^63-1 elements.
absl::StatusOr<bool> ReshapeIsBitcast(const Shape& from, const Shape& to);

// XLA's ShapeUtil::TransposeIsBitcast: returns whether `from` and `to` have the
// same element type, and minor_to_major of `to`, read as dimensions of `from`,
// equals that of `from`. Dimension i of `to` is dimension dimension_mapping[i]
// of `from`.
//
// Errors: kFailedPrecondition as above; kInvalidArgument if `dimension_mapping`
// or a minor_to_major is not a permutation of the dimensions, or if a dimension
// of `to` differs in size from the one that it is mapped to.
absl::StatusOr<bool> TransposeIsBitcast(
    const Shape& from, const Shape& to,
    absl::Span<const int64_t> dimension_mapping);

// Returns the maps of both shapes from one common set of indices, whose
// row-major order is that of the elements of either. They are the same function
// if and only if, for every n, element number n lies at the same position in
// both.
// For callers with their own rules of comparison.
//
// Errors: those of ToIndexMap for either shape; kFailedPrecondition if the
// shapes do not have equally many elements, or have none.
absl::StatusOr<std::pair<IndexMap, IndexMap>> RowMajorMaps(const Shape& from,
                                                           const Shape& to);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_BITCAST_H_
