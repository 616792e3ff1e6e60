#include "tessera/cli/hlo/hlo_input.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/service/questions/hlo_texts.h"

namespace tessera {
namespace cli {

TextSource HloSource(const std::string& file) {
  return {file == kStdinArgument ? kStdinName : absl::string_view(file)};
}

void AddFilesArgument(Subcommand* command, std::vector<std::string>* files) {
  command->Arguments(
      "FILE", "HLO text as XLA dumps it, plain or gzip; - for standard input",
      Subcommand::kRequired, files);
}

void AddStrictFlag(Subcommand* command, bool* strict) {
  command->Flag(
      "--strict",
      "stop at the first mistake; 'tessera hlo cat --help' lists them", strict);
}

void AddTopOption(Subcommand* command, int64_t* top) {
  command->Count("--top", "the most rows in a table (10)", top);
}

void AddComputationOption(Subcommand* command, const char* description,
                          absl::optional<std::string>* name) {
  command->Value("--computation", "NAME", description,
                 [name](const std::string& text) {
                   *name = std::string(absl::StripPrefix(text, "%"));
                   return std::string();
                 });
}

bool PrintDiagnostics(const TextSource& source,
                      absl::Span<const Diagnostic> diagnostics, int64_t total,
                      bool is_merely_cut_off, Console* console) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (is_merely_cut_off) {
      PrintWarning(source, diagnostic, console);
    } else {
      PrintError(source, diagnostic, console);
    }
  }
  const int64_t unsaid = total - static_cast<int64_t>(diagnostics.size());
  if (unsaid > 0 && is_merely_cut_off) {
    PrintNote(source, absl::StrCat(unsaid, " more warnings"), console);
  } else if (unsaid > 0) {
    PrintError(source,
               absl::DataLossError(absl::StrCat(unsaid, " more errors")),
               console);
  }
  return total == 0 || is_merely_cut_off;
}

bool CheckHasComputations(const TextSource& source, const HloCounts& counts,
                          Console* console) {
  if (counts.computations > 0) return true;
  PrintError(source,
             absl::InvalidArgumentError(counts.modules == 0
                                            ? "the text has no HLO module"
                                            : "the text has no computation"),
             console);
  return false;
}

absl::optional<HloDump> ReadHloDump(const std::string& file, bool strict,
                                    Console* console, bool* is_good) {
  const TextSource source = HloSource(file);
  absl::StatusOr<std::string> text = ReadInputFile(file, console);
  HloParseOptions options;
  options.strict = strict;
  options.diagnostic_limit = kToldDiagnostics;
  absl::StatusOr<HloDump> dump = text.ok()
                                     ? ParseHlo(*std::move(text), options)
                                     : absl::StatusOr<HloDump>(text.status());
  if (!dump.ok()) {
    PrintError(source, dump.status(), console);
    *is_good = false;
    return absl::nullopt;
  }
  const HloCounts& counts = dump->counts();
  const bool is_readable =
      PrintDiagnostics(source, dump->diagnostics(), dump->diagnostic_count(),
                       IsMerelyCutOff(*dump), console);
  *is_good &= is_readable;
  if (is_readable && !CheckHasComputations(source, counts, console)) {
    *is_good = false;
    return absl::nullopt;
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

}  // namespace cli
}  // namespace tessera
