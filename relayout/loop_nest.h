// Loops that step through two layouts of one array at once.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const IndexMap row_major = *ToIndexMap(*ParseShape("s8[16,256]"));
//   const IndexMap tiled =
//       *ToIndexMap(*ParseShape("s8[16,256]{1,0:T(8,128)}"));
//   const std::optional<LoopNests> nests =
//       CommonLoopNests(row_major, tiled, CommonBox::Whole(row_major));
//   nests->size();   // 1
//   const auto& loops = nests->front().loops;
//   loops == absl::InlinedVector<Loop, 8>{
//       // extent, from, to
//       {2, 2048, 2048},    // rows of tiles
//       {2, 128, 1024},     // tiles of a row
//       {8, 256, 128},      // rows of a tile
//       {128, 1, 1}};       // true
//
// The function of a separable IndexMap is a sum over dimensions of digits times
// strides. If the digits of both maps divide one another, their common
// refinement walks both: a loop for every digit, with a stride in each map. If
// a digit begins or ends in the middle of the walked box, the dimension is cut
// there, so no loop needs a test. If the digits of the two maps begin at
// different places, every period is cut in the same way, and a loop goes over
// the periods. Each combination of the cuts of all dimensions is a nest.

#ifndef TESSERA_RELAYOUT_LOOP_NEST_H_
#define TESSERA_RELAYOUT_LOOP_NEST_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

// Strides in elements.
struct Loop {
  int64_t extent = 1;
  int64_t from_stride = 0;
  int64_t to_stride = 0;

  friend bool operator==(const Loop& a, const Loop& b) {
    return a.extent == b.extent && a.from_stride == b.from_stride &&
           a.to_stride == b.to_stride;
  }
};

// All combinations of the loops' values, each once. Loops of one value are left
// out, and loops that continue one another in both layouts are merged. They are
// ordered by decreasing absolute stride in `to`, then in `from`.
struct LoopNest {
  int64_t from_base = 0;
  int64_t to_base = 0;
  absl::InlinedVector<Loop, 8> loops;

  // The number of elements that the loops walk.
  int64_t size() const;
};
// Whole tiles give a single nest.
using LoopNests = absl::InlinedVector<LoopNest, 1>;

// The largest number of nests that are made.
inline constexpr int64_t kMaxLoopNests = 1024;

// The common part of two arrays: extents[i] coordinates along dimension i of
// `from`, which correspond to dimension to_dimensions[i] of `to`.
struct CommonBox {
  using Numbers = absl::InlinedVector<int64_t, 6>;

  // Returns the box of both whole arrays, with equal dimensions.
  static CommonBox Whole(const IndexMap& map);

  int64_t size() const;
  // Returns this box with `from` and `to` exchanged.
  CommonBox Inverse() const;
  // Returns the extents by dimension of `to`.
  Numbers to_extents() const;

  Numbers to_dimensions;
  Numbers extents;
  Numbers from_begins;
  Numbers to_begins;  // by dimension of `to`
};

// Returns nests that together walk each element of the box once. Returns
// nullopt if a map is not separable, if digits of the two do not divide one
// another, or if there would be more than kMaxLoopNests.
//
// Precondition: to_dimensions is a permutation, and the box lies within the
// bounds of both maps.
std::optional<LoopNests> CommonLoopNests(const IndexMap& from,
                                         const IndexMap& to,
                                         const CommonBox& box);

// Returns nests whose `to` walks the positions below the tail of `map` that are
// combinations of digits but not elements of the box: its padding, and the
// elements outside the box. The strides of `from` are 0. Returns nullopt as
// above, or if the digits of a dimension do not continue one another from
// divisor 1, or belong to a computed source.
//
// Precondition: map.kind() is kMixedRadix, and the box that begins at `begins`
// with `extents` is within its bounds.
std::optional<LoopNests> LoopNestsBesideBox(const IndexMap& map,
                                            absl::Span<const int64_t> begins,
                                            absl::Span<const int64_t> extents);

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_LOOP_NEST_H_
