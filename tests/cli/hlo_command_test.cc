// The report on HLO text as JSON, and what can go wrong with files.

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/version/version.h"
#include "tessera/report/text/json.h"
#include "tessera/report/text/units.h"
#include "tests/cli/run.h"
#include "tests/hlo/made_proto.h"

namespace tessera::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
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
  for (std::string_view line : SplitViews(text, '\n', absl::SkipEmpty())) {
    lines.push_back(Json::parse(line));
  }
  return lines;
}

std::vector<std::string> Keys(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

constexpr char kScheduled[] = R"(HloModule m, is_scheduled=true
ENTRY main {
  x = f32[256]{0} parameter(0)
  a = f32[256]{0} negate(x)
  b = f32[512]{0} broadcast(a)
  ROOT c = f32[128]{0} slice(b)
}
)";

// The data of a page.
Json PageData(const std::string& html) {
  const std::string tag = "id=\"memory-page\">";
  const size_t begin = html.find(tag) + tag.size();
  return Json::parse(html.substr(begin, html.find("</script", begin) - begin));
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
      ElementsAre(
          "instructions", "instructions_without_shape", "distinct_shapes",
          "total", "by_memory_space", "by_element_type", "largest",
          "most_wasteful", "modules", "diagnostics", "diagnostic_count",
          "is_merely_cut_off", "counted", "modules_without_entry", "file",
          "computations", "target", "skipped_arrays", "module", "computation",
          "by_opcode", "by_layout", "moves", "move_count", "moved_bytes",
          "by_origin", "has_tpu_default_layouts", "tessera_version"));
  EXPECT_EQ(report["file"], "<stdin>");
  EXPECT_EQ(report["modules"].size(), 1);
  EXPECT_EQ(report["computations"], 2);
  EXPECT_EQ(report["instructions"], 5);
  EXPECT_EQ(report["distinct_shapes"], 4);
  EXPECT_EQ(report["target"], "tpu");
  const Json& peak = report["modules"][0]["peak"];
  EXPECT_EQ(peak["module"], "m");
  EXPECT_TRUE(peak["by_memory_space"].is_null());
  EXPECT_EQ(peak["reason"],
            "not scheduled (no is_scheduled=true); assume_text_order uses the "
            "order of the text");
  // The inside of the fusion and the tuple have no buffers.
  EXPECT_EQ(report["counted"], "buffers");
  EXPECT_EQ(report["modules_without_entry"], 0);
  EXPECT_EQ(report["total"]["unpadded_bytes"], 2 * 2340 + 8);
  EXPECT_EQ(report["total"]["padded_bytes"], 2 * 8192 + 8);
  EXPECT_EQ(report["by_memory_space"].dump(),
            R"([{"name":"HBM","arrays":2,"unpadded_bytes":2348,)"
            R"("padded_bytes":8200,"is_saturated":false,"memory_space":0},)"
            R"({"name":"VMEM","arrays":1,"unpadded_bytes":2340,)"
            R"("padded_bytes":8192,"is_saturated":false,"memory_space":1}])");
  EXPECT_EQ(report["by_element_type"][1]["name"], "s32");
  EXPECT_EQ(report["by_element_type"][1]["arrays"], 1);
  EXPECT_EQ(report["most_wasteful"][0].dump(),
            R"({"shape":"bf16[9,130]{1,0:T(8,128)(2,1)}","count":1,)"
            R"("unpadded_bytes":2340,"padded_bytes":8192,)"
            R"("total_padded_bytes":8192,"total_padding_bytes":5852,)"
            R"("most_padded":{"dimensions":[1],"bound":130,"padded":256,)"
            R"("padding_factor":1.9692307692307693,"cause":"dimension"},)"
            R"("padding_factor":3.500854700854701,"hint":null})");
}

// A mask of which each element takes four bytes and needs one: in the tables of
// the report, in the peak, and in what each prints for programs.
TEST(HloCommand, WidenedElementsArePadding) {
  constexpr char kMask[] =
      "HloModule m, is_scheduled=true\n"
      "ENTRY e {\n"
      "  x = f32[8,128]{1,0:T(8,128)} parameter(0)\n"
      "  ROOT y = pred[64,512,2048]{2,1,0:T(8,128)E(32)} custom-call(x), "
      "custom_call_target=\"c\"\n"
      "}\n";
  const std::string report = RunCommand({"hlo", "-"}, kMask).out;
  EXPECT_THAT(report, HasSubstr("4.00x  element: 8->32 bits"));
  const Json json =
      JsonLines(RunCommand({"hlo", "-", "--format=json"}, kMask).out)[0];
  EXPECT_EQ(json["total"]["unpadded_bytes"], 67108864 + 4096);
  EXPECT_EQ(json["total"]["padded_bytes"], 268435456 + 4096);
  ASSERT_EQ(json["most_wasteful"].size(), 1);
  EXPECT_EQ(json["most_wasteful"][0]["most_padded"].dump(),
            R"({"dimensions":[],"bound":8,"padded":32,)"
            R"("padding_factor":4.0,"cause":"element"})");
  EXPECT_EQ(json["most_wasteful"][0]["padding_factor"], 4.0);
  EXPECT_THAT(RunCommand({"hlo", "-", "--format=csv"}, kMask).out,
              HasSubstr(",element,"));
  const std::string peak = RunCommand({"hlo", "peak", "-"}, kMask).out;
  EXPECT_THAT(peak, HasSubstr("192.0 MiB (75.0%) of it padding"));
  EXPECT_THAT(peak, HasSubstr("element: 8->32 bits"));
  EXPECT_THAT(RunCommand({"hlo", "peak", "-", "--format=csv"}, kMask).out,
              HasSubstr(",268435456,67108864,element,"));
  const Json live =
      JsonLines(RunCommand({"hlo", "peak", "-", "--format=json"}, kMask)
                    .out)[0]["by_memory_space"]["0"];
  EXPECT_EQ(live["peak_unpadded_bytes"], 67108864 + 4096);
  EXPECT_EQ(live["live_at_peak"][0]["most_padded"].dump(),
            R"({"dimensions":[],"bound":8,"padded":32,)"
            R"("padding_factor":4.0,"cause":"element"})");
  std::string page = RunCommand({"hlo", "-", "--html=-"}, kMask).out;
  EXPECT_THAT(page, HasSubstr(R"("bound":8,"padded":32,)"
                              R"("padding_factor":4.0,"cause":"element")"));
}

// As if each result had memory of its own.
TEST(HloCommand, CountsAllResultsWhenAsked) {
  const Outcome outcome =
      RunCommand({"hlo", "-", "--format=json", "--count=results"}, kModule);
  const Json report = JsonLines(outcome.out)[0];
  EXPECT_EQ(report["counted"], "results");
  EXPECT_EQ(report["total"]["unpadded_bytes"], 4 * 2340 + 2 * 8);
  EXPECT_EQ(report["total"]["padded_bytes"], 4 * 8192 + 2 * 8);
  EXPECT_EQ(report["by_memory_space"][0]["arrays"], 4);
  EXPECT_EQ(report["by_memory_space"][0]["padded_bytes"], 16400);
  EXPECT_EQ(report["by_memory_space"][1]["arrays"], 2);
  EXPECT_EQ(report["by_memory_space"][1]["padded_bytes"], 16384);
  EXPECT_EQ(report["by_element_type"][1]["arrays"], 2);
  EXPECT_THAT(RunCommand({"hlo", "-", "--count=results"}, kModule).out,
              HasSubstr("Memory spaces: 6 results of 32.0 KiB, "));
  const Outcome unknown = RunCommand({"hlo", "-", "--count=all"}, kModule);
  EXPECT_EQ(unknown.exit_code, kExitBadUsage);
  EXPECT_THAT(unknown.err, HasSubstr("expected buffers or results, found all"));
}

TEST(HloCommand, ThePeakComesFirst) {
  const std::string out = RunCommand({"hlo", "-"}, kScheduled).out;
  EXPECT_THAT(out, HasSubstr("\n\nPeak: most bytes in use at one step; "
                             "reserved: allocated for the whole run\n"
                             "  memory space      peak  reserved\n"
                             "  default S(0)  4.00 KiB  4.50 KiB\n"
                             "\nMemory spaces: "));
  // Where nothing is padded, nothing speaks of padding.
  EXPECT_THAT(out, Not(HasSubstr("padd")));
  const Json report =
      JsonLines(RunCommand({"hlo", "-", "--format=json"}, kScheduled).out)[0];
  const Json& peak = report["modules"][0]["peak"];
  EXPECT_EQ(peak["is_text_order_assumed"], false);
  const Json& space = peak["by_memory_space"]["0"];
  EXPECT_EQ(space["name"], "default");
  EXPECT_EQ(space["peak_bytes"], 4096);
  EXPECT_EQ(space["peak_unpadded_bytes"], 4096);
  EXPECT_EQ(space["reserved_bytes"], 4608);
  EXPECT_EQ(space["reserved_unpadded_bytes"], 4608);
  EXPECT_EQ(space["live_at_peak"].size(), 3);
}

TEST(HloCommand, TargetNamesMemorySpaces) {
  struct Case {
    const char* target;
    const char* name;
  };
  constexpr Case kCases[] = {{"tpu", "HBM S(0): peak"},
                             {"gpu", "device S(0): peak"},
                             {"cpu", "host S(0): peak"},
                             {"none", "\ndefault S(0): peak"}};
  for (const Case& c : kCases) {
    EXPECT_THAT(
        RunCommand({"hlo", "peak", "-", absl::StrCat("--target=", c.target)},
                   kScheduled)
            .out,
        HasSubstr(c.name));
  }
  const Outcome unknown =
      RunCommand({"hlo", "peak", "-", "--target=TPU"}, kScheduled);
  EXPECT_EQ(unknown.exit_code, kExitBadUsage);
  EXPECT_THAT(unknown.err,
              HasSubstr("expected tpu, v4, v5e, v5p, v6e, v7x, gpu, cpu or "
                        "none, found TPU"));
}

// As before optimization.
TEST(HloCommand, ReportForTpuLaysOutWhatHasNoTiles) {
  constexpr char kBefore[] =
      "HloModule m\n"
      "ENTRY main {\n"
      "  p = f32[2000,3]{1,0} parameter(0)\n"
      "  ROOT r = f32[2000,3]{1,0} negate(p)\n"
      "}\n";
  constexpr char kSaid[] =
      "  no array has tiles: each has the layout that the TPU compiler gives a "
      "parameter\n";
  for (const char* target : {"--target=tpu", "--target=v5p"}) {
    const Outcome report = RunCommand({"hlo", "report", "-", target}, kBefore);
    EXPECT_THAT(report.out, HasSubstr(kSaid));
    EXPECT_THAT(report.out, HasSubstr("f32[2000,3]{0,1:T(4,128)}"));
    EXPECT_THAT(report.out, Not(HasSubstr("Hints")));
    EXPECT_THAT(RunCommand({"hlo", "report", "-", "--computation=main", target},
                           kBefore)
                    .out,
                AllOf(HasSubstr(kSaid), HasSubstr("{0,1:T(4,128)}")));
    const Json json = JsonLines(
        RunCommand({"hlo", "report", "-", "--format=json", target}, kBefore)
            .out)[0];
    EXPECT_EQ(json["has_tpu_default_layouts"], true);
    EXPECT_EQ(json["total"]["padded_bytes"], 2 * 32768);
  }
  for (const char* target : {"--target=gpu", "--target=none"}) {
    const Outcome report = RunCommand({"hlo", "report", "-", target}, kBefore);
    EXPECT_THAT(report.out, Not(HasSubstr(kSaid)));
    EXPECT_THAT(report.out, HasSubstr("f32[2000,3]{1,0}"));
  }
  // Tiles are the compiler's, and stay.
  const Json tiled = JsonLines(
      RunCommand({"hlo", "report", "-", "--format=json", "--target=tpu"},
                 kModule)
          .out)[0];
  EXPECT_EQ(tiled["has_tpu_default_layouts"], false);
}

TEST(HloCommand, TextOrderIsAssumedAndSaid) {
  const std::string unscheduled =
      absl::StrReplaceAll(kScheduled, {{", is_scheduled=true", ""}});
  const Outcome refused = RunCommand({"hlo", "peak", "-"}, unscheduled);
  EXPECT_EQ(refused.exit_code, kExitBadInput);
  EXPECT_THAT(refused.err, HasSubstr("--assume-text-order"));
  EXPECT_THAT(refused.err, HasSubstr("*after_optimizations.txt"));
  EXPECT_THAT(refused.err, HasSubstr("compile().as_text()"));
  const Outcome text =
      RunCommand({"hlo", "peak", "-", "--assume-text-order"}, unscheduled);
  EXPECT_EQ(text.exit_code, kExitOk);
  EXPECT_THAT(text.out, HasSubstr("assumed: the instructions run in the order "
                                  "of the text"));
  EXPECT_THAT(text.out, HasSubstr("peak 4.00 KiB"));
  const Json json = JsonLines(
      RunCommand({"hlo", "peak", "-", "--format=json", "--assume-text-order"},
                 unscheduled)
          .out)[0];
  EXPECT_EQ(json["is_text_order_assumed"], true);
  EXPECT_THAT(
      RunCommand({"hlo", "-", "--assume-text-order"}, unscheduled).out,
      HasSubstr("Peak: if instructions run in the order of the text, "));
  EXPECT_THAT(
      RunCommand({"hlo", "-", "--html=-", "--assume-text-order"}, unscheduled)
          .out,
      HasSubstr(R"("is_text_order_assumed":true)"));
}

