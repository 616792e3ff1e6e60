#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"

namespace tessera {
namespace {

// If the size of elements is not known.
constexpr int64_t kUsualElementBits = 32;

absl::StatusOr<RelayoutPlan> Plan(const CompareRequest& question,
                                  const MappedLayout& from,
                                  const MappedLayout& to) {
  RelayoutOptions options;
  options.to_dimensions.assign(question.to_dimensions().begin(),
                               question.to_dimensions().end());
  if (from.shape() != nullptr && to.shape() != nullptr) {
    return PlanRelayout(*from.shape(), *to.shape(), options);
  }
  int64_t bits = question.element_bits();
  if (bits == 0) {
    bits = std::max(ElementBits(from.layout()).value_or(0),
                    ElementBits(to.layout()).value_or(0));
  }
  if (bits == 0) bits = kUsualElementBits;
  return RelayoutPlan::Create(from.map(), to.map(), bits, options);
}

void FillRelayout(const absl::StatusOr<RelayoutPlan>& plan,
                  CompareResult* result) {
  if (!plan.ok()) {
    result->set_no_relayout(std::string(plan.status().message()));
    return;
  }
  *result->mutable_relayout() = RelayoutCostOf(*plan);
}

void FillSteps(const BitcastSteps& found, BitcastDecomposition* steps) {
  SetNumbers(found.first_dimensions, steps->mutable_first_dimensions());
  steps->set_transposed(found.transposed.ToString());
  steps->set_reshaped(found.reshaped.ToString());
  SetNumbers(found.last_dimensions, steps->mutable_last_dimensions());
}

void FillBitcasts(const Bitcasts& found, CompareResult* result) {
  if (found.is_bitcast.has_value()) result->set_is_bitcast(*found.is_bitcast);
  BitcastAnswers& answers = *result->mutable_bitcasts();
  answers.set_obstacle(found.obstacle);
  if (found.as_reshape.has_value()) answers.set_as_reshape(*found.as_reshape);
  if (found.as_transpose.has_value()) {
    answers.set_as_transpose(*found.as_transpose);
  }
  SetNumbers(found.dimensions, answers.mutable_dimensions());
  if (found.steps.has_value()) FillSteps(*found.steps, answers.mutable_steps());
}

// Returns the `dimensions` of XLA's transpose, the inverse of to_dimensions.
// Precondition: those are a permutation.
std::vector<int64_t> TransposeDimensions(
    absl::Span<const int64_t> to_dimensions) {
  std::vector<int64_t> dimensions(to_dimensions.size());
  for (size_t i = 0; i < to_dimensions.size(); ++i) {
    dimensions[to_dimensions[i]] = i;
  }
  return dimensions;
}

}  // namespace

RelayoutCost RelayoutCostOf(const RelayoutPlan& plan) {
  RelayoutCost cost;
  cost.set_from_bytes(plan.from_bytes());
  cost.set_to_bytes(plan.to_bytes());
  cost.set_moved_bytes(plan.bytes_moved());
  cost.set_contiguous_bytes(plan.contiguous_bytes());
  cost.set_has_loops(plan.has_loops());
  cost.set_plan(plan.ToString());
  return cost;
}

absl::Status AnswerCompare(const ServiceOptions& options,
                           const CompareRequest& question,
                           CompareResult* result) {
  const absl::StatusOr<MappedLayout> from =
      ReadMappedLayout(question.from(), ELEMENTS, options, question.target());
  if (!from.ok()) return InField("from", from.status());
  const absl::StatusOr<MappedLayout> to =
      ReadMappedLayout(question.to(), ELEMENTS, options, question.target());
  if (!to.ok()) return InField("to", to.status());

  return AnswerCompare(options, *from, *to, question, result);
}

absl::Status AnswerCompare(const ServiceOptions& options,
                           const MappedLayout& from, const MappedLayout& to,
                           const CompareRequest& question,
                           CompareResult* result) {
  result->set_same_text(ToString(from.layout()) == ToString(to.layout()));
  BitcastOptions bitcast_options;
  SameFunctionOptions& same = bitcast_options.same_function;
  same.evaluation_limit = options.evaluations;
  const absl::Span<const int64_t> to_dimensions = question.to_dimensions();
  const absl::StatusOr<IndexMap> to_map =
      to_dimensions.empty() ? to.map() : Permuted(to.map(), to_dimensions);
  const bool has_same_bounds =
      to_map.ok() && from.map().bounds() == to_map->bounds();
  if (has_same_bounds) {
    const absl::StatusOr<bool> is_same =
        SameFunction(from.map(), *to_map, same);
    if (is_same.ok()) result->set_same_positions(*is_same);
    if (!is_same.ok() && !absl::IsResourceExhausted(is_same.status())) {
      return is_same.status();
    }
  }
  // no_relayout reports dimensions that do not match.
  if (to_dimensions.empty() || has_same_bounds) {
    bitcast_options.dimensions = TransposeDimensions(to_dimensions);
    TESSERA_ASSIGN_OR_RETURN(
        const std::optional<Bitcasts> bitcasts,
        FindBitcasts(from.layout(), to.layout(), bitcast_options));
    if (bitcasts.has_value()) FillBitcasts(*bitcasts, result);
  }
  FillRelayout(Plan(question, from, to), result);
  return absl::OkStatus();
}

}  // namespace tessera
