#include "tessera/cli/layout/drawing.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/run.h"

namespace tessera::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::optional<Drawing> Read(const std::string& text,
                            const DrawingOptions& options = {}) {
  std::ostringstream err;
  Console console;
  console.err = &err;
  return ReadDrawing(text, FamilyOf(text), options, &console);
}

TEST(Drawing, Example) {
  const std::optional<Drawing> drawing = Read("f32[3,5]{1,0:T(2,2)}");
  ASSERT_TRUE(drawing.has_value());
  EXPECT_EQ(drawing->title, "f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(drawing->options.tiles,
            (std::vector<std::vector<int64_t>>{{2, 2}}));
}

TEST(Drawing, Titles) {
  EXPECT_EQ(Read("(2,2):(1,2)")->title, "(2,2):(1,2)");
  EXPECT_EQ(Read("coalesce((2,2):(1,2))")->title,
            "coalesce((2,2):(1,2)) = 4:1");
  EXPECT_EQ(Read("A = 2:1; A")->title, "2:1");
  EXPECT_EQ(Read("f32[2]")->title, "f32[2]{0}");
}

TEST(Drawing, Bytes) {
  DrawingOptions options;
  options.in_bytes = true;
  const std::optional<Drawing> drawing = Read("f32[3]", options);
  ASSERT_TRUE(drawing.has_value());
  EXPECT_EQ(*drawing->map.LinearIndex({2}), 8);
  EXPECT_EQ(drawing->options.positions_per_element, 4);
  EXPECT_EQ(drawing->options.unit, "bytes");
  EXPECT_FALSE(Read("4:1", options).has_value());
}

// 96x40 in shards of 64x32, the second row and column of which is padded.
TEST(Drawing, NamesCoresAndWhatTheirShardsHold) {
  const std::string text =
      "tensor<96x40xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, "
      "memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
      "<block_sharded>, core_ranges = <[#ttnn.core_range<(1,2), (2,3)>]>>>";
  const std::optional<Drawing> drawing = Read(text);
  ASSERT_TRUE(drawing.has_value());
  EXPECT_EQ(drawing->cores,
            (std::vector<std::string>{
                "The shards of 64x32 are on the cores x,y; after each core, "
                "the part that holds elements:",
                "(1,2) 64x32  (2,2) 64x8", "(1,3) 32x32  (2,3) 32x8"}));
  EXPECT_EQ(drawing->core_names.rows, 64);
  EXPECT_EQ(drawing->core_names.columns, 32);
  const Outcome svg = RunCommand(
      {"draw", text, "-o", "-", "--window", "60:68,30:34", "--cells", "none"});
  EXPECT_EQ(svg.exit_code, 0) << svg.err;
  for (const char* core : {"(1,2)", "(2,2)", "(1,3)", "(2,3)"}) {
    EXPECT_THAT(svg.out,
                HasSubstr(absl::StrCat("style=\"font-size: 9px\">core ", core,
                                       "</text>")));
    EXPECT_THAT(svg.out, HasSubstr(absl::StrCat(", in core ", core)));
  }
  EXPECT_THAT(svg.out, HasSubstr("(1,3) 32x32 (2,3) 32x8"));
}

TEST(Draw, WritesAFile) {
  const std::string file = absl::StrCat(getenv("TEST_TMPDIR"), "/picture.svg");
  const Outcome written = RunCommand({"draw", "f32[2,3]", "-o", file});
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_EQ(written.out, "");
  std::ifstream read(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(read), {}),
            RunCommand({"draw", "f32[2,3]", "-o", "-"}).out);
}

TEST(Draw, FitsIntoTheTerminal) {
  Display display;
  for (const int columns : {12, 40, 80, 200, 5000}) {
    display.columns = columns;
    const Outcome outcome = RunCommand(
        {"draw", "f32[1024,1048576]{1,0:T(8,8)}", "--at=1,1"}, "", display);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line == "") continue;
      const bool is_grid = line.find('|') != std::string::npos;
      if (is_grid) longest = std::max(longest, line.size());
    }
    EXPECT_LE(longest, static_cast<size_t>(std::max(columns, 20))) << columns;
    EXPECT_GT(longest, 0);
  }
}

TEST(Draw, WindowsOfAPipeAreAsWideAsIsAsked) {
  const Outcome outcome =
      RunCommand({"draw", "f32[64,512]", "--window", "0:2,0:100"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("columns 0 to 99 of 512."));
  EXPECT_THAT(RunCommand({"draw", "f32[64,512]"}).out,
              Not(HasSubstr("columns 0 to 99 of 512.")));
}

}  // namespace
}  // namespace tessera::cli
