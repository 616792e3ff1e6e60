// What every sub-command prints, on either stream, and how it exits.

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera {
namespace cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kArray[] = "f32[3,5]{1,0:T(2,2)}";

TEST(RunTessera, Example) {
  const Outcome outcome = RunCommand({"index", "f32[3,5]{1,0:T(2,2)}", "2,3"});
  EXPECT_EQ(outcome.exit_code, kExitOk);
  EXPECT_EQ(outcome.out, "17\n");
}

struct Case {
  const char* name;
  std::vector<std::string> arguments;
  std::string input;
  int exit_code;
  std::string out;
  std::string err;
};

const std::string kTooLargeInAll =
    "(u8[2], (token[], pred[9223372036854775807]{0:E(1)}))";

class CommandTest : public ::testing::TestWithParam<Case> {};

TEST_P(CommandTest, PrintsAndExits) {
  const Outcome outcome = RunCommand(GetParam().arguments, GetParam().input);
  EXPECT_EQ(outcome.out, GetParam().out);
  EXPECT_EQ(outcome.err, GetParam().err);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code);
}

std::string NameOf(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Index, CommandTest,
    ::testing::Values(
        Case{"OfTheDocument", {"index", kArray, "2,3"}, "", 0, "17\n", ""},
        Case{"OfALargeArray",
             {"index", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}",
              "7,0,1279,16383"},
             "",
             0,
             "167772159\n",
             ""},
        Case{"Several",
             {"index", kArray, "0,0", "(2,4)", " 1 , 1 "},
             "",
             0,
             "0\n20\n3\n",
             ""},
        Case{"OfAScalar", {"index", "u32[]{:T(128)}", "()"}, "", 0, "0\n", ""},
        Case{"AngleBrackets",
             {"index", "f32[3,5]<1,0:T(2,2)>", "2,3"},
             "",
             0,
             "17\n",
             ""},
        Case{"Lenient",
             {"index", "F32[3,5]{1,0:T(2,2)}", "2,3", "--lenient"},
             "",
             0,
             "17\n",
             ""},
        Case{"Lines",
             {"index", kArray, "-"},
             "0,0\r\n\n2,x\n2,4",
             1,
             "0\n\nerror\n20\n",
             "<stdin>:3:3: error: in index: expected a 64-bit integer, found "
             "'x'\n"
             "  2,x\n"
             "    ^\n"},
        Case{"LinesAmongArguments",
             {"index", kArray, "0,1", "-", "0,2"},
             "0,0\n",
             0,
             "1\n0\n4\n",
             ""},
        Case{"NoLines", {"index", kArray, "-"}, "", 0, "", ""},
        Case{"BadEntry",
             {"index", kArray, "2,x", "2,3"},
             "",
             1,
             "17\n",
             "<argument>:1:3: error: in index: expected a 64-bit integer, "
             "found 'x'\n"
             "  2,x\n"
             "    ^\n"},
        Case{"EntryPast64Bits",
             {"index", kArray, "2,9223372036854775808"},
             "",
             1,
             "",
             "<argument>:1:3: error: in index: expected a 64-bit integer, "
             "found '9223372036854775808'\n"
             "  2,9223372036854775808\n"
             "    ^\n"},
        Case{"EntryOutOfRange",
             {"index", kArray, "2, 5"},
             "",
             1,
             "",
             "<argument>:1:4: error: index[1] = 5 is outside [0, 5)\n"
             "  2, 5\n"
             "     ^\n"},
        Case{"NegativeEntry",
             {"index", kArray, "-1,2"},
             "",
             1,
             "",
             "<argument>:1:1: error: index[0] = -1 is outside [0, 3)\n"
             "  -1,2\n"
             "  ^\n"},
        Case{"WrongRank",
             {"index", kArray, "1,2,0"},
             "",
             1,
             "",
             "<argument>:1:1: error: the index has 3 entries but the array 2 "
             "dimensions\n"
             "  1,2,0\n"
             "  ^\n"},
        Case{"OneEntry",
             {"index", kArray, "1"},
             "",
             1,
             "",
             "<argument>:1:1: error: the index has 1 entry but the array 2 "
             "dimensions\n"
             "  1\n"
             "  ^\n"},
        Case{"OneDimension",
             {"index", "f32[3]", "()"},
             "",
             1,
             "",
             "<argument>:1:1: error: the index has 0 entries but the array 1 "
             "dimension\n"
             "  ()\n"
             "  ^\n"},
        Case{"HoweverItIsWritten",
             {"index", kArray, "2,3", "(2,3)", "[2,3]", "2 3", " ( 2 , 3 ) "},
             "",
             0,
             "17\n17\n17\n17\n17\n",
             ""},
        Case{"UnclosedBracket",
             {"index", kArray, "[1,2)"},
             "",
             1,
             "",
             "<argument>:1:5: error: in index: expected ',' or ']', found "
             "')'\n"
             "  [1,2)\n"
             "      ^\n"},
        Case{"Braces",
             {"index", kArray, "{}"},
             "",
             1,
             "",
             "<argument>:1:1: error: in index: expected a 64-bit integer, "
             "found '{'\n"
             "  {}\n"
             "  ^\n"},
        Case{"EmptyArgument",
             {"index", kArray, ""},
             "",
             1,
             "",
             "<argument>:1:1: error: in index: expected a 64-bit integer, "
             "found end of text\n"
             "  \n"
             "  ^\n"},
        Case{"EmptyShape",
             {"index", "", "0"},
             "",
             1,
             "",
             "<argument>:1:1: error: in shape: expected a type or '(', found "
             "end of text\n"
             "  \n"
             "  ^\n"},
        Case{"Unclosed",
             {"index", kArray, "(1,2"},
             "",
             1,
             "",
             "<argument>:1:5: error: in index: expected ',' or ')', found end "
             "of text\n"
             "  (1,2\n"
             "      ^\n"},
        Case{"TextBehind",
             {"index", kArray, "1,2)"},
             "",
             1,
             "",
             "<argument>:1:4: error: in index: expected ',' or end of text, "
             "found ')'\n"
             "  1,2)\n"
             "     ^\n"},
        Case{"BadShape",
             {"index", "f32[3,5]{1,0:T(2,)}", "-"},
             "0,0\n",
             1,
             "",
             "<argument>:1:18: error: in tile: expected a dimension or '*', "
             "found ')'\n"
             "  f32[3,5]{1,0:T(2,)}\n"
             "                   ^\n"},
        Case{"NoArray",
             {"index", "(f32[2])", "0"},
             "",
             1,
             "",
             "<argument>:1:1: error: (f32[2]{0}) is not an array\n"
             "  (f32[2])\n"
             "  ^\n"},
        Case{"ABuffer",
             {"index", "b(f32[2])", "0"},
             "",
             1,
             "",
             "<argument>:1:1: error: b(f32[2]{0}) is not an array\n"
             "  b(f32[2])\n"
             "  ^\n"},
        Case{"AToken",
             {"index", " token[]", "0"},
             "",
             1,
             "",
             "<argument>:1:2: error: token[] is not an array\n"
             "   token[]\n"
             "   ^\n"},
        Case{"Unbounded",
             {"index", "f32[2,/*?*/ ?]", "0,0"},
             "",
             1,
             "",
             "<argument>:1:13: error: f32[2,?]{1,0} has an unbounded "
             "dimension\n"
             "  f32[2,/*?*/ ?]\n"
             "              ^\n"},
        Case{"Json",
             {"index", kArray, "2,3", "--format=json"},
             "",
             0,
             "{\"linear_indices\":[17]}\n",
             ""},
        Case{
            "JsonOfABadArgument",
            {"index", kArray, "9,9", "--format=json"},
            "",
            1,
            "{\"error\":{\"code\":\"OUT_OF_RANGE\",\"message\":\"index[0] = 9 "
            "is "
            "outside [0, 3)\",\"field\":\"indices\",\"position\":{\"offset\":0,"
            "\"line\":1,\"column\":1,\"excerpt\":\"9,9\\n^\"}}}\n",
            "<argument>:1:1: error: index[0] = 9 is outside [0, 3)\n"
            "  9,9\n"
            "  ^\n"},
        Case{"JsonOfABadLayout",
             {"index", "f32[3", "9,9", "-", "--format=json"},
             "1,1\n",
             1,
             "{\"error\":{\"code\":\"INVALID_ARGUMENT\",\"message\":\"in "
             "dimensions: "
             "expected ',' or ']', found end of text\",\"field\":\"layout\","
             "\"position\":{\"offset\":5,\"line\":1,\"column\":6,\"excerpt\":"
             "\"f32[3\\n     ^\"}}}\n",
             "<argument>:1:6: error: in dimensions: expected ',' or ']', found "
             "end of text\n"
             "  f32[3\n"
             "       ^\n"},
        Case{
            "JsonLines",
            {"index", kArray, "-", "--format=json"},
            "2,3\n\n2,x\n9,9\n",
            1,
            "{\"linear_indices\":[17]}\n"
            "\n"
            "{\"error\":{\"code\":\"INVALID_ARGUMENT\",\"message\":\"in index: "
            "expected a 64-bit integer, found 'x'\",\"field\":\"indices\","
            "\"position\":{\"offset\":2,\"line\":3,\"column\":3,\"excerpt\":"
            "\"2,x\\n  ^\"}}}\n"
            "{\"error\":{\"code\":\"OUT_OF_RANGE\",\"message\":\"index[0] = 9 "
            "is "
            "outside [0, 3)\",\"field\":\"indices\",\"position\":{\"offset\":0,"
            "\"line\":4,\"column\":1,\"excerpt\":\"9,9\\n^\"}}}\n",
            "<stdin>:3:3: error: in index: expected a 64-bit integer, found "
            "'x'\n"
            "  2,x\n"
            "    ^\n"
            "<stdin>:4:1: error: index[0] = 9 is outside [0, 3)\n"
            "  9,9\n"
            "  ^\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    IndexExplained, CommandTest,
    ::testing::Values(
        Case{"OfTheDocument",
             {"index", kArray, "2,3", "--explain"},
             "",
             0,
             "physical index (2,3) within (3,5)\n"
             "tile (2,2): (2,3) div (2,2) = (1,1), (2,3) mod (2,2) = (0,1)\n"
             "index (1,1,0,1) within (2,3,2,2)\n"
             "linear_index((1,1,0,1), (2,3,2,2)) = ((1*3+1)*2+0)*2+1 = 17\n",
             ""},
        Case{"OneLineForALine",
             {"index", kArray, "-", "--explain"},
             "2,3\n",
             0,
             "physical index (2,3) within (3,5); "
             "tile (2,2): (2,3) div (2,2) = (1,1), (2,3) mod (2,2) = (0,1); "
             "index (1,1,0,1) within (2,3,2,2); "
             "linear_index((1,1,0,1), (2,3,2,2)) = ((1*3+1)*2+0)*2+1 = 17\n",
             ""},
        Case{"TwoTiles",
             {"index", "f32[4,8]{0,1:T(2,4)(2,1)}", "1,2", "--explain"},
             "",
             0,
             "physical index (2,1) within (8,4)\n"
             "tile (2,4): (2,1) div (2,4) = (1,0), (2,1) mod (2,4) = (0,1)\n"
             "index (1,0,0,1) within (4,1,2,4)\n"
             "tile (2,1): (0,1) div (2,1) = (0,1), (0,1) mod (2,1) = (0,0)\n"
             "index (1,0,0,1,0,0) within (4,1,1,4,2,1)\n"
             "linear_index((1,0,0,1,0,0), (4,1,1,4,2,1)) = "
             "((((1*1+0)*1+0)*4+1)*2+0)*1+0 = 10\n",
             ""},
        Case{"JoinedDimensions",
             {"index", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "0,1,2,3,4",
              "--explain"},
             "",
             0,
             "physical index (0,1,2,3,4) within (2,7,8,11,10)\n"
             "tile (*,*,2,*,3) reads the index as (10,34) within (112,110)\n"
             "tile (*,*,2,*,3): (10,34) div (2,3) = (5,11), (10,34) mod (2,3) "
             "= (0,1)\n"
             "index (5,11,0,1) within (56,37,2,3)\n"
             "linear_index((5,11,0,1), (56,37,2,3)) = ((5*37+11)*2+0)*3+1 = "
             "1177\n",
             ""},
        Case{"TileOfMoreDimensions",
             {"index", "f32[3]{0:T(8,128)}", "2", "--explain"},
             "",
             0,
             "physical index (2) within (3)\n"
             "tile (8,128) reads the index as (0,2) within (1,3)\n"
             "tile (8,128): (0,2) div (8,128) = (0,0), (0,2) mod (8,128) = "
             "(0,2)\n"
             "index (0,0,0,2) within (1,1,8,128)\n"
             "linear_index((0,0,0,2), (1,1,8,128)) = ((0*1+0)*8+0)*128+2 = 2\n",
             ""},
        Case{"Untiled",
             {"index", "f32[7]", "5", "--explain"},
             "",
             0,
             "physical index (5) within (7)\nlinear_index((5), (7)) = 5\n",
             ""},
        Case{"Scalar",
             {"index", "f32[]", "()", "--explain"},
             "",
             0,
             "physical index () within ()\nlinear_index((), ()) = 0\n",
             ""},
        Case{"OfCute",
             {"index", "((2,2),3):((24,2),8)", "3,2", "--explain"},
             "",
             0,
             "(i0 mod 2) * 24 = 1 * 24 = 24\n"
             "(i1 mod 3) * 8 = 2 * 8 = 16\n"
             "(i0 div 2 mod 2) * 2 = 1 * 2 = 2\n"
             "linear_index = 24+16+2 = 42\n",
             ""},
        Case{"OfASwizzle",
             {"index", "Sw<2,0,3> o 4 o (8,8):(8,1)", "-", "--explain"},
             "5,1\n",
             0,
             "(i0 mod 8) * 8 = 5 * 8 = 40; i1 mod 8 = 1; sum = 4+40+1 = 45; "
             "linear_index = "
             "Sw<2,0,3>(45) = 44\n",
             ""},
        Case{"InBytes",
             {"index", kArray, "2,3", "--explain", "--unit=bytes"},
             "",
             0,
             "(i0 div 2 mod 2) * 48 = 1 * 48 = 48\n"
             "(i1 div 2 mod 3) * 16 = 1 * 16 = 16\n"
             "(i0 mod 2) * 8 = 0 * 8 = 0\n"
             "(i1 mod 2) * 4 = 1 * 4 = 4\n"
             "linear_index = 48+16+0+4 = 68\n",
             ""},
        Case{"JoinedDimensionsInBits",
             {"index", "s4[2,5]{1,0:T(*,3)E(4)}", "1,4", "--explain",
              "--unit=bits"},
             "",
             0,
             "c0 = i0 * 5 + i1 = 9\n"
             "(c0 mod 12) * 4 = 9 * 4 = 36\n"
             "linear_index = 36\n",
             ""}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Coords, CommandTest,
    ::testing::Values(
        Case{"Element", {"coords", kArray, "17"}, "", 0, "2,3\n", ""},
        Case{"Padding", {"coords", kArray, "9"}, "", 0, "padding (tile)\n", ""},
        Case{"Several",
             {"coords", kArray, "17", "9"},
             "",
             0,
             "2,3\npadding (tile)\n",
             ""},
        Case{"OfAScalar",
             {"coords", "u32[]{:T(128)}", "0", "127"},
             "",
             0,
             "()\npadding (tile)\n",
             ""},
        Case{"Tail",
             {"coords", "f32[7]{0:L(100)}", "6", "7"},
             "",
             0,
             "6\npadding (tail)\n",
             ""},
        Case{"Explained",
             {"coords", kArray, "17", "9", "14", "15", "23", "--explain"},
             "",
             0,
             "2,3\n"
             "padding (tile): dimension 1 (5 >= 5)\n"
             "padding (tile): dimension 0 (3 >= 3)\n"
             "padding (tile): dimension 0 (3 >= 3)\n"
             "padding (tile): dimension 0 (3 >= 3), dimension 1 (5 >= 5)\n",
             ""},
        Case{"ExplainedTail",
             {"coords", "f32[7]{0:L(100)}", "7", "--explain"},
             "",
             0,
             "padding (tail)\n",
             ""},
        Case{"ExplainedJoinedDimensions",
             {"coords", "f32[2,5]{1,0:T(*,3)}", "10", "11", "--explain"},
             "",
             0,
             "padding (tile): dimensions 0,1 (10 >= 10)\n"
             "padding (tile): dimensions 0,1 (11 >= 10)\n",
             ""},
        Case{"ExplainedTileOfMoreDimensions",
             {"coords", "f32[3]{0:T(2,4)}", "4", "--explain"},
             "",
             0,
             "padding (tile): the tile has more dimensions than the array (1 "
             ">= 1)\n",
             ""},
        Case{"InBytes",
             {"coords", kArray, "68", "70", "36", "--unit=bytes", "--explain"},
             "",
             0,
             "2,3\npadding (gap)\npadding (tile): dimension 1 (5 >= 5)\n",
             ""},
        Case{"OfCute",
             {"coords", "((2,2),3):((24,2),8)", "42", "1"},
             "",
             0,
             "3,2\npadding (gap)\n",
             ""},
        Case{"OfATensor",
             {"coords",
              "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, "
              "<3x2>, memref<1x1x!tt.tile<32x32, bf16>, "
              "#tt.memory_space<l1>>>>",
              "3080", "992", "4624"},
             "",
             0,
             "18,40\npadding (tile)\npadding (grid)\n",
             ""},
        Case{"OfNoInverse",
             {"coords", "(3,2):(0,1)", "0"},
             "",
             1,
             "",
             "<argument>:1:1: error: the map has no unique inverse: a "
             "coordinate does not reach the position or reaches it twice, or "
             "strides overlap\n"
             "  0\n"
             "  ^\n"},
        Case{"OfNoBytes",
             {"coords", "(3,2):(2,1)", "0", "--unit", "bytes"},
             "",
             1,
             "",
             "<argument>:1:1: error: a CuTe layout does not say how large an "
             "element is: its positions count elements, not bytes or bits\n"
             "  (3,2):(2,1)\n"
             "  ^\n"},
        Case{"Lines",
             {"coords", kArray, "-"},
             "17\n\n24\n9\n",
             1,
             "2,3\n\nerror\npadding (tile)\n",
             "<stdin>:3:1: error: linear index 24 is outside [0, 24)\n"
             "  24\n"
             "  ^\n"},
        Case{"Negative",
             {"coords", kArray, "-1"},
             "",
             1,
             "",
             "<argument>:1:1: error: linear index -1 is outside [0, 24)\n"
             "  -1\n"
             "  ^\n"},
        Case{"NoArray",
             {"coords", "(f32[2])", "0"},
             "",
             1,
             "",
             "<argument>:1:1: error: (f32[2]{0}) is not an array\n"
             "  (f32[2])\n"
             "  ^\n"},
        Case{"Unbounded",
             {"coords", "f32[?]", "0"},
             "",
             1,
             "",
             "<argument>:1:5: error: f32[?]{0} has an unbounded dimension\n"
             "  f32[?]\n"
             "      ^\n"},
        Case{"NoInteger",
             {"coords", kArray, "1e3"},
             "",
             1,
             "",
             "<argument>:1:1: error: in position: expected a 64-bit integer, "
             "found '1e3'\n"
             "  1e3\n"
             "  ^\n"},
        Case{"EmptyArgument",
             {"coords", kArray, ""},
             "",
             1,
             "",
             "<argument>:1:1: error: in position: expected a 64-bit integer, "
             "found end of text\n"
             "  \n"
             "  ^\n"},
        Case{"TextBehind",
             {"coords", kArray, "1,2"},
             "",
             1,
             "",
             "<argument>:1:2: error: in position: expected end of text, found "
             "','\n"
             "  1,2\n"
             "   ^\n"},
        Case{"Lenient",
             {"coords", "F32[3,5]{1,0:T(2,2)}", "17", "--lenient"},
             "",
             0,
             "2,3\n",
             ""},
        Case{"Json",
             {"coords", kArray, "17", "9", "--format=json", "--explain"},
             "",
             0,
             R"json({"rank":2,"kinds":["ELEMENT"],"indices":[2,3],)json"
             R"json("failed_bounds":[{"bounds":[]}]})json"
             "\n"
             R"json({"rank":2,"kinds":["TILE_PADDING"],"indices":[0,0],)json"
             R"json("failed_bounds":[{"bounds":[)json"
             R"json({"dimensions":[1],"value":5,"bound":5}]}]})json"
             "\n",
             ""}),
    NameOf);

// The bytes of the ShapeProto of f32[2,3]{1,0}.
const std::string kProtoBytes = std::string(
    "\x10\x0b\x1a\x02\x02\x03\x2a\x07\x0a\x02\x01\x00\x80\x01\x01"
    "\x32\x02\x00\x00",
    19);

INSTANTIATE_TEST_SUITE_P(
    Parse, CommandTest,
    ::testing::Values(
        Case{"FillsTheLayout",
             {"parse", "f32[2,3]"},
             "",
             0,
             "f32[2,3]{1,0}\n",
             ""},
        Case{"NoLayout",
             {"parse", "(f32[2,3]{0,1}, token[])", "--no-layout"},
             "",
             0,
             "(f32[2,3], token[])\n",
             ""},
        Case{"Lenient",
             {"parse", "F32[2]{}", "--lenient"},
             "",
             0,
             "f32[2]{0}\n",
             ""},
        Case{"EmptyArgument",
             {"parse", ""},
             "",
             1,
             "",
             "<argument>:1:1: error: in shape: expected a type or '(', found "
             "end of text\n"
             "  \n"
             "  ^\n"},
        Case{"StrictByDefault",
             {"parse", "F32[2]"},
             "",
             1,
             "",
             "<argument>:1:1: error: in shape: expected a type or '(', found "
             "'F32'; type names are lower case\n"
             "  F32[2]\n"
             "  ^\n"},
        Case{"Lines",
             {"parse"},
             "f32[2]\r\n\nf32[\nf32[ 3 ] // three",
             1,
             "f32[2]{0}\n\nerror\nf32[3]{0}\n",
             "<stdin>:3:5: error: in dimensions: expected a size, '?', '<=' or "
             "']', "
             "found end of text\n"
             "  f32[\n"
             "      ^\n"},
        Case{"Dash", {"parse", "-"}, "f32[2]\n", 0, "f32[2]{0}\n", ""},
        Case{"TextProto",
             {"parse", "f32[2,3]", "token[]", "--format=textproto"},
             "",
             0,
             "element_type: F32 dimensions: 2 dimensions: 3 layout { "
             "minor_to_major: 1 minor_to_major: 0 "
             "tail_padding_alignment_in_elements: 1 } is_dynamic_dimension: "
             "false is_dynamic_dimension: false\n"
             "element_type: TOKEN\n",
             ""},
        Case{"OfMoreThan2To60Bytes",
             {"parse", "f32[1048576,1048576,1024,1024]",
              "u8[1152921504606846976]"},
             "",
             0,
             "f32[1048576,1048576,1024,1024]{3,2,1,0}\n"
             "u8[1152921504606846976]{0}\n",
             ""},
        Case{"BinaryProto",
             {"parse", "f32[2,3]", "--format=binproto"},
             "",
             0,
             kProtoBytes,
             ""},
        Case{"BinaryProtoOfSeveral",
             {"parse", "f32[2,3]", "token[]", "--format=binproto"},
             "",
             0,
             "\x13" + kProtoBytes + "\x02\x10\x11",
             ""},
        Case{"BinaryProtoOfLines",
             {"parse", "--format=binproto"},
             "f32[2,3]\n\nf32\ntoken[]\n",
             1,
             "\x13" + kProtoBytes + std::string("\0\0\x02\x10\x11", 5),
             "<stdin>:3:4: error: in shape: expected '[', found end of text\n"
             "  f32\n"
             "     ^\n"},
        Case{"JsonNoLayout",
             {"parse", "(f32[2])", "--format=json", "--no-layout"},
             "",
             0,
             R"json({"kind":"XLA_SHAPE","canonical":"(f32[2])",)json"
             R"json("form":"tuple","shape":{"element_type":"TUPLE",)json"
             R"json("dimensions":[],"tuple_shapes":[{"element_type":"F32",)json"
             R"json("dimensions":[2],"tuple_shapes":[],"layout":null,)json"
             R"json("is_dynamic_dimension":[false]}],"layout":null,)json"
             R"json("is_dynamic_dimension":[]}})json"
             "\n",
             ""},
        Case{"AnyFamily",
             {"parse", "{1,0:T( 8,128)}", "(x: f32[2]) -> f32[2]",
              "((2, 2), 3) : ((24, 2), 8)", "(8 , 128)",
              "Sw<2,0,3>  o 0 o (8,8):(8,1)",
              "tensor<5x7xf32, #tt.metal_layout<(d0,d1) -> (d0, d1), undef, "
              "<1x1>, memref<5x7xf32, #tt.memory_space<l1>>>>"},
             "",
             0,
             "{1,0:T(8,128)}\n"
             "(x: f32[2]) -> f32[2]\n"
             "((2,2),3):((24,2),8)\n"
             "(8,128)\n"
             "Sw<2,0,3> o 0 o (8,8):(8,1)\n"
             "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
             "<1x1>, memref<5x7xf32, #tt.memory_space<l1>>>>\n",
             ""},
        Case{"OnlyShapesHaveAShapeProto",
             {"parse", "(8,128)", "{1,0}", "--format=textproto"},
             "",
             1,
             "",
             "<argument>:1:1: error: --format=textproto prints the ShapeProto "
             "of an XLA shape, and this is none: it is read as CUTE, int "
             "tuple\n"
             "  (8,128)\n"
             "  ^\n"
             "<argument>:1:1: error: --format=textproto prints the ShapeProto "
             "of an XLA shape, and this is none: it is read as XLA_LAYOUT, "
             "layout\n"
             "  {1,0}\n"
             "  ^\n"},
        Case{
            "JsonLines",
            {"parse", "--format=json"},
            "x\n",
            1,
            "{\"error\":{\"code\":\"INVALID_ARGUMENT\",\"message\":\"in shape: "
            "expected a type or '(', found 'x'\",\"field\":\"text\","
            "\"position\":{\"offset\":0,\"line\":1,\"column\":1,\"excerpt\":"
            "\"x\\n^\"}}}\n",
            "<stdin>:1:1: error: in shape: expected a type or '(', found 'x'\n"
            "  x\n"
            "  ^\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Describe, CommandTest,
    ::testing::Values(
        Case{"Lines",
             {"describe", "-"},
             "bf16[9,130]{1,0:T(8,128)(2,1)}\n\nf32[\n(f32[2], "
             "f32[?])\nb(f32[?])\n",
             1,
             "bf16[9,130]{1,0:T(8,128)(2,1)}: elements 1170, in 4096 "
             "positions; bytes 2340, padded to 8192 (8.0 KiB), 3.50x\n"
             "\n"
             "error\n"
             "(f32[2]{0}, f32[?]{0}): elements 2, in 2 positions; bytes 8, "
             "1.00x; without arrays that have an unbounded dimension\n"
             "b(f32[?]{0}): sizes unknown: a dimension is unbounded\n",
             "<stdin>:3:5: error: in dimensions: expected a size, '?', '<=' or "
             "']', "
             "found end of text\n"
             "  f32[\n"
             "      ^\n"},
        Case{"ArraysOf2To60BytesAndMore",
             {"describe", "-"},
             "f32[1048576,1048576,1024,1024]\n"
             "s4[9223372036854775807]{0:E(4)}\n"
             "u8[1]{0:T(9223372036854775807)}\n"
             "f32[1]{0:T(2305843009213693952)}\n",
             1,
             "f32[1048576,1048576,1024,1024]{3,2,1,0}: elements "
             "1152921504606846976, in 1152921504606846976 positions; bytes "
             "4611686018427387904 (4.0 EiB), 1.00x\n"
             "s4[9223372036854775807]{0:E(4)}: elements 9223372036854775807, "
             "in 9223372036854775807 positions; bytes 4611686018427387904 "
             "(4.0 EiB), 1.00x\n"
             "u8[1]{0:T(9223372036854775807)}: elements 1, in "
             "9223372036854775807 positions; bytes 1, padded to "
             "9223372036854775807 (8.0 EiB), 9223372036854775808.00x\n"
             "error\n",
             "<stdin>:4:7: error: the physical size, 2305843009213693952 "
             "elements of 32 bits, exceeds 2^63-1 bytes\n"
             "  f32[1]{0:T(2305843009213693952)}\n"
             "        ^\n"},
        Case{"TooLargeInAll",
             {"describe", kTooLargeInAll},
             "",
             1,
             "",
             "<argument>:1:1: error: the elements of all arrays up to {1,1}, "
             "2 + 9223372036854775807, exceed 2^63-1\n"
             "  " +
                 kTooLargeInAll + "\n  ^\n"},
        Case{"TooLargeInAllInJson",
             {"describe", "-", "--format=json"},
             kTooLargeInAll + "\n",
             1,
             absl::StrCat(
                 "{\"error\":{\"code\":\"OUT_OF_RANGE\",\"message\":\"the "
                 "elements of all arrays up to {1,1}, 2 + 9223372036854775807, "
                 "exceed 2^63-1\",\"field\":\"layout\",\"position\":{"
                 "\"offset\":0,\"line\":1,\"column\":1,\"excerpt\":\"",
                 kTooLargeInAll, "\\n^\"}}}\n"),
             "<stdin>:1:1: error: the elements of all arrays up to {1,1}, "
             "2 + 9223372036854775807, exceed 2^63-1\n"
             "  " +
                 kTooLargeInAll + "\n  ^\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Regions, CommandTest,
    ::testing::Values(
        Case{"RunsOfASlice",
             {"runs", kArray, "--start", "0,2", "--limit", "[2,5]"},
             "",
             0,
             "begin  length  first\n"
             "    4       5    0,2\n"
             "   10       1    1,4\n",
             ""},
        Case{"RunsFromTheOrigin",
             {"runs", kArray, "--limit=1,2", "--unit=bytes"},
             "",
             0,
             "begin  length  first\n"
             "    0       8    0,0\n",
             ""},
        Case{"RunsOfLines",
             {"runs", "-", "--max-runs=2"},
             "(3):(2)\n\nf32[\nf32[0]\n",
             1,
             "[0,1) [2,3)\n\nerror\nno elements\n",
             "<stdin>:1: note: the list ends after 2 runs, and there may be "
             "more; "
             "--max-runs says how many to print\n"
             "<stdin>:3:5: error: in dimensions: expected a size, '?', '<=' "
             "or ']', found end of text\n"
             "  f32[\n"
             "      ^\n"},
        Case{"RunsOutside",
             {"runs", kArray, "--limit=4,5"},
             "",
             1,
             "",
             "<argument>:1:1: error: slice[0] = [0, 4) is not within [0, 3)\n"
             "  f32[3,5]{1,0:T(2,2)}\n"
             "  ^\n"},
        Case{"Padding",
             {"padding", kArray, "(4):(1)"},
             "",
             0,
             "begin  end  length\n"
             "    9   10       1\n"
             "   11   12       1\n"
             "   14   16       2\n"
             "   18   20       2\n"
             "   21   24       3\n"
             "\n"
             "no padding\n",
             ""},
        Case{"PaddingOfLines",
             {"padding", "-", "--unit=bytes", "--max-ranges=1"},
             "f32[3,5]{1,0:T(2,2)}\npred[]\n",
             0,
             "[36,40)\nno padding\n",
             "<stdin>:1: note: the list ends after 1 range, and there may be "
             "more; "
             "--max-ranges says how many to print\n"},
        Case{"Compare",
             {"compare", "bf16[8,256]{1,0}", "bf16[8,256]{1,0:T(8,128)}",
              "bf16[2048]"},
             "",
             0,
             "same text       no\n"
             "same positions  no\n"
             "bitcast         no\n"
             "relayout        reads 4096 bytes, writes 4096, moves 4096, 256 "
             "at a time\n"
             "\n"
             "same text       no\n"
             "same positions  unknown\n"
             "bitcast         yes\n"
             "relayout        bf16[8,256]{1,0} and bf16[2048]{0} have "
             "different bounds\n",
             ""},
        Case{"CompareTransposed",
             {"compare", "(8,4):(1,8)", "(4,8):(8,1)", "--to-dimensions=1,0",
              "--element-bits=16"},
             "",
             0,
             "same text       no\n"
             "same positions  unknown\n"
             "bitcast         unknown\n"
             "relayout        reads 64 bytes, writes 64, moves 64, 64 at a "
             "time\n",
             ""},
        Case{"CompareLines",
             {"compare", "(8,4):(1,8)", "-"},
             "(8,4):(1,8)\n(8,4\n",
             1,
             "same text: yes; same positions: yes; bitcast: unknown; relayout: "
             "reads 128 bytes, writes 128, moves 128, 128 at a time\nerror\n",
             "<stdin>:2:5: error: expected ',' or ')', found end of text\n"
             "  (8,4\n"
             "      ^\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    DescribeOfAnyFamily, CommandTest,
    ::testing::Values(
        Case{"Cute",
             {"describe", "-"},
             "((2,2),3):((24,2),8)\ncoalesce((2,4):(1,2))\n(3,2):(0,1)\n"
             "2:1@0\nSw<2,0,3> o 0 o (8,8):(8,1)\n",
             0,
             "((2,2),3):((24,2),8): size 12, in 43 positions; cosize 43; one "
             "to one: yes, 31 gaps\n"
             "8:1: size 8, in 8 positions; cosize 8; one to one: yes, without "
             "gaps\n"
             "(3,2):(0,1): size 6, in 2 positions; cosize 2; one to one: no, "
             "indices may share positions\n"
             "2:1@0: size 2\n"
             "Sw<2,0,3> o 0 o (8,8):(8,1): size 64, in 64 positions; one to "
             "one: yes, without gaps\n",
             ""},
        Case{"Tensor",
             {"describe", "-"},
             "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
             "<1x1>, memref<5x7xf32, #tt.memory_space<l1>>>>\n",
             0,
             "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
             "<1x1>, memref<5x7xf32, #tt.memory_space<l1>>>>: shape 5x7; "
             "extent 5x7; grid 1x1, grid first, then tiles; shard 5x7; bytes "
             "140 per shard; 140 in all; memory space l1; elements 35 of 35 "
             "positions, 1x allocated; tile padding none; grid padding none; "
             "gaps none; padding holds undef; empty cells 0 of 1\n",
             ""},
        Case{"ATensorThatBreaksARule",
             {"describe",
              "tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
              "<1x1>, memref<5x8xf32, #tt.memory_space<l1>>>>"},
             "",
             1,
             "",
             "<argument>:1:1: error: memref-shape: the memref is 5x8, but the "
             "rules give 5x7\n"
             "  tensor<5x7xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
             "<1x1>, memref<5x8xf32, #tt.memory_space<l1>>>>\n"
             "  ^\n"}),
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
        Case{"Check",
             {"tt", "check", kTiled},
             "",
             0,
             "ok\nmemref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>\n",
             ""},
        Case{"CheckFindsAnError",
             {"tt", "check", kWrong},
             "",
             1,
             "error memref-shape: the memref is 18x31, but the rules give "
             "18x32\nmemref<18x32xf32, #tt.memory_space<l1>>\n",
             ""},
        Case{"CheckLines",
             {"tt", "check", "-"},
             absl::StrCat(kTiled, "\n", kWrong, "\n"),
             1,
             "ok; memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>\n"
             "error memref-shape: the memref is 18x31, but the rules give "
             "18x32; memref<18x32xf32, #tt.memory_space<l1>>\n",
             ""},
        Case{"CheckJson",
             {"tt", "check", kWrong, "--format=json"},
             "",
             1,
             absl::StrCat(
                 "{\"ok\":false,\"tensor\":\"", kWrong,
                 "\",\"errors\":[{\"rule\":\"memref-shape\","
                 "\"message\":\"the memref is 18x31, but the rules give "
                 "18x32\"}],\"warnings\":[],\"memref\":\"memref<18x32xf32, "
                 "#tt.memory_space<l1>>\"}\n"),
             ""},
        Case{"Index",
             {"tt", "index", kScalars, "1,1,6,100"},
             "",
             0,
             "physical  (262,100)\ncell      (1,3)\noffset    (70,4)\n"
             "linear    2244\nbyte      8976\n",
             ""},
        Case{"IndexJson",
             {"tt", "index", kTiled, "18,57", "--format=json"},
             "",
             0,
             "{\"locations\":[{\"physical\":[18,57],\"cell\":[1,1],"
             "\"offset\":[0,25],\"tile\":[0,0],\"in_tile\":{\"row\":0,"
             "\"column\":25,\"face\":1,\"face_row\":0,\"face_column\":9,"
             "\"position\":265},\"linear_in_shard\":25,\"byte\":530,"
             "\"bit\":0,\"exponent_byte\":null}],\"warnings\":[]}\n",
             ""},
        Case{"IndexLines",
             {"tt", "index", kScalars, "-"},
             "1,1,6,100\n2,0,0,0\n",
             1,
             "physical (262,100); cell (1,3); offset (70,4); linear 2244; byte "
             "8976\nerror\n",
             "<stdin>:2:1: error: index[0] = 2 is outside [0, 2)\n"
             "  2,0,0,0\n  ^\n"},
        Case{"IndexOfManyTexts",
             {"tt", "index", "-", "18,57"},
             absl::StrCat(kTiled, "\n", kWrong, "\n"),
             1,
             "physical (18,57); cell (1,1); offset (0,25); tile (0,0); in_tile "
             "(0,25); face 1 at (0,9), position 265; linear 25; byte 530\n"
             "error\n",
             absl::StrCat("<stdin>:2:1: error: memref-shape: the memref is "
                          "18x31, but the rules give 18x32\n  ",
                          kWrong, "\n  ^\n")},
        Case{"CoordsOfAnElement",
             {"tt", "coords", kTiled, "--cell=1,1", "--offset", "0,25"},
             "",
             0,
             "18,57\n",
             ""},
        Case{"CoordsOfTilePadding",
             {"tt", "coords", kTiled, "--cell", "0,0", "--tile", "0,0",
              "--in-tile", "18,0"},
             "",
             0,
             "padding (tile)\n",
             ""},
        Case{"CoordsOfGridPadding",
             {"tt", "coords", "-", "--cell", "2,0", "--offset", "17,0",
              "--format=json"},
             absl::StrCat(kTiled, "\n"),
             0,
             "{\"kinds\":[\"GRID_PADDING\"],\"rank\":2,\"indices\":[0,0],"
             "\"oob_value\":\"zero\",\"warnings\":[]}\n",
             ""},
        Case{"CoordsOfAGap",
             {"tt", "coords",
              "tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + "
              "d1, d2), undef, <1x2>, memref<40x16xf32, "
              "#tt.memory_space<l1>>>>",
              "--cell", "0,0", "--offset", "8,0"},
             "",
             0,
             "padding (gap)\n",
             ""},
        Case{"CoordsWithoutAPlace",
             {"tt", "coords", kTiled, "--cell", "0,0"},
             "",
             2,
             "",
             "tessera: error: --offset, or --tile and --in-tile, are "
             "missing\nRun 'tessera tt coords --help' for usage and "
             "examples.\n"},
        Case{"Derive",
             {"tt", "derive", "--shape", "2x3x64x128", "--grid", "2x4",
              "--collapse", "0,-1", "--element", "bf16", "--memory-space", "l1",
              "--oob", "undef"},
             "",
             0,
             "#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, "
             "d3), undef, <2x4>, memref<192x32xbf16, #tt.memory_space<l1>>>\n",
             ""},
        Case{"DeriveOfDevices",
             {"tt", "derive", "--shape=2x3x64x128", "--grid=2x2x4",
              "--collapse=1,-1", "--element=tile<32x32,bfp_bf8>", "--tensor"},
             "",
             0,
             "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0, "
             "d1 * 64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!tt.tile<32x32, "
             "bfp_bf8>, #tt.memory_space<l1>>>>\n",
             ""},
        Case{"DeriveWithSeveralIntervals",
             {"tt", "derive", "--shape=2x3x4x5x6x7x8", "--grid=1x1x1x1",
              "--collapse", "0,3", "--collapse", "-3,-1"},
             "",
             0,
             "#tt.metal_layout<(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 12 + d1 * "
             "4 + d2, d3, d4 * 7 + d5, d6), undef, <1x1x1x1>, "
             "memref<24x5x42x8xf32, #tt.memory_space<l1>>>\n",
             ""},
        Case{"DeriveWithABadInterval",
             {"tt", "derive", "--shape=2x3", "--grid=1x1", "--collapse=1"},
             "",
             2,
             "",
             "tessera: error: --collapse: 1 is not of the form BEGIN,END\nRun "
             "'tessera tt derive --help' for usage and examples.\n"},
        Case{"DeriveRefuses",
             {"tt", "derive", "--shape=8x96x32", "--grid=2x1x2"},
             "",
             1,
             "",
             "<argument>: error: collapsing leaves 2 results where a grid of "
             "rank 3 divides 3 dimensions of the tensor: d0 was collapsed "
             "away\n"},
        Case{"DeriveAsIn2024",
             {"tt", "derive", "--shape=8x96x32", "--grid=2x1x2",
              "--collapse-rule=reference-2024"},
             "",
             0,
             "#tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, d2), undef, "
             "<2x1x2>, memref<384x96x16xf32, #tt.memory_space<l1>>>\n",
             ""},
        Case{"DeriveBumped",
             {"tt", "derive", "--shape=2x8x32", "--grid=1x2", "--align=1,32,1",
              "--element=tile<32x32,f32>"},
             "",
             0,
             "#tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, "
             "<1x2>, memref<2x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>\n",
             ""},
        Case{"DeriveWithoutAShape",
             {"tt", "derive", "--grid=2x1x2"},
             "",
             2,
             "",
             "tessera: error: --shape and --grid are needed\nRun 'tessera tt "
             "derive --help' for usage and examples.\n"},
        Case{"TheFormOf2025",
             {"tt", "index",
              "tensor<2x2x1x1x!ttcore.tile<32x32, bf16>, "
              "#ttcore.metal_layout<logical_shape = 40x50, dim_alignments = "
              "32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : "
              "tensor<2x2xi64>, l1, sharded>>",
              "33,40"},
             "",
             0,
             "physical  (33,40)\ncell      (1,1)\noffset    (1,8)\ntile      "
             "(0,0)\nin_tile   (1,8)\nface      0 at (1,8), position 24\n"
             "linear    40\nbyte      48\n",
             ""},
        Case{"TtnnLayout",
             {"tt", "check",
              "tensor<6x15x10xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 "
              "+ d1, d2), <8x8>, memref<6x1x!ttcore.tile<32x32, bf16>, "
              "#ttnn.buffer_type<dram>>, <interleaved>>>"},
             "",
             1,
             "error interleaved-grid: expected (1, 1) grid shape for dram "
             "buffer type with interleaved memory layout, got (8, 8)\n",
             ""},
        Case{"TtnnTerms",
             {"tt", "ttnn", "--shape=12x12x16", "--shard=72x16"},
             "",
             0,
             "shape                 12x12x16\n"
             "stride                192,16,1\n"
             "rows x width          144x16\n"
             "shard_shape           72x16\n"
             "tile_shape            32x32\n"
             "physical_shard_shape  96x32\n"
             "grid_shape            2x1\n"
             "physical_shape        192x32\n"
             "allocated_shape       192x32\n"
             "map                   (d0, d1, d2) -> (d0 * 12 + d1, d2)\n",
             ""},
        Case{"TtnnPadded",
             {"tt", "ttnn", "--shape=12x12x16", "--shard=96x16", "--pad",
              "--format=json"},
             "",
             0,
             "{\"shape\":[12,12,16],\"strides\":[512,16,1],\"rows\":384,"
             "\"width\":16,\"shard_shape\":[96,16],\"tile_shape\":[32,32],"
             "\"physical_shard_shape\":[96,32],\"grid_shape\":[4,1],"
             "\"physical_shape\":[384,32],\"allocated_shape\":[384,32],"
             "\"layout\":\"tile\",\"map\":\"(d0, d1, d2) -> (d0 * 32 + d1, "
             "d2)\"}\n",
             ""},
        Case{"TtnnWithoutAShard",
             {"tt", "ttnn", "--shape=12x12x16"},
             "",
             2,
             "",
             "tessera: error: --shape and --shard are needed\nRun 'tessera tt "
             "ttnn --help' for usage and examples.\n"},
        Case{"MalformedText",
             {"tt", "check", "tensor<8x300xf32, #tt.metal_layout<(d0) -> d0>>"},
             "",
             1,
             "",
             "<argument>:1:44: error: expected '(' of the results, found 'd0'\n"
             "  tensor<8x300xf32, #tt.metal_layout<(d0) -> d0>>\n"
             "                                             ^\n"}),
    NameOf);

// A test of tt-mlir lowers it to 12x1 cells.
const std::string kHeightSharded =
    "tensor<384x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <6x2>, "
    "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,5)>]>>>";
const std::string kInALine =
    "memory-layout: height sharded over a grid of 6x2: the cells are 12x1";
const std::string kInALineJson =
    "[{\"rule\":\"memory-layout\",\"message\":\"height sharded over a grid of "
    "6x2: the cells are 12x1\"}]";
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
const std::string kOnBanks =
    "undecided: interleaved in DRAM, pages lie on the banks in turn: shards "
    "and locations are given as if the tensor were sharded";
const std::string kOnBanksJson =
    "[{\"rule\":\"undecided\",\"message\":\"interleaved in DRAM, pages lie on "
    "the banks in turn: shards and locations are given as if the tensor were "
    "sharded\"}]";
const std::string kIndexMap =
    "tensor<1x1x32x32xf32, #ttcore.metal_layout<logical_shape = 32x32, "
    "dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, "
    "undef, l1, sharded, index_map = (d0, d1, d2, d3) -> (d0, d1, d3, d2)>>";
const std::string kLeftOut =
    "undecided: the index_map is left out: locations are those of the storage "
    "that it views in another order";
const std::string kLeftOutJson =
    "[{\"rule\":\"undecided\",\"message\":\"the index_map is left out: "
    "locations are those of the storage that it views in another order\"}]";

INSTANTIATE_TEST_SUITE_P(
    TtWarnings, CommandTest,
    ::testing::Values(
        Case{"CheckOfCellsInALine",
             {"tt", "check", kHeightSharded},
             "",
             0,
             absl::StrCat("ok\nwarning ", kInALine,
                          "\nmemref<1x1x!tt.tile<32x32, bf16>, "
                          "#tt.memory_space<l1>>\n"),
             ""},
        Case{"CheckOfCellsInALineInJson",
             {"tt", "check", kHeightSharded, "--format=json"},
             "",
             0,
             absl::StrCat("{\"ok\":true,\"tensor\":\"", kHeightSharded,
                          "\",\"errors\":[],\"warnings\":", kInALineJson,
                          ",\"memref\":\"memref<1x1x!tt.tile<32x32, bf16>, "
                          "#tt.memory_space<l1>>\"}\n"),
             ""},
        Case{"IndexOfCellsInALine",
             {"tt", "index", kHeightSharded, "330,5"},
             "",
             0,
             absl::StrCat("physical  (330,5)\ncell      (10,0)\n"
                          "offset    (10,5)\ntile      (0,0)\n"
                          "in_tile   (10,5)\nface      0 at (10,5), position "
                          "165\nlinear    325\nbyte      330\nwarning ",
                          kInALine, "\n"),
             ""},
        Case{"CoordsOfCellsInALineInJson",
             {"tt", "coords", kHeightSharded, "--cell=10,0", "--offset=10,5",
              "--format=json"},
             "",
             0,
             absl::StrCat("{\"kinds\":[\"ELEMENT\"],\"rank\":2,\"indices\":"
                          "[330,5],\"oob_value\":null,\"warnings\":",
                          kInALineJson, "}\n"),
             ""},
        Case{
            "CheckWithoutCoreRanges",
            {"tt", "check", "-"},
            absl::StrCat(kWithoutCoreRanges, "\n", kWithExactGrid, "\n"),
            0,
            "ok; warning core-ranges: sharded TTNN layout (block_sharded) must "
            "carry a core_range_set, unless the text is older than "
            "2026-05-06; memref<1x1x!tt.tile<32x32, bf16>, "
            "#tt.memory_space<l1>>\n"
            "ok; memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>\n",
            ""},
        Case{"IndexWithoutCoreRanges",
             {"tt", "index", kWithoutCoreRanges, "1,2"},
             "",
             0,
             "physical  (1,2)\ncell      (0,0)\noffset    (1,2)\n"
             "tile      (0,0)\nin_tile   (1,2)\nface      0 at (1,2), position "
             "18\nlinear    34\nbyte      36\n",
             ""},
        Case{"CheckOfL1OnOneCoreInJson",
             {"tt", "check", kInL1, "--format=json"},
             "",
             0,
             absl::StrCat(
                 "{\"ok\":true,\"tensor\":\"", kInL1,
                 "\",\"errors\":[],\"warnings\":[{\"rule\":"
                 "\"memref-shape\",\"message\":\"the memref is 64x128, but the "
                 "rules give 1x8192; both are as large\"},{\"rule\":"
                 "\"undecided\",\"message\":\"interleaved in L1, elements lie "
                 "on the cores in turn: the memref is not a block of the "
                 "tensor, "
                 "and locations are not computed\"}],\"memref\":"
                 "\"memref<1x8192xui16, #tt.memory_space<l1>>\"}\n"),
             ""},
        Case{"IndexOfInterleaved",
             {"tt", "index", kInterleaved, "1000,3"},
             "",
             0,
             absl::StrCat("physical  (1000,3)\ncell      (7,0)\n"
                          "offset    (104,3)\ntile      (3,0)\n"
                          "in_tile   (8,3)\nface      0 at (8,3), position "
                          "131\nlinear    12547\nbyte      24838\nwarning ",
                          kOnBanks, "\n"),
             ""},
        Case{"IndexOfInterleavedInJson",
             {"tt", "index", kTtnnInDram, "33,1", "--format=json"},
             "",
             0,
             absl::StrCat(
                 "{\"locations\":[{\"physical\":[33,1],\"cell\":[0,0],"
                 "\"offset\":[33,1],\"tile\":[1,0],\"in_tile\":{\"row\":1,"
                 "\"column\":1,\"face\":0,\"face_row\":1,\"face_column\":1,"
                 "\"position\":17},\"linear_in_shard\":2081,\"byte\":8260,"
                 "\"bit\":0,\"exponent_byte\":null}],\"warnings\":",
                 kOnBanksJson, "}\n"),
             ""},
        Case{"IndexOfManyInterleaved",
             {"tt", "index", "-", "0,0"},
             absl::StrCat(kTtnnInDram, "\n"),
             0,
             absl::StrCat("physical (0,0); cell (0,0); offset (0,0); tile "
                          "(0,0); in_tile (0,0); face 0 at (0,0), position 0; "
                          "linear 0; byte 0; warning ",
                          kOnBanks, "\n"),
             ""},
        Case{"CoordsOfInterleaved",
             {"tt", "coords", kTtnnInDram, "--cell=0,0", "--offset=33,1"},
             "",
             0,
             absl::StrCat("33,1\nwarning ", kOnBanks, "\n"),
             ""},
        Case{"CoordsOfManyInterleaved",
             {"tt", "coords", "-", "--cell=0,0", "--offset=33,1"},
             absl::StrCat(kTtnnInDram, "\n"),
             0,
             absl::StrCat("33,1; warning ", kOnBanks, "\n"),
             ""},
        Case{"DescribeOfManyInterleaved",
             {"tt", "describe", "-"},
             absl::StrCat(kTtnnInDram, "\n"),
             0,
             absl::StrCat(
                 "shape 64x64; extent 64x64; grid 1x1, tiles first, then grid; "
                 "shard 64x64, in 2x2 tiles of 32x32; bytes 16384 per shard; "
                 "16384 in all (16.0 KiB); memory space dram; elements 4096 of "
                 "4096 positions, 1x allocated; tile padding none; grid "
                 "padding none; gaps none; padding holds not said; empty cells "
                 "0 of 1; warning ",
                 kOnBanks, "\n"),
             ""},
        Case{"IndexWithAnIndexMap",
             {"tt", "index", kIndexMap, "1,2"},
             "",
             0,
             absl::StrCat("physical  (1,2)\ncell      (0,0)\n"
                          "offset    (1,2)\nlinear    34\nbyte      136\n"
                          "warning ",
                          kLeftOut, "\n"),
             ""},
        Case{"CoordsWithAnIndexMapInJson",
             {"tt", "coords", kIndexMap, "--cell=0,0", "--offset=1,2",
              "--format=json"},
             "",
             0,
             absl::StrCat("{\"kinds\":[\"ELEMENT\"],\"rank\":2,\"indices\":"
                          "[1,2],\"oob_value\":\"undef\",\"warnings\":",
                          kLeftOutJson, "}\n"),
             ""}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Cute, CommandTest,
    ::testing::Values(
        Case{"OfTheDocument",
             {"cute", "composition((6,2):(8,2), (4,3):(3,1))"},
             "",
             0,
             "((2,2),3):((24,2),8)\n",
             ""},
        Case{
            "NamesFromArgumentToArgument",
            {"cute", "A = (6,2):(8,2)", "A(3)", "size(A)", "compatible(12, A)"},
            "",
            0,
            "(6,2):(8,2)\n24\n12\ntrue\n",
            ""},
        Case{"Dialects",
             {"cute", "<3, Sw>", "<3, 2>", "Sw<2,0,3> o (2,2)", "Sw<2,0,3>",
              "--dialect=ir"},
             "",
             1,
             "[3:1;2:1]\nS<2,0,3>\n",
             "<argument>:1:5: error: 'Sw' is neither a function nor a name "
             "that is "
             "bound\n"
             "  <3, Sw>\n"
             "      ^\n"
             "<argument>:1:13: error: expected a layout, found the int tuple "
             "(2,2); write make_layout(...) for the column-major layout\n"
             "  Sw<2,0,3> o (2,2)\n"
             "              ^\n"},
        Case{"DocumentationAtCompileTime",
             {"cute", "<3, 2>", "--dialect=documentation", "--compile-time"},
             "",
             0,
             "<_3:_1, _2:_1>\n",
             ""},
        Case{"BareShapes",
             {"cute", "complement((2,3), 24)", "--bare-shapes"},
             "",
             0,
             "4:6\n",
             ""},
        Case{"Lines",
             {"cute", "-"},
             "A = (6,2):(8,2)\r\n\n  // nothing\nA o (\nA(1,1)",
             1,
             "(6,2):(8,2)\n\n\nerror\n10\n",
             "<stdin>:4:6: error: expected an integer, '_' or '(', found end "
             "of text\n"
             "  A o (\n"
             "       ^\n"},
        Case{"NothingIsStandardInput", {"cute"}, "4:2 o 2:2\n", 0, "2:4\n", ""},
        Case{"EmptyArgument",
             {"cute", ""},
             "",
             1,
             "",
             "<argument>:1:1: error: expected an expression, found end of "
             "text\n"
             "  \n"
             "  ^\n"},
        Case{"Notes",
             {"cute", "-"},
             "\nlogical_divide(48:1, 32)\n",
             0,
             "\n(32,2):(1,32)\n",
             "<stdin>:2:22: note: tiles reach past the end; there are elements "
             "only where (32,2):(1,32) at (in tile, tile) < 48\n"
             "  logical_divide(48:1, 32)\n"
             "                       ^\n"},
        Case{"Values",
             {"cute", "((2,2),3):((24,2),8)", "size(4:2)",
              "Sw<1,0,2> o 0 o (2,3):(4,1)", "(2,2):(1@1,1@0)", "--values"},
             "",
             0,
             "0,24,2,26,8,32,10,34,16,40,18,42\n4\n0,5,1,4,2,7\n"
             "(0,0),(0,1),(1,0),(1,1)\n",
             ""},
        Case{"ValuesOfLines",
             {"cute", "-", "--values"},
             "A = 3:2\nSw<1,0,2> o -1 o A\n3:1\n",
             1,
             "0,2,4\nerror\n0,1,2\n",
             "<stdin>:2:1: error: the outer function of Sw<1,0,2> o -1 o 3:2 "
             "has negative arguments\n"
             "  Sw<1,0,2> o -1 o A\n"
             "  ^\n"},
        Case{"TablesAreOfArguments",
             {"cute", "-", "(2,2):(2,1)", "size(4:2)", "--table"},
             "(2,2):(2,1)\n",
             0,
             "(2,2):(2,1)\n"
             "(2,2):(2,1)\n"
             "     0   1\n"
             "   +---+---+\n"
             " 0 | 0 | 1 |\n"
             "   +---+---+\n"
             " 1 | 2 | 3 |\n"
             "   +---+---+\n"
             "4\n",
             ""},
        Case{"TableAndValues",
             {"cute", "2:7", "--table", "--values"},
             "",
             0,
             "2:7\n"
             "     0   1\n"
             "   +---+---+\n"
             " 0 | 0 | 7 |\n"
             "   +---+---+\n"
             "0,7\n",
             ""},
        Case{"TableTooLarge",
             {"cute", "100000:1", "--table"},
             "",
             1,
             "",
             "<argument>:1:1: error: a table has at most 16384 cells, and this "
             "has 100000; --values prints them on one line\n"
             "  100000:1\n"
             "  ^\n"},
        Case{
            "Json",
            {"cute", "(2,2):(2,1)", "size(4:2)", "2:1@0",
             "Sw<1,0,1> o -1 o 2:1", "<3:1>", "--dialect=ir", "--format=json"},
            "",
            0,
            R"js({"value":"(2,2):(2,1)","kind":"layout","size":4,"cosize":4,)js"
            R"js("values":[0,2,1,3],"coordinates":[],"truncated":false,)js"
            R"js("notes":[],"no_values":""})js"
            "\n"
            R"js({"value":"4","kind":"integer","size":null,"cosize":null,)js"
            R"js("values":[],"coordinates":[],"truncated":false,"notes":[],)js"
            R"js("no_values":""})js"
            "\n"
            R"js({"value":"2:1@0","kind":"layout","size":2,"cosize":null,)js"
            R"js("values":[],"coordinates":["(0)","(1)"],"truncated":false,)js"
            R"js("notes":[],"no_values":""})js"
            "\n"
            R"js({"value":"S<1,0,1> o -1 o 2:1","kind":"composed layout",)js"
            R"js("size":2,"cosize":null,"values":[],"coordinates":[],)js"
            R"js("truncated":false,"notes":[],"no_values":"the outer function )js"
            R"js(of Sw<1,0,1> o -1 o 2:1 has negative arguments"})js"
            "\n"
            R"js({"value":"[3:1]","kind":"tiler","size":null,"cosize":null,)js"
            R"js("values":[],"coordinates":[],"truncated":false,"notes":[],)js"
            R"js("no_values":""})js"
            "\n",
            ""},
        Case{
            "JsonOfLines",
            {"cute", "-", "--format=json"},
            "\nsize(B)\nflat_divide(1:1, 2)\n",
            1,
            "\n"
            R"({"error":{"code":"INVALID_ARGUMENT","message":"'B' is no )"
            R"(function and no name that is bound","field":"expression",)"
            R"js("position":{"offset":5,"line":2,"column":6,"excerpt":"size(B))js"
            R"(\n     ^"}}})"
            "\n"
            R"js({"value":"(2,1):(1,0)","kind":"layout","size":2,"cosize":2,)js"
            R"("values":[0,1],"coordinates":[],"truncated":false,"notes":[{)"
            R"("message":"tiles reach past the end; there are elements only )"
            R"js(where (2,1):(1,0) at (in tile, tile) < 1","position":{)js"
            R"("offset":17,"line":3,"column":18,"excerpt":"flat_divide(1:1, )"
            R"js(2)\n                 ^"}}],"no_values":""})js"
            "\n",
            "<stdin>:2:6: error: 'B' is neither a function nor a name that is "
            "bound\n"
            "  size(B)\n"
            "       ^\n"},
        Case{"NoSuchFile",
             {"cute", "--file", "no/such/file", "4:2"},
             "",
             1,
             "4:2\n",
             "no/such/file: error: cannot be read: No such file or "
             "directory\n"},
        Case{"StandardInputAsAFile",
             {"cute", "--file", "-", "A(1)"},
             "A = 4:2\n",
             0,
             "4:2\n2\n",
             ""},
        Case{"NoSuchDialect",
             {"cute", "4:2", "--dialect=c"},
             "",
             2,
             "",
             "tessera: error: --dialect: c not in {cpp,ir,documentation}\n"
             "Run 'tessera cute --help' for usage and examples.\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Usage, CommandTest,
    ::testing::Values(
        Case{"Nothing",
             {},
             "",
             2,
             "",
             "tessera: error: A subcommand is required\n"
             "Run 'tessera --help' for usage and examples.\n"},
        Case{"UnknownCommand",
             {"frobnicate"},
             "",
             2,
             "",
             "tessera: error: there is no subcommand frobnicate\n"
             "Run 'tessera --help' for usage and examples.\n"},
        Case{"UnknownFormat",
             {"index", kArray, "2,3", "--format=yaml"},
             "",
             2,
             "",
             "tessera: error: --format: yaml not in {text,json}\n"
             "Run 'tessera index --help' for usage and examples.\n"},
        Case{"NoIndex",
             {"index", kArray},
             "",
             2,
             "",
             "tessera: error: INDEX is required\n"
             "Run 'tessera index --help' for usage and examples.\n"},
        Case{"UnknownOption",
             {"parse", "--colour"},
             "",
             2,
             "",
             "tessera: error: The following argument was not expected: "
             "--colour\n"
             "Run 'tessera parse --help' for usage and examples.\n"},
        Case{"NegativeTop",
             {"hlo", "-", "--top=-1"},
             "",
             2,
             "",
             "tessera: error: --top: -1 is not a whole number from 0 to "
             "9223372036854775807\n"
             "Run 'tessera hlo report --help' for usage and examples.\n"},
        Case{
            "TopPast64Bits",
            {"hlo", "-", "--top", "99999999999999999999"},
            "",
            2,
            "",
            "tessera: error: --top: 99999999999999999999 is not a whole number "
            "from 0 to 9223372036854775807\n"
            "Run 'tessera hlo report --help' for usage and examples.\n"},
        Case{"TwoFormats",
             {"parse", "--format=json", "x", "--format=text"},
             "",
             2,
             "",
             "tessera: error: --format is given more than once\n"
             "Run 'tessera parse --help' for usage and examples.\n"},
        Case{"FormatWithoutValue",
             {"parse", "--format"},
             "",
             2,
             "",
             "tessera: error: --format needs a value\n"
             "Run 'tessera parse --help' for usage and examples.\n"},
        Case{"TopWithoutValue",
             {"hlo", "-", "--top="},
             "",
             2,
             "",
             "tessera: error: --top needs a value\n"
             "Run 'tessera hlo report --help' for usage and examples.\n"}),
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
       "'Bf16'; type names are lower case; did you mean bf16[2]\n"
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
        "hlo cat"}) {
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
    EXPECT_THAT(
        outcome.err,
        HasSubstr("<argument>:1:98: error: shape_nesting: in tuple: nested "
                  "deeper than the limit of 97, past which Protocol Buffers "
                  "read no message\n"));
  }
}

}  // namespace
}  // namespace cli
}  // namespace tessera
