#include "tessera/cli/hlo/hlo_diff_command.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/hlo/diff_report.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/json_line.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/output_format.h"
#include "tessera/service/questions/hlo_diff_question.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kFooter[] =
    R"(Instructions are matched by name, or else by opcode, dimensions and
op_name. Peaks, and what XLA reserves, are compared if both modules are
scheduled, or with --assume-text-order. If a scheduled module has no peak, as in
a dump that breaks off before ENTRY, the report says why, in JSON as "reason",
and the exit code is 1. CSV has all changes. The exit code does not tell whether
there are changes.

Examples:
  tessera hlo diff before.txt after.txt
  tessera hlo diff before.txt after.txt --top 50
  tessera hlo diff before.txt after.txt --format=csv > changes.csv
  tessera hlo diff <(git show HEAD~:dump.txt) dump.txt)";

struct Options {
  std::string before;
  std::string after;
  int64_t top = 10;
  HloReading reading;
  MemoryQuestion question;
  OutputFormat format = OutputFormat::kText;
};

bool Run(const Options& options, Console* console) {
  bool is_good = true;
  const absl::optional<HloDump> before =
      ReadHloDump(options.before, options.reading, console, &is_good);
  const absl::optional<HloDump> after =
      ReadHloDump(options.after, options.reading, console, &is_good);
  if (!before.has_value() || !after.has_value()) return false;
  const std::string before_file(HloSource(options.before).name);
  const std::string after_file(HloSource(options.after).name);
  const std::string both_files = absl::StrCat(before_file, " -> ", after_file);
  const TextSource both = {both_files};
  const bool has_all = options.format == OutputFormat::kCsv;
  const DiffTable table = {
      before_file,
      after_file,
      has_all ? std::numeric_limits<int64_t>::max() : options.top,
      {options.question.schedule, options.question.target}};
  DiffResult diff;
  const absl::Status status =
      FillDiff(ServiceOptions::Unlimited(), *before, *after, table, &diff);
  if (!status.ok()) {
    PrintError(both, status, console);
    return false;
  }
  for (const ModuleChange& module : diff.modules()) {
    if (!module.has_reason()) continue;
    is_good = false;
    // The report for people says it itself.
    if (options.format != OutputFormat::kText) {
      PrintError(both,
                 absl::FailedPreconditionError(
                     NoPeakText(module.after(), module.reason())),
                 console);
    }
  }
  switch (options.format) {
    case OutputFormat::kJson:
      *console->out << JsonLineOf(diff);
      break;
    case OutputFormat::kCsv:
      *console->out << DiffToCsv(diff);
      break;
    default:
      *console->out << DiffToText(diff, console->out_display);
  }
  return is_good;
}

// What is wrong with the files; "" if nothing is.
std::string UsageError(const Options& options) {
  const bool is_read_twice =
      options.before == kStdinArgument && options.after == kStdinArgument;
  return is_read_twice
             ? "BEFORE and AFTER are both -, and standard input is read once"
             : "";
}

}  // namespace

void AddHloDiffCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command =
      hlo->Add("diff", "Print how memory differs between two dumps", kFooter);
  command.Argument("BEFORE",
                   "HLO, text or proto, plain or gzip; - for standard input",
                   &options->before);
  command.Argument("AFTER", "HLO of the program after a change",
                   &options->after);
  AddTopOption(&command, &options->top);
  AddComputationOption(&command, "the peaks of this computation, not of ENTRY",
                       &options->question.schedule.computation);
  AddMemoryOptions(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] { return UsageError(*options); });
}

}  // namespace cli
}  // namespace tessera
