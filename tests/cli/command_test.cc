// What every sub-command prints, on either stream, and how it exits.

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tests/cli/golden_file.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kArray[] = "f32[3,5]{1,0:T(2,2)}";

TEST(RunTessera, Example) {
  const Outcome outcome = RunCommand({"index", "f32[3,5]{1,0:T(2,2)}", "2,3"});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.out, "17\n");
}

// What is printed lies in tests/cli/golden/commands, in a file for each suite
// and with a part for each case. golden_file.h has the command that writes them
// anew.
struct Case {
  const char* name;
  std::vector<std::string> arguments;
  std::string input = "";
};

const std::string kTooLargeInAll =
    "(u8[2], (token[], pred[9223372036854775807]{0:E(1)}))";

// Every line behind `prefix`, with \xHH for all but printable ASCII.
std::string Lines(std::string_view prefix, const std::string& text) {
  if (text.empty()) return "";
  std::string lines;
  for (const std::string_view line :
       SplitViews(tessera::StripSuffix(text, "\n"), '\n')) {
    lines.append(prefix.data(), prefix.size());
    for (const char c : line) {
      if (absl::ascii_isprint(c)) {
        lines.push_back(c);
      } else {
        const auto byte = static_cast<unsigned char>(c);
        absl::StrAppend(&lines, "\\x", absl::Hex(byte, absl::kZeroPad2));
      }
    }
    lines.push_back('\n');
  }
  if (text.back() != '\n') lines += "\\ without a newline at the end\n";
  return lines;
}

// What is typed, and behind "< " what is read from standard input; what is
// printed, and behind "2> " what goes to standard error.
std::string Transcript(const Case& c, const Outcome& outcome) {
  return absl::StrCat("# ", c.name, "\n", CommandLine(c.arguments),
                      Lines("< ", c.input), Lines("", outcome.out),
                      Lines("2> ", outcome.err), "[exit code ",
                      outcome.exit_code, "]\n\n");
}

// The part of a golden file that is of a case.
std::string PartOf(const std::string& golden, const char* name) {
  const std::string heading = absl::StrCat("# ", name, "\n");
  const size_t begin = golden.find(heading);
  if (begin == std::string::npos) return "";
  const size_t end = golden.find("\n# ", begin);
  return golden.substr(
      begin, end == std::string::npos ? std::string::npos : end + 1 - begin);
}

class CommandTest : public ::testing::TestWithParam<Case> {};

TEST_P(CommandTest, PrintsAndExits) {
  const std::string transcript = Transcript(
      GetParam(), RunCommand(GetParam().arguments, GetParam().input));
  const std::string suite = ::testing::UnitTest::GetInstance()
                                ->current_test_info()
                                ->test_suite_name();
  const std::string file =
      GoldenFile(absl::StrCat("commands/", suite.substr(0, suite.find('/'))));
  if (const std::string update = FileToUpdate(file); !update.empty()) {
    static auto& written = *new std::map<std::string, std::string>;
    written[update] += transcript;
    std::ofstream(update, std::ios::binary) << written[update];
    return;
  }
  EXPECT_EQ(transcript, PartOf(ContentsOf(file), GetParam().name)) << file;
}

