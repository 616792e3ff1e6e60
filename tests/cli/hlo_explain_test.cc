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

namespace tessera::cli {
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
                                "f32[8192,8192] takes 2 buffers of 128.0 MiB"));
  EXPECT_THAT(window, HasSubstr("f32[256,8192]"));
  EXPECT_THAT(window, HasSubstr("the default of v5e"));
  const std::string totals =
      RunCommand({"hlo", "explain", Message("e1000.txt")}).out;
  EXPECT_THAT(totals, HasSubstr("XLA_FLAGS=--xla_dump_to=DIR"));
  EXPECT_THAT(totals, HasSubstr("'tessera hlo peak DIR'"));
  const std::string scoped =
      RunCommand({"hlo", "explain", Message("e1001.txt")}).out;
  EXPECT_THAT(scoped, HasSubstr("custom-call scoped.1"));
  EXPECT_THAT(scoped, HasSubstr("limit is 16.00 MiB"));
  EXPECT_THAT(scoped, HasSubstr("vmem_limit_bytes"));
  EXPECT_THAT(scoped, HasSubstr("bf16[256,4096]\n"));
  EXPECT_THAT(scoped,
              HasSubstr("tessera hlo vmem --block 'bf16[256,2048]' --block "
                        "'bf16[256,4096]'"));
}

TEST(HloExplain, EachMessageOfALog) {
  const std::string log = Contents(Message("e1000.txt")) + "Traceback\n" +
                          Contents(Message("e1001.txt")) +
                          Contents(Message("e1001.txt"));
  const Outcome both = RunCommand({"hlo", "explain", "-"}, log);
  EXPECT_EQ(both.exit_code, kExitOk);
  EXPECT_EQ(both.out,
            RunCommand({"hlo", "explain", Message("e1000.txt")}).out + "\n" +
                RunCommand({"hlo", "explain", Message("e1001.txt")}).out);
  std::string many;
  for (int i = 1; i < 30; ++i) {
    absl::StrAppend(&many, "RESOURCE_EXHAUSTED: Out of memory allocating ", i,
                    " bytes.\n");
  }
  EXPECT_THAT(
      RunCommand({"hlo", "explain", "-"}, many).out,
      HasSubstr("The text has more messages than the first 10, which are "
                "explained."));
}

TEST(HloExplain, ProgramsThatCannotBeLoaded) {
  const std::string text =
      RunCommand({"hlo", "explain",
                  "RESOURCE_EXHAUSTED: Error loading program 'jit_step': "
                  "Attempting to reserve 8.57G at the bottom of memory. That "
                  "was not possible. There are 6.20G free."})
          .out;
  EXPECT_THAT(text, HasSubstr("there was no room for 8.57 GiB when the program "
                              "was loaded; 6.20 GiB of memory was free\n"
                              "  module jit_step\n"));
  const std::string smem =
      RunCommand({"hlo", "explain",
                  "Scoped allocation with size 2.00M and limit 1.00M exceeded "
                  "scoped smem limit by 1.00M."})
          .out;
  EXPECT_THAT(smem, HasSubstr("of scoped SMEM"));
  EXPECT_THAT(smem, Not(HasSubstr("vmem_limit_bytes")));
}

// The blocks in the answer are ones that the command in it says to fit.
TEST(HloExplain, BlocksFit) {
  const std::string scoped =
      RunCommand({"hlo", "explain", Message("e1001_in_python.txt")}).out;
  EXPECT_THAT(scoped, HasSubstr("bf16[512,6144]\n"));
  EXPECT_THAT(
      RunCommand({"hlo", "vmem", "--block", "bf16[512,6144]", "--block",
                  "bf16[512,6144]", "--block", "f32[1,6144]", "--target=v6e"})
          .out,
      HasSubstr("fits"));
  // XLA made this one.
  const std::string fusion =
      RunCommand(
          {"hlo", "explain",
           "Ran out of memory in memory space vmem while allocating on stack "
           "for %fusion.1 = f32[8,128]{1,0:T(8,128)} fusion(%p.1), "
           "kind=kLoop. Scoped allocation with size 20.00M and limit 16.00M "
           "exceeded scoped vmem limit by 4.00M."})
          .out;
  EXPECT_THAT(fusion, HasSubstr("xla_tpu_scoped_vmem_limit_kib"));
  EXPECT_THAT(fusion, Not(HasSubstr("vmem_limit_bytes")));
  // Without the instruction there are no arrays to cut.
  const std::string alone =
      RunCommand({"hlo", "explain",
                  "Scoped allocation with size 40.00M and limit 16.00M "
                  "exceeded scoped vmem limit by 24.00M."})
          .out;
  EXPECT_THAT(alone, HasSubstr("blocks 1/4 as large. If its scratch shrinks "
                               "with them, the kernel needs 10.0 MiB of "
                               "16.0 MiB."));
}

