// The report on HLO text as JSON, and what can go wrong with files.

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cli/json.h"
#include "tests/cli/run.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kModule[] = R"(HloModule m
f {
  ROOT p = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)
}
ENTRY main {
  x = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)
  y = bf16[9,130]{1,0:T(8,128)(2,1)S(1)} fusion(bf16[9,130] x), calls=f
  c = s32[2] constant({1,
    2})
  ROOT t = (bf16[9,130]{1,0:T(8,128)(2,1)S(1)}, s32[2]) tuple(y, c)
}
)";

std::vector<Json> JsonLines(const std::string& text) {
  std::vector<Json> lines;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    lines.push_back(Json::parse(line));
  }
  return lines;
}

std::vector<std::string> Keys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST(HloCommand, JsonReport) {
  const Outcome outcome = RunCommand({"hlo", "-", "--format=json"}, kModule);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.exit_code, kExitOk);
  const std::vector<Json> lines = JsonLines(outcome.out);
  ASSERT_EQ(lines.size(), 1);
  const Json& report = lines[0];
  EXPECT_THAT(
      Keys(report),
      ElementsAre("file", "modules", "computations", "instructions", "roots",
                  "operands", "diagnostics", "distinct_shapes",
                  "instructions_without_shape", "skipped_arrays", "arrays",
                  "unpadded_bytes", "padded_bytes", "by_memory_space",
                  "by_element_type", "largest", "most_wasteful"));
  EXPECT_EQ(report["file"], "<stdin>");
  EXPECT_EQ(report["modules"], 1);
  EXPECT_EQ(report["computations"], 2);
  EXPECT_EQ(report["instructions"], 5);
  EXPECT_EQ(report["roots"], 2);
  EXPECT_EQ(report["operands"], 3);
  EXPECT_EQ(report["distinct_shapes"], 4);
  EXPECT_EQ(report["unpadded_bytes"], 4 * 2340 + 2 * 8);
  EXPECT_EQ(report["padded_bytes"], 4 * 8192 + 2 * 8);
  EXPECT_EQ(report["by_memory_space"].dump(),
            R"({"0":{"name":"HBM","arrays":4,"unpadded_bytes":4696,)"
            R"("padded_bytes":16400},"1":{"name":"VMEM","arrays":2,)"
            R"("unpadded_bytes":4680,"padded_bytes":16384}})");
  EXPECT_EQ(report["by_element_type"]["s32"]["arrays"], 2);
  EXPECT_EQ(report["most_wasteful"][0].dump(),
            R"({"shape":"bf16[9,130]{1,0:T(8,128)(2,1)}","count":2,)"
            R"("unpadded_bytes":2340,"padded_bytes":8192,)"
            R"("factor":3.500854700854701,"total_padded_bytes":16384,)"
            R"("total_padding_bytes":11704,"most_padded":)"
            R"({"dimensions":[1],"bound":130,"padded":256}})");
}

TEST(HloCommand, JsonInstructions) {
  const Outcome outcome =
      RunCommand({"hlo", "-", "--instructions", "--format=json"}, kModule);
  EXPECT_EQ(outcome.exit_code, kExitOk);
  const std::vector<Json> lines = JsonLines(outcome.out);
  ASSERT_EQ(lines.size(), 5);
  EXPECT_EQ(lines[0].dump(),
            R"({"module":"m","computation":"f","name":"p","root":true,)"
            R"("shape":"bf16[9,130]{1,0:T(8,128)(2,1)}",)"
            R"("opcode":"parameter","operands":[],"operand_text":"0",)"
            R"("attributes":{}})");
  EXPECT_EQ(lines[2].dump(),
            R"({"module":"m","computation":"main","name":"y","root":false,)"
            R"("shape":"bf16[9,130]{1,0:T(8,128)(2,1)S(1)}",)"
            R"("opcode":"fusion","operands":["x"],)"
            R"("attributes":{"calls":"f"}})");
  EXPECT_THAT(Keys(lines[4]),
              ElementsAre("module", "computation", "name", "root", "shape",
                          "opcode", "operands", "attributes"));
}

