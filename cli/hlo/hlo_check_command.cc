#include "tessera/cli/hlo/hlo_check_command.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "proto/memory_check.pb.h"
#include "tessera/cli/command/percent.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/check_report.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/json_line.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/output_format.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/service/questions/memory_baseline.h"
#include "tessera/service/questions/memory_check.h"

namespace tessera {
namespace cli {
namespace {

constexpr char kFooter[] =
    R"(Holds what XLA reserves for the whole run of each module, its "Total bytes
used" and the reserved bytes of 'tessera hlo peak', against a budget. The exit
code is 1, and a table says why, if something is over budget or a module could
not be checked.

A baseline is a file that --write-baseline wrote, the JSON that 'tessera hlo
peak --format=json' prints, or a dump. Modules are matched by name, those of one
name in their order. A module that only the files have is held against
--max-peak alone; one that only the baseline has is named.

examples/ci/ has a workflow for GitHub and the script that it runs.

Examples:
  tessera hlo check dump.txt --max-peak=12GiB
  tessera hlo check dump.txt --space=HBM --max-peak=12GiB
  tessera hlo check dumps --write-baseline=memory.json
  tessera hlo check dumps --baseline=memory.json --max-growth=5%
  tessera hlo check new.txt --baseline=old.txt --max-growth=0
  tessera hlo check dump.txt --max-peak=12GiB --markdown=summary.md)";

struct Options {
  std::vector<std::string> files;
  int64_t max_peak = std::numeric_limits<int64_t>::max();
  MemoryBudget budget;
  absl::optional<std::string> baseline;
  absl::optional<std::string> write_baseline;
  absl::optional<std::string> markdown;
  HloReading reading;
  MemoryQuestion question;
  OutputFormat format = OutputFormat::kText;
};

class BudgetChecker {
 public:
  BudgetChecker(const Options& options, Console* console)
      : options_(options), console_(*console) {}

  bool Run() {
    absl::optional<MemoryBaseline> baseline;
    if (options_.baseline.has_value()) {
      baseline = ReadBaseline(*options_.baseline);
      if (!baseline.has_value()) return false;
    }
    MemoryBudget budget = options_.budget;
    if (options_.max_peak != std::numeric_limits<int64_t>::max()) {
      budget.max_peak_bytes = options_.max_peak;
    }
    MemoryChecker checker(budget, baseline);
    MemoryBaseline found;
    bool is_good = true;
    for (const std::string& file :
         FilesOf(options_.files, &console_, &is_good)) {
      is_good &= ForEachModule(
          file, [&](HloTarget target, HloModule module,
                    const absl::StatusOr<BaselineModule>& memory) {
            const std::string name(HloSource(file).name);
            if (memory.ok()) {
              checker.Add(name, target, *memory);
              *found.add_modules() = *memory;
              return;
            }
            const std::string reason(memory.status().message());
            checker.AddUnknown(name, target, std::string(module.name()),
                               reason);
            is_good = false;
            PrintError(HloSource(file),
                       absl::FailedPreconditionError(
                           NoPeakText(module.name(), reason)),
                       &console_);
          });
    }
    MemoryCheck check;
    checker.Finish(&check);
    if (options_.baseline.has_value()) check.set_baseline(*options_.baseline);
    if (!HasSpaces(check)) {
      PrintError({"tessera"},
                 absl::NotFoundError(
                     absl::StrCat("no module has anything in memory space '",
                                  options_.budget.memory_space, "'")),
                 &console_);
      return false;
    }
    Print(check);
    if (options_.markdown.has_value()) {
      is_good &= WriteOutputFile(*options_.markdown, CheckToMarkdown(check),
                                 &console_);
    }
    if (options_.write_baseline.has_value()) {
      is_good &= WriteBaseline(found, is_good);
    }
    return is_good && check.is_within_budget();
  }

 private:
  // Calls `visit` for every module of a file, with what it needs. Returns
  // whether the file is whole.
  template <typename Visit>
  bool ForEachModule(const std::string& file, Visit visit) {
    bool is_good = true;
    const absl::optional<HloDump> dump =
        ReadHloDump(file, options_.reading, &console_, &is_good);
    if (!dump.has_value()) return false;
    const MemoryQuestion& question = options_.question;
    for (const HloModule module : dump->modules()) {
      visit(
          question.target.has_value() ? *question.target : GuessTarget(module),
          module,
          ComputeBaselineModule(*dump, module,
                                {question.schedule, question.target}));
    }
    return is_good;
  }

