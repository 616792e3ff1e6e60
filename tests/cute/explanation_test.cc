#include "tessera/cute/calculator/explanation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

CalculatorResult Explained(std::string_view text) {
  CalculatorOptions options;
  options.explains = true;
  Calculator calculator(options);
  absl::StatusOr<CalculatorResult> result = calculator.Evaluate(text);
  EXPECT_THAT(result, IsOk()) << text;
  return result.ok() ? *std::move(result) : CalculatorResult();
}

std::string StepsText(std::string_view text) {
  std::string steps;
  for (const ExplanationStep& step : Explained(text).steps) {
    absl::StrAppend(&steps, step.expression, " = ", step.value, "\n  ",
                    step.reason, "\n");
  }
  return steps;
}

TEST(Explanation, Divide) {
  EXPECT_EQ(
      StepsText("logical_divide((4,2,3):(2,1,8), 4:2)"),
      "complement(4:2, 24) = (2,3):(1,8)\n"
      "  the tiles: the tile and this layout together reach each of the 24 "
      "coordinates of A once\n"
      "make_layout(4:2, (2,3):(1,8)) = (4,(2,3)):(2,(1,8))\n"
      "  the coordinates of A, by place in the tile and by tile\n"
      "composition((4,2,3):(2,1,8), (4,(2,3)):(2,(1,8))) = "
      "((2,2),(2,3)):((4,1),(2,8))\n"
      "  A at these coordinates: mode 0 is a tile, mode 1 counts the tiles\n");
}

TEST(Explanation, Composition) {
  EXPECT_EQ(
      StepsText("(6,2):(8,2) o (4,3):(3,1)"),
      "composition((6,2):(8,2), 4:3) = (2,2):(24,2)\n"
      "  mode 0 of B, 4:3, by itself: each 3rd element: 3 is divided out of "
      "the sizes from the left, and the strides grow by the same factors\n"
      "composition((6,2):(8,2), 3:1) = 3:8\n"
      "  mode 1 of B, 3:1, by itself: the first 3 elements, counted from the "
      "leftmost mode\n"
      "make_layout((2,2):(24,2), 3:8) = ((2,2),3):((24,2),8)\n"
      "  A is composed with each mode of B; the results become modes\n");
  EXPECT_EQ(
      StepsText("composition((4,2,8):(1,4,20), 2:4)"),
      "coalesce((4,2,8):(1,4,20)) = (8,8):(1,20)\n"
      "  B indexes A as one dimension, so the nesting of A does not matter\n"
      "composition((8,8):(1,20), 16:4) = (2,8):(4,20)\n"
      "  each 4th element: 4 is divided out of the sizes from the left, and "
      "the strides grow by the same factors\n"
      "composition((2,8):(4,20), 2:1) = 2:4\n"
      "  the first 2 of these, counted from the leftmost mode\n");
}

TEST(Explanation, Product) {
  EXPECT_EQ(
      StepsText("blocked_product((2,5):(5,1), (3,4):(1,3))"),
      "complement((2,5):(5,1), 120) = 12:10\n"
      "  the offsets at which the block can be repeated: it has 10 elements, "
      "and B reaches 12 repetitions\n"
      "composition(12:10, (3,4):(1,3)) = (3,4):(10,30)\n"
      "  the repetitions that B selects, in the order of B\n"
      "make_layout((2,5):(5,1), (3,4):(10,30)) = "
      "((2,5),(3,4)):((5,1),(10,30))\n"
      "  mode 0 is the block, mode 1 counts its repetitions\n"
      "blocked_product((2,5):(5,1), (3,4):(1,3)) = "
      "((2,3),(5,4)):((5,10),(1,30))\n"
      "  mode by mode, the block comes first and its repetitions after it\n");
}

TEST(Explanation, Inverses) {
  EXPECT_EQ(
      StepsText("right_inverse((4,8):(8,1))"),
      "(8,4):(1,8) = (8,4):(1,8)\n"
      "  the modes sorted by stride: 8:1 begins at coordinate 4, 4:8 begins at "
      "coordinate 1\n"
      "right_inverse((4,8):(8,1)) = (8,4):(4,1)\n"
      "  starting at stride 1, each mode whose stride is the extent so far "
      "follows; its new stride is the coordinate at which it begins in A\n");
  EXPECT_EQ(StepsText("complement((2,2):(6,1), 24)"),
            "(2,2):(1,6) = (2,2):(1,6)\n"
            "  the modes of A that have a stride, sorted by stride; they end "
            "at 12, and 3:2 fills the gap below stride 6\n"
            "complement((2,2):(6,1), 24) = (3,2):(2,12)\n"
            "  the modes that fill the gaps between the strides, and one that "
            "repeats the whole up to the size\n");
}

TEST(Explanation, CoalesceByAProfile) {
  EXPECT_EQ(
      StepsText("coalesce(((2,4),(2,2)):((1,2),(8,16)), (1,1))"),
      "coalesce(((2,4),(2,2)):((1,2),(8,16)), (1,1)) = (8,4):(1,8)\n"
      "  within each mode of the profile, neighboring modes are merged if "
      "the stride of the right one is size times stride of the left one; "
      "modes of size 1 are dropped\n");
}

