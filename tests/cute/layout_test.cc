#include "tessera/cute/layout.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout_function.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/swizzle.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

RandomCuteOptions WithNegativeStrides() {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  return options;
}

TEST(LayoutBuilder, Example) {
  Layout::Builder builder;
  builder.Tuple(2);
  builder.Append({5, 16, Basis()});
  builder.Append({4, 80, Basis()});
  EXPECT_EQ(TextOf(std::move(builder).Build()), "(5,4):(16,80)");
}

TEST(LayoutWalk, Example) {
  std::vector<int64_t> offsets;
  for (LayoutWalk walk(LayoutOf("(2,2):(3,1)")); !walk.AtEnd(); walk.Next()) {
    offsets.push_back(walk.offset());
  }
  const std::vector<int64_t> kExpected = {0, 3, 1, 4};
  EXPECT_EQ(offsets, kExpected);
}

TEST(Layout, MeasuresAreThoseOfTheTree) {
  ForEachRandomLayout(WithNegativeStrides(), [](const Layout& layout,
                                                RandomBits*) {
    const LiteralLayout literal = LiteralOf(layout);
    ASSERT_EQ(layout.size(), literal.Size());
    int64_t cosize = 1;
    for (const LiteralLayout& leaf : literal.Leaves()) {
      cosize += (leaf.shape - 1) * std::abs(leaf.stride);
    }
    ASSERT_EQ(layout.cosize(), cosize);
    ASSERT_EQ(layout.rank(),
              literal.is_leaf ? 1 : static_cast<int64_t>(literal.modes.size()));
    ASSERT_EQ(layout.shape().ToString(), literal.Shape().ToString());
    ASSERT_EQ(layout.stride().ToString(), literal.Stride().ToString());
    ASSERT_EQ(*Layout::Create(layout.shape(), layout.stride()), layout);
    const auto modes = layout.Modes();
    for (int64_t i = 0; i < layout.rank(); ++i) {
      const LiteralLayout& mode = literal.is_leaf ? literal : literal.modes[i];
      ASSERT_EQ(layout.Mode(i).ToString(), mode.ToString());
      ASSERT_EQ(modes[i], layout.Mode(i));
      ASSERT_EQ(layout.profile().Mode(i), layout.Mode(i).profile());
    }
    if (!literal.is_leaf) {
      ASSERT_EQ(*Layout::Concatenate(modes), layout);
    }
  });
}

// Past the size too: the last mode goes on.
TEST(Layout, EvaluatesAtIntegralCoordinates) {
  ForEachRandomLayout(
      WithNegativeStrides(), [](const Layout& layout, RandomBits* random) {
        const LiteralLayout literal = LiteralOf(layout);
        const LayoutFunction function(layout);
        const auto expect_at = [&](int64_t i) {
          const int64_t expected = literal.Evaluate(i);
          ASSERT_EQ(layout(i), expected) << i;
          ASSERT_EQ(function(i), expected) << i;
        };
        for (int64_t i = 0; i < layout.size(); ++i) expect_at(i);
        for (int n = 0; n < 20; ++n) {
          expect_at(Uniform(layout.size(), 5 * layout.size() + 7, random));
          expect_at(Uniform(0, int64_t{1} << 40, random));
        }
      });
}

TEST(Layout, EvaluatesAtOneCoordinateForEachMode) {
  ForEachRandomLayout(
      WithNegativeStrides(), [](const Layout& layout, RandomBits* random) {
        const LiteralLayout literal = LiteralOf(layout);
        const LayoutFunction function(layout);
        ASSERT_EQ(function.rank(), layout.rank());
        for (int n = 0; n < 40; ++n) {
          std::vector<int64_t> coordinates;
          int64_t expected = 0;
          for (int64_t i = 0; i < layout.rank(); ++i) {
            const LiteralLayout& mode =
                literal.is_leaf ? literal : literal.modes[i];
            // One time in two past the size of the mode.
            coordinates.push_back(
                Uniform(0, (n % 2 == 0 ? 1 : 50) * mode.Size() - 1, random));
            expected += mode.Evaluate(coordinates.back());
          }
          ASSERT_EQ(layout.At(coordinates), expected);
          ASSERT_EQ(function.At(coordinates), expected);
          if (layout.rank() == 2) {
            ASSERT_EQ(function.At(coordinates[0], coordinates[1]), expected);
          }
        }
      });
}

