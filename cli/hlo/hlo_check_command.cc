#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/memory_check.pb.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/percent.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/memory_baseline.h"
#include "tessera/service/questions/hlo/memory_check.h"
#include "tessera/service/questions/hlo/scoped_vmem_answer.h"

namespace tessera::cli {
namespace {

constexpr char kHloCheckFooter[] =
    R"(Compares the bytes that XLA reserves for the whole run of each module, its
"Total bytes used", with a budget. If XLA's buffer assignment is in the file or
next to it, these are XLA's own bytes ("by XLA" in the report, "checked" in
JSON); else they are the computed reserved bytes of 'tessera hlo peak'. If a
module is over budget or could not be checked, the exit code is 1, and a table
gives the reason.

A baseline is one of these: a file that --write-baseline wrote, the JSON that
'tessera hlo peak --format=json' prints, a dump, or a folder of dumps. Modules
are matched by name, and in order if names repeat. A module that is only in the
files is checked against --max-reserved alone; one that is only in the baseline
is listed. Growth is computed from XLA's own numbers if both sides have them,
else from the reserved bytes. --write-baseline keeps the old file if a module is
over budget or could not be read.

--max-scoped limits the VMEM that each instruction of a TPU module reserves for
itself. Only the dump after code generation, *after_codegen.txt, has it. It is
read if it is next to the file; a module without it is not within the budget.

To require less memory than before, use --max-reserved: --max-growth cannot be
negative.

examples/ci/ has a workflow for GitHub and the script that it runs.

Examples:
  tessera hlo check dump.txt --max-reserved=12GiB
  tessera hlo check dump.txt --space=HBM --max-reserved=12GiB
  tessera hlo check dumps --max-scoped=15MiB
  tessera hlo check dumps --write-baseline=memory.json
  tessera hlo check dumps --baseline=memory.json --max-growth=5%
  tessera hlo check new.txt --baseline=old.txt --max-growth=0
  tessera hlo check dump.txt --max-reserved=12GiB --markdown=summary.md)";

struct HloCheckOptions {
  std::vector<std::string> files;
  int64_t max_reserved = std::numeric_limits<int64_t>::max();
  int64_t max_scoped = std::numeric_limits<int64_t>::max();
  MemoryBudget budget;
  std::optional<std::string> baseline;
  std::optional<std::string> write_baseline;
  std::optional<std::string> markdown;
  HloReading reading;
  MemoryOptions question;
  OutputFormat format = OutputFormat::kText;
};

MemoryBudget BudgetOf(const HloCheckOptions& options) {
  MemoryBudget budget = options.budget;
  if (options.max_reserved != std::numeric_limits<int64_t>::max()) {
    budget.max_reserved_bytes = options.max_reserved;
  }
  if (options.max_scoped != std::numeric_limits<int64_t>::max()) {
    budget.max_scoped_bytes = options.max_scoped;
  }
  return budget;
}

// Returns whether a requested memory space is known to be non-empty. If not,
// the check cannot fail.
bool HasSpaces(const MemoryCheck& check) {
  bool is_known = false;
  for (const ModuleCheck& module : check.modules()) {
    if (!module.by_memory_space().spaces().empty()) return true;
    is_known |= module.has_by_memory_space();
  }
  return !is_known;
}

// Returns whether XLA's own numbers are known for the module but not for the
// baseline's, or vice versa.
bool IsOfTwoMeasures(const ModuleCheck& module) {
  const auto& spaces = module.by_memory_space().spaces();
  return std::any_of(spaces.begin(), spaces.end(), [](const auto& entry) {
    const SpaceCheck& space = entry.second;
    return space.has_baseline_reserved_bytes() &&
           space.has_assigned_bytes() != space.has_baseline_assigned_bytes();
  });
}

class BudgetChecker {
 public:
  BudgetChecker(const HloCheckOptions& options, Console* console)
      : options_(options), console_(*console) {}

