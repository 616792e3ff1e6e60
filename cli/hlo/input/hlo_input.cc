#include "tessera/cli/hlo/input/hlo_input.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/nearest_names.h"
#include "tessera/cli/command/jobs.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/output/progress.h"
#include "tessera/hlo/hlo_file_kind.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/layout/memory_space.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/service/questions/hlo/hlo_texts.h"

namespace tessera::cli {

TextSource HloSource(const std::string& file) {
  return {file == kStdinArgument ? kStdinName : std::string_view(file)};
}

void AddFilesArgument(Subcommand* command, std::vector<std::string>* files) {
  command->Arguments("FILE|DIR",
                     "HLO as XLA dumps it, text or proto, or a profile, plain "
                     "or gzip, or a folder of these; - for standard input",
                     Subcommand::kRequired, files);
}

void AddReadingOptions(Subcommand* command, HloReading* reading) {
  command->Flag(
      "--strict",
      "stop at the first mistake; 'tessera hlo cat --help' lists them",
      &reading->strict);
  command->ByteSize(
      "--max-unpacked",
      "the most bytes of a decompressed gzip file, or from a pipe (no limit)",
      &reading->max_unpacked);
  command->Count("-j,--jobs",
                 "the number of threads that read a file, up to 256; 0 for one "
                 "per core (1)",
                 &reading->jobs);
}

void AddModuleOption(Subcommand* command, std::string* module) {
  command->Value("--module", "NAME|NUMBER",
                 "only this module: by its name, or by its number in the file, "
                 "from 0",
                 [module](const std::string& text) {
                   *module = text;
                   return std::string();
                 });
}

bool IsChosen(HloModule module, const std::string& chosen) {
  int64_t number = 0;
  return chosen.empty() || module.name() == chosen ||
         (absl::SimpleAtoi(chosen, &number) && number == module.index());
}

std::string NoModuleText(const std::string& chosen,
                         const std::vector<std::string>& names) {
  // JAX adds a word before the name of a function.
  const auto longer = std::find_if(
      names.begin(), names.end(),
      [&chosen](const std::string& name) { return StrContains(name, chosen); });
  std::string hint = longer != names.end()
                         ? absl::StrCat("; did you mean ", *longer, "?")
                         : DidYouMean(chosen, std::vector<std::string_view>(
                                                  names.begin(), names.end()));
  constexpr size_t kMostListed = 8;
  if (hint.empty() && !names.empty() && names.size() <= kMostListed) {
    hint = absl::StrCat("; the modules, numbered from 0, are ",
                        absl::StrJoin(names, ", "));
  }
  return absl::StrCat("there is no module '", chosen, "'", hint);
}

void AddSpaceOption(Subcommand* command, std::optional<std::string>* space) {
  command->Text("--space", "S",
                "only this memory space: its number, S(number), or its name",
                space);
}

namespace {

// For messages with a map `spaces`.
template <typename Spaces>
bool KeepSpace(const std::string& space, HloTarget target, Spaces* message) {
  const std::optional<int64_t> number =
      MemorySpaceNamesOf(target).NumberFor(space);
  auto& spaces = *message->mutable_spaces();
  const auto found = number.has_value() ? spaces.find(*number) : spaces.end();
  if (found == spaces.end()) {
    spaces.clear();
    return false;
  }
  auto kept = std::move(found->second);
  spaces.clear();
  spaces[*number] = std::move(kept);
  return true;
}

}  // namespace

bool KeepMemorySpace(const std::string& space, ModulePeak* peak) {
  return KeepSpace(space,
                   HloTargetOfName(peak->target()).value_or(HloTarget::kNone),
                   peak->mutable_by_memory_space());
}

bool KeepMemorySpace(const std::string& space, HloTarget target,
                     AssignmentStatement* assignment) {
  return KeepSpace(space, target, assignment);
}

void AddSidecarOption(Subcommand* command, HloReading* reading) {
  command->Flag("--no-sidecars",
                "do not read XLA's own results next to the file",
                &reading->no_sidecars);
}

void AddTopOption(Subcommand* command, int64_t* top) {
  command->Count("-n,--top", "the most rows in a table (10)", top);
}

void AddMemoryOptions(Subcommand* command, MemoryOptions* question) {
  command->Value("--target", "tpu|v4|v5e|v5p|v6e|v7x|gpu|cpu|none",
                 "the device, which determines the names of memory spaces and "
                 "the rules for sharing memory (guessed from the module)",
                 [question](const std::string& text) -> std::string {
                   if (SetTarget(text, question)) return "";
                   return StrCat("expected ", kTargetNames, ", found ", text);
                 });
  command->Flag("--assume-text-order",
                "use the order of the text as the execution order of modules "
                "that are not scheduled",
                &question->schedule.assume_text_order);
}

void AddScopedLimitOption(Subcommand* command, MemoryOptions* question) {
  command->ByteSize(
      "--scoped-limit",
      "the most scoped VMEM that one instruction may use, on TPU (that of the "
      "compiler's options next to the file, or of the generation)",
      &question->scoped_vmem_limit);
}

void AddCountOption(Subcommand* command, CountedArrays* counted) {
  command->Value(
      "--count", "buffers|results",
      "what to count: results with memory of their own, or every result "
      "(buffers)",
      [counted](const std::string& text) -> std::string {
        const std::optional<CountedArrays> named = CountedArraysOfName(text);
        if (!named.has_value()) {
          return absl::StrCat("expected buffers or results, found ", text);
        }
        *counted = *named;
        return "";
      });
}

void AddComputationOption(Subcommand* command, const char* description,
                          std::string* name) {
  command->Value("--computation", "NAME", description,
                 [name](const std::string& text) {
                   *name = std::string(StripPrefix(text, "%"));
                   return std::string();
                 });
}

namespace {

// "a.txt, b.txt, c.txt and 9 more"
std::string ListText(const std::vector<std::string>& names) {
  constexpr size_t kNamed = 3;
  const size_t named = std::min(names.size(), kNamed);
  std::string text = absl::StrJoin(names.begin(), names.begin() + named, ", ");
  if (named < names.size()) {
    absl::StrAppend(&text, " and ", names.size() - named, " more");
  }
  return text;
}

// Prints the files of a folder that are not read. Returns whether the exit code
// may be 0.
bool PrintUnread(const std::string& folder, const std::string& path,
                 const std::vector<UnreadFile>& unread, Console* console) {
  bool is_good = true;
  // By reason; these are few.
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  for (const UnreadFile& file : unread) {
    if (file.is_error) {
      is_good = false;
      const std::string name = absl::StrCat(path, file.name);
      PrintError({name}, absl::UnavailableError(file.reason), console);
      continue;
    }
    auto note = std::find_if(
        notes.begin(), notes.end(),
        [&file](const auto& note) { return note.first == file.reason; });
    if (note == notes.end()) note = notes.insert(note, {file.reason, {}});
    note->second.push_back(file.name);
  }
  constexpr size_t kMostNotes = 4;
  size_t untold = 0;
  for (size_t i = 0; i < notes.size(); ++i) {
    const auto& [reason, names] = notes[i];
    if (i >= kMostNotes) {
      untold += names.size();
      continue;
    }
    PrintNote(
        {folder},
        names.size() == 1
            ? absl::StrCat("not read: ", names[0], " ", reason)
            : absl::StrCat("not read: ", ListText(names), ": each ", reason),
        console);
  }
  if (untold > 0) {
    PrintNote({folder}, absl::StrCat("not read: ", untold, " more files"),
              console);
  }
  return is_good;
}

// Returns the file of the module that `file`, a sidecar, belongs to; "" if
// there is none.
std::string ModuleBeside(const std::string& file, const DumpFolder& found) {
  if (found.dumps.empty()) return "";
  return StrCat(StripSuffix(file, NameInFolder(file)), found.dumps[0].name);
}

}  // namespace

std::vector<HloArgument> FindHloFiles(const std::vector<std::string>& arguments,
                                      Console* console, bool* is_good,
                                      HloStages stages) {
  DumpFolderOptions options;
  options.sidecars = stages == HloStages::kAll;
  std::vector<HloArgument> all;
  for (const std::string& argument : arguments) {
    HloArgument file = {argument, false, {argument}};
    if (argument == kStdinArgument) {
      all.push_back(std::move(file));
      continue;
    }
    const absl::StatusOr<DumpFolder> found =
        FindHloDumps(console->PathOf(argument), options);
    // The reader reports why it cannot be read.
    if (!found.ok()) {
      all.push_back(std::move(file));
      continue;
    }
    if (!found->is_folder) {
      const bool is_sidecar = !found->unread.empty();
      // "DIR/*" includes it. For other files, their reader reports the kind.
      if (is_sidecar &&
          absl::c_linear_search(arguments, ModuleBeside(argument, *found))) {
        PrintNote({argument},
                  absl::StrCat("not read: ", found->unread[0].reason), console);
        continue;
      }
      if (!is_sidecar) {
        file.files[0].module = found->dumps[0].module;
        const std::string_view folder =
            StripSuffix(argument, NameInFolder(argument));
        for (const std::string& name : found->dumps[0].stages) {
          file.files[0].stages.push_back(
              absl::StrCat(std::string(folder), name));
        }
      }
      all.push_back(std::move(file));
      continue;
    }
    HloArgument folder = {argument, true, {}};
    std::set<std::string> read_too;
    const std::string path =
        absl::StrCat(argument, EndsWith(argument, "/") ? "" : "/");
    for (const HloDumpFile& dump : found->dumps) {
      HloArgument::File file(absl::StrCat(path, dump.name));
      file.module = dump.module;
      file.sidecars.emplace();
      for (const auto& [kind, name] : dump.sidecars) {
        file.sidecars->emplace(kind, absl::StrCat(path, name));
      }
      if (stages != HloStages::kLast) {
        read_too.insert(dump.stages.begin(), dump.stages.end());
        for (const std::string& name : dump.stages) {
          file.stages.push_back(absl::StrCat(path, name));
        }
      }
      folder.files.push_back(std::move(file));
    }
    std::vector<UnreadFile> unread = found->unread;
    unread.erase(std::remove_if(unread.begin(), unread.end(),
                                [&read_too](const UnreadFile& file) {
                                  return read_too.count(file.name) > 0;
                                }),
                 unread.end());
    *is_good &= PrintUnread(argument, path, unread, console);
    if (folder.files.empty()) {
      PrintError({argument}, absl::NotFoundError("the folder has no XLA dump"),
                 console);
      *is_good = false;
    }
    all.push_back(std::move(folder));
  }
  return all;
}

std::vector<HloArgument::File> FilesOf(
    const std::vector<HloArgument>& arguments) {
  std::vector<HloArgument::File> files;
  for (const HloArgument& argument : arguments) {
    files.insert(files.end(), argument.files.begin(), argument.files.end());
  }
  return files;
}

namespace {

// Prints the errors, and the number of further ones.
void PrintErrors(const TextSource& source,
                 absl::Span<const Diagnostic> diagnostics, int64_t count,
                 Console* console) {
  for (const Diagnostic& diagnostic : diagnostics) {
    PrintError(source, diagnostic, console);
  }
  const int64_t unsaid = count - static_cast<int64_t>(diagnostics.size());
  if (unsaid > 0) {
    PrintError(source,
               absl::DataLossError(absl::StrCat(unsaid, " more errors")),
               console);
  }
}

// Returns whether everything in the text was read.
bool AreWarnings(const HloDump& dump) {
  return IsMerelyCutOff(dump) ||
         (dump.counts().has_merely_last_braces() &&
          dump.diagnostic_count() == dump.counts().diagnostics);
}

// Returns whether the exit code may be 0.
bool PrintDiagnostics(const TextSource& source, const HloDump& dump,
                      Console* console) {
  if (!AreWarnings(dump)) {
    PrintErrors(source, dump.diagnostics(), dump.diagnostic_count(), console);
    return dump.diagnostic_count() == 0;
  }
  for (const Diagnostic& diagnostic : dump.diagnostics()) {
    PrintWarning(source, diagnostic, console);
  }
  const int64_t unsaid =
      dump.diagnostic_count() - static_cast<int64_t>(dump.diagnostics().size());
  if (unsaid > 0) {
    PrintNote(source, absl::StrCat(unsaid, " more warnings"), console);
  }
  return true;
}

// Returns whether there is no module, or all modules are empty; the diagnostics
// then report it. A module in which everything is broken still gets reports, as
// from the service.
bool HasNothing(const HloDump& dump) {
  const HloCounts& counts = dump.counts();
  return counts.modules == 0 || (counts.computations == 0 &&
                                 dump.diagnostic_count() != counts.diagnostics);
}

// Prints the parts of XLA's buffer assignment that cannot be read. They are not
// errors: the module was read, and a newer XLA may write more.
void PrintNotes(const TextSource& source,
                absl::Span<const Diagnostic> diagnostics, int64_t count,
                Console* console) {
  constexpr size_t kMostNotes = 3;
  const size_t told = std::min(diagnostics.size(), kMostNotes);
  for (const Diagnostic& diagnostic : diagnostics.subspan(0, told)) {
    PrintNote(source, diagnostic, console);
  }
  const int64_t untold = count - static_cast<int64_t>(told);
  if (untold > 0) {
    PrintNote(source,
              absl::StrCat(untold, " more of its lines ",
                           untold == 1 ? "is" : "are", " not read in full"),
              console);
  }
}

// Prints the sums of an assignment that are not XLA's.
void PrintIncomplete(const TextSource& source,
                     const HloAssignments& assignments, Console* console) {
  for (const auto& assignment : assignments.of_modules) {
    if (!assignment.has_value() || assignment->has_all_allocations) continue;
    PrintNote(source,
              "not all allocations could be read: the computed assignment is "
              "used instead of XLA's",
              console);
  }
}

void PrintProblems(const TextSource& source, const HloAssignments& assignments,
                   Console* console) {
  for (const auto& assignment : assignments.of_modules) {
    if (!assignment.has_value()) continue;
    PrintNotes(source, assignment->problems, assignment->problem_count,
               console);
  }
  PrintIncomplete(source, assignments, console);
}

absl::StatusOr<HloDump> ParseFile(const std::string& file,
                                  absl::StatusOr<FileBytes> bytes,
                                  const HloReading& reading, Console* console,
                                  HloAssignments* assignments) {
  if (!bytes.ok()) return bytes.status();
  Progress progress(std::string(HloSource(file).name), bytes->text().size(),
                    console);
  HloParseOptions options;
  options.strict = reading.strict;
  options.diagnostic_limit = kToldDiagnostics;
  options.progress = [&progress](int64_t done) { progress.Update(done); };
  options.threads = ThreadsForJobs(reading.jobs);
  const std::string path = file == kStdinArgument ? "" : console->PathOf(file);
  return ParseHloFile(*std::move(bytes), path, options, kToldDiagnostics,
                      assignments);
}

// The files next to it.
std::map<HloFileKind, std::string> SidecarsOf(const HloArgument::File& file,
                                              const Console* console) {
  const std::string path = console->PathOf(file.name);
  std::map<HloFileKind, std::string> sidecars = SidecarsBeside(path);
  // The name as the user writes it.
  const size_t added = path.size() - file.name.size();
  for (auto& [kind, name] : sidecars) name = name.substr(added);
  return sidecars;
}

// Reads the buffer assignment in text form next to `file`. Returns whether its
// files can be opened.
bool ReadSidecars(const HloArgument::File& file, const HloReading& reading,
                  const HloDump& dump, Console* console,
                  HloAssignments* assignments) {
  if (file.name == kStdinArgument || !MayHaveSidecars(dump)) return true;
  std::map<HloFileKind, std::string> sidecars =
      file.sidecars.has_value() ? *file.sidecars : SidecarsOf(file, console);
  if (reading.no_sidecars) RemoveResults(&sidecars);
  const std::vector<SidecarProblems> all = tessera::ReadSidecars(
      dump, sidecars,
      [&](const std::string& name) {
        return OpenHloFile(name, reading, console);
      },
      kToldDiagnostics, assignments);
  bool is_good = true;
  for (const SidecarProblems& problems : all) {
    const TextSource source = HloSource(problems.file);
    if (!problems.status.ok()) {
      PrintError(source, problems.status, console);
      is_good = false;
    }
    PrintNotes(source, problems.diagnostics, problems.diagnostic_count,
               console);
  }
  const auto text = sidecars.find(HloFileKind::kBufferAssignment);
  if (text != sidecars.end()) {
    PrintIncomplete(HloSource(text->second), *assignments, console);
  }
  return is_good;
}

}  // namespace

absl::StatusOr<FileBytes> OpenHloFile(const std::string& file,
                                      const HloReading& reading,
                                      Console* console) {
  FileOptions options;
  options.memory_limit = reading.max_unpacked;
  absl::StatusOr<FileBytes> bytes = OpenInputFile(file, options, console);
  if (absl::IsResourceExhausted(bytes.status())) {
    return ResourceExhaustedError(bytes.status().message(),
                                  " (--max-unpacked)");
  }
  return bytes;
}

std::optional<HloDump> ReadHloDump(const HloArgument::File& file,
                                   const HloReading& reading, Console* console,
                                   bool* is_good, HloAssignments* assignments) {
  return ReadHloDump(file, OpenHloFile(file.name, reading, console), reading,
                     console, is_good, assignments);
}

std::optional<HloDump> ReadHloDump(const HloArgument::File& file,
                                   absl::StatusOr<FileBytes> bytes,
                                   const HloReading& reading, Console* console,
                                   bool* is_good, HloAssignments* assignments) {
  const TextSource source = HloSource(file.name);
  absl::StatusOr<HloDump> dump =
      ParseFile(file.name, std::move(bytes), reading, console, assignments);
  if (!dump.ok()) {
    PrintError(source, dump.status(), console);
    *is_good = false;
    return std::nullopt;
  }
  *is_good &= PrintDiagnostics(source, *dump, console);
  if (HasNothing(*dump)) return std::nullopt;
  if (assignments != nullptr) {
    PrintProblems(source, *assignments, console);
    *is_good &= ReadSidecars(file, reading, *dump, console, assignments);
  }
  return *std::move(dump);
}

bool ForEachDump(const HloArgument& argument, const HloReading& reading,
                 Console* console, bool* is_good,
                 absl::FunctionRef<void(const std::string&, const HloDump&,
                                        const HloAssignments&)>
                     visit,
                 const AssignmentVisitor& visit_assignment) {
  bool is_read = false;
  for (const HloArgument::File& file : argument.files) {
    absl::StatusOr<FileBytes> bytes = OpenHloFile(file.name, reading, console);
    if (visit_assignment != nullptr && bytes.ok() &&
        HloFileKindOf(bytes->text()) == HloFileKind::kBufferAssignment) {
      is_read = true;
      visit_assignment(file.name, bytes->text());
      continue;
    }
    HloAssignments assignments;
    const std::optional<HloDump> dump = ReadHloDump(
        file, std::move(bytes), reading, console, is_good, &assignments);
    if (!dump.has_value()) continue;
    is_read = true;
    visit(file.name, *dump, assignments);
  }
  return is_read;
}

}  // namespace tessera::cli
