// File: relayout/loop_nest.h
//
// Two layouts of one array, walked together: loops that step through both at
// once.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const IndexMap row_major = *ToIndexMap(*ParseShape("s8[16,256]"));
//   const IndexMap tiled =
//       *ToIndexMap(*ParseShape("s8[16,256]{1,0:T(8,128)}"));
//   const absl::optional<LoopNests> nests =
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
// strides. Where the digits of both maps divide one another, a common
// refinement of them walks both: a loop for every digit, with a stride in each.
// A dimension that its digits do not count exactly, as they begin or end in the
// middle of the box that is walked, is cut where they do, so that no loop needs
// a test. Where the digits of the two begin at different places, every period
// of theirs is cut in the same way, and a loop goes over the periods. Each
// combination of the cuts of all dimensions is a nest.

#ifndef TESSERA_RELAYOUT_LOOP_NEST_H_
#define TESSERA_RELAYOUT_LOOP_NEST_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/optional.h"
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
// out, and those that continue one another in both layouts are one. They stand
// by falling stride of `to`, then of `from`, whatever their signs.
struct LoopNest {
  int64_t from_base = 0;
  int64_t to_base = 0;
  absl::InlinedVector<Loop, 8> loops;

  // How many elements the loops walk.
  int64_t size() const;
};
// Whole tiles make a single nest.
using LoopNests = absl::InlinedVector<LoopNest, 1>;

// The largest number of nests that are made.
inline constexpr int64_t kMaxLoopNests = 1024;

// What two arrays have in common: extents[i] coordinates along dimension i of
// `from`, which are those along dimension to_dimensions[i] of `to`.
struct CommonBox {
  using Numbers = absl::InlinedVector<int64_t, 6>;

  // All of both arrays, each dimension being itself.
  static CommonBox Whole(const IndexMap& map);

  int64_t size() const;
  // The same with `from` and `to` exchanged.
  CommonBox Inverse() const;
  // The extents by dimension of `to`.
  Numbers to_extents() const;

  Numbers to_dimensions;
  Numbers extents;
  Numbers from_begins;
  Numbers to_begins;  // by dimension of `to`
};

// Returns nests that walk, all together, each element of the box once, or
// nullopt if a map is not separable, or digits of the two do not divide one
// another, or there would be more than kMaxLoopNests.
//
// Precondition: to_dimensions is a permutation, and the box lies within the
// bounds of both maps.
absl::optional<LoopNests> CommonLoopNests(const IndexMap& from,
                                          const IndexMap& to,
                                          const CommonBox& box);

// Returns nests that walk, as their `to`, the positions below the tail of `map`
// that are combinations of digits but no elements of a box: its padding, and
// the elements beside the box. The strides of `from` are 0. Nullopt as above,
// or if digits are not of dimensions.
//
// Precondition: map.kind() is kMixedRadix, and the box of `extents` from
// `begins` on lies within its bounds.
absl::optional<LoopNests> LoopNestsBesideBox(const IndexMap& map,
                                             absl::Span<const int64_t> begins,
                                             absl::Span<const int64_t> extents);

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_LOOP_NEST_H_
