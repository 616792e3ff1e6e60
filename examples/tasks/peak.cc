// How much memory does a program use at once, and for what?

#include <iostream>
#include <utility>

#include "tessera/base/files/file_bytes.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto file = tessera::FileBytes::Open(argv[1]);
  if (!file.ok()) return 1;
  const auto dump = tessera::ParseHlo(*std::move(file));
  if (!dump.ok() || dump->modules().empty()) return 1;
  const auto analysis = tessera::ModuleAnalysis::Of(*dump, dump->modules()[0]);
  if (!analysis.ok()) return 1;
  for (const auto& [number, space] : analysis->use()) {
    std::cout << "S(" << number << "): " << space.peak_bytes << " bytes\n";
    // What is there at the peak comes by falling size.
    const tessera::LiveArray largest =
        analysis->LiveAt(number, space.peak_step)[0];
    std::cout << "  " << largest.padded_bytes << " of them "
              << largest.instruction.name() << "\n";
  }
}
