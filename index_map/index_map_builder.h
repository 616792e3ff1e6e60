// Makes an IndexMap: cuts the coordinates of an index into parts, and chooses
// the order in which the parts count.
//
//   // 3 x 5 elements in tiles of 2 x 2: which tile, then where in the tile.
//   IndexMap::Builder builder({3, 5});
//   auto rows = builder.Split(builder.Dimension(0), 2);
//   auto columns = builder.Split(builder.Dimension(1), 2);
//   absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
//       {rows.first, columns.first, rows.second, columns.second});
//   map->LinearIndexUnchecked({2, 3});  // 17

#ifndef TESSERA_INDEX_MAP_INDEX_MAP_BUILDER_H_
#define TESSERA_INDEX_MAP_INDEX_MAP_BUILDER_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

// Builds an IndexMap by cutting and joining coordinates. Coordinates belong to
// the builder that made them. Errors are kept until Build reports them.
class IndexMap::Builder {
 public:
  // (source div divisor) mod modulus, with values in [0, bound).
  struct Coordinate {
    int32_t source = 0;
    int64_t divisor = 1;
    int64_t modulus = 0;  // 0: no remainder is taken
    int64_t bound = 1;
  };

  struct StridedCoordinate {
    Coordinate coordinate;
    int64_t stride = 0;
  };

  // Creates a builder for indices within these bounds.
  explicit Builder(absl::Span<const int64_t> bounds);

  // Returns the coordinate of dimension `i` of the index.
  Coordinate Dimension(int64_t i) const;

  // Returns a coordinate that is always 0 and can be split like any other.
  Coordinate Unit();

  // Returns major * minor.bound + minor.
  Coordinate Join(const Coordinate& major, const Coordinate& minor);

  // Returns offset + the sum of stride * coordinate, with the largest value
  // plus 1 as its bound. The result always has a source of its own, even if it
  // equals one of `coordinates`. If every stride exceeds the largest sum of the
  // smaller ones, the inverse reads the coordinates off it, and values that no
  // index produces are gaps; otherwise kind() is kGeneral. Strides of 0 add
  // nothing. `limit` is a second bound, for coordinates that depend on one
  // another and therefore do not reach their largest sum. Precondition: limit >
  // 0, and no index produces a value of `limit` or more.
  //
  //   // Rows of 8, each 32 positions after the one before: (i, j) -> 32*i + j.
  //   builder.Sum({{builder.Dimension(0), 32}, {builder.Dimension(1), 1}});
  //
  // Errors, from Build: kInvalidArgument if a stride or the offset is negative;
  // kOutOfRange if, by the bounds of the coordinates, a value could exceed
  // 2^63-2.
  Coordinate Sum(absl::Span<const StridedCoordinate> coordinates,
                 int64_t offset = 0,
                 int64_t limit = std::numeric_limits<int64_t>::max());

  // Returns the coordinate with its bound raised to at least `bound`; the added
  // positions are padding. Precondition: the coordinate is a Dimension, Unit or
  // Sum, or a quotient that Split made from one of these without taking a
  // remainder, and it is not split again.
  static Coordinate Widen(Coordinate coordinate, int64_t bound) {
    coordinate.bound = std::max(coordinate.bound, bound);
    return coordinate;
  }

  // Returns (coordinate div divisor, coordinate mod divisor). Their bounds are
  // ceil(coordinate.bound / divisor) and divisor. Precondition: divisor > 0.
  std::pair<Coordinate, Coordinate> Split(const Coordinate& coordinate,
                                          int64_t divisor);

  // Returns (coordinate div divisor) mod modulus; modulus 0 means that no
  // remainder is taken. Precondition: divisor > 0, modulus >= 0.
  Coordinate Part(const Coordinate& coordinate, int64_t divisor,
                  int64_t modulus);

  // Returns the position in `map` of the index `coordinates`, as a coordinate
  // with a source of its own. Precondition: that of BuildMapped, and `map` is
  // not swizzled and has no negative strides.
  Coordinate PositionIn(const IndexMap& map,
                        absl::Span<const Coordinate> coordinates);

  // Builds the map whose linear index is the row-major position among `axes`
  // (major to minor); the number of positions is rounded up to a multiple of
  // `alignment` > 0. Without elements there are no positions.
  //
  // Errors: kInvalidArgument if a bound is negative; kOutOfRange if the product
  // of the bounds, of the axes' bounds, or of bounds that were joined, exceeds
  // 2^63-1.
  absl::StatusOr<IndexMap> BuildRowMajor(absl::Span<const Coordinate> axes,
                                         int64_t alignment = 1) &&;

  // Builds the map whose linear index is base + the sum of stride * coordinate.
  // Strides may be zero or negative and positions may repeat; kind() is then
  // kGeneral.
  //
  // Errors: as above, and kOutOfRange if a position is outside [0, 2^63-1).
  absl::StatusOr<IndexMap> BuildStrided(
      absl::Span<const StridedCoordinate> coordinates, int64_t base = 0) &&;

  // Builds the map whose linear index is that of `map` at the index
  // `coordinates`; the number of positions and the swizzle are those of `map`,
  // too.
  //
  // Precondition: there are map.rank() coordinates, and the values of each are
  // below the map's bound. Errors: as above.
  absl::StatusOr<IndexMap> BuildMapped(
      const IndexMap& map, absl::Span<const Coordinate> coordinates) &&;

 private:
  void KeepError(absl::Status status);
  Coordinate WholeSource(int32_t source) const;
  Coordinate AddSource(IndexMap::Source source);
  // Returns whether `source` consists only of Unit.
  bool IsConstant(int32_t source) const;
  // Returns the digits of `map`, as parts of `coordinates` and of the map's
  // sources computed from them.
  absl::InlinedVector<Coordinate, 8> DigitsOf(
      const IndexMap& map, absl::Span<const Coordinate> coordinates);
  // Returns the error that was kept, or an error if the bounds are too large.
  absl::Status Begin();
  // Returns the map, with digits by decreasing stride.
  IndexMap Finish() &&;

  // Has only bounds and sources so far.
  std::shared_ptr<index_map_internal::CompiledMap> map_;
  // Set for the sources past the dimensions.
  absl::InlinedVector<bool, 4> is_constant_;
  absl::Status status_;
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_INDEX_MAP_BUILDER_H_
