#include "tessera/cli/hlo/hlo_report_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/hlo/hlo_instructions_command.h"
#include "tessera/cli/hlo/hlo_report.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/json.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/output_format.h"
#include "tessera/hlo/memory/memory_report.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kFooter[] =
    R"(Sizes are those of the arrays in the result shapes of all instructions,
as if each had memory of its own. They measure the text; 'tessera hlo peak'
tells what a program needs at once. Tiles, tail padding and packed elements are
counted. JSON and CSV have exact bytes; CSV has sums over all uses.

A hint names the order of dimensions, minor to major, in which an array would
take the least memory with the same tiles. It does not say whether a compiler
could use that order.

Messages on standard error say what cannot be read. Everything else is still
reported, and the exit code is 1. A dump that merely breaks off gets a warning
and exit code 0. A file without a computation, such as an empty file, is an
error.

Examples:
  tessera hlo report dump.txt
  tessera hlo report *.hlo --top 3
  tessera hlo report dump.txt --computation=main
  tessera hlo report dump.txt --html page.html
  tessera hlo - --format=json < dump.txt.gz
  tessera hlo dump.txt --instructions | grep 'S(1)')";

struct Options {
  std::vector<std::string> files;
  int64_t top = 10;
  bool instructions = false;
  HloReading reading;
  absl::optional<std::string> computation;
  absl::optional<std::string> html;
  OutputFormat format = OutputFormat::kText;
};

// Prints reports one behind another.
class Reporter {
 public:
  Reporter(const Options& options, Console* console)
      : options_(options), console_(*console) {}

  // Returns false if some input was bad.
  bool Report(const std::string& file) {
    return options_.computation.has_value() ? ReportComputation(file)
                                            : ReportFile(file);
  }

 private:
  // Sets reports for people apart, and titles above those for spreadsheets.
  void BeginReport() {
    if (options_.format == OutputFormat::kCsv && is_first_) {
      *console_.out << HloReportCsvTitles();
    }
    if (options_.format == OutputFormat::kText && !is_first_) {
      *console_.out << "\n";
    }
    is_first_ = false;
  }

  bool ReportFile(const std::string& file) {
    bool is_good = true;
    const absl::optional<HloDump> dump =
        ReadHloDump(file, options_.reading, &console_, &is_good);
    if (!dump.has_value()) return false;
    MemoryReportOptions report_options;
    report_options.table_rows = options_.top;
    const MemoryReport report = ReportMemory(*dump, report_options);
    const std::string name(HloSource(file).name);
    BeginReport();
    switch (options_.format) {
      case OutputFormat::kJson:
        *console_.out << JsonLine(HloReportToJson(name, *dump, report));
        break;
      case OutputFormat::kCsv:
        *console_.out << HloReportToCsv(name, report);
        break;
      default:
        *console_.out << HloReportToText(name, *dump, report,
                                         console_.out_display);
        if (report.modules.size() > 1) {
          *console_.out << ModulesToText(report, options_.top,
                                         console_.out_display);
        }
    }
    return is_good;
  }

  bool ReportComputation(const std::string& file) {
    bool is_good = true;
    const absl::optional<HloDump> dump =
        ReadHloDump(file, options_.reading, &console_, &is_good);
    if (!dump.has_value()) return false;
    const TextSource source = HloSource(file);
    is_good &= ForEachComputation(
        *dump, *options_.computation, source, &console_,
        [&](HloModule module, HloComputation computation) {
          const ComputationReport report = {
              std::string(source.name), module, computation,
              tessera::ReportComputation(*dump, computation), options_.top};
          BeginReport();
          switch (options_.format) {
            case OutputFormat::kJson:
              *console_.out << JsonLine(ComputationReportToJson(report));
              break;
            case OutputFormat::kCsv:
              *console_.out << ComputationReportToCsv(report);
              break;
            default:
              *console_.out
                  << ComputationReportToText(report, console_.out_display);
          }
        });
    return is_good;
  }

  const Options& options_;
  Console& console_;
  bool is_first_ = true;
};

bool Run(const Options& options, Console* console) {
  if (options.html.has_value()) {
    return WriteHtml(options.files, options.reading, *options.html, console);
  }
  if (options.instructions) {
    HloInstructionsOptions instructions;
    instructions.files = options.files;
    instructions.reading = options.reading;
    instructions.format = options.format;
    instructions.filter.computation = options.computation;
    return RunHloInstructions(instructions, console);
  }
  Reporter reporter(options, console);
  bool is_good = true;
  for (const std::string& file : options.files)
    is_good &= reporter.Report(file);
  return is_good;
}

}  // namespace

void AddHloReportCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command = hlo->Add(
      "report", "Print how much memory arrays take, and how much is padding",
      kFooter);
  AddFilesArgument(&command, &options->files);
  AddTopOption(&command, &options->top);
  AddComputationOption(&command, "only this computation, by opcode and layout",
                       &options->computation);
  AddHtmlOption(&command, &options->html);
  AddReadingOptions(&command, &options->reading);
  command.Flag("--instructions", "the same as 'tessera hlo instructions'",
               &options->instructions);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] {
                return HtmlUsageError(options->files, options->format,
                                      options->html);
              });
}

}  // namespace cli
}  // namespace tessera
