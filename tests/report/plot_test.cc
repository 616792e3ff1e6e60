#include "tessera/report/hlo/plot.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Plot, Example) {
  EXPECT_EQ(Plot({0, 4096, 8192, 2048}, 2, {4, 2}, "", Display()),
            "8.00 KiB |  #\n"
            "         | ###\n"
            "     0 B +----\n"
            "          0  3\n");
}

TEST(Plot, Unicode) {
  Display display;
  display.unicode = true;
  EXPECT_EQ(Plot({1, 1024, 512}, 1, {3, 2}, "  ", display),
            "  1.00 KiB \u2502 \u2588\n"
            "           \u2502\u2581\u2588\u2588\n"
            "       0 B \u2514\u2500\u2500\u2500\n"
            "            0 2\n");
}

TEST(Plot, ThePeakHasAColourOfItsOwn) {
  Display display;
  display.color = true;
  EXPECT_EQ(Plot({8, 8}, 1, {2, 1}, "", display),
            "\x1b[2m8 B\x1b[0m \x1b[2m|\x1b[0m\x1b[36m#\x1b[0m\x1b[33m#"
            "\x1b[0m\n"
            "\x1b[2m0 B\x1b[0m \x1b[2m+--\x1b[0m\n");
}

// A column shows the largest of its share, so that no peak is lost.
TEST(Plot, LongSeries) {
  std::vector<int64_t> values(100'003, 1);
  values[77'777] = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Plot(values, 77'777, {10, 2}, "", Display()),
            "8.00 EiB |       #\n"
            "         |##########\n"
            "     0 B +----------\n"
            "          0   100002\n");
}

TEST(Plot, Extremes) {
  EXPECT_EQ(Plot({}, 0, {10, 2}, "", Display()), "");
  EXPECT_EQ(Plot({0}, 0, {0, 1}, "", Display()), "0 B |\n0 B +-\n");
}

}  // namespace
}  // namespace tessera
