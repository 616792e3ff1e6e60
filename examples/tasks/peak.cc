// How much memory does a program need at once, and for what?

#include <iostream>
#include <utility>

#include "tessera/files/file_bytes.h"
#include "tessera/hlo/memory/liveness.h"
#include "tessera/hlo/parse_hlo.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto file = tessera::FileBytes::Open(argv[1]);
  if (!file.ok()) return 1;
  const auto dump = tessera::ParseHlo(*std::move(file));
  if (!dump.ok() || dump->modules().empty()) return 1;
  const auto liveness = tessera::ComputeLiveness(*dump, dump->modules()[0]);
  if (!liveness.ok()) return 1;
  for (const auto& [number, space] : liveness->by_memory_space) {
    std::cout << "S(" << number << "): " << space.peak_bytes << " bytes\n";
    // Those that are there at the peak come by falling size.
    const tessera::LiveBuffer& largest =
        liveness->buffers[space.live_at_peak[0]];
    std::cout << "  " << largest.padded_bytes << " of them "
              << largest.instruction.name() << "\n";
  }
}
