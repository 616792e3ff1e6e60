#include "tessera/cli/hlo/input/pass_input.h"

#include <optional>

#include "absl/status/status.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/dump_pass.h"

namespace tessera::cli {

bool AddPass(const std::string& file, const HloDump& dump, Console* console,
             PassHistory* history) {
  const absl::Status status = history->Add(DumpPassOf(file), dump);
  if (!status.ok()) PrintError(HloSource(file), status, console);
  return status.ok();
}

void ReadPasses(absl::Span<const std::string> files, const HloReading& reading,
                Console* console, bool* is_good, PassHistory* history) {
  for (const std::string& file : files) {
    const std::optional<HloDump> dump =
        ReadHloDump(file, reading, console, is_good);
    if (!dump.has_value()) continue;
    *is_good &= AddPass(file, *dump, console, history);
  }
}

}  // namespace tessera::cli
