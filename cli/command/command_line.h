// The subcommands of a program, their arguments and options, and the variables
// that take the values of these.
//
//   CommandLine command_line("tessera", "Where every element lies", "");
//   struct Options { std::string shape; bool explain = false; };
//   auto options = std::make_shared<Options>();
//   Subcommand index = command_line.Add("index", "Print where ...", "");
//   index.Argument("SHAPE", "an array shape", &options->shape);
//   index.Flag("--explain", "show the derivation", &options->explain);
//   index.Run([options](Console* console) { return ...; });
//   command_line.Run({"index", "f32[2]", "--explain"}, console);  // 0
//
// CLI11 does the work. This header does not include it, because it takes long
// to compile. Arguments arrive as they were written. CLI11 on its own splits
// `[1,2]` at the comma and reads `{}` as nothing.

#ifndef TESSERA_CLI_COMMAND_COMMAND_LINE_H_
#define TESSERA_CLI_COMMAND_COMMAND_LINE_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tessera/cli/command/command_description.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/exit_code.h"
#include "tessera/report/text/byte_size.h"
#include "tessera/report/text/output_format.h"

namespace CLI {
class App;
}  // namespace CLI

namespace tessera::cli {

// A subcommand that is being declared. The variables that take values must live
// as long as the command line. A variable keeps its value if its option is not
// given.
class Subcommand {
 public:
  enum Presence { kRequired, kOptional };

  // Adds a required argument.
  void Argument(const char* name, const char* description, std::string* value);
  // Adds an optional argument. It follows the required ones.
  void OptionalArgument(const char* name, const char* description,
                        std::optional<std::string>* value);
  // Takes all further arguments; kRequired requires at least one.
  void Arguments(const char* name, const char* description, Presence presence,
                 std::vector<std::string>* values);
  void Flag(const char* name, const char* description, bool* value);
  // Adds an option with a number from 0 up.
  void Count(const char* name, const char* description, int64_t* value);
  // Adds an option with a number of bytes, such as 10MiB
  // (report/text/byte_size.h). Below the options, help explains how sizes are
  // written.
  void ByteSize(const char* name, const char* description, int64_t* value,
                const ByteRange& range = {});
  // Adds a former name of the option `name`. Help does not show it.
  void OldName(const char* old_name, const char* name);
  // Adds an option with a text, shown as `placeholder`.
  void Text(const char* name, const char* placeholder, const char* description,
            std::optional<std::string>* value);
  // Like Text, for an option that may be repeated.
  void Texts(const char* name, const char* placeholder, const char* description,
             std::vector<std::string>* values);
  // Adds an option whose text is passed to `read`, which returns an error
  // message about the text, or "".
  void Value(const char* name, const char* placeholder, const char* description,
             std::function<std::string(const std::string& text)> read);
  // Like Value, for an option that may be repeated.
  void Values(const char* name, const char* placeholder,
              const char* description,
              std::function<std::string(const std::string& text)> read);
  // An option with one of these names, each with its value, which `set` takes:
  //
  //   command.Choice<int>("--unit", {{"bytes", 8}, {"bits", 1}}, "...",
  //                       [options](int bits) { options->bits = bits; });
  template <typename Named, typename Set>
  void Choice(const char* name,
              std::vector<std::pair<std::string, Named>> choices,
              const char* description, Set set) {
    std::string names;
    for (const auto& [word, value] : choices) {
      names += (names.empty() ? "" : ",") + word;
    }
    std::string shown = names;
    std::replace(shown.begin(), shown.end(), ',', '|');
    Value(name, shown.c_str(), description,
          [choices, names, set](const std::string& text) -> std::string {
            for (const auto& [word, value] : choices) {
              if (word != text) continue;
              set(value);
              return "";
            }
            return text + " not in {" + names + "}";
          });
  }
  // Adds --format, with one of `formats`; the first is the default.
  void Format(absl::Span<const OutputFormat> formats, OutputFormat* value);
  // Sets the function of the subcommand. `command` returns false if some input
  // was bad. `usage_error` is called before it and returns an error message
  // about the options taken together, or "".
  void Run(std::function<bool(Console* console)> command,
           std::function<std::string()> usage_error = nullptr);
  // Like the function above, but for functions that take the options.
  template <typename Options, typename Parameter>
  void Run(std::shared_ptr<Options> options,
           bool (*command)(Parameter, Console*),
           std::string (*usage_error)(const Options&) = nullptr) {
    std::function<std::string()> error;
    if (usage_error != nullptr) error = [=] { return usage_error(*options); };
    Run([=](Console* console) { return command(*options, console); }, error);
  }

 private:
  friend class CommandLine;
  friend class SubcommandGroup;
  struct State;
  Subcommand(CLI::App* app, State* state) : app_(app), state_(state) {}

  CLI::App* app_;
  State* state_;
};

// Subcommands of a subcommand: `tessera hlo report`.
class SubcommandGroup {
 public:
  Subcommand Add(const char* name, const char* description, const char* footer);

 private:
  friend class CommandLine;
  SubcommandGroup(CLI::App* app, Subcommand::State* state)
      : app_(app), state_(state) {}

  CLI::App* app_;
  Subcommand::State* state_;
};

class CommandLine {
 public:
  // --help prints `footer` below all other text.
  CommandLine(const char* program, const char* description, const char* footer);
  ~CommandLine();

  // Adds --version and -V, which print `version`, and --licenses, which prints
  // `licenses`, also for --version.
  void AddVersion(const std::string& version, const std::string& licenses);
  Subcommand Add(const char* name, const char* description, const char* footer);
  // If the word after `name` is not a subcommand of the group, the command line
  // is read as if `default_command`, which is one, preceded it.
  SubcommandGroup AddGroup(const char* name, const char* default_command,
                           const char* description, const char* footer);

  // Returns a description of all subcommands and options.
  CommandDescription Describe() const;

  // Runs the subcommand that `arguments` name, prints its help, or prints an
  // error about the arguments. Returns the exit code.
  int Run(std::vector<std::string> arguments, Console* console);

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Subcommand::State> state_;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_COMMAND_COMMAND_LINE_H_
