// Finds the place of each element of a tensor, and the element or padding at
// each place.
//
//   // 53x63 on 3x2, in tiles: shards of 18x32 in one tile of 32x32 each.
//   const Geometry geometry = *Geometry::Create(
//       {53, 63}, AffineMap::Identity(2), {3, 2},
//       ElementType{DataType::kBfpBf8, TileShape{32, 32}},
//       DivisionOrder::kGridFirst);
//   const absl::StatusOr<Placement> placement = Placement::Create(geometry);
//   placement->Locate({18, 40})->cell();     // {1, 1}; location.h has more
//   placement->At({1, 1}, {0, 8})->index;    // {18, 40}
//   placement->At({0, 0}, {18, 0})->kind;    // PositionKind::kPadding
//   placement->At({2, 0}, {17, 0})->kind;    // PositionKind::kGridPadding
//
//   placement->counts().all();               // 6144, in scalars
//   placement->counts().tile;                // 2688: tile padding
//   placement->counts().grid;                // 117: grid padding
//
// The map gives the position p of an index. The shard of the geometry cuts p
// into the cell p div shard and the offset p mod shard; the tile cuts the last
// two coordinates of the offset. Every place in the memory of a shard is an
// element or one of three kinds of padding:
//
// - kPadding, tile padding: it is allocated by rounding up to whole tiles or,
//   in a layout of 2025, to the alignments of its dimensions;
// - kGridPadding: it is allocated by rounding up to whole shards;
// - kGap: it lies below the extent, but no index has its position.
//
// A tensor whose geometry has an index_map is a view of a storage: the map
// takes the cell of its grid and the tile, or scalar, of its memref to those of
// the storage, which holds the elements. Cells, offsets, tiles and numbers are
// then those of the storage, except that ValidBox and CellBoxes use the
// tensor's own cells.
//
// All of this is one IndexMap, in the order of memory. Cell, tile, face and the
// place in the face are digits of its numbers, and they determine the kind of
// padding.

#ifndef TESSERA_TENSTORRENT_PLACEMENT_H_
#define TESSERA_TENSTORRENT_PLACEMENT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/face.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/location.h"

namespace tessera::tenstorrent {

struct Place {
  // kElement, kPadding (of a tile), kGridPadding or kGap.
  PositionKind kind = PositionKind::kElement;
  Dimensions index;  // of the element; empty otherwise
};

// The numbers of scalars over all cells of the grid.
struct PlaceCounts {
  int64_t elements = 0;
  int64_t tile = 0;
  int64_t grid = 0;
  int64_t gap = 0;
  int64_t all() const { return elements + tile + grid + gap; }
};

// The cells from `first` to `last`, both included.
struct CellBox {
  Dimensions first;
  Dimensions last;
  Dimensions valid;  // ValidBox of each
};

class PaddingOfKind;

class Placement {
 public:
  // Creates the placement of a geometry. Also checks whether indices share
  // positions. If the coefficients do not decide that, tries up to
  // `evaluation_limit` indices, and fewer for maps with hundreds of operations.
  //
  // Errors: kInvalidArgument, with its rule, for kPositionBelow, kPositionPast
  // and kPositionTwice; kOutOfRange for kSizeOverflow; kUnimplemented for
  // tensors that are not supported, although no two indices were found to share
  // a position: those with negative coefficients or constants
  // (map_coordinates.h); with maps that are one-to-one, but not because of
  // their coefficients, such as d0 * 3 + d1 * 2 of 2x3; with maps that the
  // limited tries did not decide (kUndecided); and with an index_map that is
  // not known to be one-to-one onto a storage (kUndecided).
  static absl::StatusOr<Placement> Create(Geometry geometry,
                                          int64_t evaluation_limit = int64_t{1}
                                                                     << 20);

  const Geometry& geometry() const { return geometry_; }

  // The grid and memref of the storage; the geometry's, unless it has an
  // index_map.
  const Dimensions& storage_grid() const { return storage_grid_; }
  const Dimensions& storage_memref() const { return storage_memref_; }

  // The map from an index to the number of its place, in scalars in the order
  // of memory: cells of the grid row-major, in each cell tiles row-major, and
  // in each tile the order of InFace::position. tenstorrent/to_index_map.h has
  // bytes and bits.
  const IndexMap& map() const { return map_; }

