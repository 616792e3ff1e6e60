// File: index_util/bitcast.h
//
// Can one buffer be read as the other shape, without moving a byte?
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
// What XLA calls a bitcast may be a reshape, a transpose or both. IsBitcast
// asks for the reshape, FindBitcasts for all of them. Both follow tiles,
// element sizes, memory spaces and prefixes. Under XLA's names there is XLA's
// rule, which looks at dimensions and minor_to_major only:
// f32[64,256]{1,0:T(8,128)} and f32[8,8,256]{2,1,0} are a bitcast by
// ReshapeIsBitcast and none by IsBitcast, and s4[4]{0} and s8[4]{0} the other
// way round, for XLA asks for one element type.

#ifndef TESSERA_INDEX_UTIL_BITCAST_H_
#define TESSERA_INDEX_UTIL_BITCAST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns whether `from` and `to` have equally many elements of equally many
// bits (type and sign do not matter), in one memory space after equal metadata
// prefixes, and the element that is number n in row-major logical order lies at
// the same position in both, for every n: whether it is a bitcast as a reshape.
// The buffers may still differ in size where padding follows the data.
//
// Errors: those of ToIndexMap for either shape; kResourceExhausted as
// SameFunction.
absl::StatusOr<bool> IsBitcast(const Shape& from, const Shape& to);

// What decides whether a buffer can be read as another: of an XLA shape, and of
// any other array whose elements have a size.
struct ArrayBuffer {
  IndexMap map;              // in elements
  int64_t element_bits = 0;  // of one in memory
  int64_t prefix_bytes = 0;  // in front of position 0
  std::string memory_space;  // "S(1)"; empty for the default
};

// Returns the buffer of an XLA array. Errors: those of ToIndexMap.
absl::StatusOr<ArrayBuffer> ToArrayBuffer(const Shape& shape);

// A bitcast that is neither a reshape nor a transpose alone: first a transpose,
// then a reshape, then a transpose, where nothing moves in any of them. XLA
// decomposes bitcasts into the same three (ShapeUtil::DecomposeBitcastToTrt).
struct BitcastSteps {
  std::vector<int64_t> first_dimensions;  // of the first transpose
  Shape transposed;                       // what it makes of `from`
  Shape reshaped;                         // what the reshape makes of that
  std::vector<int64_t> last_dimensions;   // of what makes `to` of that
};

// Two questions, whether the buffers are alike, and whether the elements are in
// their places, and the answers to the second by kind. An answer that takes
// too long to tell is absent.
struct Bitcasts {
  // Whether it is a bitcast as a reshape or as a transpose, of those that were
  // asked for; false where there is an obstacle.
  absl::optional<bool> is_bitcast;
  // Why the one buffer cannot be read as the other wherever elements lie, as
  // "20 and 24 elements", "elements of 32 and of 16 bits", or "two memory
  // spaces, S(1) and the default". Empty if nothing stands in the way. The
  // answers below are given in spite of different memory spaces; where the
  // obstacle is another they are false.
  std::string obstacle;
  // Whether the element that is number n in row-major order lies at the same
  // position in both, for every n. Absent, too, where options.dimensions say
  // which transpose is meant.
  absl::optional<bool> as_reshape;
  // Whether there is a transpose that leaves every element where it is, and
  // which: XLA's dimensions={...}, so that dimension i of `to` is dimension
  // dimensions[i] of `from`. That is no more than one, but for dimensions of
  // size 1: those come as minor_to_major has them in both, as XLA's
  // TransposeIsBitcast asks, unless every dimension may stay as it is.
  absl::optional<bool> as_transpose;
  // Of that transpose; of the one that is asked about even if it is none. Empty
  // where none was found.
  std::vector<int64_t> dimensions;
  // Where neither is true of two shapes: the bitcast that is both, if one was
  // found. It is, if there is one between the two arrays with their dimensions
  // in the order of memory, as of all untiled arrays of one size.
  absl::optional<BitcastSteps> steps;
};

struct BitcastOptions {
  // Ask about this transpose alone; empty: find one.
  std::vector<int64_t> dimensions;
  // How long to look where the structure of two maps does not tell.
  SameFunctionOptions same_function;
};

// Returns in which ways the buffer of `from` can be read as `to`. The work is
// that of a few SameFunction, whatever the rank. The buffers may differ in size
// where padding follows the data; element types do not matter.
//
// Precondition of buffers: what has elements at one position has them there
// along whole dimensions, as strides do; layouts of shapes never have.
// Errors: those of ToIndexMap for either shape; kInvalidArgument if
// options.dimensions are no permutation of the dimensions of `from`, or make
// other bounds of them than those of `to`.
absl::StatusOr<Bitcasts> FindBitcasts(const Shape& from, const Shape& to,
                                      const BitcastOptions& options = {});
absl::StatusOr<Bitcasts> FindBitcasts(const ArrayBuffer& from,
                                      const ArrayBuffer& to,
                                      const BitcastOptions& options = {});

// XLA's ShapeUtil::ReshapeIsBitcast: whether `from` and `to` have one element
// type and equally many elements, and each index of either that is 1 in one
// place and 0 elsewhere keeps its *untiled* linear index when it is read as the
// other shape. Without elements it is a bitcast.
//
// Errors: kFailedPrecondition if a shape is no array, has an unbounded
// dimension or no layout; kInvalidArgument if its minor_to_major is no
// permutation; kOutOfRange if it has more than 2^63-1 elements.
absl::StatusOr<bool> ReshapeIsBitcast(const Shape& from, const Shape& to);

// XLA's ShapeUtil::TransposeIsBitcast: whether `from` and `to` have one element
// type, and minor_to_major of `to`, read as dimensions of `from`, is that of
// `from`. Dimension i of `to` is dimension dimension_mapping[i] of `from`.
//
// Errors: kFailedPrecondition as above; kInvalidArgument if `dimension_mapping`
// or a minor_to_major is not a permutation of the dimensions, or a dimension of
// `to` has another size than the one that it is mapped to.
absl::StatusOr<bool> TransposeIsBitcast(
    const Shape& from, const Shape& to,
    absl::Span<const int64_t> dimension_mapping);

// Returns the maps of both shapes from one set of indices, whose row-major
// order is that of the elements of either: the same function exactly if the
// element that is number n lies at the same position in both, for every n. For
// those who compare by rules of their own.
//
// Errors: those of ToIndexMap for either shape; kFailedPrecondition if the
// shapes do not have equally many elements, or have none.
absl::StatusOr<std::pair<IndexMap, IndexMap>> RowMajorMaps(const Shape& from,
                                                           const Shape& to);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_BITCAST_H_
