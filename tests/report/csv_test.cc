#include "tessera/report/text/csv.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Csv, Example) {
  EXPECT_EQ(CsvLine({"x", "f32[2,3]", "say \"a\""}),
            "x,\"f32[2,3]\",\"say \"\"a\"\"\"\n");
  EXPECT_EQ(CsvCells("x", 24), "x,24\n");
}

TEST(Csv, CellsThatAreEmptyOrHaveLineBreaks) {
  EXPECT_EQ(CsvLine({"", "", "a\nb"}), "\"\",,\"a\nb\"\n");
  EXPECT_EQ(CsvLine({}), "\n");
}

}  // namespace
}  // namespace tessera
