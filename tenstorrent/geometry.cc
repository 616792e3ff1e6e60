#include "tessera/tenstorrent/geometry.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

void AddSizeErrors(absl::Span<const int64_t> sizes, std::string_view name,
                   int64_t limit, Rule rule,
                   std::vector<absl::Status>* errors) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= limit) continue;
    errors->push_back(
        RuleError(rule, StrCat("dimension ", i, " of the ", name, " is ",
                               sizes[i], "; sizes are at least ", limit)));
  }
}

// Returns the extent of the results: the values at the last index, plus 1.
// Without elements there is no last index. The extent is then 0 for results
// that use a dimension of size 0, and for all results if none uses it.
absl::StatusOr<Dimensions> ExtentOf(absl::Span<const int64_t> shape,
                                    const AffineMap& linear) {
  Dimensions last(shape.begin(), shape.end());
  for (int64_t& coordinate : last) {
    coordinate = std::max<int64_t>(coordinate - 1, 0);
  }
  const absl::StatusOr<AffineMap::Indices> at_last = linear.Evaluate(last);
  if (at_last.status().code() == absl::StatusCode::kOutOfRange) {
    return SizeOverflowError("the position of the last index");
  }
  if (!at_last.ok()) return at_last.status();
  Dimensions extent;
  for (int64_t i = 0; i < linear.num_results(); ++i) {
    if ((*at_last)[i] < 0) {
      return RuleError(
          Rule::kPositionBelow,
          absl::StrCat("the last index is at ", (*at_last)[i], " in result ", i,
                       "; positions are not negative"));
    }
    const std::optional<int64_t> reach = CheckedAdd((*at_last)[i], 1);
    if (!reach.has_value()) return SizeOverflowError("the extent of a result");
    extent.push_back(*reach);
  }
  bool is_used = false;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] != 0) continue;
    for (const int64_t result : linear.ResultsUsing(dim)) {
      extent[result] = 0;
      is_used = true;
    }
  }
  if (!is_used && CheckedProduct(shape) == 0) extent.assign(extent.size(), 0);
  return extent;
}

std::optional<int64_t> ProductOf(absl::Span<const int64_t> factors,
                                 std::optional<int64_t> factor) {
  const std::optional<int64_t> product = CheckedProduct(factors);
  if (!product.has_value() || !factor.has_value()) return std::nullopt;
  return CheckedMultiply(*product, *factor);
}

absl::Status CheckAlignment(absl::Span<const int64_t> aligned_extent,
                            size_t rank, DivisionOrder order) {
  if (order != DivisionOrder::kTileFirst) {
    return absl::InvalidArgumentError(
        "an aligned extent requires that tiles come first");
  }
  if (aligned_extent.size() == rank) return absl::OkStatus();
  return RuleError(
      Rule::kDimAlignments,
      absl::StrCat("there are ", aligned_extent.size(),
                   " aligned sizes, but the grid has rank ", rank));
}

}  // namespace

std::vector<absl::Status> CheckParts(absl::Span<const int64_t> shape,
                                     const AffineMap& linear,
                                     absl::Span<const int64_t> grid,
                                     const ElementType& element) {
  std::vector<absl::Status> errors;
  AddSizeErrors(shape, "tensor", 0, Rule::kTensorSize, &errors);
  AddSizeErrors(grid, "grid", 1, Rule::kGridSize, &errors);
  const int64_t rank = shape.size(), grid_rank = grid.size();
  if (linear.num_symbols() != 0) {
    errors.push_back(RuleError(
        Rule::kMapSymbols,
        absl::StrCat("the map has ", linear.num_symbols(),
                     " symbols; nothing in a layout gives them a value")));
  }
  if (linear.num_dims() != rank) {
    errors.push_back(RuleError(
        Rule::kMapDims, absl::StrCat("the map takes ", linear.num_dims(),
                                     " dims, but the tensor has rank ", rank)));
  }
  if (linear.num_results() != grid_rank) {
    errors.push_back(
        RuleError(Rule::kMapResults,
                  absl::StrCat("the map has ", linear.num_results(),
                               " results, but the grid has rank ", grid_rank)));
  }
  if (element.is_tile() && linear.num_results() < 2) {
    errors.push_back(RuleError(
        Rule::kTileRank,
        absl::StrCat("a tile needs a shard of rank 2 or more, but the map has ",
                     linear.num_results(), " results")));
  }
  for (absl::Status& error : CheckElement(element)) {
    errors.push_back(std::move(error));
  }
  return errors;
}

