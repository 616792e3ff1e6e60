#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/hlo/answer_printer.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/hlo/input/assignment_input.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kHloPeakFooter[] =
    R"(Only a module with is_scheduled=true has an execution order. Steps count
its instructions in that order, with those of called computations before their
caller. The peak is the most bytes in use at one step. The bytes that XLA
reserves for the whole run, its "Total bytes used", are never less. Both are
computed from the text by the steps of XLA's buffer assignment; docs/memory.md
shows how accurate that is.

If no computation is marked ENTRY, as in a dump that breaks off, there is no
peak, and the report gives the reason. JSON has an object for every module.
Without a peak, "by_memory_space" is null and "reason" has the reason.

JSON has the --top largest arrays that are live at the peak, and
"arrays_at_peak" counts them. CSV has all of them; with --series it has the
bytes at every step, for each memory space. The exit code is 1 if no module of
any file is scheduled, or if a scheduled module has no peak; with --html only
the page shows this.

The modules of a folder, or of a file with several, are sorted by reserved
bytes, largest first. The report begins with a table of them and continues with
the first --top modules; --module selects one, by its name or its number in the
table. JSON and CSV have all modules. If XLA's own buffer assignment is in the
file or next to it, its number counts: "by XLA".

For a *-buffer-assignment.txt without its module, the answer is that of 'tessera
hlo explain': XLA's sums and, if XLA wrote the live ranges, the peak.

