#include "tessera/cli/hlo_diff_command.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "tessera/cli/console.h"
#include "tessera/cli/diff_report.h"
#include "tessera/cli/hlo_input.h"
#include "tessera/cli/json.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/hlo/dump_diff.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(Instructions are matched by name, or else by opcode, dimensions and op_name. The
change in peak is told where both modules are scheduled. Where one of them has
no peak all the same, as in a dump that breaks off before ENTRY, the report says
why, JSON in "reason", and the exit code is 1. CSV has all changes. The exit
code does not say whether there are any.

Examples:
  tessera hlo diff before.txt after.txt
  tessera hlo diff before.txt after.txt --top 50
  tessera hlo diff before.txt after.txt --format=csv > changes.csv
  tessera hlo diff <(git show HEAD~:dump.txt) dump.txt)";

struct Options {
  std::string before;
  std::string after;
  int64_t top = 10;
  bool strict = false;
  OutputFormat format = OutputFormat::kText;
};

bool Run(const Options& options, Console* console) {
  bool is_good = true;
  const absl::optional<HloDump> before =
      ReadHloDump(options.before, options.strict, console, &is_good);
  const absl::optional<HloDump> after =
      ReadHloDump(options.after, options.strict, console, &is_good);
  if (!before.has_value() || !after.has_value()) return false;
  const DumpDiff diff = DiffDumps(*before, *after);
  const DiffReport report = {std::string(HloSource(options.before).name),
                             std::string(HloSource(options.after).name), diff,
                             options.top};
  for (const ModuleDiff& module : diff.modules) {
    if (module.no_peak.empty()) continue;
    is_good = false;
    // The report for people says it itself.
    if (options.format != OutputFormat::kText) {
      PrintError({absl::StrCat(report.before_file, " -> ", report.after_file)},
                 absl::FailedPreconditionError(
                     NoPeakText(*module.after, module.no_peak)),
                 console);
    }
  }
  switch (options.format) {
    case OutputFormat::kJson:
      *console->out << JsonLine(DiffReportToJson(report));
      break;
    case OutputFormat::kCsv:
      *console->out << DiffReportToCsv(report);
      break;
    default:
      *console->out << DiffReportToText(report, console->out_display);
  }
  return is_good;
}

}  // namespace

void AddHloDiffCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command = hlo->Add(
      "diff", "Print what has changed in memory between two dumps", kFooter);
  command.Argument("BEFORE", "HLO text, gzip or not; - for standard input",
                   &options->before);
  command.Argument("AFTER", "the same after a change", &options->after);
  AddTopOption(&command, &options->top);
  AddStrictFlag(&command, &options->strict);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
