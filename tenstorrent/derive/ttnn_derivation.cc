#include "tessera/tenstorrent/derive/ttnn_derivation.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/collapse.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

absl::Status CheckMemoryLayout(const TtnnRequest& request) {
  if (request.buffer_type == BufferType::kSystemMemory) {
    if (!request.memory_layout.has_value()) return absl::OkStatus();
    return RuleError(
        Rule::kMemoryLayout,
        "Memory layout is not allowed for SystemMemory buffer type.");
  }
  if (!request.memory_layout.has_value()) {
    return RuleError(
        Rule::kMemoryLayout,
        "Memory layout is required for non-SystemMemory buffer type.");
  }
  const TensorMemoryLayout layout = *request.memory_layout;
  if (layout == TensorMemoryLayout::kBlockSharded &&
      WholeBufferOf(request.buffer_type) == BufferType::kDram) {
    return RuleError(
        Rule::kMemoryLayout,
        "BlockSharded layout is not supported for DRAM buffer type; use "
        "WidthSharded, HeightSharded or Interleaved");
  }
  if (layout != TensorMemoryLayout::kInterleaved && !IsSharded(layout)) {
    return RuleError(
        Rule::kMemoryLayout,
        "expected an interleaved, height, width or block sharded memory layout "
        "for TTNN");
  }
  return absl::OkStatus();
}

// Checks that there are enough cores or banks for the checked grid of a layout
// that lies on cores.
absl::Status CheckGrid(const TtnnRequest& request, int64_t num_cores,
                       const ChipDescription& chip) {
  const Dimensions& grid = request.grid;
  const TensorMemoryLayout layout = *request.memory_layout;
  const std::string text = absl::StrJoin(grid, "x");
  if (layout == TensorMemoryLayout::kHeightSharded && grid[1] != 1) {
    return RuleError(
        Rule::kMemoryLayout,
        absl::StrCat("a height sharded layout has a grid of one column, not ",
                     text));
  }
  if (layout == TensorMemoryLayout::kWidthSharded && grid[0] != 1) {
    return RuleError(
        Rule::kMemoryLayout,
        absl::StrCat("a width sharded layout has a grid of one row, not ",
                     text));
  }
  if (WholeBufferOf(request.buffer_type) == BufferType::kDram) {
    if (num_cores <= chip.dram_channels) return absl::OkStatus();
    return InvalidArgumentError("a grid of ", text, " takes ", num_cores,
                                " of ", chip.dram_channels, " DRAM banks");
  }
  const std::string cores =
      absl::StrCat(chip.grid_rows, "x", chip.grid_columns, " cores");
  if (layout == TensorMemoryLayout::kHeightSharded ||
      layout == TensorMemoryLayout::kWidthSharded) {
    // At most as many as the chip has, computed without a product that may
    // overflow.
    if (CeilOfRatio(num_cores, chip.grid_columns) <= chip.grid_rows) {
      return absl::OkStatus();
    }
    return InvalidArgumentError("a grid of ", text, " takes ", num_cores,
                                " of ", cores);
  }
  if (grid[0] <= chip.grid_rows && grid[1] <= chip.grid_columns) {
    return absl::OkStatus();
  }
  return InvalidArgumentError("a grid of ", text, " does not fit onto ", cores);
}

// Returns the first cores, row by row, in a grid of that width.
CoreRanges RowByRow(int64_t num_cores, int64_t width) {
  const int64_t num_rows = num_cores / width;
  const int64_t rest = num_cores % width;
  CoreRanges ranges;
  if (num_rows > 0) ranges.push_back({{0, 0}, {width - 1, num_rows - 1}});
  if (rest > 0) ranges.push_back({{0, num_rows}, {rest - 1, num_rows}});
  return ranges;
}

CoreRanges CoresOf(const TtnnRequest& request, int64_t num_cores,
                   const ChipDescription& chip) {
  if (WholeBufferOf(request.buffer_type) == BufferType::kDram) {
    return RowByRow(num_cores, num_cores);
  }
  if (*request.memory_layout == TensorMemoryLayout::kBlockSharded) {
    return {{{0, 0}, {request.grid[1] - 1, request.grid[0] - 1}}};
  }
  return RowByRow(num_cores, chip.grid_columns);
}

