#include "tessera/tests/cute/literal_layout.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera::cute {
namespace {

using ::testing::ElementsAre;

LiteralLayout L(const std::string& text) { return *ParseLiteralLayout(text); }
LiteralTuple T(const std::string& text) { return *ParseLiteralTuple(text); }

TEST(LiteralLayout, Example) {
  LiteralLayout a = *ParseLiteralLayout("(6,2):(8,2)");
  LiteralLayout b = *ParseLiteralLayout("(4,3):(3,1)");
  EXPECT_EQ(a.Size(), 12);
  EXPECT_EQ(a.Evaluate(7), 10);
  EXPECT_EQ(a.Evaluate(*ParseLiteralTuple("(1,1)")), 10);
  EXPECT_THAT(b.Values(), ElementsAre(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11));
  EXPECT_TRUE(LayoutExists(a, b));
  EXPECT_EQ(LiteralComposition(a, b)->ToString(), "((2,2),3):((24,2),8)");
  EXPECT_FALSE(LayoutExists(*ParseLiteralLayout("(8,8):(8,1)"),
                            *ParseLiteralLayout("4:3")));
}

TEST(ParseLiteralLayout, PrintsWhatItRead) {
  for (const char* text :
       {"1:0", "4:2", "(4):(2)", "((4)):((2))", "(6,2):(8,2)",
        "((2,2),3):((24,2),8)", "(2,(1,(3,5))):(-1,(0,(-30,7)))"}) {
    ASSERT_TRUE(ParseLiteralLayout(text)) << text;
    EXPECT_EQ(L(text).ToString(), text);
  }
}

TEST(ParseLiteralLayout, RefusesWhatIsNone) {
  for (const char* text : {"",          ":",
                           "4",         "4:",
                           ":4",        "4:2:1",
                           "(4:2",      "4):2",
                           "(4,):(2,)", "():()",
                           "(4,2):(2)", "(4,2):2",
                           "4:(2)",     "((4),2):(4,2)",
                           "0:1",       "-2:1",
                           "4:x",       "_4:_2",
                           "4:2,",      "(4)2:(2)1",
                           "--4:1"}) {
    EXPECT_FALSE(ParseLiteralLayout(text)) << text;
  }
}

TEST(LiteralLayout, EvaluatesByDefinition) {
  // The table of CuTe's documentation on ((3,2),(2,4)).
  const LiteralLayout layout = L("((3,2),(2,4)):((4,1),(2,100))");
  EXPECT_EQ(layout.Evaluate(17), layout.Evaluate(T("((2,1),(0,1))")));
  EXPECT_EQ(layout.Evaluate(T("(5,2)")), layout.Evaluate(17));
  EXPECT_EQ(layout.Evaluate(17), 2 * 4 + 1 + 100);
  EXPECT_EQ(layout.Evaluate(T("(5,(1,3))")), 9 + 2 + 300);
}

TEST(LiteralLayout, GoesOnPastItsSizeAndBelowZero) {
  EXPECT_EQ(L("4:3").Evaluate(10), 30);
  EXPECT_EQ(L("4:3").Evaluate(-2), -6);
  EXPECT_EQ(L("(4,3):(3,1)").Evaluate(23), 3 * 3 + 5);
  EXPECT_EQ(L("((2,3),1):((1,10),100)").Evaluate(13), 1 + 200);
  // As C++ divides: -1 is -1 in the first mode, and 0 in the second.
  EXPECT_EQ(L("(4,3):(3,1)").Evaluate(-1), -3);
  EXPECT_EQ(L("(4,3):(3,1)").Evaluate(-6), -2 * 3 - 1);
}

TEST(Compatible, FollowsTheDefinition) {
  struct Case {
    const char* a;
    const char* b;
    bool compatible;
  };
  const Case cases[] = {
      {"24", "24", true},          {"24", "32", false},
      {"24", "(4,6)", true},       {"24", "(24)", true},
      {"(4,6)", "(4,6)", true},    {"(4,6)", "((2,2),6)", true},
      {"(4,6)", "24", false},      {"(24)", "24", false},
      {"(24)", "(4,6)", false},    {"(24)", "((4,6))", true},
      {"(4,6)", "(4,6,1)", false}, {"(2,(3,4))", "(2,12)", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Compatible(T(c.a), T(c.b)), c.compatible) << c.a << " " << c.b;
  }
}

TEST(LayoutOfValues, FindsTheFewestModes) {
  const auto found = [](std::vector<int64_t> values) {
    const auto layout = LayoutOfValues(values);
    return layout ? layout->ToString() : "none";
  };
  EXPECT_EQ(found({0}), "1:0");
  EXPECT_EQ(found({0, 7}), "2:7");
  EXPECT_EQ(found({0, 0, 0}), "3:0");
  EXPECT_EQ(found({0, 0, 1, 1}), "(2,2):(0,1)");
  EXPECT_EQ(found({0, 2, 4, 6, 8, 10}), "6:2");
  EXPECT_EQ(found({0, 1, 5, 6, 20, 21, 25, 26}), "(2,2,2):(1,5,20)");
  EXPECT_EQ(found({0, 1, 5, 6, 10, 11}), "(2,3):(1,5)");
  EXPECT_EQ(found({0, 1, 5}), "none");
  EXPECT_EQ(found({0, 1, 5, 7}), "none");
  EXPECT_EQ(found({0, 1, 2, 0}), "none");
}

// Compositions of cute_layout_algebra.txt, and the traps that are known.
TEST(LiteralComposition, AnswersTheKnownCases) {
  const char* const cases[][3] = {
      {"20:2", "(5,4):(4,1)", "(5,4):(8,2)"},
      {"(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"},
      {"(2,4,3):(4,1,8)", "(4,(2,3)):(2,(1,8))", "(4,(2,3)):(1,(4,8))"},
      // Truncation, and a last mode that goes on.
      {"(8,8):(8,1)", "3:3", "3:24"},
      {"(8,8):(8,1)", "4:3", "none"},
      {"(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)"},
      {"(4,3):(3,1)", "24:1", "(4,6):(3,1)"},
      {"(4,3,1):(3,1,0)", "24:1", "(4,3,2):(3,1,0)"},
      // The weak stride rule: every run of two elements is a layout.
      {"(3,5):(7,100)", "4:2", "none"},
      {"(3,5):(7,100)", "2:2", "2:14"},
      // A carry between modes of B.
      {"(12,2):(1,100)", "(3,2):(4,6)", "none"},
      // A size that does not divide.
      {"(6,2):(8,2)", "9:1", "none"},
      // Sizes 1 ask for nothing.
      {"(3,5):(7,100)", "(1,2):(2,3)", "(1,2):(0,100)"},
      // Negative strides on either side.
      {"(3,5):(7,-100)", "(3,5):(1,3)", "(3,5):(7,-100)"},
      {"20:2", "4:-3", "4:-6"},
  };
  for (const auto& c : cases) {
    const auto composition = LiteralComposition(L(c[0]), L(c[1]));
    EXPECT_EQ(composition ? composition->ToString() : "none", c[2])
        << c[0] << " o " << c[1];
    EXPECT_EQ(LayoutExists(L(c[0]), L(c[1])), composition.has_value());
  }
}

// Every way to write `size` as a product of factors from 2 on, in order.
std::vector<std::vector<int64_t>> Factorisations(int64_t size) {
  if (size == 1) return {{}};
  std::vector<std::vector<int64_t>> all;
  for (int64_t first = 2; first <= size; ++first) {
    if (size % first != 0) continue;
    for (std::vector<int64_t>& rest : Factorisations(size / first)) {
      rest.insert(rest.begin(), first);
      all.push_back(rest);
    }
  }
  return all;
}

// The definition, word for word: tries every shape that is compatible with `b`.
// A shape forces the strides, which are the values at its unit coordinates.
// `chosen` are the sub-layouts of the first leaves of `b`.
bool AnyShapeFits(const LiteralLayout& a, const LiteralLayout& b,
                  std::vector<LiteralLayout>* chosen) {
  const std::vector<LiteralLayout> leaves = b.Leaves();
  if (chosen->size() == leaves.size()) {
    // Whether `b` is flat or nested, its index runs through the leaves.
    const LiteralLayout r = LiteralLayout::Tuple(*chosen);
    for (int64_t i = 0; i < b.Size(); ++i) {
      if (r.Evaluate(i) != a.Evaluate(b.Evaluate(i))) return false;
    }
    return true;
  }
  const LiteralLayout& leaf = leaves[chosen->size()];
  for (const std::vector<int64_t>& sizes : Factorisations(leaf.shape)) {
    std::vector<LiteralLayout> modes = {LiteralLayout::Leaf(1, 0)};
    int64_t unit = 1;
    for (const int64_t size : sizes) {
      const int64_t stride = a.Evaluate(unit * leaf.stride);
      modes.push_back(LiteralLayout::Leaf(size, stride));
      unit *= size;
    }
    chosen->push_back(LiteralLayout::Tuple(modes));
    if (AnyShapeFits(a, b, chosen)) return true;
    chosen->pop_back();
  }
  return false;
}

LiteralLayout RandomFlatLayout(int64_t max_leaves, int64_t max_size,
                               int64_t min_stride, RandomBits* random) {
  std::vector<LiteralLayout> modes;
  for (int64_t n = Uniform(1, max_leaves, random); n > 0; --n) {
    modes.push_back(LiteralLayout::Leaf(Uniform(1, max_size, random),
                                        Uniform(min_stride, 12, random)));
  }
  return LiteralLayout::Tuple(modes);
}

TEST(LayoutExists, AgreesWithTryingEveryShape) {
  RandomBits random(TestSeed());
  int64_t exist = 0;
  constexpr int64_t kPairs = 20000;
  for (int64_t n = 0; n < kPairs; ++n) {
    const int64_t min_stride = n % 4 == 0 ? -6 : 0;
    const LiteralLayout a = RandomFlatLayout(3, 6, min_stride, &random);
    const LiteralLayout b = RandomFlatLayout(2, 8, min_stride, &random);
    std::vector<LiteralLayout> chosen;
    const bool expected = AnyShapeFits(a, b, &chosen);
    ASSERT_EQ(LayoutExists(a, b), expected)
        << a.ToString() << " o " << b.ToString();
    exist += expected;
  }
  // Neither answer is rare.
  EXPECT_GT(exist, kPairs / 10);
  EXPECT_LT(exist, kPairs * 9 / 10);
}

TEST(LiteralComposition, IsCompatibleAndHasTheValues) {
  RandomBits random(TestSeed());
  for (int64_t n = 0; n < 20000; ++n) {
    const LiteralLayout a = RandomFlatLayout(3, 6, 0, &random);
    const LiteralLayout b =
        LiteralLayout::Tuple({RandomFlatLayout(2, 4, 0, &random),
                              RandomFlatLayout(2, 4, 0, &random)});
    const auto r = LiteralComposition(a, b);
    if (!r) continue;
    ASSERT_TRUE(Compatible(b.Shape(), r->Shape()));
    const std::vector<int64_t> indices = b.Values();
    const std::vector<int64_t> values = r->Values();
    ASSERT_EQ(values.size(), indices.size());
    for (size_t i = 0; i < indices.size(); ++i) {
      ASSERT_EQ(values[i], a.Evaluate(indices[i]))
          << a.ToString() << " o " << b.ToString();
    }
  }
}

}  // namespace
}  // namespace tessera::cute