TEST(HloCommand, PeakOfAComputation) {
  const std::string text = absl::StrReplaceAll(
      kScheduled,
      {{"ENTRY",
        "body { p = f32[256]{0} parameter(0)\n"
        "  big = f32[1024]{0} broadcast(p), dimensions={0}\n"
        "  ROOT s = f32[256]{0} slice(big), slice={[0:256]} }\nENTRY"}});
  const Json json = JsonLines(
      RunCommand({"hlo", "peak", "-", "--format=json", "--computation=%body"},
                 text)
          .out)[0];
  EXPECT_EQ(json["entry"], "body");
  EXPECT_EQ(json["is_entry"], false);
  EXPECT_EQ(json["by_memory_space"]["0"]["peak_bytes"], 1024 + 4096 + 1024);
  EXPECT_THAT(RunCommand({"hlo", "peak", "-", "--format=csv", "--series",
                          "--computation=body"},
                         text)
                  .out,
              HasSubstr("<stdin>,m,0,1,big,broadcast,5120,false\n"));
  const Outcome none =
      RunCommand({"hlo", "peak", "-", "--computation=nope"}, text);
  EXPECT_EQ(none.exit_code, kExitBadInput);
  EXPECT_EQ(none.err, "<stdin>: error: there is no computation 'nope'\n");
  const std::string file = absl::StrCat(testing::TempDir(), "/body.hlo");
  std::ofstream(file) << text;
  const Json diff =
      JsonLines(RunCommand({"hlo", "diff", file, "-", "--format=json",
                            "--computation=body"},
                           text)
                    .out)[0];
  EXPECT_EQ(diff["modules"][0]["peak_bytes"]["0"]["after"], 6144);
  EXPECT_EQ(diff["modules"][0]["peak_bytes"]["0"]["reserved_after"], 6144);
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
            R"("opcode":"parameter","operands":[],"operand_shapes":[],)"
            R"("operand_text":"0","attributes":{}})");
  EXPECT_EQ(lines[2].dump(),
            R"({"module":"m","computation":"main","name":"y","root":false,)"
            R"("shape":"bf16[9,130]{1,0:T(8,128)(2,1)S(1)}",)"
            R"("opcode":"fusion","operands":["x"],)"
            R"("operand_shapes":["bf16[9,130]{1,0:T(8,128)(2,1)}"],)"
            R"("attributes":{"calls":"f"}})");
  EXPECT_THAT(Keys(lines[4]), ElementsAre("module", "computation", "name",
                                          "root", "shape", "opcode", "operands",
                                          "operand_shapes", "attributes"));
}

TEST(HloCommand, TextInstructions) {
  EXPECT_EQ(RunCommand({"hlo", "-", "--instructions"}, kModule).out,
            "f: ROOT p = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)\n"
            "main: x = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)\n"
            "main: y = bf16[9,130]{1,0:T(8,128)(2,1)S(1)} "
            "fusion(bf16[9,130]{1,0:T(8,128)(2,1)} x)\n"
            "main: c = s32[2]{0} constant({1,     2})\n"
            "main: ROOT t = (bf16[9,130]{1,0:T(8,128)(2,1)S(1)}, s32[2]{0}) "
            "tuple(bf16[9,130]{1,0:T(8,128)(2,1)S(1)} y, s32[2]{0} c)\n");
}

// Where an array comes from and where it goes: both layouts stand in the line.
TEST(HloCommand, InstructionsHaveTheShapesOfTheirOperands) {
  constexpr char kMoves[] =
      "HloModule m\n"
      "ENTRY e {\n"
      "  x = f32[2,3]{1,0} parameter(0)\n"
      "  y = f32[3,2]{0,1} transpose(x), dimensions={1,0}\n"
      "  p = (f32[2,3], s32[]) parameter(1)\n"
      "  g = s32[] get-tuple-element(p), index=1\n"
      "  a = f32[2,3] add(x, p#0)\n"
      "  n = f32[2,3] negate(f32[2,3]{0,1} nowhere)\n"
      "  m = f32[2,3] negate(nobody)\n"
      "  ROOT z = f32[3,2]{1,0} copy(f32[3,2] transpose(x))\n"
      "}\n";
  EXPECT_EQ(RunCommand({"hlo", "instructions", "-"}, kMoves).out,
            "e: x = f32[2,3]{1,0} parameter(0)\n"
            "e: y = f32[3,2]{0,1} transpose(f32[2,3]{1,0} x)\n"
            "e: p = (f32[2,3]{1,0}, s32[]) parameter(1)\n"
            "e: g = s32[] get-tuple-element(p)\n"
            "e: a = f32[2,3]{1,0} add(f32[2,3]{1,0} x, f32[2,3]{1,0} p#0)\n"
            "e: n = f32[2,3]{1,0} negate(f32[2,3]{0,1} nowhere)\n"
            "e: m = f32[2,3]{1,0} negate(nobody)\n"
            "e: ROOT z = f32[3,2]{1,0} copy(f32[3,2] transpose(x))\n");
  std::string shapes;
  for (const Json& line : JsonLines(
           RunCommand({"hlo", "instructions", "-", "--format=json"}, kMoves)
               .out)) {
    absl::StrAppend(&shapes, line["name"].get<std::string>(), " ",
                    line["operand_shapes"].dump(), "\n");
  }
  EXPECT_EQ(shapes,
            "x []\n"
            "y [\"f32[2,3]{1,0}\"]\n"
            "p []\n"
            "g [\"(f32[2,3]{1,0}, s32[])\"]\n"
            "a [\"f32[2,3]{1,0}\",\"f32[2,3]{1,0}\"]\n"
            "n [\"f32[2,3]{0,1}\"]\n"
            "m [null]\n"
            "z [\"f32[3,2]{1,0}\"]\n");
  EXPECT_EQ(RunCommand({"hlo", "instructions", "-", "--format=csv",
                        "--opcode=add", "--opcode=transpose"},
                       kMoves)
                .out,
            "file,module,computation,name,root,shape,opcode,operands,"
            "operand_shapes,attributes\n"
            "<stdin>,m,e,y,false,\"f32[3,2]{0,1}\",transpose,x,"
            "\"f32[2,3]{1,0}\",\"dimensions={1,0}\"\n"
            "<stdin>,m,e,a,false,\"f32[2,3]{1,0}\",add,\"x, p#0\","
            "\"f32[2,3]{1,0}; f32[2,3]{1,0}\",\n");
}

TEST(HloCommand, OneObjectAFile) {
  const std::string folder = "tests/hlo/data/";
  const Outcome outcome =
      RunCommand({"hlo", folder + "while.hlo", folder + "import_async.hlo",
                  "--format=json"});
  const std::vector<Json> lines = JsonLines(outcome.out);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0]["file"], folder + "while.hlo");
  EXPECT_EQ(lines[0]["modules"].size(), 1);
  EXPECT_EQ(lines[1]["modules"].size(), 18);
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

TEST(HloCommand, AFolderWithoutADump) {
  EXPECT_EQ(RunCommand({"hlo", "tests"}).err,
            "tests: note: not read: cli, hlo: each is a folder\n"
            "tests: error: the folder has no XLA dump\n");
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
  EXPECT_EQ(lines[0]["diagnostic_count"], 1);
  EXPECT_EQ(lines[0]["total"]["unpadded_bytes"], 16);
}

TEST(HloCommand, ManyErrorsAreSummedUp) {
  std::string text = "ENTRY main {\n";
  for (int i = 0; i < 150; ++i) text += "  x = f32[2{0} parameter(0)\n";
  const Outcome outcome = RunCommand({"hlo", "-"}, text + "}\n");
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("<stdin>:101:"));
  EXPECT_THAT(outcome.err, EndsWith("<stdin>: error: 50 more errors\n"));
}

TEST(HloCommand, NothingThatIsHlo) {
  for (const char* subcommand : {"report", "instructions", "cat", "peak"}) {
    const Outcome outcome =
        RunCommand({"hlo", subcommand, "-"}, "what a pity\n");
    EXPECT_EQ(outcome.exit_code, kExitBadInput) << subcommand;
    // Of nothing there is nothing to report.
    EXPECT_EQ(outcome.out, "") << subcommand;
    EXPECT_THAT(outcome.err,
                StartsWith("<stdin>:1:1: error: expected a module, a "
                           "computation or an instruction, found 'what'\n"))
        << subcommand;
  }
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

TEST(HloCommand, ProtosAreReadLikeText) {
  constexpr char kProfile[] = "tests/hlo/data/protos/xprof/a.xplane.pb.gz";
  const Outcome cat = RunCommand({"hlo", "cat", "--strict", kProfile});
  EXPECT_EQ(cat.exit_code, kExitOk);
  EXPECT_EQ(cat.err, "");
  EXPECT_THAT(cat.out, StartsWith("HloModule jit__psum, is_scheduled=true, "));
  const Outcome text =
      RunCommand({"hlo", "instructions", "--format=csv", "-"}, cat.out);
  const Outcome proto =
      RunCommand({"hlo", "instructions", "--format=csv", kProfile});
  EXPECT_EQ(proto.exit_code, kExitOk);
  EXPECT_NE(proto.out, "");
  EXPECT_EQ(absl::StrReplaceAll(proto.out, {{kProfile, "<stdin>"}}), text.out);
}

TEST(HloCommand, PeakHasWhatXlaAssigned) {
  constexpr char kProto[] =
      "tests/hlo/data/protos/tracelens/jit_forward_3d_conv_15_.hlo_proto.pb";
  const Outcome text = RunCommand({"hlo", "peak", kProto});
  EXPECT_EQ(text.exit_code, kExitOk);
  EXPECT_THAT(text.out,
              HasSubstr("  assigned 1.08 GiB by XLA in 4 allocations (112 B of "
                        "it fragmentation); computed: the same\n"));
  const Outcome json = RunCommand({"hlo", "peak", kProto, "--format=json"});
  const Json space = JsonLines(json.out)[0]["by_memory_space"]["0"];
  EXPECT_EQ(space["assigned_bytes"], 1158144128);
  EXPECT_EQ(space["fragmentation_bytes"], 112);
  EXPECT_EQ(space["allocations"].size(), 4);
  EXPECT_EQ(space["allocations"][3]["kind"], "temporary");
  EXPECT_EQ(space["allocations"][3]["most_used_bytes"], 579072016);
}

// A scheduled module, and what XLA wrote beside it.
std::string FolderWithSidecars(const std::string& name,
                               const std::string& range_of_a) {
  const std::string folder = absl::StrCat(testing::TempDir(), "/", name);
  mkdir(folder.c_str(), 0700);
  const std::string stem =
      absl::StrCat(folder, "/module_0001.m.cpu_after_optimizations");
  std::ofstream(stem + ".txt") << R"(HloModule m, is_scheduled=true
ENTRY main {
  x = f32[256]{0} parameter(0)
  a = f32[1024]{0} broadcast(x), dimensions={0}
  ROOT c = f32[512]{0} slice(a), slice={[0:512]}
}
)";
  std::ofstream(stem + "-buffer-assignment.txt") << R"(BufferAssignment:
allocation 0: size 1024, parameter 0, shape |f32[256]| at ShapeIndex {}:
 value: <1 x @0> (size=1024,offset=0): f32[256]{0}
allocation 1: size 2048, output shape is |f32[512]|, maybe-live-out:
 value: <3 c @0> (size=2048,offset=0): f32[512]{0}
allocation 2: size 5000, preallocated-temp:
 value: <2 a @0> (size=4096,offset=128): f32[1024]{0}
)";
  std::ofstream(stem + "-live-range.txt") << R"(HloLiveRange (max 3):
  InstructionSequence:
    0:x
    1:a
    2:c
  BufferLiveRange:
    x{}:0-3
    a{}:)" << range_of_a << R"(
    c{}:2-3
  Live ranges at 1 (peak):
    a: 4096 bytes
)";
  return stem + ".txt";
}

TEST(HloCommand, WhatXlaAssignedStandsBesideAText) {
  const std::string file = FolderWithSidecars("sidecars", "1-2");
  const Outcome json = RunCommand({"hlo", "peak", file, "--format=json"});
  EXPECT_EQ(json.exit_code, kExitOk) << json.err;
  const Json peak = JsonLines(json.out)[0];
  EXPECT_EQ(peak["source"], "buffer-assignment");
  EXPECT_EQ(peak["by_memory_space"]["0"]["assigned_bytes"], 8072);
  EXPECT_EQ(peak["by_memory_space"]["0"]["fragmentation_bytes"], 904);
  EXPECT_EQ(peak["by_memory_space"]["0"]["allocations"].size(), 3);
  EXPECT_THAT(RunCommand({"hlo", "map", file}).out,
              HasSubstr("as XLA assigned its memory"));

  const Outcome alone =
      RunCommand({"hlo", "peak", file, "--format=json", "--no-sidecars"});
  EXPECT_EQ(JsonLines(alone.out)[0]["source"], "text");
  EXPECT_EQ(JsonLines(alone.out)[0]["by_memory_space"]["0"]["assigned_bytes"],
            nullptr);
}

