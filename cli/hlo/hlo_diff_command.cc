#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/hlo/html_output.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/hlo/input/pass_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/dump_pass.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/page/page_writer.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/json_line.h"
#include "tessera/report/text/output_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/hlo_diff_question.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {
namespace {

constexpr char kHloDiffFooter[] =
    R"(Instructions are matched by what they compute, as neighbors of matched
instructions, by op_name, opcode and dimensions, or by name. Changes of the same
shapes, source line, op_name and passes form a group.

The arrays at the peaks come first; they add up to the difference of the peaks:
"new" is only at the second peak, "gone" only at the first. Then come all arrays:
"appeared" and "vanished" are only in one program. "fused" is still computed,
but no longer has a buffer; "unfused" now has one. "within" an instruction:
memory of the computations that it calls. CSV has one line per change.

Peaks and reserved bytes are compared if both modules are scheduled, or with
--assume-text-order. If both dumps come with XLA's own buffer assignment, the
report has XLA's numbers instead of the computed reserved bytes. If there are no
peaks, the report gives the reason ("reason" in JSON). The exit code is 1 if a
scheduled module has no peak, as in a dump that breaks off before ENTRY. It does
not depend on the changes.

Modules of two folders are matched by name and number, or else by name. Modules
whose memory changed most come first. JSON has a line for each pair, and for
each module that is in only one folder; the name of the other file is then "".

If a folder has the dumps after each pass of a module, as
--xla_dump_hlo_pass_re=.* writes them, each change of a module that differs has
the pass that made the array ("since"), or that last changed it if both sides
have the array. If both folders have them, the report shows where the two
compilations diverge: the passes after which they had the same arrays for the
last time, by opcode, shape and layout, and the changes of the next pass on each
side. The same goes for two files if both have the dumps of their passes next to
them; --no-sidecars leaves these out. 'tessera hlo passes' has all passes of one
module.

Examples:
  tessera hlo diff before.txt after.txt
  tessera hlo diff before.txt after.txt --top 50
  tessera hlo diff before.txt after.txt --html changes.html
  tessera hlo diff before.txt after.txt --format=csv > changes.csv
  tessera hlo diff dumps_before dumps_after
  tessera hlo diff <(git show HEAD~:dump.txt) dump.txt)";

struct HloDiffOptions {
  std::string before;
  std::string after;
  int64_t top = 10;
  HloReading reading;
  MemoryOptions question;
  CountedArrays counted = CountedArrays::kBuffers;
  OutputFormat format = OutputFormat::kText;
  std::optional<std::string> html;
};

// The files of one module on both sides; null if a side does not have it.
struct Pair {
  const HloArgument::File* before = nullptr;
  const HloArgument::File* after = nullptr;
};

std::string NameOf(const HloArgument::File* file) {
  return file == nullptr ? "" : file->name;
}

// "jit_f" of "module_0007.jit_f" and "module_0007.jit_f.cl_813": numbers shift
// when a program changes, and TPU's compiler adds that of its build.
std::string_view WithoutNumbers(std::string_view module) {
  const size_t number = module.find("module_");
  if (number != module.npos) {
    const size_t dot = module.find('.', number);
    if (dot != module.npos) module.remove_prefix(dot + 1);
  }
  constexpr std::string_view kBuild = ".cl_";
  const size_t build = module.rfind(kBuild);
  const bool has_build = build != module.npos &&
                         build + kBuild.size() < module.size() &&
                         std::all_of(module.begin() + build + kBuild.size(),
                                     module.end(), absl::ascii_isdigit);
  return has_build ? module.substr(0, build) : module;
}

// Matches the dumps of two folders by name and number, and the remaining ones
// by name, in order.
std::vector<Pair> MatchFiles(const std::vector<HloArgument::File>& before,
                             const std::vector<HloArgument::File>& after) {
  if (before.size() == 1 && after.size() == 1) {
    return {{&before[0], &after[0]}};
  }
  std::vector<Pair> pairs;
  for (const HloArgument::File& file : before)
    pairs.push_back({&file, nullptr});
  std::vector<bool> is_matched(after.size());
  const auto match =
      [&](absl::FunctionRef<std::string_view(std::string_view)> key_of) {
        std::map<std::string_view, std::deque<size_t>> unmatched;
        for (size_t i = 0; i < after.size(); ++i) {
          if (!is_matched[i]) unmatched[key_of(after[i].module)].push_back(i);
        }
        for (size_t i = 0; i < before.size(); ++i) {
          if (pairs[i].after != nullptr) continue;
          const auto found = unmatched.find(key_of(before[i].module));
          if (found == unmatched.end() || found->second.empty()) continue;
          const size_t other = found->second.front();
          found->second.pop_front();
          pairs[i].after = &after[other];
          is_matched[other] = true;
        }
      };
  match([](std::string_view module) { return module; });
  match(WithoutNumbers);
  for (size_t i = 0; i < after.size(); ++i) {
    if (!is_matched[i]) pairs.push_back({nullptr, &after[i]});
  }
  return pairs;
}

