// FILE:LINE and --aliases, in every command that takes a tensor.

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kMlir[] =
    "#dram = #ttnn.buffer_type<dram>\n"
    "#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<32x64xf32, #dram>, <interleaved>>\n"
    "func.func @f(%0: tensor<32x64xf32, #layout>, %1: tensor<16x64xf32, "
    "#layout>) { return }\n";

class TensorArgumentTest : public ::testing::Test {
 protected:
  TensorArgumentTest() : name_(testing::TempDir() + "/tensor_argument.mlir") {
    std::ofstream(name_) << kMlir;
  }

  std::string name_;
};

TEST_F(TensorArgumentTest, ALineOfAFile) {
  const std::string line = absl::StrCat(name_, ":3");
  const Outcome described = RunCommand({"tt", "describe", line});
  EXPECT_EQ(described.exit_code, kExitOk);
  EXPECT_THAT(described.out, HasSubstr("shape           32x64\n"));
  EXPECT_THAT(described.out, HasSubstr("shape           16x64\n"));
  const Outcome index = RunCommand({"tt", "index", line, "3,5"});
  EXPECT_EQ(index.exit_code, kExitOk);
  EXPECT_THAT(index.out, HasSubstr("page      3, byte 20\n"));
  EXPECT_EQ(RunCommand({"draw", line, "--window=0:2,0:4"}).exit_code, kExitOk);
}

TEST_F(TensorArgumentTest, AliasesOfAFile) {
  const std::string tensor = "tensor<8x64xf32, #layout>";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"tt", "describe", tensor},
        {"tt", "index", tensor, "3,5"},
        {"draw", tensor, "--window=0:2,0:4"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--aliases", name_});
    EXPECT_EQ(RunCommand(arguments).exit_code, kExitOk) << command[1];
    EXPECT_EQ(RunCommand(command).exit_code, kExitBadInput) << command[1];
  }
}

TEST_F(TensorArgumentTest, Errors) {
  const Outcome empty = RunCommand({"tt", "describe", name_ + ":1"});
  EXPECT_EQ(empty.exit_code, kExitBadInput);
  EXPECT_THAT(empty.err, HasSubstr("line 1 has no tensor with a layout"));
  const Outcome missing = RunCommand(
      {"tt", "describe", "tensor<8xf32, #l>", "--aliases", name_ + ".none"});
  EXPECT_EQ(missing.exit_code, kExitBadInput);
  EXPECT_THAT(missing.err, StartsWith(name_ + ".none"));
}

}  // namespace
}  // namespace tessera::cli
