#include "tests/fuzz/pasted_text.h"

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/hlo_file_kind.h"
#include "tessera/hlo/message/memory_message.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

constexpr int64_t kRows = 4;
constexpr int64_t kSums = 10;

std::string ProblemWithWindow(const WindowStatement& window) {
  if (window.buffers() < 1) return "a window in no buffer";
  for (const BlockStatement& block : window.blocks()) {
    if (block.bytes() > block.limit_bytes()) return "a block that does not fit";
  }
  return "";
}

std::string ProblemWithMessage(const MemoryStatement& message) {
  if (message.allocations_size() > kRows || message.sums_size() > kSums) {
    return "more rows than asked for";
  }
  int64_t count = 0;
  for (const AllocationStatement& allocation : message.allocations()) {
    count += allocation.count();
    if (allocation.count() < 1) return "a row of no allocation";
    if (allocation.has_tiled_shape() != (allocation.tilings() > 0)) {
      return "tiles that were not counted";
    }
    if (allocation.has_better_bytes() &&
        (allocation.better_bytes() >= allocation.padded_bytes() ||
         allocation.better_bytes() < allocation.unpadded_bytes())) {
      return "a better order that is not better";
    }
    if (allocation.has_window()) {
      std::string problem = ProblemWithWindow(allocation.window());
      if (!problem.empty()) return problem;
    }
  }
  if (count > message.allocation_count()) return "more allocations than listed";
  if (message.allocations_size() < kRows &&
      count != message.allocation_count()) {
    return "an allocation in no row";
  }
  if (message.has_excess_bytes() && message.excess_bytes() < 0) {
    return "an excess below 0";
  }
  int64_t left = message.available_bytes();
  for (const FittingKernelBlock& block : message.blocks())
    left -= block.bytes();
  if (left < 0) return "blocks that do not fit together";
  return "";
}

std::string ProblemWithAssignment(const AssignmentStatement& assignment) {
  for (const auto& [number, space] : assignment.spaces()) {
    if (space.values_size() > kRows) return "more rows than asked for";
    if (space.peak_bytes() > space.assigned_bytes()) {
      return "a peak above what is assigned";
    }
  }
  return "";
}

}  // namespace

std::string PastedTextProblem(std::string_view text) {
  ExplainTextRequest question;
  question.set_text(std::string(text));
  question.set_rows(kRows);
  ExplainTextResult result;
  const absl::Status status =
      AnswerExplainText(ServiceOptions(), question, &result);
  const HloFileKind kind = HloFileKindOf(text);
  if (!status.ok()) {
    if (status.code() != absl::StatusCode::kInvalidArgument &&
        status.code() != absl::StatusCode::kOutOfRange &&
        status.code() != absl::StatusCode::kResourceExhausted) {
      return "refused with the wrong code";
    }
    // What has the marks of a message is one.
    return kind == HloFileKind::kMemoryMessage ? "a message is refused" : "";
  }
  if (result.has_message() == ReadMemoryMessages(text).empty() &&
      kind == HloFileKind::kMemoryMessage) {
    return "read in one way only";
  }
  std::string problem;
  if (result.has_message()) problem = ProblemWithMessage(result.message());
  if (result.has_assignment()) {
    problem = ProblemWithAssignment(result.assignment());
  }
  if (!problem.empty()) return problem;
  // Whoever expects HLO or a layout is told the same.
  const bool is_hlo =
      kind == HloFileKind::kInstruction || kind == HloFileKind::kOther;
  if (CheckIsHlo(kind).ok() != is_hlo) return "refused as HLO, or not";
  return "";
}

}  // namespace tessera
