#include "tessera/cli/manual/completions.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cli {
namespace {

using Option = CommandDescription::Option;

// "text json" of "text|json"; "" if any value may follow.
std::string ValuesOf(const Option& option) {
  return StrContains(option.value, "|")
             ? absl::StrReplaceAll(option.value, {{"|", " "}})
             : "";
}

std::vector<std::string> OptionNames(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const Option& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> SubcommandNames(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const CommandDescription& each : command.subcommands) {
    names.push_back(each.name);
  }
  return names;
}

// The words of the subcommand `each` of the command at `path`.
std::string PathOf(const std::string& path, const CommandDescription& each) {
  return path.empty() ? each.name : absl::StrCat(path, " ", each.name);
}

// Visits a command and all below it, with the words after the program's name.
using Visit =
    absl::FunctionRef<void(const std::string& path, const CommandDescription&)>;
void ForEachCommand(const CommandDescription& command, const std::string& path,
                    Visit visit) {
  visit(path, command);
  for (const CommandDescription& each : command.subcommands) {
    ForEachCommand(each, PathOf(path, each), visit);
  }
}

// Within single quotes of a shell.
std::string Quoted(std::string_view text) {
  return absl::StrCat(
      "'", absl::StrReplaceAll(AbslView(text), {{"'", "'\\''"}}), "'");
}

// Within single quotes of fish.
std::string FishQuoted(std::string_view text) {
  return absl::StrCat(
      "'", absl::StrReplaceAll(AbslView(text), {{"\\", "\\\\"}, {"'", "\\'"}}),
      "'");
}

// "tessera_hlo_peak", a name of a function.
std::string FunctionName(const std::string& program, const std::string& path) {
  return absl::StrCat("_", program, path.empty() ? "" : "_",
                      absl::StrReplaceAll(path, {{" ", "_"}, {"-", "_"}}));
}

// In a specification of zsh's _arguments, "[", "]" and ":" have a meaning.
std::string ZshText(std::string_view text) {
  return absl::StrReplaceAll(
      AbslView(text),
      {{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}});
}

std::string ZshFunction(const std::string& program, const std::string& path,
                        const CommandDescription& command) {
  std::string out =
      absl::StrCat(FunctionName(program, path), "() {\n",
                   "  local context state state_descr line\n",
                   "  typeset -A opt_args\n  _arguments -s -S -C");
  for (const Option& option : command.options) {
    for (const std::string& name : option.names) {
      const bool has_value = !option.value.empty();
      const std::string values = ValuesOf(option);
      absl::StrAppend(
          &out, " \\\n    ",
          Quoted(absl::StrCat(
              name, has_value ? "=" : "", "[", ZshText(option.description), "]",
              has_value ? absl::StrCat(":", ZshText(option.value), ":",
                                       values.empty()
                                           ? "_files"
                                           : absl::StrCat("(", values, ")"))
                        : "")));
    }
  }
  if (command.subcommands.empty()) {
    absl::StrAppend(&out, " \\\n    '*:file:_files'\n}\n");
    return out;
  }
  absl::StrAppend(&out, " \\\n    '1: :->command' '*:: :->arguments'\n",
                  "  case $state in\n  command)\n    local -a commands=(\n");
  for (const CommandDescription& each : command.subcommands) {
    absl::StrAppend(
        &out, "      ",
        Quoted(absl::StrCat(each.name, ":",
                            absl::StrReplaceAll(each.description,
                                                {{":", "\\:"}, {"\n", " "}}))),
        "\n");
  }
  absl::StrAppend(&out, "    )\n    _describe subcommand commands\n");
  if (!command.default_command.empty()) absl::StrAppend(&out, "    _files\n");
  absl::StrAppend(&out, "    ;;\n  arguments)\n    case $line[1] in\n");
  for (const CommandDescription& each : command.subcommands) {
    absl::StrAppend(&out, "    ", each.name, ") ",
                    FunctionName(program, PathOf(path, each)), " ;;\n");
  }
  absl::StrAppend(&out, "    *) _files ;;\n    esac\n    ;;\n  esac\n}\n");
  return out;
}

// Whether the words so far are those of `path`, and name none of the
// subcommands below it.
std::string FishCondition(const CommandDescription& program,
                          const std::string& path,
                          const CommandDescription& command) {
  if (path.empty()) return "__fish_use_subcommand";
  std::vector<std::string> conditions;
  const std::vector<std::string> words = absl::StrSplit(path, ' ');
  for (const std::string& word : words) {
    conditions.push_back(absl::StrCat("__fish_seen_subcommand_from ", word));
  }
  std::vector<std::string> others = SubcommandNames(command);
  // "tessera tt index" is not "tessera index".
  if (words.size() == 1) {
    for (const CommandDescription& group : program.subcommands) {
      for (const CommandDescription& each : group.subcommands) {
        if (each.name == words[0]) others.push_back(group.name);
      }
    }
  }
  if (!others.empty()) {
    conditions.push_back(absl::StrCat("not __fish_seen_subcommand_from ",
                                      absl::StrJoin(others, " ")));
  }
  return absl::StrJoin(conditions, "; and ");
}

}  // namespace

