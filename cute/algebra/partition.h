// The part of a layout that one block or one thread works on.
//
//   #include "tessera/cute/parse.h"
//
//   const auto _ = IntTuple::kUnderscore;
//   const Layout data = *ParseLayout("(512,1024):(1,512)");
//   // Tile 1 of mode 0, all tiles of mode 1.
//   LayoutPart tiles = *LocalTile(data, *Tiler::OfShape({128, 8}), {1, _});
//   tiles.layout.ToString();    // "(128,8,128):(1,512,4096)"
//   tiles.offset.ToString();    // "128"
//   // The part of a tile for thread 5 of 32 x 8.
//   LayoutPart part = *LocalPartition(*ParseLayout("(128,8):(1,128)"),
//                                     *ParseLayout("(32,8):(1,32)"), 5);
//   part.layout.ToString();     // "(4,1):(32,0)"
//   part.offset.ToString();     // "5"
//
// Definitions: local_tile (inner_partition) and local_partition
// (outer_partition) of include/cute/tensor_impl.hpp. Both divide the layout by
// a tiler, as ZippedDivide does, and slice the result.

#ifndef TESSERA_CUTE_ALGEBRA_PARTITION_H_
#define TESSERA_CUTE_ALGEBRA_PARTITION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

struct LayoutPart {
  Layout layout;
  // The value at which the part begins: an offset, or a coordinate if strides
  // are multiples of basis elements.
  IntTuple offset;
  // The result of ZippedDivide of which this is a part.
  Layout tiled;
};

// Returns the tile at `coordinate`: an integer, or a tuple to which `_` is
// added for the modes that it lacks. Errors: those of ZippedDivide and
// Evaluate; kInvalidArgument if the coordinate has too many modes.
absl::StatusOr<LayoutPart> LocalTile(const Layout& layout, const Tiler& tiler,
                                     const IntTuple& coordinate,
                                     const CompositionOptions& options = {});

// Returns the elements at one place of every tile: tiles have the sizes of the
// modes of `tile`, and the place is the coordinate that `tile` takes to
// `index`, computed as in Idx2Crd with the strides of `tile`. Errors: as above;
// kInvalidArgument if a mode of more than one element of `tile` has no stride
// >= 1.
absl::StatusOr<LayoutPart> LocalPartition(
    const Layout& layout, const Layout& tile, int64_t index,
    const CompositionOptions& options = {});

// Returns the modes of the tiler at which `projection` has an integer. Errors:
// kInvalidArgument if they differ in rank, or a mode of the projection is a
// tuple.
absl::StatusOr<Tiler> Project(const IntTuple& projection, const Tiler& tiler);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_PARTITION_H_
