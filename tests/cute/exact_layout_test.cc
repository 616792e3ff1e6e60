#include "tessera/cute/internal/exact_layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {
namespace {

TEST(FindExactLayout, Example) {
  ExactLayout result = FindExactLayout(
      4, [](int64_t i) { return LayoutOf("(3,5):(7,100)")(2 * i); });
  EXPECT_EQ(result.witness, 3);
  EXPECT_EQ(result.value, 200);
  EXPECT_EQ(result.expected, 121);
}

std::string TextOfModes(const Layout::Leaves& modes) {
  Layout::Builder builder;
  builder.AppendFlat(modes);
  return TextOf(std::move(builder).Build());
}

// Of the values of a layout, now and then with one of them changed.
TEST(FindExactLayout, AgreesWithTheJudge) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  int64_t found = 0;
  int64_t none = 0;
  ForEachRandomLayout(options, [&](const Layout& layout, RandomBits* random) {
    std::vector<int64_t> values = ValuesOf(layout);
    if (values.size() > 2 && Uniform(0, 1, random) == 0) {
      values[Uniform(1, values.size() - 1, random)] += Uniform(1, 3, random);
    }
    // A part of the values is another list still.
    if (Uniform(0, 2, random) == 0) {
      values.resize(Uniform(1, values.size(), random));
    }
    const ExactLayout result =
        FindExactLayout(values.size(), [&](int64_t i) { return values[i]; });
    const std::optional<LiteralLayout> expected = LayoutOfValues(values);
    ASSERT_EQ(result.witness < 0, expected.has_value());
    if (expected.has_value()) {
      ++found;
      ASSERT_EQ(TextOfModes(result.modes), expected->ToString());
      return;
    }
    ++none;
    ASSERT_LT(result.witness, static_cast<int64_t>(values.size()));
    ASSERT_EQ(result.value, values[result.witness]);
    ASSERT_NE(result.value, result.expected);
    // The values up to the witness, with what is expected there, are those of
    // a layout, or of a run that the size that is left can not hold.
    if (result.run == 0) {
      const Layout modes = LayoutOf(TextOfModes(result.modes));
      for (int64_t i = 0; i < result.witness; ++i) {
        ASSERT_EQ(modes(i), values[i]) << i;
      }
      ASSERT_EQ(modes(result.witness), result.expected);
    } else {
      ASSERT_NE(result.rest % result.run, 0);
    }
  });
  EXPECT_GT(found, Samples(10000) / 10);
  EXPECT_GT(none, Samples(10000) / 10);
}

TEST(FindExactLayout, TakesTwoEvaluationsAValue) {
  const Layout layout = LayoutOf("(3,5,2):(7,100,1)");
  int64_t evaluations = 0;
  FindExactLayout(layout.size(), [&](int64_t i) {
    ++evaluations;
    return layout(i);
  });
  EXPECT_LE(evaluations, 2 * layout.size());
}

TEST(FindExactLayout, OfOneValue) {
  const ExactLayout result =
      FindExactLayout(1, [](int64_t) { return int64_t{0}; });
  EXPECT_EQ(result.witness, -1);
  EXPECT_TRUE(result.modes.empty());
}

}  // namespace
}  // namespace tessera::cute
