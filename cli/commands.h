// The subcommands of the command line, each with its options and its help.

#ifndef TESSERA_CLI_COMMANDS_H_
#define TESSERA_CLI_COMMANDS_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

// `tessera compare FROM TO...`: whether two layouts are the same, and the cost
// of a relayout from one to the other.
void AddCompareCommand(CommandLine* command_line);
// `tessera coords LAYOUT POSITION...`: the element or padding at a linear
// index.
void AddCoordsCommand(CommandLine* command_line);
// `tessera cute EXPRESSION...`: the values of CuTe expressions.
void AddCuteCommand(CommandLine* command_line);
// `tessera describe LAYOUT...`: the size of an array, and its padding.
void AddDescribeCommand(CommandLine* command_line);
// `tessera draw LAYOUT`: a picture of a layout.
void AddDrawCommand(CommandLine* command_line);
// `tessera explore`: a page that draws layouts and shows their indices.
void AddExploreCommand(CommandLine* command_line);
// `tessera index LAYOUT INDEX...`: the position of an element.
void AddIndexCommand(CommandLine* command_line);
// `tessera padding LAYOUT...`: the stretches of positions without an element.
void AddPaddingCommand(CommandLine* command_line);
// `tessera parse [TEXT...]`: the canonical text of a layout.
void AddParseCommand(CommandLine* command_line);
// `tessera relayout --from LAYOUT --to LAYOUT IN OUT`: moves the array in the
// file IN to another layout in the file OUT.
void AddRelayoutCommand(CommandLine* command_line);
// `tessera runs LAYOUT...`: the stretches that hold the elements of a slice.
void AddRunsCommand(CommandLine* command_line);

// `tessera hlo`: the use of memory by HLO modules.
void AddHloCommand(CommandLine* command_line);
// `tessera hlo cat`: HLO text in XLA's own style.
void AddHloCatCommand(SubcommandGroup* hlo);
// `tessera hlo check`: whether modules stay within a budget of memory.
void AddHloCheckCommand(SubcommandGroup* hlo);
// `tessera hlo diff`: the differences in memory between two dumps.
void AddHloDiffCommand(SubcommandGroup* hlo);
// `tessera hlo explain`: the meaning of a message about memory.
void AddHloExplainCommand(SubcommandGroup* hlo);
// `tessera hlo map`: the place of each value in memory over time.
void AddHloMapCommand(SubcommandGroup* hlo);
// `tessera hlo passes`: the arrays that are new after each pass of the
// compiler.
void AddHloPassesCommand(SubcommandGroup* hlo);
// `tessera hlo peak`: the memory that is live at once.
void AddHloPeakCommand(SubcommandGroup* hlo);
// `tessera hlo report FILE...`: the memory that the arrays take.
void AddHloReportCommand(SubcommandGroup* hlo);
// `tessera hlo vmem`: the scoped VMEM that the blocks of a Pallas kernel take.
void AddHloVmemCommand(SubcommandGroup* hlo);

// `tessera tt`: Tenstorrent's tensor layouts.
void AddTtCommand(CommandLine* command_line);
void AddTtCheckCommand(SubcommandGroup* tt);
void AddTtCoordsCommand(SubcommandGroup* tt);
void AddTtDeriveCommand(SubcommandGroup* tt);
void AddTtDescribeCommand(SubcommandGroup* tt);
void AddTtIndexCommand(SubcommandGroup* tt);
// `tessera tt report`: the layouts of a file, and what fills L1.
void AddTtReportCommand(SubcommandGroup* tt);
void AddTtTtnnCommand(SubcommandGroup* tt);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_COMMANDS_H_
