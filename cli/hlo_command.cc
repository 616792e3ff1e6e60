#include "tessera/cli/hlo_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/cli/hlo_report.h"
#include "tessera/cli/input_file.h"
#include "tessera/cli/instruction_printer.h"
#include "tessera/cli/json.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/memory_summary.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(Sizes are those of the arrays in the result shapes of all instructions, as if
each had memory of its own: a measure of the text, not of the peak of a program.
Tiles, tail padding and packed elements are counted. JSON has exact bytes.

What cannot be read is said on standard error; all else is still reported, and
the exit code is 1, as it is for a dump that breaks off.

Examples:
  tessera hlo dump.txt
  tessera hlo *.hlo --top 3
  tessera hlo - --format=json < dump.txt
  tessera hlo dump.txt --instructions | grep 'S(1)')";

struct Options {
  std::vector<std::string> files;
  int64_t top = 10;
  bool instructions = false;
  OutputFormat format = OutputFormat::kText;
};

bool ListInstructions(const Options& options, const TextSource& source,
                      absl::string_view text, Console* console) {
  HloShapeTable shapes;
  InstructionPrinter printer(source, options.format, console);
  return ReadHlo(text, &shapes, &printer).diagnostics == 0;
}

bool Report(const Options& options, const TextSource& source,
            absl::string_view text, Console* console) {
  MemorySummaryOptions summary_options;
  summary_options.table_rows = options.top;
  const MemorySummary summary = SummarizeMemory(text, summary_options);
  for (const Diagnostic& diagnostic : summary.diagnostics) {
    PrintError(source, diagnostic, console);
  }
  const int64_t unsaid =
      summary.counts.diagnostics - summary.diagnostics.size();
  if (unsaid > 0) {
    PrintError(source,
               absl::DataLossError(absl::StrCat(unsaid, " more errors")),
               console);
  }
  const std::string file(source.name);
  *console->out << (options.format == OutputFormat::kJson
                        ? JsonLine(HloReportToJson(file, summary))
                        : HloReportToText(file, summary, console->out_display));
  return summary.counts.diagnostics == 0;
}

bool Run(const Options& options, Console* console) {
  bool all_good = true;
  bool is_first = true;
  for (const std::string& file : options.files) {
    const TextSource source = {file == kStdinArgument ? kStdinName : file};
    absl::StatusOr<std::string> text = ReadInputFile(file, console);
    if (!text.ok()) {
      PrintError(source, text.status(), console);
      all_good = false;
      continue;
    }
    if (options.instructions) {
      all_good &= ListInstructions(options, source, *text, console);
      continue;
    }
    if (!is_first && options.format == OutputFormat::kText) {
      *console->out << "\n";
    }
    all_good &= Report(options, source, *text, console);
    is_first = false;
  }
  return all_good;
}

}  // namespace

void AddHloCommand(CommandLine* command_line) {
  auto options = std::make_shared<Options>();
  Subcommand command = command_line->Add(
      "hlo", "Print what the arrays of HLO text take, and what padding wastes",
      kFooter);
  command.Arguments("FILE", "HLO text as XLA dumps it; - for standard input",
                    Subcommand::kRequired, &options->files);
  command.Count("--top", "how many rows the tables have (10)", &options->top);
  command.Flag("--instructions",
               "print every instruction on a line of its own instead",
               &options->instructions);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
