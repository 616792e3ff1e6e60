#include "tessera/report/text/table.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Table, Example) {
  Table table({{"dimension", Table::kRight}, {"shape", Table::kLeft}});
  table.AddRow({"0", "f32[3,5]"});
  EXPECT_EQ(table.ToString("  ", Display()),
            "  dimension  shape\n"
            "          0  f32[3,5]\n");
}

TEST(Table, HiddenColumnsAreNotPrinted) {
  Table table({{"n", Table::kRight},
               {"padding", Table::kRight, /*is_shown=*/false},
               {"shape", Table::kLeft}});
  table.AddRow({"0", "1", "f32[3,5]"});
  EXPECT_EQ(table.ToString("", Display()), "n  shape\n0  f32[3,5]\n");
}

TEST(Table, ColoursAndCharactersTakeNoMoreRoomThanTheyShow) {
  Display display;
  display.color = true;
  Table table({{"", Table::kLeft}, {"", Table::kRight}});
  table.AddRow({Paint("\u2588", Color::kCyan, display), "1"});
  table.AddRow({"###", "22"});
  EXPECT_EQ(table.ToString("", display),
            "\n"
            "\x1b[36m\u2588\x1b[0m     1\n"
            "###  22\n");
}

TEST(Table, TheLastColumnIsCut) {
  Table table({{"n", Table::kRight}, {"shape", Table::kLeft}});
  table.AddRow({"1", "f32[1,2,3]"});
  Display display;
  display.columns = 12;
  EXPECT_EQ(table.ToString(" ", display),
            " n  shape\n"
            " 1  f32[1...\n");
  display.unicode = true;
  EXPECT_EQ(table.ToString(" ", display),
            " n  shape\n"
            " 1  f32[1,2\u2026\n");
  // Too narrow for anything: let the terminal wrap.
  display.columns = 3;
  EXPECT_EQ(table.ToString(" ", display),
            " n  shape\n"
            " 1  f32[1,2,3]\n");
}

}  // namespace
}  // namespace tessera
