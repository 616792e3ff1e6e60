#include "tessera/tenstorrent/affine/affine_expression.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/literal_affine.h"

namespace tessera::tenstorrent {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

AffineExpression Parse(const std::string& text) {
  return ParseAffineMap("(d0, d1, d2)[s0, s1] -> (" + text + ")")->result(0);
}

TEST(AffineExpression, OperandsTellWhatTheyAre) {
  EXPECT_EQ(AffineExpression::Dim(3).AsDim(), 3);
  EXPECT_EQ(AffineExpression::Dim(3).AsConstant(), std::nullopt);
  EXPECT_EQ(AffineExpression::Constant(-3).AsConstant(), -3);
  EXPECT_EQ(AffineExpression::Constant(-3).AsDim(), std::nullopt);
  EXPECT_EQ(AffineExpression::Symbol(3).AsDim(), std::nullopt);
  EXPECT_EQ(AffineExpression().AsConstant(), 0);
  EXPECT_EQ(Parse("d0 * 1").AsDim(), 0);
  EXPECT_EQ(Parse("d0 * 2").AsDim(), std::nullopt);
}

TEST(AffineExpression, KnowsWhatItUses) {
  const AffineExpression expression = Parse("d0 * 4 + d2 floordiv s1");
  EXPECT_TRUE(expression.UsesDim(0));
  EXPECT_FALSE(expression.UsesDim(1));
  EXPECT_TRUE(expression.UsesDim(2));
  EXPECT_FALSE(expression.UsesSymbol(0));
  EXPECT_TRUE(expression.UsesSymbol(1));
  EXPECT_EQ(expression.dim_limit(), 3);
  EXPECT_EQ(expression.symbol_limit(), 2);
  EXPECT_EQ(Parse("7").dim_limit(), 0);
  EXPECT_EQ(Parse("7").symbol_limit(), 0);
}

TEST(AffineExpression, Forms) {
  struct Case {
    const char* text;
    int64_t constant;
    std::vector<int64_t> coefficients;  // none for no form
  };
  const Case cases[] = {
      {"0", 0, {0, 0, 0}},
      {"d1", 0, {0, 1, 0}},
      {"d0 * 192 + d1 * 64 + d2", 0, {192, 64, 1}},
      {"5 - d0", 5, {-1, 0, 0}},
      {"(d0 + d1 * 2 + 1) * 3 - d2", 3, {3, 6, -1}},
      {"d0 + d1 - d0", 0, {0, 1, 0}},
      {"-((d0 - (d1 - 2) * 4) * -3 - d2)", 24, {3, -12, 1}},
      {"d0 * 4 floordiv 2", 0, {2, 0, 0}},
      {"d0 floordiv 2", 0, {}},
      {"d0 ceildiv 2 + d1", 0, {}},
      {"d0 + d1 mod 2", 0, {}},
      {"d0 + s0", 0, {}},
      {"d0 * s0", 0, {}},
  };
  for (const Case& c : cases) {
    const std::optional<AffineForm> form = Parse(c.text).Form(3);
    ASSERT_EQ(form.has_value(), !c.coefficients.empty()) << c.text;
    if (!form.has_value()) continue;
    EXPECT_EQ(form->constant, c.constant) << c.text;
    EXPECT_EQ(std::vector<int64_t>(form->coefficients.begin(),
                                   form->coefficients.end()),
              c.coefficients)
        << c.text;
  }
}

TEST(AffineExpression, FormsPastTheRangeAreNone) {
  const std::string large = "4611686018427387904";
  EXPECT_FALSE(Parse("(d0 * " + large + " + d1) * 2").Form(3).has_value());
  EXPECT_FALSE(
      Parse("d0 * " + large + " + d1 + d0 * " + large).Form(3).has_value());
  EXPECT_FALSE(Parse("(d0 + " + large + ") * 2").Form(3).has_value());
  // -2^63 as well, which ToExpression could not take.
  EXPECT_FALSE(Parse("(d0 * " + large + " + d1) * -2").Form(3).has_value());
  EXPECT_FALSE(Parse("(d0 + " + large + ") * -2").Form(3).has_value());
}

TEST(AffineExpression, FormsPrintInTheOrderOfTheDimensions) {
  struct Case {
    std::vector<int64_t> coefficients;
    int64_t constant;
    const char* text;
  };
  for (const Case& c :
       {Case{{}, 0, "0"}, Case{{}, -3, "-3"}, Case{{0, 0}, 0, "0"},
        Case{{192, 64, 1}, 0, "d0 * 192 + d1 * 64 + d2"},
        Case{{0, -1, 2}, 0, "-d1 + d2 * 2"}, Case{{-1}, -1, "-d0 - 1"},
        Case{{0, 0, -4}, 1, "d2 * -4 + 1"}, Case{{1, -4}, 0, "d0 - d1 * 4"},
        Case{{-kMax, kMax},
             -kMax,
             "d0 * -9223372036854775807 + d1 * 9223372036854775807 - "
             "9223372036854775807"}}) {
    AffineForm form;
    form.coefficients.assign(c.coefficients.begin(), c.coefficients.end());
    form.constant = c.constant;
    const AffineExpression expression = form.ToExpression();
    EXPECT_EQ(expression.ToString(), c.text);
    EXPECT_EQ(Parse(c.text), expression) << c.text;
    EXPECT_TRUE(expression.Form(c.coefficients.size()) == form) << c.text;
  }
}

TEST(AffineExpression, LinearTextsHaveFormsThatAgree) {
  RandomBits random(TestSeed());
  RandomAffineOptions options;
  options.max_symbols = 0;
  options.with_divisions = false;
  int64_t num_compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const RandomAffineMap drawn(options, &random);
    const AffineMap map = *ParseAffineMap(drawn.text);
    for (size_t r = 0; r < drawn.results.size(); ++r) {
      const std::optional<AffineForm> form = map.result(r).Form(map.num_dims());
      ASSERT_TRUE(form.has_value()) << drawn.text;
      const std::vector<int64_t> origin(map.num_dims());
      const int64_t constant = *LiteralValue(drawn.results[r], origin);
      EXPECT_EQ(form->constant, constant) << drawn.text;
      for (int64_t dim = 0; dim < map.num_dims(); ++dim) {
        std::vector<int64_t> step = origin;
        step[dim] = 1;
        EXPECT_EQ(form->coefficients[dim],
                  *LiteralValue(drawn.results[r], step) - constant)
            << drawn.text;
        ++num_compared;
      }
    }
  }
  EXPECT_GT(num_compared, 2000);
}

