#include "tessera/cli/hlo/hlo_peak_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "proto/layout_service.pb.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/hlo/peak_report.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/json_line.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/output_format.h"
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

CSV is the series: the bytes at every instruction, for each memory space. The
exit code is 1 if no module of any file is scheduled, or if a scheduled module
has no peak; with --html only the page says so.

Examples:
  tessera hlo peak dump.txt
  tessera hlo peak dump.txt --top 30
  tessera hlo peak *.txt --format=json | jq '.by_memory_space["0"].peak_bytes'
  tessera hlo peak dump.txt --format=csv > bytes.csv
  tessera hlo peak dump.txt --html page.html)";

struct Options {
  std::vector<std::string> files;
  int64_t top = 10;
  HloReading reading;
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
    const absl::optional<HloDump> dump =
        ReadHloDump(file, options_.reading, &console_, &is_good);
    if (!dump.has_value()) return false;
    if (dump->modules().empty()) {
      PrintNote(source, "the text has no module", &console_);
    }
    const PeakTable table = {std::string(source.name), options_.top,
                             /*series=*/true};
    PeakResult result;
    const absl::Status status =
        FillPeak(ServiceOptions::Unlimited(), *dump, table, &result);
    if (!status.ok()) {
      PrintError(source, status, &console_);
      return false;
    }
    for (const HloModule module : dump->modules()) {
      ModulePeak& peak = *result.mutable_modules(module.index());
      is_good &= CheckPeak(source, module, peak);
      Print(module, &peak);
    }
    return is_good;
  }

  bool has_peak() const { return has_peak_; }

 private:
  // Says why there is no peak. Returns whether the exit code may be 0.
  bool CheckPeak(const TextSource& source, HloModule module,
                 const ModulePeak& peak) {
    if (peak.has_by_memory_space()) {
      has_peak_ = true;
      return true;
    }
    const std::string no_peak = NoPeakText(peak.module(), peak.reason());
    if (!module.is_scheduled()) {
      PrintNote(source, no_peak, &console_);
      return true;
    }
    // The report for people says it itself.
    if (options_.format != OutputFormat::kText) {
      PrintError(source, absl::FailedPreconditionError(no_peak), &console_);
    }
    return false;
  }

  void Print(HloModule module, ModulePeak* peak) {
    std::ostream& out = *console_.out;
    if (options_.format == OutputFormat::kJson) {
      out << JsonLineOf(*peak);
      return;
    }
    // The note has said all about it.
    if (!module.is_scheduled()) return;
    if (options_.format == OutputFormat::kCsv) {
      out << (is_first_ ? PeakCsvTitles() : "") << PeakToCsv(*peak, module);
    } else {
      out << (is_first_ ? "" : "\n") << PeakToText(*peak, console_.out_display);
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
    return WriteHtml(options.files, options.reading, *options.html, console);
  }
  Reporter reporter(options, console);
  bool is_good = true;
  for (const std::string& file : options.files) {
    is_good &= reporter.Report(file);
  }
  return is_good && reporter.has_peak();
}

}  // namespace

void AddHloPeakCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command = hlo->Add(
      "peak", "Print how much memory scheduled modules need at once", kFooter);
  AddFilesArgument(&command, &options->files);
  AddTopOption(&command, &options->top);
  AddReadingOptions(&command, &options->reading);
  AddHtmlOption(&command, &options->html);
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
