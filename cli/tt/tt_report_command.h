// `tessera tt report`: the layouts of a file, and what fills L1.

#ifndef TESSERA_CLI_TT_TT_REPORT_COMMAND_H_
#define TESSERA_CLI_TT_TT_REPORT_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddTtReportCommand(SubcommandGroup* group);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_TT_TT_REPORT_COMMAND_H_
