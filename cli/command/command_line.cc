#include "tessera/cli/command/command_line.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/nearest_names.h"
#include "tessera/report/text/display.h"

namespace tessera::cli {

struct Subcommand::State {
  // Set the values after the whole command line has been read.
  std::vector<std::function<void()>> setters;
  // The command that the command line selects.
  std::function<bool(Console*)> command;
  std::function<std::string()> usage_error;  // may be null
  // The default command of each group, by the group's name.
  std::map<std::string, std::string> default_commands;
};

void Subcommand::Argument(const char* name, const char* description,
                          std::string* value) {
  CLI::Option* option = app_->add_option(
      name, [](const CLI::results_t&) { return true; }, description);
  option->required();
  state_->setters.push_back([option, value] {
    if (option->count() > 0) *value = option->results().front();
  });
}

void Subcommand::OptionalArgument(const char* name, const char* description,
                                  std::optional<std::string>* value) {
  CLI::Option* option = app_->add_option(
      name, [](const CLI::results_t&) { return true; }, description);
  state_->setters.push_back([option, value] {
    if (option->count() > 0) *value = option->results().front();
  });
}

void Subcommand::Arguments(const char* name, const char* description,
                           Presence presence,
                           std::vector<std::string>* values) {
  CLI::Option* option = app_->add_option(
      name, [](const CLI::results_t&) { return true; }, description);
  // The size of a list that is never full and takes all values. An option that
  // allows extra arguments would instead split `[1,2]`.
  constexpr int kAll = CLI::detail::expected_max_vector_size;
  option->type_name("")
      ->required(presence == kRequired)
      ->expected(kAll, kAll)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  state_->setters.push_back([option, values] { *values = option->results(); });
}

void Subcommand::Flag(const char* name, const char* description, bool* value) {
  app_->add_flag(name, *value, description);
}

void Subcommand::Count(const char* name, const char* description,
                       int64_t* value) {
  app_->add_option(name, *value, description)
      ->check([](const std::string& text) {
        int64_t number = 0;
        return absl::SimpleAtoi(text, &number) && number >= 0
                   ? std::string()
                   : absl::StrCat(text, " is not a whole number from 0 to ",
                                  std::numeric_limits<int64_t>::max());
      })
      ->option_text("N");
}

void Subcommand::ByteSize(const char* name, const char* description,
                          int64_t* value, const ByteRange& range) {
  Value(name, "SIZE", description, [value, range](const std::string& text) {
    return ReadByteSize(text, range, value);
  });
  // Printed after the description of the command.
  const std::string footer = app_->get_footer();
  if (EndsWith(footer, kByteSizeHelp)) return;
  app_->footer(
      absl::StrCat(footer, footer.empty() ? "" : "\n\n", kByteSizeHelp));
}

void Subcommand::Text(const char* name, const char* placeholder,
                      const char* description,
                      std::optional<std::string>* value) {
  CLI::Option* option = app_->add_option(
      name, [](const CLI::results_t&) { return true; }, description);
  option->option_text(placeholder);
  state_->setters.push_back([option, value] {
    if (option->count() > 0) *value = option->results().front();
  });
}

void Subcommand::Texts(const char* name, const char* placeholder,
                       const char* description,
                       std::vector<std::string>* values) {
  CLI::Option* option = app_->add_option(
      name, [](const CLI::results_t&) { return true; }, description);
  option->option_text(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  state_->setters.push_back([option, values] { *values = option->results(); });
}

void Subcommand::OldName(const char* old_name, const char* name) {
  CLI::Option* const option = app_->get_option(name);
  app_->add_option_function<std::string>(
          old_name,
          [option](const std::string& text) { option->add_result(text); })
      ->trigger_on_parse()
      ->group("");
}

void Subcommand::Value(
    const char* name, const char* placeholder, const char* description,
    std::function<std::string(const std::string& text)> read) {
  app_->add_option(
          name, [](const CLI::results_t&) { return true; }, description)
      ->option_text(placeholder)
      ->check([read](const std::string& text) { return read(text); });
}

void Subcommand::Values(
    const char* name, const char* placeholder, const char* description,
    std::function<std::string(const std::string& text)> read) {
  app_->add_option(
          name, [](const CLI::results_t&) { return true; }, description)
      ->option_text(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->check([read](const std::string& text) { return read(text); });
}

void Subcommand::Format(absl::Span<const OutputFormat> formats,
                        OutputFormat* value) {
  std::vector<std::string> names;
  for (OutputFormat format : formats) {
    names.emplace_back(OutputFormatName(format));
  }
  *value = formats.front();
  const std::vector<OutputFormat> known(formats.begin(), formats.end());
  app_->add_option_function<std::string>(
          "-f,--format",
          [known, names, value](const std::string& name) {
            for (size_t i = 0; i < known.size(); ++i) {
              if (names[i] == name) *value = known[i];
            }
          },
          "how to print the data (text)")
      ->check(CLI::IsMember(names))
      ->option_text(absl::StrJoin(names, "|"));
}

void Subcommand::Run(std::function<bool(Console* console)> command,
                     std::function<std::string()> usage_error) {
  app_->callback([state = state_, command, usage_error] {
    state->command = command;
    state->usage_error = usage_error;
  });
}

namespace {

// Help whose lines of options and subcommands fit the terminal, or 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(int columns) : columns_(columns) {
    label("REQUIRED", "");
    label("TEXT", "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return Wrapped(option->get_description());
  }

  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(),
                             Wrapped(command->get_description()),
                             column_width_);
    return out.str();
  }

 private:
  // A new line begins below the first.
  std::string Wrapped(std::string_view text) const {
    constexpr size_t kLeast = 24;
    const size_t room =
        std::max(kLeast, columns_ - std::min(columns_, column_width_));
    std::string out;
    size_t line = 0;
    for (const std::string_view word : SplitViews(text, ' ')) {
      if (line > 0 && line + 1 + word.size() > room) {
        out += "\n";
        line = 0;
      }
      StrAppend(&out, line > 0 ? " " : "", word);
      line += (line > 0 ? 1 : 0) + word.size();
    }
    return out;
  }

  const size_t columns_;
};

// CLI11 counts values: "--format: At Most 1 required but received 2", and
// "--format: 1 required TEXT:{text,json} missing".
std::string InWords(const CLI::ArgumentMismatch& error) {
  const std::string what = error.what();
  const std::string option = what.substr(0, what.find(':'));
  return absl::StrCat(option, StrContains(what, ": At Most 1 ")
                                  ? " is given more than once"
                                  : " needs a value");
}

// Returns whether the second argument is neither a subcommand of `group` nor a
// request for help on all of them.
bool NeedsDefaultCommand(const CLI::App& group,
                         const std::vector<std::string>& arguments) {
  if (arguments.size() < 2) return true;
  const std::string& second = arguments[1];
  if (second == "-h" || second == "--help") return false;
  return group
      .get_subcommands([&second](const CLI::App* each) {
        return each->get_name() == second;
      })
      .empty();
}

// Returns whether the text is a word, like a subcommand, and not an existing
// file.
bool IsNoFile(const std::string& argument) {
  std::error_code ignored;
  return !argument.empty() && absl::ascii_isalpha(argument[0]) &&
         std::all_of(
             argument.begin(), argument.end(),
             [](char c) { return absl::ascii_isalpha(c) || c == '-'; }) &&
         !std::filesystem::exists(argument, ignored);
}

std::vector<std::string> SubcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each :
       app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(each->get_name());
  }
  return names;
}

