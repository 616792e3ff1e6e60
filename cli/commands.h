// The subcommands of the command line, each with its options and its help.

#ifndef TESSERA_CLI_COMMANDS_H_
#define TESSERA_CLI_COMMANDS_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

// `tessera compare FROM TO...`: are two layouts the same, and what does a
// relayout from one to the other cost?
void AddCompareCommand(CommandLine* command_line);
// `tessera coords LAYOUT POSITION...`: what lies at this linear index?
void AddCoordsCommand(CommandLine* command_line);
// `tessera cute EXPRESSION...`: what is the value of these CuTe expressions?
void AddCuteCommand(CommandLine* command_line);
// `tessera describe LAYOUT...`: how large is it, and how much is padding?
void AddDescribeCommand(CommandLine* command_line);
// `tessera draw LAYOUT`: what does it look like?
void AddDrawCommand(CommandLine* command_line);
// `tessera explore`: a page that draws layouts and shows their indices.
void AddExploreCommand(CommandLine* command_line);
// `tessera index LAYOUT INDEX...`: where does this element lie?
void AddIndexCommand(CommandLine* command_line);
// `tessera padding LAYOUT...`: which stretches of positions hold no element?
void AddPaddingCommand(CommandLine* command_line);
// `tessera parse [TEXT...]`: what is the canonical text of this layout?
void AddParseCommand(CommandLine* command_line);
// `tessera relayout --from LAYOUT --to LAYOUT IN OUT`: moves the array in the
// file IN to another layout in the file OUT.
void AddRelayoutCommand(CommandLine* command_line);
// `tessera runs LAYOUT...`: which stretches hold the elements of a slice?
void AddRunsCommand(CommandLine* command_line);

// `tessera hlo`: where the memory of HLO modules goes.
void AddHloCommand(CommandLine* command_line);
// `tessera hlo cat`: HLO text in XLA's own style.
void AddHloCatCommand(SubcommandGroup* hlo);
// `tessera hlo check`: whether modules stay within a budget of memory.
void AddHloCheckCommand(SubcommandGroup* hlo);
// `tessera hlo diff`: how does memory differ between two dumps?
void AddHloDiffCommand(SubcommandGroup* hlo);
// `tessera hlo explain`: what does a message about memory mean?
void AddHloExplainCommand(SubcommandGroup* hlo);
// `tessera hlo map`: the place of each value in memory over time.
void AddHloMapCommand(SubcommandGroup* hlo);
// `tessera hlo passes`: after which pass of the compiler are which arrays new?
void AddHloPassesCommand(SubcommandGroup* hlo);
// `tessera hlo peak`: how much memory is live at once?
void AddHloPeakCommand(SubcommandGroup* hlo);
// `tessera hlo report FILE...`: how much memory do the arrays take?
void AddHloReportCommand(SubcommandGroup* hlo);
// `tessera hlo vmem`: how much scoped VMEM the blocks of a Pallas kernel take.
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
