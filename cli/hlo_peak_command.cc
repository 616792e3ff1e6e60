#include "tessera/cli/hlo_peak_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
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
lives at each of its instructions is worked out from the text: a bound, which
is no buffer assignment of XLA's; hlo/liveness.h has its rules.

CSV is the series: the bytes at every instruction, for each memory space. The
exit code is 1 if no module of any file is scheduled.

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
      if (!liveness.ok()) {
        PrintNote(source,
                  absl::StrCat(ModuleText(module),
                               " has no peak: ", liveness.status().message()),
                  console);
        continue;
      }
      if (!liveness->entry.is_entry()) {
        PrintNote(source,
                  absl::StrCat("no computation of ", ModuleText(module),
                               " is marked ENTRY: the peak is that of ",
                               liveness->entry.name()),
                  console);
      }
      const PeakReport report = {std::string(source.name), module, *liveness,
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
  return is_good && !is_first;
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
  command.Run([options](Console* console) { return Run(*options, console); });
}

}  // namespace tessera
