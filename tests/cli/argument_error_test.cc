#include "tessera/cli/output/argument_error.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/parser/parser.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kHint[] =
    "; this is a file name; pass its contents: \"$(cat FILE)\"";

std::string Printed(const std::string& argument, const absl::Status& error) {
  std::ostringstream err;
  Console console;
  console.err = &err;
  PrintArgumentError(argument, error, &console);
  return err.str();
}

std::string NewFile() {
  const std::string name = absl::StrCat(getenv("TEST_TMPDIR"), "/shape.txt");
  std::ofstream(name) << "f32[2]";
  return name;
}

TEST(ArgumentError, Example) {
  EXPECT_EQ(Printed("f32[3", ParseShape("f32[3").status()),
            "<argument>:1:6: error: in dimensions: expected ',' or ']', found "
            "end of text\n"
            "  f32[3\n"
            "       ^\n");
}

TEST(ArgumentError, WithoutAPlaceIsWhereTheArgumentBegins) {
  EXPECT_EQ(Printed(" x", absl::InvalidArgumentError("bad")),
            "<argument>:1:2: error: bad\n   x\n   ^\n");
}

TEST(ArgumentError, OnlyAFileIsCalledOne) {
  const std::string file = NewFile();
  const absl::Status error = absl::InvalidArgumentError("bad");
  EXPECT_THAT(Printed(file, error), HasSubstr(kHint));
  EXPECT_THAT(Printed(file, absl::OutOfRangeError("far")),
              Not(HasSubstr(kHint)));
  EXPECT_THAT(Printed(file + "x", error), Not(HasSubstr(kHint)));
  EXPECT_THAT(Printed(getenv("TEST_TMPDIR"), error), Not(HasSubstr(kHint)));
}

TEST(ArgumentError, EveryDoorSaysSo) {
  const std::string file = NewFile();
  const std::vector<std::vector<std::string>> commands = {
      {"parse", file},
      {"describe", file},
      {"index", file, "0"},
      {"coords", file, "0"},
      {"runs", file},
      {"padding", file},
      {"compare", file, file},
      {"draw", file},
      {"draw", "--family=tt", file},
      {"cute", file},
      {"tt", "describe", file},
  };
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = RunCommand(command);
    EXPECT_EQ(outcome.exit_code, 1) << command[0];
    EXPECT_THAT(outcome.err, HasSubstr(kHint)) << command[0];
  }
}

TEST(ArgumentError, DoorsNameTheNearestShape) {
  for (const char* command : {"describe", "draw", "index", "coords"}) {
    std::vector<std::string> arguments = {command, "float32[3,5]{T(2,2)}"};
    if (command[0] == 'i') arguments.push_back("2,3");
    if (command[0] == 'c') arguments.push_back("17");
    EXPECT_THAT(RunCommand(arguments).err,
                HasSubstr("found 'float32'; XLA calls it f32; did you mean "
                          "f32[3,5]{1,0:T(2,2)}?\n"))
        << command;
  }
  EXPECT_THAT(RunCommand({"parse", "float32[8]"}).err,
              Not(HasSubstr("did you mean")));
}

}  // namespace
}  // namespace tessera::cli