  bool Run() {
    std::optional<MemoryBaseline> baseline;
    if (options_.baseline.has_value()) {
      baseline = ReadBaseline(*options_.baseline);
      if (!baseline.has_value()) return false;
    }
    const MemoryBudget budget = BudgetOf(options_);
    MemoryChecker checker(budget, baseline);
    MemoryBaseline found;
    bool is_good = true;
    for (const HloArgument::File& argument :
         FilesOf(FindHloFiles(options_.files, &console_, &is_good))) {
      const std::string& file = argument.name;
      inputs_.push_back(file);
      is_good &= ForEachModule(
          argument, OpenHloFile(file, options_.reading, &console_),
          [&](HloTarget target, HloModule module,
              const absl::StatusOr<BaselineModule>& memory,
              const HloAssignments& assignments) {
            const std::string name(HloSource(file).name);
            if (memory.ok()) {
              checker.Add(name, target, *memory,
                          ScopedVmemOf(module, &assignments));
              *found.add_modules() = *memory;
            } else {
              checker.AddUnknown(name, target, std::string(module.name()),
                                 std::string(memory.status().message()));
            }
          });
    }
    PrintHint();
    MemoryCheck check;
    checker.Finish(&check);
    if (options_.baseline.has_value()) {
      check.set_baseline(std::string(HloSource(*options_.baseline).name));
    }
    const bool has_spaces = budget.memory_space.empty() || HasSpaces(check);
    if (!has_spaces) {
      PrintError(
          {"--space"},
          absl::NotFoundError(absl::StrCat("no module uses memory space '",
                                           budget.memory_space, "'")),
          &console_);
    }
    is_good &= has_spaces && check.is_within_budget();
    check.set_is_within_budget(is_good);
    PrintNotes(check);
    if (options_.format == OutputFormat::kJson) {
      *console_.out << JsonLineOf(check);
    } else if (budget.has_limit() && has_spaces &&
               options_.markdown != kStdinArgument) {
      *console_.out << CheckToText(check, console_.out_display);
    }
    if (options_.markdown.has_value() && has_spaces) {
      std::vector<std::string> inputs = inputs_;
      if (options_.baseline.has_value()) inputs.push_back(*options_.baseline);
      is_good &= WriteOutputFile(*options_.markdown, CheckToMarkdown(check),
                                 &console_, inputs);
    }
    if (options_.write_baseline.has_value()) {
      is_good &= WriteBaseline(check, found);
    }
    return is_good;
  }

 private:
  // Calls `visit` for every module of a file, with the memory that it needs.
  // Prints the modules whose memory is not known. Returns whether the file
  // could be read.
  template <typename Visit>
  bool ForEachModule(const HloArgument::File& file,
                     absl::StatusOr<FileBytes> bytes, Visit visit) {
    bool is_good = true;
    const TextSource source = HloSource(file.name);
    HloAssignments assignments;
    const std::optional<HloDump> dump =
        ReadHloDump(file, std::move(bytes), options_.reading, &console_,
                    &is_good, &assignments);
    if (!dump.has_value()) return false;
    const MemoryOptions& question = options_.question;
    ModulesWithoutPeak no_peak;
    for (const HloModule module : dump->modules()) {
      const absl::StatusOr<BaselineModule> memory =
          ComputeBaselineModule(*dump, module, question, &assignments);
      if (!memory.ok()) {
        no_peak.Add(module.name(), StdView(memory.status().message()));
        if (unscheduled_.empty() && !module.is_scheduled() &&
            !question.schedule.assume_text_order) {
          unscheduled_ = std::string(source.name);
        }
      }
      visit(
          question.target.has_value() ? *question.target : GuessTarget(module),
          module, memory, assignments);
    }
    for (const std::string& line : no_peak.Lines()) {
      PrintError(source, absl::FailedPreconditionError(line), &console_);
    }
    return is_good;
  }

  // Reads the baseline from a file of JSON or HLO, or a folder of dumps.
  // Returns nullopt, after a message, if a part cannot be read, because a
  // missing module would count as a new one, which may grow.
  std::optional<MemoryBaseline> ReadBaseline(const std::string& argument) {
    MemoryBaseline baseline;
    bool is_good = true;
    bool is_known = true;
    for (const HloArgument::File& of_argument :
         FilesOf(FindHloFiles({argument}, &console_, &is_good))) {
      const std::string& file = of_argument.name;
      absl::StatusOr<FileBytes> bytes =
          OpenHloFile(file, options_.reading, &console_);
      if (bytes.ok() && IsMemoryBaseline(bytes->text())) {
        absl::StatusOr<MemoryBaseline> json =
            ParseMemoryBaseline(bytes->text());
        if (json.ok()) return *std::move(json);
        PrintError(HloSource(file), json.status(), &console_);
        return std::nullopt;
      }
      inputs_.push_back(file);
      is_good &= ForEachModule(of_argument, std::move(bytes),
                               [&](HloTarget /*target*/, HloModule /*module*/,
                                   const absl::StatusOr<BaselineModule>& memory,
                                   const HloAssignments& /*assignments*/) {
                                 is_known &= memory.ok();
                                 if (memory.ok())
                                   *baseline.add_modules() = *memory;
                               });
    }
    if (!is_good || !is_known) return std::nullopt;
    return baseline;
  }

  // Prints once how to get a scheduled dump.
  void PrintHint() {
    if (unscheduled_.empty()) return;
    PrintNote({unscheduled_}, ScheduledDumpHint(unscheduled_), &console_);
  }