// The bytes to compare: those that XLA assigned, or would reserve, or all
// buffers if neither is known.
struct Bytes {
  int64_t before = 0;
  int64_t after = 0;

  int64_t change() const {
    return after > before ? after - before : before - after;
  }
};

Bytes BytesOf(const DiffResult& diff) {
  Bytes bytes;
  bool is_saturated = false;
  const auto add = [&](int64_t before, int64_t after) {
    SaturatingAdd(before, &bytes.before, &is_saturated);
    SaturatingAdd(after, &bytes.after, &is_saturated);
  };
  for (const ModuleChange& module : diff.modules()) {
    if (!module.has_peak_bytes()) {
      add(module.total().before().padded_bytes(),
          module.total().after().padded_bytes());
      continue;
    }
    for (const auto& [number, space] : module.peak_bytes().spaces()) {
      const ReservedChange taken = ReservedChangeOf(space);
      add(taken.before, taken.after);
    }
  }
  return bytes;
}

bool IsInBoth(const DiffResult& diff) {
  return !diff.before_file().empty() && !diff.after_file().empty();
}

// Whether a pass wrote one of the module's dumps.
bool HasPasses(const HloArgument::File& file) {
  return std::any_of(file.stages.begin(), file.stages.end(),
                     [](const std::string& stage) {
                       return DumpPassOf(stage).number.has_value();
                     });
}

bool HasChangedModules(const DiffResult& diff) {
  return std::any_of(diff.modules().begin(), diff.modules().end(), HasChanges);
}

class Comparer {
 public:
  Comparer(const HloDiffOptions& options, Console* console)
      : options_(options), console_(*console) {}

  // Returns false if some input was bad.
  bool Run() {
    bool is_good = true;
    const HloStages stages = options_.reading.no_sidecars
                                 ? HloStages::kAllOfFolders
                                 : HloStages::kAll;
    const std::vector<HloArgument> before =
        FindHloFiles({options_.before}, &console_, &is_good, stages);
    const std::vector<HloArgument> after =
        FindHloFiles({options_.after}, &console_, &is_good, stages);
    if (before.empty() || after.empty()) return false;
    is_folder_ = before[0].is_folder || after[0].is_folder;
    const std::vector<Pair> pairs = MatchFiles(before[0].files, after[0].files);
    if (options_.html.has_value() && pairs.size() > 1) {
      return PrintError(TextSource{options_.after},
                        absl::InvalidArgumentError(
                            "--html writes a page of one dump; name one of the "
                            "folder's"),
                        &console_);
    }
    for (const Pair& pair : pairs) {
      is_good &= Compare(pair);
    }
    if (options_.html.has_value()) return is_good;
    if (!is_folder_ && diffs_.empty()) return false;
    std::stable_sort(diffs_.begin(), diffs_.end(),
                     [](const DiffResult& a, const DiffResult& b) {
                       return BytesOf(a).change() > BytesOf(b).change();
                     });
    Print();
    return is_good;
  }

 private:
  // Reads the file, or nothing for null.
  std::optional<HloDump> Read(const HloArgument::File* file,
                              HloAssignments* assignments, bool* is_good) {
    if (file != nullptr) {
      return ReadHloDump(*file, options_.reading, &console_, is_good,
                         assignments);
    }
    return *ParseHloView("");
  }

  // Adds the earlier dumps of a module to the history, and the one in `file`.
  // Returns the history, or null if there are no earlier dumps.
  const PassHistory* ReadHistory(const HloArgument::File& file,
                                 const HloDump& dump, bool* is_good,
                                 PassHistory* history) {
    const auto self =
        std::find(file.stages.begin(), file.stages.end(), file.name);
    const size_t earlier = self - file.stages.begin();
    if (self == file.stages.end() || earlier == 0) return nullptr;
    ReadPasses(absl::MakeConstSpan(file.stages).first(earlier),
               options_.reading, &console_, is_good, history);
    const bool is_added = AddPass(file.name, dump, &console_, history);
    *is_good &= is_added;
    return is_added ? history : nullptr;
  }

