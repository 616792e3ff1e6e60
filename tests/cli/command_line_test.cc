#include "tessera/cli/command/command_line.h"

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CommandLine, Example) {
  std::ostringstream out;
  Console console_value;
  console_value.out = &out;
  Console* console = &console_value;

  CommandLine command_line("tessera", "Where every element lies", "");
  struct Options {
    std::string shape;
    bool explain = false;
  };
  auto options = std::make_shared<Options>();
  Subcommand index = command_line.Add("index", "Print where ...", "");
  index.Argument("SHAPE", "an array shape", &options->shape);
  index.Flag("--explain", "show the derivation", &options->explain);
  index.Run([options](Console* console) {
    *console->out << options->shape << " " << options->explain;
    return true;
  });
  EXPECT_EQ(command_line.Run({"index", "f32[2]", "--explain"}, console), 0);
  EXPECT_EQ(out.str(), "f32[2] 1");
}

struct Parsed {
  int exit_code = 0;
  std::vector<std::string> words;
  int64_t count = 7;
  std::string err;
};

Parsed Parse(const std::vector<std::string>& arguments) {
  Parsed parsed;
  std::ostringstream out, err;
  Console console;
  console.out = &out;
  console.err = &err;
  CommandLine command_line("program", "", "");
  Subcommand command = command_line.Add("run", "", "");
  command.Arguments("WORD", "", Subcommand::kRequired, &parsed.words);
  command.Count("--count", "", &parsed.count);
  command.Run([](Console*) { return true; });
  // Never asked for.
  command_line.Add("stop", "", "").Run([](Console*) { return false; });
  parsed.exit_code = command_line.Run(arguments, &console);
  parsed.err = err.str();
  return parsed;
}

TEST(CommandLine, ArgumentsAreWhatWasWritten) {
  for (const char* word : {"[1,2]", "{}", "", "-", "-1", "-1,2", "%%", "[]",
                           "a b", "/x", "stop"}) {
    const Parsed parsed = Parse({"run", word});
    EXPECT_EQ(parsed.exit_code, kExitOk) << word << ": " << parsed.err;
    EXPECT_THAT(parsed.words, ElementsAre(word));
  }
  EXPECT_THAT(Parse({"run", "[1,2]", "--count=3", "{}", "--", "--x"}).words,
              ElementsAre("[1,2]", "{}", "--x"));
}

TEST(CommandLine, Counts) {
  EXPECT_EQ(Parse({"run", "x"}).count, 7);
  EXPECT_EQ(Parse({"run", "x", "--count", "0"}).count, 0);
  EXPECT_EQ(Parse({"run", "x", "--count", "-1"}).exit_code, kExitBadUsage);
  EXPECT_EQ(Parse({"run", "x", "--count", "many"}).exit_code, kExitBadUsage);
}

TEST(CommandLine, ByteSizes) {
  const auto run = [](const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    Console console;
    console.out = &out;
    console.err = &err;
    CommandLine command_line("program", "", "");
    Subcommand command = command_line.Add("run", "", "The footer.");
    int64_t any = 7, small = 8;
    command.ByteSize("--any", "", &any);
    command.ByteSize("--small", "how much", &small, {1, 1024});
    command.Run([](Console*) { return true; });
    const int exit_code = command_line.Run(arguments, &console);
    return absl::StrCat(exit_code, " ", any, " ", small, " ", out.str(),
                        err.str());
  };
  EXPECT_EQ(run({"run"}), "0 7 8 ");
  EXPECT_EQ(run({"run", "--any=1.5GiB", "--small", "1 K"}),
            "0 1610612736 1024 ");
  EXPECT_EQ(run({"run", "--small=1025"}),
            "2 7 8 program: error: --small: 1025 is not from 1 to 1024 bytes\n"
            "Run 'program run --help' for usage and examples.\n");
  EXPECT_THAT(run({"run", "--any", "-1"}),
              HasSubstr("error: --any: -1 is not from 0 to 9223372036854775807 "
                        "bytes\n"));
  EXPECT_THAT(run({"run", "--any=1X"}),
              HasSubstr("error: --any: 1X is not a number of bytes"));
  EXPECT_THAT(run({"run", "--any=1", "--any=1"}),
              HasSubstr("--any is given more than once"));
  // Once, behind the footer.
  EXPECT_THAT(run({"run", "--help"}),
              HasSubstr(absl::StrCat("  how much\n\nThe footer.\n\n",
                                     kByteSizeHelp, "\n")));
}