  void PrintNotes(const MemoryCheck& check) {
    for (const ModuleCheck& module : check.modules()) {
      if (module.has_is_in_baseline() && !module.is_in_baseline()) {
        PrintNote({module.file()},
                  absl::StrCat(ModuleText(module.module()),
                               " is not in the baseline"),
                  &console_);
      }
      if (IsOfTwoMeasures(module)) {
        PrintNote(
            {module.file()},
            absl::StrCat("XLA's assignment of ", ModuleText(module.module()),
                         " is known on only one side: its growth is that of "
                         "the computed reserved bytes"),
            &console_);
      }
    }
    for (const std::string& name : check.missing_modules()) {
      PrintNote({check.baseline()},
                absl::StrCat("the files do not have ", ModuleText(name)),
                &console_);
    }
  }

  bool WriteBaseline(const MemoryCheck& check, const MemoryBaseline& baseline) {
    const std::string& file = *options_.write_baseline;
    const TextSource source = {file == kStdinArgument
                                   ? std::string_view("<stdout>")
                                   : std::string_view(file)};
    if (!check.is_within_budget()) {
      return PrintError(
          source,
          FailedPreconditionError("not written: ", CheckSentence(check)),
          &console_);
    }
    if (!WriteOutputFile(file, MemoryBaselineText(baseline), &console_,
                         inputs_))
      return false;
    const int64_t modules = baseline.modules_size();
    PrintNote(source, absl::StrCat("wrote ", HumanQuantity(modules, "module")),
              &console_);
    return true;
  }

  const HloCheckOptions& options_;
  Console& console_;
  // The files of HLO.
  std::vector<std::string> inputs_;
  // The first file with a module that is not scheduled.
  std::string unscheduled_;
};

std::string HloCheckUsageError(const HloCheckOptions& options) {
  const MemoryBudget budget = BudgetOf(options);
  if (budget.max_growth_ppm.has_value() && !options.baseline.has_value()) {
    return "--max-growth needs --baseline";
  }
  if (options.baseline.has_value() && !budget.max_growth_ppm.has_value()) {
    return "--baseline needs --max-growth";
  }
  if (!budget.has_limit() && !options.write_baseline.has_value()) {
    return "give a limit, --max-reserved, --max-growth or --max-scoped, or "
           "--write-baseline";
  }
  if (!budget.has_limit() && options.markdown.has_value()) {
    return "--markdown needs a limit, --max-reserved, --max-growth or "
           "--max-scoped";
  }
  const bool is_stdin_read =
      std::find(options.files.begin(), options.files.end(), kStdinArgument) !=
      options.files.end();
  if (is_stdin_read && options.baseline == kStdinArgument) {
    return "FILE and --baseline are both -, and standard input is read once";
  }
  if (options.write_baseline == kStdinArgument &&
      (budget.has_limit() || options.format != OutputFormat::kText)) {
    return "--write-baseline=- and the report would both go to standard output";
  }
  if (options.markdown == kStdinArgument &&
      options.format != OutputFormat::kText) {
    return StrCat(
        "--markdown=- and --format=", OutputFormatName(options.format),
        " would both go to standard output");
  }
  return "";
}

}  // namespace

void AddHloCheckCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloCheckOptions>();
  Subcommand command =
      hlo->Add("check", "Check the reserved bytes of modules against a budget",
               kHloCheckFooter);
  AddFilesArgument(&command, &options->files);
  command.ByteSize("--max-reserved",
                   "the most bytes that XLA may reserve in a memory space",
                   &options->max_reserved);
  command.OldName("--max-peak", "--max-reserved");
  command.Value("--max-growth", "PERCENT",
                "how much they may grow over the baseline: 5%, 2.5%",
                [options](const std::string& text) {
                  int64_t ppm = 0;
                  std::string error = ReadPercent(text, &ppm);
                  if (error.empty()) options->budget.max_growth_ppm = ppm;
                  return error;
                });
  command.ByteSize("--max-scoped",
                   "the most scoped VMEM that one instruction may use, on TPU",
                   &options->max_scoped);
  command.Text("--baseline", "FILE|DIR",
               "the bytes that the modules reserved before",
               &options->baseline);
  command.Value("--space", "S",
                "check only this memory space: its number, or its name",
                [options](const std::string& text) {
                  options->budget.memory_space = text;
                  return std::string();
                });
  command.Text("--write-baseline", "FILE",
               "write the reserved bytes of the modules, for --baseline, "
               "unless they are over budget; - for standard output",
               &options->write_baseline);
  command.Text("--markdown", "FILE",
               "also write the report as Markdown; - for standard output, "
               "instead of the text",
               &options->markdown);
  AddMemoryOptions(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  AddSidecarOption(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) {
        return BudgetChecker(*options, console).Run();
      },
      [options] { return HloCheckUsageError(*options); });
}

}  // namespace tessera::cli