TEST(Explanation, CallsWithinALine) {
  EXPECT_EQ(StepsText("A = (2,3):(1,2); size(coalesce(A))"),
            "coalesce((2,3):(1,2)) = 6:1\n"
            "  neighboring modes are merged if the stride of the right one is "
            "size times stride of the left one; modes of size 1 are dropped\n"
            "A = (2,3):(1,2); size(coalesce(A)) = 6\n"
            "  the whole line\n");
  EXPECT_EQ(StepsText("(4,2):(2,1)"), "");
  EXPECT_EQ(StepsText("size((4,2):(2,1))"), "");
  // The answer is the same, and without being asked there are no steps.
  const absl::StatusOr<CalculatorResult> plain =
      Calculator().Evaluate("zipped_divide((8,8):(8,1), (2,4))");
  ASSERT_THAT(plain, IsOk());
  EXPECT_TRUE(plain->steps.empty());
}

TEST(Explanation, IsBounded) {
  std::string line = "100:1";
  for (int i = 0; i < 600; ++i) line += " o (10,10):(1,10)";
  const CalculatorResult result = Explained(line);
  EXPECT_LE(result.steps.size(), Explanation::kMaxSteps + 4);
  ASSERT_FALSE(result.steps.empty());
  EXPECT_EQ(result.steps.back().value, ToString(result.value));
}

// Every expression gives the value beside it, and the last that of the line:
// 1,000 random lines with an answer for each operation. Every fifth is within
// another operation.
TEST(Explanation, EachExpressionHasItsValue) {
  RandomBits random(20261126);
  RandomCuteOptions options;
  options.max_size = 512;
  options.max_leaves = 5;
  const std::vector<std::string_view> kOperations = {"logical_divide",
                                                     "zipped_divide",
                                                     "tiled_divide",
                                                     "flat_divide",
                                                     "logical_product",
                                                     "zipped_product",
                                                     "tiled_product",
                                                     "flat_product",
                                                     "blocked_product",
                                                     "raked_product",
                                                     "composition",
                                                     "complement",
                                                     "right_inverse",
                                                     "left_inverse",
                                                     "coalesce",
                                                     "coalesce_by",
                                                     "o"};
  for (const std::string_view operation : kOperations) {
    int answered = 0;
    int of_several_steps = 0;
    for (int i = 0; answered < 1000; ++i) {
      ASSERT_LT(i, 20'000) << operation << " answered " << answered;
      options.negative_strides = i % 10 == 0;
      const LiteralPair pair = i % 2 == 0 ? RelatedPair(options, &random)
                                          : UnrelatedPair(options, &random);
      const bool goes_by_mode = i % 4 == 1 && operation != "o" &&
                                !StartsWith(operation, "blocked") &&
                                !StartsWith(operation, "raked");
      const std::string a =
          absl::StrCat(i % 7 == 0 ? "Sw<1,0,2> o 0 o " : "", pair.a.ToString());
      const std::string b =
          goes_by_mode ? RandomTiler(pair.a, options, &random).ToString()
                       : pair.b.ToString();
      const bool is_of_one =
          EndsWith(operation, "inverse") || operation == "coalesce";
      const std::string call =
          operation == "o" ? absl::StrCat(a, " o ", b)
          : operation == "coalesce_by"
              ? absl::StrCat("coalesce(", a, ", ", i % 3 == 0 ? "(1,1)" : "1",
                             ")")
          : is_of_one ? absl::StrCat(AbslView(operation), "(", a, ")")
          : operation == "complement"
              ? absl::StrCat("complement(", pair.a.ToString(), ", ",
                             Uniform(1, 200, &random), ")")
              : absl::StrCat(AbslView(operation), "(", a, ", ", b, ")");
      const std::string line =
          i % 5 == 3 ? absl::StrCat("coalesce(", call, ")") : call;
      const absl::StatusOr<CalculatorResult> plain =
          Calculator().Evaluate(line);
      if (!plain.ok()) continue;
      ++answered;
      const CalculatorResult result = Explained(line);
      ASSERT_EQ(ToString(result.value), ToString(plain->value)) << line;
      ASSERT_FALSE(result.steps.empty()) << line;
      for (const ExplanationStep& step : result.steps) {
        const absl::StatusOr<CalculatorResult> value =
            Calculator().Evaluate(step.expression);
        ASSERT_THAT(value, IsOk()) << line << "\n" << step.expression;
        ASSERT_EQ(ToString(value->value), step.value) << line;
        ASSERT_FALSE(step.reason.empty()) << line;
      }
      ASSERT_EQ(result.steps.back().value, ToString(plain->value)) << line;
      of_several_steps += result.steps.size() > 1;
    }
    if (!StartsWith(operation, "coalesce")) {
      EXPECT_GE(of_several_steps, answered / 2) << operation;
    }
  }
}

}  // namespace
}  // namespace tessera::cute
