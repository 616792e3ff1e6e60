// `tessera hlo vmem`: how much scoped VMEM the blocks of a Pallas kernel take.

#ifndef TESSERA_CLI_HLO_HLO_VMEM_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_VMEM_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloVmemCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_VMEM_COMMAND_H_
