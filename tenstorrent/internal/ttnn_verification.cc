#include "tessera/tenstorrent/internal/ttnn_verification.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/derive/ttnn_derivation.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/internal/ttnn_findings.h"

namespace tessera::tenstorrent {
namespace {

// Returns the grid of cells that hold the shards: for a height or width sharded
// layout as many cells as the grid, in one column or row, as tt-mlir lowers
// them (getLegacyGrid of TTIRToD2M.cpp).
Dimensions CellsOf(const TtnnLayout& layout) {
  const Dimensions& grid = layout.grid;
  const bool is_column =
      layout.memory_layout == TensorMemoryLayout::kHeightSharded;
  if (grid.size() != 2 ||
      (!is_column &&
       layout.memory_layout != TensorMemoryLayout::kWidthSharded)) {
    return grid;
  }
  const std::optional<int64_t> cells = CheckedMultiply(grid[0], grid[1]);
  // The derivation reports that it is too large.
  if (!cells.has_value()) return grid;
  return is_column ? Dimensions{*cells, 1} : Dimensions{1, *cells};
}

// Returns tt-mlir's derivation on a chip of any size, because the attribute
// does not name a chip.
absl::StatusOr<TtnnDerivation> DerivationOf(const TtnnTensor& tensor) {
  constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
  TtnnRequest request;
  request.shape = tensor.shape;
  request.tile = tensor.layout.memref.element.tile;
  request.buffer_type = tensor.layout.memref.buffer_type;
  request.memory_layout = tensor.layout.memory_layout;
  request.grid = CellsOf(tensor.layout);
  ChipDescription chip;
  chip.grid_rows = kAny;
  chip.grid_columns = kAny;
  chip.dram_channels = kAny;
  return DeriveTtnnLayout(request, chip);
}

void CheckInterleavedGrid(const TtnnLayout& layout,
                          Verification* verification) {
  const BufferType buffer_type = layout.memref.buffer_type;
  const MemorySpace memory_space = MemorySpaceHolding(buffer_type);
  const bool is_system = memory_space == MemorySpace::kSystem;
  const bool is_interleaved =
      layout.memory_layout == TensorMemoryLayout::kInterleaved &&
      memory_space == MemorySpace::kDeviceDRAM;
  if ((!is_system && !is_interleaved) || layout.grid == Dimensions{1, 1}) {
    return;
  }
  verification->errors.push_back(
      {Rule::kInterleavedGrid,
       StrCat("expected (1, 1) grid shape for ", KeywordOf(buffer_type),
              " buffer type",
              is_system ? "" : " with interleaved memory layout", ", got (",
              absl::StrJoin(layout.grid, ", "), ")")});
}

// Returns the number of cores of a range along one axis. Precondition: start <=
// end.
int64_t SizeOf(int64_t start, int64_t end) {
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  return CheckedAdd(end - start, 1).value_or(kMany);
}

std::string ToText(const CoreCoordinate& core) {
  return absl::StrCat("(", core.x, ",", core.y, ")");
}

std::string ToText(const CoreRange& range) {
  return absl::StrCat("#ttnn.core_range<", ToText(range.start), ", ",
                      ToText(range.end), ">");
}

// Adds the first overlap that a sweep over the rows finds. Precondition: no
// range ends before it starts.
void CheckOverlap(const CoreRanges& ranges, Verification* verification) {
  // For each row, the ranges that begin, then the ranges that end.
  std::vector<std::tuple<int64_t, bool, size_t>> events;
  for (size_t i = 0; i < ranges.size(); ++i) {
    events.push_back({ranges[i].start.y, false, i});
    events.push_back({ranges[i].end.y, true, i});
  }
  std::sort(events.begin(), events.end());
  // The ranges of the current row, by their start in it; they do not overlap.
  std::map<int64_t, size_t> in_row;
  for (const auto& [y, is_end, i] : events) {
    const CoreRange& range = ranges[i];
    if (is_end) {
      in_row.erase(range.start.x);
      continue;
    }
    const auto next = in_row.lower_bound(range.start.x);
    std::optional<size_t> other;
    if (next != in_row.end() && next->first <= range.end.x) {
      other = next->second;
    } else if (next != in_row.begin() &&
               ranges[std::prev(next)->second].end.x >= range.start.x) {
      other = std::prev(next)->second;
    }
    if (other.has_value()) {
      verification->errors.push_back(
          {Rule::kCoreRanges,
           absl::StrCat(
               "Core ranges overlap: ", ToText(ranges[std::min(i, *other)]),
               " and ", ToText(ranges[std::max(i, *other)]))});
      return;
    }
    in_row.emplace(range.start.x, i);
  }
}

void CheckCoreRanges(const TtnnLayout& layout, Verification* verification) {
  const bool is_sharded =
      layout.memory_layout.has_value() && IsSharded(*layout.memory_layout);
  if (!layout.core_ranges.has_value()) {
    if (is_sharded && !layout.ignore_physical_layout && !layout.exact_grid &&
        !layout.precedes_core_ranges) {
      verification->warnings.push_back(
          {Rule::kCoreRanges,
           StrCat("sharded TTNN layout (", KeywordOf(*layout.memory_layout),
                  ") must carry a core_range_set, unless the text is "
                  "older than 2026-05-06")});
    }
    return;
  }
  if (!is_sharded) {
    verification->errors.push_back(
        {Rule::kCoreRanges,
         StrCat("non-sharded TTNN layout must not carry a core_range_set (got ",
                layout.memory_layout.has_value()
                    ? KeywordOf(*layout.memory_layout)
                    : "no memory layout",
                ")")});
  }
  bool are_ranges = true;
  for (const CoreRange& range : *layout.core_ranges) {
    if (range.start.x <= range.end.x && range.start.y <= range.end.y) continue;
    are_ranges = false;
    verification->errors.push_back(
        {Rule::kCoreRanges,
         absl::StrCat("Start coordinates ", ToText(range.start),
                      " must be less than or equal to end coordinates ",
                      ToText(range.end))});
  }
  if (are_ranges) CheckOverlap(*layout.core_ranges, verification);
}

// Checks that every shard that is not empty has a core. ttnn rejects other
// layouts (tensor_spec.cpp: "Number of shards along height 64 must not exceed
// number of cores 16").
void CheckCoresSuffice(const TtnnLayout& layout, const Geometry& geometry,
                       Verification* verification) {
  if (!layout.core_ranges.has_value() || layout.core_ranges->empty()) return;
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  const CoreRanges& ranges = *layout.core_ranges;
  CoreRange box = ranges[0];
  int64_t num_cores = 0;
  for (const CoreRange& range : ranges) {
    // A range that ends before it starts has been reported.
    if (range.start.x > range.end.x || range.start.y > range.end.y) return;
    box.start.x = std::min(box.start.x, range.start.x);
    box.start.y = std::min(box.start.y, range.start.y);
    box.end.x = std::max(box.end.x, range.end.x);
    box.end.y = std::max(box.end.y, range.end.y);
    const std::optional<int64_t> cores = CheckedMultiply(
        SizeOf(range.start.x, range.end.x), SizeOf(range.start.y, range.end.y));
    num_cores = CheckedAdd(num_cores, cores.value_or(kMany)).value_or(kMany);
  }
  const Dimensions shards = geometry.CellsInUse();
  const auto add_error = [verification](const std::string& what,
                                        std::string_view where) {
    verification->errors.push_back(
        {Rule::kCoreRanges, StrCat(what, " of the core ranges", where)});
  };
  if (layout.memory_layout == TensorMemoryLayout::kBlockSharded) {
    const int64_t rows = SizeOf(box.start.y, box.end.y);
    const int64_t columns = SizeOf(box.start.x, box.end.x);
    if (shards[0] > rows || shards[1] > columns) {
      add_error(absl::StrCat("block sharding makes ", shards[0], "x", shards[1],
                             " shards, which do not fit on the ", rows, "x",
                             columns, " cores"),
                absl::StrCat(", ", ToText(box)));
      return;
    }
  }
  const int64_t num_shards = KnownProduct(shards);
  if (num_shards <= num_cores) return;
  add_error(
      absl::StrCat(num_shards, num_shards == 1 ? " shard does" : " shards do",
                   " not fit on the ", num_cores,
                   num_cores == 1 ? " core" : " cores"),
      ranges.size() == 1 ? absl::StrCat(", ", ToText(ranges[0])) : "");
}

// Returns a hint if the memref is not that of the written map, but that of the
// map that tt-mlir derives.
std::string HintOf(const TtnnTensor& tensor, const TtnnDerivation& derivation) {
  if (derivation.linear == tensor.layout.linear ||
      derivation.memref_shape != tensor.layout.memref.shape) {
    return "";
  }
  return absl::StrCat("; it would fit the map that tt-mlir derives, ",
                      derivation.linear.ToString());
}

// Returns whether both maps put the first elements along each dimension, and
// the last one, at the same positions. Precondition: those of Geometry::Create
// hold.
bool PlacesAlike(const Geometry& geometry, const AffineMap& other) {
  if (geometry.linear == other || geometry.bytes == 0) return true;
  Dimensions index(geometry.shape.size(), 0);
  const auto is_alike = [&] {
    const absl::StatusOr<AffineMap::Indices> expected = other.Evaluate(index);
    return expected.ok() && *expected == *geometry.linear.Evaluate(index);
  };
  for (size_t i = 0; i < index.size(); ++i) {
    if (geometry.shape[i] < 2) continue;
    index[i] = 1;
    if (!is_alike()) return false;
    index[i] = 0;
  }
  for (size_t i = 0; i < index.size(); ++i) index[i] = geometry.shape[i] - 1;
  return is_alike();
}

// Returns the geometry of a sharded tensor whose shard is larger than
// necessary. Errors: if the shards do not hold the tensor, or ttnn rejects
// them.
absl::StatusOr<Geometry> AsWritten(const TtnnTensor& tensor,
                                   const Dimensions& cells,
                                   const Geometry& by_rule) {
  if (tensor.layout.memref.shape.size() != by_rule.memref.size()) {
    return RuleError(Rule::kMemRefRank, "the memref has another rank");
  }
  TESSERA_RETURN_IF_ERROR(BufferOf(tensor).status());
  Dimensions aligned;
  for (int i : {0, 1}) {
    const std::optional<int64_t> shard =
        CheckedMultiply(tensor.layout.memref.shape[i], by_rule.TileOf(i));
    const std::optional<int64_t> all =
        CheckedMultiply(shard.value_or(0), cells[i]);
    if (!shard.has_value() || !all.has_value()) {
      return SizeOverflowError("the memory of all shards");
    }
    aligned.push_back(*all);
  }
  return Geometry::Create(tensor.shape, tensor.layout.linear, cells,
                          by_rule.element, DivisionOrder::kTileFirst,
                          absl::MakeConstSpan(aligned));
}

}  // namespace

MemorySpace MemorySpaceHolding(BufferType buffer_type) {
  switch (buffer_type) {
    case BufferType::kL1:
    case BufferType::kL1Small:
      return MemorySpace::kDeviceL1;
    case BufferType::kDram:
    case BufferType::kTrace:
      return MemorySpace::kDeviceDRAM;
    case BufferType::kSystemMemory:
      return MemorySpace::kSystem;
  }
  return MemorySpace::kSystem;
}

Verification Verify(const TtnnTensor& tensor,
                    const VerificationOptions& options) {
  Verification verification;
  const TtnnLayout& layout = tensor.layout;
  const ElementType& element = layout.memref.element;
  for (const absl::Status& status :
       CheckParts(tensor.shape, layout.linear, layout.grid, element)) {
    AddError(status, &verification);
  }
  if (layout.grid.size() != 2) {
    verification.errors.push_back(
        {Rule::kGridSize, absl::StrCat("the grid has rank ", layout.grid.size(),
                                       ", but cores are in rows and columns")});
  }
  CheckInterleavedGrid(layout, &verification);
  const bool has_geometry = verification.ok();
  absl::StatusOr<TtnnDerivation> derivation = DerivationOf(tensor);
  if (!derivation.ok() &&
      (has_geometry || RuleOf(derivation.status()) == Rule::kMemoryLayout)) {
    AddError(derivation.status(), &verification);
  }
  CheckMemRefRank(layout.memref.shape.size(), layout.grid.size(),
                  &verification);
  CheckCoreRanges(layout, &verification);
  if (!has_geometry || !derivation.ok()) return verification;

  if (layout.ignore_physical_layout) {
    verification.warnings.push_back(
        {Rule::kUndecided,
         "with ignorePhysicalLayout the shards are not known yet: neither "
         "memref nor locations follow"});
    return verification;
  }
  const MemorySpace memory_space =
      MemorySpaceHolding(layout.memref.buffer_type);
  const bool is_interleaved =
      layout.memory_layout == TensorMemoryLayout::kInterleaved;
  const bool is_in_l1 = memory_space == MemorySpace::kDeviceL1;
  // Pages of an interleaved tensor are distributed to the banks in turn. The
  // tensor therefore has one cell, in the order of pages.
  const Dimensions cells = is_interleaved ? Dimensions{1, 1} : CellsOf(layout);
  absl::StatusOr<Geometry> geometry = Geometry::Create(
      tensor.shape, layout.linear, cells, element, DivisionOrder::kTileFirst);
  if (!geometry.ok()) {
    AddError(geometry.status(), &verification);
    return verification;
  }
  if (!is_interleaved && cells != layout.grid) {
    verification.warnings.push_back(
        {Rule::kMemoryLayout,
         absl::StrCat(cells[1] == 1 ? "height" : "width",
                      " sharded over a grid of ",
                      absl::StrJoin(layout.grid, "x"), ": the cells are ",
                      absl::StrJoin(cells, "x"))});
  }
  Dimensions expected = geometry->memref;
  if (is_interleaved && is_in_l1) {
    expected = {1, CeilOfRatio(expected[0] * expected[1],
                               layout.grid[0] * layout.grid[1])};
  }
  verification.memref = MemRef{expected, element, memory_space};
  std::string_view hint;
  std::vector<Finding>* findings = &verification.warnings;
  if (geometry->bytes == 0) {
    // tt-mlir's own tests have a memref of one tile for a tensor without
    // elements, for which nothing is allocated.
    hint = "; nothing is allocated";
  } else if (is_interleaved) {
    hint = "; interleaved tensors are allocated by their shape";
  } else if (layout.memref.shape != expected) {
    absl::StatusOr<Geometry> as_written = AsWritten(tensor, cells, *geometry);
    if (as_written.ok()) {
      geometry = *std::move(as_written);
      hint = "; shards are allocated as written";
    } else {
      findings = &verification.errors;
    }
  }
  CheckMemRefShape("memref", layout.memref.shape, expected,
                   StrCat(hint, HintOf(tensor, *derivation)), findings);
  if (!is_interleaved) CheckCoresSuffice(layout, *geometry, &verification);
  if (memory_space != MemorySpace::kSystem &&
      !PlacesAlike(*geometry, derivation->linear)) {
    verification.warnings.push_back(
        {Rule::kMemoryLayout,
         absl::StrCat("ttnn lays out the tensor by its shape, ",
                      derivation->linear.ToString(),
                      ": pages, banks and cores are not those of the map")});
  }
  // A cell of an interleaved tensor is not a core.
  VerifyGeometry(
      *geometry,
      is_interleaved && is_in_l1 ? MemorySpace::kSystem : memory_space, options,
      &verification);
  if (is_interleaved && is_in_l1) {
    WarnOfShardSize(expected[1] * *element.bytes(), memory_space, options,
                    &verification);
  }
  CheckWithRuntime(tensor, options, &verification);
  return verification;
}

}  // namespace tessera::tenstorrent
