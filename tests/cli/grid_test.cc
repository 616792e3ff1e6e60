#include "tessera/cli/layout/grid.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

TEST(Grid, Example) {
  EXPECT_EQ(GridToText({"0", "1", "2", "10"}, 2),
            "      0    1\n"
            "   +----+----+\n"
            " 0 |  0 |  2 |\n"
            "   +----+----+\n"
            " 1 |  1 | 10 |\n"
            "   +----+----+\n");
}

TEST(Grid, WideLabels) {
  const std::string column = GridToText(std::vector<std::string>(11, "7"), 11);
  EXPECT_EQ(column.substr(0, 42),
            "      0\n"
            "    +---+\n"
            "  0 | 7 |\n"
            "    +---+\n"
            "  1 ");
  const std::string row = GridToText(std::vector<std::string>(11, "7"), 1);
  EXPECT_EQ(row.substr(0, row.find('\n')),
            "      0    1    2    3    4    5    6    7    8    9   10");
}

}  // namespace
}  // namespace tessera::cli