// Descriptions are wrapped to the terminal, or to 80 columns where it is none,
// and an option goes by its old name, too.
TEST(CommandLine, HelpFitsTheTerminal) {
  const auto help = [](int columns, std::vector<std::string> arguments) {
    std::ostringstream out;
    std::ostringstream err;
    Console console;
    console.out = &out;
    console.err = &err;
    console.out_display.columns = columns;
    CommandLine command_line("program", "", "");
    Subcommand command = command_line.Add("run", "Runs", "");
    int64_t number = 0;
    command.Count("-n,--new-name",
                  "as many words as it takes to have more than one line of "
                  "them on any terminal that people use",
                  &number);
    command.OldName("--old-name", "--new-name");
    command.Run([&](Console*) {
      out << number;
      return true;
    });
    command_line.Run(std::move(arguments), &console);
    return out.str() + err.str();
  };
  EXPECT_THAT(
      help(60, {"run", "--help"}),
      HasSubstr("  -n,--new-name N             as many words as it takes "
                "to\n                              have more than one "
                "line of\n"));
  EXPECT_THAT(help(kUnlimitedColumns, {"help", "run"}),
              HasSubstr("takes to have more than one\n      "));
  EXPECT_THAT(help(80, {"help", "run"}), Not(HasSubstr("old-name")));
  EXPECT_EQ(help(80, {"run", "--old-name", "3"}), "3");
  EXPECT_EQ(help(80, {"run", "-n", "4"}), "4");
  EXPECT_THAT(help(80, {"run", "--old-name=3", "-n", "4"}),
              HasSubstr("--new-name is given more than once"));
  EXPECT_THAT(help(80, {"run", "--nwe-name=3"}),
              HasSubstr("there is no option --nwe-name; did you mean "
                        "--new-name?\nRun 'program run --help'"));
  EXPECT_THAT(help(80, {"rnu"}),
              HasSubstr("there is no subcommand rnu; did you mean run?\n"));
  EXPECT_THAT(help(80, {"help", "rnu"}),
              HasSubstr("there is no subcommand rnu; did you mean run?\n"));
  EXPECT_THAT(help(80, {"run", "x"}), HasSubstr("unexpected argument x\n"));
  for (const auto& [arguments, message] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"run", "\x1b[2Jx"}, "unexpected argument ?[2Jx\n"},
           {{"run", "--\x1b[2J=3"}, "there is no option --?[2J\n"},
           {{"\x1b[2J"}, "there is no subcommand ?[2J\n"},
           {{"run", "-n", "\x1b[2J"},
            "--new-name: ?[2J is not a whole number from 0 to "
            "9223372036854775807\n"}}) {
    EXPECT_THAT(help(80, arguments), HasSubstr(message));
  }
}

TEST(CommandLine, BadUsageNamesTheHelp) {
  EXPECT_EQ(Parse({}).exit_code, kExitBadUsage);
  EXPECT_THAT(Parse({}).err, HasSubstr("Run 'program --help'"));
  EXPECT_THAT(Parse({"walk"}).err, HasSubstr("there is no subcommand walk\n"));
  EXPECT_THAT(Parse({"--walk"}).err, HasSubstr("there is no option --walk\n"));
  EXPECT_EQ(Parse({"run"}).exit_code, kExitBadUsage);
  EXPECT_THAT(Parse({"run"}).err, HasSubstr("WORD is required"));
  EXPECT_THAT(Parse({"run"}).err, HasSubstr("Run 'program run --help'"));
}