TEST(AffineExpression, EvaluationIsChecked) {
  const AffineExpression shifted = Parse("d0 + 1");
  EXPECT_EQ(*shifted.Evaluate({kMax - 1}), kMax);
  EXPECT_THAT(
      shifted.Evaluate({kMax}),
      StatusIs(
          absl::StatusCode::kOutOfRange,
          "the sum of 9223372036854775807 and 1 exceeds 2^63-1 in magnitude"));
  EXPECT_EQ(Parse("d0 * 2").Evaluate({kMax}).status().message(),
            "the product of 9223372036854775807 and 2 exceeds 2^63-1 in "
            "magnitude");

  const AffineExpression quotient = Parse("d0 floordiv s0");
  EXPECT_EQ(*quotient.Evaluate({-7}, {2}), -4);
  for (const int64_t divisor : {int64_t{0}, int64_t{-2}}) {
    EXPECT_THAT(quotient.Evaluate({7}, {divisor}),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_EQ(quotient.Evaluate({7}, {0}).status().message(),
            "a divisor is 0; expected at least 1");
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(*Parse("d0 floordiv 3").Evaluate({kMin}), kMin / 3 - 1);
  EXPECT_EQ(*Parse("d0 ceildiv 3").Evaluate({kMin}), kMin / 3);
  EXPECT_EQ(*Parse("d0 mod 3").Evaluate({kMin}), 1);
}

TEST(AffineExpression, DeepStacksAreEvaluated) {
  // Each operand waits for all that come after it.
  std::string text = "d0";
  for (int i = 0; i < 100; ++i) text = "s0 * (3 + " + text + ") mod 5";
  const AffineExpression expression = Parse(text);
  EXPECT_EQ(*expression.Evaluate({4}, {3}), *LiteralValue(text, {4}, {3}));
  EXPECT_EQ(expression.Value({4}, {3}), *LiteralValue(text, {4}, {3}));
}

TEST(AffineExpression, EqualExpressionsHashAlike) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {AffineExpression(), AffineExpression::Constant(1),
       AffineExpression::Dim(0), AffineExpression::Dim(1),
       AffineExpression::Symbol(0), Parse("d0 + 1"), Parse("1 + d0"),
       Parse("d0 + d1"), Parse("d0 * 2"), Parse("d0 mod 2"),
       Parse("d0 floordiv 2"), Parse("d0 ceildiv 2")}));
}

}  // namespace
}  // namespace tessera::tenstorrent