TEST(HloCommand, AFolderStandsForItsDumps) {
  const std::string file = FolderWithSidecars("folder", "1-2");
  const std::string folder = file.substr(0, file.rfind('/'));
  std::ofstream(folder + "/notes.md") << "# Notes\n";
  const Outcome of_file = RunCommand({"hlo", "peak", file});
  const Outcome of_folder = RunCommand({"hlo", "peak", folder + "/"});
  EXPECT_EQ(of_folder.exit_code, kExitOk);
  EXPECT_EQ(of_folder.out, of_file.out);
  EXPECT_THAT(of_folder.err,
              HasSubstr(": note: not read: notes.md is not an XLA dump\n"));
  EXPECT_EQ(RunCommand({"hlo", folder}).out, RunCommand({"hlo", file}).out);
  EXPECT_EQ(
      RunCommand({"hlo", "check", folder, "--max-reserved=6KiB"}).exit_code,
      kExitBadInput);

  std::ofstream(folder + "/module_0002.n.cpu_after_optimizations.txt")
      << "HloModule n, is_scheduled=true\nENTRY e { x = f32[2 }\n";
  const Outcome damaged = RunCommand({"hlo", "peak", folder});
  EXPECT_EQ(damaged.exit_code, kExitBadInput);
  EXPECT_THAT(damaged.out, HasSubstr("assigned 7.88 KiB by XLA"));
  EXPECT_THAT(damaged.err, HasSubstr("module_0002.n."));

  const std::string empty = absl::StrCat(testing::TempDir(), "/empty_folder");
  mkdir(empty.c_str(), 0700);
  EXPECT_EQ(RunCommand({"hlo", empty}).err,
            empty + ": error: the folder has no XLA dump\n");
}

TEST(HloCommand, ASidecarIsNoDump) {
  std::string file = FolderWithSidecars("asked_for", "1-2");
  file.replace(file.size() - 4, 4, "-buffer-assignment.txt");
  const Outcome outcome = RunCommand({"hlo", "report", file});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.out, "");
  const std::string module =
      absl::StrReplaceAll(file, {{"-buffer-assignment.txt", ".txt"}});
  EXPECT_EQ(outcome.err,
            absl::StrCat(file,
                         ": error: this is a buffer assignment; give the "
                         "module's own file, ",
                         module,
                         "; 'tessera hlo explain' reads this one by itself\n"));
  // "DIR/*" names both.
  const Outcome both = RunCommand({"hlo", "peak", file, module});
  EXPECT_EQ(both.exit_code, kExitOk);
  EXPECT_EQ(both.out, RunCommand({"hlo", "peak", module}).out);
  EXPECT_EQ(
      both.err,
      file + ": note: not read: is a buffer assignment without a module\n");

  EXPECT_EQ(unlink(module.c_str()), 0);
  EXPECT_EQ(RunCommand({"hlo", file}).err,
            file +
                ": error: this is a buffer assignment; give the module's own "
                "file, next to which XLA's buffer assignment is read; 'tessera "
                "hlo explain' reads this one by itself\n");
  EXPECT_THAT(RunCommand({"hlo", "-"}, "HloLiveRange (max 28):\n").err,
              StartsWith("<stdin>: error: this is the live ranges of"));
}

// A dump of a scheduled module: its parameter of `elements`, and as much for
// its result.
std::string ModuleOf(const std::string& name, int64_t elements) {
  return absl::StrCat("HloModule ", name, ", is_scheduled=true\n",
                      "ENTRY main {\n  x = f32[", elements,
                      "]{0} parameter(0)\n  ROOT y = f32[", elements,
                      "]{0} negate(x)\n}\n");
}

using Files = std::vector<std::pair<std::string, std::string>>;

std::string FolderWith(const Files& files) {
  std::string folder = absl::StrCat(testing::TempDir(), "/dumps_XXXXXX");
  EXPECT_NE(mkdtemp(&folder[0]), nullptr);
  for (const auto& [name, contents] : files) {
    std::ofstream(absl::StrCat(folder, "/", name)) << contents;
  }
  return folder;
}

// Three modules of 16 B, 32 KiB and 4 KiB, and one that nothing can run.
std::string FolderOfDumps() {
  return FolderWith(
      {{"module_0001.jit_a.cpu_after_optimizations.txt", ModuleOf("jit_a", 2)},
       {"module_0002.jit_b.before_optimizations.txt", ModuleOf("jit_b", 4096)},
       {"module_0002.jit_b.cpu_after_optimizations.txt",
        ModuleOf("jit_b", 4096)},
       {"module_0003.jit_c.cpu_after_optimizations.txt",
        ModuleOf("jit_c", 512)},
       {"module_0004.jit_d.before_optimizations.txt",
        absl::StrReplaceAll(ModuleOf("jit_d", 8),
                            {{", is_scheduled=true", ""}})}});
}

std::vector<std::string> Values(const std::string& json_lines,
                                const std::string& key) {
  std::vector<std::string> values;
  for (const Json& line : JsonLines(json_lines)) {
    values.push_back(line[key].get<std::string>());
  }
  return values;
}

TEST(HloCommand, ThePeaksOfAFolderComeByWhatIsReserved) {
  const std::string folder = FolderOfDumps();
  const Outcome json = RunCommand({"hlo", "peak", folder, "--format=json"});
  EXPECT_EQ(json.exit_code, kExitOk) << json.err;
  EXPECT_THAT(Values(json.out, "module"),
              ElementsAre("jit_b", "jit_c", "jit_a", "jit_d"));
  EXPECT_EQ(Values(json.out, "file")[0],
            folder + "/module_0002.jit_b.cpu_after_optimizations.txt");
  EXPECT_EQ(JsonLines(json.out)[0]["by_memory_space"]["0"]["reserved_bytes"],
            32768);
  EXPECT_EQ(JsonLines(json.out)[3]["by_memory_space"], nullptr);

  const Outcome text = RunCommand({"hlo", "peak", folder, "--top=2"});
  EXPECT_EQ(text.exit_code, kExitOk);
  EXPECT_THAT(text.out,
              StartsWith(absl::StrCat(
                  folder, "\n  3 modules, the 2 that take most\n\n",
                  "  reserved      peak  memory space  module  file\n"
                  "  32.0 KiB  32.0 KiB  default S(0)  jit_b   "
                  "module_0002.jit_b.cpu_after_optimizations.txt\n"
                  "  4.00 KiB  4.00 KiB  default S(0)  jit_c   "
                  "module_0003.jit_c.cpu_after_optimizations.txt\n\n",
                  folder, "/module_0002.jit_b.cpu_after_optimizations.txt\n",
                  "  module jit_b")));
  EXPECT_THAT(text.out, HasSubstr("  module jit_c"));
  EXPECT_THAT(text.out, Not(HasSubstr("jit_a")));
  EXPECT_THAT(
      text.err,
      HasSubstr(folder + ": note: not read: "
                         "module_0002.jit_b.before_optimizations.txt has an "
                         "earlier stage of a module that is read\n"));
  EXPECT_THAT(text.err, HasSubstr("note: module jit_d has no peak: "));

  const Outcome csv = RunCommand({"hlo", "peak", folder, "--format=csv"});
  EXPECT_EQ(absl::StrCat(RunCommand({"hlo", "peak",
                                     folder + "/module_0002.jit_b.cpu_after_"
                                              "optimizations.txt",
                                     "--format=csv"})
                             .out),
            csv.out.substr(0, csv.out.find(folder + "/module_0003")));
  // One of them has it.
  EXPECT_EQ(RunCommand({"hlo", "peak", folder, "--computation=main"}).exit_code,
            kExitOk);
  EXPECT_THAT(RunCommand({"hlo", "peak", folder, "--computation=none"}).err,
              HasSubstr(folder + ": error: there is no computation 'none'\n"));
}

TEST(HloCommand, TheReportsOfAFolderComeByTheirBytes) {
  const std::string folder = FolderOfDumps();
  for (const char* computation : {"", "--computation=main"}) {
    std::vector<std::string> command = {"hlo", folder, "--format=json"};
    if (*computation != '\0') command.push_back(computation);
    const Outcome json = RunCommand(command);
    EXPECT_EQ(json.exit_code, kExitOk) << json.err;
    EXPECT_THAT(Values(json.out, "file"),
                ElementsAre(HasSubstr("jit_b"), HasSubstr("jit_c"),
                            HasSubstr("jit_d"), HasSubstr("jit_a")));
  }
  EXPECT_THAT(
      RunCommand({"hlo", folder, "--top=1"}).out,
      StartsWith(folder + "\n  4 dumps, the 1 that takes most\n\n"
                          "     bytes  padding  buffers  file\n"
                          "  32.0 KiB     0.0%        2  "
                          "module_0002.jit_b.cpu_after_optimizations.txt\n\n"));
  const std::string csv = RunCommand({"hlo", folder, "--format=csv"}).out;
  EXPECT_THAT(csv, StartsWith("file,"));
  EXPECT_EQ(csv.find("\nfile,"), csv.npos);
  // The rest goes by name.
  EXPECT_EQ(
      JsonLines(
          RunCommand({"hlo", "instructions", folder, "--format=json"}).out)
          .size(),
      8);
  EXPECT_EQ(absl::StrSplit(RunCommand({"hlo", "cat", folder}).out, "HloModule ")
                .
                operator std::vector<std::string>()
                .size(),
            5);
}

TEST(HloCommand, OneFileOfAFolderIsNoFolder) {
  const std::string folder = FolderOfDumps();
  // A table stands above the maps, the largest first.
  EXPECT_THAT(RunCommand({"hlo", "map", folder}).out, HasSubstr("assigned"));
  const std::string file = FolderWithSidecars("of_one", "1-2");
  const std::string of_one = file.substr(0, file.rfind('/'));
  EXPECT_EQ(RunCommand({"hlo", "map", of_one}).out,
            RunCommand({"hlo", "map", file}).out);
  EXPECT_EQ(RunCommand({"hlo", "peak", of_one, "--html=-"}).out,
            RunCommand({"hlo", "peak", file, "--html=-"}).out);
}

TEST(HloCommand, FewLinesSayWhatOfAFolderIsNotRead) {
  Files files = {{"m.txt", ModuleOf("m", 2)}, {"m.txt.gz", ModuleOf("m", 2)}};
  for (int i = 0; i < 30; ++i) {
    files.emplace_back(absl::StrCat("empty_", i), "");
    files.emplace_back(absl::StrCat("text_", i), "text");
    files.emplace_back(absl::StrCat("x", i, "-buffer-assignment.txt"),
                       "BufferAssignment:\n");
    files.emplace_back(absl::StrCat("y", i, "-live-range.txt"),
                       "HloLiveRange (max 2):\n");
  }
  const std::string folder = FolderWith(files);
  const Outcome outcome = RunCommand({"hlo", "peak", folder});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(
      outcome.err,
      absl::StrCat(
          folder, ": note: not read: empty_0, empty_1, empty_10 and 27 more: ",
          "each is empty\n", folder,
          ": note: not read: m.txt.gz has the same module as a file that is "
          "read\n",
          folder,
          ": note: not read: text_0, text_1, text_10 and 27 more: each is not "
          "an XLA dump\n",
          folder,
          ": note: not read: x0-buffer-assignment.txt, "
          "x1-buffer-assignment.txt, x10-buffer-assignment.txt and 27 more: "
          "each is a buffer assignment, but its module is not next to it\n",
          folder, ": note: not read: 30 more files\n"));
  ASSERT_EQ(symlink("nowhere", (folder + "/link").c_str()), 0);
  const Outcome broken = RunCommand({"hlo", "peak", folder});
  EXPECT_EQ(broken.exit_code, kExitBadInput);
  EXPECT_EQ(broken.out, outcome.out);
  EXPECT_THAT(broken.err,
              HasSubstr(folder + "/link: error: cannot be read: No such file "
                                 "or directory\n"));
}

TEST(HloCommand, ModulesOfTwoFoldersAreCompared) {
  const std::string before = FolderOfDumps();
  const std::string after = FolderWith(
      {{"module_0001.jit_a.cpu_after_optimizations.txt", ModuleOf("jit_a", 2)},
       {"module_0003.jit_c.cpu_after_optimizations.txt",
        ModuleOf("jit_c", 513)},
       // The number has shifted.
       {"module_0007.jit_b.cpu_after_optimizations.txt",
        ModuleOf("jit_b", 8192)},
       {"module_0008.jit_e.cpu_after_optimizations.txt",
        ModuleOf("jit_e", 2)}});
  // TPU's compiler adds the number of its build.
  EXPECT_THAT(
      RunCommand(
          {"hlo", "diff", before,
           FolderWith({{"module_0001.jit_a.cl_81.after_optimizations.txt",
                        ModuleOf("jit_a", 2)},
                       {"module_0009.jit_b.cl_81.after_optimizations.txt",
                        ModuleOf("jit_b", 2)},
                       {"module_0010.cl_x.after_optimizations.txt",
                        ModuleOf("cl_x", 2)}})})
          .out,
      HasSubstr("\n  2 modules in both, "));
  const Outcome text = RunCommand({"hlo", "diff", before, after});
  EXPECT_EQ(text.exit_code, kExitOk) << text.err;
  EXPECT_THAT(
      text.out,
      StartsWith(absl::StrCat(
          before, " -> ", after, "\n",
          "  3 modules in both, 2 have changed\n\n",
          "     change  reserved before     after  file\n"
          "  +32.0 KiB         32.0 KiB  64.0 KiB  "
          "module_0007.jit_b.cpu_after_optimizations.txt\n"
          "       +8 B         4.00 KiB  4.01 KiB  "
          "module_0003.jit_c.cpu_after_optimizations.txt\n\n"
          "  only in ",
          before,
          ": 1 module\n"
          "  bytes  module  file\n"
          "   64 B  jit_d   module_0004.jit_d.before_optimizations.txt\n\n"
          "  only in ",
          after,
          ": 1 module\n"
          "  bytes  module  file\n"
          "   16 B  jit_e   module_0008.jit_e.cpu_after_optimizations.txt\n\n",
          before, "/module_0002.jit_b.cpu_after_optimizations.txt -> ", after,
          "/module_0007.jit_b.cpu_after_optimizations.txt\n")));
  EXPECT_THAT(text.out, Not(HasSubstr("module jit_a")));
  EXPECT_THAT(text.out, HasSubstr("module jit_c"));
  EXPECT_THAT(
      RunCommand({"hlo", "diff", before, after, "--top=1"}).out,
      HasSubstr("3 modules in both, 2 have changed, the 1 that has most\n"));

  const Outcome json =
      RunCommand({"hlo", "diff", before, after, "--format=json"});
  EXPECT_THAT(Values(json.out, "before_file"),
              ElementsAre(HasSubstr("jit_b"), HasSubstr("jit_d"), "",
                          HasSubstr("jit_c"), HasSubstr("jit_a")));
  EXPECT_THAT(Values(json.out, "after_file"),
              ElementsAre(HasSubstr("jit_b"), "", HasSubstr("jit_e"),
                          HasSubstr("jit_c"), HasSubstr("jit_a")));
  EXPECT_EQ(JsonLines(json.out)[1]["modules"][0]["after"], nullptr);

  const std::string csv =
      RunCommand({"hlo", "diff", before, after, "--format=csv"}).out;
  EXPECT_THAT(csv, StartsWith("module,computation,"));
  EXPECT_EQ(csv.find("\nmodule,"), csv.npos);
  EXPECT_THAT(csv, HasSubstr("jit_e,main,appeared,"));

  // A file that cannot be read leaves the others to be compared.
  std::ofstream(after + "/module_0003.jit_c.cpu_after_optimizations.txt")
      << "HloModule jit_c\nENTRY e { x = f32[2 }\n";
  const Outcome damaged = RunCommand({"hlo", "diff", before, after});
  EXPECT_EQ(damaged.exit_code, kExitBadInput);
  EXPECT_THAT(damaged.err, HasSubstr("/module_0003.jit_c."));
  EXPECT_THAT(damaged.out, HasSubstr("module jit_b"));
}

