// Shell completions: scripts for bash, zsh and fish with the subcommands,
// options and values of a command line.
//
//   BashCompletion(DescribeTessera());  // "...complete -F _tessera tessera\n"

#ifndef TESSERA_CLI_MANUAL_COMPLETIONS_H_
#define TESSERA_CLI_MANUAL_COMPLETIONS_H_

#include <string>

#include "tessera/cli/command/command_description.h"

namespace tessera::cli {

// For /usr/share/bash-completion/completions/<program>.
std::string BashCompletion(const CommandDescription& program);

// For /usr/share/zsh/vendor-completions/_<program>.
std::string ZshCompletion(const CommandDescription& program);

// For /usr/share/fish/vendor_completions.d/<program>.fish.
std::string FishCompletion(const CommandDescription& program);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_MANUAL_COMPLETIONS_H_
