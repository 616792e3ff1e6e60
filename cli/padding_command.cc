#include "tessera/cli/padding_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/answer_each.h"
#include "tessera/cli/console.h"
#include "tessera/cli/json_line.h"
#include "tessera/cli/layout_argument.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/table.h"
#include "tessera/service/region_questions.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(A range is a longest stretch of positions without an element: padding of tiles
and of the tail, and gaps. 'end' is the first position behind it. A layout of
standard input gets a line: [9,10) is the range of the position 9 alone.

Examples:
  tessera padding 'f32[3,5]{1,0:T(2,2)}'
  tessera padding 'f32[3,5]{1,0:T(2,2)}' --unit bytes
  tessera padding '((2,2),3):((24,2),8)' --max-ranges 3 --format=json)";

struct Options {
  std::vector<std::string> layouts;
  int64_t max_ranges = 0;
  LayoutReading reading;
  OutputFormat format = OutputFormat::kText;
};

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

bool Run(const Options& options, Console* console) {
  PaddingRequest request;
  request.set_max_ranges(options.max_ranges);
  request.set_units(options.reading.units);
  bool is_first = true;
  const auto answer = [&](const Question& question, std::string* out) {
    const absl::StatusOr<MappedLayout> layout = ReadMappedLayoutText(
        question.text, options.reading, question.source, console);
    if (!layout.ok()) return layout.status();
    PaddingResult result;
    const absl::Status status =
        AnswerPadding(ServiceOptions::Unlimited(), *layout, request, &result);
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
                             " ranges; --max-ranges says how many to print"),
                console);
    }
    return absl::OkStatus();
  };
  return AnswerEach(options.layouts, options.format, console, answer);
}

}  // namespace

void AddPaddingCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "padding", "Print which positions hold no element", kFooter);
  command.Arguments("LAYOUT", "layouts of any family; - reads one a line",
                    Subcommand::kRequired, &options->layouts);
  command.Count("--max-ranges",
                "how many ranges to print at most; 0 for 4096 (0)",
                &options->max_ranges);
  AddUnitOption(&options->reading.units, &command);
  AddLenientFlag(&options->reading.lenient, &command);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
