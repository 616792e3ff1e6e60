// `tessera hlo report`: where the memory went.

#ifndef TESSERA_CLI_HLO_HLO_REPORT_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_REPORT_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloReportCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_REPORT_COMMAND_H_