// Returns the names that help shows.
std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options([](const CLI::Option* each) {
         return !each->get_positional() && !each->get_group().empty();
       })) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::string DidYouMeanOneOf(const std::string& word,
                            const std::vector<std::string>& names) {
  return DidYouMean(word,
                    std::vector<std::string_view>(names.begin(), names.end()));
}

std::string NoSubcommand(const CLI::App& group, const std::string& word) {
  return absl::StrCat("there is no file or subcommand ", word,
                      DidYouMeanOneOf(word, SubcommandNames(group)));
}

// "; did you mean hlo peak?" if `word` is a subcommand of a subcommand of
// `app`, or one like it.
std::string DidYouMeanSubcommand(const CLI::App& app, const std::string& word) {
  for (const CLI::App* group :
       app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::vector<std::string> names = SubcommandNames(*group);
    if (std::find(names.begin(), names.end(), word) != names.end()) {
      return absl::StrCat("; did you mean ", group->get_name(), " ", word, "?");
    }
  }
  return DidYouMeanOneOf(word, SubcommandNames(app));
}

// Returns the message about the first word of a command line that no option and
// no argument takes.
std::string NotExpected(const CLI::App& app, const std::string& word) {
  const bool is_option = StartsWith(word, "-") && word != "-";
  const std::string name = word.substr(0, word.find('='));
  if (is_option) {
    return absl::StrCat("there is no option ", name,
                        DidYouMeanOneOf(name, OptionNames(app)));
  }
  return !SubcommandNames(app).empty()
             ? absl::StrCat("there is no subcommand ", word,
                            DidYouMeanSubcommand(app, word))
             : absl::StrCat("unexpected argument ", word);
}