std::vector<absl::Status> CheckElement(const ElementType& element) {
  std::vector<absl::Status> errors;
  if (const TileShape tile = element.tile_or_unit();
      tile.height < 1 || tile.width < 1) {
    errors.push_back(RuleError(
        Rule::kTileRank, absl::StrCat("the tile is ", tile.height, "x",
                                      tile.width, "; sizes are at least 1")));
  }
  const bool is_block_float = IsBlockFloat(element.data_type);
  if (is_block_float && !element.is_tile()) {
    errors.push_back(
        RuleError(Rule::kBlockFloat,
                  "block floats are in tiles, but the elements are scalars"));
  } else if (element.is_tile() && TileKeyword(element.data_type).empty()) {
    errors.push_back(
        RuleError(Rule::kTileType, StrCat("tiles cannot have elements of type ",
                                          ScalarKeyword(element.data_type))));
  } else if (is_block_float && !HoldsBlockFloats(*element.tile)) {
    errors.push_back(RuleError(
        Rule::kBlockFloat,
        absl::StrCat("block floats are in tiles 16 or 32 wide and 1, 2, 4, 8, "
                     "16 or 32 high, but this is ",
                     element.ToString())));
  }
  return errors;
}

int64_t Geometry::TileOf(int64_t i) const {
  const TileShape tile = element.tile_or_unit();
  if (i == rank() - 1) return tile.width;
  return i == rank() - 2 ? tile.height : 1;
}

Dimensions Geometry::AllocatedShard() const {
  Dimensions allocated = memref;
  for (int64_t i = 0; i < rank(); ++i) allocated[i] *= TileOf(i);
  return allocated;
}

Dimensions Geometry::CellsInUse() const {
  Dimensions cells;
  for (int64_t i = 0; i < rank(); ++i) {
    cells.push_back(extent[i] == 0 ? 0 : CeilOfRatio(extent[i], shard[i]));
  }
  return cells;
}

absl::StatusOr<Geometry> Geometry::Create(
    absl::Span<const int64_t> shape, const AffineMap& linear,
    absl::Span<const int64_t> grid, const ElementType& element,
    DivisionOrder order,
    std::optional<absl::Span<const int64_t>> aligned_extent) {
  const std::vector<absl::Status> errors =
      CheckParts(shape, linear, grid, element);
  if (!errors.empty()) return errors.front();
  if (aligned_extent.has_value()) {
    TESSERA_RETURN_IF_ERROR(
        CheckAlignment(*aligned_extent, grid.size(), order));
  }
  Geometry geometry;
  geometry.shape.assign(shape.begin(), shape.end());
  geometry.linear = linear;
  geometry.grid.assign(grid.begin(), grid.end());
  geometry.element = element;
  geometry.order = order;

  TESSERA_ASSIGN_OR_RETURN(geometry.extent, ExtentOf(shape, linear));
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const int64_t extent = geometry.extent[i];
    const int64_t tile = geometry.TileOf(i), cells = geometry.grid[i];
    int64_t aligned = extent;
    if (aligned_extent.has_value()) {
      aligned = (*aligned_extent)[i];
      if (aligned < extent || aligned % tile != 0) {
        return RuleError(
            Rule::kDimAlignments,
            absl::StrCat(
                "physical dimension ", i, " is aligned to ", aligned,
                ", which ",
                aligned < extent
                    ? absl::StrCat("is less than its extent, ", extent)
                    : absl::StrCat("is not a multiple of the tile's ", tile)));
      }
    } else if (order == DivisionOrder::kTileFirst) {
      const std::optional<int64_t> in_tiles = CheckedRoundUp(extent, tile);
      if (!in_tiles.has_value())
        return SizeOverflowError("the size of a shard");
      aligned = *in_tiles;
    }
    int64_t shard = CeilOfRatio(aligned, cells);
    int64_t memref = CeilOfRatio(shard, tile);
    const std::optional<int64_t> allocated = CheckedMultiply(memref, tile);
    if (!allocated.has_value()) return SizeOverflowError("the size of a shard");
    if (order == DivisionOrder::kTileFirst) shard = *allocated;
    geometry.aligned_extent.push_back(aligned);
    geometry.shard.push_back(shard);
    geometry.memref.push_back(memref);
  }
  const std::optional<int64_t> bytes_per_shard =
      ProductOf(geometry.memref, element.bytes());
  const std::optional<int64_t> bytes = ProductOf(grid, bytes_per_shard);
  // Positions count scalars, several of which may be in a byte.
  const std::optional<int64_t> positions =
      ProductOf(grid, CheckedProduct(geometry.AllocatedShard()));
  if (!bytes.has_value() || !positions.has_value() ||
      !CheckedProduct(shape).has_value() ||
      !CheckedProduct(geometry.extent).has_value()) {
    return SizeOverflowError("the memory of all shards");
  }
  geometry.bytes_per_shard = *bytes_per_shard;
  geometry.bytes = *bytes;
  return geometry;
}

absl::StatusOr<Geometry> Geometry::Of(const MetalTensor& tensor) {
  return Create(tensor.shape, tensor.layout.linear, tensor.layout.grid,
                tensor.layout.memref.element, DivisionOrder::kGridFirst);
}

}  // namespace tessera::tenstorrent
