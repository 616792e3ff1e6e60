#include "tessera/cli/run_tessera.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/cli/batch_command.h"
#include "tessera/cli/compare_command.h"
#include "tessera/cli/coords_command.h"
#include "tessera/cli/cute_command.h"
#include "tessera/cli/describe_command.h"
#include "tessera/cli/draw_command.h"
#include "tessera/cli/explore_command.h"
#include "tessera/cli/hlo_command.h"
#include "tessera/cli/index_command.h"
#include "tessera/cli/parse_command.h"
#include "tessera/cli/region_commands.h"
#include "tessera/cli/relayout_command.h"
#include "tessera/cli/serve_command.h"
#include "tessera/cli/tt_command.h"
#include "tessera/cli/version.h"

namespace tessera {
namespace {

constexpr char kDescription[] =
    R"(Where every element of an array lies: reads the shapes and layouts that XLA
prints, such as bf16[8,128]{1,0:T(8,128)(2,1)}.
)";

constexpr char kFooter[] =
    R"('tessera SUBCOMMAND --help' shows examples. Wherever - is taken, it stands for
standard input; where that is read by lines, each gives one line, one that is
empty or all blanks an empty one. Data goes to standard output, messages to
standard error.

Exit codes: 0 all is well, 1 some input was bad, 2 the usage was.)";

}  // namespace

int RunTessera(std::vector<std::string> arguments, Console* console) {
  CommandLine command_line("tessera", kDescription, kFooter);
  command_line.AddVersion(absl::StrCat("tessera ", kVersion).c_str());
  AddHloCommand(&command_line);
  AddDescribeCommand(&command_line);
  AddIndexCommand(&command_line);
  AddCoordsCommand(&command_line);
  AddRunsCommand(&command_line);
  AddPaddingCommand(&command_line);
  AddCompareCommand(&command_line);
  AddParseCommand(&command_line);
  AddDrawCommand(&command_line);
  AddExploreCommand(&command_line);
  AddRelayoutCommand(&command_line);
  AddCuteCommand(&command_line);
  AddTtCommand(&command_line);
  AddBatchCommand(&command_line);
  AddServeCommand(&command_line);
  return command_line.Run(std::move(arguments), console);
}

}  // namespace tessera
