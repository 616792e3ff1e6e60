#include "tessera/viz/text_picture.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tests/viz/random_maps.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Picture Draw(const std::string& shape, const PictureOptions& options = {}) {
  return *MakePicture(*ToIndexMap(*ParseShape(shape)), options);
}

// What stands above the legend.
std::string GridOf(const Picture& picture, const TextStyle& style) {
  const std::string text = RenderText(picture, style);
  return text.substr(0, text.find("\n\n") + 1);
}

TEST(TextPicture, NestedTilesInBoxDrawing) {
  PictureOptions options;
  options.tiles = std::vector<std::vector<int64_t>>{{2, 4}, {2, 2}, {1, 2}};
  TextStyle style;
  style.unicode = true;
  EXPECT_EQ(GridOf(Draw("bf16[3,8]", options), style),
            R"(      0   1    2   3    4   5    6   7
   ┏━━━━━━━━┯━━━━━━━━┳━━━━━━━━┯━━━━━━━━┓
 0 ┃  0   1 │  2   3 ┃  4   5 │  6   7 ┃
   ┠────────┼────────╂────────┼────────┨
 1 ┃  8   9 │ 10  11 ┃ 12  13 │ 14  15 ┃
   ┣━━━━━━━━┿━━━━━━━━╋━━━━━━━━┿━━━━━━━━┫
 2 ┃ 16  17 │ 18  19 ┃ 20  21 │ 22  23 ┃
   ┗━━━━━━━━┷━━━━━━━━┻━━━━━━━━┷━━━━━━━━┛
)");
}

TEST(TextPicture, WindowsHaveOpenEdges) {
  PictureOptions options;
  options.row_window = PictureRange{7, 2};
  options.column_window = PictureRange{127, 2};
  TextStyle style;
  style.unicode = true;
  EXPECT_EQ(RenderText(Draw("f32[64,512]{1,0:T(8,128)}", options), style),
            R"(      127    128
    ┈┈┈┈┈┈╻┈┈┈┈┈┈
 7 ┊ 1023 ┃ 1920 ┊
   ╺━━━━━━╋━━━━━━╸
 8 ┊ 4223 ┃ 5120 ┊
    ┈┈┈┈┈┈╹┈┈┈┈┈┈

    Dimension 0 runs down, dimension 1 across.
    A number is a position in memory, counted in elements.
 ━━ Thick lines go around tiles of 8 x 128.
    A window: rows 7 to 8 of 64, columns 127 to 128 of 512.
    rows    [···█····························]
    columns [·······█························]
)");
}

TEST(TextPicture, PathPointsToTheNextInMemory) {
  TextStyle style;
  style.path = true;
  EXPECT_EQ(GridOf(Draw("f32[2,4]{1,0:T(2,2)}"), style), R"(     0  1   2  3
   +======+======+
 0 | 0> 1/| 4> 5/|
 1 | 2> 3/| 6> 7*|
   +======+======+
)");
  style.unicode = true;
  EXPECT_EQ(GridOf(Draw("f32[2,3]{0,1}"), style), R"(     0  1  2
   ┌─────────┐
 0 │ 0↓ 2↓ 4↓│
 1 │ 1↗ 3↗ 5■│
   └─────────┘
)");
  EXPECT_THAT(RenderText(Draw("f32[2,3]{0,1}"), style),
              HasSubstr(" →  An arrow points towards the next cell in memory; "
                        "■ is the last.\n"));
}

TEST(TextPicture, ColoursAddNothingThatIsNotThereWithout) {
  TextStyle style;
  style.unicode = true;
  const Picture picture = Draw("f32[3,5]{1,0:T(2,2)}");
  const std::string plain = RenderText(picture, style);
  style.color = true;
  std::string painted = RenderText(picture, style);
  EXPECT_THAT(painted, HasSubstr("\x1b[30;48;5;153m  0 \x1b[0m"));
  for (size_t at; (at = painted.find('\x1b')) != std::string::npos;) {
    painted.erase(at, painted.find('m', at) + 1 - at);
  }
  EXPECT_EQ(painted, plain);
}

TEST(TextPicture, ScalarsAndEmptyArrays) {
  EXPECT_EQ(RenderText(Draw("f32[]"), {}), R"(  +---+
  | 0 |
  +---+

    The array has a single element.
    A number is a position in memory, counted in elements.
)");
  EXPECT_EQ(RenderText(Draw("f32[0,4]"), {}),
            R"(    Dimension 0 runs down, dimension 1 across.
    The array has no elements.
)");
}

TEST(TextPicture, Memory) {
  PictureOptions options;
  options.memory = PictureRange{8, 16};
  TextStyle style;
  style.columns = 40;
  EXPECT_THAT(RenderText(Draw("f32[3,5]{1,0:T(2,2)}", options), style),
              EndsWith(R"(
Memory: the number of a position, and
the index of the element there and after
it.
  8  0,4 ..... 1,4 .....
 12  2,0  2,1 ..........
 16  2,2  2,3 ..........
 20  2,4 ...............
)"));
}

TEST(TextPicture, MarkedCellsAreInBrackets) {
  PictureOptions options;
  options.marks = *ToIndexMap(*ParseShape("f32[3]"));
  EXPECT_EQ(GridOf(Draw("f32[2,2]{0,1}", options), {}), R"(     0  1
   +------+
 0 |[0][2]|
 1 |[1] 3 |
   +------+
)");
}

TEST(TextPicture, IndicesOrNothingInTheCells) {
  TextStyle style;
  style.text = CellText::kIndices;
  const Picture picture = Draw("f32[1,2]{1,0:T(1,3)}");
  EXPECT_EQ(RenderText(picture, style), R"(       0    1    2
   +---------------+
 0 | 0,0  0,1 .....|
   +---------------+

    Dimension 0 runs down, dimension 1 across.
    A cell shows the index of its element.
 .. Hatched cells are padding: they take memory and hold no element. In all of
    memory, 1 of 3 positions hold no element.
)");
  style.text = CellText::kNothing;
  EXPECT_THAT(RenderText(picture, style), HasSubstr(" 0 |      ...|\n"));
  EXPECT_THAT(RenderText(picture, style), Not(HasSubstr("A number")));
}

// All lines of the grid are as wide as GridWidth says, however it is drawn.
TEST(TextPicture, WidthsOfRandomLayouts) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 300; ++i) {
    const IndexMap map = RandomMap(&random);
    if (map.element_count() == 0) continue;
    const Picture picture = *MakePicture(map, {});
    TextStyle style;
    style.path = i % 2 == 1;
    const std::vector<std::string> lines =
        absl::StrSplit(GridOf(picture, style), '\n');
    for (size_t k = 1; k + 1 < lines.size(); ++k) {
      EXPECT_LE(static_cast<int64_t>(lines[k].size()),
                GridWidth(picture, style));
      // Those of cells end at their frame, or where it is open, in a blank.
      if (lines[k].back() == '|') {
        EXPECT_EQ(static_cast<int64_t>(lines[k].size()),
                  GridWidth(picture, style));
      }
    }
  }
}

}  // namespace
}  // namespace tessera
