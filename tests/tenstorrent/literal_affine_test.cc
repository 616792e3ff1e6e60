#include "tessera/tests/tenstorrent/literal_affine.h"

#include <cstdint>
#include <optional>

#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

TEST(LiteralAffine, Example) {
  EXPECT_EQ(LiteralValue("(d0 - 5) floordiv s0 * 2", {3}, {4}), -2);

  RandomBits random(TestSeed());
  const RandomAffineMap map(RandomAffineOptions(), &random);
  EXPECT_EQ(map.text.substr(0, 1), "(");
}

TEST(LiteralAffine, Rules) {
  EXPECT_EQ(LiteralValue("2 + 3 * 4", {}), 14);
  EXPECT_EQ(LiteralValue("2 - 3 - 4", {}), -5);
  EXPECT_EQ(LiteralValue("7 * 3 mod 4", {}), 1);
  EXPECT_EQ(LiteralValue("-7 floordiv 2", {}), -4);
  EXPECT_EQ(LiteralValue("-7 ceildiv 2", {}), -3);
  EXPECT_EQ(LiteralValue("-7 mod 4", {}), 1);
  EXPECT_EQ(LiteralValue("-(d0 + d1)", {3, 4}), -7);
  EXPECT_EQ(LiteralValue("d0 mod s0", {3}, {0}), std::nullopt);
}

TEST(LiteralAffine, RandomTextsHaveEverything) {
  RandomBits random(TestSeed());
  int num_floordiv = 0, num_mod = 0, num_symbolic = 0, num_empty = 0;
  for (int i = 0; i < 1000; ++i) {
    const RandomAffineMap map(RandomAffineOptions(), &random);
    num_floordiv += tessera::StrContains(map.text, "floordiv");
    num_mod += tessera::StrContains(map.text, "mod");
    num_symbolic += tessera::StrContains(map.text, "floordiv (s");
    num_empty += map.results.empty();
  }
  EXPECT_GT(num_floordiv, 100);
  EXPECT_GT(num_mod, 100);
  EXPECT_GT(num_symbolic, 10);
  EXPECT_GT(num_empty, 100);
}

}  // namespace
}  // namespace tessera::tenstorrent