TEST(LayoutWalk, PassesAllOffsetsInOrder) {
  ForEachRandomLayout(WithNegativeStrides(),
                      [](const Layout& layout, RandomBits*) {
                        const std::vector<int64_t> expected = ValuesOf(layout);
                        LayoutWalk walk(layout);
                        for (size_t i = 0; i < expected.size(); ++i) {
                          ASSERT_FALSE(walk.AtEnd());
                          ASSERT_EQ(walk.coordinate(), static_cast<int64_t>(i));
                          ASSERT_EQ(walk.offset(), expected[i]) << i;
                          walk.Next();
                        }
                        ASSERT_TRUE(walk.AtEnd());
                      });
}

// At the ends of int64_t all arithmetic is modulo 2^64 inside, and right.
TEST(Layout, HugeExtents) {
  const struct {
    std::string_view layout;
    int64_t coordinate;
    int64_t offset;
  } kCases[] = {
      {"9223372036854775807:1", 9223372036854775806, 9223372036854775806},
      {"2:9223372036854775806", 1, 9223372036854775806},
      {"2:-9223372036854775806", 1, -9223372036854775806},
      {"(3,3074457345618258602):(1,3)", 9223372036854775805,
       9223372036854775805},
      {"(4294967296,2147483647):(2147483647,1)", 4294967295,
       9223372030412324865},
      {"(4294967296,2147483647):(2147483647,1)", 4294967297, 2147483648},
      {"(2,2,2):(4611686018427387904,-4611686018427387902,0)", 3, 2},
  };
  for (const auto& c : kCases) {
    const Layout layout = LayoutOf(c.layout);
    EXPECT_EQ(layout(c.coordinate), c.offset) << c.layout;
    EXPECT_EQ(LayoutFunction(layout)(c.coordinate), c.offset) << c.layout;
  }
}

TEST(Layout, OfNoModes) {
  const Layout none = LayoutOf("():()");
  EXPECT_EQ(none.size(), 1);
  EXPECT_EQ(none.cosize(), 1);
  EXPECT_EQ(none.rank(), 0);
  EXPECT_EQ(none.depth(), 1);
  EXPECT_EQ(none(0), 0);
  EXPECT_EQ(none.At({}), 0);
  EXPECT_EQ(LayoutFunction(none)(5), 0);
  EXPECT_EQ(LayoutFunction(none).At({}), 0);
  EXPECT_TRUE(none.Modes().empty());
  LayoutWalk walk(none);
  EXPECT_EQ(walk.offset(), 0);
  walk.Next();
  EXPECT_TRUE(walk.AtEnd());
}

TEST(Layout, CreateErrors) {
  const struct {
    std::string_view shape;
    std::string_view stride;
    absl::StatusCode code;
    std::string_view message;
  } kCases[] = {
      {"(2,2)", "1", absl::StatusCode::kInvalidArgument,
       "the stride 1 is not nested like the shape (2,2)"},
      {"4", "(1)", absl::StatusCode::kInvalidArgument,
       "the stride (1) is not nested like the shape 4"},
      {"(2,0)", "(1,1)", absl::StatusCode::kInvalidArgument,
       "the size 0 is less than 1"},
      {"-3", "1", absl::StatusCode::kInvalidArgument,
       "the size -3 is less than 1"},
      {"(2,())", "(1,())", absl::StatusCode::kInvalidArgument,
       "an empty tuple is not a mode of a layout"},
      {"(4294967296,4294967296)", "(0,0)", absl::StatusCode::kOutOfRange,
       "the size exceeds 2^63-1 at the factor 4294967296"},
      {"(2,3)", "(1,4611686018427387904)", absl::StatusCode::kOutOfRange,
       "the cosize exceeds 2^63-1 at the mode 3:4611686018427387904"},
      {"2", "9223372036854775807", absl::StatusCode::kOutOfRange,
       "the cosize exceeds 2^63-1 at the mode 2:9223372036854775807"},
      {"2", "-9223372036854775807", absl::StatusCode::kOutOfRange,
       "the cosize exceeds 2^63-1 at the mode 2:-9223372036854775807"},
  };
  for (const auto& c : kCases) {
    const absl::Status status =
        Layout::Create(TupleOf(c.shape), TupleOf(c.stride)).status();
    EXPECT_THAT(status, StatusIs(c.code, c.message))
        << c.shape << ":" << c.stride;
  }
  EXPECT_THAT(Layout::Create(2, IntTuple::kUnderscore),
              StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(Layout, ColumnMajorIsTheIdentity) {
  ForEachRandomLayout(SmallLayouts(), [](const Layout& like, RandomBits*) {
    const Layout layout = *Layout::ColumnMajor(like.shape());
    ASSERT_EQ(layout.shape(), like.shape());
    const std::vector<int64_t> values = ValuesOf(layout);
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i], static_cast<int64_t>(i));
    }
    for (const Layout::Leaf& leaf : layout.leaves()) {
      ASSERT_EQ(leaf.size == 1, leaf.stride == 0);
    }
  });
  EXPECT_EQ(TextOf(Layout::ColumnMajor({2, 0})),
            "error: the size 0 in (2,0) is less than 1");
}