To get the right dump: XLA_FLAGS=--xla_dump_to=DIR writes the scheduled module
to DIR/*after_optimizations.txt. In JAX, jitted.lower(...).compile().as_text()
is its text. For a module that is not scheduled, --assume-text-order uses the
order of its text, and the report says so.

Examples:
  tessera hlo peak dump.txt
  tessera hlo peak dump.txt --top 30
  tessera hlo peak dump.txt --at 120
  tessera hlo peak dumps --top 3
  tessera hlo peak dumps --module=jit_step --space=HBM
  tessera hlo peak *.txt --format=json | jq '.by_memory_space["0"].peak_bytes'
  tessera hlo peak dump.txt --computation=body
  tessera hlo peak dump.txt --format=csv > live_at_peak.csv
  tessera hlo peak dump.txt --format=csv --series > bytes.csv
  tessera hlo peak dump.txt --html page.html)";

struct HloPeakOptions {
  std::vector<std::string> files;
  std::string module;
  std::optional<std::string> space;
  int64_t top = 10;
  HloReading reading;
  MemoryOptions question;
  bool series = false;
  std::optional<int64_t> at;
  OutputFormat format = OutputFormat::kText;
  std::optional<std::string> html;
};

// Prints the reports of files one after another.
class HloPeakPrinter {
 public:
  HloPeakPrinter(const HloPeakOptions& options, Console* console)
      : options_(options),
        console_(*console),
        printer_({options.format,
                  options.series ? PeakSeriesCsvTitles() : PeakCsvTitles(),
                  "module",
                  {{"reserved", Table::kRight},
                   {"peak", Table::kRight},
                   {"memory space", Table::kLeft},
                   {"module", Table::kLeft},
                   {"file", Table::kLeft}},
                  options.top},
                 console) {}

  // Returns false if some input was bad.
  bool Report(const HloArgument& argument) {
    printer_.Begin(argument);
    module_names_.clear();
    bool is_good = true;
    bool is_chosen = false;
    bool is_found = false;
    AssignmentVisitor report_assignment;
    if (TakesAssignments()) {
      report_assignment = [&](const std::string& file, std::string_view text) {
        is_chosen = is_found = true;
        is_good &= ReportAssignment(file, text);
      };
    }
    const bool is_read = ForEachDump(
        argument, options_.reading, &console_, &is_good,
        [&](const std::string& file, const HloDump& dump,
            const HloAssignments& assignments) {
          is_good &= ReportFile(file, dump, assignments, &is_chosen, &is_found);
        },
        report_assignment);
    printer_.End();
    if (is_read && !is_chosen && !options_.module.empty()) {
      PrintError(
          HloSource(argument.name),
          absl::NotFoundError(NoModuleText(options_.module, module_names_)),
          &console_);
      is_good = false;
    } else if (is_read && !is_found) {
      PrintError(HloSource(argument.name), not_found_, &console_);
      is_good = false;
    } else if (is_read && has_peak_ && options_.space.has_value() &&
               !has_space_) {
      PrintError(HloSource(argument.name),
                 absl::NotFoundError(absl::StrCat(
                     "memory space ", *options_.space, " is empty")),
                 &console_);
      is_good = false;
    }
    PrintUnscheduled(argument);
    return is_good;
  }

  bool has_peak() const { return has_peak_; }

 private:
  bool ReportFile(const std::string& file, const HloDump& dump,
                  const HloAssignments& assignments, bool* is_chosen,
                  bool* is_found) {
    const TextSource source = HloSource(file);
    const PeakTable table = TableFor(source, assignments);
    bool is_good = true;
    module_count_ = dump.modules().size();
    for (const HloModule module : dump.modules()) {
      // For a computation that is selected by name, one module is enough.
      if (!IsChosen(module, options_.module)) {
        module_names_.emplace_back(module.name());
        continue;
      }
      *is_chosen = true;
      const std::string& name = table.question.schedule.computation;
      if (!name.empty()) {
        const absl::Status status = FindComputation(module, name).status();
        not_found_.Update(status);
        if (!status.ok()) continue;
      }
      *is_found = true;
      ModulePeak peak;
      AnswerBytes bytes(ServiceOptions::Unlimited());
      const absl::Status status =
          FillModulePeak(dump, module, table, &bytes, &peak);
      if (!status.ok()) return PrintError(source, status, &console_);
      is_good &= CheckPeak(source, module, peak);
      if (options_.space.has_value() && peak.has_by_memory_space()) {
        if (!KeepMemorySpace(*options_.space, &peak)) continue;
        has_space_ = true;
      }
      Print(module, peak);
    }
    return is_good;
  }

  // Whether an assignment answers the question without its module. It has no
  // computations, and only the step of the peak is known.
  bool TakesAssignments() const {
    return options_.module.empty() &&
           options_.question.schedule.computation.empty() &&
           !options_.at.has_value() && options_.format != OutputFormat::kCsv;
  }

  bool ReportAssignment(const std::string& file, std::string_view text) {
    ExplainTextResult result;
    const absl::Status status = AnswerExplainText(
        ServiceOptions::Unlimited(),
        QuestionAbout(file, text, options_.top, &console_), &result);
    if (!status.ok()) {
      PrintError(HloSource(file), status, &console_);
      return false;
    }
    has_peak_ = true;
    if (options_.space.has_value()) {
      if (!KeepMemorySpace(*options_.space,
                           options_.question.target.value_or(HloTarget::kNone),
                           result.mutable_assignment())) {
        return true;
      }
      has_space_ = true;
    }
    AnswerPrinter::Answer answer;
    answer.text = options_.format == OutputFormat::kJson
                      ? JsonLineOf(result)
                      : ExplanationToText(result, console_.out_display);
    printer_.Add(std::move(answer));
    return true;
  }

  PeakTable TableFor(const TextSource& source,
                     const HloAssignments& assignments) const {
    PeakTable table;
    table.file = std::string(source.name);
    // The text report merges equal arrays into one row.
    const bool has_all =
        options_.format == OutputFormat::kText ||
        (options_.format == OutputFormat::kCsv && !options_.series);
    table.rows = has_all ? std::numeric_limits<int64_t>::max() : options_.top;
    table.series = options_.format != OutputFormat::kCsv || options_.series;
    table.question = options_.question;
    table.at = options_.at;
    table.assignments = &assignments;
    return table;
  }

  bool HasOrder(HloModule module) const {
    return module.is_scheduled() ||
           options_.question.schedule.assume_text_order;
  }

  // Prints the reason why there is no peak. Returns whether the exit code may
  // be 0.
  bool CheckPeak(const TextSource& source, HloModule module,
                 const ModulePeak& peak) {
    if (peak.has_by_memory_space()) {
      has_peak_ = true;
      return true;
    }
    if (!HasOrder(module)) {
      if (unscheduled_.empty() || unscheduled_.back().file != source.name) {
        unscheduled_.push_back({std::string(source.name), {}, 0});
      }
      unscheduled_.back().no_peak.Add(peak.module(), peak.reason());
      ++unscheduled_.back().modules;
      return true;
    }
    // The report for people has it.
    if (options_.format != OutputFormat::kText) {
      PrintError(source,
                 absl::FailedPreconditionError(
                     NoPeakText(peak.module(), peak.reason())),
                 &console_);
    }
    return false;
  }

  // Prints for each file the number of modules without an order, and how to get
  // one.
  void PrintUnscheduled(const HloArgument& argument) {
    if (unscheduled_.empty()) return;
    constexpr size_t kMost = 3;
    const size_t told = argument.is_folder
                            ? std::min(unscheduled_.size(), kMost)
                            : unscheduled_.size();
    for (size_t i = 0; i < told; ++i) {
      for (const std::string& line : unscheduled_[i].no_peak.Lines()) {
        PrintNote({unscheduled_[i].file}, line, &console_);
      }
    }
    int64_t untold = 0;
    for (size_t i = told; i < unscheduled_.size(); ++i) {
      untold += unscheduled_[i].modules;
    }
    if (untold > 0) {
      PrintNote({argument.name},
                untold == 1 ? "1 more module is not scheduled and has no peak"
                            : absl::StrCat(untold,
                                           " more modules are not scheduled "
                                           "and have no peak"),
                &console_);
    }
    PrintNote(HloSource(argument.name), ScheduledDumpHint(unscheduled_[0].file),
              &console_);
    unscheduled_.clear();
  }

  void Print(HloModule module, const ModulePeak& peak) {
    const bool is_text = options_.format != OutputFormat::kJson;
    // --module takes this number.
    const std::string name =
        module_count_ > 1 ? absl::StrCat(module.index(), " ", peak.module())
                          : peak.module();
    // The note has all details.
    if (is_text && !HasOrder(module)) return;
    AnswerPrinter::Answer answer;
    bool is_saturated = false;
    for (const auto& [number, space] :
         SortedByKey(peak.by_memory_space().spaces())) {
      const std::optional<ReservedBytes> taken = ReservedBytesOf(*space);
      SaturatingAdd(taken.has_value() ? taken->bytes() : space->peak_bytes(),
                    &answer.bytes, &is_saturated);
      answer.rows.push_back(
          {taken.has_value() ? ReservedBytesText(*taken) : "not known",
           Paint(HumanBytes(space->peak_bytes()), Color::kYellow,
                 console_.out_display),
           HumanMemorySpace(number, space->name()), name,
           std::string(NameInFolder(peak.file()))});
    }
    if (!peak.has_by_memory_space()) {
      answer.rows.push_back({"not known", "not known", "", name,
                             std::string(NameInFolder(peak.file()))});
    }
    if (!is_text) {
      answer.text = JsonLineOf(peak);
    } else if (options_.format == OutputFormat::kText) {
      answer.text = PeakToText(peak, options_.top, console_.out_display);
    } else if (options_.series) {
      answer.text = PeakSeriesToCsv(peak);
    } else {
      answer.text = PeakToCsv(peak);
    }
    printer_.Add(std::move(answer));
  }

  struct Unscheduled {
    std::string file;
    ModulesWithoutPeak no_peak;
    int64_t modules = 0;
  };

  const HloPeakOptions& options_;
  Console& console_;
  AnswerPrinter printer_;
  std::vector<Unscheduled> unscheduled_;  // of the argument
  absl::Status not_found_;                // of --computation
  bool has_peak_ = false;
  bool has_space_ = false;                 // some module uses --space
  int64_t module_count_ = 0;               // of the file
  std::vector<std::string> module_names_;  // not chosen, of the argument
};

bool RunHloPeak(const HloPeakOptions& options, Console* console) {
  if (options.html.has_value()) {
    return WriteHtml(options.files, options.reading, options.question,
                     *options.html, console);
  }
  HloPeakPrinter reporter(options, console);
  bool is_good = true;
  for (const HloArgument& argument :
       FindHloFiles(options.files, console, &is_good)) {
    is_good &= reporter.Report(argument);
  }
  return is_good && reporter.has_peak();
}

std::string HloPeakUsageError(const HloPeakOptions& options) {
  if (options.series && options.format != OutputFormat::kCsv) {
    return "--series needs --format=csv";
  }
  if (options.at.has_value() && options.format == OutputFormat::kCsv) {
    return "--at needs --format=text or --format=json";
  }
  if (options.space.has_value() && options.html.has_value()) {
    return "--space does not go with --html, whose page has a choice of them";
  }
  return HtmlUsageError(options.format, options.html);
}

}  // namespace

void AddHloPeakCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloPeakOptions>();
  Subcommand command =
      hlo->Add("peak", "Print how much memory scheduled modules need at once",
               kHloPeakFooter);
  AddFilesArgument(&command, &options->files);
  AddModuleOption(&command, &options->module);
  AddSpaceOption(&command, &options->space);
  AddTopOption(&command, &options->top);
  AddComputationOption(&command, "the peak of this computation, not of ENTRY",
                       &options->question.schedule.computation);
  AddMemoryOptions(&command, &options->question);
  AddScopedLimitOption(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  AddSidecarOption(&command, &options->reading);
  AddHtmlOption(&command, &options->html);
  command.Flag("--series",
               "with --format=csv: the bytes at every step instead of the "
               "arrays at the peak",
               &options->series);
  command.Value("--at", "N", "list the arrays live at step N, not at the peak",
                [options](const std::string& text) -> std::string {
                  int64_t step = 0;
                  if (!absl::SimpleAtoi(text, &step) || step < 0) {
                    return absl::StrCat("expected a number from 0 up, found ",
                                        text);
                  }
                  options->at = step;
                  return "";
                });
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run(options, RunHloPeak, HloPeakUsageError);
}

}  // namespace tessera::cli