TEST(CommandLine, OptionsTakenTogether) {
  const auto run = [](const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    Console console;
    console.out = &out;
    console.err = &err;
    CommandLine command_line("program", "", "");
    command_line.AddVersion("program 1.2", "Zlib");
    Subcommand command = command_line.Add("run", "", "");
    std::vector<std::string> values;
    bool has_run = false;
    command.Values("--each", "N", "", [&values](const std::string& value) {
      values.push_back(value);
      return value == "x" ? "x is none" : "";
    });
    command.Run([&has_run](Console*) { return has_run = true; },
                [&values] { return values.size() > 2 ? "too many" : ""; });
    // Never asked for, nor is what is wrong with it.
    command_line.Add("stop", "", "")
        .Run([](Console*) { return false; }, [] { return "never"; });
    const int exit_code = command_line.Run(arguments, &console);
    EXPECT_EQ(has_run, exit_code == kExitOk && out.str().empty());
    return absl::StrCat(exit_code, " ", out.str(), err.str());
  };
  EXPECT_EQ(run({"run"}), "0 ");
  EXPECT_EQ(run({"run", "--each=1", "--each", "[1,2]"}), "0 ");
  EXPECT_EQ(run({"run", "--each=1", "--each=2", "--each=3"}),
            "2 program: error: too many\n"
            "Run 'program run --help' for usage and examples.\n");
  EXPECT_EQ(run({"run", "--each=1", "--each=x"}),
            "2 program: error: --each: x is none\n"
            "Run 'program run --help' for usage and examples.\n");
  EXPECT_EQ(run({"--version"}), "0 program 1.2\n");
  EXPECT_EQ(run({"-V"}), "0 program 1.2\n");
  EXPECT_EQ(run({"--licenses"}), "0 Zlib\n");
  EXPECT_EQ(run({"--licenses", "--version"}), "0 program 1.2\n\nZlib\n");
}

// Runs `program do ...`, a group of `run` and `stop`, of which `run` is the
// default, and returns what ran with its words.
std::string RunGroup(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  Console console;
  console.out = &out;
  console.err = &err;
  CommandLine command_line("program", "", "");
  SubcommandGroup group = command_line.AddGroup("do", "run", "", "");
  std::vector<std::string> words, options;
  std::string ran;
  std::optional<std::string> text;
  for (const char* name : {"run", "stop"}) {
    Subcommand command = group.Add(name, "", "");
    command.Arguments("WORD", "", Subcommand::kOptional, &words);
    if (std::string_view(name) == "run") {
      command.Texts("--each", "TEXT", "", &options);
      command.Text("--text", "TEXT", "", &text);
      command.Value("--even", "N", "", [](const std::string& value) {
        return value == "2" ? "" : value + " is odd";
      });
    }
    command.Run([&ran, name](Console*) {
      ran = name;
      return true;
    });
  }
  const int exit_code = command_line.Run(arguments, &console);
  if (exit_code != kExitOk) return err.str();
  std::string result = ran;
  for (const std::string& option : options) result += " each=" + option;
  if (text.has_value()) result += " text=" + *text;
  return result;
}

TEST(CommandLine, Groups) {
  EXPECT_EQ(RunGroup({"do", "run", "x"}), "run");
  EXPECT_EQ(RunGroup({"do", "stop", "run"}), "stop");
  EXPECT_EQ(RunGroup({"do", "x.txt", "stop"}), "run");
  EXPECT_EQ(RunGroup({"do"}), "run");
  EXPECT_EQ(RunGroup({"do", "./stop"}), "run");
  EXPECT_EQ(RunGroup({"do", "--each=[1,2]", "--each", "{}", "x"}),
            "run each=[1,2] each={}");
  EXPECT_EQ(RunGroup({"do", "--text", "[1,2]"}), "run text=[1,2]");
  EXPECT_EQ(RunGroup({"do", "--even=2"}), "run");
  EXPECT_EQ(RunGroup({"do", "--even=3"}),
            "program: error: --even: 3 is odd\n"
            "Run 'program do run --help' for usage and examples.\n");
  EXPECT_THAT(RunGroup({"do", "stop", "--each=1"}),
              HasSubstr("Run 'program do stop --help'"));
}

}  // namespace
}  // namespace tessera::cli