// Returns null if there is none.
const CLI::App* ChosenSubcommand(const CLI::App& app) {
  const std::vector<const CLI::App*> chosen =
      app.get_subcommands([](const CLI::App* each) { return each->parsed(); });
  return chosen.empty() ? nullptr : chosen[0];
}

// If `is_unexpected`, the error instead names the part of the command line that
// is left over. `group` is the place of the error, if nothing was parsed.
void PrintUsageError(const CLI::App& app, std::string what, Console* console,
                     bool is_unexpected = false, std::string_view group = "") {
  std::string command = StrCat(app.get_name(), group.empty() ? "" : " ", group);
  const CLI::App* chosen = &app;
  while (const CLI::App* next = ChosenSubcommand(*chosen)) {
    absl::StrAppend(&command, " ", next->get_name());
    chosen = next;
  }
  if (const std::vector<std::string> rest = chosen->remaining();
      is_unexpected && !rest.empty()) {
    what = NotExpected(*chosen, rest[0]);
  }
  *console->err << absl::StrCat(
      app.get_name(), ": ", Paint("error:", Color::kRed, console->err_display),
      " ", Printable(what), "\nRun '", command,
      " --help' for usage and examples.\n");
}

CommandDescription Describe(
    const CLI::App& app,
    const std::map<std::string, std::string>& default_commands) {
  CommandDescription command;
  command.name = app.get_name();
  command.description = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option*) { return true; })) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      command.arguments.push_back(
          {option->get_name(/*positional=*/true), option->get_description(),
           option->get_required(), option->get_expected_max() > 1});
      continue;
    }
    CommandDescription::Option described;
    for (const std::string& name : option->get_snames()) {
      described.names.push_back("-" + name);
    }
    for (const std::string& name : option->get_lnames()) {
      described.names.push_back("--" + name);
    }
    described.value = option->get_option_text();
    described.description = option->get_description();
    command.options.push_back(std::move(described));
  }
  for (const CLI::App* each :
       app.get_subcommands([](const CLI::App*) { return true; })) {
    command.subcommands.push_back(Describe(*each, {}));
    const auto found = default_commands.find(each->get_name());
    if (found != default_commands.end()) {
      command.subcommands.back().default_command = found->second;
    }
  }
  return command;
}

void SetFormatter(CLI::App* app,
                  const std::shared_ptr<CLI::FormatterBase>& formatter) {
  app->formatter(formatter);
  for (CLI::App* each : app->get_subcommands([](CLI::App*) { return true; })) {
    SetFormatter(each, formatter);
  }
}

}  // namespace