TEST(HloCommand, AMistakeInASidecarIsAnErrorInItsPlace) {
  const std::string file = FolderWithSidecars("broken_sidecars", "2-1");
  const Outcome outcome = RunCommand({"hlo", "peak", file});
  // The module was read: what XLA says beside it costs no exit code.
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.err, HasSubstr("after_optimizations-live-range.txt:8:"));
  EXPECT_THAT(outcome.err, HasSubstr(": note: "));
  EXPECT_THAT(outcome.err, Not(HasSubstr(": error: ")));
  EXPECT_THAT(outcome.out, HasSubstr("  assigned 7.88 KiB by XLA"));
}

// A line that is not known costs that line: the first are shown in their
// place, and how many more there are.
TEST(HloCommand, AnUnknownLineOfASidecarIsANote) {
  const std::string file = FolderWithSidecars("unknown_lines", "1-2");
  const std::string stem = file.substr(0, file.size() - 4);
  const std::string values = stem + "-buffer-assignment-values.txt";
  std::string text = "\nTotal bytes used: 8072 (7.9KiB)\n\nUsed values:\n";
  for (const char* value : {"<1 x @0>", "<2 a @0>", "<3 c @0>"}) {
    absl::StrAppend(&text, value, "\n positions:\n  x\n uses:\n  (none)\n",
                    "  (one)\n  (two)\n from instruction: %x\n");
  }
  std::ofstream(values) << text;
  for (const char* command : {"peak", "map", "report"}) {
    const Outcome outcome = RunCommand({"hlo", command, file});
    EXPECT_EQ(outcome.exit_code, kExitOk) << command;
    EXPECT_EQ(outcome.err,
              absl::StrCat(
                  values,
                  ":10:8: note: expected ', operand ', found the end of the "
                  "line\n    (one)\n         ^\n",
                  values,
                  ":11:8: note: expected ', operand ', found the end of the "
                  "line\n    (two)\n         ^\n",
                  values,
                  ":18:8: note: expected ', operand ', found the end of the "
                  "line\n    (one)\n         ^\n",
                  values, ": note: 3 more of its lines are not read in full\n"))
        << command;
  }

  // An allocation that is not known may be any number of bytes.
  std::ofstream(stem + "-buffer-assignment.txt", std::ios::app)
      << "reservation 3: size 1:\n";
  std::ofstream(values) << "";
  for (const auto& [command, is_told] :
       {std::pair<const char*, bool>{"peak", true}, {"check", true}}) {
    std::vector<std::string> arguments = {"hlo", command, file,
                                          "--format=json"};
    if (command == std::string("check"))
      arguments.push_back("--max-reserved=1G");
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, kExitOk) << command;
    EXPECT_THAT(
        outcome.err,
        HasSubstr(stem +
                  "-buffer-assignment.txt: note: not all allocations could be "
                  "read: the computed assignment is used instead of XLA's\n"));
    EXPECT_THAT(outcome.out, HasSubstr("\"assigned_bytes\":null"));
  }
}

TEST(HloCommand, AMistakeInAnAssignmentIsAnErrorAndTheRestIsAnswered) {
  // An allocation of -8 bytes.
  const std::string allocation = "\x10\xf8\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  const Outcome outcome = RunCommand(
      {"hlo", "peak", "-", "--assume-text-order"},
      MadeHloProto({MadeComputation("c", 9, 1, {Parameter("x", 1, 0)})}) +
          MadeField(3, MadeField(3, allocation)));
  // The module was read.
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.err,
            "<stdin>: note: the size of allocation 0 is -8, which is "
            "negative\n"
            "<stdin>: note: not all allocations could be read: the computed "
            "assignment is used instead of XLA's\n");
  EXPECT_THAT(outcome.out, HasSubstr("reserved 8 B"));
}

TEST(HloCommand, WhatIsWrongWithAProtoStandsOnNoLine) {
  const Outcome outcome = RunCommand(
      {"hlo", "cat", "-"},
      MadeHloProto({MadeComputation("c", 9, 5, {Parameter("x", 1, 0)})}));
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.err,
            "<stdin>: error: computation 'c': root_id is 5, which no "
            "instruction has\n");
  EXPECT_EQ(outcome.out,
            "HloModule m\n\n"
            "ENTRY %c {\n  %x = f32[2]{0} parameter(0)\n}\n");
}

TEST(HloCommand, ReportIsTheDefault) {
  for (const char* format : {"text", "json", "csv"}) {
    const std::string option = absl::StrCat("--format=", format);
    const Outcome outcome = RunCommand({"hlo", "report", "-", option}, kModule);
    EXPECT_EQ(outcome.exit_code, kExitOk);
    EXPECT_EQ(outcome.out, RunCommand({"hlo", "-", option}, kModule).out);
    EXPECT_EQ(outcome.out, RunCommand({"hlo", option, "-"}, kModule).out);
  }
  EXPECT_EQ(RunCommand({"hlo", "instructions", "-"}, kModule).out,
            RunCommand({"hlo", "-", "--instructions"}, kModule).out);
}

constexpr char kCutOff[] =
    "HloModule m, is_scheduled=true\nENTRY e {\n"
    "  x = f32[2]{0} parameter(0)\n  y = f32[2]{0} neg";

TEST(HloCommand, ADumpThatBreaksOffIsAWarning) {
  for (const char* command : {"report", "instructions", "peak", "cat"}) {
    const Outcome outcome = RunCommand({"hlo", command, "-"}, kCutOff);
    EXPECT_EQ(outcome.exit_code, kExitOk) << command;
    EXPECT_THAT(outcome.err, StartsWith("<stdin>:4:")) << command;
    EXPECT_THAT(outcome.err, HasSubstr(": warning: ")) << command;
    EXPECT_THAT(outcome.err, Not(HasSubstr("error"))) << command;
    EXPECT_NE(outcome.out, "") << command;
  }
  // A mistake before the end makes an error of both.
  const Outcome outcome = RunCommand(
      {"hlo", "-"}, absl::StrCat("f { z = f32[2{0} add() }\n", kCutOff));
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, Not(HasSubstr("warning")));
}

TEST(HloCommand, BracesBehindTheLastComputationAreAWarning) {
  const std::string whole = absl::StrCat(kCutOff, "ate(x)\n}");
  for (const char* command : {"report", "instructions", "peak", "cat"}) {
    const Outcome want = RunCommand({"hlo", command, "-"}, whole);
    const Outcome outcome =
        RunCommand({"hlo", command, "-"}, absl::StrCat(whole, "\n\n\n}"));
    EXPECT_EQ(outcome.exit_code, kExitOk) << command;
    EXPECT_EQ(
        outcome.err,
        "<stdin>:8:1: warning: '}' does not close a computation\n  }\n  ^\n");
    EXPECT_EQ(outcome.out, want.out) << command;
    EXPECT_EQ(RunCommand({"hlo", command, "-", "--strict"},
                         absl::StrCat(whole, "\n\n\n}"))
                  .exit_code,
              kExitBadInput);
  }
}

TEST(HloCommand, Strict) {
  for (const char* command : {"report", "peak", "cat"}) {
    const Outcome outcome =
        RunCommand({"hlo", command, "--strict", "-"}, kCutOff);
    EXPECT_EQ(outcome.exit_code, kExitBadInput) << command;
    EXPECT_THAT(outcome.err, HasSubstr(": error: ")) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(RunCommand({"hlo", command, "--strict",
                          "tests/hlo/data/slice_to_dynamic.hlo"})
                  .exit_code,
              kExitOk)
        << command;
  }
  EXPECT_EQ(RunCommand({"hlo", "diff", "--strict",
                        "tests/hlo/data/slice_to_dynamic.hlo", "-"},
                       kCutOff)
                .exit_code,
            kExitBadInput);
}

TEST(HloCommand, ReportOfAComputation) {
  const Outcome text =
      RunCommand({"hlo", "report", "-", "--computation=%f"}, kModule);
  EXPECT_EQ(text.exit_code, kExitOk);
  EXPECT_THAT(text.out,
              HasSubstr("computation f of module m, 1 instruction\n"));
  const Json json = JsonLines(RunCommand({"hlo", "report", "-", "--computation",
                                          "main", "--format=json"},
                                         kModule)
                                  .out)[0];
  EXPECT_EQ(json["module"], "m");
  EXPECT_EQ(json["computation"], "main");
  EXPECT_EQ(json["modules"].size(), 0);
  std::map<std::string, Json> sums;
  for (const char* by : {"by_opcode", "by_layout"}) {
    for (const Json& sum : json[by]) sums[sum["name"].get<std::string>()] = sum;
  }
  EXPECT_EQ(sums["fusion"]["padded_bytes"], 8192);
  EXPECT_EQ(sums["{1,0:T(8,128)(2,1)S(1)}"]["arrays"], 1);
  const Outcome none =
      RunCommand({"hlo", "report", "-", "--computation=g"}, kModule);
  EXPECT_EQ(none.exit_code, kExitBadInput);
  EXPECT_EQ(none.err, "<stdin>: error: there is no computation 'g'\n");
}

TEST(HloCommand, ReportAsCsv) {
  EXPECT_EQ(
      RunCommand({"hlo", "-", "--format=csv", "--top=1", "--count=results"},
                 kModule)
          .out,
      "file,module,computation,by,item,arrays,unpadded_bytes,padded_bytes,"
      "cause,dimensions,bound,padded,hint_minor_to_major,"
      "hint_padded_bytes_of_one\n"
      "<stdin>,,,total,,6,9376,32784,,,,,,\n"
      "<stdin>,,,memory_space,0,4,4696,16400,,,,,,\n"
      "<stdin>,,,memory_space,1,2,4680,16384,,,,,,\n"
      "<stdin>,,,element_type,bf16,4,9360,32768,,,,,,\n"
      "<stdin>,,,element_type,s32,2,16,16,,,,,,\n"
      "<stdin>,,,largest,\"bf16[9,130]{1,0:T(8,128)(2,1)}\",2,4680,16384,"
      "dimension,1,130,256,,\n"
      "<stdin>,,,most_wasteful,\"bf16[9,130]{1,0:T(8,128)(2,1)}\",2,4680,16384,"
      "dimension,1,130,256,,\n");
}

TEST(HloCommand, HintsAreGivenWhereThereIsABetterOrder) {
  const Outcome outcome = RunCommand(
      {"hlo", "-"}, "ENTRY e { x = f32[1000,2]{1,0:T(8,128)} parameter(0) }");
  EXPECT_THAT(outcome.out,
              HasSubstr("Hints: a better order of dimensions for one array, "
                        "same tiles\n"
                        "        now      then  minor_to_major  in JAX"
                        "                 shape\n"
                        "  500.0 KiB  32.0 KiB  {0,1}           "
                        "major_to_minor=(1, 0)  f32[1000,2]{1,0:T(8,128)}\n"
                        "  JAX takes an order in the Format of an argument or "
                        "result"));
  EXPECT_THAT(outcome.out, HasSubstr("  merge it with its neighbor.\n"));
  EXPECT_THAT(RunCommand({"hlo", "-"}, kModule).out, Not(HasSubstr("Hints")));
}

TEST(HloCommand, SumsThatAreTooLargeAreSaid) {
  std::string text = "ENTRY e {\n";
  for (int i = 0; i < 10; ++i) {
    absl::StrAppend(&text, "  x", i, " = u8[1000000000000000000]{0} call()\n");
  }
  const Outcome outcome = RunCommand({"hlo", "-"}, text + "}\n");
  EXPECT_THAT(outcome.out,
              HasSubstr("a sum is larger than 8 EiB and is shown as that\n"));
}

std::string Names(std::vector<std::string> options) {
  options.insert(options.begin(), {"hlo", "instructions", "-"});
  options.push_back("--format=json");
  std::string names;
  for (const Json& line : JsonLines(RunCommand(options, kModule).out)) {
    absl::StrAppend(&names, line["name"].get<std::string>(), " ");
  }
  return names;
}