  bool Compare(const Pair& pair) {
    bool is_good = true;
    HloAssignments before_assignments, after_assignments;
    const std::optional<HloDump> before =
        Read(pair.before, &before_assignments, &is_good);
    const std::optional<HloDump> after =
        Read(pair.after, &after_assignments, &is_good);
    if (!before.has_value() || !after.has_value()) return false;
    const std::string before_name = NameOf(pair.before);
    const std::string after_name = NameOf(pair.after);
    const std::string before_file(HloSource(before_name).name);
    const std::string after_file(HloSource(after_name).name);
    const std::string both_files =
        absl::StrCat(before_file, " -> ", after_file);
    const TextSource both = {both_files};
    // More rows than anyone would read.
    constexpr int64_t kPageRows = 200;
    DiffTable table = {before_file,
                       after_file,
                       options_.format == OutputFormat::kCsv
                           ? std::numeric_limits<int64_t>::max()
                       : options_.html.has_value() ? kPageRows
                                                   : options_.top,
                       {options_.question, options_.counted,
                        &before_assignments, &after_assignments}};
    DiffResult diff;
    absl::Status status =
        FillDiff(ServiceOptions::Unlimited(), *before, *after, table, &diff);
    // Passes take long to read, and are not needed if nothing differs.
    PassHistory before_history({options_.top, options_.counted});
    PassHistory after_history({options_.top, options_.counted});
    if (status.ok() && IsInBoth(diff) && HasChangedModules(diff) &&
        HasPasses(*pair.before) && HasPasses(*pair.after)) {
      table.options.before_history =
          ReadHistory(*pair.before, *before, &is_good, &before_history);
      table.options.after_history =
          ReadHistory(*pair.after, *after, &is_good, &after_history);
      if (table.options.before_history != nullptr ||
          table.options.after_history != nullptr) {
        diff.Clear();
        status = FillDiff(ServiceOptions::Unlimited(), *before, *after, table,
                          &diff);
      }
    }
    if (!status.ok()) return PrintError(both, status, &console_);
    for (const ModuleChange& module : diff.modules()) {
      if (!module.has_reason() || module.is_unscheduled()) continue;
      is_good = false;
      // The text report contains it.
      if (options_.format != OutputFormat::kText) {
        PrintError(both,
                   absl::FailedPreconditionError(
                       NoPeakText(module.after(), module.reason())),
                   &console_);
      }
    }
    if (options_.html.has_value()) {
      absl::StatusOr<SummarizeResult> summary =
          PageSummary(after_file, *after, options_.question, after_assignments);
      if (!summary.ok()) return PrintError(both, summary.status(), &console_);
      PageWriter page(after_file);
      page.Add(*std::move(summary));
      page.SetChanges(std::move(diff));
      return WriteOutputFile(*options_.html, std::move(page).ToHtml(),
                             &console_, {before_name, after_name}) &&
             is_good;
    }
    diffs_.push_back(std::move(diff));
    return is_good;
  }

  void Print() {
    std::ostream& out = *console_.out;
    if (options_.format == OutputFormat::kCsv) out << DiffCsvTitles();
    if (options_.format == OutputFormat::kText && is_folder_) {
      PrintFolders();
      return;
    }
    for (const DiffResult& diff : diffs_) {
      out << (options_.format == OutputFormat::kJson ? JsonLineOf(diff)
              : options_.format == OutputFormat::kCsv
                  ? DiffToCsv(diff)
                  : DiffToText(diff, console_.out_display));
    }
  }

