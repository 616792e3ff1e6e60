// Lays out a tensor as TTNN does, given strides, shard and tile.
//
//   TtnnTerms terms;                         // the document's figure
//   terms.shape = {12, 12, 16};
//   terms.shard_shape = {72, 16};
//   terms.tile_shape = {32, 32};
//   const TtnnShape packed = *DeriveTtnnShape(terms);
//   packed.rows;                             // 144
//   packed.width;                            // 16
//   packed.grid_shape;                       // {2, 1}
//   packed.physical_shard_shape;             // {96, 32}
//
//   terms.strides = *TilePaddedStrides(terms.shape, terms.tile_shape);
//   terms.strides;                           // {512, 16, 1}
//   terms.shard_shape = {96, 16};
//   const TtnnShape padded = *DeriveTtnnShape(terms);
//   padded.rows;                             // 384
//   padded.grid_shape;                       // {4, 1}
//   padded.physical_shard_shape;             // {96, 32}
//   padded.linear.ToString();                // "(d0, d1, d2) -> (d0 * 32 + d1,
//                                            // d2)"
//
// Source: the section "TTNN Tensor Layout" of tt-mlir's tensor-layout document.
// A stack of rows is first cut into shards, and then each shard is padded to
// tiles. The compiler derives a TTNN layout the other way round, see
// ttnn_derivation.h.
//
// The formula of the document for the grid,
//
//   [divup(stride[0] // stride[-2], shard_shape[0]),
//    divup(stride[-2], shard_shape[0])]
//
// has two mistakes. The number of rows lacks the factor shape[0]: the figure,
// with strides 192, 16, 1, would have 12 rows but shows 144. (It would be right
// for strides that begin with the volume, 2304, 192, 16, 1, as the published
// visualiser lists them.) And the width is divided by the height of a shard,
// shard_shape[0], instead of its width, shard_shape[1]. Here
//
//   rows = shape[0] * stride[0] / stride[-2],  width = stride[-2],
//   grid = [divup(rows, shard_shape[0]), divup(width, shard_shape[1])].
//
// So a gap after the last index counts, too: 384 rows above, of which the map's
// values reach 11 * 32 + 12 = 364. The document also writes "[0, N-1] are
// collapsed", both included, but means all dimensions but the last.

#ifndef TESSERA_TENSTORRENT_DERIVE_TTNN_SHAPE_H_
#define TESSERA_TENSTORRENT_DERIVE_TTNN_SHAPE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"

namespace tessera::tenstorrent {

// All sizes and strides are in elements.
struct TtnnTerms {
  Dimensions shape;
  // The steps of the dimensions, as in PyTorch. If empty, RowMajorStrides.
  Dimensions strides;
  // Rows and columns of the logical part of a shard; not necessarily whole
  // tiles.
  Dimensions shard_shape;
  // A tile of height 1 means row-major.
  TileShape tile_shape;
};

// Two-dimensional shapes are {rows, columns}.
struct TtnnShape {
  TtnnTerms terms;  // with strides
  int64_t rows = 0;
  int64_t width = 0;
  // From an index to the row and column of the logical stack of rows.
  AffineMap linear;
  Dimensions grid_shape;
  // The shard padded to whole tiles, which every core holds.
  Dimensions physical_shard_shape;
  // Uses physical shards instead of logical ones, but pads the last shard in
  // each direction only to whole tiles, as tt-metal does when it derives the
  // physical shard from a logical one.
  Dimensions physical_shape;
  // Counts the last shards in full, as they are allocated.
  Dimensions allocated_shape;

  bool is_row_major() const { return terms.tile_shape.height == 1; }
};

// Returns the strides of a row-major array without gaps: {192, 16, 1} for
// 12x12x16. Errors: kInvalidArgument if a size is below 1, kOutOfRange if the
// volume exceeds 2^63-1.
absl::StatusOr<Dimensions> RowMajorStrides(absl::Span<const int64_t> shape);

// Like RowMajorStrides, but rounds dimension -2 up to the height of a tile, so
// every matrix begins with a new tile: {512, 16, 1}. Errors: also
// kInvalidArgument if a size of the tile is below 1.
absl::StatusOr<Dimensions> TilePaddedStrides(absl::Span<const int64_t> shape,
                                             const TileShape& tile);

// Derives the other shapes from the terms. A tensor of rank 1 is one row; a
// tensor of rank 0 is one element.
//
// Errors: kInvalidArgument if a size is below 1, if the shard does not have two
// dimensions, or if the strides do not form a stack of rows: there must be one
// for each dimension, the last must be 1, and each must be a multiple of the
// width and at least as large as the dimension within it; kOutOfRange if a
// number exceeds 2^63-1.
absl::StatusOr<TtnnShape> DeriveTtnnShape(const TtnnTerms& terms);

// Returns the smallest shard, in elements, for which the stack of rows with the
// given strides needs at most `grid` cores: {27, 8} for 53x16 on {2, 2}. Its
// grid can be smaller: 9 rows on 4 cores are 3 shards of 3. Errors: those of
// DeriveTtnnShape, and kInvalidArgument if the grid does not have two
// dimensions.
absl::StatusOr<Dimensions> ShardShapeForGrid(absl::Span<const int64_t> shape,
                                             absl::Span<const int64_t> strides,
                                             absl::Span<const int64_t> grid);

// The position of an element; each is {row, column}.
struct TtnnPosition {
  Dimensions cell;      // of the grid
  Dimensions offset;    // in the shard
  Dimensions physical;  // in physical_shape
};

// Returns the position of the element at `index`: {18, 0} of a tensor of 30x30
// with shards of 18x20 and tiles of 16x16 is at the physical row 32. Errors:
// kInvalidArgument if there is not one index for each dimension, kOutOfRange if
// an index is outside the shape. Precondition: DeriveTtnnShape made `shape`.
absl::StatusOr<TtnnPosition> Locate(const TtnnShape& shape,
                                    absl::Span<const int64_t> index);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_TTNN_SHAPE_H_
