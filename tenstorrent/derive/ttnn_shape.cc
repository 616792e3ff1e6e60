#include "tessera/tenstorrent/derive/ttnn_shape.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/internal/size_checks.h"

namespace tessera::tenstorrent {
namespace {

absl::Status SizeTooLarge(std::string_view what) {
  return OutOfRangeError(what, " exceeds 2^63-1");
}

absl::Status CheckPair(absl::Span<const int64_t> sizes, std::string_view name) {
  const absl::Status status =
      CheckCount(sizes.size(), 2, StrCat("dimensions of the ", name));
  return status.ok() ? CheckSizes(sizes, name) : status;
}

// Returns the strides of a row-major array in which dimension -2 is rounded up
// to `row_multiple`.
absl::StatusOr<Dimensions> StridesOf(absl::Span<const int64_t> shape,
                                     int64_t row_multiple) {
  TESSERA_RETURN_IF_ERROR(CheckSizes(shape, "shape"));
  Dimensions strides(shape.size());
  std::optional<int64_t> stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (!stride.has_value()) break;
    strides[dim] = *stride;
    std::optional<int64_t> size = shape[dim];
    if (dim + 2 == shape.size()) size = CheckedRoundUp(*size, row_multiple);
    stride = size.has_value() ? CheckedMultiply(*stride, *size) : std::nullopt;
  }
  if (!stride.has_value()) return SizeTooLarge("the volume of the tensor");
  return strides;
}

struct RowStack {
  Dimensions strides;
  int64_t rows = 1;
  int64_t width = 1;
};

absl::Status CheckStrides(absl::Span<const int64_t> shape,
                          absl::Span<const int64_t> strides) {
  TESSERA_RETURN_IF_ERROR(CheckCount(strides.size(), shape.size(), "strides"));
  TESSERA_RETURN_IF_ERROR(CheckSizes(shape, "shape"));
  TESSERA_RETURN_IF_ERROR(CheckSizes(strides, "stride"));
  const int64_t rank = shape.size();
  if (rank == 0) return absl::OkStatus();
  if (strides[rank - 1] != 1) {
    return InvalidArgumentError("stride[", rank - 1, "] = ", strides[rank - 1],
                                "; expected 1 for the last dimension");
  }
  for (int64_t dim = rank - 1; dim-- > 0;) {
    const std::optional<int64_t> taken =
        CheckedMultiply(shape[dim + 1], strides[dim + 1]);
    if (!taken.has_value() || strides[dim] < *taken) {
      return InvalidArgumentError("stride[", dim, "] = ", strides[dim],
                                  " is less than ", shape[dim + 1], " * ",
                                  strides[dim + 1],
                                  ", the extent of dimension ", dim + 1);
    }
    const int64_t width = strides[rank - 2];
    if (strides[dim] % width != 0) {
      return InvalidArgumentError("stride[", dim, "] = ", strides[dim],
                                  " is not a multiple of stride[", rank - 2,
                                  "] = ", width, ", the width");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RowStack> RowStackOf(absl::Span<const int64_t> shape,
                                    absl::Span<const int64_t> given_strides) {
  RowStack stack;
  if (given_strides.empty()) {
    TESSERA_ASSIGN_OR_RETURN(stack.strides, RowMajorStrides(shape));
  } else {
    stack.strides.assign(given_strides.begin(), given_strides.end());
  }
  TESSERA_RETURN_IF_ERROR(CheckStrides(shape, stack.strides));
  const int64_t rank = shape.size();
  if (rank == 1) {
    stack.width = shape[0];
  } else if (rank > 1) {
    const std::optional<int64_t> volume =
        CheckedMultiply(shape[0], stack.strides[0]);
    if (!volume.has_value()) return SizeTooLarge("shape[0] * stride[0]");
    stack.width = stack.strides[rank - 2];
    stack.rows = *volume / stack.width;
  }
  return stack;
}

// Returns the map from an index to its row and column.
absl::StatusOr<AffineMap> LinearMap(const RowStack& stack) {
  const int64_t rank = stack.strides.size();
  AffineForm row;
  AffineForm column;
  for (int64_t dim = 0; dim + 1 < rank; ++dim) {
    row.coefficients.push_back(stack.strides[dim] / stack.width);
  }
  column.coefficients.resize(rank);
  if (rank > 0) column.coefficients[rank - 1] = 1;
  return AffineMap::Create(rank, 0,
                           {row.ToExpression(), column.ToExpression()});
}

// The derived sizes in one of the two directions.
struct Cut {
  int64_t num_shards = 0;
  int64_t physical_shard = 0;
  int64_t physical = 0;
  int64_t allocated = 0;
};

absl::StatusOr<Cut> CutInto(int64_t size, int64_t shard, int64_t tile,
                            std::string_view what) {
  const auto too_large = [what] {
    return SizeTooLarge(StrCat("the number of allocated ", what));
  };
  Cut cut;
  cut.num_shards = CeilOfRatio(size, shard);
  const std::optional<int64_t> physical_shard = CheckedRoundUp(shard, tile);
  if (!physical_shard.has_value()) return too_large();
  cut.physical_shard = *physical_shard;
  const std::optional<int64_t> allocated =
      CheckedMultiply(cut.num_shards, cut.physical_shard);
  if (!allocated.has_value()) return too_large();
  cut.allocated = *allocated;
  // Neither exceeds the allocated size.
  const int64_t num_full = cut.num_shards - 1;
  const int64_t last = size - num_full * shard;
  cut.physical = num_full * cut.physical_shard + CeilOfRatio(last, tile) * tile;
  return cut;
}

}  // namespace

absl::StatusOr<Dimensions> RowMajorStrides(absl::Span<const int64_t> shape) {
  return StridesOf(shape, 1);
}

absl::StatusOr<Dimensions> TilePaddedStrides(absl::Span<const int64_t> shape,
                                             const TileShape& tile) {
  TESSERA_RETURN_IF_ERROR(CheckSizes({tile.height, tile.width}, "tile"));
  return StridesOf(shape, tile.height);
}

absl::StatusOr<TtnnShape> DeriveTtnnShape(const TtnnTerms& terms) {
  const TileShape& tile = terms.tile_shape;
  TESSERA_RETURN_IF_ERROR(CheckPair(terms.shard_shape, "shard"));
  TESSERA_RETURN_IF_ERROR(CheckSizes({tile.height, tile.width}, "tile"));
  TESSERA_ASSIGN_OR_RETURN(const RowStack stack,
                           RowStackOf(terms.shape, terms.strides));
  TESSERA_ASSIGN_OR_RETURN(AffineMap linear, LinearMap(stack));

  TtnnShape shape;
  shape.terms = terms;
  shape.terms.strides = stack.strides;
  shape.rows = stack.rows;
  shape.width = stack.width;
  shape.linear = std::move(linear);
  const absl::StatusOr<Cut> cuts[] = {
      CutInto(shape.rows, terms.shard_shape[0], tile.height, "rows"),
      CutInto(shape.width, terms.shard_shape[1], tile.width, "columns")};
  for (const absl::StatusOr<Cut>& cut : cuts) {
    if (!cut.ok()) return cut.status();
    shape.grid_shape.push_back(cut->num_shards);
    shape.physical_shard_shape.push_back(cut->physical_shard);
    shape.physical_shape.push_back(cut->physical);
    shape.allocated_shape.push_back(cut->allocated);
  }
  return shape;
}

absl::StatusOr<Dimensions> ShardShapeForGrid(absl::Span<const int64_t> shape,
                                             absl::Span<const int64_t> strides,
                                             absl::Span<const int64_t> grid) {
  TESSERA_RETURN_IF_ERROR(CheckPair(grid, "grid"));
  TESSERA_ASSIGN_OR_RETURN(const RowStack stack, RowStackOf(shape, strides));
  return Dimensions{CeilOfRatio(stack.rows, grid[0]),
                    CeilOfRatio(stack.width, grid[1])};
}

absl::StatusOr<TtnnPosition> Locate(const TtnnShape& shape,
                                    absl::Span<const int64_t> index) {
  TESSERA_RETURN_IF_ERROR(CheckIndex(index, shape.terms.shape, "index"));
  int64_t place[2];
  shape.linear.Values(index, {}, place);
  TtnnPosition position;
  for (int i : {0, 1}) {
    const int64_t shard = shape.terms.shard_shape[i];
    const int64_t cell = place[i] / shard;
    const int64_t offset = place[i] % shard;
    position.cell.push_back(cell);
    position.offset.push_back(offset);
    position.physical.push_back(cell * shape.physical_shard_shape[i] + offset);
  }
  return position;
}

}  // namespace tessera::tenstorrent
