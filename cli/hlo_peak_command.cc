#include "tessera/cli/hlo_peak_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/cli/console.h"
#include "tessera/cli/hlo_input.h"
#include "tessera/cli/html_output.h"
#include "tessera/cli/json.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/peak_report.h"
#include "tessera/hlo/liveness.h"

namespace tessera {
namespace {

constexpr char kFooter[] =
    R"(Only a module that says is_scheduled=true has an order in which it runs. What
lives at each of its instructions is worked out from the text by the rules in
hlo/liveness.h. The peak is the most that is live at one moment; what XLA
reserves in total may be more or less.

Where no computation is marked ENTRY, as in a dump that breaks off, there is no
peak. The report says why; in JSON "by_memory_space" is null and "reason" is
there too.

CSV is the series: the bytes at every instruction, for each memory space. The
exit code is 1 if no module of any file is scheduled, or if one that is has no
peak; with --html the page alone says so.

Examples:
  tessera hlo peak dump.txt
  tessera hlo peak dump.txt --top 30
  tessera hlo peak *.txt --format=json | jq '.by_memory_space["0"].peak_bytes'
  tessera hlo peak dump.txt --format=csv > bytes.csv
  tessera hlo peak dump.txt --html page.html)";

struct Options {
  std::vector<std::string> files;
  int64_t top = 10;
  bool strict = false;
  OutputFormat format = OutputFormat::kText;
  absl::optional<std::string> html;
};

bool Run(const Options& options, Console* console) {
  if (options.html.has_value()) {
    return WriteHtml(options.files, options.strict, *options.html, console);
  }
  bool is_good = true;
  bool is_first = true;
  bool has_peak = false;
  for (const std::string& file : options.files) {
    const TextSource source = HloSource(file);
    const absl::optional<HloDump> dump =
        ReadHloDump(file, options.strict, console, &is_good);
    if (!dump.has_value()) continue;
    if (dump->modules().empty()) {
      PrintNote(source, "there is no module in it", console);
    }
    for (const HloModule module : dump->modules()) {
      const absl::StatusOr<Liveness> liveness = ComputeLiveness(*dump, module);
      if (liveness.ok()) {
        has_peak = true;
      } else {
        const std::string no_peak =
            NoPeakText(module, liveness.status().message());
        if (!module.is_scheduled()) {
          PrintNote(source, no_peak, console);
          continue;
        }
        is_good = false;
        // The report for people says it itself.
        if (options.format != OutputFormat::kText) {
          PrintError(source, absl::FailedPreconditionError(no_peak), console);
        }
      }
      const PeakReport report = {std::string(source.name), module, liveness,
                                 options.top};
      switch (options.format) {
        case OutputFormat::kJson:
          *console->out << JsonLine(PeakReportToJson(report));
          break;
        case OutputFormat::kCsv:
          *console->out << (is_first ? PeakCsvTitles() : "")
                        << PeakReportToCsv(report);
          break;
        default:
          *console->out << (is_first ? "" : "\n")
                        << PeakReportToText(report, console->out_display);
      }
      is_first = false;
    }
  }
  return is_good && has_peak;
}

}  // namespace

void AddHloPeakCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command = hlo->Add(
      "peak", "Print how much memory scheduled modules need at once", kFooter);
  AddFilesArgument(&command, &options->files);
  AddTopOption(&command, &options->top);
  AddStrictFlag(&command, &options->strict);
  AddHtmlOption(&command, &options->html);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run(
      [options](Console* console) { return Run(*options, console); },
      [options] { return HtmlUsageError(options->files, options->html); });
}

}  // namespace tessera
