// Which instructions move much, and which source lines ask for it?

#include <iostream>
#include <string>
#include <utility>

#include "tessera/base/files/file_bytes.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/hlo/parse_hlo.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto file = tessera::FileBytes::Open(argv[1]);
  if (!file.ok()) return 1;
  const auto dump = tessera::ParseHlo(*std::move(file));
  if (!dump.ok()) return 1;
  for (const tessera::HloModule module : dump->modules()) {
    tessera::InstructionOrigins origins(module);
    for (const auto& relayout :
         tessera::FindRelayouts(*dump, module).relayouts) {
      const bool moves = !relayout.is_free && !relayout.is_fused;
      if (!moves || relayout.bytes < 10000000) continue;
      const std::string source = origins.Of(relayout.instruction).source_line;
      std::cout << relayout.instruction.name() << " moves " << relayout.bytes
                << " bytes; "
                << (source.empty() ? "the dump has no line" : source) << "\n";
    }
  }
}
