#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "proto/layout_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/command/answer_each.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/index_text.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

// The options that runs and padding have in common.
struct RegionOptions {
  std::vector<std::string> layouts;
  int64_t most = 0;
  LayoutReading reading;
  OutputFormat format = OutputFormat::kText;
};

// -- Runs --------------------------------------------------------------------

constexpr char kRunsFooter[] =
    R"(A run is a maximal stretch of positions that hold elements of the slice;
'first' is the index of its first element. Runs are printed in the order of
positions. Each layout from standard input gets one line, in which [4,8) is the
run of positions 4 to 7. A CuTe layout has neither bytes nor bits.

Examples:
  tessera runs 'f32[3,5]{1,0:T(2,2)}'
  tessera runs 'f32[3,5]{1,0:T(2,2)}' --start 0,2 --limit 2,4
  tessera runs 'f32[3,5]{1,0:T(2,2)}' --start 0,2 --limit 2,4 --unit bytes
  tessera runs '((2,2),3):((24,2),8)' --max-runs 3 --format=json)";

struct RunsOptions : RegionOptions {
  std::optional<std::vector<int64_t>> start, limit;
};

RunsRequest ToRegionRequest(const RunsOptions& options) {
  RunsRequest request;
  if (options.start) SetNumbers(*options.start, request.mutable_start());
  if (options.limit) SetNumbers(*options.limit, request.mutable_limit());
  request.set_max_runs(options.most);
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

// -- Padding -----------------------------------------------------------------

constexpr char kPaddingFooter[] =
    R"(A range is a maximal stretch of positions without an element: padding of
tiles, shards and the tail, and gaps. 'end' is the first position after it. Each
layout from standard input gets one line, in which [9,10) is the range of
position 9. A CuTe layout has neither bytes nor bits.

Examples:
  tessera padding 'f32[3,5]{1,0:T(2,2)}'
  tessera padding 'f32[3,5]{1,0:T(2,2)}' --unit bytes
  tessera padding '((2,2),3):((24,2),8)' --max-ranges 3 --format=json)";

std::string ToLine(const PaddingResult& result) {
  std::string line;
  for (int i = 0; i < result.begins_size(); ++i) {
    absl::StrAppend(&line, i > 0 ? " [" : "[", result.begins(i), ",",
                    result.ends(i), ")");
  }
  return absl::StrCat(line.empty() ? "no padding" : line, "\n");
}

std::string ToTable(const PaddingResult& result, const Display& display) {
  if (result.begins().empty()) return "no padding\n";
  Table table({{"begin", Table::kRight},
               {"end", Table::kRight},
               {"length", Table::kRight}});
  for (int i = 0; i < result.begins_size(); ++i) {
    table.AddRow({absl::StrCat(result.begins(i)), absl::StrCat(result.ends(i)),
                  absl::StrCat(result.ends(i) - result.begins(i))});
  }
  return table.ToString("", display);
}

// -- Both --------------------------------------------------------------------

// The noun for an entry of a result, and the option for the number of printed
// entries.
struct Words {
  std::string_view row;
  std::string_view option;
};

// Answers each layout by the result of `ask`, which ToLine and ToTable print.
template <typename Result>
bool AnswerRegions(
    const RegionOptions& options, const Words& words, Console* console,
    absl::FunctionRef<absl::Status(const MappedLayout& layout, Result* result)>
        ask) {
  bool is_first = true;
  const auto answer = [&](const Question& question, std::string* out) {
    TESSERA_ASSIGN_OR_RETURN(
        const MappedLayout layout,
        ReadMappedLayoutText(question.text, options.reading, question.source,
                             console));
    Result result;
    TESSERA_RETURN_IF_ERROR(ask(layout, &result));
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
                StrCat("the list stops after ",
                       Counted(result.begins_size(), words.row),
                       ", and there may be more; ", words.option,
                       " sets how many are printed"),
                console);
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.layouts, options.format, console, answer);
}

void AddRegionOptions(const char* most, const char* most_description,
                      RegionOptions* options, Subcommand* command) {
  command->Count(most, most_description, &options->most);
  AddUnitOption(&options->reading.units, command);
  AddTargetOption(&options->reading.shape, command);
  AddLenientFlag(&options->reading.shape, command);
  command->Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
}

bool RunRuns(const RunsOptions& options, Console* console) {
  const RunsRequest request = ToRegionRequest(options);
  return AnswerRegions<RunsResult>(
      options, {"run", "--max-runs"}, console,
      [&](const MappedLayout& layout, RunsResult* result) {
        return AnswerRuns(ServiceOptions::Unlimited(), layout, request, result);
      });
}

bool RunPadding(const RegionOptions& options, Console* console) {
  PaddingRequest request;
  request.set_max_ranges(options.most);
  request.set_units(options.reading.units);
  return AnswerRegions<PaddingResult>(
      options, {"range", "--max-ranges"}, console,
      [&](const MappedLayout& layout, PaddingResult* result) {
        return AnswerPadding(ServiceOptions::Unlimited(), layout, request,
                             result);
      });
}

}  // namespace

void AddRunsCommand(CommandLine* command_line) {
  auto options = std::make_shared<RunsOptions>();
  Subcommand command = command_line->Add(
      "runs", "Print which positions hold the elements of a slice",
      kRunsFooter);
  command.Arguments("LAYOUT", "layouts of any family; - reads one per line",
                    Subcommand::kRequired, &options->layouts);
  command.Value("--start", "I,J,...", "where the slice begins (the origin)",
                ReadIndexInto(&options->start));
  command.Value("--limit", "I,J,...",
                "where the slice ends, not included (the bounds)",
                ReadIndexInto(&options->limit));
  AddRegionOptions("--max-runs", "the most runs to print; 0 for 4096 (0)",
                   options.get(), &command);
  command.Run(options, RunRuns);
}

void AddPaddingCommand(CommandLine* command_line) {
  auto options = std::make_shared<RegionOptions>();
  Subcommand command = command_line->Add(
      "padding", "Print which positions hold no element", kPaddingFooter);
  command.Arguments("LAYOUT", "layouts of any family; - reads one per line",
                    Subcommand::kRequired, &options->layouts);
  AddRegionOptions("--max-ranges", "the most ranges to print; 0 for 4096 (0)",
                   options.get(), &command);
  command.Run(options, RunPadding);
}

}  // namespace tessera::cli
