#include "tessera/cli/runs_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/index_option.h"
#include "tessera/cli/index_text.h"
#include "tessera/cli/json_line.h"
#include "tessera/cli/layout_argument.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/table.h"
#include "tessera/service/numbers.h"
#include "tessera/service/region_questions.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(A run is a longest stretch of positions that all hold elements of the slice;
'first' is the index of the element that it begins with. Runs come in the order
of positions. A layout of standard input gets a line: [4,8) is the run of the
positions 4 to 7.

Examples:
  tessera runs 'f32[3,5]{1,0:T(2,2)}'
  tessera runs 'f32[3,5]{1,0:T(2,2)}' --start 0,2 --limit 2,4
  tessera runs 'f32[3,5]{1,0:T(2,2)}' --start 0,2 --limit 2,4 --unit bytes
  tessera runs '((2,2),3):((24,2),8)' --max-runs 3 --format=json)";

struct Options {
  std::vector<std::string> layouts;
  absl::optional<std::vector<int64_t>> start, limit;
  int64_t max_runs = 0;
  LayoutReading reading;
  OutputFormat format = OutputFormat::kText;
};

RunsRequest ToRequest(const Options& options) {
  RunsRequest request;
  if (options.start) SetNumbers(*options.start, request.mutable_start());
  if (options.limit) SetNumbers(*options.limit, request.mutable_limit());
  request.set_max_runs(options.max_runs);
  request.set_units(options.reading.units);
  return request;
}

std::string ToLine(const RunsResult& result) {
  std::string line;
  for (int i = 0; i < result.begins_size(); ++i) {
    const int64_t begin = result.begins(i);
    absl::StrAppend(&line, i > 0 ? " [" : "[", begin, ",",
                    begin + result.lengths(i), ")");
  }
  return absl::StrCat(line.empty() ? "no elements" : line, "\n");
}

std::string ToTable(const RunsResult& result, const Display& display) {
  if (result.begins().empty()) return "no elements\n";
  Table table({{"begin", Table::kRight},
               {"length", Table::kRight},
               {"first", Table::kRight}});
  const absl::Span<const int64_t> indices = result.first_indices();
  for (int i = 0; i < result.begins_size(); ++i) {
    table.AddRow(
        {absl::StrCat(result.begins(i)), absl::StrCat(result.lengths(i)),
         IndexToText(indices.subspan(i * result.rank(), result.rank()))});
  }
  return table.ToString("", display);
}

bool Run(const Options& options, Console* console) {
  const RunsRequest request = ToRequest(options);
  bool is_first = true;
  const auto answer = [&](const Question& question, std::string* out) {
    const absl::StatusOr<MappedLayout> layout = ReadMappedLayoutText(
        question.text, options.reading, question.source, console);
    if (!layout.ok()) return layout.status();
    RunsResult result;
    const absl::Status status =
        AnswerRuns(ServiceOptions::Unlimited(), *layout, request, &result);
    if (!status.ok()) return status;
    if (options.format == OutputFormat::kJson) {
      out->append(JsonLineOf(result));
      return absl::OkStatus();
    }
    if (question.is_line) {
      out->append(ToLine(result));
    } else {
      if (!is_first) out->append("\n");
      is_first = false;
      out->append(ToTable(result, console->out_display));
    }
    if (result.truncated()) {
      PrintNote(question.source,
                absl::StrCat("there are, or may be, more than these ",
                             result.begins_size(),
                             " runs; --max-runs says how many to print"),
                console);
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.layouts, options.format, console, answer);
}

}  // namespace

void AddRunsCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "runs", "Print which positions hold the elements of a slice", kFooter);
  command.Arguments("LAYOUT", "layouts of any family; - reads one a line",
                    Subcommand::kRequired, &options->layouts);
  command.Value("--start", "I,J,...", "where the slice begins (the origin)",
                ReadIndexInto(&options->start));
  command.Value("--limit", "I,J,...",
                "where the slice ends, not included (the bounds)",
                ReadIndexInto(&options->limit));
  command.Count("--max-runs", "how many runs to print at most; 0 for 4096 (0)",
                &options->max_runs);
  AddUnitOption(&options->reading.units, &command);
  AddLenientFlag(&options->reading.lenient, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
