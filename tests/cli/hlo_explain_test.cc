// `tessera hlo explain`, and what other commands say of the same texts.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cli/output/exit_code.h"
#include "tests/cli/run.h"

namespace tessera {
namespace cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kCopy[] =
    "%copy.6 = f16[2,128,128]{2,1,0} copy(f16[2,128,128]{1,2,0} %b)";

std::string Message(const char* name) {
  return absl::StrCat("tests/hlo/data/messages/", name);
}

std::string Contents(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

// As files, arguments and standard input they are the same.
TEST(HloExplain, OneAnswerHoweverTheTextComes) {
  for (const char* name : {"e1000.txt", "e1001.txt", "window.txt",
                           "tpu_list.txt", "gpu_list.txt", "vmem_list.txt"}) {
    const Outcome outcome = RunCommand({"hlo", "explain", Message(name)});
    EXPECT_EQ(outcome.exit_code, kExitOk) << name;
    EXPECT_EQ(outcome.err, "") << name;
    const std::string text = Contents(Message(name));
    EXPECT_EQ(RunCommand({"hlo", "explain", text}).out, outcome.out) << name;
    EXPECT_EQ(RunCommand({"hlo", "explain", "-"}, text).out, outcome.out)
        << name;
  }
}

// The reviews of September's release asked for these, text by text.
TEST(HloExplain, SaysWhatIsPaddedAndWhatIsNot) {
  const std::string list =
      RunCommand({"hlo", "explain", Message("tpu_list.txt")}).out;
  EXPECT_THAT(list, HasSubstr("dim 2: 4->128"));
  EXPECT_THAT(list, HasSubstr("element: 8->32 bits"));
  EXPECT_THAT(list, HasSubstr("2 x 1.00 GiB f32[524288,512]{1,0:T(8,128)}"));
  const std::string vmem =
      RunCommand({"hlo", "explain", Message("vmem_list.txt")}).out;
  EXPECT_THAT(vmem, HasSubstr("f32[128,6]{1,0:T(8,128)}"));
  EXPECT_THAT(vmem, HasSubstr("scratch operand"));
  const std::string window =
      RunCommand({"hlo", "explain", Message("window.txt")}).out;
  EXPECT_THAT(window, HasSubstr("f32[4096,8192] of the operand "
                                "f32[8192,8192] is in 2 buffers of 128.0 MiB"));
  EXPECT_THAT(window, HasSubstr("f32[256,8192]"));
  EXPECT_THAT(window, HasSubstr("the default of v5e"));
  const std::string totals =
      RunCommand({"hlo", "explain", Message("e1000.txt")}).out;
  EXPECT_THAT(totals, HasSubstr("XLA_FLAGS=--xla_dump_to=DIR"));
  EXPECT_THAT(totals, HasSubstr("'tessera hlo peak DIR'"));
  const std::string scoped =
      RunCommand({"hlo", "explain", Message("e1001.txt")}).out;
  EXPECT_THAT(scoped, HasSubstr("custom-call scoped.1"));
  EXPECT_THAT(scoped, HasSubstr("limit is 16.0 MiB"));
  EXPECT_THAT(scoped, HasSubstr("vmem_limit_bytes"));
}

TEST(HloExplain, Instructions) {
  const Outcome copy = RunCommand({"hlo", "explain", kCopy});
  EXPECT_EQ(copy.exit_code, kExitOk);
  EXPECT_THAT(copy.out, HasSubstr("the elements move: operand and result "
                                  "differ in the order of dimensions\n"));
  EXPECT_THAT(
      RunCommand({"hlo", "explain",
                  "%t = f8e4m3fn[4096,12288]{1,0} transpose(f8e4m3fn[12288,"
                  "4096]{0,1} %p), dimensions={1,0}"})
          .out,
      HasSubstr("nothing moves"));
}

// Nothing is printed where nothing was read, and the words are those of the
// text's own language.
TEST(HloExplain, WhatIsNotExplained) {
  struct Case {
    std::string text;
    std::string want;
  };
  const Case cases[] = {
      {"hello",
       "expected a message about memory, a buffer assignment, an HLO "
       "instruction or Layout(major_to_minor=...), found 'hello'"},
      {"", "the text is empty"},
      {"f32[9,130]{1,0:T(8,128)}", "'tessera describe' reads shapes"},
      {"HloModule m\nENTRY e { ROOT x = f32[] parameter(0) }",
       "this is HLO text; 'tessera hlo peak' says what memory it takes"},
      {"module @m { stablehlo.add }",
       "this is StableHLO, which has no layouts"},
      {"Layout(major_to_minor=(0, x))", "expected an integer, found 'x'"},
      {"f32[3] Layout(major_to_minor=(0, 1))",
       "the layout has 2 dimensions, but f32[3] has 1"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = RunCommand({"hlo", "explain", "-"}, c.text);
    EXPECT_EQ(outcome.exit_code, kExitBadInput) << c.text;
    EXPECT_EQ(outcome.out, "") << c.text;
    EXPECT_THAT(outcome.err, StartsWith("<stdin>:")) << c.text;
    EXPECT_THAT(outcome.err, HasSubstr(c.want)) << c.text;
  }
}

TEST(HloExplain, OtherCommandsSayWhatTheTextIs) {
  for (const char* command : {"peak", "report", "map", "cat", "instructions"}) {
    for (const char* name : {"e1000.txt", "tpu_list.txt", "stablehlo.mlir"}) {
      const Outcome outcome = RunCommand({"hlo", command, Message(name)});
      EXPECT_EQ(outcome.exit_code, kExitBadInput) << command;
      EXPECT_EQ(outcome.out, "") << command;
      EXPECT_THAT(outcome.err, StartsWith(Message(name) + ": error: this is "))
          << command;
      EXPECT_THAT(outcome.err, Not(HasSubstr("expected"))) << command;
    }
  }
  EXPECT_EQ(
      RunCommand({"hlo", "peak", Message("e1000.txt")}).err,
      Message("e1000.txt") +
          ": error: this is a message about memory, not a module; 'tessera "
          "hlo explain' reads it\n");
}

TEST(HloExplain, LayoutCommandsSayWhatTheTextIs) {
  struct Case {
    const char* text;
    const char* want;
  };
  constexpr Case kCases[] = {
      {kCopy,
       "this is an HLO instruction, not a layout; 'tessera hlo explain' reads "
       "it"},
      {"Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))",
       "this is a layout of JAX; 'tessera hlo explain' says how XLA writes it"},
      {"RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 2.00G "
       "of 1.00G hbm.",
       "this is a message about memory, not a layout; 'tessera hlo explain' "
       "reads it"},
  };
  for (const Case& c : kCases) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"describe", c.text},
                                               {"compare", c.text, "f32[2]"},
                                               {"compare", "f32[2]", c.text},
                                               {"draw", c.text}}) {
      const Outcome outcome = RunCommand(command);
      EXPECT_EQ(outcome.exit_code, kExitBadInput) << c.text;
      EXPECT_EQ(outcome.out, "") << c.text;
      EXPECT_THAT(outcome.err, HasSubstr(c.want)) << command[0];
    }
  }
}

TEST(HloExplain, AssignmentWithWhatStandsBesideIt) {
  const std::string file =
      "tests/hlo/data/assignments/apart-buffer-assignment.txt";
  const Outcome outcome = RunCommand({"hlo", "explain", file});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("at step"));
  // From standard input there is nothing beside it.
  const Outcome alone = RunCommand({"hlo", "explain", "-"}, Contents(file));
  EXPECT_EQ(alone.exit_code, kExitOk);
  EXPECT_THAT(alone.out, HasSubstr("peak: at most 3.64 KiB"));
  EXPECT_THAT(alone.out, HasSubstr("--xla_dump_buffer_assignment_analysis"));
}

TEST(HloExplain, NoSuchFile) {
  const Outcome outcome = RunCommand({"hlo", "explain", "no_such_file.txt"});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("found 'no_such_file.txt'"));
}

TEST(HloExplain, Json) {
  const Outcome outcome =
      RunCommand({"hlo", "explain", Message("e1000.txt"), "--format=json"});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.out, StartsWith("{\"kind\":\"a message about memory\","));
  EXPECT_THAT(outcome.out, HasSubstr("\"error_code\":\"E1000\""));
}

}  // namespace
}  // namespace cli
}  // namespace tessera