  // Of a file of JSON or of HLO; nullopt where it cannot be read, which is
  // said.
  absl::optional<MemoryBaseline> ReadBaseline(const std::string& file) {
    const TextSource source = HloSource(file);
    const absl::StatusOr<FileBytes> bytes = OpenInputFile(file, {}, &console_);
    if (!bytes.ok()) {
      PrintError(source, bytes.status(), &console_);
      return absl::nullopt;
    }
    if (IsMemoryBaseline(bytes->text())) {
      absl::StatusOr<MemoryBaseline> baseline =
          ParseMemoryBaseline(bytes->text());
      if (baseline.ok()) return *std::move(baseline);
      PrintError(source, baseline.status(), &console_);
      return absl::nullopt;
    }
    MemoryBaseline baseline;
    const bool is_good =
        ForEachModule(file, [&](HloTarget /*target*/, HloModule module,
                                const absl::StatusOr<BaselineModule>& memory) {
          if (memory.ok()) {
            *baseline.add_modules() = *memory;
          } else {
            PrintNote(source,
                      NoPeakText(module.name(), memory.status().message()),
                      &console_);
          }
        });
    if (!is_good) return absl::nullopt;
    return baseline;
  }

  // A memory space that is asked for, and that nothing lies in, is a mistake: a
  // check that cannot fail.
  bool HasSpaces(const MemoryCheck& check) const {
    if (options_.budget.memory_space.empty()) return true;
    for (const ModuleCheck& module : check.modules()) {
      if (!module.by_memory_space().spaces().empty()) return true;
    }
    return false;
  }

  void Print(const MemoryCheck& check) {
    for (const ModuleCheck& module : check.modules()) {
      if (module.has_is_in_baseline() && !module.is_in_baseline()) {
        PrintNote({module.file()},
                  absl::StrCat(ModuleText(module.module()),
                               " is not in the baseline"),
                  &console_);
      }
    }
    for (const std::string& name : check.missing_modules()) {
      PrintNote({check.baseline()},
                absl::StrCat("the files do not have ", ModuleText(name)),
                &console_);
    }
    *console_.out << (options_.format == OutputFormat::kJson
                          ? JsonLineOf(check)
                          : CheckToText(check, console_.out_display));
  }

  bool WriteBaseline(const MemoryBaseline& baseline, bool is_whole) {
    const std::string& file = *options_.write_baseline;
    if (!is_whole) {
      PrintError({file},
                 absl::FailedPreconditionError(
                     "not written, because a module could not be checked"),
                 &console_);
      return false;
    }
    return WriteOutputFile(file, MemoryBaselineText(baseline), &console_);
  }

  const Options& options_;
  Console& console_;
};

std::string UsageError(const Options& options) {
  const bool has_max_peak =
      options.max_peak != std::numeric_limits<int64_t>::max();
  const bool has_max_growth = options.budget.max_growth_ppm.has_value();
  if (has_max_growth && !options.baseline.has_value()) {
    return "--max-growth needs --baseline";
  }
  if (options.baseline.has_value() && !has_max_growth) {
    return "--baseline needs --max-growth";
  }
  if (!has_max_peak && !has_max_growth && !options.write_baseline.has_value()) {
    return "give a limit, --max-peak or --max-growth, or --write-baseline";
  }
  return "";
}

}  // namespace

void AddHloCheckCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<Options>();
  Subcommand command =
      hlo->Add("check", "Check what modules reserve against a budget", kFooter);
  AddFilesArgument(&command, &options->files);
  command.ByteSize("--max-peak",
                   "the most bytes that XLA may reserve in a memory space",
                   &options->max_peak);
  command.Value("--max-growth", "PERCENT",
                "by how much that may grow over the baseline",
                [options](const std::string& text) {
                  int64_t ppm = 0;
                  std::string error = ReadPercent(text, &ppm);
                  if (error.empty()) options->budget.max_growth_ppm = ppm;
                  return error;
                });
  command.Text("--baseline", "FILE", "what the modules reserved before",
               &options->baseline);
  command.Value("--space", "S",
                "check this memory space alone: its number, or its name",
                [options](const std::string& text) {
                  options->budget.memory_space = text;
                  return std::string();
                });
  command.Text("--write-baseline", "FILE",
               "write what the modules reserve, for --baseline",
               &options->write_baseline);
  command.Text("--markdown", "FILE", "write the report as Markdown too",
               &options->markdown);
  AddMemoryOptions(&command, &options->question);
  AddReadingOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson}, &options->format);
  command.Run(
      [options](Console* console) {
        return BudgetChecker(*options, console).Run();
      },
      [options] { return UsageError(*options); });
}

}  // namespace cli
}  // namespace tessera