TEST(HloCommand, ArraysOf2To60BytesAndMore) {
  const std::string module =
      "HloModule m, is_scheduled=true\n\n"
      "ENTRY e {\n"
      "  a = f32[1048576,1048576,1024,1024]{3,2,1,0} parameter(0)\n"
      "  b = u8[1152921504606846976]{0} custom-call(a), "
      "custom_call_target=\"b\"\n"
      "  ROOT c = s4[4611686018427387904]{0:E(4)} custom-call(b), "
      "custom_call_target=\"c\"\n"
      "}\n";
  Outcome outcome = RunCommand({"hlo", "report", "-", "--format=json"}, module);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.exit_code, kExitOk);
  const Json report = JsonLines(outcome.out)[0];
  EXPECT_EQ(report["instructions"], 3);
  EXPECT_EQ(report["diagnostic_count"], 0);
  EXPECT_EQ(report["total"]["padded_bytes"], 7 * (int64_t{1} << 60));
  outcome = RunCommand({"hlo", "cat", "-"}, module);
  EXPECT_EQ(outcome.out, module);
  EXPECT_EQ(outcome.err, "");
  // Places are found for less than 2^61 bytes.
  outcome = RunCommand({"hlo", "peak", "-", "--format=json"}, module);
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.err,
            "<stdin>: error: module m has no peak: the values of the program "
            "take 2^61 bytes or more\n");
  EXPECT_EQ(JsonLines(outcome.out)[0]["reason"],
            "the values of the program take 2^61 bytes or more");
}

TEST(HloCommand, InstructionFilters) {
  EXPECT_EQ(Names({}), "p x y c t ");
  EXPECT_EQ(Names({"--opcode=fusion", "--opcode", "tuple"}), "y t ");
  EXPECT_EQ(Names({"--memory-space=1"}), "y t ");
  EXPECT_EQ(Names({"--memory-space=vmem"}), "y t ");
  EXPECT_EQ(Names({"--min-bytes=8192"}), "p x y t ");
  EXPECT_EQ(Names({"--min-bytes=8193"}), "t ");
  EXPECT_EQ(Names({"--min-bytes=8193", "--memory-space=1"}), "");
  EXPECT_EQ(Names({"--min-bytes=8KiB"}), "p x y t ");
  EXPECT_EQ(Names({"--min-bytes", "8.001 KiB"}), "t ");
  EXPECT_EQ(Names({"--computation=f"}), "p ");
  EXPECT_EQ(Names({"--computation=main", "--opcode=parameter"}), "x ");
  const Outcome outcome =
      RunCommand({"hlo", "instructions", "-", "--memory-space=BMEM"}, kModule);
  EXPECT_EQ(outcome.exit_code, kExitBadUsage);
  EXPECT_THAT(outcome.err,
              HasSubstr("BMEM is neither the number nor the name"));
}

// A name is one of the target that the module is for, where that has it.
TEST(HloCommand, InstructionsByTheNameOfTheMemorySpace) {
  const std::string body =
      "ENTRY e {\n"
      "  a = f32[8]{0} parameter(0)\n"
      "  b = f32[8]{0:S(1)} copy(a)\n"
      "  c = f32[8]{0:S(2)} copy(b)\n"
      "  d = f32[8]{0:S(5)} copy(c)\n"
      "  ROOT r = f32[8]{0} ";
  const std::string tpu =
      body + "copy(d), backend_config={\"flag_configs\":[]}\n}\n";
  const std::string gpu =
      body + "copy(d), backend_config={\"operation_queue_id\":\"0\"}\n}\n";
  const std::string cpu =
      body + "copy(d), backend_config={\"outer_dimension_partitions\":[]}\n}\n";
  const std::string none = body + "copy(d)\n}\n";
  struct Case {
    const std::string& text;
    const char* space;
    const char* names;
  };
  const Case kCases[] = {
      {tpu, "HBM", "ar"},       {tpu, "VMEM", "b"},
      {tpu, "semaphores", "c"}, {tpu, "host", "d"},
      {tpu, "device", "ar"},    {gpu, "device", "ar"},
      {gpu, "collective", "b"}, {gpu, "temporary", "c"},
      {gpu, "host", "d"},       {cpu, "host", "ar"},
      {none, "default", "ar"},  {none, "host", "d"},
      {none, "vmem", "b"},      {none, "5", "d"},
      {cpu, "5", "d"},
  };
  for (const Case& c : kCases) {
    std::string names;
    for (const Json& line :
         JsonLines(RunCommand({"hlo", "instructions", "-", "--format=json",
                               absl::StrCat("--memory-space=", c.space)},
                              c.text)
                       .out)) {
      names += line["name"].get<std::string>();
    }
    EXPECT_EQ(names, c.names) << c.text << c.space;
  }
}

TEST(HloCommand, AttributesThatAreGivenTwiceAreAllThere) {
  const Outcome outcome =
      RunCommand({"hlo", "instructions", "-", "--format=json"},
                 "ENTRY e { x = f32[] call(), a=1, b={2}, a=3, a=\"4\" }");
  EXPECT_EQ(JsonLines(outcome.out)[0]["attributes"].dump(),
            R"({"a":["1","3","\"4\""],"b":"{2}"})");
}

TEST(HloCommand, InstructionsOfSeveralModulesAndFiles) {
  const std::string modules =
      "HloModule a\nENTRY e { x = f32[] constant(1) }\n"
      "HloModule b\nENTRY e { x = f32[] constant(1) }\n"
      "HloModule c\nENTRY e { y = f32[] constant(1) }\n";
  EXPECT_EQ(RunCommand({"hlo", "instructions", "-"}, modules).out,
            "module a\ne: x = f32[] constant(1)\n\n"
            "module b\ne: x = f32[] constant(1)\n\n"
            "module c\ne: y = f32[] constant(1)\n");
  const std::string file = "tests/hlo/data/slice_to_dynamic.hlo";
  EXPECT_EQ(RunCommand({"hlo", "instructions", "-", file, "--opcode=constant"},
                       modules)
                .out,
            absl::StrCat("<stdin>: module a\ne: x = f32[] constant(1)\n\n"
                         "<stdin>: module b\ne: x = f32[] constant(1)\n\n"
                         "<stdin>: module c\ne: y = f32[] constant(1)\n\n",
                         file,
                         "\nmain: static = s32[] constant(2)\n"
                         "main: dynamic = s32[] constant(1)\n"));
  // Programs are told the file where there are several.
  const std::vector<Json> lines = JsonLines(
      RunCommand({"hlo", "instructions", "-", file, "--format=json"}, modules)
          .out);
  EXPECT_EQ(lines[0]["file"], "<stdin>");
  EXPECT_EQ(lines.back()["file"], file);
  EXPECT_EQ(
      RunCommand({"hlo", "instructions", "-", "--format=csv"}, modules).out,
      "file,module,computation,name,root,shape,opcode,operands,"
      "operand_shapes,attributes\n"
      "<stdin>,a,e,x,false,f32[],constant,1,,\n"
      "<stdin>,b,e,x,false,f32[],constant,1,,\n"
      "<stdin>,c,e,y,false,f32[],constant,1,,\n");
}

TEST(HloCommand, PeakAsText) {
  EXPECT_EQ(
      RunCommand({"hlo", "peak", "-", "--top=2"}, kScheduled).out,
      "<stdin>\n  module m, 4 instructions in main, numbered from 0\n  peak: "
      "most bytes in use at one step; reserved: what XLA allocates for the "
      "whole run\n\ndefault S(0): peak 4.00 KiB at step 2, broadcast b\n  "
      "reserved 4.50 KiB: parameters 1.00 KiB, outputs 512 B, temporaries 3.00 "
      "KiB\n  4.00 KiB |        ####\n           |        ########\n           "
      "|        ########\n           |    ############\n           "
      "|################\n           |################\n       0 B "
      "+----------------\n            0              3\n  3 arrays live then, "
      "the largest in 2 rows\n     bytes  of all        steps  kind       "
      "instruction  shape\n  2.00 KiB   50.0%  ####    2-3  temporary  b       "
      "     f32[512]{0}\n  1.00 KiB   25.0%  ##      0-3  parameter  x         "
      "   f32[256]{0}\n\nmemory_analysis() of JAX, computed from the module\n  "
      "                    bytes\n  argument         1.00 KiB  parameters, "
      "including donated ones\n  output              512 B  results, including "
      "donated parameters\n  alias                 0 B  donated parameters, in "
      "both sums above\n  temp             3.00 KiB  temporaries, including "
      "gaps\n  peak             1.50 KiB  see below\n  generated code  not "
      "known  no dump has it\n  peak is not the number that must fit: on CPU "
      "it leaves out all temporaries\n");
}

TEST(HloCommand, PeakAsJsonAndCsv) {
  const Json json = JsonLines(
      RunCommand({"hlo", "peak", "-", "--format=json", "--top=1"}, kScheduled)
          .out)[0];
  EXPECT_EQ(json["module"], "m");
  EXPECT_EQ(json["is_entry"], true);
  EXPECT_TRUE(json["reason"].is_null());
  const Json& hbm = json["by_memory_space"]["0"];
  EXPECT_EQ(hbm["peak_bytes"], 4096);
  EXPECT_EQ(hbm["peak_position"], 2);
  EXPECT_EQ(hbm["peak_instruction"], "b");
  EXPECT_EQ(hbm["arrays_at_peak"], 3);
  EXPECT_EQ(hbm["bytes"].dump(), "[1024,2048,4096,3584]");
  EXPECT_EQ(hbm["live_at_peak"].dump(),
            R"([{"instruction":"b","opcode":"broadcast","kind":"temporary",)"
            R"("shape":"f32[512]{0}","padded_bytes":2048,"first":2,"last":3,)"
            R"("holds_result":false,"unpadded_bytes":2048,"op_name":null,)"
            R"("source_line":null,"most_padded":null,"same_place_as":null,)"
            R"("path":null,"is_donated":false,"index":[]}])");
  EXPECT_EQ(hbm["unshared_peak_bytes"], 4096);
  EXPECT_EQ(json["steps"], 4);
  EXPECT_EQ(json["step_instructions"].dump(), R"(["x","a","b","c"])");
  EXPECT_EQ(json["source"], "text");
  EXPECT_EQ(hbm["reserved_bytes"], 1024 + 512 + 3072);
  EXPECT_EQ(hbm["parameter_bytes"], 1024);
  EXPECT_EQ(hbm["constant_bytes"], 0);
  EXPECT_EQ(hbm["output_bytes"], 512);
  EXPECT_EQ(hbm["temporary_bytes"], 3072);
  EXPECT_EQ(hbm["temporary_peak_bytes"], 3072);
  EXPECT_EQ(hbm["reserved_unpadded_bytes"], hbm["reserved_bytes"]);
  EXPECT_EQ(hbm["thread_local_bytes"], 0);
  EXPECT_EQ(
      RunCommand({"hlo", "peak", "-", "--format=csv", "--top=1"}, kScheduled)
          .out,
      "file,module,memory_space,instruction,opcode,kind,shape,"
      "padded_bytes,unpadded_bytes,cause,dimensions,bound,padded,first,"
      "last,op_name,source_line,same_place_as,path,index\n"
      "<stdin>,m,0,b,broadcast,temporary,f32[512]{0},2048,2048,,,,,2,3,"
      ",,,,\n"
      "<stdin>,m,0,x,parameter,parameter,f32[256]{0},1024,1024,,,,,0,3,"
      ",,,,\n"
      "<stdin>,m,0,a,negate,temporary,f32[256]{0},1024,1024,,,,,1,2,,"
      ",,,\n");
  EXPECT_EQ(
      RunCommand({"hlo", "peak", "-", "--format=csv", "--series"}, kScheduled)
          .out,
      "file,module,memory_space,position,instruction,opcode,bytes,"
      "is_peak\n"
      "<stdin>,m,0,0,x,parameter,1024,false\n"
      "<stdin>,m,0,1,a,negate,2048,false\n"
      "<stdin>,m,0,2,b,broadcast,4096,true\n"
      "<stdin>,m,0,3,c,slice,3584,false\n");
}

TEST(HloCommand, PeakOfOneMemorySpace) {
  const std::string file = "tests/hlo/data/tpu_backbone.hlo";
  for (const char* space : {"VMEM", "1", "S(1)"}) {
    const Outcome outcome = RunCommand(
        {"hlo", "peak", file, absl::StrCat("--space=", space), "--top=1"});
    EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\nVMEM S(1): peak")) << space;
    EXPECT_THAT(outcome.out, Not(HasSubstr("HBM S(0)"))) << space;
  }
  const std::vector<Json> json = JsonLines(
      RunCommand({"hlo", "peak", file, "--space=HBM", "--format=json"}).out);
  EXPECT_EQ(json[0]["by_memory_space"].size(), 1);
  EXPECT_TRUE(json[0]["by_memory_space"].contains("0"));
  for (const char* space : {"7", "nowhere"}) {
    const Outcome outcome =
        RunCommand({"hlo", "peak", file, absl::StrCat("--space=", space)});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, absl::StrCat(file, ": error: memory space ", space,
                                        " is empty\n"));
  }
  EXPECT_EQ(
      RunCommand({"hlo", "peak", file, "--space=1", "--html=-"}).exit_code,
      kExitBadUsage);
}

TEST(HloCommand, AModuleThatIsNotThere) {
  const std::string folder = FolderOfDumps();
  struct Case {
    const char* module;
    const char* want;
  };
  // JAX writes "jit_" in front of the name of the function.
  constexpr Case kCases[] = {
      {"a", "there is no module 'a'; did you mean jit_a?\n"},
      {"jit_x", "there is no module 'jit_x'; did you mean jit_a?\n"},
      {"train_step",
       "there is no module 'train_step'; the modules, numbered from 0, are "},
  };
  for (const char* command : {"peak", "map"}) {
    for (const Case& c : kCases) {
      const Outcome outcome = RunCommand(
          {"hlo", command, folder, absl::StrCat("--module=", c.module)});
      EXPECT_EQ(outcome.exit_code, kExitBadInput);
      EXPECT_THAT(outcome.err, HasSubstr(c.want)) << command;
    }
  }
}

