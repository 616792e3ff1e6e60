// tessera draw --tv and --color.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;

TEST(DrawThreads, Pictures) {
  const struct {
    std::vector<std::string> arguments;
    std::string text;
  } kCases[] = {
      {{"--tv", "(4,2):(1,4)", "--tile", "4x2", "--thread", "2"},
       " 2 |[T2V0][T2V1]|\n"},
      {{"--tv", "SM80_16x8x8_F32F16F16F32_TN"},
       "C, 16 x 8, 32 threads x 4 values: ((4,8),(2,2)):((32,1),(16,8))\n"},
      {{"--tv", "Copy_Atom<SM75_U32x1_LDSM_N, half_t>"},
       "Destination, 32 threads x 2 values of 16 bits: "},
      {{"--tv", "(8,8):(1,8)", "--data", "(8,64):(64,1)", "--bytes", "2"},
       "8-way conflict: 8 wavefronts instead of 1"},
      {{"--tv", "(8,8):(1,8)", "--data", "GMMA::Layout_K_SW128_Atom<half_t>{}"},
       "no conflict: 1 wavefront"},
      {{"((2,2),2):((1,4),2)", "--color", "mode"}, "   +------+\n"},
      {{"(8,32):(32,1)", "--color", "bank", "--bytes", "4"},
       "Numbers are offsets in memory"},
      {{"Sw<3,0,3> o 0 o (8,8):(8,1)", "--color", "offset", "-o", "-"},
       "The color of a cell is that of its offset, modulo 8."},
      {{"--tv", "32:1", "-o", "-"}, "<svg "},
      {{"--tv", "SM80_16x8x16_F32F16F16F32_TN", "-o", "-", "--width", "390"},
       "width=\"390\""},
      {{"--before-after", "logical_divide((4,2,3):(2,1,8), 4:2)"},
       "logical_divide(A, B) = ((2,2),(2,3)):((4,1),(2,8))\n"},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> arguments = {"draw"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome outcome = RunCommand(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(c.text));
  }
}

TEST(DrawThreads, Refusals) {
  const struct {
    std::vector<std::string> arguments;
    std::string message;
  } kCases[] = {
      {{"4:1", "--thread", "1"}, "--thread needs --tv"},
      {{"4:1", "--data", "4:1"}, "--data needs --tv"},
      {{"4:1", "--bytes", "4"}, "--bytes needs --tv or --color"},
      {{"--tv", "4:1", "--path"}, "--path does not go with --tv"},
      {{"4:1", "--color", "mode", "--tile", "2,2"},
       "--tile does not go with --color"},
      {{"--tv", "4:1", "--tile", "4"},
       "with --tv, --tile is the rows and columns of the one tile"},
      {{"--tv", "4:1", "--format=json"}, "--tv does not go with --format=json"},
      {{"4:1", "--width", "390"}, "--width needs -o"},
      {{"4:1", "--width", "390", "-o", "-"},
       "--width needs --tv, --color or --before-after"},
      {{"--before-after", "4:1"}, "expected an operation from layouts"},
      {{"--before-after", "4:1", "--tv"},
       "--tv does not go with --before-after"},
      {{"--before-after", "4:1", "--color", "mode"},
       "--color does not go with --before-after"},
      {{"--before-after", "4:1", "--format=json"},
       "--before-after does not go with --format=json"},
      {{"4:1", "--color", "red"}, "red not in {thread,value,bank,mode,offset}"},
      {{"--tv", "4:1", "--thread", "x"}, "x is not a thread"},
      {{"4:1", "--color", "bank"},
       "banks need a layout of memory and the bytes of an element"},
      {{"4:1", "--color", "thread"},
       "threads and values need a layout of threads"},
      {{"--tv", "32:1", "--tile", "4x4"}, "thread 16 holds coordinate 16"},
      {{"--tv", "SM80_16x8x9_F32F16F16F32_TN"}, "SM80_16x8x9"},
      {{"--tv", "4:1", "--data", "Sw<2,0,3>"},
       "expected a layout, found the swizzle Sw<2,0,3>"},
      {{"--tv", "4:1", "--data", "4:1", "--bytes", "3"},
       "bytes = 3 is not 1, 2, 4, 8 or 16"},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> arguments = {"draw"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Outcome outcome = RunCommand(arguments);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace tessera::cli
