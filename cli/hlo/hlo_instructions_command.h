// `tessera hlo instructions`: all or selected instructions, one per line.

#ifndef TESSERA_CLI_HLO_HLO_INSTRUCTIONS_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_INSTRUCTIONS_COMMAND_H_

#include <string>
#include <vector>

#include "tessera/cli/command/command_line.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/hlo/instruction_printer.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

void AddHloInstructionsCommand(SubcommandGroup* hlo);

struct HloInstructionsOptions {
  std::vector<std::string> files;
  HloReading reading;
  InstructionFilter filter;
  // The name by which the filter's memory space was given; empty if it was
  // given by number.
  std::string memory_space_name;
  OutputFormat format = OutputFormat::kText;
};

// Runs the command. Returns false if some input was bad.
bool RunHloInstructions(const HloInstructionsOptions& options,
                        Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_INSTRUCTIONS_COMMAND_H_
