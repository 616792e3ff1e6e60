// `tessera tt report` and `tessera tt check` of files.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kFunction[] = R"(#l1 = #ttnn.buffer_type<l1>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
func.func @f(%arg0: tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a> {
  %0 = "ttnn.relu"(%arg0) : (tensor<32x32xbf16, #a>) -> tensor<32x32xbf16, #a>
  return %0 : tensor<32x32xbf16, #a>
}
)";

TEST(TtReport, NamesTheOperationThatFillsL1) {
  const Outcome outcome = RunCommand({"tt", "report", "-"}, kFunction);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(
      outcome.out,
      AllOf(StartsWith("<stdin>\n  1 tensor in 5 places, 1 layout in 1 place, "
                       "0 memrefs in 0 places\n"),
            HasSubstr("(wormhole_b0, assumed)"),
            HasSubstr("@f: peak of L1 4.00 KiB of each bank"),
            HasSubstr("at operation 1, ttnn.relu, line 4"),
            HasSubstr("operations: 2, 1 of which could be sharded: 1 (100.0%) "
                      "sharded in L1")));
}

TEST(TtReport, BudgetsSetTheExitCode) {
  EXPECT_EQ(
      RunCommand({"tt", "report", "-", "--max-l1=4096"}, kFunction).exit_code,
      0);
  EXPECT_EQ(
      RunCommand({"tt", "report", "-", "--must-fit"}, kFunction).exit_code, 0);
  const Outcome over =
      RunCommand({"tt", "report", "-", "--max-l1=4095"}, kFunction);
  EXPECT_EQ(over.exit_code, 1);
  EXPECT_EQ(over.err,
            "<stdin>: error: @f needs 4.00 KiB (4096 B) of each bank of L1 at "
            "ttnn.relu in line 4, more than 4.00 KiB (4095 B)\n");
  // The budget is for every function, not for those that are printed.
  std::string two = kFunction;
  two.append(std::string(kFunction).substr(two.find("func.func")));
  two.replace(two.rfind("@f"), 2, "@g");
  for (const char* top : {"--top=0", "--top=1", "--top=10"}) {
    EXPECT_EQ(RunCommand({"tt", "report", "-", "--max-l1=4095", top}, two).err,
              over.err +
                  "<stdin>: error: @g needs 4.00 KiB (4096 B) of each bank "
                  "of L1 at ttnn.relu in line 8, more than 4.00 KiB "
                  "(4095 B)\n")
        << top;
  }
  EXPECT_EQ(RunCommand({"tt", "report", "-", "--must-fit", "--l1-bytes=1KiB"},
                       kFunction)
                .exit_code,
            1);
}

TEST(TtReport, SizesAreFound) {
  const std::string message =
      "Out of Memory: Not enough space to allocate 2048 B L1 buffer across 1 "
      "banks, where each bank needs to store 2048 B";
  EXPECT_THAT(
      RunCommand({"tt", "report", "-", "--oom", message}, kFunction).out,
      HasSubstr("2,048 B are taken by:\n"));
  EXPECT_THAT(RunCommand({"tt", "report", "-", "--bytes=77"}, kFunction).out,
              HasSubstr("no tensor or memref of the text takes 77 B\n"));
  const Outcome wrong =
      RunCommand({"tt", "report", "-", "--oom=nothing"}, kFunction);
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("expected a message such as"));
  EXPECT_EQ(RunCommand({"tt", "report", "-", "--oom=x", "--bytes=1"}).exit_code,
            2);
}

TEST(TtReport, FormatsForPrograms) {
  EXPECT_THAT(RunCommand({"tt", "report", "-", "--format=csv"}, kFunction).out,
              AllOf(StartsWith("file,kind,line,column,uses,"),
                    HasSubstr("\n<stdin>,tensor,3,21,5,0,ttnn_layout,l1,"
                              "block_sharded,32x32,")));
  EXPECT_THAT(RunCommand({"tt", "report", "-", "--format=json"}, kFunction).out,
              AllOf(StartsWith("{\"file\":\"<stdin>\","),
                    HasSubstr("\"bytes_per_bank\":4096")));
  const std::string page =
      RunCommand({"tt", "report", "-", "--html=-"}, kFunction).out;
  EXPECT_THAT(page, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("@f: peak"),
                          Not(HasSubstr("tensor<32x32"))));
}

TEST(TtReport, FilesThatCannotBeRead) {
  const Outcome missing = RunCommand({"tt", "report", "/no/such/file.mlir"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.err,
            "/no/such/file.mlir: error: cannot be read: No such file or "
            "directory\n");
  const Outcome undefined = RunCommand(
      {"tt", "report", "-"}, "%0 = \"a.b\"() : () -> tensor<2xf32, #layout>");
  EXPECT_EQ(undefined.exit_code, 1);
  EXPECT_THAT(undefined.out, HasSubstr("#layout has no definition"));
}

TEST(TtCheckFile, ReadsAttributesMemRefsAndOperations) {
  EXPECT_EQ(
      RunCommand({"tt", "check",
                  "memref<1x1x2x4x!ttcore.tile<32x32, f32>, "
                  "#ttcore.shard<16384x4096, 1>, #ttcore.memory_space<l1>>"})
          .out,
      "<argument>: ok, 0 tensors, 0 layouts, 1 memref\n");
  EXPECT_EQ(
      RunCommand({"tt", "check",
                  "#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                  "memref<1x2x!ttcore.tile<32x32, bf16>, "
                  "#ttnn.buffer_type<dram>>, <interleaved>>"})
          .out,
      "<argument>: ok, 0 tensors, 1 layout, 0 memrefs\n");
}

TEST(TtCheckFile, FindingsHaveALineAndACaret) {
  std::string text = kFunction;
  text.replace(text.find("(0,0), (0,0)"), 12, "(1,0), (0,0)");
  const Outcome outcome = RunCommand({"tt", "check", "-"}, text);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out,
            "<stdin>:3:21: error: core-ranges: Start coordinates (1,0) must be "
            "less than or equal to end coordinates (0,0)\n"
            "  func.func @f(%arg0: tensor<32x32xbf16, #a>) -> "
            "tensor<32x32xbf16, #a> {\n"
            "                      ^\n"
            "  in 1 type in 5 places\n");
  EXPECT_EQ(RunCommand({"tt", "check", "-"}, kFunction).out,
            "<stdin>: ok, 1 tensor, 1 layout, 0 memrefs\n");
}

// Lines of tensors get one answer each, as before.
TEST(TtCheckFile, LinesOfTensorsStayLines) {
  const std::string line =
      "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, "
      "memref<8x150xf32, #tt.memory_space<l1>>>>\n";
  EXPECT_EQ(RunCommand({"tt", "check", "-"}, line + "\n" + line).out,
            "ok; memref<8x150xf32, #tt.memory_space<l1>>\n\n"
            "ok; memref<8x150xf32, #tt.memory_space<l1>>\n");
}

}  // namespace
}  // namespace tessera::cli
