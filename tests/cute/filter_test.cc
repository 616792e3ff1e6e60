#include "tessera/cute/algebra/filter.h"

#include "gtest/gtest.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {
namespace {

TEST(Filter, KeepsTheOffsets) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  ForEachRandomLayout(options, [](const Layout& layout, RandomBits*) {
    const Layout filtered = FilterZeros(layout);
    ASSERT_TRUE(Congruent(filtered.shape(), layout.shape()));
    ASSERT_EQ(filtered.stride(), layout.stride());
    ASSERT_EQ(OffsetsOf(filtered), OffsetsOf(layout));
    for (const Layout::Leaf& leaf : filtered.leaves()) {
      ASSERT_TRUE(leaf.stride != 0 || leaf.size == 1);
    }
    ASSERT_EQ(FilterZeros(filtered), filtered);
    ASSERT_EQ(Filter(layout), Coalesce(filtered));
  });
}

TEST(Filter, OfWhatDoesNotMove) {
  EXPECT_EQ(TextOf(Filter(LayoutOf("(2,4):(0,0)"))), "1:0");
  EXPECT_EQ(TextOf(FilterZeros(LayoutOf("(2,(4)):(0,(0))"))),
            "(1,(1)):(0,(0))");
  EXPECT_EQ(TextOf(Filter(LayoutOf("():()"))), "1:0");
}

}  // namespace
}  // namespace tessera::cute
