#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/access/coalescing.h"
#include "tessera/cute/access/find_swizzle.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"

namespace tessera {
namespace {

absl::StatusOr<cute::CalculatorResult> ValueOf(const ServiceOptions& options,
                                               const std::string& text) {
  TESSERA_RETURN_IF_ERROR(CheckLimit("expression_bytes", "bytes", text.size(),
                                     options.expression_bytes));
  cute::Calculator calculator;
  return calculator.Evaluate(text);
}

absl::Status NotALayout(const cute::CalculatorValue& value) {
  return InvalidArgumentError("expected a layout, found ",
                              cute::Describe(value));
}

absl::StatusOr<cute::Layout> ThreadsOf(const cute::CalculatorValue& value) {
  if (const auto* layout = std::get_if<cute::Layout>(&value)) return *layout;
  const auto* number = std::get_if<cute::IntTuple>(&value);
  if (number == nullptr || !number->is_integer()) return NotALayout(value);
  return cute::Layout::ColumnMajor(*number);
}

void FillConflicts(const cute::BankConflicts& from, int64_t max_collisions,
                   AccessConflicts* to) {
  to->set_wavefronts(from.wavefronts);
  to->set_fewest(from.fewest);
  to->set_ways(from.ways);
  to->set_vector_bytes(from.vector_bytes);
  to->set_phase_threads(from.phase_threads);
  to->set_collision_count(from.collisions.size());
  to->set_text(from.ToString());
  for (const cute::BankConflicts::Collision& collision : from.collisions) {
    if (to->collisions_size() == max_collisions) return;
    AccessCollision& added = *to->add_collisions();
    added.set_phase(collision.phase);
    added.set_bank(collision.bank);
    added.set_thread(collision.thread);
    added.set_word(collision.word);
  }
}

void FillTraffic(const cute::Coalescing& from, AccessTraffic* to) {
  to->set_sectors(from.sectors);
  to->set_lines(from.lines);
  to->set_bytes(from.bytes);
  to->set_fewest_sectors(from.fewest_sectors);
  to->set_requests(from.requests);
  to->set_request_sectors(from.request_sectors);
  to->set_text(from.ToString());
}

}  // namespace

absl::Status AnswerAccess(const ServiceOptions& options,
                          const AccessRequest& question, AccessResult* result) {
  const absl::StatusOr<int64_t> max_swizzles =
      RowsToAnswer(options, question.max_swizzles(), /*if_not_asked=*/0);
  if (!max_swizzles.ok()) return InField("max_swizzles", max_swizzles.status());
  const absl::StatusOr<int64_t> max_collisions =
      RowsToAnswer(options, question.max_collisions(), /*if_not_asked=*/0);
  if (!max_collisions.ok()) {
    return InField("max_collisions", max_collisions.status());
  }
  const absl::StatusOr<cute::CalculatorResult> value =
      ValueOf(options, question.layout());
  if (!value.ok()) return InField("layout", value.status());
  cute::ComposedLayout layout;
  if (const auto* plain = std::get_if<cute::Layout>(&value->value)) {
    layout = cute::ComposedLayout(cute::Swizzle(), 0, *plain);
  } else if (const auto* composed =
                 std::get_if<cute::ComposedLayout>(&value->value)) {
    layout = *composed;
  } else {
    return InField("layout", NotALayout(value->value));
  }
  const absl::StatusOr<cute::CalculatorResult> threads_value =
      ValueOf(options, question.threads());
  if (!threads_value.ok()) return InField("threads", threads_value.status());
  const absl::StatusOr<cute::Layout> threads = ThreadsOf(threads_value->value);
  if (!threads.ok()) return InField("threads", threads.status());
  const int64_t bits = value->element_bits;
  if (question.element_bytes() == 0 && (bits == 0 || bits % 8 != 0)) {
    return InvalidField(
        "element_bytes",
        bits == 0 ? "the layout does not have the size of an element; give "
                    "element_bytes"
                  : absl::StrCat("an element of ", bits,
                                 " bits is not a number of bytes"));
  }
  const int64_t bytes =
      question.element_bytes() != 0 ? question.element_bytes() : bits / 8;

  TESSERA_ASSIGN_OR_RETURN(const cute::BankConflicts conflicts,
                           cute::BankConflictsOf(layout, *threads, bytes));
  FillConflicts(conflicts, *max_collisions, result->mutable_conflicts());
  TESSERA_ASSIGN_OR_RETURN(const cute::Coalescing traffic,
                           cute::CoalescingOf(layout, *threads, bytes));
  FillTraffic(traffic, result->mutable_traffic());
  if (*max_swizzles == 0) return absl::OkStatus();
  TESSERA_ASSIGN_OR_RETURN(const std::vector<cute::Swizzle> swizzles,
                           cute::FindSwizzles(layout, *threads, bytes));
  result->set_swizzle_count(swizzles.size());
  for (const cute::Swizzle& swizzle : swizzles) {
    if (result->swizzles_size() == *max_swizzles) break;
    result->add_swizzles(swizzle.ToString());
  }
  return absl::OkStatus();
}

}  // namespace tessera