  // Prints the largest changes, and the modules that only one side has.
  void PrintFolders() {
    const Display& display = console_.out_display;
    std::vector<const DiffResult*> changed, only_before, only_after;
    int64_t in_both = 0;
    int64_t unknown = 0;
    for (const DiffResult& diff : diffs_) {
      if (!IsInBoth(diff)) {
        (diff.after_file().empty() ? only_before : only_after).push_back(&diff);
        continue;
      }
      ++in_both;
      if (HasChangedModules(diff)) changed.push_back(&diff);
      unknown +=
          std::any_of(diff.modules().begin(), diff.modules().end(), IsBroken);
    }
    const size_t all = changed.size();
    const size_t shown = std::min<size_t>(all, options_.top);
    Table table({{"change", Table::kRight},
                 {"reserved before", Table::kRight},
                 {"after", Table::kRight},
                 {"file", Table::kLeft}});
    for (size_t i = 0; i < shown; ++i) {
      const Bytes bytes = BytesOf(*changed[i]);
      table.AddRow({ChangeText(bytes.before, bytes.after, display),
                    HumanBytes(bytes.before), HumanBytes(bytes.after),
                    Printable(NameInFolder(changed[i]->after_file()))});
    }
    *console_.out << Paint(Printable(options_.before), Color::kBold, display)
                  << " " << Arrow(display) << " "
                  << Paint(Printable(options_.after), Color::kBold, display)
                  << "\n"
                  << kIndent << HumanQuantity(in_both, "module") << " in both, "
                  << HumanCount(all)
                  << (all == 1 ? " has changed" : " have changed")
                  << (shown < all ? absl::StrCat(", the ", shown,
                                                 shown == 1 ? " that has most"
                                                            : " that have most")
                                  : "")
                  << (unknown > 0 ? absl::StrCat("; the peak of ", unknown,
                                                 " is not known")
                                  : "")
                  << "\n";
    if (!table.empty()) {
      *console_.out << "\n" << table.ToString(kIndent, display);
    }
    PrintOnlyIn(options_.before, only_before);
    PrintOnlyIn(options_.after, only_after);
    for (size_t i = 0; i < shown; ++i) {
      *console_.out << "\n" << DiffToText(*changed[i], display);
    }
  }

  // The modules that only one folder has, the largest first.
  void PrintOnlyIn(const std::string& folder,
                   const std::vector<const DiffResult*>& diffs) {
    if (diffs.empty()) return;
    const size_t all = diffs.size();
    const size_t shown = std::min<size_t>(all, options_.top);
    Table table({{"bytes", Table::kRight},
                 {"module", Table::kLeft},
                 {"file", Table::kLeft}});
    for (size_t i = 0; i < shown; ++i) {
      const DiffResult& diff = *diffs[i];
      const bool is_before = diff.after_file().empty();
      const Bytes bytes = BytesOf(diff);
      std::string name;
      if (!diff.modules().empty()) {
        const ModuleChange& module = diff.modules(0);
        name = is_before ? module.before() : module.after();
      }
      if (diff.modules_size() > 1) {
        absl::StrAppend(&name, " and ", diff.modules_size() - 1, " more");
      }
      table.AddRow({HumanBytes(is_before ? bytes.before : bytes.after),
                    std::move(name),
                    std::string(NameInFolder(is_before ? diff.before_file()
                                                       : diff.after_file()))});
    }
    *console_.out << "\n"
                  << kIndent << "only in " << folder << ": "
                  << HumanQuantity(all, "module")
                  << (shown == 0    ? ""
                      : shown < all ? absl::StrCat(", the largest ", shown)
                                    : "")
                  << "\n"
                  << table.ToString(kIndent, console_.out_display);
  }

  const HloDiffOptions& options_;
  Console& console_;
  bool is_folder_ = false;
  std::vector<DiffResult> diffs_;
};

// Returns an error message about the files; "" if there is none.
std::string HloDiffUsageError(const HloDiffOptions& options) {
  const bool is_read_twice =
      options.before == kStdinArgument && options.after == kStdinArgument;
  if (is_read_twice) {
    return "BEFORE and AFTER are both -, and standard input is read once";
  }
  return HtmlUsageError(options.format, options.html);
}

}  // namespace

void AddHloDiffCommand(SubcommandGroup* hlo) {
  auto options = std::make_shared<HloDiffOptions>();
  Subcommand command = hlo->Add(
      "diff", "Print how memory differs between two dumps", kHloDiffFooter);
  command.Argument("BEFORE",
                   "HLO, text or proto, plain or gzip, or a folder of dumps; - "
                   "for standard input",
                   &options->before);
  command.Argument("AFTER", "HLO of the program after a change",
                   &options->after);
  AddTopOption(&command, &options->top);
  AddComputationOption(&command, "the peaks of this computation, not of ENTRY",
                       &options->question.schedule.computation);
  AddCountOption(&command, &options->counted);
  AddMemoryOptions(&command, &options->question);
  AddHtmlOption(&command, &options->html);
  AddSidecarOption(&command, &options->reading);
  AddReadingOptions(&command, &options->reading);
  command.Format({OutputFormat::kText, OutputFormat::kJson, OutputFormat::kCsv},
                 &options->format);
  command.Run(
      [options](Console* console) { return Comparer(*options, console).Run(); },
      [options] { return HloDiffUsageError(*options); });
}

}  // namespace tessera::cli
