// File: cli/hlo/hlo_input.h
//
// What all subcommands of `tessera hlo` have in common: files of HLO text, how
// strictly they are read, and the messages about what cannot be read.

#ifndef TESSERA_CLI_HLO_HLO_INPUT_H_
#define TESSERA_CLI_HLO_HLO_INPUT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace cli {

// What messages call the file argument `file`.
TextSource HloSource(const std::string& file);

void AddFilesArgument(Subcommand* command, std::vector<std::string>* files);
void AddStrictFlag(Subcommand* command, bool* strict);
// --top, the most rows in a table.
void AddTopOption(Subcommand* command, int64_t* top);
// --computation NAME, with '%' or without.
void AddComputationOption(Subcommand* command, const char* description,
                          absl::optional<std::string>* name);

// Prints what could not be read: as a warning if the text is merely cut off
// (HloCounts), else as errors. `total` includes the diagnostics that were not
// kept. Returns whether the exit code may be 0.
bool PrintDiagnostics(const TextSource& source,
                      absl::Span<const Diagnostic> diagnostics, int64_t total,
                      bool is_merely_cut_off, Console* console);

// Returns whether there is a computation. Prints an error if there is none, as
// in an empty file.
bool CheckHasComputations(const TextSource& source, const HloCounts& counts,
                          Console* console);

// Reads a whole file. If that fails, or if the file has no HLO, prints an
// error, sets `*is_good` to false and returns nullopt. If a part of the text is
// broken, prints that, sets `*is_good` to false and returns the rest.
absl::optional<HloDump> ReadHloDump(const std::string& file, bool strict,
                                    Console* console, bool* is_good);

// Calls `visit` for the computations of that name, in all modules. Prints an
// error if there is none. Returns whether there is one.
bool ForEachComputation(
    const HloDump& dump, absl::string_view name, const TextSource& source,
    Console* console, absl::FunctionRef<void(HloModule, HloComputation)> visit);

// "module jit_f", or "a module without a name".
std::string ModuleText(absl::string_view name);
// "module jit_f has no peak: the text breaks off before ENTRY".
std::string NoPeakText(absl::string_view module_name, absl::string_view reason);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_HLO_HLO_INPUT_H_
