#include "tessera/tenstorrent/verification.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/internal/size_checks.h"

namespace tessera::tenstorrent {
namespace {

std::string ShapeText(const Dimensions& shape) {
  return shape.empty() ? "of rank 0" : absl::StrJoin(shape, "x");
}

// Returns whether a scalar memref is the result of converting the elements of
// the shard's tiles back to scalars, as tt-mlir's withElementType does.
bool IsLeftByUntilize(const MemRef& memref, const Geometry& geometry) {
  constexpr int64_t kTile = 32;
  const int64_t rank = geometry.rank();
  if (memref.element.is_tile() || rank < 2) return false;
  Dimensions rounded = geometry.shard;
  for (int64_t i = rank - 2; i < rank; ++i) {
    const std::optional<int64_t> up = CheckedRoundUp(rounded[i], kTile);
    if (!up.has_value()) return false;
    rounded[i] = *up;
  }
  return memref.shape == rounded;
}

void WarnOfRepeatedDims(const Geometry& geometry, Verification* verification) {
  // Digits of a dim may be in several results without wasting memory.
  if (KnownProduct(geometry.extent) == KnownProduct(geometry.shape)) return;
  std::vector<std::string> dims;
  for (const int64_t dim : geometry.linear.RepeatedDims()) {
    if (geometry.shape[dim] == 1) continue;
    const AffineMap::Indices results = geometry.linear.ResultsUsing(dim);
    dims.push_back(
        absl::StrCat("d", dim, " is in results ",
                     absl::StrJoin(results.begin(), results.end() - 1, ", "),
                     " and ", results.back()));
  }
  if (dims.empty()) return;
  verification->warnings.push_back(
      {Rule::kRepeatedDims,
       absl::StrFormat("%s; %.6gx over-allocation", absl::StrJoin(dims, ", "),
                       OverAllocation(geometry))});
}

void WarnOfBlockFloats(const ElementType& element, Verification* verification) {
  if (!IsBlockFloat(element.data_type) || element.tile == TileShape{32, 32}) {
    return;
  }
  verification->warnings.push_back(
      {Rule::kBlockFloat,
       absl::StrCat(
           "tt-mlir's block floats are in tiles of 32x32, but this is ",
           element.ToString(),
           ": sizes and locations are those of Tenstorrent's "
           "runtime")});
}

// Pages of an interleaved tensor are distributed to the banks in turn; the rule
// of 2024 (DramAddressOf) does not define where a tensor begins.
void WarnOfInterleaving(MemorySpace memory_space, Verification* verification) {
  const bool is_in_dram = memory_space == MemorySpace::kDeviceDRAM;
  if (!verification->placement.has_value() ||
      (!is_in_dram && memory_space != MemorySpace::kDeviceL1)) {
    return;
  }
  verification->warnings.push_back(
      {Rule::kUndecided,
       absl::StrCat("interleaved in ", is_in_dram ? "DRAM" : "L1",
                    ", pages lie on the banks in turn: shards and locations "
                    "are given as if the tensor were sharded")});
}

}  // namespace

void AddError(const absl::Status& status, Verification* verification) {
  const Rule otherwise =
      absl::IsOutOfRange(status) ? Rule::kSizeOverflow : Rule::kUndecided;
  verification->errors.push_back(
      {RuleOf(status).value_or(otherwise), std::string(status.message())});
}

void CheckMemRefRank(int64_t rank, int64_t grid_rank,
                     Verification* verification) {
  if (rank == grid_rank) return;
  verification->errors.push_back(
      {Rule::kMemRefRank, absl::StrCat("the memref has rank ", rank,
                                       ", but the grid has rank ", grid_rank)});
}

void CheckMemRefShape(std::string_view what, const Dimensions& found,
                      const Dimensions& expected, std::string_view hint,
                      std::vector<Finding>* findings) {
  if (found.size() == expected.size() && found != expected) {
    findings->push_back(
        {Rule::kMemRefShape,
         StrCat("the ", what, " is ", ShapeText(found), ", but the rules give ",
                ShapeText(expected), hint)});
  }
}

void WarnOfShardSize(int64_t bytes_per_shard, MemorySpace memory_space,
                     const VerificationOptions& options,
                     Verification* verification) {
  if (memory_space == MemorySpace::kDeviceL1 &&
      bytes_per_shard > options.l1_bytes) {
    verification->warnings.push_back(
        {Rule::kShardSize,
         absl::StrCat("a shard takes ", bytes_per_shard,
                      " B, but the L1 of a core has ", options.l1_bytes)});
  }
}

double OverAllocation(const Geometry& geometry) {
  return static_cast<double>(KnownProduct(geometry.grid)) *
         static_cast<double>(KnownProduct(geometry.AllocatedShard())) /
         static_cast<double>(KnownProduct(geometry.shape));
}

void VerifyGeometry(const Geometry& geometry, MemorySpace memory_space,
                    const VerificationOptions& options,
                    Verification* verification) {
  absl::StatusOr<Placement> placement =
      Placement::Create(geometry, options.evaluation_limit);
  if (absl::IsUnimplemented(placement.status())) {
    verification->warnings.push_back(
        {Rule::kUndecided, std::string(placement.status().message())});
  } else if (!placement.ok()) {
    AddError(placement.status(), verification);
    return;
  }
  WarnOfRepeatedDims(geometry, verification);
  WarnOfBlockFloats(geometry.element, verification);
  const int64_t cells = KnownProduct(geometry.grid);
  const int64_t empty = cells - KnownProduct(geometry.CellsInUse());
  const bool has_elements = KnownProduct(geometry.shape) > 0;
  if (empty > 0 && has_elements) {
    verification->warnings.push_back(
        {Rule::kEmptyCells,
         absl::StrCat(empty, " of ", cells, " cells hold no element")});
  }
  WarnOfShardSize(geometry.bytes_per_shard, memory_space, options,
                  verification);
  if (!placement.ok()) return;
  if (const int64_t gaps = placement->counts().gap; gaps > 0) {
    verification->warnings.push_back(
        {Rule::kGaps,
         absl::StrCat(gaps, " of ", KnownProduct(geometry.extent),
                      " positions below the extent have no index")});
  }
  verification->placement = *std::move(placement);
}

Verification Verify(const MetalTensor& tensor,
                    const VerificationOptions& options) {
  Verification verification;
  const MetalLayout& layout = tensor.layout;
  for (const absl::Status& status : CheckParts(
           tensor.shape, layout.linear, layout.grid, layout.memref.element)) {
    AddError(status, &verification);
  }
  CheckMemRefRank(layout.memref.shape.size(), layout.grid.size(),
                  &verification);
  const absl::StatusOr<Geometry> geometry = Geometry::Of(tensor);
  if (!geometry.ok()) {
    // The errors of the parts by themselves are already reported.
    if (verification.ok()) AddError(geometry.status(), &verification);
    return verification;
  }
  verification.memref = layout.memref;
  verification.memref->shape = geometry->memref;
  CheckMemRefShape("memref", layout.memref.shape, geometry->memref,
                   IsLeftByUntilize(layout.memref, *geometry)
                       ? "; this is the tile-padded shape kept after untilizing"
                       : "",
                   &verification.errors);
  VerifyGeometry(*geometry, layout.memref.memory_space, options, &verification);
  if (layout.memory_layout == TensorMemoryLayout::kInterleaved) {
    WarnOfInterleaving(layout.memref.memory_space, &verification);
  }
  return verification;
}

}  // namespace tessera::tenstorrent
