#include "tessera/cli/hlo/hlo_peak_command.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/hlo/peak_report.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/json_line.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/output_format.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/service/questions/hlo_peak_question.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kFooter[] =
    R"(Only a module with is_scheduled=true has an order in which its
instructions run. What is live at each of them follows from the text, by the
rules in hlo/memory/liveness.h. The peak is the most that is live at one
moment. What XLA reserves for the whole run, its "Total bytes used", follows
from the same text by the steps of its buffer assignment; docs/memory.md says
how near that comes.

If no computation is marked ENTRY, as in a dump that breaks off, there is no
peak, and the report says why. JSON has an object for every module. Where there
is no peak, "by_memory_space" is null and "reason" says why.

CSV has all arrays that are live at the peak; with --series it has the bytes at
every instruction, for each memory space. The exit code is 1 if no module of any
file is scheduled, or if a scheduled module has no peak; with --html only the
page says so.

Where the right dump comes from: XLA_FLAGS=--xla_dump_to=DIR writes the
scheduled module to DIR/*after_optimizations.txt. In JAX,
jitted.lower(...).compile().as_text() is its text. For a module that is not
scheduled, --assume-text-order takes the order of its text, and the report says
so.

Examples:
  tessera hlo peak dump.txt
  tessera hlo peak dump.txt --top 30
  tessera hlo peak *.txt --format=json | jq '.by_memory_space["0"].peak_bytes'
  tessera hlo peak dump.txt --computation=body
  tessera hlo peak dump.txt --format=csv > live_at_peak.csv
  tessera hlo peak dump.txt --format=csv --series > bytes.csv
  tessera hlo peak dump.txt --html page.html)";

struct Options {
  std::vector<std::string> files;
  int64_t top = 10;
  HloReading reading;
  MemoryQuestion question;
  bool series = false;
  OutputFormat format = OutputFormat::kText;
  absl::optional<std::string> html;
};

// Prints the reports of files one behind another.
class Reporter {
 public:
  Reporter(const Options& options, Console* console)
      : options_(options), console_(*console) {}

  // Returns false if some input was bad.
  bool Report(const std::string& file) {
    const TextSource source = HloSource(file);
    bool is_good = true;
    HloAssignments assignments;
    const absl::optional<HloDump> dump =
        ReadHloDump(file, options_.reading, &console_, &is_good, &assignments);
    if (!dump.has_value()) return false;
    PeakTable table = TableFor(source);
    bool is_found = false;
    bool is_unscheduled = false;
    for (const HloModule module : dump->modules()) {
      // Of a computation that is asked for by name, one module is enough.
      const std::string& name = table.schedule.computation;
      if (!name.empty() && !FindComputation(module, name).has_value()) {
        continue;
      }
      is_found = true;
      table.assignment = assignments.Of(module);
      table.is_assignment_sidecar = assignments.are_sidecars;
      ModulePeak peak;
      AnswerBytes bytes(ServiceOptions::Unlimited());
      const absl::Status status =
          FillModulePeak(*dump, module, table, &bytes, &peak);
      if (!status.ok()) {
        PrintError(source, status, &console_);
        return false;
      }
      is_good &= CheckPeak(source, module, peak);
      is_unscheduled |= !HasOrder(module);
      Print(module, peak);
    }
    if (!is_found) {
      PrintError(
          source,
          absl::NotFoundError(absl::StrCat("there is no computation '",
                                           table.schedule.computation, "'")),
          &console_);
      return false;
    }
    if (is_unscheduled) {
      PrintNote(source, ScheduledDumpHint(source.name), &console_);
    }
    return is_good;
  }

  bool has_peak() const { return has_peak_; }

 private:
  PeakTable TableFor(const TextSource& source) const {
    PeakTable table;
    table.file = std::string(source.name);
    const bool has_all =
        options_.format == OutputFormat::kCsv && !options_.series;
    table.rows = has_all ? std::numeric_limits<int64_t>::max() : options_.top;
    table.series = options_.format != OutputFormat::kCsv || options_.series;
    table.schedule = options_.question.schedule;
    table.target = options_.question.target;
    return table;
  }

  bool HasOrder(HloModule module) const {
    return module.is_scheduled() ||
           options_.question.schedule.assume_text_order;
  }

  // Says why there is no peak. Returns whether the exit code may be 0.
  bool CheckPeak(const TextSource& source, HloModule module,
                 const ModulePeak& peak) {
    if (peak.has_by_memory_space()) {
      has_peak_ = true;
      return true;
    }
    const std::string no_peak = NoPeakText(peak.module(), peak.reason());
    if (!HasOrder(module)) {
      PrintNote(source, no_peak, &console_);
      return true;
    }
    // The report for people says it itself.
    if (options_.format != OutputFormat::kText) {
      PrintError(source, absl::FailedPreconditionError(no_peak), &console_);
    }
    return false;
  }

  void Print(HloModule module, const ModulePeak& peak) {
    std::ostream& out = *console_.out;
    if (options_.format == OutputFormat::kJson) {
      out << JsonLineOf(peak);
      return;
    }
    // The note has said all about it.
    if (!HasOrder(module)) return;
    if (options_.format == OutputFormat::kText) {
      out << (is_first_ ? "" : "\n") << PeakToText(peak, console_.out_display);
    } else if (options_.series) {
      out << (is_first_ ? PeakSeriesCsvTitles() : "")
          << PeakSeriesToCsv(peak, module);
    } else {
      out << (is_first_ ? PeakCsvTitles() : "") << PeakToCsv(peak);
    }
    is_first_ = false;
  }

  const Options& options_;
  Console& console_;
  bool has_peak_ = false;
  bool is_first_ = true;
};

bool Run(const Options& options, Console* console) {
  if (options.html.has_value()) {
    return WriteHtml(options.files, options.reading, options.question,
                     *options.html, console);
  }
  Reporter reporter(options, console);
  bool is_good = true;
  for (const std::string& file : FilesOf(options.files, console, &is_good)) {
    is_good &= reporter.Report(file);
  }
  return is_good && reporter.has_peak();
}

std::string UsageError(const Options& options) {
  if (options.series && options.format != OutputFormat::kCsv) {
    return "--series needs --format=csv";
  }
  return HtmlUsageError(options.files, options.format, options.html);
}

}  // namespace

void AddHloPeakCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command = hlo->Add(
      "peak", "Print how much memory scheduled modules need at once", kFooter);
  AddFilesArgument(&command, &options->files);
  AddTopOption(&command, &options->top);
  AddComputationOption(&command, "the peak of this computation, not of ENTRY",
                       &options->question.schedule.computation);
  AddMemoryOptions(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  AddSidecarOption(&command, &options->reading);
  AddHtmlOption(&command, &options->html);
  command.Flag("--series",
               "with --format=csv: the bytes at every instruction in place of "
               "the arrays at the peak",
               &options->series);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run([options](Console* console) { return Run(*options, console); },
              [options] { return UsageError(*options); });
}

}  // namespace cli
}  // namespace tessera
