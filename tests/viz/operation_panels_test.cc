#include "tessera/viz/operation_panels.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/viz/thread_picture.h"
#include "tests/viz/xml_reader.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

std::vector<ThreadPanel> Panels(std::string_view expression) {
  absl::StatusOr<std::vector<ThreadPanel>> panels =
      OperationPanelsOf(expression);
  EXPECT_THAT(panels, IsOk()) << expression;
  return panels.ok() ? *std::move(panels) : std::vector<ThreadPanel>();
}

TEST(OperationPanels, AreTheOperandsAndTheResult) {
  const struct {
    std::string expression;
    std::vector<std::string> titles;
  } kCases[] = {
      {"logical_divide((4,2,3):(2,1,8), 4:2)",
       {"A = (4,2,3):(2,1,8)", "B = 4:2",
        "logical_divide(A, B) = ((2,2),(2,3)):((4,1),(2,8))"}},
      {"zipped_divide((8,8):(8,1), <4:1, 4:1>)",
       {"A = (8,8):(8,1)",
        "zipped_divide(A, (4:1,4:1)) = ((4,4),(2,2)):((8,1),(32,4))"}},
      {"(6,2):(8,2) o (4,3):(3,1)",
       {"A = (6,2):(8,2)", "B = (4,3):(3,1)",
        "composition(A, B) = ((2,2),3):((24,2),8)"}},
      {"A = (6,2):(8,2); coalesce(A o (4,3):(3,1)); size(A)",
       {"A = (6,2):(8,2)", "B = (4,3):(3,1)",
        "composition(A, B) = ((2,2),3):((24,2),8)", "A = ((2,2),3):((24,2),8)",
        "coalesce(A) = (2,2,3):(24,2,8)"}},
      {"right_inverse((4,8):(8,1))",
       {"A = (4,8):(8,1)", "right_inverse(A) = (8,4):(4,1)"}},
      {"complement(4:2, 24)", {"A = 4:2", "complement(A, 24) = (2,3):(1,8)"}},
  };
  for (const auto& c : kCases) {
    const std::vector<ThreadPanel> panels = Panels(c.expression);
    std::vector<std::string> titles;
    for (const ThreadPanel& panel : panels) titles.push_back(panel.title);
    EXPECT_EQ(titles, c.titles);
    for (size_t i = 0; i < panels.size(); ++i) {
      EXPECT_TRUE(panels[i].is_operand);
      // The last of each row.
      EXPECT_EQ(panels[i].is_result,
                i + 1 == panels.size() ||
                    panels[i + 1].place_row > panels[i].place_row);
      EXPECT_EQ(panels[i].colors.size(), panels[i].rows * panels[i].columns);
    }
  }
}

// In every operation of the first kind a cell of A has the colour of the cell
// of the result with the same number, or none.
TEST(OperationPanels, SameNumbersHaveTheSameColours) {
  for (const char* expression :
       {"logical_divide((4,2,3):(2,1,8), 4:2)",
        "logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
        "zipped_divide((8,8):(8,1), <4:1, 4:1>)",
        "blocked_product((2,5):(5,1), (3,4):(1,3))",
        "raked_product((2,5):(5,1), (3,4):(1,3))",
        "logical_product((2,2):(4,1), 6:1)", "(6,2):(8,2) o (4,3):(3,1)",
        "composition((8,8):(8,1), <4:2, 3:1>)"}) {
    const std::vector<ThreadPanel> panels = Panels(expression);
    ASSERT_GE(panels.size(), 2u) << expression;
    const ThreadPanel& a = panels.front();
    const ThreadPanel& result = panels.back();
    for (int64_t i = 0; i < a.memory->size(); ++i) {
      int expected = -1;
      for (int64_t j = result.memory->size() - 1; j >= 0; --j) {
        if ((*result.memory)(j) == (*a.memory)(i)) expected = result.colors[j];
      }
      EXPECT_EQ(a.colors[i], expected) << expression << " at " << i;
    }
  }
}

TEST(OperationPanels, ColoursOfTiles) {
  // A column of the result is a tile: the coordinates 0 2 4 6, then 1 3 5 7.
  const std::vector<ThreadPanel> divide =
      Panels("logical_divide((4,2,3):(2,1,8), 4:2)");
  EXPECT_EQ(
      std::vector<int>(divide[0].colors.begin(), divide[0].colors.begin() + 9),
      (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 2}));
  // The tile itself is the first of them.
  EXPECT_EQ(divide[1].colors, (std::vector<int>{0, 0, 0, 0}));
  // Blocks have a colour each, those of B that place them the same.
  const std::vector<ThreadPanel> product =
      Panels("blocked_product((1,2):(2,1), (2,2):(1,2))");
  EXPECT_EQ(product[0].colors, (std::vector<int>{0, 0}));
  EXPECT_EQ(product[1].colors, (std::vector<int>{0, 1, 3, 4}));
  // Cell (number) of an inverse has the number of the cell.
  const std::vector<ThreadPanel> inverse = Panels("right_inverse((2,2):(2,1))");
  EXPECT_EQ(inverse[0].colors[1], inverse[1].colors[2]);
}

TEST(OperationPanels, Refusals) {
  for (const auto& [expression, message] :
       {std::pair("(4,2):(1,4)", "expected an operation from layouts"),
        {"size((4,2):(1,4))", "expected an operation from layouts"},
        {"coalesce(", "expected"},
        {"coalesce((300,300):(1,300))", "at most 65536 cells"},
        {"coalesce((4):(-1))", "outside the numbers"}}) {
    EXPECT_THAT(OperationPanelsOf(expression).status().message(),
                HasSubstr(message))
        << expression;
  }
}

TEST(OperationPanels, AreBesideEachOther) {
  const auto picture =
      MakeThreadPicture(Panels("logical_divide((4,2):(1,4), 2:1)"), {});
  ASSERT_TRUE(picture.ok()) << picture.status();
  TextStyle style;
  style.columns = 80;
  EXPECT_EQ(RenderText(*picture, style), R"(A = (4,2):(1,4)
     0  1
   +======+                     logical_divide(A, B) = (2,4):(1,2)
 0 | 0  4 |       B = 2:1            0  1  2  3
 1 | 1  5 |            0  1        +============+
 2 | 2  6 |          +======+    0 | 0  2  4  6 |
 3 | 3  7 |        0 | 0  1 |    1 | 1  3  5  7 |
   +======+          +======+      +============+

Numbers are the values of the layouts. Cells that belong together have the same
color, and those without a color are not in the result.
)");
  const absl::StatusOr<XmlElement> root = ReadXml(RenderSvg(*picture, ""));
  ASSERT_THAT(root, IsOk());
  int arrows = 0;
  for (const XmlElement* path : root->All("path")) {
    arrows += path->Attribute("class") == "arrow";
  }
  EXPECT_EQ(arrows, 1);
}

}  // namespace
}  // namespace tessera