TEST(Layout, ConcatenateErrors) {
  const Layout large = LayoutOf("4294967296:1");
  EXPECT_EQ(TextOf(Layout::Concatenate({large, large})),
            "error: the size exceeds 2^63-1 at the factor 4294967296");
  EXPECT_EQ(TextOf(Layout::Concatenate({LayoutOf("4:1@0"), LayoutOf("2:1")})),
            "error: strides of @0 and of plain offsets cannot be added: one "
            "counts within what the other counts");
  EXPECT_EQ(
      TextOf(Layout::Concatenate({LayoutOf("4:1@0"), LayoutOf("2:1@1@0")})),
      "error: strides of @1@0 and of @0 cannot be added: one counts within "
      "what the other counts");
  EXPECT_EQ(TextOf(Layout::Concatenate({LayoutOf("4:1@0"), LayoutOf("2:0")})),
            "(4,2):(1@0,0)");
  EXPECT_EQ(TextOf(Layout::Concatenate({})), "():()");
}

TEST(Layout, BasisStrides) {
  const Layout layout = LayoutOf("(3,4):(1@1,1@0)");
  EXPECT_TRUE(layout.has_basis());
  EXPECT_EQ(layout.cosize(), 0);
  EXPECT_EQ(layout.stride(), IntTuple({1, 1}));
  EXPECT_FALSE(layout.Mode(0) == layout.Mode(1));
  EXPECT_FALSE(LayoutOf("(3,4):(1,3)").has_basis());
}

TEST(Layout, StrideToString) {
  const Layout layout = *ParseLayout("(4,(2,3)):(2@0,(1@1,1@2@3))");
  EXPECT_EQ(layout.StrideToString(), "(2@0,(1@1,1@2@3))");
  TextForm form;
  form.marks_compile_time = true;
  EXPECT_EQ(layout.StrideToString(form), "(_2@0,(_1@1,_1@2@3))");
  form.style = Style::kCpp;
  EXPECT_EQ(layout.StrideToString(form),
            "Stride<ScaledBasis<_2,0>,Stride<E<1>,E<3,2>>>{}");
  EXPECT_EQ(Layout::Create({4, 2}, {1, 16})->StrideToString(), "(1,16)");
}

TEST(Layout, EqualityAndHash) {
  std::vector<Layout> layouts;
  for (const std::string_view text :
       {"4:1", "4:2", "(4):(1)", "((4)):((1))", "(2,2):(1,2)", "(2,2):(2,1)",
        "((2),2):((1),2)", "(2,(2)):(1,(2))", "4:1@0", "4:1@1", "4:1@0@1",
        "():()", "1:0"}) {
    layouts.push_back(LayoutOf(text));
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(layouts));
  for (size_t i = 0; i < layouts.size(); ++i) {
    for (size_t k = 0; k < layouts.size(); ++k) {
      EXPECT_EQ(layouts[i] == layouts[k], i == k);
      EXPECT_EQ(layouts[i] != layouts[k], i != k);
    }
  }
}

}  // namespace
}  // namespace tessera::cute
