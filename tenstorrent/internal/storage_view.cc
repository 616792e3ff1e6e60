#include "tessera/tenstorrent/internal/storage_view.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/affine/affine_range.h"
#include "tessera/tenstorrent/affine/map_coordinates.h"
#include "tessera/tenstorrent/internal/memory_axes.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;

absl::Status NotApplied(const AffineMap& map, std::string_view reason) {
  return RuleError(
      Rule::kUndecided,
      StrCat("the index_map ", map.ToString(), " is not applied: ", reason,
             "; the places of elements in the storage are not known"),
      absl::StatusCode::kUnimplemented);
}

// Returns the extent of the results; empty if a result may be negative or if
// that is not known.
Dimensions ReachOf(const AffineMap& map, const Dimensions& sizes) {
  const absl::StatusOr<std::vector<AffineRange>> ranges = RangesOf(map, sizes);
  if (!ranges.ok()) return {};
  Dimensions reach;
  for (const AffineRange& range : *ranges) {
    const std::optional<int64_t> size = CheckedAdd(range.max, 1);
    if (range.min < 0 || !size.has_value()) return {};
    reach.push_back(*size);
  }
  return reach;
}

// Returns the map on numbers, if every number of the storage corresponds to one
// of the tensor.
absl::StatusOr<IndexMap> NumbersOf(const AffineMap& map,
                                   const Dimensions& sizes,
                                   const Dimensions& reach, int64_t in_tile) {
  Dimensions bounds = sizes;
  bounds.push_back(in_tile);
  Builder builder(bounds);
  TESSERA_ASSIGN_OR_RETURN(const std::vector<PositionSum> sums,
                           SumsOfResults(map, sizes, reach, &builder));
  std::vector<Coordinate> axes;
  for (size_t i = 0; i < sums.size(); ++i) {
    AppendSum(sums[i], reach[i], &builder, &axes);
  }
  axes.push_back(builder.Dimension(static_cast<int64_t>(sizes.size())));
  TESSERA_ASSIGN_OR_RETURN(const IndexMap numbers,
                           std::move(builder).BuildRowMajor(axes));
  if (numbers.kind() == IndexMap::Kind::kGeneral) {
    return absl::UnimplementedError("it is not known to be one-to-one");
  }
  return Reshaped(numbers, {numbers.element_count()});
}

}  // namespace

absl::StatusOr<StorageView> StorageViewOf(const Geometry& geometry) {
  const AffineMap& map = *geometry.index_map;
  Dimensions sizes = geometry.grid;
  sizes.insert(sizes.end(), geometry.memref.begin(), geometry.memref.end());
  const int64_t rank = sizes.size();
  if (map.num_symbols() != 0) return NotApplied(map, "it has symbols");
  if (map.num_dims() != rank || map.num_results() != rank) {
    return NotApplied(
        map, absl::StrCat("it takes ", map.num_dims(), " dims to ",
                          map.num_results(), " results, but grid and shard of ",
                          "the tensor have ", rank, " dimensions"));
  }
  const Dimensions reach = ReachOf(map, sizes);
  // For equal numbers of elements, one-to-one implies onto.
  const bool is_as_large =
      !reach.empty() && CheckedProduct(reach) == KnownProduct(sizes);
  const TileShape tile = geometry.element.tile_or_unit();
  absl::StatusOr<IndexMap> numbers = absl::UnimplementedError("");
  if (is_as_large) {
    numbers = NumbersOf(map, sizes, reach, tile.height * tile.width);
  }
  if (!numbers.ok()) {
    return NotApplied(
        map,
        absl::StrCat("it is not known to take the ", absl::StrJoin(sizes, "x"),
                     " of the tensor one-to-one onto a storage"));
  }
  StorageView view;
  view.grid.assign(reach.begin(), reach.begin() + geometry.rank());
  view.memref.assign(reach.begin() + geometry.rank(), reach.end());
  view.to_storage = *std::move(numbers);
  return view;
}

}  // namespace tessera::tenstorrent
