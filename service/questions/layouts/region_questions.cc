#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"

namespace tessera {
namespace {

// The default number of rows, because even a short text may have as many rows
// as elements.
constexpr int64_t kUsualRows = int64_t{1} << 12;

// Adds a range, unless it is empty. If the result is full, marks it as
// truncated and returns false.
bool AddRange(int64_t begin, int64_t end, int64_t rows, PaddingResult* result) {
  if (begin == end) return true;
  if (result->begins_size() == rows) {
    result->set_truncated(true);
    return false;
  }
  result->add_begins(begin);
  result->add_ends(end);
  return true;
}

// Returns an error if the limit of steps ended the walk before the first entry.
absl::Status CheckFound(std::string_view what, int entries, bool is_exhausted,
                        const ServiceOptions& options) {
  if (entries > 0 || !is_exhausted) return absl::OkStatus();
  return ResourceExhaustedError("walk_steps: no ", what, " was found within ",
                                options.walk_steps, " steps");
}

}  // namespace

absl::Status AnswerRuns(const ServiceOptions& options,
                        const RunsRequest& question, RunsResult* result) {
  const absl::StatusOr<MappedLayout> layout = ReadMappedLayout(
      question.layout(), question.units(), options, question.target());
  if (!layout.ok()) return InField("layout", layout.status());
  return AnswerRuns(options, *layout, question, result);
}

absl::Status AnswerRuns(const ServiceOptions& options,
                        const MappedLayout& layout, const RunsRequest& question,
                        RunsResult* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.max_runs(), kUsualRows);
  if (!rows.ok()) return InField("max_runs", rows.status());
  const absl::StatusOr<ElementPositions> elements =
      ToElementPositions(layout.layout(), layout.unit());
  if (!elements.ok()) return InField("layout", elements.status());
  const IndexMap& map = elements->map;
  absl::Span<const int64_t> start = question.start();
  absl::Span<const int64_t> limit = question.limit();
  const std::vector<int64_t> origin(map.rank(), 0);
  if (start.empty()) start = origin;
  if (limit.empty()) limit = map.bounds();
  absl::StatusOr<ElementRuns> runs =
      ElementRuns::Create(map, start, limit, options.walk_steps);
  if (!runs.ok()) {
    const bool is_of_map =
        runs.status().code() == absl::StatusCode::kFailedPrecondition;
    return InField(is_of_map ? "layout" : "start", runs.status());
  }
  result->set_rank(map.rank());
  ElementRun run;
  while (runs->Next(&run)) {
    if (result->begins_size() == *rows) {
      result->set_truncated(true);
      return absl::OkStatus();
    }
    result->add_begins(elements->PositionOf(run.position));
    result->add_lengths(run.length * elements->size);
    result->mutable_first_indices()->Add(run.first_index.begin(),
                                         run.first_index.end());
  }
  result->set_truncated(runs->is_exhausted());
  return CheckFound("run", result->begins_size(), result->truncated(), options);
}

absl::Status AnswerPadding(const ServiceOptions& options,
                           const PaddingRequest& question,
                           PaddingResult* result) {
  const absl::StatusOr<MappedLayout> layout = ReadMappedLayout(
      question.layout(), question.units(), options, question.target());
  if (!layout.ok()) return InField("layout", layout.status());
  return AnswerPadding(options, *layout, question, result);
}

absl::Status AnswerPadding(const ServiceOptions& options,
                           const MappedLayout& layout,
                           const PaddingRequest& question,
                           PaddingResult* result) {
  const absl::StatusOr<int64_t> rows =
      RowsToAnswer(options, question.max_ranges(), kUsualRows);
  if (!rows.ok()) return InField("max_ranges", rows.status());
  const absl::StatusOr<ElementPositions> elements =
      ToElementPositions(layout.layout(), layout.unit());
  if (!elements.ok()) return InField("layout", elements.status());
  absl::StatusOr<PaddingRanges> ranges =
      PaddingRanges::Create(elements->map, options.walk_steps);
  if (!ranges.ok()) return InField("layout", ranges.status());
  // Positions before the array do not hold elements either.
  int64_t begin = 0, end = elements->begin;
  PositionRange range;
  while (ranges->Next(&range)) {
    if (elements->PositionOf(range.begin) > end) {
      if (!AddRange(begin, end, *rows, result)) return absl::OkStatus();
      begin = elements->PositionOf(range.begin);
    }
    end = elements->PositionOf(range.end);
  }
  if (!AddRange(begin, end, *rows, result)) return absl::OkStatus();
  result->set_truncated(ranges->is_exhausted());
  return CheckFound("range", result->begins_size(), result->truncated(),
                    options);
}

}  // namespace tessera