TEST(HloCommand, PeakSaysWhereAnArrayComesFromAndWhatOfItIsPadding) {
  const Outcome outcome =
      RunCommand({"hlo", "peak", "-", "--format=json"},
                 "HloModule m, is_scheduled=true\n"
                 "ENTRY e {\n"
                 "  p = f32[1000,2]{1,0:T(8,128)} parameter(0)\n"
                 "  ROOT n = f32[1000,2]{1,0:T(8,128)} negate(p), "
                 "metadata={op_name=\"jit(f)/neg\" source_file=\"a.py\" "
                 "source_line=7}\n"
                 "}\n");
  const Json space = Json::parse(outcome.out)["by_memory_space"]["0"];
  EXPECT_EQ(space["peak_bytes"], 2 * 512000);
  EXPECT_EQ(space["peak_unpadded_bytes"], 2 * 8000);
  EXPECT_EQ(space["reserved_bytes"], 2 * 512000);
  EXPECT_EQ(space["reserved_unpadded_bytes"], 2 * 8000);
  const Json& result = space["live_at_peak"][1];
  EXPECT_EQ(result["unpadded_bytes"], 8000);
  EXPECT_EQ(result["op_name"], "jit(f)/neg");
  EXPECT_EQ(result["source_line"], "a.py:7");
}

TEST(HloCommand, PeakNeedsASchedule) {
  const Outcome outcome = RunCommand({"hlo", "peak", "-"}, kModule);
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("<stdin>: note: module m has no peak: "));
  // JSON has an object for every module.
  const Outcome json =
      RunCommand({"hlo", "peak", "-", "--format=json"}, kModule);
  EXPECT_EQ(json.exit_code, kExitBadInput);
  EXPECT_EQ(json.err, outcome.err);
  const std::vector<Json> lines = JsonLines(json.out);
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(lines[0]["module"], "m");
  EXPECT_EQ(lines[0]["entry"], "main");
  EXPECT_TRUE(lines[0]["by_memory_space"].is_null());
  EXPECT_EQ(lines[0]["reason"],
            "not scheduled (no is_scheduled=true); assume_text_order uses the "
            "order of the text");
  // One that has is enough.
  const Outcome both = RunCommand(
      {"hlo", "peak", "-", "tests/hlo/data/slice_to_dynamic.hlo"}, kModule);
  EXPECT_EQ(both.exit_code, kExitOk);
  EXPECT_EQ(both.err, outcome.err);
}

constexpr char kNoEntry[] =
    "HloModule m, is_scheduled=true\n"
    "f {\n  ROOT x = f32[2]{0} parameter(0)\n}\n";

TEST(HloCommand, NoPeakWithoutEntry) {
  const Outcome text = RunCommand({"hlo", "peak", "-"}, kNoEntry);
  EXPECT_EQ(text.exit_code, kExitBadInput);
  EXPECT_EQ(text.out,
            "<stdin>\n"
            "  module m\n"
            "  peak: not known; no computation is marked ENTRY\n");
  EXPECT_EQ(text.err, "");

  const Outcome json =
      RunCommand({"hlo", "peak", "-", "--format=json"}, kNoEntry);
  EXPECT_EQ(json.exit_code, kExitBadInput);
  EXPECT_EQ(json.out,
            R"({"file":"<stdin>","module":"m","entry":null,"is_entry":false,)"
            R"("instructions":null,"instructions_without_shape":null,)"
            R"("skipped_arrays":null,"unresolved":null,)"
            R"("unresolved_calls":null,"by_memory_space":null,)"
            R"("reason":"no computation is marked ENTRY","source":"text",)"
            R"("target":"none","is_text_order_assumed":false,"steps":null,)"
            R"("step_instructions":[],"tpu_generation":null,"at":null,)"
            R"("step_opcodes":[],"memory_analysis":null,"scoped_vmem":null,)"
            R"("is_unscheduled":false,)"
            R"("tessera_version":")" TESSERA_VERSION
            R"(","unclosed_computations":null})"
            "\n");
  EXPECT_EQ(json.err,
            "<stdin>: error: module m has no peak: no computation is marked "
            "ENTRY\n");

  const Outcome csv =
      RunCommand({"hlo", "peak", "-", "--format=csv"}, kNoEntry);
  EXPECT_EQ(csv.exit_code, kExitBadInput);
  EXPECT_EQ(csv.out,
            "file,module,memory_space,instruction,opcode,kind,shape,"
            "padded_bytes,unpadded_bytes,cause,dimensions,bound,padded,first,"
            "last,op_name,source_line,same_place_as,path,index\n");
  EXPECT_EQ(csv.err, json.err);

  // Others are still answered, but one that is damaged shows.
  const Outcome both = RunCommand(
      {"hlo", "peak", "-", "tests/hlo/data/slice_to_dynamic.hlo"}, kNoEntry);
  EXPECT_EQ(both.exit_code, kExitBadInput);
  EXPECT_THAT(both.out, HasSubstr("ENTRY\n\ntests/hlo/data/slice_to_dynamic"));
  EXPECT_THAT(both.out, HasSubstr("peak 84 B at step 3"));
}

TEST(HloCommand, NoPeakOfADumpThatBreaksOffBeforeEntry) {
  const std::string file =
      "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt";
  const Outcome text = RunCommand({"hlo", "peak", file});
  EXPECT_EQ(text.exit_code, kExitBadInput);
  EXPECT_EQ(text.out,
            absl::StrCat(file,
                         "\n"
                         "  module jit_train_step\n"
                         "  peak: not known; the text breaks off before "
                         "ENTRY\n"));
  EXPECT_THAT(text.err, HasSubstr(": warning: "));
  const Json json =
      JsonLines(RunCommand({"hlo", "peak", file, "--format=json"}).out)[0];
  EXPECT_TRUE(json["by_memory_space"].is_null());
  EXPECT_EQ(json["reason"], "the text breaks off before ENTRY");
  // The report needs no ENTRY.
  EXPECT_EQ(RunCommand({"hlo", file}).exit_code, kExitOk);
}

TEST(HloCommand, NoPeakInADiffWithoutEntry) {
  const std::string before = absl::StrCat(testing::TempDir(), "/whole.hlo");
  std::ofstream(before) << kScheduled;
  const Outcome text = RunCommand({"hlo", "diff", before, "-"}, kNoEntry);
  EXPECT_EQ(text.exit_code, kExitBadInput);
  EXPECT_THAT(text.out, HasSubstr("\n  peak: not known; after: no computation "
                                  "is marked ENTRY\n"));
  EXPECT_THAT(text.out, Not(HasSubstr("  peak   ")));
  EXPECT_EQ(text.err, "");

  const Outcome json =
      RunCommand({"hlo", "diff", before, "-", "--format=json"}, kNoEntry);
  EXPECT_EQ(json.exit_code, kExitBadInput);
  const Json module = JsonLines(json.out)[0]["modules"][0];
  EXPECT_TRUE(module["peak_bytes"].is_null());
  EXPECT_EQ(module["reason"], "after: no computation is marked ENTRY");
  EXPECT_EQ(json.err,
            absl::StrCat(before,
                         " -> <stdin>: error: module m has no peak: after: no "
                         "computation is marked ENTRY\n"));

  const Outcome csv =
      RunCommand({"hlo", "diff", before, "-", "--format=csv"}, kNoEntry);
  EXPECT_EQ(csv.exit_code, kExitBadInput);
  EXPECT_EQ(csv.err, json.err);

  // Nothing is wrong with a module that is not scheduled.
  const Outcome unscheduled = RunCommand({"hlo", "diff", before, "-"}, kModule);
  EXPECT_EQ(unscheduled.exit_code, kExitOk);
  EXPECT_THAT(
      unscheduled.out,
      HasSubstr("\n  peak: not known; after: the module is not scheduled; "
                "--assume-text-order uses the order of the text\n"));
  const Outcome unscheduled_json =
      RunCommand({"hlo", "diff", before, "-", "--format=json"}, kModule);
  EXPECT_EQ(unscheduled_json.exit_code, kExitOk);
  EXPECT_EQ(unscheduled_json.err, "");
  EXPECT_EQ(JsonLines(unscheduled_json.out)[0]["modules"][0]["is_unscheduled"],
            true);
}

TEST(HloCommand, TextWithoutAComputationIsAnError) {
  constexpr char kNoModule[] = "the text has no HLO module";
  constexpr char kNoComputation[] = "the text has no computation";
  const struct {
    const char* text;
    const char* error;
  } kCases[] = {
      {"", kNoModule},
      {" \n\t\n", kNoModule},
      {"// nothing\n", kNoModule},
      {"HloModule", kNoModule},
      {"HloModule m\n", kNoComputation},
      {"HloModule m, is_scheduled=true\nFileNames\n1 \"a\"\n", kNoComputation},
  };
  const std::vector<std::vector<std::string>> commands = {
      {"hlo", "-"},
      {"hlo", "report", "-", "--format=json"},
      {"hlo", "report", "-", "--computation=main"},
      {"hlo", "-", "--html=-"},
      {"hlo", "instructions", "-"},
      {"hlo", "instructions", "-", "--format=csv"},
      {"hlo", "peak", "-"},
      {"hlo", "peak", "-", "--html=-"},
      {"hlo", "cat", "-"},
      {"hlo", "diff", "-", "tests/hlo/data/while.hlo"},
      {"hlo", "diff", "tests/hlo/data/while.hlo", "-"},
  };
  for (const auto& test : kCases) {
    for (const std::vector<std::string>& command : commands) {
      const Outcome outcome = RunCommand(command, test.text);
      EXPECT_EQ(outcome.exit_code, kExitBadInput) << command[1] << test.text;
      EXPECT_EQ(outcome.out, "") << command[1] << test.text;
      EXPECT_THAT(outcome.err,
                  EndsWith(absl::StrCat("<stdin>: error: ", test.error, "\n")))
          << command[1] << test.text;
    }
  }
  // Other files are still read.
  const Outcome both =
      RunCommand({"hlo", "cat", "-", "tests/hlo/data/while.hlo"}, "");
  EXPECT_EQ(both.exit_code, kExitBadInput);
  EXPECT_THAT(both.out, StartsWith("HloModule"));
}

TEST(HloCommand, Diff) {
  const std::string after = absl::StrReplaceAll(
      kScheduled, {{"f32[256]{0} neg", "f32[256]{0:S(1)} neg"}});
  const std::string before = absl::StrCat(testing::TempDir(), "/before.hlo");
  std::ofstream(before) << kScheduled;
  const Outcome text = RunCommand({"hlo", "diff", before, "-"}, after);
  EXPECT_EQ(text.exit_code, kExitOk);
  EXPECT_EQ(
      text.out,
      absl::StrCat(
          before,
          " -> <stdin>\n\n"
          "module m: 4 instructions in both, 0 new, 0 gone\n\n"
          "  peak            before     after     change  reserved before     "
          "after     change\n"
          "  default S(0)  4.00 KiB  3.50 KiB     -512 B         4.50 KiB  "
          "3.50 "
          "KiB  -1.00 KiB\n"
          "  S(1)               0 B  1.00 KiB  +1.00 KiB              0 B  "
          "1.00 "
          "KiB  +1.00 KiB\n"
          "\n"
          "  at the peak in default S(0): -512 B, in 2 groups\n"
          "     change  what  instruction  shape\n"
          "  -1.00 KiB  gone  a            f32[256]{0}\n"
          "     +512 B  new   c            f32[128]{0}\n"
          "\n"
          "  at the peak in S(1): +1.00 KiB, in 1 group\n"
          "     change  what  instruction  shape\n"
          "  +1.00 KiB  new   a            f32[256]{0:S(1)}\n"
          "\n"
          "  all buffers     before     after     change  padding  "
          "change\n"
          "  default S(0)  4.50 KiB  3.50 KiB  -1.00 KiB      0 B    "
          "same\n"
          "  S(1)               0 B  1.00 KiB  +1.00 KiB      0 B    "
          "same\n"
          "\n"
          "  1 array has changed, in 1 group\n"
          "  change  what          instruction  shape\n"
          "    same  memory space  a            "
          "f32[256]{0} -> {0:S(1)}\n"));
  const Json json = JsonLines(
      RunCommand({"hlo", "diff", before, "-", "--format=json"}, after).out)[0];
  EXPECT_THAT(Keys(json), ElementsAre("before_file", "after_file", "modules",
                                      "before_reading", "after_reading",
                                      "tessera_version"));
  const Json& module = json["modules"][0];
  EXPECT_EQ(module["matched_by_structure"], 4);
  EXPECT_EQ(module["counted"], "buffers");
  EXPECT_EQ(module["peak_bytes"]["0"].dump(),
            R"({"name":"default","before":4096,"after":3584,)"
            R"("reserved_before":4608,"reserved_after":3584,)"
            R"("assigned_before":null,"assigned_after":null,"group_count":2,)"
            R"("groups":[{"change":"gone","count":1,)"
            R"("before_shape":"f32[256]{0}","after_shape":null,)"
            R"("before_bytes":1024,"after_bytes":0,"op_name":"",)"
            R"("source_line":"","instruction":"a","opcode":"negate",)"
            R"("before_pass":null,"after_pass":null},)"
            R"({"change":"new","count":1,"before_shape":null,)"
            R"("after_shape":"f32[128]{0}","before_bytes":0,"after_bytes":512,)"
            R"("op_name":"","source_line":"","instruction":"c",)"
            R"("opcode":"slice","before_pass":null,"after_pass":null}]})");
  EXPECT_EQ(module["groups"][0]["change"], "memory space");
  EXPECT_EQ(module["changes"][0]["change"], "memory space");
  EXPECT_EQ(
      RunCommand({"hlo", "diff", before, "-", "--format=csv"}, after).out,
      "module,computation,change,opcode,before,after,array,before_shape,"
      "after_shape,before_bytes,after_bytes,before_pass,after_pass\n"
      "m,main,memory space,negate,a,a,0,f32[256]{0},f32[256]{0:S(1)},1024,"
      "1024,,\n");
  EXPECT_THAT(RunCommand({"hlo", "diff", before, before}).out,
              HasSubstr("\n  no array has changed\n"));
  EXPECT_EQ(
      RunCommand({"hlo", "diff", before, before, "--count=all"}).exit_code,
      kExitBadUsage);
  EXPECT_EQ(RunCommand({"hlo", "diff", before}).exit_code, kExitBadUsage);
  EXPECT_EQ(RunCommand({"hlo", "diff", before, "no/file"}).exit_code,
            kExitBadInput);
}

