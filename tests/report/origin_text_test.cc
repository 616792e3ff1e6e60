#include "tessera/report/hlo/origin_text.h"

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(OriginText, NamesDoNotCommandTheTerminal) {
  EXPECT_EQ(OriginText("a\x1b[2J.py:7", "jit(f)/\x1b[31mdot\x07", Display()),
            "a?[2J.py:7  jit(f)/?[31mdot?");
}

TEST(OriginText, LongNamesLoseTheirFirstScopes) {
  Display display;
  display.columns = 30;
  EXPECT_EQ(OriginText("a.py:7", "jit(step)/layer/dot", display),
            "a.py:7  .../layer/dot");
}

}  // namespace
}  // namespace tessera
