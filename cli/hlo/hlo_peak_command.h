// `tessera hlo peak`: how much memory is live at once?

#ifndef TESSERA_CLI_HLO_HLO_PEAK_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_PEAK_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloPeakCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_PEAK_COMMAND_H_
