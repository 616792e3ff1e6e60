#include "tessera/cli/run_tessera.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/version/version.h"
#include "tessera/cli/build_commit.h"
#include "tessera/cli/command/command_description.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/commands.h"
#include "tessera/cli/notice.h"
#include "tessera/cli/serve/batch_command.h"
#include "tessera/cli/serve/serve_command.h"
#include "tessera/cli/serve/server_program.h"

namespace tessera::cli {
namespace {

constexpr char kDescription[] =
    R"(Shows where every element of an array lies. Reads the shapes and layouts
that XLA prints, such as bf16[8,128]{1,0:T(8,128)(2,1)}, CuTe layouts,
Tenstorrent tensors and strided arrays.
)";

constexpr char kFooter[] =
    R"('tessera SUBCOMMAND --help' shows options and examples. The argument -
means standard input. Commands that read it line by line print one line for
each, and an empty line for an empty or blank one. Data goes to standard output,
messages to standard error.

Exit codes: 0 for success, 1 for bad input, 2 for wrong usage.)";

// "tessera 0.3.0 (commit 1a2b3c4d5e6f)", or without the commit if git was not
// run.
std::string VersionText() {
  const std::string_view commit = kBuildCommit;
  const bool is_known =
      !commit.empty() && absl::ascii_isxdigit(commit[0]) && commit.size() >= 12;
  return absl::StrCat("tessera ", kVersion,
                      is_known ? StrCat(" (commit ", commit, ")") : "");
}

// `serve` passes `server_arguments` to the server program.
void AddCommands(const std::vector<std::string>& server_arguments,
                 CommandLine* command_line) {
  command_line->AddVersion(VersionText(),
                           std::string(StripSuffix(kNotice, "\n")));
  AddHloCommand(command_line);
  AddDescribeCommand(command_line);
  AddIndexCommand(command_line);
  AddCoordsCommand(command_line);
  AddRunsCommand(command_line);
  AddPaddingCommand(command_line);
  AddCompareCommand(command_line);
  AddParseCommand(command_line);
  AddDrawCommand(command_line);
  AddExploreCommand(command_line);
  AddRelayoutCommand(command_line);
  AddCuteCommand(command_line);
  AddTtCommand(command_line);
  AddBatchCommand(command_line);
  AddServeCommand(command_line,
                  [server_arguments](const ServeOptions&, Console* console) {
                    return RunServerProgram(server_arguments, console);
                  });
}

}  // namespace

CommandDescription DescribeTessera() {
  CommandLine command_line("tessera", kDescription, kFooter);
  AddCommands({}, &command_line);
  return command_line.Describe();
}

int RunTessera(std::vector<std::string> arguments, Console* console) {
  CommandLine command_line("tessera", kDescription, kFooter);
  // The options of `serve` are read here, so that errors are reported without
  // the server, which reads the same arguments again.
  std::vector<std::string> server_arguments;
  if (!arguments.empty()) {
    server_arguments.assign(arguments.begin() + 1, arguments.end());
  }
  AddCommands(server_arguments, &command_line);
  return command_line.Run(std::move(arguments), console);
}

}  // namespace tessera::cli
