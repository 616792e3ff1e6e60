#include "tessera/cute/swizzle.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/text_form.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

// Bit by bit: bit base + i, i < bits, is joined by the bit |shift| above it, or
// with a negative shift the other way round.
int64_t BitByBit(int64_t bits, int64_t base, int64_t shift, int64_t x) {
  int64_t result = x;
  for (int64_t i = 0; i < bits; ++i) {
    const int64_t low = base + i;
    const int64_t high = low + (shift < 0 ? -shift : shift);
    const int64_t from = shift < 0 ? low : high;
    const int64_t to = shift < 0 ? high : low;
    result ^= (x >> from & 1) << to;
  }
  return result;
}

TEST(Swizzle, IsItsFormulaAndItsOwnInverse) {
  RandomBits random(TestSeed());
  for (int64_t n = 0; n < Samples(10000); ++n) {
    const int64_t bits = Uniform(0, 8, &random);
    const int64_t base = Uniform(0, 12, &random);
    int64_t shift = Uniform(bits, 20, &random);
    if (Uniform(0, 1, &random) == 0) shift = -shift;
    const absl::StatusOr<Swizzle> swizzle = Swizzle::Create(bits, base, shift);
    ASSERT_THAT(swizzle, IsOk());
    ASSERT_EQ(swizzle->is_identity(), bits == 0);
    for (int k = 0; k < 20; ++k) {
      const int64_t x = random() >> Uniform(1, 60, &random);
      ASSERT_EQ((*swizzle)(x), BitByBit(bits, base, shift, x))
          << swizzle->ToString() << " of " << x;
      ASSERT_EQ((*swizzle)((*swizzle)(x)), x) << swizzle->ToString();
      ASSERT_GE((*swizzle)(x), 0);
    }
  }
}

TEST(Swizzle, Limits) {
  const struct {
    int64_t bits;
    int64_t base;
    int64_t shift;
    std::string expected;
  } kCases[] = {
      {0, 0, 0, "Sw<0,0,0>"},
      {0, 63, 0, "Sw<0,63,0>"},
      {3, 4, 3, "Sw<3,4,3>"},
      {3, 4, -3, "Sw<3,4,-3>"},
      {31, 0, 32, "Sw<31,0,32>"},
      {31, 1, -31, "Sw<31,1,-31>"},
      {3, 4, 2,
       "error: Sw<3,4,2>: the fields overlap: the shift is less than the bits"},
      {3, 4, -2,
       "error: Sw<3,4,-2>: the fields overlap: the shift is less than the "
       "bits"},
      {31, 1, 32, "error: Sw<31,1,32>: a field of bits reaches past bit 62"},
      {-1, 0, 3,
       "error: Sw<-1,0,3>: the number of bits and the base are at least 0"},
      {1, -1, 3,
       "error: Sw<1,-1,3>: the number of bits and the base are at least 0"},
      {1, 0, INT64_MIN,
       "error: Sw<1,0,-9223372036854775808>: a field of bits reaches past bit "
       "62"},
      {INT64_MAX, INT64_MAX, INT64_MAX,
       "error: Sw<9223372036854775807,9223372036854775807,"
       "9223372036854775807>: a field of bits reaches past bit 62"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(Swizzle::Create(c.bits, c.base, c.shift)), c.expected);
  }
}

TEST(Swizzle, EqualityAndHash) {
  const std::vector<Swizzle> kSwizzles = {
      Swizzle(), *Swizzle::Create(2, 0, 3), *Swizzle::Create(2, 0, -3),
      *Swizzle::Create(2, 1, 3), *Swizzle::Create(3, 0, 3)};
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(kSwizzles));
  EXPECT_EQ(Swizzle(), *Swizzle::Create(0, 0, 0));
  EXPECT_NE(kSwizzles[1], kSwizzles[2]);
}

TEST(ComposedLayout, IsOuterAfterOffsetAfterInner) {
  const Swizzle swizzle = *Swizzle::Create(2, 1, 3);
  const Layout outer = LayoutOf("(4,3):(3,100)");
  ForEachRandomLayout(SmallLayouts(),
                      [&](const Layout& layout, RandomBits* random) {
                        const int64_t offset = Uniform(0, 100, random);
                        const ComposedLayout swizzled(swizzle, offset, layout);
                        const ComposedLayout placed(outer, offset, layout);
                        ASSERT_EQ(swizzled.size(), layout.size());
                        const std::vector<int64_t> values = ValuesOf(layout);
                        for (size_t i = 0; i < values.size(); ++i) {
                          ASSERT_EQ(swizzled(i), swizzle(offset + values[i]));
                          ASSERT_EQ(placed(i), outer(offset + values[i]));
                          ASSERT_EQ(swizzled.Apply(values[i]), swizzled(i));
                        }
                      });
}

// composition(A o x o B, C) is A o x o composition(B, C).
TEST(ComposedLayout, ComposesWithItsInnerLayout) {
  ForEachRandomLayout(SmallLayouts(), [](const Layout& layout,
                                         RandomBits* random) {
    const Swizzle swizzle = *Swizzle::Create(2, 1, 3);
    const ComposedLayout composed(swizzle, 8, layout);
    const Tiler tiler =
        TilerOf(RandomTiler(LiteralOf(layout), SmallLayouts(), random));
    const absl::StatusOr<ComposedLayout> result = Composition(composed, tiler);
    const absl::StatusOr<Layout> inner = Composition(layout, tiler);
    ASSERT_EQ(result.ok(), inner.ok());
    if (!result.ok()) {
      ASSERT_EQ(result.status(), inner.status());
      return;
    }
    ASSERT_EQ(*result, ComposedLayout(swizzle, 8, *inner));
  });
}

TEST(ComposedLayout, Text) {
  TextForm form;
  form.marks_compile_time = true;
  const ComposedLayout composed =
      *ParseComposedLayout("Sw<2,0,-3> o _0 o (_8,_8):(_8,_1)");
  EXPECT_EQ(composed.ToString(form), "Sw<2,0,-3> o _0 o (_8,_8):(_8,_1)");
  form.dialect = Dialect::kIr;
  form.marks_compile_time = false;
  EXPECT_EQ(composed.ToString(form), "S<2,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(TextOf(ParseComposedLayout("(4,2):(1,8) o -3 o 8:1")),
            "(4,2):(1,8) o -3 o 8:1");
}

}  // namespace
}  // namespace tessera::cute
