#include "tessera/cli/commands.h"
#include "tessera/cli/hlo/hlo_instructions_command.h"

namespace tessera::cli {
namespace {

constexpr char kHloFooter[] =
    R"('tessera hlo FILE...' means 'tessera hlo report FILE...'. If a file has
the name of a subcommand, write ./report. A file holds HLO text, an HloProto
(.hlo.pb), or a profile with HloProtos (.xplane.pb), and may be compressed with
gzip; - means standard input. A folder written by XLA_FLAGS=--xla_dump_to=DIR
means one dump of each module in it: the text after optimizations, else its
proto, else the module before optimizations. Notes list the skipped files.
'tessera hlo SUBCOMMAND --help' shows options and more examples.

Examples:
  tessera hlo dump.txt
  tessera hlo dump.txt --html page.html
  tessera hlo peak dump.txt
  tessera hlo peak dumps
  tessera hlo map dump.txt --svg map.svg
  tessera hlo diff before.txt after.txt
  tessera hlo passes dumps
  tessera hlo check dump.txt --max-reserved=12GiB
  tessera hlo explain oom.txt
  tessera hlo vmem --block 'bf16[512,1024]' --target=v5e
  tessera hlo instructions dump.txt --opcode=copy
  tessera hlo cat dump.txt --no-metadata)";

}  // namespace

void AddHloCommand(CommandLine* command_line) {
  SubcommandGroup hlo = command_line->AddGroup(
      "hlo", "report",
      "Print where the memory of HLO modules goes, and how much is padding",
      kHloFooter);
  AddHloReportCommand(&hlo);
  AddHloInstructionsCommand(&hlo);
  AddHloPeakCommand(&hlo);
  AddHloMapCommand(&hlo);
  AddHloDiffCommand(&hlo);
  AddHloPassesCommand(&hlo);
  AddHloCheckCommand(&hlo);
  AddHloExplainCommand(&hlo);
  AddHloVmemCommand(&hlo);
  AddHloCatCommand(&hlo);
}

}  // namespace tessera::cli
