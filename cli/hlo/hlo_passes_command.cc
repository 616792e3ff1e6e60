#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/answer_printer.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/hlo/input/pass_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/hlo_passes_question.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kHloPassesFooter[] =
    R"(Reads the dumps that XLA_FLAGS="--xla_dump_to=DIR
--xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_text" writes of a module: before
optimizations, at the start of each pipeline, after each pass that changed
something, and after optimizations. A folder means all its modules. A file means
the dumps of its module up to that file.

The first table has the passes in order: the bytes of all arrays after the pass,
as if none shared memory; how many arrays are new, gone, or have changed their
type, dimensions or layout; and the largest new array. Dumps without a change of
arrays are counted on one line. The second table has the largest arrays of the
last dump, and the pass after which each was first there.

An array is the same in two dumps if its instruction has the same name and
opcode, or else if the instructions match as in 'tessera hlo diff'. The result
of a fusion is the array of the root of the fused computation. A change that
XLA made outside of any pass counts for the next dump. If
--xla_dump_hlo_pass_re is not .*, the changes of passes without a dump count for
the next dump, too.

CSV has one line per pass, JSON one line per module. --html writes the tables
and the memory of the last dump to a page.

Examples:
  tessera hlo passes dumps
  tessera hlo passes dumps --top 30
  tessera hlo passes dumps/module_0001.jit_f.after_optimizations.txt
  tessera hlo passes dumps --html passes.html
  tessera hlo passes dumps --format=csv > passes.csv)";

struct HloPassesOptions {
  std::vector<std::string> files;
  int64_t top = 10;
  HloReading reading;
  CountedArrays counted = CountedArrays::kBuffers;
  OutputFormat format = OutputFormat::kText;
  std::optional<std::string> html;
};

class PassesPrinter {
 public:
  // Adds the modules to the page instead of printing them, if there is one.
  PassesPrinter(const HloPassesOptions& options, PageWriter* page,
                Console* console)
      : options_(options),
        console_(*console),
        page_(page),
        printer_({options.format,
                  PassesCsvTitles(),
                  "module",
                  {{"bytes", Table::kRight},
                   {"dumps", Table::kRight},
                   {"module", Table::kLeft},
                   {"files", Table::kLeft}},
                  options.top},
                 console) {}

  // Returns false if some input was bad.
  bool Report(const HloArgument& argument) {
    bool is_good = true;
    printer_.Begin(argument);
    int64_t without_passes = 0;
    for (const HloArgument::File& file : argument.files) {
      if (!file.stages.empty()) {
        is_good &= ReportModule(file);
        continue;
      }
      ++without_passes;
      if (argument.is_folder) continue;
      // The file may not exist.
      const absl::Status status =
          OpenHloFile(file.name, options_.reading, &console_).status();
      if (status.ok()) continue;
      PrintError(HloSource(file.name), status, &console_);
      printer_.End();
      return false;
    }
    printer_.End();
    if (without_passes == 0) return is_good;
    const int64_t all = argument.files.size();
    if (without_passes < all) {
      PrintNote({argument.name},
                absl::StrCat(HumanQuantity(without_passes, "module"),
                             without_passes == 1 ? " has" : " have",
                             " only one dump"),
                &console_);
      return is_good;
    }
    return PrintError(
        HloSource(argument.name),
        absl::NotFoundError(
            "there is only one dump of each module; "
            "XLA_FLAGS=--xla_dump_hlo_pass_re=.* writes one after each pass"),
        &console_);
  }

  // The last dumps of the modules that are on the page.
  const std::vector<std::string>& read() const { return read_; }

 private:
  bool ReportModule(const HloArgument::File& file) {
    bool is_good = true;
    PassHistory history({options_.top, options_.counted});
    const std::string& last_file = file.stages.back();
    ReadPasses(absl::MakeConstSpan(file.stages).first(file.stages.size() - 1),
               options_.reading, &console_, &is_good, &history);
    HloAssignments assignments;
    const std::optional<HloDump> last =
        ReadHloDump(last_file, options_.reading, &console_, &is_good,
                    page_ == nullptr ? nullptr : &assignments);
    if (!last.has_value() || !AddPass(last_file, *last, &console_, &history)) {
      return false;
    }
    ModulePasses passes;
    const absl::Status status = FillPasses(ServiceOptions::Unlimited(), history,
                                           *last, options_.top, &passes);
    if (!status.ok()) {
      return PrintError(HloSource(last_file), status, &console_);
    }
    if (page_ == nullptr) {
      Print(passes);
      return is_good;
    }
    absl::StatusOr<SummarizeResult> summary =
        PageSummary(last_file, *last, {}, assignments);
    if (!summary.ok()) {
      return PrintError(HloSource(last_file), summary.status(), &console_);
    }
    page_->Add(*std::move(summary), std::move(passes));
    read_.push_back(last_file);
    return is_good;
  }

  void Print(const ModulePasses& passes) {
    const int64_t bytes = passes.passes(passes.passes_size() - 1).bytes();
    AnswerPrinter::Answer answer;
    answer.bytes = bytes;
    answer.rows = {{HumanBytes(bytes), HumanCount(passes.passes_size()),
                    passes.module(), passes.files()}};
    answer.text = options_.format == OutputFormat::kJson ? JsonLineOf(passes)
                  : options_.format == OutputFormat::kCsv
                      ? PassesToCsv(passes)
                      : PassesToText(passes, console_.out_display);
    printer_.Add(std::move(answer));
  }

  const HloPassesOptions& options_;
  Console& console_;
  PageWriter* const page_;
  std::vector<std::string> read_;
  AnswerPrinter printer_;
};

bool RunHloPasses(const HloPassesOptions& options, Console* console) {
  bool is_good = true;
  const std::vector<HloArgument> arguments =
      FindHloFiles(options.files, console, &is_good, HloStages::kAll);
  PageWriter page(PageTitle(arguments));
  PassesPrinter printer(options, options.html.has_value() ? &page : nullptr,
                        console);
  for (const HloArgument& argument : arguments) {
    is_good &= printer.Report(argument);
  }
  if (printer.read().empty()) return is_good;
  return WriteOutputFile(*options.html, std::move(page).ToHtml(), console,
                         printer.read()) &&
         is_good;
}

}  // namespace

void AddHloPassesCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloPassesOptions>();
  Subcommand command = hlo->Add(
      "passes", "Print which arrays are new after which pass of the compiler",
      kHloPassesFooter);
  AddFilesArgument(&command, &options->files);
  AddTopOption(&command, &options->top);
  AddCountOption(&command, &options->counted);
  AddReadingOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  AddHtmlOption(&command, &options->html);
  command.Run(
      [options](Console* console) { return RunHloPasses(*options, console); },
      [options] { return HtmlUsageError(options->format, options->html); });
}

}  // namespace tessera::cli