TEST(HloExplain, MessagesWithoutSums) {
  struct Case {
    const char* text;
    const char* want;
  };
  constexpr Case kCases[] = {
      {"  Largest program allocations in hbm:\n  1. Size: 6.00G\n     Shape: "
       "u32[12582912,1]{1,0:T(8,128)}\n",
       "out of memory: the program needs more HBM than there is\n"},
      {"Out of memory while trying to allocate 6291456 bytes.\n"
       "BufferAssignment OOM Debugging.\nPeak buffers:\n\tBuffer 1:\n\t\tSize: "
       "6.00MiB\n\t\tShape: f32[4096,128,3]\n",
       "out of memory: an allocation of 6.00 MiB failed while the program "
       "ran\n"},
      {"BufferAssignment OOM Debugging.\nPeak buffers:\n\tBuffer 1:\n\t\tSize: "
       "6.00MiB\n",
       "out of memory: an allocation failed while the program ran\n"},
      {"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 21474836480 "
       "bytes.",
       "jax.live_arrays()"},
  };
  for (const Case& c : kCases) {
    const Outcome outcome = RunCommand({"hlo", "explain", c.text});
    EXPECT_EQ(outcome.exit_code, kExitOk) << c.text;
    EXPECT_THAT(outcome.out, HasSubstr(c.want)) << c.text;
  }
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

// XLA's lists cut instructions off.
TEST(HloExplain, InstructionsThatAreCutOff) {
  struct Case {
    const char* text;
    const char* want;
    const char* operand;
  };
  constexpr Case kCases[] = {
      {"%fusion.38 = (bf16[32,256]{1,0}, f32[32]{0}) fusion(f32[32]{0} %a.1, "
       "f32[32,512]{1,0} %b.2), kind=kOutput, metadata={op_type=\"Le...",
       "result  {1}", "operand  b.2"},
      {"%fusion.6043 = f32[1,512]{1,0:T(8,128)} fusion(f32[512]{0:T(512)} "
       "%a.1, f32[512]{0:T(512)} %b.2, f32[25...",
       "fusion fusion.6043", "operand  b.2"},
      {"%f = f32[8]{0} fusion(f32[8...", "fusion f\n", ""},
  };
  for (const Case& c : kCases) {
    const Outcome outcome = RunCommand({"hlo", "explain", c.text});
    EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(c.want)) << c.text;
    EXPECT_THAT(outcome.out, HasSubstr(c.operand)) << c.text;
  }
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
       "this is HLO text; 'tessera hlo peak' shows how much memory it takes"},
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
       "this is a layout of JAX; 'tessera hlo explain' shows how XLA writes "
       "it"},
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
  EXPECT_EQ(outcome.err,
            "no_such_file.txt: error: cannot be read: No such file or "
            "directory\n");
  EXPECT_EQ(RunCommand({"hlo", "explain", "tests/hlo/data/messages"}).err,
            "tests/hlo/data/messages: error: this is a folder; 'tessera hlo "
            "peak' reads the dumps in it\n");
}

TEST(HloExplain, Json) {
  const Outcome outcome =
      RunCommand({"hlo", "explain", Message("e1000.txt"), "--format=json"});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.out, StartsWith("{\"kind\":\"a message about memory\","));
  EXPECT_THAT(outcome.out, HasSubstr("\"error_code\":\"E1000\""));
}

}  // namespace
}  // namespace tessera::cli
