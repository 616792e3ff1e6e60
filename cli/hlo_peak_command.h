// File: cli/hlo_peak_command.h
//
// `tessera hlo peak`: how much memory is live at once?

#ifndef TESSERA_CLI_HLO_PEAK_COMMAND_H_
#define TESSERA_CLI_HLO_PEAK_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddHloPeakCommand(SubcommandGroup* hlo);

}  // namespace tessera

#endif  // TESSERA_CLI_HLO_PEAK_COMMAND_H_
