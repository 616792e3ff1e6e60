#include "tessera/service/questions/compare_question.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layout_source.h"

namespace tessera {
namespace {

// Where nothing says how large elements are.
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
  RelayoutCost& cost = *result->mutable_relayout();
  cost.set_from_bytes(plan->from_bytes());
  cost.set_to_bytes(plan->to_bytes());
  cost.set_moved_bytes(plan->bytes_moved());
  cost.set_contiguous_bytes(plan->contiguous_bytes());
  cost.set_has_loops(plan->has_loops());
}

// What nothing is said of where it takes too long to tell.
bool TakesTooLong(const absl::Status& status) {
  return status.code() == absl::StatusCode::kResourceExhausted;
}

}  // namespace

absl::Status AnswerCompare(const ServiceOptions& options,
                           const CompareRequest& question,
                           CompareResult* result) {
  const absl::StatusOr<MappedLayout> from =
      ReadMappedLayout(question.from(), ELEMENTS, options);
  if (!from.ok()) return InField("from", from.status());
  const absl::StatusOr<MappedLayout> to =
      ReadMappedLayout(question.to(), ELEMENTS, options);
  if (!to.ok()) return InField("to", to.status());

  return AnswerCompare(options, *from, *to, question, result);
}

absl::Status AnswerCompare(const ServiceOptions& options,
                           const MappedLayout& from, const MappedLayout& to,
                           const CompareRequest& question,
                           CompareResult* result) {
  result->set_same_text(ToString(from.layout()) == ToString(to.layout()));
  if (question.to_dimensions().empty()) {
    if (from.map().bounds() == to.map().bounds()) {
      SameFunctionOptions same;
      same.evaluation_limit = options.evaluations;
      const absl::StatusOr<bool> is_same =
          SameFunction(from.map(), to.map(), same);
      if (is_same.ok()) result->set_same_positions(*is_same);
      if (!is_same.ok() && !TakesTooLong(is_same.status())) {
        return is_same.status();
      }
    }
    if (from.shape() != nullptr && to.shape() != nullptr) {
      const absl::StatusOr<bool> is_bitcast =
          IsBitcast(*from.shape(), *to.shape());
      if (is_bitcast.ok()) result->set_is_bitcast(*is_bitcast);
      if (!is_bitcast.ok() && !TakesTooLong(is_bitcast.status())) {
        return is_bitcast.status();
      }
    }
  }
  FillRelayout(Plan(question, from, to), result);
  return absl::OkStatus();
}

}  // namespace tessera