CommandLine::CommandLine(const char* program, const char* description,
                         const char* footer)
    : app_(std::make_unique<CLI::App>(description, program)),
      state_(std::make_unique<Subcommand::State>()) {
  app_->set_help_flag("-h,--help", "print this help");
  // Exactly one, so that a file called "index" is not a subcommand.
  app_->require_subcommand(1);
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

void CommandLine::AddVersion(const std::string& version,
                             const std::string& licenses) {
  static constexpr char kLicenses[] = "--licenses";
  const CLI::App* const app = app_.get();
  // If several of these flags are given, the first declared one is answered.
  app_->set_version_flag(
      "-V,--version",
      [app, version, licenses] {
        return app->count(kLicenses) > 0
                   ? absl::StrCat(version, "\n\n", licenses)
                   : version;
      },
      "print the version");
  app_->add_flag_callback(
      kLicenses, [licenses] { throw CLI::CallForVersion(licenses, 0); },
      "print the licenses of Tessera and its dependencies");
}

Subcommand CommandLine::Add(const char* name, const char* description,
                            const char* footer) {
  CLI::App* app = app_->add_subcommand(name, description);
  app->footer(footer);
  return Subcommand(app, state_.get());
}

Subcommand SubcommandGroup::Add(const char* name, const char* description,
                                const char* footer) {
  CLI::App* app = app_->add_subcommand(name, description);
  app->footer(footer);
  return Subcommand(app, state_);
}

SubcommandGroup CommandLine::AddGroup(const char* name,
                                      const char* default_command,
                                      const char* description,
                                      const char* footer) {
  CLI::App* app = app_->add_subcommand(name, description);
  app->require_subcommand(1);
  app->footer(footer);
  state_->default_commands[name] = default_command;
  return SubcommandGroup(app, state_.get());
}

CommandDescription CommandLine::Describe() const {
  return cli::Describe(*app_, state_->default_commands);
}

int CommandLine::Run(std::vector<std::string> arguments, Console* console) {
  const int columns = std::min(console->out_display.columns, 100);
  SetFormatter(app_.get(),
               std::make_shared<HelpFormatter>(
                   console->out_display.is_terminal() ? columns : 80));
  // "help X" is "X --help", and "version" is "--version".
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    const std::vector<std::string> names = SubcommandNames(*app_);
    const bool is_known =
        arguments.empty() || StartsWith(arguments[0], "-") ||
        std::find(names.begin(), names.end(), arguments[0]) != names.end();
    if (is_known) arguments.push_back("--help");
  } else if (arguments == std::vector<std::string>{"version"}) {
    arguments = {"--version"};
  }
  if (!arguments.empty()) {
    const auto group = state_->default_commands.find(arguments[0]);
    if (group != state_->default_commands.end() &&
        NeedsDefaultCommand(*app_->get_subcommand(group->first), arguments)) {
      const CLI::App& subcommands = *app_->get_subcommand(group->first);
      if (arguments.size() > 1 && IsNoFile(arguments[1])) {
        PrintUsageError(*app_, NoSubcommand(subcommands, arguments[1]), console,
                        /*is_unexpected=*/false, group->first);
        return kExitBadUsage;
      }
      arguments.insert(arguments.begin() + 1, group->second);
    }
  }
  try {
    // CLI11 takes the last argument first.
    std::reverse(arguments.begin(), arguments.end());
    app_->parse(std::move(arguments));
  } catch (const CLI::CallForVersion& version) {
    *console->out << version.what() << "\n";
    return kExitOk;
  } catch (const CLI::Success&) {
    *console->out << app_->help();
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    std::string what = error.what();
    if (what == "A subcommand is required") what = "a subcommand is required";
    const auto* mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error);
    const bool is_unexpected =
        dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
        dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    PrintUsageError(*app_, mismatch != nullptr ? InWords(*mismatch) : what,
                    console, is_unexpected);
    return kExitBadUsage;
  }
  for (const std::function<void()>& set : state_->setters) set();
  if (state_->usage_error != nullptr) {
    if (std::string what = state_->usage_error(); !what.empty()) {
      PrintUsageError(*app_, std::move(what), console);
      return kExitBadUsage;
    }
  }
  return state_->command(console) ? kExitOk : kExitBadInput;
}

}  // namespace tessera::cli