// Returns the shape, map and size, which do not depend on the grid.
absl::StatusOr<TtnnDerivation> Collapsed(const TtnnRequest& request) {
  TtnnDerivation derivation;
  derivation.padded_shape = request.shape;
  Dimensions& padded = derivation.padded_shape;
  const int64_t rank = padded.size();
  if (request.tile.has_value()) {
    const int64_t multiples[] = {request.tile->width, request.tile->height};
    for (int64_t i = 0; i < std::min<int64_t>(rank, 2); ++i) {
      int64_t& size = padded[rank - 1 - i];
      const std::optional<int64_t> rounded = CheckedRoundUp(size, multiples[i]);
      if (!rounded.has_value()) {
        return OutOfRangeError("shape[", rank - 1 - i, "] = ", size,
                               ", rounded up to tiles of ", multiples[i],
                               ", exceeds 2^63-1");
      }
      size = *rounded;
    }
  }
  TESSERA_ASSIGN_OR_RETURN(derivation.linear,
                           CollapsedMap(padded, DefaultCollapseIntervals(), 2));
  const absl::Span<const int64_t> sizes = padded;
  TESSERA_ASSIGN_OR_RETURN(
      const int64_t rows,
      Product(sizes.subspan(0, std::max<int64_t>(rank - 1, 0)),
              "the number of rows"));
  const int64_t width = rank == 0 ? 1 : padded[rank - 1];
  derivation.physical_shape = {rows, width};
  return derivation;
}

}  // namespace

absl::StatusOr<TtnnDerivation> DeriveTtnnLayout(const TtnnRequest& request,
                                                const ChipDescription& chip) {
  const TileShape tile = request.tile.value_or(TileShape{1, 1});
  TESSERA_RETURN_IF_ERROR(CheckSizes(request.shape, "shape", 0));
  TESSERA_RETURN_IF_ERROR(CheckSizes({tile.height, tile.width}, "tile"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, chip.grid_rows, "the number of rows of the chip"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, chip.grid_columns, "the number of columns of the chip"));
  TESSERA_RETURN_IF_ERROR(
      CheckAtLeast(1, chip.dram_channels, "the number of DRAM channels"));
  TESSERA_RETURN_IF_ERROR(CheckMemoryLayout(request));
  TESSERA_ASSIGN_OR_RETURN(TtnnDerivation derivation, Collapsed(request));
  // The memref in elements, before the division by tiles.
  Dimensions memref = derivation.physical_shape;
  const auto tilize = [&tile, &memref] {
    memref = {CeilOfRatio(memref[0], tile.height),
              CeilOfRatio(memref[1], tile.width)};
  };
  const bool is_interleaved =
      request.memory_layout == TensorMemoryLayout::kInterleaved;
  if (request.buffer_type == BufferType::kSystemMemory ||
      (WholeBufferOf(request.buffer_type) == BufferType::kDram &&
       is_interleaved)) {
    derivation.grid = {1, 1};
    tilize();
    derivation.memref_shape = memref;
    return derivation;
  }

  const Dimensions& grid = request.grid;
  TESSERA_RETURN_IF_ERROR(CheckCount(grid.size(), 2, "dimensions of the grid"));
  TESSERA_RETURN_IF_ERROR(CheckSizes(grid, "grid"));
  TESSERA_ASSIGN_OR_RETURN(const int64_t num_cores,
                           Product(grid, "the number of cores of the grid"));
  TESSERA_RETURN_IF_ERROR(CheckGrid(request, num_cores, chip));
  derivation.grid = grid;
  if (is_interleaved) {
    tilize();
    TESSERA_ASSIGN_OR_RETURN(
        const int64_t volume,
        Product(memref, "the number of tiles or elements"));
    derivation.memref_shape = {1, CeilOfRatio(volume, num_cores)};
    return derivation;
  }
  for (int i : {0, 1}) memref[i] = CeilOfRatio(memref[i], grid[i]);
  tilize();
  derivation.memref_shape = memref;
  derivation.core_ranges = CoresOf(request, num_cores, chip);
  return derivation;
}

}  // namespace tessera::tenstorrent