TEST(HloCommand, DiffLeavesOutModulesThatHaveNotChanged) {
  const std::string module = absl::StrReplaceAll(kScheduled, {{"m,", "n,"}});
  const std::string before = absl::StrCat(testing::TempDir(), "/three.hlo");
  std::ofstream(before) << kScheduled << module << module;
  const Outcome outcome = RunCommand(
      {"hlo", "diff", before, "-"},
      absl::StrCat(kScheduled, module,
                   absl::StrReplaceAll(
                       module, {{"f32[256]{0} neg", "f32[256]{0:S(1)} neg"}})));
  EXPECT_THAT(outcome.out, HasSubstr("\nmodule n: 4 instructions in both"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("module m")));
  EXPECT_THAT(outcome.out, EndsWith("\n2 modules have not changed\n"));
}

constexpr char kPassesBefore[] = "tests/hlo/data/passes/before";
constexpr char kPassesAfter[] = "tests/hlo/data/passes/after";
constexpr char kLastBefore[] = "module_0001.jit_f.tpu_after_optimizations.txt";
constexpr char kLastAfter[] = "module_0003.jit_f.tpu_after_optimizations.txt";

TEST(HloCommand, DiffOfFilesBesideTheirPasses) {
  const std::string before = absl::StrCat(kPassesBefore, "/", kLastBefore);
  const std::string after = absl::StrCat(kPassesAfter, "/", kLastAfter);
  const Json of_folders = Json::parse(
      RunCommand({"hlo", "diff", kPassesBefore, kPassesAfter, "--format=json"})
          .out);
  EXPECT_FALSE(of_folders["modules"][0]["passes"].is_null());
  EXPECT_EQ(
      Json::parse(
          RunCommand({"hlo", "diff", before, after, "--format=json"}).out),
      of_folders);

  // Without passes on both sides, the files are all that is compared.
  std::ifstream in(after);
  const std::string last(std::istreambuf_iterator<char>(in), {});
  const std::string alone =
      absl::StrCat(FolderWith({{"m.before_optimizations.txt", kScheduled},
                               {"m.after_optimizations.txt", last}}),
                   "/m.after_optimizations.txt");
  const std::vector<std::string> none[] = {
      {"hlo", "diff", before, after, "--no-sidecars", "--format=json"},
      {"hlo", "diff", before, alone, "--format=json"},
      {"hlo", "diff", alone, before, "--format=json"},
  };
  for (const std::vector<std::string>& arguments : none) {
    const Json module = Json::parse(RunCommand(arguments).out)["modules"][0];
    EXPECT_TRUE(module["passes"].is_null());
    ASSERT_FALSE(module["groups"].empty());
    EXPECT_TRUE(module["groups"][0]["before_pass"].is_null());
    EXPECT_TRUE(module["groups"][0]["after_pass"].is_null());
  }
}

TEST(HloCommand, PassesAsPage) {
  const Outcome page =
      RunCommand({"hlo", "passes", kPassesBefore, kPassesAfter, "--html=-"});
  EXPECT_EQ(page.exit_code, kExitOk) << page.err;
  const Json data = PageData(page.out);
  EXPECT_EQ(data["title"], absl::StrCat(kPassesBefore, " and 1 more"));
  ASSERT_EQ(data["files"].size(), 2);
  ASSERT_EQ(data["passes"].size(), 2);
  const std::vector<Json> lines =
      JsonLines(RunCommand({"hlo", "passes", kPassesBefore, kPassesAfter,
                            "--format=json"})
                    .out);
  ASSERT_EQ(lines.size(), 2);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(data["passes"][i]["files"], lines[i]["files"]);
    EXPECT_EQ(data["passes"][i]["passes"]["each"]["bytes"].size(),
              lines[i]["passes"].size());
  }

  const std::string folder = FolderWith({{"one.txt", kScheduled}});
  const Outcome none = RunCommand({"hlo", "passes", folder, "--html=-"});
  EXPECT_EQ(none.exit_code, kExitBadInput);
  EXPECT_EQ(none.out, "");
}

TEST(HloCommand, MapOfAnAssignmentAlone) {
  const std::string folder = FolderWith(
      {{"m-buffer-assignment.txt",
        "BufferAssignment:\n"
        "allocation 0: size 1024, parameter 0, shape |f32[256]| at ShapeIndex "
        "{}:\n"
        " value: <0 x @0> (size=1024,offset=0): f32[256]{0}\n"
        "allocation 1: size 1536, preallocated-temp:\n"
        " value: <1 a @0> (size=1024,offset=0): f32[256]{0}\n"
        " value: <2 b @0> (size=512,offset=1024): f32[3,3]{1,0:T(8,16)}\n"}});
  const std::string file = folder + "/m-buffer-assignment.txt";
  const Outcome bare = RunCommand({"hlo", "map", file});
  EXPECT_EQ(bare.exit_code, kExitOk) << bare.err;
  EXPECT_THAT(
      bare.out,
      AllOf(HasSubstr("a buffer assignment without its module"),
            HasSubstr("assigned 2.50 KiB in 2 allocations; no live ranges were "
                      "written, so the peak is not known"),
            HasSubstr("3 values\n"), HasSubstr("b      f32[3,3]{1,0:T(8,16)}"),
            Not(HasSubstr("steps"))));

  std::ofstream(folder + "/m-live-range.txt")
      << "HloLiveRange (max 3):\n  InstructionSequence:\n    0:x\n    1:a\n"
         "    2:b\n  BufferLiveRange:\n    x{}:0-3\n    a{}:1-1\n    "
         "b{}:2-3\n  "
         "Live ranges at 1 (peak):\n    a: 1024 bytes\n";
  const Outcome timed = RunCommand({"hlo", "map", file});
  EXPECT_THAT(timed.out, AllOf(HasSubstr("2.00 KiB in use at the peak, at step "
                                         "1, a; 512 B never in use"),
                               HasSubstr("2 values then")));
  const Outcome picture = RunCommand({"hlo", "map", file, "--svg=-"});
  EXPECT_EQ(picture.exit_code, kExitOk);
  EXPECT_THAT(picture.out, AllOf(StartsWith("<svg"), HasSubstr("temporary"),
                                 HasSubstr("f32[3,3]{1,0:T(8,16)}")));
  EXPECT_EQ(RunCommand({"hlo", "map", file, "--format=json"}).exit_code,
            kExitBadInput);
}

// The answer is that of `hlo explain`, with the texts next to the file.
TEST(HloCommand, PeakOfAnAssignmentAlone) {
  for (const std::string name : {"apart", "one_file"}) {
    const std::string file = absl::StrCat("tests/hlo/data/assignments/", name,
                                          "-buffer-assignment.txt");
    for (const std::string option :
         {"--top=2", "--format=json", "--format=text"}) {
      const Outcome outcome = RunCommand({"hlo", "peak", file, option});
      EXPECT_EQ(outcome.exit_code, kExitOk) << outcome.err;
      EXPECT_EQ(outcome.err, "");
      EXPECT_EQ(outcome.out, RunCommand({"hlo", "explain", file, option}).out);
    }
    // Nothing in it can answer these.
    for (const std::string option :
         {"--format=csv", "--module=m", "--computation=e", "--at=1"}) {
      const Outcome outcome = RunCommand({"hlo", "peak", file, option});
      EXPECT_EQ(outcome.exit_code, kExitBadInput) << option;
      EXPECT_THAT(outcome.err, HasSubstr("this is a buffer assignment"))
          << option;
    }
  }
  const std::string file =
      "tests/hlo/data/truth/v5e/attention.after_optimizations-buffer-"
      "assignment.txt";
  const Outcome vmem =
      RunCommand({"hlo", "peak", file, "--space=VMEM", "--target=v5e"});
  EXPECT_EQ(vmem.exit_code, kExitOk) << vmem.err;
  EXPECT_THAT(vmem.out, AllOf(HasSubstr("memory space 1: assigned 27.0 MiB"),
                              HasSubstr("peak: at most 27.0 MiB"),
                              Not(HasSubstr("memory space 0"))));
  const Outcome none = RunCommand({"hlo", "peak", file, "--space=9"});
  EXPECT_EQ(none.exit_code, kExitBadInput);
  EXPECT_EQ(none.err, file + ": error: memory space 9 is empty\n");
}

