#include "tessera/cli/hlo/hlo_input.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "tessera/cli/command/jobs.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/output/progress.h"
#include "tessera/files/file_bytes.h"
#include "tessera/hlo/allocations/assignment_proto.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/service/questions/hlo_texts.h"

namespace tessera {
namespace cli {

TextSource HloSource(const std::string& file) {
  return {file == kStdinArgument ? kStdinName : absl::string_view(file)};
}

void AddFilesArgument(Subcommand* command, std::vector<std::string>* files) {
  command->Arguments("FILE",
                     "HLO as XLA dumps it, text or proto, or a profile, plain "
                     "or gzip; - for standard "
                     "input",
                     Subcommand::kRequired, files);
}

void AddReadingOptions(Subcommand* command, HloReading* reading) {
  command->Flag(
      "--strict",
      "stop at the first mistake; 'tessera hlo cat --help' lists them",
      &reading->strict);
  command->ByteSize(
      "--max-unpacked",
      "the most that a gzip file may unpack to, or a pipe may bring (no limit)",
      &reading->max_unpacked);
  command->Count("--jobs",
                 "how many threads read a file, up to 256; 0 for one per core "
                 "(1)",
                 &reading->jobs);
}

void AddTopOption(Subcommand* command, int64_t* top) {
  command->Count("--top", "the most rows in a table (10)", top);
}

void AddMemoryOptions(Subcommand* command, MemoryQuestion* question) {
  command->Value("--target", "tpu|gpu|cpu|none",
                 "the device: it names memory spaces, and buffers share memory "
                 "by its rules (guessed from the module)",
                 [question](const std::string& text) -> std::string {
                   question->target = HloTargetOfName(text);
                   if (question->target.has_value()) return "";
                   return absl::StrCat("expected tpu, gpu, cpu or none, found ",
                                       text);
                 });
  command->Flag("--assume-text-order",
                "take the order of the text for that of execution in modules "
                "that are not scheduled",
                &question->schedule.assume_text_order);
}

void AddComputationOption(Subcommand* command, const char* description,
                          std::string* name) {
  command->Value("--computation", "NAME", description,
                 [name](const std::string& text) {
                   *name = std::string(absl::StripPrefix(text, "%"));
                   return std::string();
                 });
}

namespace {

// Prints them, and how many more there are.
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

// Returns whether the exit code may be 0.
bool PrintDiagnostics(const TextSource& source, const HloDump& dump,
                      Console* console) {
  if (!IsMerelyCutOff(dump)) {
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

bool PrintProblems(const TextSource& source, const HloAssignments& assignments,
                   Console* console) {
  bool is_good = true;
  for (const auto& assignment : assignments.of_modules) {
    if (!assignment.has_value() || assignment->problem_count == 0) continue;
    PrintErrors(source, assignment->problems, assignment->problem_count,
                console);
    is_good = false;
  }
  return is_good;
}

absl::StatusOr<HloDump> ParseFile(const std::string& file,
                                  const HloReading& reading, Console* console,
                                  HloAssignments* assignments) {
  FileOptions file_options;
  file_options.memory_limit = reading.max_unpacked;
  absl::StatusOr<FileBytes> bytes = OpenInputFile(file, file_options, console);
  if (absl::IsResourceExhausted(bytes.status())) {
    return absl::ResourceExhaustedError(
        absl::StrCat(bytes.status().message(), " (--max-unpacked)"));
  }
  if (!bytes.ok()) return bytes.status();
  Progress progress(std::string(HloSource(file).name), bytes->text().size(),
                    console);
  HloParseOptions options;
  options.strict = reading.strict;
  options.diagnostic_limit = kToldDiagnostics;
  options.progress = [&progress](int64_t done) { progress.Update(done); };
  options.threads = ThreadsForJobs(reading.jobs);
  if (!IsHloProto(bytes->text())) return ParseHlo(*std::move(bytes), options);
  absl::StatusOr<HloDump> dump = ParseHloProto(bytes->text(), options);
  if (assignments != nullptr) {
    assignments->bytes = *std::move(bytes);
    assignments->of_modules =
        ReadProtoAssignments(assignments->bytes.text(), kToldDiagnostics);
  }
  return dump;
}

}  // namespace

absl::optional<HloDump> ReadHloDump(const std::string& file,
                                    const HloReading& reading, Console* console,
                                    bool* is_good,
                                    HloAssignments* assignments) {
  const TextSource source = HloSource(file);
  absl::StatusOr<HloDump> dump = ParseFile(file, reading, console, assignments);
  if (!dump.ok()) {
    PrintError(source, dump.status(), console);
    *is_good = false;
    return absl::nullopt;
  }
  if (!PrintDiagnostics(source, *dump, console)) {
    *is_good = false;
  } else if (dump->counts().computations == 0) {
    PrintError(source,
               absl::InvalidArgumentError(dump->counts().modules == 0
                                              ? "the text has no HLO module"
                                              : "the text has no computation"),
               console);
    *is_good = false;
    return absl::nullopt;
  }
  if (assignments != nullptr) {
    *is_good &= PrintProblems(source, *assignments, console);
  }
  return *std::move(dump);
}

bool ForEachComputation(
    const HloDump& dump, absl::string_view name, const TextSource& source,
    Console* console,
    absl::FunctionRef<void(HloModule, HloComputation)> visit) {
  bool is_found = false;
  for (const HloModule module : dump.modules()) {
    for (const HloComputation computation : module.computations()) {
      if (computation.name() != name) continue;
      is_found = true;
      visit(module, computation);
    }
  }
  if (!is_found) {
    PrintError(source,
               absl::NotFoundError(
                   absl::StrCat("there is no computation '", name, "'")),
               console);
  }
  return is_found;
}

std::string ModuleText(absl::string_view name) {
  return name.empty() ? "a module without a name"
                      : absl::StrCat("module ", name);
}

std::string NoPeakText(absl::string_view module_name,
                       absl::string_view reason) {
  return absl::StrCat(ModuleText(module_name), " has no peak: ", reason);
}

std::string ScheduledDumpHint(absl::string_view file) {
  return absl::StrCat(
      absl::StrContains(file, "before_optimizations")
          ? "this is the dump before optimizations; the scheduled module is in "
            "*after_optimizations.txt beside it"
          : "XLA_FLAGS=--xla_dump_to=DIR writes the scheduled module to "
            "DIR/*after_optimizations.txt; in JAX, "
            "jitted.lower(...).compile().as_text() is its text",
      "; --assume-text-order takes the order of this text");
}

}  // namespace cli
}  // namespace tessera