TEST(HloCommand, TextInstructions) {
  EXPECT_EQ(RunCommand({"hlo", "-", "--instructions"}, kModule).out,
            "f: ROOT p = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)\n"
            "main: x = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)\n"
            "main: y = bf16[9,130]{1,0:T(8,128)(2,1)S(1)} fusion(x)\n"
            "main: c = s32[2]{0} constant({1,     2})\n"
            "main: ROOT t = (bf16[9,130]{1,0:T(8,128)(2,1)S(1)}, s32[2]{0}) "
            "tuple(y, c)\n");
}

TEST(HloCommand, OneObjectAFile) {
  const std::string folder = "tests/hlo/data/";
  const Outcome outcome =
      RunCommand({"hlo", folder + "while.hlo", folder + "import_async.hlo",
                  "--format=json"});
  const std::vector<Json> lines = JsonLines(outcome.out);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0]["file"], folder + "while.hlo");
  EXPECT_EQ(lines[0]["modules"], 1);
  EXPECT_EQ(lines[1]["modules"], 18);
}

TEST(HloCommand, Top) {
  const Outcome outcome = RunCommand(
      {"hlo", "tests/hlo/data/while.hlo", "--format=json", "--top", "2"});
  EXPECT_EQ(JsonLines(outcome.out)[0]["largest"].size(), 2);
}

TEST(HloCommand, AFileThatIsNotThereIsSaidAndTheRestReported) {
  const Outcome outcome =
      RunCommand({"hlo", "no/such/file", "tests/hlo/data/while.hlo"});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.err,
            "no/such/file: error: cannot be read: No such file or directory\n");
  EXPECT_THAT(outcome.out, StartsWith("tests/hlo/data/while.hlo\n"));
}

TEST(HloCommand, AFolderIsNoFile) {
  EXPECT_EQ(RunCommand({"hlo", "tests"}).err,
            "tests: error: cannot be read: Is a directory\n");
}

TEST(HloCommand, RelativePathsStartAtTheWorkingDirectory) {
  std::istringstream in;
  std::ostringstream out, err;
  Console console;
  console.in = &in;
  console.out = &out;
  console.err = &err;
  console.working_directory = "tests/hlo";
  EXPECT_EQ(RunTessera({"hlo", "data/while.hlo"}, &console), kExitOk);
  EXPECT_THAT(out.str(), StartsWith("data/while.hlo\n"));
}

TEST(HloCommand, WhatCannotBeReadIsSaidAndTheRestReported) {
  const Outcome outcome = RunCommand({"hlo", "-", "--format=json"},
                                     "ENTRY main {\n"
                                     "  x = f32[2{0} parameter(0)\n"
                                     "  ROOT y = f32[4] parameter(1)\n"
                                     "}\n");
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, StartsWith("<stdin>:2:"));
  EXPECT_THAT(outcome.err, HasSubstr(": error: "));
  const std::vector<Json> lines = JsonLines(outcome.out);
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(lines[0]["diagnostics"], 1);
  EXPECT_EQ(lines[0]["unpadded_bytes"], 16);
}

TEST(HloCommand, ManyErrorsAreSummedUp) {
  std::string text = "ENTRY main {\n";
  for (int i = 0; i < 150; ++i) text += "  x = f32[2{0} parameter(0)\n";
  const Outcome outcome = RunCommand({"hlo", "-"}, text + "}\n");
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("<stdin>:101:"));
  EXPECT_THAT(outcome.err,
              ::testing::EndsWith("<stdin>: error: 50 more errors\n"));
}

TEST(HloCommand, NothingAtAll) {
  EXPECT_EQ(RunCommand({"hlo", "-"}, "").out,
            "<stdin>\n"
            "  0 modules, 0 computations, 0 instructions, 0 distinct shapes\n"
            "  0 arrays of 0 B in all, none of it padding,\n"
            "  counting the result of every instruction as if it had its own "
            "memory\n");
}

// Names and literals may hold any bytes.
TEST(HloCommand, BytesThatAreNotUtf8AreReplaced) {
  const Outcome outcome = RunCommand(
      {"hlo", "-", "--instructions", "--format=json"},
      "ENTRY main {\n  ROOT x = f32[] constant(1), metadata={n=\"\xff\"}\n}\n");
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(JsonLines(outcome.out)[0]["attributes"]["metadata"],
            "{n=\"\xef\xbf\xbd\"}");
}

}  // namespace
}  // namespace tessera