// The page of the second dump, with what changed.
TEST(HloCommand, DiffAsPage) {
  const std::string folder = FolderWith(
      {{"before.hlo", kScheduled},
       {"after.hlo",
        absl::StrReplaceAll(kScheduled,
                            {{"f32[256]{0} neg", "f32[256]{0:S(1)} neg"}})}});
  const std::string before = folder + "/before.hlo";
  const std::string after = folder + "/after.hlo";
  const Outcome page = RunCommand({"hlo", "diff", before, after, "--html=-"});
  EXPECT_EQ(page.exit_code, kExitOk) << page.err;
  EXPECT_THAT(page.out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page.out, HasSubstr(R"("changes":{"before_file":")" + before));
  EXPECT_THAT(page.out,
              HasSubstr(R"("before":4096,"after":3584,)"
                        R"("reserved_before":4608,"reserved_after":3584,)"
                        R"("assigned_before":null,"assigned_after":null,)"
                        R"("group_count":2,"groups":{"$rows":2,)"));
  EXPECT_THAT(page.out, HasSubstr(R"("title":")" + after));

  // What the page could not know of the first dump is said.
  const Outcome cut_off =
      RunCommand({"hlo", "diff", "-", after, "--html=-", "--assume-text-order"},
                 absl::StrCat(kModule, "\nENTRY broken { x = "));
  const Json before_reading =
      PageData(cut_off.out)["changes"]["before_reading"];
  EXPECT_EQ(before_reading["diagnostic_count"], 2);
  EXPECT_THAT(cut_off.out, HasSubstr(R"("is_text_order_assumed":true)"));
  EXPECT_THAT(RunCommand({"hlo", "diff", "-", after, "--html=-"}, kModule).out,
              HasSubstr(R"("reason":"before: )"));

  for (const std::string& input : {before, after}) {
    const Outcome lost =
        RunCommand({"hlo", "diff", before, after, "--html", input});
    EXPECT_EQ(lost.exit_code, kExitBadInput);
    EXPECT_THAT(lost.err, HasSubstr("is both input and output"));
  }
  EXPECT_EQ(
      RunCommand({"hlo", "diff", before, after, "--html=-", "--format=json"})
          .exit_code,
      kExitBadUsage);
  const std::string dumps = FolderOfDumps();
  const Outcome many = RunCommand({"hlo", "diff", dumps, dumps, "--html=-"});
  EXPECT_EQ(many.exit_code, kExitBadInput);
  EXPECT_EQ(many.out, "");
  EXPECT_THAT(many.err, HasSubstr("--html writes a page of one dump; name one "
                                  "of the folder's"));
}

TEST(HloCommand, Cat) {
  const std::string text =
      "HloModule m\n\nENTRY e {\n"
      "  ROOT x = f32[] constant(1), metadata={op_name=\"one\"}, "
      "backend_config={\"a\":1}\n}\n\n";
  const Outcome whole = RunCommand({"hlo", "cat", "-"}, "// m\n" + text);
  EXPECT_EQ(whole.exit_code, kExitOk);
  EXPECT_THAT(whole.out, StartsWith("HloModule m\n\nENTRY e {\n"));
  EXPECT_EQ(RunCommand({"hlo", "cat", "-"}, whole.out).out, whole.out);
  EXPECT_EQ(RunCommand({"hlo", "cat", "-", "--computation=e", "--no-metadata",
                        "--no-backend-config"},
                       text)
                .out,
            "ENTRY e {\n  ROOT x = f32[] constant(1)\n}\n");
  EXPECT_EQ(RunCommand({"hlo", "cat", "-", "--computation=f"}, text).exit_code,
            kExitBadInput);
}

TEST(HloCommand, Html) {
  const Outcome page = RunCommand({"hlo", "-", "--html=-"}, kScheduled);
  EXPECT_EQ(page.exit_code, kExitOk);
  EXPECT_THAT(page.out, StartsWith("<!DOCTYPE html>"));
  const std::string file = absl::StrCat(testing::TempDir(), "/page.html");
  EXPECT_EQ(RunCommand({"hlo", "peak", "-", "--html", file}, kScheduled).out,
            "");
  std::ifstream written(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(written), {}), page.out);
  const Outcome nowhere =
      RunCommand({"hlo", "-", "--html=no/such/page.html"}, kScheduled);
  EXPECT_EQ(nowhere.exit_code, kExitBadInput);
  EXPECT_EQ(nowhere.err,
            "no/such/page.html: error: cannot be written: No such file or "
            "directory\n");
}

// The page has the modules of all files; a file that cannot be read is said.
TEST(HloCommand, HtmlOfAFolder) {
  const std::string folder = FolderOfDumps();
  const Outcome page = RunCommand({"hlo", "peak", folder, "--html=-"});
  const auto count = [&](std::string_view text) {
    return SplitViews(page.out, AbslView(text)).size() - 1;
  };
  EXPECT_THAT(page.out, StartsWith("<!DOCTYPE html>"));
  EXPECT_EQ(PageData(page.out)["files"].size(), 4);
  EXPECT_EQ(count("\"file\":\"module_000"), 2 * 4);
  const Outcome both =
      RunCommand({"hlo", "-", "no/such/x", "--html=-"}, kScheduled);
  EXPECT_EQ(both.exit_code, kExitBadInput);
  EXPECT_EQ(PageData(both.out)["files"][0]["file"], "<stdin>");
  EXPECT_THAT(both.err, HasSubstr("no/such/x: error: cannot be read"));
}

TEST(HloCommand, TheNameOfTheCallerStandsForItsComputation) {
  constexpr char kText[] = R"(HloModule m, is_scheduled=true
body { p = f32[8]{0} parameter(0) ROOT n = f32[8]{0} negate(p) }
cond { p = f32[8]{0} parameter(0) ROOT t = pred[] constant(true) }
other { q = f32[8]{0} parameter(0) ROOT s = f32[8]{0} sine(q) }
ENTRY e {
  x = f32[8]{0} parameter(0)
  w.5 = f32[8]{0} while(x), condition=cond, body=body
  i = pred[] constant(true)
  ROOT c.1 = f32[8]{0} conditional(i, w.5, w.5), true_computation=other, false_computation=body
})";
  for (const char* command : {"peak", "report", "cat"}) {
    const Outcome of_body =
        RunCommand({"hlo", command, "-", "--computation=body"}, kText);
    EXPECT_EQ(of_body.exit_code, kExitOk) << of_body.err;
    EXPECT_EQ(RunCommand({"hlo", command, "-", "--computation=w.5"}, kText).out,
              of_body.out);
    EXPECT_EQ(RunCommand({"hlo", command, "-", "--computation=c.1"}, kText).err,
              "<stdin>: error: the conditional 'c.1' runs several "
              "computations; name one of them: 'other', 'body'\n");
    EXPECT_EQ(RunCommand({"hlo", command, "-", "--computation=x"}, kText).err,
              "<stdin>: error: there is no computation 'x'\n");
  }
}

// A folder with a module of which no peak is known is equal to itself.
TEST(HloCommand, AnUnknownPeakIsNoChange) {
  const std::string folder =
      FolderWith({{"a.txt", ModuleOf("a", 2)},
                  {"b.txt",
                   "HloModule b, is_scheduled=true\n"
                   "c { ROOT p = f32[] parameter(0) }\n"}});
  EXPECT_THAT(RunCommand({"hlo", "diff", folder, folder}).out,
              HasSubstr("\n  2 modules in both, 0 have changed; the peak of 1 "
                        "is not known\n"));
}

// A line a file, and the advice once.
TEST(HloCommand, FilesWithoutOrderAreSaidOnce) {
  const std::string module =
      "HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }\n";
  const std::string folder =
      FolderWith({{"a.txt", module + module}, {"b.txt", module}});
  const std::string hint =
      ": note: XLA_FLAGS=--xla_dump_to=DIR writes the scheduled module to "
      "DIR/*after_optimizations.txt; in JAX, "
      "jitted.lower(...).compile().as_text() is its text\n";
  const std::string of_a =
      "/a.txt: note: 2 modules have no peak: not scheduled (no "
      "is_scheduled=true); --assume-text-order uses the order of the text\n";
  const std::string of_b =
      "/b.txt: note: module m has no peak: not scheduled (no "
      "is_scheduled=true); --assume-text-order uses the order of the text\n";
  EXPECT_EQ(RunCommand({"hlo", "peak", folder}).err,
            absl::StrCat(folder, of_a, folder, of_b, folder, hint));
  EXPECT_EQ(RunCommand({"hlo", "check", folder, "--max-reserved=1"}).err,
            absl::StrReplaceAll(absl::StrCat(folder, of_a, folder, of_b),
                                {{"note", "error"}}) +
                folder + "/a.txt" + hint);
}

TEST(HloCommand, HtmlGoesWithNoOtherFormat) {
  for (const char* format : {"json", "csv"}) {
    for (const char* command : {"report", "peak", "passes"}) {
      const Outcome outcome = RunCommand(
          {"hlo", command, "-", "--html=-", absl::StrCat("--format=", format)},
          kScheduled);
      EXPECT_EQ(outcome.exit_code, kExitBadUsage);
      EXPECT_EQ(outcome.out, "");
      EXPECT_THAT(outcome.err,
                  HasSubstr(absl::StrCat("error: --html writes a page, and "
                                         "--format=",
                                         format, " asks for a report\n")));
    }
  }
}

TEST(HloCommand, APageDoesNotReplaceItsInput) {
  const std::string file = absl::StrCat(testing::TempDir(), "/input.hlo");
  std::ofstream(file) << kScheduled;
  const std::string link = absl::StrCat(testing::TempDir(), "/link.hlo");
  std::remove(link.c_str());
  ASSERT_EQ(::link(file.c_str(), link.c_str()), 0);
  for (const std::string& page : {file, link}) {
    for (const char* command : {"report", "peak"}) {
      const Outcome outcome =
          RunCommand({"hlo", command, file, "--html", page});
      EXPECT_EQ(outcome.exit_code, kExitBadInput);
      EXPECT_EQ(outcome.err,
                absl::StrCat(page, ": error: is both input and output\n"));
      std::ifstream in(file);
      EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}),
                kScheduled);
    }
  }
}

TEST(HloCommand, StandardInputIsOneSideOfADiff) {
  const Outcome outcome = RunCommand({"hlo", "diff", "-", "-"}, kScheduled);
  EXPECT_EQ(outcome.exit_code, kExitBadUsage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              HasSubstr("error: BEFORE and AFTER are both -, and standard "
                        "input is read once\n"));
}

// A name that stands for nothing is a mistake for every subcommand, as is text
// that cannot be read; a text that breaks off is not.
TEST(HloCommand, SubcommandsAgreeOnWhatIsAnError) {
  const std::string head =
      "HloModule m, is_scheduled=true\nENTRY e {\n"
      "  x = f32[] parameter(0)\n";
  struct Case {
    std::string text;
    int exit_code;
    const char* err;
  };
  const Case kCases[] = {
      {head + "  ROOT y = f32[] add(x, x)\n}\n", kExitOk, ""},
      {head + "  ROOT y = f32[] add(x, nope)\n}\n", kExitBadInput,
       "<stdin>:4:25: error: no instruction 'nope' comes before this one in "
       "the computation 'e'\n"},
      {head + "  ROOT y = f32[ add(x, x)\n}\n", kExitBadInput, "error: "},
      {head + "  ROOT y = f32[] add(x, x)\n", kExitOk, "warning: "},
      {"", kExitBadInput, "<stdin>: error: the text has no HLO module\n"},
  };
  for (const Case& c : kCases) {
    std::string first_err;
    for (const char* subcommand : {"report", "instructions", "cat", "peak"}) {
      const Outcome outcome = RunCommand({"hlo", subcommand, "-"}, c.text);
      EXPECT_EQ(outcome.exit_code, c.exit_code) << subcommand << c.text;
      EXPECT_THAT(outcome.err, HasSubstr(c.err)) << subcommand << c.text;
      if (first_err.empty()) first_err = outcome.err;
      EXPECT_EQ(outcome.err, first_err) << subcommand << c.text;
    }
  }
}

// A line out of a dump, of whose operands XLA makes parameters.
TEST(HloCommand, OneInstruction) {
  constexpr char kLine[] =
      "%multiply = f32[2,4]{1,0} multiply(f32[2,4]{1,0} %broadcast, "
      "f32[2,4]{1,0} %x), metadata={op_name=\"f\"}\n";
  // As dumps have it today.
  constexpr char kWithoutShapes[] =
      "ROOT %multiply = f32[2,4]{1,0} multiply(%broadcast, %x)\n";
  for (const char* line : {kLine, kWithoutShapes}) {
    for (const char* subcommand : {"report", "instructions", "cat"}) {
      const Outcome outcome = RunCommand({"hlo", subcommand, "-"}, line);
      EXPECT_EQ(outcome.exit_code, kExitOk) << subcommand << line;
      EXPECT_EQ(outcome.err, "") << subcommand << line;
    }
    EXPECT_EQ(RunCommand({"hlo", "cat", "-"}, line).out, line);
    const Outcome peak = RunCommand({"hlo", "peak", "-"}, line);
    EXPECT_EQ(peak.exit_code, kExitBadInput);
    EXPECT_THAT(peak.err, HasSubstr("has no peak: not scheduled (no "));
  }
  const Outcome strict = RunCommand({"hlo", "cat", "-", "--strict"}, kLine);
  EXPECT_EQ(strict.err, "");
  EXPECT_EQ(strict.out, kLine);
  EXPECT_EQ(RunCommand({"hlo", "cat", "-", "--strict"},
                       "%multiply = f32[2] multiply(f32[2], f32[2])\n")
                .exit_code,
            kExitOk);
  EXPECT_THAT(
      RunCommand({"hlo", "cat", "-", "--strict"}, kWithoutShapes).err,
      HasSubstr("<stdin>:1:41: error: the operand 'broadcast' of a text of one "
                "instruction must have a shape\n"));
}

// Each line of kScheduled, with the prefix of a log before it.
std::string Logged() {
  std::string text;
  for (std::string_view line : SplitViews(kScheduled, '\n')) {
    absl::StrAppend(&text, "I0521 12:04:45.883483    1509 service.cc:186] ",
                    AbslView(line), "\n");
  }
  return text;
}

TEST(HloCommand, LinesOfALog) {
  for (const char* subcommand : {"report", "instructions", "cat", "peak"}) {
    const Outcome plain = RunCommand({"hlo", subcommand, "-"}, kScheduled);
    const Outcome logged = RunCommand({"hlo", subcommand, "-"}, Logged());
    EXPECT_EQ(logged.err, "");
    EXPECT_EQ(logged.exit_code, kExitOk);
    EXPECT_EQ(logged.out, plain.out);
  }
  // The place is that in the log.
  const Outcome wrong =
      RunCommand({"hlo", "cat", "-"},
                 absl::StrReplaceAll(Logged(), {{"negate(x)", "negate(w)"}}));
  EXPECT_THAT(wrong.err,
              StartsWith("<stdin>:4:72: error: no instruction 'w' comes before "
                         "this one in the computation 'main'\n"));
}

TEST(HloCommand, MaxUnpacked) {
  const std::string size = absl::StrCat(std::string(kModule).size());
  EXPECT_EQ(RunCommand({"hlo", "-", "--max-unpacked", size}, kModule).exit_code,
            kExitOk);
  const Outcome outcome =
      RunCommand({"hlo", "-", "--max-unpacked", "100"}, kModule);
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_EQ(outcome.err,
            "<stdin>: error: takes more than the limit of 100 bytes of memory "
            "(--max-unpacked)\n");
  EXPECT_EQ(RunCommand({"hlo", "-", "--max-unpacked=0.1K"}, kModule).err,
            "<stdin>: error: takes more than the limit of 102 bytes of memory "
            "(--max-unpacked)\n");
  EXPECT_EQ(RunCommand({"hlo", "-", "--max-unpacked=10X"}, kModule).err,
            "tessera: error: --max-unpacked: 10X is not a number of bytes, "
            "such as 4096, 1e9, 10MiB, 10M (the same) or 10MB\n"
            "Run 'tessera hlo report --help' for usage and examples.\n");
}

std::string Gzipped(const std::string& text) {
  std::string packed(256 + text.size() / 100, '\0');
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8,
                         Z_DEFAULT_STRATEGY),
            Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef*>(&packed[0]);
  stream.avail_out = packed.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

TEST(HloCommand, Gzip) {
  const std::string text = "ENTRY e { ROOT x = f32[] constant(1) }\n";
  std::string packed = Gzipped(text);
  for (const char* command : {"report", "instructions", "cat"}) {
    EXPECT_EQ(RunCommand({"hlo", command, "-"}, packed).out,
              RunCommand({"hlo", command, "-"}, text).out);
  }
  packed.resize(packed.size() / 2);
  for (const char* command : {"report", "instructions", "cat"}) {
    const Outcome outcome = RunCommand({"hlo", command, "-"}, packed);
    EXPECT_EQ(outcome.err, "<stdin>: error: the gzip data ends too early\n");
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
  }
}

// What is packed in few bytes may be large.
TEST(HloCommand, ProgressOfGzip) {
  const std::string packed =
      Gzipped(absl::StrCat("/*", std::string(60'000'000, ' '),
                           "*/\nENTRY e { ROOT x = f32[] constant(1) }\n"));
  const std::string file = testing::TempDir() + "/large.hlo.gz";
  std::ofstream(file, std::ios::binary) << packed;
  Display display;
  display.columns = 1000;
  EXPECT_THAT(
      RunCommand({"hlo", file}, "", display).err,
      AllOf(HasSubstr(absl::StrCat("% of ", HumanBytes(packed.size()), ", ")),
            HasSubstr(absl::StrCat(" unpacked: ", file, "\x1b[K"))));
  EXPECT_THAT(RunCommand({"hlo", "-"}, packed, display).err,
              HasSubstr(" unpacked: <stdin>\x1b[K"));
  EXPECT_EQ(RunCommand({"hlo", file}).err, "");
  std::remove(file.c_str());
}

}  // namespace
}  // namespace tessera::cli
