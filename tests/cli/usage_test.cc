// Which mistakes are in how the command is called, exit code 2, and which in
// what it is given to read, exit code 1.

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tests/cli/run.h"
#include "tests/golden_file.h"

namespace tessera::cli {
namespace {

constexpr char kShape[] = "f32[3,5]{1,0:T(2,2)}";
constexpr char kTensor[] =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
    "memref<18x32xf32, #tt.memory_space<l1>>>>";

TEST(Usage, ThatIsWrong) {
  const std::vector<std::vector<std::string>> kCommands = {
      {},
      {"frobnicate"},
      {"--frobnicate"},
      {"", "x"},
      // What must be given.
      {"hlo"},
      {"hlo", "peak"},
      {"hlo", "instructions"},
      {"hlo", "cat"},
      {"hlo", "diff", "a"},
      {"hlo", "passes"},
      {"hlo", "passes", "a", "--count=both"},
      {"hlo", "check"},
      {"hlo", "check", "a"},
      {"hlo", "check", "a", "--max-growth=5%"},
      {"hlo", "check", "a", "--baseline=b.json"},
      {"describe"},
      {"index"},
      {"index", kShape},
      {"coords", kShape},
      {"runs"},
      {"padding"},
      {"compare"},
      {"compare", kShape},
      {"draw"},
      {"explore"},
      {"relayout"},
      {"relayout", "a", "b"},
      {"relayout", "--to", "f32[2]"},
      {"relayout", "--to", "f32[2]", "a"},
      {"relayout", "--plan"},
      {"relayout", "--to", "f32[2]", "--extent", "1", "a", "b"},
      {"tt"},
      {"tt", "check"},
      {"tt", "index", kTensor},
      {"tt", "coords"},
      {"tt", "coords", kTensor},
      {"tt", "coords", kTensor, "--offset", "0,0"},
      {"tt", "coords", kTensor, "--cell", "2,0"},
      {"tt", "coords", kTensor, "--cell", "2,0", "--tile", "0,0"},
      {"tt", "coords", kTensor, "--cell", "2,0", "--in-tile", "0,0"},
      {"tt", "derive"},
      {"tt", "derive", "--grid", "3x2"},
      {"tt", "derive", "--shape", "53x63"},
      {"tt", "ttnn"},
      {"tt", "ttnn", "--shape", "12x16"},
      {"tt", "ttnn", "--shard", "12x16"},
      // Too many.
      {"index", kShape, "0,0", "--explain", "--explain", "--format=json",
       "--format=json"},
      {"draw", kShape, kShape},
      {"explore", kShape, kShape},
      {"relayout", "--to", "f32[2]", "a", "b", "c"},
      {"hlo", "diff", "a", "b", "c"},
      {"batch", "requests.jsonl"},
      {"serve", "8080"},
      {"tt", "derive", "--shape", "53x63", "--grid", "3x2", kTensor},
      // What excludes each other.
      {"hlo", "check", "-", "--baseline=-", "--max-growth=0"},
      {"hlo", "check", "a", "--write-baseline=-", "--max-reserved=1"},
      {"hlo", "check", "a", "--write-baseline=-", "--format=json"},
      {"hlo", "check", "a", "--max-reserved=1", "--markdown=-",
       "--format=json"},
      {"hlo", "check", "a", "--write-baseline=b.json", "--markdown=c.md"},
      {"tt", "coords", kTensor, "--cell=2,0", "--offset=0,0", "--tile=0,0"},
      {"tt", "coords", kTensor, "--cell=2,0", "--offset=0,0", "--in-tile=0,0"},
      {"tt", "ttnn", "--shape=12x16", "--shard=4x4", "--pad", "--strides=16,1"},
      {"tt", "index", "-", "-"},
      {"tt", "index", "-", "0,0", "1,1"},
      // Options that there are not, without a value, or with one that is none.
      {"describe", kShape, "--explian"},
      {"describe", kShape, "--format"},
      {"describe", kShape, "--format=yaml"},
      {"index", kShape, "0,0", "--format=csv"},
      {"coords", kShape, "0", "--explain=perhaps"},
      {"index", kShape, "0,0", "--unit=words"},
      {"coords", kShape, "0", "--unit"},
      {"parse", kShape, "--format=xml"},
      {"runs", kShape, "--start=x"},
      {"runs", kShape, "--limit=1,"},
      {"runs", kShape, "--max-runs=-1"},
      {"runs", kShape, "--unit=feet"},
      {"runs", kShape, "--format=csv"},
      {"padding", kShape, "--max-ranges=many"},
      {"padding", kShape, "--unit=feet"},
      {"compare", kShape, kShape, "--to-dimensions=x"},
      {"compare", kShape, kShape, "--to-dimensions=1,1"},
      {"compare", kShape, kShape, "--to-dimensions=0,2"},
      {"compare", kShape, kShape, "--element-bits=x"},
      {"hlo", "a", "--top=many"},
      {"hlo", "a", "--top=-1"},
      {"hlo", "peak", "a", "--top=1.5"},
      {"hlo", "instructions", "a", "--min-bytes=-1"},
      {"hlo", "instructions", "a", "--min-bytes", "-1KiB"},
      {"hlo", "instructions", "a", "--min-bytes=nan"},
      {"hlo", "instructions", "a", "--min-bytes=10X"},
      {"hlo", "instructions", "a", "--min-bytes=99999999999999999999"},
      {"hlo", "report", "a", "--max-unpacked=1e19"},
      {"hlo", "report", "a", "--max-unpacked=1GiB", "--max-unpacked=1GiB"},
      {"hlo", "instructions", "a", "--memory-space=ATTIC"},
      {"hlo", "check", "a", "--max-reserved=12GiBs"},
      {"hlo", "check", "a", "--max-reserved=-1"},
      {"hlo", "check", "a", "--baseline=b.json", "--max-growth=-5%"},
      {"hlo", "check", "a", "--baseline=b.json", "--max-growth=five"},
      {"hlo", "check", "a", "--max-reserved=1", "--format=csv"},
      {"hlo", "cat", "a", "--format=json"},
      {"draw", kShape, "--rows=x"},
      {"draw", kShape, "--columns=1.5"},
      {"draw", kShape, "--at=x"},
      {"draw", kShape, "--window=0:1"},
      {"draw", kShape, "--window=2:1,0:1"},
      {"draw", kShape, "--memory=x"},
      {"draw", kShape, "--tile=x"},
      {"draw", kShape, "--tile=2,2", "--tile=1,"},
      {"draw", kShape, "--cells=all"},
      {"draw", kShape, "--family=mlir"},
      {"draw", kShape, "-o"},
      {"explore", kShape, "--at=x"},
      {"relayout", "--to=f32[2,2]", "--transpose=x", "a", "b"},
      {"relayout", "--to=f32[2,2]", "--transpose=0,0", "a", "b"},
      {"relayout", "--to=f32[2,2]", "--transpose=1,2", "a", "b"},
      {"relayout", "--from=f32[2,2]", "--extent=2x2", "a", "b"},
      {"relayout", "--from=f32[2,2]", "--from-begin=a", "a", "b"},
      {"relayout", "--from=f32[2,2]", "--to-begin=,", "a", "b"},
      {"relayout", "--from=f32[2,2]", "--pad-value=blue", "a", "b"},
      {"cute", "4:2", "--dialect=rust"},
      {"cute", "4:2", "--format=csv"},
      {"tt", "coords", kTensor, "--cell=x", "--offset=0,0"},
      {"tt", "coords", kTensor, "--cell=2,0", "--offset=0x0"},
      {"tt", "coords", kTensor, "--cell=2,0", "--tile=0,0", "--in-tile=0"},
      {"tt", "derive", "--shape=53,63", "--grid=3x2"},
      {"tt", "derive", "--shape=53x63", "--grid=x"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--collapse=1"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--collapse=a,b"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--collapse-rule=mine"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--align=x"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--element=int"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--memory-space=hbm"},
      {"tt", "derive", "--shape=53x63", "--grid=3x2", "--oob=two"},
      {"tt", "ttnn", "--shape=12x16", "--shard=4"},
      {"tt", "ttnn", "--shape=12x16", "--shard=4x4", "--strides=x"},
      {"tt", "ttnn", "--shape=12x16", "--shard=4x4", "--tile=32"},
      {"tt", "ttnn", "--shape=12x16", "--shard=4x4", "--tile=2x2x2"},
      {"batch", "--jobs=all"},
      {"serve", "--grpc-port=http"},
      {"serve", "--http-port=65536"},
      {"serve", "--max-message-bytes=0"},
      {"serve", "--max-message-bytes=2GiB"},
      {"serve", "--drain-seconds=-1"},
  };
  for (const std::vector<std::string>& command : kCommands) {
    SCOPED_TRACE(absl::StrJoin(command, " "));
    const Outcome outcome = RunCommand(command);
    EXPECT_EQ(outcome.exit_code, kExitBadUsage) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(tessera::StartsWith(outcome.err, "tessera: error: "))
        << outcome.err;
    EXPECT_TRUE(
        tessera::EndsWith(outcome.err, " --help' for usage and examples.\n"))
        << outcome.err;
  }
}

TEST(Usage, IsRightWhereTheInputIsWrong) {
  const std::vector<std::vector<std::string>> kCommands = {
      {"hlo", "no/such/file"},
      {"hlo", "peak", "no/such/file"},
      {"hlo", "diff", "no/such/file", "no/such/file"},
      {"hlo", "passes", "no/such/file"},
      {"hlo", "check", "no/such/file", "--max-reserved=1"},
      {"hlo", "check", "a", "--max-growth=1", "--baseline=no/such/file"},
      {"hlo", "instructions", "no/such/file"},
      {"hlo", "cat", "no/such/file"},
      {"hlo", "no/such/file", "--html=-"},
      {"describe", "f32[3,5"},
      {"index", "f32[3,5", "0,0"},
      {"index", kShape, "x"},
      {"index", kShape, "3,0"},
      {"coords", kShape, "x"},
      {"coords", kShape, "-1"},
      {"parse", "f32[3,5"},
      {"parse", "(8,4):(1,8)", "--format=binproto"},
      {"index", "(8,4):(1,8)", "0,0", "--unit=bits"},
      {"runs", "f32[3,5"},
      {"runs", kShape, "--start=1"},
      {"runs", kShape, "--limit=9,9"},
      {"runs", "(3,2):(0,1)"},
      {"padding", "f32[3,5"},
      {"padding", "(3,2):(0,1)"},
      {"compare", "f32[3,5", kShape},
      {"compare", kShape, "f32[3,5"},
      {"draw", "f32[3,5"},
      {"draw", kShape, "--tile=2"},
      {"draw", kShape, "--rows=7"},
      {"draw", kShape, "--mark=f32["},
      {"draw", kShape, "-o", "no/such/folder/x.svg"},
      {"explore", "f32[3,5"},
      {"relayout", "--to=f32[3,5", "a", "b"},
      {"relayout", "--to=f32[3,5]", "no/such/file", "b"},
      {"relayout", "--from=f32[3,5]", "--transpose=0", "a", "b"},
      {"relayout", "--from=f32[3,5]", "--pad-value=1e99", "a", "b"},
      {"relayout", "--from=s32[3,5]", "--pad-value=0.5", "a", "b"},
      {"cute", "(4,2):(1"},
      {"cute", "--file=no/such/file"},
      {"tt", "tensor<53x63xf32>"},
      {"tt", "check", "tensor<"},
      {"tt", "index", kTensor, "x"},
      {"tt", "index", kTensor, "53,0"},
      {"tt", "coords", kTensor, "--cell=3,0", "--offset=0,0"},
      {"tt", "coords", kTensor, "--cell=0", "--offset=0,0"},
      {"tt", "derive", "--shape=8x96x32", "--grid=2x1x2"},
      {"tt", "derive", "--shape=0x63", "--grid=3x2", "--align=0,0"},
      {"tt", "ttnn", "--shape=12x16", "--shard=0x4"},
      {"tt", "ttnn", "--shape=12x16", "--shard=4x4", "--strides=1"},
  };
  for (const std::vector<std::string>& command : kCommands) {
    SCOPED_TRACE(absl::StrJoin(command, " "));
    const Outcome outcome = RunCommand(command);
    EXPECT_EQ(outcome.exit_code, kExitBadInput) << outcome.err;
    EXPECT_TRUE(tessera::StrContains(outcome.err, "error: ")) << outcome.err;
    EXPECT_FALSE(tessera::StartsWith(outcome.err, "tessera: ")) << outcome.err;
  }
}

// The file would hold SVG.
TEST(Usage, APictureIsSvg) {
  const Outcome outcome = RunCommand({"draw", "f32[2]", "-o", "a.PNG"});
  EXPECT_EQ(outcome.exit_code, kExitBadUsage);
  EXPECT_THAT(outcome.err,
              testing::HasSubstr("--output writes SVG, not png; name a file "
                                 "that ends in .svg\n"));
}

TEST(Version, Example) {
  for (const char* flag : {"--version", "-V"}) {
    const Outcome outcome = RunCommand({flag});
    EXPECT_EQ(outcome.exit_code, kExitOk);
    // Of a test: without the commit, so that a commit does not run it again.
    EXPECT_EQ(outcome.out, "tessera 0.3.0\n");
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Version, Licenses) {
  const std::string notice = ContentsOf("NOTICE");
  EXPECT_EQ(RunCommand({"--licenses"}).out, notice);
  EXPECT_EQ(RunCommand({"--version", "--licenses"}).out,
            "tessera 0.3.0\n\n" + notice);
}

TEST(Usage, ASubcommandWithoutItsGroup) {
  EXPECT_EQ(RunCommand({"peak", "dump.txt"}).err,
            "tessera: error: there is no subcommand peak; did you mean hlo "
            "peak?\nRun 'tessera --help' for usage and examples.\n");
  EXPECT_EQ(RunCommand({"explain", "x"}).exit_code, kExitBadUsage);
}

}  // namespace
}  // namespace tessera::cli
