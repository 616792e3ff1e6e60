// Maps every coordinate of a CuTe layout to its position in memory.
//
//   #include "tessera/cute/parse.h"
//
//   absl::StatusOr<IndexMap> map =
//       ToIndexMap(*ParseLayout("((2,2),3):((24,2),8)"));
//   map->LinearIndex({3, 1});   // 34
//
// Conventions. The index has one entry for each top-level mode, in their order:
// the integral coordinate of that mode, which CuTe's rule splits inside the
// mode. Bounds are the sizes of the modes, positions are offsets. (CuTe's
// integral coordinate of the whole counts the first entry fastest; IndexMap
// knows no such order.) A swizzle is the map's last step.
//
// Errors: kInvalidArgument if strides are multiples of basis elements, whose
// values are coordinates and not positions; kOutOfRange if an offset is
// negative or 2^63-1; kUnimplemented if the outer function of a composed layout
// is a layout.

#ifndef TESSERA_CUTE_TO_INDEX_MAP_H_
#define TESSERA_CUTE_TO_INDEX_MAP_H_

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/index_map/index_map.h"

namespace tessera::cute {

absl::StatusOr<IndexMap> ToIndexMap(const Layout& layout);
absl::StatusOr<IndexMap> ToIndexMap(const ComposedLayout& composed);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_TO_INDEX_MAP_H_
