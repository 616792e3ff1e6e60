// Pages for man(1), in roff, of a command line and its subcommands.
//
//   for (const ManPage& page : ManPagesOf(DescribeTessera(), "0.3.0")) {
//     page.file_name;  // "tessera-hlo-peak.1"
//     page.text;       // ".TH TESSERA\-HLO\-PEAK 1 ..."
//   }

#ifndef TESSERA_CLI_MANUAL_MAN_PAGE_H_
#define TESSERA_CLI_MANUAL_MAN_PAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "tessera/cli/command/command_description.h"

namespace tessera::cli {

struct ManPage {
  std::string file_name;
  std::string text;
};

// Returns the page of the program and one for each subcommand. A line
// "Examples:" in a footer begins the examples; its indented lines are
// unchanged.
std::vector<ManPage> ManPagesOf(const CommandDescription& program,
                                std::string_view version);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_MANUAL_MAN_PAGE_H_
