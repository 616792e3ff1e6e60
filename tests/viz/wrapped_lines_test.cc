#include "tessera/viz/wrapped_lines.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(WrappedLines, Example) {
  EXPECT_THAT(WrappedLines("tiles of 2 x 4", 8),
              ElementsAre("tiles of", "2 x 4"));
  EXPECT_THAT(WrappedLines("f32[1024]", 4), ElementsAre("f32[", "1024", "]"));
}

TEST(WrappedLines, LongWordsAndBlanks) {
  EXPECT_THAT(WrappedLines("", 4), ElementsAre(""));
  EXPECT_THAT(WrappedLines("  a   b ", 4), ElementsAre("a b"));
  EXPECT_THAT(WrappedLines("a bcdefg h", 3),
              ElementsAre("a", "bcd", "efg", "h"));
  EXPECT_THAT(WrappedLines("abcd", 4), ElementsAre("abcd"));
}

}  // namespace
}  // namespace tessera
