#include "tessera/tenstorrent/derive/aligned_derivation.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

using Interval = AlignedLayout::Interval;
using Intervals = AlignedLayout::Intervals;

// The default tile is square.
constexpr int64_t kTile = 32;
constexpr int64_t kTileRank = 2;

absl::Status IntervalError(std::string_view message) {
  return RuleError(Rule::kCollapsedIntervals,
                   StrCat("collapsed_intervals ", message));
}

std::string ToText(const Interval& interval) {
  return absl::StrCat("[", interval.first, ", ", interval.second, "]");
}

int64_t Normalized(int64_t bound, int64_t rank) {
  return bound < 0 ? bound + rank : bound;
}

absl::Status CheckInterval(const Interval& interval, int64_t rank) {
  const int64_t start = Normalized(interval.first, rank);
  const int64_t end = Normalized(interval.second, rank);
  const auto out_of_bounds = [rank](std::string_view what, int64_t bound,
                                    int64_t normalized) {
    return IntervalError(
        StrCat(what, " index ", bound, " (normalized: ", normalized,
               ") is out of bounds for logical_shape rank ", rank));
  };
  if (start < 0 || start >= rank) {
    return out_of_bounds("start", interval.first, start);
  }
  if (end < 0 || end > rank) {
    return out_of_bounds("end", interval.second, end);
  }
  if (start > end) {
    return IntervalError(
        absl::StrCat("start (", start, ") must not exceed end (", end, ")"));
  }
  return absl::OkStatus();
}

// Returns the intervals in order, without empty ones, and a separate interval
// for each dimension after them. Precondition: CheckInterval passes for each.
Intervals Normalize(const Intervals& intervals, int64_t rank) {
  Intervals result;
  for (const Interval& interval : intervals) {
    const Interval normalized = {Normalized(interval.first, rank),
                                 Normalized(interval.second, rank)};
    if (normalized.first < normalized.second) result.push_back(normalized);
  }
  std::sort(result.begin(), result.end());
  int64_t end = 0;
  for (const Interval& interval : result) end = std::max(end, interval.second);
  for (; end < rank; ++end) result.push_back({end, end + 1});
  return result;
}

void CheckIntervals(const AlignedLayout& layout,
                    std::vector<absl::Status>* errors) {
  const int64_t rank = layout.logical_shape.size();
  bool is_valid = true;
  for (const Interval& interval : layout.collapsed_intervals) {
    // No bound is within a rank of 0, and the written interval is empty anyway.
    if (rank == 0 && interval.first == 0 && interval.second == 0) continue;
    if (absl::Status status = CheckInterval(interval, rank); !status.ok()) {
      errors->push_back(std::move(status));
      is_valid = false;
    }
  }
  if (!is_valid) return;
  int64_t covered = 0;
  Interval previous = {0, 0};
  for (const Interval& interval : Normalize(layout.collapsed_intervals, rank)) {
    if (interval.first < covered) {
      errors->push_back(IntervalError(
          absl::StrCat(ToText(previous), " and ", ToText(interval),
                       " share dimension ", interval.first)));
      return;
    }
    if (interval.first > covered) {
      errors->push_back(IntervalError(
          absl::StrCat("leave out dimension ", covered, ", before ",
                       ToText(interval), "; tt-mlir drops it silently")));
      return;
    }
    covered = interval.second;
    previous = interval;
  }
}

}  // namespace

std::vector<absl::Status> CheckAligned(const AlignedLayout& layout) {
  std::vector<absl::Status> errors;
  const int64_t rank = layout.logical_shape.size();
  const int64_t num_alignments = layout.dim_alignments.size();
  for (int64_t i = 0; i < rank; ++i) {
    if (layout.logical_shape[i] >= 0) continue;
    errors.push_back(RuleError(
        Rule::kTensorSize,
        absl::StrCat("dimension ", i, " of the logical shape is ",
                     layout.logical_shape[i], "; sizes are at least 0")));
  }
  if (num_alignments != rank) {
    errors.push_back(RuleError(
        Rule::kDimAlignments,
        absl::StrCat("dim_alignments size (", num_alignments,
                     ") must match logical_shape rank (", rank, ")")));
  }
  for (int64_t i = 0; i < num_alignments; ++i) {
    if (layout.dim_alignments[i] >= 1) continue;
    errors.push_back(
        RuleError(Rule::kDimAlignments,
                  absl::StrCat("dim_alignments[", i, "] must be positive, got ",
                               layout.dim_alignments[i])));
  }
  CheckIntervals(layout, &errors);
  return errors;
}

