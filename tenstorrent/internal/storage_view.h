// The storage that a tensor views by its index_map.
//
//   // 128x64 in tiles on a grid of 4x2, of which the map swaps the sides.
//   geometry.index_map =
//       *ParseAffineMap("(d0, d1, d2, d3) -> (d1, d0, d2, d3)");
//   const absl::StatusOr<StorageView> view = StorageViewOf(geometry);
//   view->grid;                              // {2, 4}
//   view->memref;                            // {1, 1}
//   // The tile in cell (1,0) of the tensor is in cell (0,1) of the storage.
//   view->to_storage.LinearIndexUnchecked({2 * 1024});   // 1 * 1024

#ifndef TESSERA_TENSTORRENT_INTERNAL_STORAGE_VIEW_H_
#define TESSERA_TENSTORRENT_INTERNAL_STORAGE_VIEW_H_

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera::tenstorrent {

struct StorageView {
  Dimensions grid;    // of the storage
  Dimensions memref;  // as large as that of the tensor, or of another size
  // Maps the number of a place, by the tensor's own grid and memref, to its
  // number in the storage. Both numberings cover all of the memory, so every
  // position is an element.
  IndexMap to_storage;
};

// Returns the storage of a geometry with an index_map. Its size is that of the
// range of the map. The order within a tile does not change.
//
// Errors: kUnimplemented, of Rule::kUndecided, if the map has symbols, does not
// map the dimensions of grid and memref to such dimensions, or is not known to
// be one-to-one onto a storage of as many elements: a view of a part, or one
// that shows elements twice. Precondition: no size of the geometry is 0.
absl::StatusOr<StorageView> StorageViewOf(const Geometry& geometry);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_STORAGE_VIEW_H_
