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

namespace tessera {
namespace cli {
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
}  // namespace cli
}  // namespace tessera
