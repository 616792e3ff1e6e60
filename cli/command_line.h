// File: cli/command_line.h
//
// The sub-commands of a program, their arguments and options, and where the
// values of these go.
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
// CLI11 does the work, and is kept out of this header because it takes long to
// compile. Arguments are handed on as they were written, where CLI11 on its own
// takes `[1,2]` apart at the comma and reads `{}` as nothing at all.

#ifndef TESSERA_CLI_COMMAND_LINE_H_
#define TESSERA_CLI_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/cli/console.h"
#include "tessera/cli/output_format.h"

namespace CLI {
class App;
}  // namespace CLI

namespace tessera {

enum ExitCode {
  kExitOk = 0,
  kExitBadInput = 1,
  kExitBadUsage = 2,
};

// One that is being declared. What values go to must live as long as the
// command line; what is not given on it keeps its value.
class Subcommand {
 public:
  enum Presence { kRequired, kOptional };

  // A required argument.
  void Argument(const char* name, const char* description, std::string* value);
  // One that may be left out, behind those that may not.
  void OptionalArgument(const char* name, const char* description,
                        absl::optional<std::string>* value);
  // All further arguments; kRequired asks for at least one.
  void Arguments(const char* name, const char* description, Presence presence,
                 std::vector<std::string>* values);
  void Flag(const char* name, const char* description, bool* value);
  // An option with a number from 0 up.
  void Count(const char* name, const char* description, int64_t* value);
  // An option with a text, shown as `placeholder`.
  void Text(const char* name, const char* placeholder, const char* description,
            absl::optional<std::string>* value);
  // The same as often as one likes.
  void Texts(const char* name, const char* placeholder, const char* description,
             std::vector<std::string>* values);
  // An option whose text `read` takes in, or says what is wrong with it; "" if
  // nothing is.
  void Value(const char* name, const char* placeholder, const char* description,
             std::function<std::string(const std::string& text)> read);
  // The same as often as one likes.
  void Values(const char* name, const char* placeholder,
              const char* description,
              std::function<std::string(const std::string& text)> read);
  // --format, with one of `formats`; the first is the default.
  void Format(absl::Span<const OutputFormat> formats, OutputFormat* value);
  // What it does; false if some input was bad. Before that, `usage_error` says
  // what is wrong with the options taken together; "" if nothing is.
  void Run(std::function<bool(Console* console)> command,
           std::function<std::string()> usage_error = nullptr);

 private:
  friend class CommandLine;
  friend class SubcommandGroup;
  struct State;
  Subcommand(CLI::App* app, State* state) : app_(app), state_(state) {}

  CLI::App* app_;
  State* state_;
};

// Sub-commands of a sub-command: `tessera hlo report`.
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
  // `footer` is printed below everything else that --help says.
  CommandLine(const char* program, const char* description, const char* footer);
  ~CommandLine();

  // --version and -V, which print `text`.
  void AddVersion(const char* text);
  Subcommand Add(const char* name, const char* description, const char* footer);
  // Where the word behind `name` is none of the group's, the command line is
  // read as if `default_command`, which is, stood before it.
  SubcommandGroup AddGroup(const char* name, const char* default_command,
                           const char* description, const char* footer);

  // Runs the sub-command that `arguments` name, or prints its help, or a
  // message on what is wrong with them. Returns the exit code.
  int Run(std::vector<std::string> arguments, Console* console);

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Subcommand::State> state_;
};

}  // namespace tessera

#endif  // TESSERA_CLI_COMMAND_LINE_H_