std::string NameOf(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Index, CommandTest,
    ::testing::Values(
        Case{"OfTheDocument", {"index", kArray, "2,3"}},
        Case{"OfALargeArray",
             {"index", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}",
              "7,0,1279,16383"}},
        Case{"Several", {"index", kArray, "0,0", "(2,4)", " 1 , 1 "}},
        Case{"OfAScalar", {"index", "u32[]{:T(128)}", "()"}},
        Case{"AngleBrackets", {"index", "f32[3,5]<1,0:T(2,2)>", "2,3"}},
        Case{"Lenient", {"index", "F32[3,5]{1,0:T(2,2)}", "2,3", "--lenient"}},
        Case{"Lines", {"index", kArray, "-"}, "0,0\r\n\n2,x\n2,4"},
        Case{"LinesAmongArguments",
             {"index", kArray, "0,1", "-", "0,2"},
             "0,0\n"},
        Case{"NoLines", {"index", kArray, "-"}},
        Case{"BadEntry", {"index", kArray, "2,x", "2,3"}},
        Case{"EntryPast64Bits", {"index", kArray, "2,9223372036854775808"}},
        Case{"EntryOutOfRange", {"index", kArray, "2, 5"}},
        Case{"NegativeEntry", {"index", kArray, "-1,2"}},
        Case{"WrongRank", {"index", kArray, "1,2,0"}},
        Case{"OneEntry", {"index", kArray, "1"}},
        Case{"OneDimension", {"index", "f32[3]", "()"}},
        Case{"HoweverItIsWritten",
             {"index", kArray, "2,3", "(2,3)", "[2,3]", "2 3", " ( 2 , 3 ) "}},
        Case{"UnclosedBracket", {"index", kArray, "[1,2)"}},
        Case{"Braces", {"index", kArray, "{}"}},
        Case{"EmptyArgument", {"index", kArray, ""}},
        Case{"EmptyShape", {"index", "", "0"}},
        Case{"Unclosed", {"index", kArray, "(1,2"}},
        Case{"TextBehind", {"index", kArray, "1,2)"}},
        Case{"BadShape", {"index", "f32[3,5]{1,0:T(2,)}", "-"}, "0,0\n"},
        Case{"NoArray", {"index", "(f32[2])", "0"}},
        Case{"ABuffer", {"index", "b(f32[2])", "0"}},
        Case{"AToken", {"index", " token[]", "0"}},
        Case{"Unbounded", {"index", "f32[2,/*?*/ ?]", "0,0"}},
        Case{"Json", {"index", kArray, "2,3", "--format=json"}},
        Case{"JsonOfABadArgument", {"index", kArray, "9,9", "--format=json"}},
        Case{"JsonOfABadLayout",
             {"index", "f32[3", "9,9", "-", "--format=json"},
             "1,1\n"},
        Case{"JsonLines",
             {"index", kArray, "-", "--format=json"},
             "2,3\n\n2,x\n9,9\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    IndexExplained, CommandTest,
    ::testing::Values(
        Case{"OfTheDocument", {"index", kArray, "2,3", "--explain"}},
        Case{"OneLineForALine", {"index", kArray, "-", "--explain"}, "2,3\n"},
        Case{"TwoTiles",
             {"index", "f32[4,8]{0,1:T(2,4)(2,1)}", "1,2", "--explain"}},
        Case{"JoinedDimensions",
             {"index", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "0,1,2,3,4",
              "--explain"}},
        Case{"TileOfMoreDimensions",
             {"index", "f32[3]{0:T(8,128)}", "2", "--explain"}},
        Case{"Untiled", {"index", "f32[7]", "5", "--explain"}},
        Case{"Scalar", {"index", "f32[]", "()", "--explain"}},
        Case{"OfCute", {"index", "((2,2),3):((24,2),8)", "3,2", "--explain"}},
        Case{"OfASwizzle",
             {"index", "Sw<2,0,3> o 4 o (8,8):(8,1)", "-", "--explain"},
             "5,1\n"},
        Case{"InBytes", {"index", kArray, "2,3", "--explain", "--unit=bytes"}},
        Case{"JoinedDimensionsInBits",
             {"index", "s4[2,5]{1,0:T(*,3)E(4)}", "1,4", "--explain",
              "--unit=bits"}}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Coords, CommandTest,
    ::testing::Values(
        Case{"Element", {"coords", kArray, "17"}},
        Case{"Padding", {"coords", kArray, "9"}},
        Case{"Several", {"coords", kArray, "17", "9"}},
        Case{"OfAScalar", {"coords", "u32[]{:T(128)}", "0", "127"}},
        Case{"Tail", {"coords", "f32[7]{0:L(100)}", "6", "7"}},
        Case{"Explained",
             {"coords", kArray, "17", "9", "14", "15", "23", "--explain"}},
        Case{"ExplainedTail", {"coords", "f32[7]{0:L(100)}", "7", "--explain"}},
        Case{"ExplainedJoinedDimensions",
             {"coords", "f32[2,5]{1,0:T(*,3)}", "10", "11", "--explain"}},
        Case{"ExplainedTileOfMoreDimensions",
             {"coords", "f32[3]{0:T(2,4)}", "4", "--explain"}},
        Case{"InBytes",
             {"coords", kArray, "68", "70", "36", "--unit=bytes", "--explain"}},
        Case{"OfCute", {"coords", "((2,2),3):((24,2),8)", "42", "1"}},
        Case{"OfATensor",
             {"coords",
              "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, "
              "<3x2>, memref<1x1x!tt.tile<32x32, bf16>, "
              "#tt.memory_space<l1>>>>",
              "3080", "992", "4624"}},
        Case{"OfNoInverse", {"coords", "(3,2):(0,1)", "0"}},
        Case{"OfNoBytes", {"coords", "(3,2):(2,1)", "0", "--unit", "bytes"}},
        Case{"Lines", {"coords", kArray, "-"}, "17\n\n24\n9\n"},
        Case{"Negative", {"coords", kArray, "-1"}},
        Case{"NoArray", {"coords", "(f32[2])", "0"}},
        Case{"Unbounded", {"coords", "f32[?]", "0"}},
        Case{"NoInteger", {"coords", kArray, "1e3"}},
        Case{"EmptyArgument", {"coords", kArray, ""}},
        Case{"TextBehind", {"coords", kArray, "1,2"}},
        Case{"Lenient", {"coords", "F32[3,5]{1,0:T(2,2)}", "17", "--lenient"}},
        Case{"Json",
             {"coords", kArray, "17", "9", "--format=json", "--explain"}}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Parse, CommandTest,
    ::testing::Values(
        Case{"FillsTheLayout", {"parse", "f32[2,3]"}},
        Case{"NoLayout", {"parse", "(f32[2,3]{0,1}, token[])", "--no-layout"}},
        Case{"Lenient", {"parse", "F32[2]{}", "--lenient"}},
        Case{"EmptyArgument", {"parse", ""}},
        Case{"StrictByDefault", {"parse", "F32[2]"}},
        Case{"Lines", {"parse"}, "f32[2]\r\n\nf32[\nf32[ 3 ] // three"},
        Case{"Dash", {"parse", "-"}, "f32[2]\n"},
        Case{"TextProto",
             {"parse", "f32[2,3]", "token[]", "--format=textproto"}},
        Case{"OfMoreThan2To60Bytes",
             {"parse", "f32[1048576,1048576,1024,1024]",
              "u8[1152921504606846976]"}},
        Case{"BinaryProto", {"parse", "f32[2,3]", "--format=binproto"}},
        Case{"BinaryProtoOfSeveral",
             {"parse", "f32[2,3]", "token[]", "--format=binproto"}},
        Case{"BinaryProtoOfLines",
             {"parse", "--format=binproto"},
             "f32[2,3]\n\nf32\ntoken[]\n"},
        Case{"JsonNoLayout",
             {"parse", "(f32[2])", "--format=json", "--no-layout"}},
        Case{"AnyFamily",
             {"parse", "{1,0:T( 8,128)}", "(x: f32[2]) -> f32[2]",
              "((2, 2), 3) : ((24, 2), 8)", "(8 , 128)",
              "Sw<2,0,3>  o 0 o (8,8):(8,1)",
              "tensor<5x7xf32, #tt.metal_layout<(d0,d1) -> (d0, d1), undef, "
              "<1x1>, memref<5x7xf32, #tt.memory_space<l1>>>>"}},
        Case{"OnlyShapesHaveAShapeProto",
             {"parse", "(8,128)", "{1,0}", "--format=textproto"}},
        Case{"JsonLines", {"parse", "--format=json"}, "x\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Describe, CommandTest,
    ::testing::Values(Case{"Lines",
                           {"describe", "-"},
                           "bf16[9,130]{1,0:T(8,128)(2,1)}\n\nf32[\n(f32[2], "
                           "f32[?])\nb(f32[?])\n"},
                      Case{"ArraysOf2To60BytesAndMore",
                           {"describe", "-"},
                           "f32[1048576,1048576,1024,1024]\n"
                           "s4[9223372036854775807]{0:E(4)}\n"
                           "u8[1]{0:T(9223372036854775807)}\n"
                           "f32[1]{0:T(2305843009213693952)}\n"},
                      Case{"TooLargeInAll", {"describe", kTooLargeInAll}},
                      Case{"TooLargeInAllInJson",
                           {"describe", "-", "--format=json"},
                           kTooLargeInAll + "\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Regions, CommandTest,
    ::testing::Values(Case{"RunsOfASlice",
                           {"runs", kArray, "--start", "0,2", "--limit",
                            "[2,5]"}},
                      Case{"RunsFromTheOrigin",
                           {"runs", kArray, "--limit=1,2", "--unit=bytes"}},
                      Case{"RunsOfLines",
                           {"runs", "-", "--max-runs=2"},
                           "(3):(2)\n\nf32[\nf32[0]\n"},
                      Case{"RunsOutside", {"runs", kArray, "--limit=4,5"}},
                      Case{"Padding", {"padding", kArray, "(4):(1)"}},
                      Case{"PaddingOfLines",
                           {"padding", "-", "--unit=bytes", "--max-ranges=1"},
                           "f32[3,5]{1,0:T(2,2)}\npred[]\n"},
                      Case{"Compare",
                           {"compare", "bf16[8,256]{1,0}",
                            "bf16[8,256]{1,0:T(8,128)}", "bf16[2048]"}},
                      Case{"CompareTransposed",
                           {"compare", "(8,4):(1,8)", "(4,8):(8,1)",
                            "--to-dimensions=1,0", "--element-bits=16"}},
                      Case{"CompareLines",
                           {"compare", "(8,4):(1,8)", "-"},
                           "(8,4):(1,8)\n(8,4\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    DescribeOfAnyFamily, CommandTest,
    ::testing::Values(
        Case{"Cute",
             {"describe", "-"},
             "((2,2),3):((24,2),8)\ncoalesce((2,4):(1,2))\n(3,2):(0,1)\n"
             "2:1@0\nSw<2,0,3> o 0 o (8,8):(8,1)\n"},
        Case{"Tensor",
             {"describe", "-"},
             "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
             "<1x1>, memref<5x7xf32, #tt.memory_space<l1>>>>\n"},
        Case{"ATensorThatBreaksARule",
             {"describe",
              "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
              "<1x1>, memref<5x8xf32, #tt.memory_space<l1>>>>"}}),
    NameOf);

const std::string kTiled =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>>>";
const std::string kScalars =
    "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + "
    "d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, "
    "#tt.memory_space<l1>>>>";
const std::string kWrong =
    "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>, "
    "memref<18x31xf32, #tt.memory_space<l1>>>>";

INSTANTIATE_TEST_SUITE_P(
    Tt, CommandTest,
    ::testing::Values(
        Case{"Check", {"tt", "check", kTiled}},
        Case{"CheckFindsAnError", {"tt", "check", kWrong}},
        Case{"CheckLines",
             {"tt", "check", "-"},
             absl::StrCat(kTiled, "\n", kWrong, "\n")},
        Case{"CheckJson", {"tt", "check", kWrong, "--format=json"}},
        Case{"Index", {"tt", "index", kScalars, "1,1,6,100"}},
        Case{"IndexJson", {"tt", "index", kTiled, "18,57", "--format=json"}},
        Case{"IndexLines",
             {"tt", "index", kScalars, "-"},
             "1,1,6,100\n2,0,0,0\n"},
        Case{"IndexOfManyTexts",
             {"tt", "index", "-", "18,57"},
             absl::StrCat(kTiled, "\n", kWrong, "\n")},
        Case{"CoordsOfAnElement",
             {"tt", "coords", kTiled, "--cell=1,1", "--offset", "0,25"}},
        Case{"CoordsOfTilePadding",
             {"tt", "coords", kTiled, "--cell", "0,0", "--tile", "0,0",
              "--in-tile", "18,0"}},
        Case{"CoordsOfGridPadding",
             {"tt", "coords", "-", "--cell", "2,0", "--offset", "17,0",
              "--format=json"},
             absl::StrCat(kTiled, "\n")},
        Case{"CoordsOfAGap",
             {"tt", "coords",
              "tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + "
              "d1, d2), undef, <1x2>, memref<40x16xf32, "
              "#tt.memory_space<l1>>>>",
              "--cell", "0,0", "--offset", "8,0"}},
        Case{"CoordsWithoutAPlace", {"tt", "coords", kTiled, "--cell", "0,0"}},
        Case{"Derive",
             {"tt", "derive", "--shape", "2x3x64x128", "--grid", "2x4",
              "--collapse", "0,-1", "--element", "bf16", "--memory-space", "l1",
              "--oob", "undef"}},
        Case{"DeriveOfDevices",
             {"tt", "derive", "--shape=2x3x64x128", "--grid=2x2x4",
              "--collapse=1,-1", "--element=tile<32x32,bfp_bf8>", "--tensor"}},
        Case{"DeriveWithSeveralIntervals",
             {"tt", "derive", "--shape=2x3x4x5x6x7x8", "--grid=1x1x1x1",
              "--collapse", "0,3", "--collapse", "-3,-1"}},
        Case{"DeriveWithABadInterval",
             {"tt", "derive", "--shape=2x3", "--grid=1x1", "--collapse=1"}},
        Case{"DeriveRefuses",
             {"tt", "derive", "--shape=8x96x32", "--grid=2x1x2"}},
        Case{"DeriveAsIn2024",
             {"tt", "derive", "--shape=8x96x32", "--grid=2x1x2",
              "--collapse-rule=reference-2024"}},
        Case{"DeriveBumped",
             {"tt", "derive", "--shape=2x8x32", "--grid=1x2", "--align=1,32,1",
              "--element=tile<32x32,f32>"}},
        Case{"DeriveWithoutAShape", {"tt", "derive", "--grid=2x1x2"}},
        Case{"TheFormOf2025",
             {"tt", "index",
              "tensor<2x2x1x1x!ttcore.tile<32x32, bf16>, "
              "#ttcore.metal_layout<logical_shape = 40x50, dim_alignments = "
              "32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : "
              "tensor<2x2xi64>, l1, sharded>>",
              "33,40"}},
        Case{"TtnnLayout",
             {"tt", "check",
              "tensor<6x15x10xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 "
              "+ d1, d2), <8x8>, memref<6x1x!ttcore.tile<32x32, bf16>, "
              "#ttnn.buffer_type<dram>>, <interleaved>>>"}},
        Case{"TtnnTerms", {"tt", "ttnn", "--shape=12x12x16", "--shard=72x16"}},
        Case{"TtnnPadded",
             {"tt", "ttnn", "--shape=12x12x16", "--shard=96x16", "--pad",
              "--format=json"}},
        Case{"TtnnWithoutAShard", {"tt", "ttnn", "--shape=12x12x16"}},
        Case{"MalformedText",
             {"tt", "check",
              "tensor<8x300xf32, #tt.metal_layout<(d0) -> d0>>"}}),
    NameOf);

// A test of tt-mlir lowers it to 12x1 cells.
const std::string kHeightSharded =
    "tensor<384x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <6x2>, "
    "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,5)>]>>>";
const std::string kWithoutCoreRanges =
    "tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<block_sharded>>>";
const std::string kWithExactGrid =
    "tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<block_sharded>, exactGrid = true>>";
const std::string kInL1 =
    "tensor<64x128xui16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<64x128xui16, #ttnn.buffer_type<l1>>, <interleaved>>>";
const std::string kInterleaved =
    "tensor<8x8x4x4x!ttcore.tile<32x32, bf16>, "
    "#ttcore.metal_layout<logical_shape = 1024x1024, dim_alignments = 32x32, "
    "collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, dram, "
    "interleaved>>";
const std::string kTtnnInDram =
    "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>>";
const std::string kIndexMap =
    "tensor<1x1x32x32xf32, #ttcore.metal_layout<logical_shape = 32x32, "
    "dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, "
    "undef, l1, sharded, index_map = (d0, d1, d2, d3) -> (d0, d1, d3, d2)>>";
std::string OnTwoByTwo(const std::string& index_map) {
  return absl::StrCat(
      "tensor<2x2x1x1x!ttcore.tile<32x32, bf16>, "
      "#ttcore.metal_layout<logical_shape = 64x64, dim_alignments = 32x32, "
      "collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, undef, l1, "
      "index_map = (d0, d1, d2, d3) -> ",
      index_map, ">>");
}
const std::string kTransposed = OnTwoByTwo("(d1, d0, d3, d2)");
const std::string kNotOneToOne = OnTwoByTwo("(d0, d0, d2, d3)");
const std::string kWithoutElements =
    "tensor<0x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<0x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>>";
const std::string kTooFewCores =
    "tensor<2048x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <64x1>, "
    "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,3)>]>>>";
const std::string kRowsInL1 =
    "tensor<63x65xui16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <21x1>, "
    "memref<3x65xui16, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = "
    "<[#ttnn.core_range<(0,0), (6,2)>]>>>";
const std::string kTilesInL1 =
    "tensor<512x512xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, "
    "memref<1x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<interleaved>>>";
const std::string kOtherMemRef =
    "tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<4x4x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>>";
const std::string kCutRows =
    "tensor<32x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, "
    "memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, "
    "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>>";
const std::string kWithoutAMap =
    "tensor<3x4xf32, #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, "
    "memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>>";
const std::string kDram2024 =
    "tensor<64x4096xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, "
    "memref<32x2048xf32, #tt.memory_space<dram>>>>";
const std::string kPrintedConfig =
    "MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,buffer_type="
    "BufferType::L1,shard_spec=ShardSpec(grid={[(x=1,y=0) - (x=1,y=2)]},shape="
    "{64, 96},orientation=ShardOrientation::ROW_MAJOR))";
INSTANTIATE_TEST_SUITE_P(
    TtOnCards, CommandTest,
    ::testing::Values(
        Case{"DescribeOfRowsInL1", {"tt", "describe", kRowsInL1}},
        Case{"IndexOfRowsInL1",
             {"tt", "index", kRowsInL1, "44,64", "--base=0x1000"}},
        Case{"DescribeOfTilesInL1", {"tt", "describe", kTilesInL1}},
        Case{"DescribeOfTilesInL1OfBlackhole",
             {"tt", "describe", kTilesInL1, "--arch=blackhole"}},
        Case{"IndexOfTilesInL1",
             {"tt", "index", kTilesInL1, "40,70", "--banks=72"}},
        Case{"DescribeOfAnotherMemRef", {"tt", "describe", kOtherMemRef}},
        Case{"DescribeOfBrokenRules", {"tt", "describe", kCutRows}},
        Case{"DescribeOfTextsThatBreakRules",
             {"tt", "describe", "-"},
             absl::StrCat(kCutRows, "\n", kWithoutAMap, "\n")},
        Case{"IndexByTheRuleOf2024", {"tt", "index", kDram2024, "33,4000"}},
        Case{"IndexOnAnUnknownArchitecture",
             {"tt", "index", kTilesInL1, "0,0", "--arch=grayskull"}},
        Case{"TtnnOfAMemoryConfiguration",
             {"tt", "ttnn", "--shape=3x40x70", "--dtype=bfloat16",
              "--layout=tile", "--memory-config", kPrintedConfig,
              "--index=2,33,5", "--index=0,0,69"}},
        Case{"TtnnOfAPrintedTensor",
             {"tt", "ttnn",
              "ttnn.Tensor([[0.5]], shape=Shape([1, 1, 10, 1]), "
              "dtype=DataType::BFLOAT16, layout=Layout::ROW_MAJOR)"}},
        Case{"TtnnOfAMalformedConfiguration",
             {"tt", "ttnn", "--shape=4", "--dtype=bf16", "--layout=tile",
              "--memory-config=MemoryConfig(memory_layout=TALL)"}},
        Case{"TtnnOfAConfigurationAndAShard",
             {"tt", "ttnn", "--shape=4", "--dtype=bf16", "--shard=1x1"}}),
    NameOf);
INSTANTIATE_TEST_SUITE_P(
    TtWarnings, CommandTest,
    ::testing::Values(
        Case{"CheckOfCellsInALine", {"tt", "check", kHeightSharded}},
        Case{"CheckOfCellsInALineInJson",
             {"tt", "check", kHeightSharded, "--format=json"}},
        Case{"IndexOfCellsInALine", {"tt", "index", kHeightSharded, "330,5"}},
        Case{"CoordsOfCellsInALineInJson",
             {"tt", "coords", kHeightSharded, "--cell=10,0", "--offset=10,5",
              "--format=json"}},
        Case{"CheckWithoutCoreRanges",
             {"tt", "check", "-"},
             absl::StrCat(kWithoutCoreRanges, "\n", kWithExactGrid, "\n")},
        Case{"IndexWithoutCoreRanges",
             {"tt", "index", kWithoutCoreRanges, "1,2"}},
        Case{"CheckOfL1OnOneCoreInJson",
             {"tt", "check", kInL1, "--format=json"}},
        Case{"IndexOfInterleaved", {"tt", "index", kInterleaved, "1000,3"}},
        Case{"IndexOfInterleavedInJson",
             {"tt", "index", kTtnnInDram, "33,1", "--format=json"}},
        Case{"IndexOfManyInterleaved",
             {"tt", "index", "-", "0,0"},
             absl::StrCat(kTtnnInDram, "\n")},
        Case{"CoordsOfInterleaved",
             {"tt", "coords", kTtnnInDram, "--cell=0,0", "--offset=33,1"}},
        Case{"CoordsOfManyInterleaved",
             {"tt", "coords", "-", "--cell=0,0", "--offset=33,1"},
             absl::StrCat(kTtnnInDram, "\n")},
        Case{"DescribeOfManyInterleaved",
             {"tt", "describe", "-"},
             absl::StrCat(kTtnnInDram, "\n")},
        Case{"IndexWithAnIndexMap", {"tt", "index", kIndexMap, "1,2"}},
        Case{"CoordsWithAnIndexMapInJson",
             {"tt", "coords", kIndexMap, "--cell=0,0", "--offset=1,2",
              "--format=json"}},
        Case{"IndexOfAnyFamilyWithAnIndexMap", {"index", kTransposed, "0,32"}},
        Case{"IndexWithAnIndexMapThatIsNotApplied",
             {"index", kNotOneToOne, "0,32"}},
        Case{"DescribeWithAnIndexMapThatIsNotApplied",
             {"tt", "describe", kNotOneToOne}},
        Case{"DescribeWithoutElements", {"tt", "describe", kWithoutElements}},
        Case{"DrawWithoutElements", {"draw", kWithoutElements}},
        Case{"IndexWithoutElements", {"index", kWithoutElements, "0,0"}},
        Case{"CheckOfTooFewCores", {"tt", "check", kTooFewCores}}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Cute, CommandTest,
    ::testing::Values(
        Case{"OfTheDocument",
             {"cute", "composition((6,2):(8,2), (4,3):(3,1))"}},
        Case{"NamesFromArgumentToArgument",
             {"cute", "A = (6,2):(8,2)", "A(3)", "size(A)",
              "compatible(12, A)"}},
        Case{"Dialects",
             {"cute", "<3, Sw>", "<3, 2>", "Sw<2,0,3> o (2,2)", "Sw<2,0,3>",
              "--dialect=ir"}},
        Case{"DocumentationAtCompileTime",
             {"cute", "<3, 2>", "--dialect=documentation", "--compile-time"}},
        Case{"BareShapes", {"cute", "complement((2,3), 24)", "--bare-shapes"}},
        Case{"Lines",
             {"cute", "-"},
             "A = (6,2):(8,2)\r\n\n  // nothing\nA o (\nA(1,1)"},
        Case{"NothingIsStandardInput", {"cute"}, "4:2 o 2:2\n"},
        Case{"EmptyArgument", {"cute", ""}},
        Case{"Notes", {"cute", "-"}, "\nlogical_divide(48:1, 32)\n"},
        Case{"Values",
             {"cute", "((2,2),3):((24,2),8)", "size(4:2)",
              "Sw<1,0,2> o 0 o (2,3):(4,1)", "(2,2):(1@1,1@0)", "--values"}},
        Case{"ValuesOfLines",
             {"cute", "-", "--values"},
             "A = 3:2\nSw<1,0,2> o -1 o A\n3:1\n"},
        Case{"TablesAreOfArguments",
             {"cute", "-", "(2,2):(2,1)", "size(4:2)", "--table"},
             "(2,2):(2,1)\n"},
        Case{"TableAndValues", {"cute", "2:7", "--table", "--values"}},
        Case{"TableTooLarge", {"cute", "100000:1", "--table"}},
        Case{
            "Json",
            {"cute", "(2,2):(2,1)", "size(4:2)", "2:1@0",
             "Sw<1,0,1> o -1 o 2:1", "<3:1>", "--dialect=ir", "--format=json"}},
        Case{"JsonOfLines",
             {"cute", "-", "--format=json"},
             "\nsize(B)\nflat_divide(1:1, 2)\n"},
        Case{"NoSuchFile", {"cute", "--file", "no/such/file", "4:2"}},
        Case{"StandardInputAsAFile",
             {"cute", "--file", "-", "A(1)"},
             "A = 4:2\n"},
        Case{"NoSuchDialect", {"cute", "4:2", "--dialect=c"}},
        Case{"Notations",
             {"cute", "(_4,8):(8,_1)", "Layout<Shape<_4,_2>,Stride<_1,_16>>{}",
              "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
              "cute.make_layout((4, 2), stride=(1, 4))"}},
        Case{"StyleOfCpp",
             {"cute", "Sw<3,3,3> o 0 o (8,64):(64,1)", "<3, 2>", "(4,(2,))",
              "--style=cpp"}},
        Case{"StyleOfPython",
             {"cute", "Sw<3,3,3> o 0 o (8,64):(64,1)", "<3, 2>", "(4,(2,))",
              "--style=python"}},
        Case{"NoSuchStyle", {"cute", "4:2", "--style=rust"}},
        Case{"UnknownSizes", {"cute", "(?,8):(1,?)", "(?{div=8},2):(1,?)"}},
        Case{"Let",
             {"cute", "(?,8):(1,?)", "(M,8):(1,M)", "(?{div=5},2):(1,?)",
              "--let", "?=16,64", "--let", "M=512"}},
        Case{"LetIsNoNumber", {"cute", "(?,8):(1,?)", "--let", "?=x"}},
        Case{"Block",
             {"cute",
              "MMA_Atom\n  ThrID:      _32:_1\n  LayoutC_TV: "
              "((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n"}},
        Case{"JsonOfABlock",
             {"cute", "Copy_Atom\n  ThrID: _1:_0\n  ValueType: 16b\n  V: ?:1",
              "--format=json", "--let", "8"}},
        Case{"LinesOfABlock",
             {"cute", "-"},
             "TiledMMA\n  ThrLayoutVMNK:  (_32,_2):(_1,_32)\n"
             "  ValueType:    16b\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Usage, CommandTest,
    ::testing::Values(
        Case{"Nothing", {}}, Case{"UnknownCommand", {"frobnicate"}},
        Case{"UnknownFormat", {"index", kArray, "2,3", "--format=yaml"}},
        Case{"NoIndex", {"index", kArray}},
        Case{"UnknownOption", {"parse", "--colour"}},
        Case{"NegativeTop", {"hlo", "-", "--top=-1"}},
        Case{"TopPast64Bits", {"hlo", "-", "--top", "99999999999999999999"}},
        Case{"TwoFormats", {"parse", "--format=json", "x", "--format=text"}},
        Case{"FormatWithoutValue", {"parse", "--format"}},
        Case{"TopWithoutValue", {"hlo", "-", "--top="}}),
    NameOf);

// XLA's documents spell F32[3,5]{1,0:T(2,2)}.
TEST(CommandTest, UpperCaseTypesAreReadAsLowerCaseOnes) {
  const std::vector<std::string> doors[] = {
      {"describe", "F32[3,5]{1,0:T(2,2)}"},
      {"describe", "F32[3,5]<1,0:T(2,2)>", "--format=json"},
      {"describe", "(BF16[9,130]{1,0:T(8,128)(2,1)}, TOKEN[], b(S4[3]))"},
      {"index", "F32[3,5]{1,0:T(2,2)}", "2,3", "--explain"},
      {"index", "F8E4M3FN[3,5]<1,0:T(2,2)>", "2,3"},
      {"coords", "PRED[3,5]{1,0:T(2,2)}", "17", "9", "--explain"},
      {"draw", "F32[3,5]{1,0:T(2,2)}"},
      {"draw", "F32[3,5]<1,0:T(2,2)>", "--family=xla", "--cells=bytes"},
      {"draw", "f32[2,5]{1,0}", "--mark", "S32[3,2]{1,0}"},
      {"explore", "F32[3,5]{1,0:T(2,2)}"},
      {"explore", "F32[3,5]<1,0:T(2,2)>"},
      {"relayout", "--from", "F32[3,5]{1,0:T(2,2)}", "--plan"},
      {"relayout", "--from", "F32[3,5]", "--to", "F32[3,5]<1,0:T(2,2)>",
       "--plan"},
  };
  const std::vector<std::pair<std::string, std::string>> names = {
      {"F32", "f32"}, {"BF16", "bf16"}, {"F8E4M3FN", "f8e4m3fn"}, {"S4", "s4"},
      {"S32", "s32"}, {"PRED", "pred"}, {"TOKEN", "token"}};
  for (const std::vector<std::string>& door : doors) {
    std::vector<std::string> lower_door = door;
    for (std::string& argument : lower_door) {
      argument = absl::StrReplaceAll(argument, names);
    }
    const Outcome upper = RunCommand(door);
    const Outcome lower = RunCommand(lower_door);
    EXPECT_EQ(upper.exit_code, kExitOk) << door[0] << " " << door[1];
    EXPECT_EQ(upper.err, "");
    EXPECT_FALSE(lower.out.empty());
    EXPECT_EQ(upper.out, lower.out) << door[0] << " " << door[1];
  }
  const std::string layout = "F32[3,5]{1,0:T(2,2)}";
  EXPECT_EQ(RunCommand({"describe", "-"}, layout).out,
            RunCommand({"describe", "-"}, kArray).out);
}

// Nothing else is read that was not: what the flag --lenient is for stays an
// error without it, and so does a name in both cases.
TEST(CommandTest, UpperCaseTypesAreAllThatIsReadBeside) {
  const struct {
    const char* shape;
    const char* message;
  } cases[] = {
      {"f32[2]{}",
       "<argument>:1:7: error: after the shape: expected end of text, found "
       "'{'; {} after an array is read only with the lenient option\n"
       "  f32[2]{}\n"
       "        ^\n"},
      {"F32[2]{}",
       "<argument>:1:7: error: after the shape: expected end of text, found "
       "'{'; {} after an array is read only with the lenient option\n"
       "  F32[2]{}\n"
       "        ^\n"},
      {"Bf16[2]",
       "<argument>:1:1: error: in shape: expected a type or '(', found "
       "'Bf16'; type names are lower case; did you mean bf16[2]?\n"
       "  Bf16[2]\n"
       "  ^\n"},
      {"g32[2]",
       "<argument>:1:1: error: in shape: expected a type or '(', found "
       "'g32'\n"
       "  g32[2]\n"
       "  ^\n"},
      {"F32[2,",
       "<argument>:1:7: error: in dimensions: expected a size, '?' or '<=', "
       "found end of text\n"
       "  F32[2,\n"
       "        ^\n"},
  };
  for (const auto& c : cases) {
    for (const std::vector<std::string>& door :
         {std::vector<std::string>{"describe", c.shape},
          {"index", c.shape, "0"},
          {"coords", c.shape, "0"},
          {"draw", c.shape},
          {"relayout", "--from", c.shape, "--plan"}}) {
      const Outcome outcome = RunCommand(door);
      EXPECT_EQ(outcome.exit_code, kExitBadInput) << door[0] << " " << c.shape;
      EXPECT_EQ(outcome.err, c.message) << door[0];
    }
  }
  EXPECT_EQ(RunCommand({"index", "F32[2]{}", "1", "--lenient"}).out, "1\n");
}

// A name of a sub-command behind a sub-command is an argument like any other.
TEST(CommandTest, ArgumentsAreNotSubcommands) {
  const Outcome outcome = RunCommand({"parse", "index", "--lenient"});
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
  EXPECT_THAT(outcome.err, HasSubstr("found 'index'"));
}

TEST(CommandTest, HelpOfEveryCommandHasExamples) {
  for (const std::string command :
       {"describe", "index", "coords", "runs", "padding", "compare", "parse",
        "hlo", "hlo report", "hlo instructions", "hlo peak", "hlo diff",
        "hlo explain", "hlo cat"}) {
    std::vector<std::string> arguments = absl::StrSplit(command, ' ');
    arguments.push_back("--help");
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, kExitOk);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out,
                HasSubstr("Usage: tessera " + command + " [OPTIONS]"));
    EXPECT_THAT(outcome.out, HasSubstr("Examples:\n  tessera " + command));
  }
  const Outcome outcome = RunCommand({"--help"});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("Exit codes: 0 "));
}

TEST(CommandTest, MessagesAreColouredWhereTheDisplayIs) {
  Display display;
  display.color = true;
  EXPECT_THAT(RunCommand({"parse", "x"}, "", display).err,
              StartsWith("<argument>:1:1: \x1b[1;31merror:\x1b[0m in shape"));
}

// What is said of n tiles at once must not take n * n bytes.
TEST(CommandTest, ThousandsOfTiles) {
  std::string shape = "f32[8]{0:T(1)";
  for (int i = 1; i < 16000; ++i) shape += "(1)";
  shape += "}";
  for (const char* format : {"text", "json"}) {
    const Outcome outcome = RunCommand({"describe", shape, "--format", format});
    EXPECT_EQ(outcome.exit_code, kExitOk);
    EXPECT_LT(outcome.out.size(), 4 * shape.size());
  }
  const Outcome outcome = RunCommand({"index", shape, "5", "--explain"});
  EXPECT_EQ(
      outcome.err,
      "<argument>:1:1: error: the derivation has more than 1048576 axes, those "
      "after each tile (16000) together\n"
      "  5\n"
      "  ^\n");
}

// A long sum is put together in time linear in its length.
TEST(CommandTest, ATileOfThousandsOfEntries) {
  std::string shape = "f32[8]{0:T(1";
  for (int i = 1; i < 100000; ++i) shape += ",1";
  shape += ")}";
  const Outcome outcome = RunCommand({"index", shape, "5", "--explain"});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_THAT(outcome.out, ::testing::EndsWith(")*1+0 = 5\n"));
}

// Values are not gathered before they are printed.
TEST(CommandTest, ValuesPastCounting) {
  std::ostringstream out, err;
  Console console;
  console.out = &out;
  console.err = &err;
  out.setstate(std::ios::badbit);
  RunTessera({"cute", "(4611686018427387904):(1)", "--values"}, &console);
  EXPECT_EQ(err.str(), "");
}

TEST(CommandTest, ExpressionsFromAFile) {
  const std::string file = ::testing::TempDir() + "/layouts.txt";
  std::ofstream(file) << "A = (6,2):(8,2)\n\nA(\n";
  const Outcome outcome = RunCommand({"cute", "--file", file, "A(1,1)"});
  EXPECT_EQ(outcome.out, "(6,2):(8,2)\n\nerror\n10\n");
  EXPECT_THAT(outcome.err, StartsWith(file + ":3:3: error: expected"));
  EXPECT_EQ(outcome.exit_code, kExitBadInput);
}

// 8,000 levels are within XLA's limit; nothing may recurse on them.
TEST(CommandTest, DeepTuples) {
  const std::string deep =
      std::string(8000, '(') + "f32[2]" + std::string(8000, ')');
  for (const char* format : {"text", "json"}) {
    EXPECT_EQ(RunCommand({"parse", deep, "--format", format}).exit_code,
              kExitOk);
    EXPECT_EQ(RunCommand({"describe", deep, "--format", format}).exit_code,
              kExitOk);
  }
  for (const char* format : {"textproto", "binproto"}) {
    const Outcome outcome = RunCommand({"parse", deep, "--format", format});
    EXPECT_EQ(outcome.exit_code, kExitBadInput);
    EXPECT_THAT(outcome.err,
                HasSubstr("<argument>:1:98: error: shape_nesting: in tuple: "
                          "nested deeper than the limit of 97, beyond which "
                          "Protocol Buffers cannot read a message\n"));
  }
}

}  // namespace
}  // namespace tessera::cli
