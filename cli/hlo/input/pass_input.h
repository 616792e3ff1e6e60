// Reads the dumps of a module that the compiler wrote after each pass, one
// after another.

#ifndef TESSERA_CLI_HLO_INPUT_PASS_INPUT_H_
#define TESSERA_CLI_HLO_INPUT_PASS_INPUT_H_

#include <string>

#include "absl/types/span.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera::cli {

// Adds the dumps in the files to the history, and holds one of them in memory
// at a time. If a dump cannot be read, prints the reason and continues without
// it. Sets `*is_good` to false unless the exit code may be 0.
void ReadPasses(absl::Span<const std::string> files, const HloReading& reading,
                Console* console, bool* is_good, PassHistory* history);

// Adds the dump that was read from a file. Prints the reason if that is not
// possible. Returns whether it was added.
bool AddPass(const std::string& file, const HloDump& dump, Console* console,
             PassHistory* history);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_INPUT_PASS_INPUT_H_
