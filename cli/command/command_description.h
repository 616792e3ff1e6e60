// The declarations of a command line as data, from which man pages and
// completions are written.
//
//   CommandDescription program = command_line.Describe();
//   program.subcommands[0].name;              // "index"
//   program.subcommands[0].options[0].names;  // {"-h", "--help"}

#ifndef TESSERA_CLI_COMMAND_COMMAND_DESCRIPTION_H_
#define TESSERA_CLI_COMMAND_COMMAND_DESCRIPTION_H_

#include <string>
#include <vector>

namespace tessera::cli {

struct CommandDescription {
  struct Option {
    std::vector<std::string> names;  // "-h", "--help"
    std::string value;               // "N", "text|json"; "" for a flag
    std::string description;
  };
  struct Argument {
    std::string name;
    std::string description;
    bool is_required = true;
    bool is_repeated = false;
  };

  std::string name;
  std::string description;
  std::string footer;  // printed by --help below the options
  std::vector<Option> options;
  std::vector<Argument> arguments;
  std::vector<CommandDescription> subcommands;
  // The subcommand that runs if none is named; "" if there is none.
  std::string default_command;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_COMMAND_COMMAND_DESCRIPTION_H_
