#include "tessera/report/text/bar.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Bar, Example) {
  const Display display;
  EXPECT_EQ(Bar(6, 2, 16, 8, display), "###.");
}

TEST(Bar, IsAsLongAsItsShare) {
  const Display ascii;
  EXPECT_EQ(Bar(0, 0, 8, 8, ascii), "");
  EXPECT_EQ(Bar(0, 8, 8, 8, ascii), "........");
  EXPECT_EQ(Bar(8, 0, 8, 8, ascii), "########");
  EXPECT_EQ(Bar(1, 0, 1000, 8, ascii), "");
  // 0.5 and 0.5 columns are one together.
  EXPECT_EQ(Bar(5, 5, 80, 8, ascii).size(), 1);
  const int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Bar(huge / 2, huge / 2, huge, 8, ascii), "####....");
}

TEST(Bar, DrawsEighthsWhereItCan) {
  Display unicode;
  unicode.unicode = true;
  EXPECT_EQ(Bar(12, 0, 64, 8, unicode), "\u2588\u258c");
  // However little there is of data, it shows.
  EXPECT_EQ(Bar(1, 0, 1000000, 8, unicode), "\u258f");
  EXPECT_EQ(Bar(1, 63, 64, 8, unicode),
            "\u258f\u2591\u2591\u2591\u2591\u2591\u2591\u2591");
}

TEST(Bar, Colours) {
  Display display;
  display.color = true;
  EXPECT_EQ(Bar(1, 1, 2, 2, display), "\x1b[36m#\x1b[0m\x1b[33m.\x1b[0m");
  EXPECT_EQ(DataMark(display), "\x1b[36m#\x1b[0m");
  EXPECT_EQ(PaddingMark(display), "\x1b[33m.\x1b[0m");
}

}  // namespace
}  // namespace tessera
