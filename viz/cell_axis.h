// One axis of a picture's grid: the coordinate or padding in each cell, and the
// share of each cell in the position.
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
// If the digits of a dimension, and of the sources that are made of it alone,
// form a mixed radix, it numbers the cells. If they do not, or if the map does
// not have an inverse, a cell is a coordinate. If a tile joins several
// dimensions and this one is the minor-most of them, the digits count the
// joined coordinate: tiles then begin before cell 0.
//
//   // [2,7,3,5] in T(*,2,2): dimension 2 of the elements (0,1,_,_).
//   CellAxis axis(map, 2, {0, 1, 0, 0});
//   axis.phase();             // 3: the joined coordinate of cell 0

#ifndef TESSERA_VIZ_CELL_AXIS_H_
#define TESSERA_VIZ_CELL_AXIS_H_

#include <cstdint>
#include <optional>
#include <vector>

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

  // Makes an axis of one cell, without a dimension.
  CellAxis() = default;
  // Makes the axis of `dimension`, for the elements that have the other entries
  // of `index`. Dimension `across` varies as well. Precondition: 0 <= dimension
  // < map.rank(); `index` has rank() entries.
  CellAxis(const IndexMap& map, int64_t dimension,
           absl::Span<const int64_t> index,
           std::optional<int64_t> across = std::nullopt);

  std::optional<int64_t> dimension() const { return dimension_; }
  int64_t bound() const { return bound_; }
  int64_t count() const { return count_; }
  int64_t phase() const { return phase_; }
  // Whether padding has cells, so that PositionsOf is defined.
  bool counts_padding() const { return cells_.has_value(); }

  // Precondition: 0 <= coordinate < bound().
  int64_t CellOf(int64_t coordinate) const;
  // Returns the coordinate: bound() or more past the end, -1 for padding in
  // between. Precondition: 0 <= cell < count().
  int64_t CoordinateOf(int64_t cell) const;
  // Returns the number that the cell adds to positions before a swizzle.
  // Precondition: counts_padding(), 0 <= cell < count().
  int64_t PositionsOf(int64_t cell) const;

  // The digits by increasing weight; empty if they are not known.
  absl::Span<const Digit> digits() const { return digits_; }

 private:
  // Makes cells from the digits of `source`, and of the sources that are made
  // of it alone. Returns nullopt if these do not form a mixed radix.
  std::optional<IndexMap> ReadCells(const IndexMap& map, int32_t source);
  // Takes the digits of the joined coordinate that this one is the minor-most
  // part of. Returns false if there is no such coordinate.
  bool ReadJoined(const IndexMap& map, absl::Span<const int64_t> index,
                  std::optional<int64_t> across);
  // Adds the digit unless it has only one value.
  void AppendDigit(const Digit& digit);

  std::optional<int64_t> dimension_;
  int64_t bound_ = 1;
  int64_t count_ = 1;
  int64_t phase_ = 0;
  // Maps coordinates to cells; nullopt if both are the same.
  std::optional<IndexMap> cells_;
  std::vector<Digit> digits_;
};

}  // namespace tessera

#endif  // TESSERA_VIZ_CELL_AXIS_H_
