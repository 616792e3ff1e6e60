#include "tessera/tenstorrent/derive/collapse.h"

#include <algorithm>
#include <cstddef>
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
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/internal/size_checks.h"

namespace tessera::tenstorrent {
namespace {

constexpr CollapseInterval kDefaultIntervals[] = {{0, -1}};

std::string Describe(int64_t i, const CollapseInterval& interval) {
  return absl::StrCat("interval[", i, "] = (", interval.begin, ", ",
                      interval.end, ")");
}

std::string DimName(int64_t dim) { return absl::StrCat("d", dim); }

absl::Status CheckRank(int64_t rank, std::string_view what) {
  if (rank < 0) {
    return InvalidArgumentError("the rank of the ", what, " is ", rank);
  }
  if (rank > AffineExpression::kMaxDims) {
    return ResourceExhaustedError("the ", what, " has ", rank,
                                  " dimensions; at most ",
                                  AffineExpression::kMaxDims, " are supported");
  }
  return absl::OkStatus();
}

// Returns the interval with bounds from 0 to `rank`. Its end may precede its
// begin.
absl::StatusOr<CollapseInterval> WithinRank(int64_t i, int64_t rank,
                                            CollapseInterval interval) {
  if (rank == 0 && interval == kDefaultIntervals[0]) {
    return CollapseInterval{0, 0};
  }
  const std::string description = Describe(i, interval);
  for (int64_t* bound : {&interval.begin, &interval.end}) {
    if (*bound < -rank || *bound > rank) {
      return InvalidArgumentError(description, ": ", *bound, " is outside [",
                                  -rank, ", ", rank, "] for a tensor of rank ",
                                  rank);
    }
    if (*bound < 0) *bound += rank;
  }
  return interval;
}

// Returns for each result the dimensions that it joins.
absl::StatusOr<std::vector<CollapseInterval>> Groups(
    int64_t rank, absl::Span<const CollapseInterval> intervals) {
  // The owner of each dimension.
  std::vector<std::optional<int64_t>> owner(rank);
  std::vector<int64_t> ends(rank);
  for (size_t i = 0; i < intervals.size(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(const CollapseInterval interval,
                             WithinRank(i, rank, intervals[i]));
    if (interval.begin > interval.end) {
      return InvalidArgumentError(Describe(i, intervals[i]), " is [",
                                  interval.begin, ", ", interval.end,
                                  ") for a tensor of rank ", rank,
                                  ": it ends before it begins");
    }
    for (int64_t dim = interval.begin; dim < interval.end; ++dim) {
      if (owner[dim].has_value()) {
        return InvalidArgumentError(
            Describe(i, intervals[i]), " shares d", dim, " with ",
            Describe(*owner[dim], intervals[*owner[dim]]));
      }
      owner[dim] = i;
      ends[dim] = interval.end;
    }
  }
  std::vector<CollapseInterval> groups;
  for (int64_t dim = 0; dim < rank; dim = groups.back().end) {
    groups.push_back({dim, owner[dim].has_value() ? ends[dim] : dim + 1});
  }
  return groups;
}

// Returns the row-major number of the dimensions of `group`.
absl::StatusOr<AffineExpression> Joined(absl::Span<const int64_t> shape,
                                        const CollapseInterval& group) {
  AffineForm form;
  form.coefficients.resize(group.end);
  int64_t coefficient = 1;
  for (int64_t dim = group.end; dim-- > group.begin;) {
    form.coefficients[dim] = coefficient;
    if (dim == group.begin) break;
    const std::optional<int64_t> next =
        CheckedMultiply(coefficient, shape[dim]);
    if (!next.has_value()) {
      return OutOfRangeError("the coefficient of d", dim - 1, ", ", coefficient,
                             " * ", shape[dim], ", exceeds 2^63-1");
    }
    coefficient = *next;
  }
  return form.ToExpression();
}

absl::Status CheckResultCount(int64_t rank, int64_t grid_rank,
                              absl::Span<const CollapseInterval> groups) {
  const int64_t num_results = groups.size();
  const int64_t expected = std::min(rank, grid_rank);
  if (num_results == expected) return absl::OkStatus();
  if (num_results > expected) {
    return InvalidArgumentError("collapsing leaves ", num_results,
                                " results for a grid of rank ", grid_rank,
                                "; collapse more dimensions");
  }
  std::vector<std::string> lost;
  for (const CollapseInterval& group : groups) {
    for (int64_t dim = group.begin; dim + 1 < group.end; ++dim) {
      lost.push_back(DimName(dim));
    }
  }
  return InvalidArgumentError(
      "collapsing leaves ", num_results, " results where a grid of rank ",
      grid_rank, " divides ", expected,
      " dimensions of the tensor: ", absl::StrJoin(lost, ", "),
      lost.size() == 1 ? " was" : " were", " collapsed away");
}

absl::StatusOr<AffineMap::Results> ResultsOfSpecification(
    absl::Span<const int64_t> shape,
    absl::Span<const CollapseInterval> intervals, int64_t grid_rank) {
  const int64_t rank = shape.size();
  TESSERA_ASSIGN_OR_RETURN(const std::vector<CollapseInterval> groups,
                           Groups(rank, intervals));
  TESSERA_RETURN_IF_ERROR(CheckResultCount(rank, grid_rank, groups));
  AffineMap::Results results;
  for (const CollapseInterval& group : groups) {
    TESSERA_ASSIGN_OR_RETURN(AffineExpression result, Joined(shape, group));
    results.push_back(std::move(result));
  }
  return results;
}

absl::StatusOr<AffineMap::Results> ResultsOfReference(
    absl::Span<const int64_t> shape,
    absl::Span<const CollapseInterval> intervals, int64_t grid_rank) {
  const int64_t rank = shape.size();
  const int64_t num_results = std::min(rank, grid_rank);
  AffineMap::Results results;
  for (int64_t dim = rank - num_results; dim < rank; ++dim) {
    results.push_back(AffineExpression::Dim(dim));
  }
  int64_t first_begin = rank;
  for (size_t i = 0; i < intervals.size(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(const CollapseInterval interval,
                             WithinRank(i, rank, intervals[i]));
    if (interval.begin == interval.end) continue;
    if (interval.end == 0) {
      return InvalidArgumentError(Describe(i, intervals[i]),
                                  " ends at dimension 0");
    }
    if (interval.begin >= num_results) {
      return InvalidArgumentError(Describe(i, intervals[i]),
                                  " stands for result ", interval.begin, " of ",
                                  num_results);
    }
    first_begin = std::min(first_begin, interval.begin);
    TESSERA_ASSIGN_OR_RETURN(results[interval.begin], Joined(shape, interval));
  }
  for (int64_t dim = 0; dim < first_begin; ++dim) {
    if (dim >= num_results) {
      return InvalidArgumentError("d", dim, " stands for result ", dim, " of ",
                                  num_results);
    }
    results[dim] = AffineExpression::Dim(dim);
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (std::none_of(results.begin(), results.end(),
                     [dim](const AffineExpression& result) {
                       return result.UsesDim(dim);
                     })) {
      return InvalidArgumentError("d", dim,
                                  " does not participate in any result");
    }
  }
  return results;
}

}  // namespace

absl::Span<const CollapseInterval> DefaultCollapseIntervals() {
  return kDefaultIntervals;
}

absl::StatusOr<AffineMap> CollapsedMap(
    absl::Span<const int64_t> shape,
    absl::Span<const CollapseInterval> intervals, int64_t grid_rank,
    CollapseRule rule) {
  TESSERA_RETURN_IF_ERROR(CheckSizes(shape, "shape", 0));
  TESSERA_RETURN_IF_ERROR(CheckRank(grid_rank, "grid"));
  TESSERA_ASSIGN_OR_RETURN(
      AffineMap::Results results,
      rule == CollapseRule::kSpecification
          ? ResultsOfSpecification(shape, intervals, grid_rank)
          : ResultsOfReference(shape, intervals, grid_rank));
  const int64_t num_zeros = grid_rank - results.size();
  results.insert(results.begin(), num_zeros, AffineExpression());
  return AffineMap::Create(shape.size(), 0, std::move(results));
}

absl::StatusOr<std::string> CollapseNotation(
    int64_t rank, absl::Span<const CollapseInterval> intervals) {
  TESSERA_RETURN_IF_ERROR(CheckRank(rank, "tensor"));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<CollapseInterval> groups,
                           Groups(rank, intervals));
  const auto names = [](const CollapseInterval& dims) {
    std::vector<std::string> names;
    for (int64_t dim = dims.begin; dim < dims.end; ++dim) {
      names.push_back(DimName(dim));
    }
    return names;
  };
  std::vector<std::string> results;
  for (const CollapseInterval& group : groups) {
    results.push_back(absl::StrJoin(names(group), " <> "));
  }
  return absl::StrCat("(", absl::StrJoin(names({0, rank}), ", "), ") -> (",
                      absl::StrJoin(results, ", "), ")");
}

}  // namespace tessera::tenstorrent
