// File: tenstorrent/placement.h
//
// Where does every element of a tensor lie, and what lies at every place?
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
// The position p of an index, given by the map, is cut by the shard of the
// geometry into the cell p div shard and the offset p mod shard; the tile cuts
// the last two coordinates of the offset. Every place in the memory of a shard
// is an element or padding of one of three kinds:
//
// - kPadding, of a tile: the rounding up to whole tiles allocates it or, in a
//   layout of 2025, that to the alignments of its dimensions;
// - kGridPadding: the rounding up to whole shards allocates it;
// - kGap: it lies below the extent, but no index has its position.
//
// A tensor whose geometry has an index_map is a view of a storage: the map
// takes the cell of its grid and the tile, or scalar, of its memref to those of
// the storage, and it is there that elements lie. Cells, offsets, tiles and
// numbers are those of the storage then. ValidBox and CellBoxes speak of the
// tensor's own cells.
//
// All of it is one IndexMap, in the order of memory. Cell, tile, face and what
// lies in the face are digits of its numbers, and what they make up tells the
// kind of padding.

#ifndef TESSERA_TENSTORRENT_PLACEMENT_H_
#define TESSERA_TENSTORRENT_PLACEMENT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/face.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/location.h"

namespace tessera {
namespace tenstorrent {

struct Place {
  // kElement, kPadding (of a tile), kGridPadding or kGap.
  PositionKind kind = PositionKind::kElement;
  Dimensions index;  // of the element; empty otherwise
};

// In scalars, over all cells of the grid.
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
  // Tells also whether indices share positions. Where that does not follow from
  // the coefficients, up to `evaluation_limit` indices are tried, fewer of maps
  // of hundreds of operations.
  //
  // Errors: kInvalidArgument, with its rule, for kPositionBelow, kPositionPast
  // and kPositionTwice; kOutOfRange for kSizeOverflow; kUnimplemented for what
  // is not computed, though no two indices are found to share a position:
  // negative coefficients and constants (map_coordinates.h), maps that are
  // one-to-one, but not by their coefficients alone, such as d0 * 3 + d1 * 2 of
  // 2x3, those of which nothing was found in as many tries (kUndecided), and an
  // index_map that is not seen to be one-to-one onto a storage (kUndecided).
  static absl::StatusOr<Placement> Create(Geometry geometry,
                                          int64_t evaluation_limit = int64_t{1}
                                                                     << 20);

  const Geometry& geometry() const { return geometry_; }

  // What the storage has in place of the geometry's grid and memref: the same,
  // unless there is an index_map.
  const Dimensions& storage_grid() const { return storage_grid_; }
  const Dimensions& storage_memref() const { return storage_memref_; }

  // From an index to the number of its place, in scalars in the order of
  // memory: cells of the grid row-major, in each tiles row-major, in each the
  // order of InFace::position. Bytes and bits are those of
  // tenstorrent/to_index_map.h.
  const IndexMap& map() const { return map_; }

  // Errors: kInvalidArgument if `index` does not have the tensor's rank,
  // kOutOfRange if it is outside the tensor.
  absl::StatusOr<Location> Locate(absl::Span<const int64_t> index) const& {
    const absl::StatusOr<int64_t> number = map_.LinearIndex(index);
    if (!number.ok()) return number.status();
    return LocationOf(*number);
  }

  // Where the place with a number of map() is. Precondition: 0 <= number <
  // counts().all().
  Location LocationOf(int64_t number) const& {
    return Location(number, digits_.get());
  }
  // A location asks its placement.
  absl::StatusOr<Location> Locate(absl::Span<const int64_t>) && = delete;
  Location LocationOf(int64_t) && = delete;

  // Returns what lies at an offset, in scalars, in the shard of a cell; offsets
  // go on past the shard to the end of its last tile. Errors: kInvalidArgument
  // if a coordinate does not have the grid's rank, kOutOfRange if it is outside
  // the grid or what the shard allocates.
  absl::StatusOr<Place> At(absl::Span<const int64_t> cell,
                           absl::Span<const int64_t> offset) const;
  // The same by the number of the place. Precondition: 0 <= number <
  // counts().all().
  Place At(int64_t number) const;
  // The same by the tile, of the memref, and the scalar in it.
  absl::StatusOr<Place> AtTile(absl::Span<const int64_t> cell,
                               absl::Span<const int64_t> tile,
                               const InTile& in_tile) const;

  // How many places hold elements, and padding of each kind. Computed, not
  // counted.
  const PlaceCounts& counts() const { return counts_; }

  // The places that hold padding of one kind, as ranges of numbers of map(), in
  // rising order and as long as they can be. Precondition: `kind` is not
  // kElement; the placement outlives the result.
  PaddingOfKind Padding(PositionKind kind) const;

  // How much of each dimension of the shard of `cell`, of the tensor's grid,
  // lies below the extent, in scalars: all 0 for an empty cell. Errors: as At.
  absl::StatusOr<Dimensions> ValidBox(absl::Span<const int64_t> cell) const;

  // All cells, as boxes of cells that are alike in how much of their shard lies
  // below the extent, in row-major order: at most three along a dimension, of
  // full, partial and empty cells. Errors: kResourceExhausted if there are more
  // than `limit` boxes.
  absl::StatusOr<std::vector<CellBox>> CellBoxes(int64_t limit) const;

  // How many cells hold no position below the extent.
  int64_t empty_cells() const;

 private:
  friend class PaddingOfKind;

  // A box of positions from 0 on, as places.
  struct Box {
    const IndexMap* map;
    Dimensions limit;
  };

  Placement() = default;

  // Places inside of the box next to `kind` in the sequence of all places,
  // those below a bound, ... the elements: `outer` less `inner` is of `kind`.
  Box Outer(PositionKind kind) const;
  Box Inner(PositionKind kind) const;
  PositionKind KindOf(int64_t number) const;
  // AtTile of coordinates that are within their bounds.
  Place AtChecked(absl::Span<const int64_t> cell,
                  absl::Span<const int64_t> tile, const InTile& in_tile) const;

  static Box Whole(const IndexMap& map);

  Geometry geometry_;
  Dimensions storage_grid_;
  Dimensions storage_memref_;
  IndexMap map_;
  // Of the numbers of map_. Copies share them, so that locations outlive moves.
  std::shared_ptr<const MemoryDigits> digits_;
  // From those digits to the number.
  IndexMap memory_;
  // From positions in all shards to numbers.
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
  // Moves to the next range; false, leaving `range` as it is, if there is none.
  bool Next(PositionRange* range);

 private:
  friend class Placement;

  PaddingOfKind(ElementRuns outer, ElementRuns inner, int64_t count);

  static bool NextRun(ElementRuns* runs, PositionRange* range);

  ElementRuns outer_;
  ElementRuns inner_;
  // What is left of the run of outer_ that is being cut, and the run of inner_
  // that comes next; both empty at the end.
  PositionRange rest_;
  PositionRange cut_;
  int64_t left_;  // positions in ranges that are still to come
};

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_PLACEMENT_H_
