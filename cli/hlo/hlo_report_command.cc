#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/hlo/answer_printer.h"
#include "tessera/cli/hlo/hlo_instructions_command.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/hlo_question.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kHloReportFooter[] =
    R"(The peak of a scheduled module comes first; 'tessera hlo peak' lists the
arrays live there. "by XLA" marks XLA's own numbers, if its buffer assignment is
in the file or next to it. All other sums are over all buffers of the program,
as if none shared memory. Tuples, results that reuse an operand's buffer (such
as those of bitcast and while), and anything inside a fusion or a reducer do not
count as buffers. --count=results counts the results of all instructions
instead. So does the report on a module without ENTRY, because it is not known
which computations run. Tiles, tail padding and packed elements are counted.
JSON and CSV have exact bytes; CSV has sums over all uses.

--target tpu, for a dump in which no array has tiles: the arrays get the layouts
that the TPU compiler gives parameters of their shapes, and the report says so.
The compiler may choose others for the arrays between parameters and results.

A hint gives the order of dimensions, minor to major, in which an array would
take the least memory with the same tiles, and that order in JAX's notation. It
does not mean that a compiler can use that order. If no order helps, make the
dimension a multiple of its tile, or merge it with its neighbor.

For a folder, a table of all dumps comes first, then the largest reports, by
buffer bytes. --top limits the number of reports, but not JSON and CSV.

Messages on standard error list the parts that cannot be read. Everything else
is still reported, and the exit code is 1. A dump that only breaks off gets a
warning and exit code 0. A file without a computation, such as an empty file, is
an error.

Examples:
  tessera hlo report dump.txt
  tessera hlo report *.hlo --top 3
  tessera hlo report dumps
  tessera hlo report dump.txt --computation=main
  tessera hlo report jit_f.before_optimizations.txt --target tpu
  tessera hlo report dump.txt --html page.html
  tessera hlo - --format=json < dump.txt.gz
  tessera hlo dump.txt --instructions | grep 'S(1)')";

struct HloReportOptions {
  std::vector<std::string> files;
  int64_t top = 10;
  bool instructions = false;
  CountedArrays counted = CountedArrays::kBuffers;
  HloReading reading;
  MemoryOptions question;
  std::optional<std::string> html;
  OutputFormat format = OutputFormat::kText;
};

// Prints reports one after another.
class HloReportPrinter {
 public:
  HloReportPrinter(const HloReportOptions& options, Console* console)
      : options_(options),
        console_(*console),
        printer_(
            {options.format,
             HloReportCsvTitles(),
             options.question.schedule.computation.empty() ? "dump"
                                                           : "computation",
             {{"bytes", Table::kRight},
              {"padding", Table::kRight},
              {std::string(CountedArraysName(options.counted)), Table::kRight},
              {"file", Table::kLeft}},
             options.top},
            console) {}

  // Returns false if some input was bad.
  bool Report(const HloArgument& argument) {
    printer_.Begin(argument);
    bool is_good = true;
    bool is_found = false;
    absl::Status not_found;
    const bool is_read = ForEachDump(
        argument, options_.reading, &console_, &is_good,
        [&](const std::string& file, const HloDump& dump,
            const HloAssignments& assignments) {
          const absl::Status status = ReportFile(file, dump, assignments);
          is_found |= status.ok();
          not_found.Update(status);
        });
    printer_.End();
    if (is_read && !is_found) {
      PrintError(HloSource(argument.name), not_found, &console_);
      is_good = false;
    }
    return is_good;
  }

 private:
  // Returns why the dump has no such computation.
  absl::Status ReportFile(const std::string& file, const HloDump& dump,
                          const HloAssignments& assignments) {
    const std::string& name = options_.question.schedule.computation;
    SummaryTable table;
    table.rows = options_.top;
    table.detail_rows = options_.top;
    table.counted = options_.counted;
    table.peaks.file = std::string(HloSource(file).name);
    table.peaks.rows =
        options_.format == OutputFormat::kJson ? options_.top : 0;
    table.peaks.question = options_.question;
    table.peaks.assignments = &assignments;
    SummarizeResult summary;
    if (name.empty()) {
      TESSERA_RETURN_IF_ERROR(
          FillSummary(ServiceOptions::Unlimited(), dump, table, &summary));
      Print(file, summary);
      return absl::OkStatus();
    }
    // For one computation, the formats for programs have all rows.
    if (options_.format != OutputFormat::kText) {
      table.rows = std::numeric_limits<int64_t>::max();
    }
    TESSERA_ASSIGN_OR_RETURN(const std::vector<HloComputation> found,
                             FindComputations(dump, name));
    for (const HloComputation computation : found) {
      summary.Clear();
      TESSERA_RETURN_IF_ERROR(FillComputationSummary(
          ServiceOptions::Unlimited(), dump, computation, table, &summary));
      Print(file, summary);
    }
    return absl::OkStatus();
  }

  void Print(const std::string& file, const SummarizeResult& summary) {
    const MemorySum& total = summary.total();
    printer_.Add(
        {total.padded_bytes(),
         {{HumanBytes(total.padded_bytes()),
           HumanPercent(total.padded_bytes() - total.unpadded_bytes(),
                        total.padded_bytes()),
           HumanCount(total.arrays()), std::string(NameInFolder(file))}},
         options_.format == OutputFormat::kJson ? JsonLineOf(summary)
         : options_.format == OutputFormat::kCsv
             ? HloReportToCsv(summary)
             : HloReportToText(summary, options_.top, console_.out_display)});
  }

  const HloReportOptions& options_;
  Console& console_;
  AnswerPrinter printer_;
};

bool RunHloReport(const HloReportOptions& options, Console* console) {
  if (options.html.has_value()) {
    return WriteHtml(options.files, options.reading, options.question,
                     *options.html, console);
  }
  if (options.instructions) {
    HloInstructionsOptions instructions;
    instructions.files = options.files;
    instructions.reading = options.reading;
    instructions.format = options.format;
    instructions.filter.computation = options.question.schedule.computation;
    return RunHloInstructions(instructions, console);
  }
  HloReportPrinter reporter(options, console);
  bool is_good = true;
  for (const HloArgument& argument :
       FindHloFiles(options.files, console, &is_good)) {
    is_good &= reporter.Report(argument);
  }
  return is_good;
}

}  // namespace

void AddHloReportCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloReportOptions>();
  Subcommand command = hlo->Add(
      "report", "Print how much memory arrays take, and how much is padding",
      kHloReportFooter);
  AddFilesArgument(&command, &options->files);
  AddTopOption(&command, &options->top);
  AddComputationOption(&command, "only this computation, by opcode and layout",
                       &options->question.schedule.computation);
  AddCountOption(&command, &options->counted);
  AddMemoryOptions(&command, &options->question);
  AddScopedLimitOption(&command, &options->question);
  AddHtmlOption(&command, &options->html);
  AddReadingOptions(&command, &options->reading);
  AddSidecarOption(&command, &options->reading);
  command.Flag("--instructions", "the same as 'tessera hlo instructions'",
               &options->instructions);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run(
      [options](Console* console) { return RunHloReport(*options, console); },
      [options] { return HtmlUsageError(options->format, options->html); });
}

}  // namespace tessera::cli