std::string BashCompletion(const CommandDescription& program) {
  std::string paths, words, values;
  ForEachCommand(
      program, "",
      [&](const std::string& path, const CommandDescription& command) {
        if (!path.empty()) {
          absl::StrAppend(&paths, paths.empty() ? "" : " | ", Quoted(path));
        }
        absl::StrAppend(&words, "    ", Quoted(path), ")\n      subcommands=",
                        Quoted(absl::StrJoin(SubcommandNames(command), " ")),
                        "\n      options=",
                        Quoted(absl::StrJoin(OptionNames(command), " ")),
                        "\n      ;;\n");
        for (const Option& option : command.options) {
          if (ValuesOf(option).empty()) continue;
          for (const std::string& name : option.names) {
            absl::StrAppend(&values, "    ",
                            Quoted(absl::StrCat(path, "|", name)),
                            ") values=", Quoted(ValuesOf(option)), " ;;\n");
          }
        }
      });
  const std::string name = FunctionName(program.name, "");
  return absl::StrCat(
      "# Completion of ", program.name,
      " for bash. Written from its command line; do not edit.\n", name,
      R"(() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  # bash takes --format=json for three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local path= longer i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    longer=${path:+$path }${COMP_WORDS[i]}
    case $longer in
    )",
      paths, R"() path=$longer ;;
    esac
  done
  local subcommands= options= values=
  case $path in
)",
      words, R"(  esac
  case "$path|$previous" in
)",
      values, R"(  esac
  COMPREPLY=()
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $subcommands ]]; then
    COMPREPLY=($(compgen -W "$subcommands" -- "$current"))
  fi
}
complete -o bashdefault -o default -F )",
      name, " ", program.name, "\n");
}

std::string ZshCompletion(const CommandDescription& program) {
  std::string out = absl::StrCat("#compdef ", program.name,
                                 "\n# Written from the command line of ",
                                 program.name, "; do not edit.\n");
  ForEachCommand(
      program, "",
      [&](const std::string& path, const CommandDescription& command) {
        absl::StrAppend(&out, "\n", ZshFunction(program.name, path, command));
      });
  return absl::StrCat(out, "\n", FunctionName(program.name, ""), " \"$@\"\n");
}

std::string FishCompletion(const CommandDescription& program) {
  std::string out =
      absl::StrCat("# Completion of ", program.name,
                   " for fish. Written from its command line; do not edit.\n");
  ForEachCommand(
      program, "",
      [&](const std::string& path, const CommandDescription& command) {
        const std::string begin =
            absl::StrCat("complete -c ", program.name, " -n ",
                         FishQuoted(FishCondition(program, path, command)));
        for (const CommandDescription& each : command.subcommands) {
          absl::StrAppend(
              &out, begin, command.default_command.empty() ? " -f" : "", " -a ",
              each.name, " -d ", FishQuoted(each.description), "\n");
        }
        for (const Option& option : command.options) {
          absl::StrAppend(&out, begin);
          for (const std::string& name : option.names) {
            absl::StrAppend(&out, StartsWith(name, "--")
                                      ? absl::StrCat(" -l ", name.substr(2))
                                      : absl::StrCat(" -s ", name.substr(1)));
          }
          const std::string values = ValuesOf(option);
          if (!option.value.empty()) {
            absl::StrAppend(&out,
                            values.empty()
                                ? " -r"
                                : absl::StrCat(" -x -a ", FishQuoted(values)));
          }
          absl::StrAppend(&out, " -d ", FishQuoted(option.description), "\n");
        }
      });
  return out;
}

}  // namespace tessera::cli