absl::StatusOr<AlignedDerivation> DeriveAligned(const AlignedLayout& layout) {
  const int64_t rank = layout.logical_shape.size();
  if (rank > AffineExpression::kMaxDims) {
    return ResourceExhaustedError("the logical shape has ", rank,
                                  " dimensions; at most ",
                                  AffineExpression::kMaxDims, " are supported");
  }
  const std::vector<absl::Status> errors = CheckAligned(layout);
  if (!errors.empty()) return errors.front();
  AlignedDerivation derivation;
  derivation.intervals = Normalize(layout.collapsed_intervals, rank);
  const int64_t num_intervals = derivation.intervals.size();
  const int64_t synthetic =
      std::max<int64_t>(kTileRank - std::max(rank, num_intervals), 0);
  const int64_t physical_rank = synthetic + num_intervals;
  derivation.physical_shape.assign(physical_rank, kTile);
  derivation.host_strides.assign(rank, 0);
  AffineMap::Results results(physical_rank);
  // The volume of the physical dimensions inside of the current one.
  std::optional<int64_t> volume = 1;
  for (int64_t i = num_intervals; i-- > 0;) {
    const Interval& interval = derivation.intervals[i];
    AffineForm form;
    form.coefficients.resize(rank);
    int64_t size = 1;
    for (int64_t dim = interval.second; dim-- > interval.first;) {
      form.coefficients[dim] = size;
      const std::optional<int64_t> stride = CheckedMultiply(*volume, size);
      const std::optional<int64_t> product =
          CheckedMultiply(size, layout.logical_shape[dim]);
      std::optional<int64_t> aligned;
      if (product.has_value()) {
        aligned = CheckedRoundUp(*product, layout.dim_alignments[dim]);
      }
      if (!stride.has_value() || !aligned.has_value()) {
        return SizeOverflowError("the size of a physical dimension");
      }
      derivation.host_strides[dim] = *stride;
      size = *aligned;
    }
    derivation.physical_shape[synthetic + i] = size;
    results[synthetic + i] = form.ToExpression();
    volume = CheckedMultiply(*volume, size);
    if (!volume.has_value()) return SizeOverflowError("the volume on the host");
  }
  volume = CheckedProduct(derivation.physical_shape);
  if (!volume.has_value()) return SizeOverflowError("the volume on the host");
  derivation.host_volume = *volume;
  TESSERA_ASSIGN_OR_RETURN(derivation.linear,
                           AffineMap::Create(rank, 0, std::move(results)));
  return derivation;
}

Intervals DefaultCollapsedIntervals(int64_t rank) {
  if (rank == 0) return {};
  return {{0, rank - 1}, {rank - 1, rank}};
}

absl::StatusOr<Dimensions> DefaultDimAlignments(
    absl::Span<const int64_t> logical_shape, const Intervals& intervals,
    absl::Span<const int64_t> grid) {
  AlignedLayout layout;
  layout.logical_shape.assign(logical_shape.begin(), logical_shape.end());
  layout.collapsed_intervals = intervals;
  layout.dim_alignments.assign(logical_shape.size(), 1);
  if (const std::vector<absl::Status> errors = CheckAligned(layout);
      !errors.empty()) {
    return errors.front();
  }
  const Intervals normalized = Normalize(intervals, logical_shape.size());
  const int64_t num_intervals = normalized.size();
  const int64_t first_of_tiles =
      std::max<int64_t>(num_intervals - kTileRank, 0);
  for (int64_t i = first_of_tiles; i < num_intervals; ++i) {
    layout.dim_alignments[normalized[i].second - 1] = kTile;
  }
  TESSERA_ASSIGN_OR_RETURN(const AlignedDerivation tiled,
                           DeriveAligned(layout));
  if (grid.empty()) return layout.dim_alignments;

  const int64_t physical_rank = tiled.physical_shape.size();
  const int64_t grid_rank = grid.size();
  if (grid_rank != physical_rank) {
    return RuleError(
        Rule::kTensorRank,
        absl::StrCat("the grid has rank ", grid_rank, ", but the layout has ",
                     physical_rank, " physical dimensions"));
  }
  const int64_t synthetic = physical_rank - num_intervals;
  for (int64_t i = 0; i < physical_rank; ++i) {
    if (grid[i] < 1) {
      return RuleError(Rule::kGridSize,
                       absl::StrCat("dimension ", i, " of the grid is ",
                                    grid[i], "; sizes are at least 1"));
    }
    if (i < synthetic || grid[i] == 1) continue;
    const std::optional<int64_t> alignment =
        CheckedMultiply(grid[i], i - synthetic < first_of_tiles ? 1 : kTile);
    if (alignment.has_value() && tiled.physical_shape[i] > *alignment) {
      layout.dim_alignments[normalized[i - synthetic].first] = *alignment;
    }
  }
  return layout.dim_alignments;
}

absl::StatusOr<AlignedTensor> DeriveAlignedTensor(
    const AlignedLayout& layout, const ElementType& element,
    absl::Span<const int64_t> grid) {
  AlignedTensor tensor;
  tensor.shape.assign(grid.begin(), grid.end());
  tensor.shape.resize(2 * grid.size());
  tensor.element = element;
  tensor.layout = layout;
  TESSERA_ASSIGN_OR_RETURN(const Geometry geometry, GeometryOf(tensor));
  std::copy(geometry.memref.begin(), geometry.memref.end(),
            tensor.shape.begin() + grid.size());
  return tensor;
}

absl::StatusOr<Geometry> GeometryOf(const AlignedTensor& tensor) {
  TESSERA_ASSIGN_OR_RETURN(const AlignedDerivation derivation,
                           DeriveAligned(tensor.layout));
  const size_t rank = tensor.shape.size();
  const size_t physical_rank = derivation.physical_shape.size();
  if (rank != 2 * physical_rank) {
    return RuleError(
        Rule::kTensorRank,
        absl::StrCat("the tensor has rank ", rank, ", but the layout has ",
                     physical_rank, " physical dimensions, which make a grid ",
                     "and a shard of rank ", physical_rank, " each"));
  }
  TESSERA_ASSIGN_OR_RETURN(
      Geometry geometry,
      Geometry::Create(
          tensor.layout.logical_shape, derivation.linear,
          absl::MakeConstSpan(tensor.shape).subspan(0, physical_rank),
          tensor.element, DivisionOrder::kTileFirst,
          absl::MakeConstSpan(derivation.physical_shape)));
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const int64_t elements = geometry.aligned_extent[i] / geometry.TileOf(i);
    if (elements % geometry.grid[i] == 0) continue;
    return RuleError(
        Rule::kUnevenGrid,
        absl::StrCat("Collapsed dimension must be evenly divisible by grid "
                     "dimension, got ",
                     elements, " % ", geometry.grid[i], " != 0 in dimension ",
                     i));
  }
  geometry.index_map = tensor.layout.index_map;
  return geometry;
}

}  // namespace tessera::tenstorrent