  // Errors: kInvalidArgument if `index` does not have the tensor's rank,
  // kOutOfRange if `index` is outside the tensor.
  absl::StatusOr<Location> Locate(absl::Span<const int64_t> index) const& {
    const absl::StatusOr<int64_t> number = map_.LinearIndex(index);
    if (!number.ok()) return number.status();
    return LocationOf(*number);
  }

  // Returns the place with a number of map(). Precondition: 0 <= number <
  // counts().all().
  Location LocationOf(int64_t number) const& {
    return Location(number, digits_.get());
  }
  // Location reads its digits from the placement.
  absl::StatusOr<Location> Locate(absl::Span<const int64_t>) && = delete;
  Location LocationOf(int64_t) && = delete;

  // Returns the element or the padding at an offset, in scalars, in the shard
  // of a cell. Offsets continue past the shard to the end of its last tile.
  // Errors: kInvalidArgument if a coordinate does not have the grid's rank,
  // kOutOfRange if a coordinate is outside the grid or the allocated shard.
  absl::StatusOr<Place> At(absl::Span<const int64_t> cell,
                           absl::Span<const int64_t> offset) const;
  // Like At, for the number of a place. Precondition: 0 <= number <
  // counts().all().
  Place At(int64_t number) const;
  // Like At, for the tile of the memref and the scalar in it.
  absl::StatusOr<Place> AtTile(absl::Span<const int64_t> cell,
                               absl::Span<const int64_t> tile,
                               const InTile& in_tile) const;

  // Returns the number of places with elements, and with each kind of padding.
  // Computed, not counted.
  const PlaceCounts& counts() const { return counts_; }

  // Returns the places with one kind of padding, as maximal ranges of numbers
  // of map(), in increasing order. Precondition: `kind` is not kElement; the
  // placement outlives the result.
  PaddingOfKind Padding(PositionKind kind) const;

  // Returns how much of each dimension of the shard of `cell`, in the tensor's
  // grid, is below the extent, in scalars: all 0 for an empty cell. Errors:
  // those of At.
  absl::StatusOr<Dimensions> ValidBox(absl::Span<const int64_t> cell) const;

  // Returns all cells in row-major order, as boxes of cells with the same
  // ValidBox: at most three along a dimension, of full, partial and empty
  // cells. Errors: kResourceExhausted if there are more than `limit` boxes.
  absl::StatusOr<std::vector<CellBox>> CellBoxes(int64_t limit) const;

  // The number of cells without a position below the extent.
  int64_t empty_cells() const;

 private:
  friend class PaddingOfKind;

  // A box of positions that begins at 0, as places.
  struct Box {
    const IndexMap* map;
    Dimensions limit;
  };

  Placement() = default;

  // Nested boxes of places, from all places over those below a bound to the
  // elements. The places in `Outer` but not in `Inner` have the kind `kind`.
  Box Outer(PositionKind kind) const;
  Box Inner(PositionKind kind) const;
  PositionKind KindOf(int64_t number) const;
  // Like AtTile. Precondition: the coordinates are within their bounds.
  Place AtChecked(absl::Span<const int64_t> cell,
                  absl::Span<const int64_t> tile, const InTile& in_tile) const;

  static Box Whole(const IndexMap& map);

  Geometry geometry_;
  Dimensions storage_grid_;
  Dimensions storage_memref_;
  IndexMap map_;
  // The digits of the numbers of map_. Copies share them, so locations stay
  // valid after moves.
  std::shared_ptr<const MemoryDigits> digits_;
  // Maps those digits to the number.
  IndexMap memory_;
  // Maps positions in all shards to numbers.
  IndexMap shards_;
  PlaceCounts counts_;
};

// The ranges of places that hold padding of one kind; see Placement::Padding.
//
//   PaddingOfKind gaps = placement.Padding(PositionKind::kGap);
//   PositionRange range;
//   while (gaps.Next(&range)) Use(range.begin, range.end);
class PaddingOfKind {
 public:
  // Moves to the next range. Returns false and leaves `range` unchanged if no
  // range is left.
  bool Next(PositionRange* range);

 private:
  friend class Placement;

  PaddingOfKind(ElementRuns outer, ElementRuns inner, int64_t count);

  static bool NextRun(ElementRuns* runs, PositionRange* range);

  ElementRuns outer_;
  ElementRuns inner_;
  // The rest of the current run of outer_, and the next run of inner_; both are
  // empty at the end.
  PositionRange rest_;
  PositionRange cut_;
  int64_t left_;  // positions in ranges that are still to come
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_PLACEMENT_H_
