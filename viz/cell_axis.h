// File: viz/cell_axis.h
//
// Which coordinates of a dimension, and which padding, stand in the cells along
// it, and what does each add to the position?
//
//   // Columns of 3 x 5 in tiles of 2 x 2 (index_map/index_map.h).
//   CellAxis axis(map, 1, {0, 0});
//   axis.count();             // 6
//   axis.CoordinateOf(5);     // 5, which is padding
//   axis.PositionsOf(5);      // 2*4 + 1
//   // 20 in T(8)(3): 3 blocks of 8, each in 9 positions.
//   axis.count();             // 27
//   axis.CellOf(8);           // 9
//   axis.CoordinateOf(8);     // -1: padding between 7 and 8
//
// The digits of a dimension, and of the sources that are made of it alone, are
// a mixed radix: the number of a cell is what they count. Where they are not,
// or the map has no inverse, a cell is a coordinate. Of a dimension that is the
// minor-most of several which a tile joins, digits count the joined coordinate:
// tiles then begin before cell 0.
//
//   // [2,7,3,5] in T(*,2,2): dimension 2 of the elements (0,1,_,_).
//   CellAxis axis(map, 2, {0, 1, 0, 0});
//   axis.phase();             // 3: the joined coordinate of cell 0

#ifndef TESSERA_VIZ_CELL_AXIS_H_
#define TESSERA_VIZ_CELL_AXIS_H_

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

class CellAxis {
 public:
  // ((cell + phase()) div weight) mod radix, times `stride` positions.
  struct Digit {
    int64_t weight = 1;
    int64_t radix = 1;
    int64_t stride = 0;
  };

  // One cell: the axis of no dimension.
  CellAxis() = default;
  // Of the elements with the other entries of `index`, but for dimension
  // `across`, which varies as well. Precondition: 0 <= dimension < map.rank();
  // `index` has rank() entries.
  CellAxis(const IndexMap& map, int64_t dimension,
           absl::Span<const int64_t> index,
           absl::optional<int64_t> across = absl::nullopt);

  absl::optional<int64_t> dimension() const { return dimension_; }
  int64_t bound() const { return bound_; }
  int64_t count() const { return count_; }
  int64_t phase() const { return phase_; }
  // Whether padding has cells, so that PositionsOf is defined.
  bool counts_padding() const { return counts_padding_; }

  // Precondition: 0 <= coordinate < bound().
  int64_t CellOf(int64_t coordinate) const;
  // The coordinate, bound() or more behind the end, -1 for padding in between.
  // Precondition: 0 <= cell < count().
  int64_t CoordinateOf(int64_t cell) const;
  // What the cell adds to positions before a swizzle. Precondition:
  // counts_padding(), 0 <= cell < count().
  int64_t PositionsOf(int64_t cell) const;

  // By rising weight; empty where nothing is known of them.
  absl::Span<const Digit> digits() const { return digits_; }

 private:
  // A digit of a source, or what is made of it and has digits of its own.
  struct Part {
    int64_t divisor = 1;
    int64_t modulus = 1;  // 0: no remainder is taken
    int64_t stride = 0;
    int32_t child = -1;    // the node of a source; -1 for a digit
    int64_t weight = 1;    // in cells of the source
    int64_t capacity = 1;  // in cells
  };
  // The dimension or a source made of it.
  struct Node {
    int64_t bound = 1;
    int64_t capacity = 1;
    std::vector<Part> parts;  // by rising divisor
  };

  // Appends the node of `source` and those of what is made of it. Returns its
  // number, or -1 if they are no mixed radix.
  int32_t AddNode(const IndexMap& map, int32_t source, int depth);
  // Takes the digits of the coordinate that this one is joined into; false if
  // there is none, or none of which this is the minor-most part.
  bool ReadJoined(const IndexMap& map, absl::Span<const int64_t> index,
                  absl::optional<int64_t> across);
  void AppendDigits(int32_t node, int64_t weight);
  // Unless it has only one value.
  void AppendDigit(const Digit& digit);
  int64_t CellOf(int32_t node, int64_t value) const;
  int64_t ValueOf(int32_t node, int64_t cell) const;

  absl::optional<int64_t> dimension_;
  int64_t bound_ = 1;
  int64_t count_ = 1;
  int64_t phase_ = 0;
  bool counts_padding_ = false;
  std::vector<Node> nodes_;
  int32_t root_ = -1;
  std::vector<Digit> digits_;
};

}  // namespace tessera

#endif  // TESSERA_VIZ_CELL_AXIS_H_
