#include "tessera/cute/algebra/coalesce.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {
namespace {

RandomCuteOptions WithNegativeStrides() {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  return options;
}

TEST(Coalesce, KeepsSizeAndValues) {
  ForEachRandomLayout(WithNegativeStrides(),
                      [](const Layout& layout, RandomBits*) {
                        const Layout result = Coalesce(layout);
                        ASSERT_EQ(result.size(), layout.size());
                        ASSERT_LE(result.depth(), 1);
                        ASSERT_EQ(ValuesOf(result), ValuesOf(layout));
                        ASSERT_EQ(Coalesce(result), result);
                      });
}

// The judge makes a layout of the values alone, with as few modes as it takes.
TEST(Coalesce, IsANormalForm) {
  ForEachRandomLayout(WithNegativeStrides(),
                      [](const Layout& layout, RandomBits*) {
                        ASSERT_EQ(TextOf(Coalesce(layout)),
                                  LayoutOfValues(ValuesOf(layout))->ToString());
                      });
}

TEST(CoalesceExtended, KeepsValuesPastTheSize) {
  ForEachRandomLayout(
      WithNegativeStrides(), [](const Layout& layout, RandomBits*) {
        const Layout result = CoalesceExtended(layout);
        ASSERT_EQ(result.size(), layout.size());
        ASSERT_LE(result.depth(), 1);
        const LiteralLayout expected = LiteralOf(layout);
        const LiteralLayout actual = LiteralOf(result);
        for (int64_t i = 0; i < 3 * layout.size() + 20; ++i) {
          ASSERT_EQ(actual.Evaluate(i), expected.Evaluate(i)) << i;
        }
        ASSERT_EQ(CoalesceExtended(result), result);
      });
}

// Past the size Coalesce goes on where the layout stays.
TEST(CoalesceExtended, KeepsALastModeOfSizeOne) {
  const Layout layout = LayoutOf("(4,1):(1,0)");
  EXPECT_EQ(TextOf(CoalesceExtended(layout)), "(4,1):(1,0)");
  EXPECT_EQ(layout(9), 1);
  EXPECT_EQ(Coalesce(layout)(9), 9);
  EXPECT_EQ(TextOf(CoalesceExtended(LayoutOf("(4,1):(1,4)"))), "4:1");
  EXPECT_EQ(TextOf(CoalesceExtended(LayoutOf("((1,3),1):((5,0),0)"))), "3:0");
}

// The guide of a tiler, as a profile with nothing but ones.
IntTuple ProfileOf(const LiteralTiler& tiler) {
  if (tiler.kind != LiteralTiler::Kind::kTuple) return 1;
  std::vector<IntTuple> modes;
  for (const LiteralTiler& mode : tiler.modes) modes.push_back(ProfileOf(mode));
  return IntTuple::Tuple(modes);
}

// By its definition: where the profile has an integer, Coalesce.
Layout ModeByMode(const Layout& layout, const IntTuple& profile) {
  if (profile.is_integer()) return Coalesce(layout);
  std::vector<Layout> modes;
  for (int64_t i = 0; i < layout.rank(); ++i) {
    modes.push_back(i < profile.rank()
                        ? ModeByMode(layout.Mode(i), profile.Mode(i))
                        : layout.Mode(i));
  }
  return *Layout::Concatenate(modes);
}

TEST(CoalesceByProfile, IsThatOfEachMode) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const IntTuple profile =
            ProfileOf(RandomTiler(LiteralOf(layout), SmallLayouts(), random));
        const Layout result = *CoalesceByProfile(layout, profile);
        ASSERT_EQ(result, ModeByMode(layout, profile)) << profile.ToString();
        ASSERT_EQ(ValuesOf(result), ValuesOf(layout)) << profile.ToString();
        ASSERT_EQ(*CoalesceByProfile(result, profile), result);
      });
}

TEST(CoalesceByProfile, Table) {
  const struct {
    std::string_view layout;
    std::string_view profile;
    std::string expected;
  } kCases[] = {
      {"(2,(1,6)):(1,(6,2))", "7", "12:1"},
      {"(2,(1,6)):(1,(6,2))", "(7)", "(2,(1,6)):(1,(6,2))"},
      {"((2,2),(1,6)):((1,2),(6,2))", "(_)", "(4,(1,6)):(1,(6,2))"},
      {"(2,(1,6)):(1,(6,2))", "()", "(2,(1,6)):(1,(6,2))"},
      {"(2,(1,6)):(1,(6,2))", "(1,(1,1))", "(2,(1,6)):(1,(0,2))"},
      {"12:1", "(1)", "(12):(1)"},
      {"(2,(1,6)):(1,(6,2))", "(1,1,1)",
       "error: 3 modes are asked of a layout with 2"},
      {"(2,(1,6)):(1,(6,2))", "(1,(1,1,1))",
       "error: in mode 1: 3 modes are asked of a layout with 2"},
      {"12:1", "(1,1)", "error: 2 modes are asked of a layout with 1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(CoalesceByProfile(LayoutOf(c.layout), TupleOf(c.profile))),
              c.expected)
        << c.layout << " by " << c.profile;
  }
}

// Where the end of the first mode is past int64_t nothing can follow it.
TEST(Coalesce, HugeStrides) {
  EXPECT_EQ(TextOf(Coalesce(LayoutOf("(2,1):(4611686018427387904,9)"))),
            "2:4611686018427387904");
  EXPECT_EQ(TextOf(Coalesce(LayoutOf("(2,2):(4611686018427387904,0)"))),
            "(2,2):(4611686018427387904,0)");
  EXPECT_EQ(TextOf(CoalesceExtended(
                LayoutOf("(2,1):(4611686018427387904,-9223372036854775807)"))),
            "(2,1):(4611686018427387904,-9223372036854775807)");
}

TEST(Coalesce, BasisStridesMergeWithTheirOwnKind) {
  EXPECT_EQ(TextOf(Coalesce(LayoutOf("(2,3):(1@0,2@0)"))), "6:1@0");
  EXPECT_EQ(TextOf(Coalesce(LayoutOf("(2,3):(1@0,2@1)"))), "(2,3):(1@0,2@1)");
}

}  // namespace
}  // namespace tessera::cute
