#include "tessera/tenstorrent/affine/affine_operations.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/literal_affine.h"

namespace tessera::tenstorrent {
namespace {

AffineExpression Parse(const std::string& text) {
  return ParseAffineMap("(d0, d1, d2)[s0, s1] -> (" + text + ")")->result(0);
}

TEST(AffineOperations, Example) {
  const AffineExpression d0 = AffineExpression::Dim(0);
  const AffineExpression d1 = AffineExpression::Dim(1);
  const AffineExpression four = AffineExpression::Constant(4);
  const AffineExpression row = *Add(d1, *Multiply(four, d0));
  EXPECT_EQ(row.ToString(), "d1 + d0 * 4");
  EXPECT_EQ(FloorDiv(row, four)->ToString(), "d1 floordiv 4 + d0");
  EXPECT_EQ(Mod(row, four)->ToString(), "d1 mod 4");
  EXPECT_EQ(Substitute(row, {*Add(d0, four)})->ToString(), "d1 + (d0 + 4) * 4");
}

TEST(AffineOperations, AreThoseOfTheText) {
  RandomBits random(TestSeed());
  RandomAffineOptions options;
  options.max_results = 2;
  for (int i = 0; i < 2000; ++i) {
    const AffineMap map =
        *ParseAffineMap(RandomAffineMap(options, &random).text);
    if (map.num_results() < 2) continue;
    const AffineExpression& a = map.result(0);
    const AffineExpression& b = map.result(1);
    const std::string a_text = "(" + a.ToString() + ")";
    const std::string b_text = "(" + b.ToString() + ")";
    EXPECT_EQ(*Add(a, b), Parse(a_text + " + " + b_text)) << map.ToString();
    EXPECT_EQ(*Subtract(a, b), Parse(a_text + " - " + b_text))
        << map.ToString();
    const AffineExpression six = AffineExpression::Constant(6);
    EXPECT_EQ(*Multiply(six, a), Parse("6 * " + a_text)) << map.ToString();
    EXPECT_EQ(*FloorDiv(a, six), Parse(a_text + " floordiv 6"))
        << map.ToString();
    EXPECT_EQ(*CeilDiv(a, six), Parse(a_text + " ceildiv 6")) << map.ToString();
    EXPECT_EQ(*Mod(a, six), Parse(a_text + " mod 6")) << map.ToString();
  }
}

TEST(AffineOperations, RefuseWhatIsNotAffine) {
  const AffineExpression d0 = AffineExpression::Dim(0);
  const AffineExpression s0 = AffineExpression::Symbol(0);
  EXPECT_THAT(Multiply(d0, d0), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(FloorDiv(s0, d0), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(Mod(d0, AffineExpression()).status().message(),
            "the divisor is 0; expected at least 1");
  EXPECT_EQ(CeilDiv(d0, AffineExpression::Constant(-3)).status().message(),
            "the divisor is -3; expected at least 1");
  EXPECT_THAT(Multiply(s0, s0), IsOk());
  EXPECT_THAT(Mod(d0, *Multiply(s0, s0)), IsOk());
}

TEST(AffineOperations, ConstantsDoNotOverflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const AffineExpression d0 = AffineExpression::Dim(0);
  const AffineExpression one = AffineExpression::Constant(1);
  const AffineExpression max = AffineExpression::Constant(kMax);
  const AffineExpression min = AffineExpression::Constant(-kMax);
  for (const absl::StatusOr<AffineExpression>& result :
       {Add(max, one), Add(*Add(d0, max), one), Add(min, *Multiply(one, min)),
        Subtract(min, one), Multiply(max, max),
        Multiply(*Multiply(d0, max), max),
        Add(*Multiply(d0, max), *Multiply(d0, max)),
        Add(*Multiply(d0, min), *Subtract(AffineExpression(), d0))}) {
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kOutOfRange));
  }
  EXPECT_EQ(Add(max, min)->AsConstant(), 0);
  EXPECT_EQ(Multiply(max, AffineExpression::Constant(-1))->AsConstant(), -kMax);
  EXPECT_EQ(FloorDiv(min, AffineExpression::Constant(2))->AsConstant(),
            -kMax / 2 - 1);
}

TEST(AffineOperations, Substitution) {
  struct Case {
    const char* text;
    std::vector<const char*> dims;
    std::vector<const char*> symbols;
    const char* result;
  };
  for (const Case& c : {
           Case{"d0 * 4 + d1", {"d1", "d0"}, {}, "d1 * 4 + d0"},
           Case{"d0 * 4 + d1",
                {"d1 floordiv 4", "d1 mod 4"},
                {},
                "(d1 floordiv 4) * 4 + d1 mod 4"},
           Case{"d0 floordiv 4", {"d0 * 8 + 3"}, {}, "d0 * 2"},
           Case{"d0 - d1", {"d2", "d2"}, {}, "0"},
           Case{"d0 + d1", {"d2"}, {}, "d2 + d1"},
           Case{"d0 mod s0 + s1", {}, {"4"}, "d0 mod 4 + s1"},
           Case{"d0 * s0", {"d0 + 1"}, {"s1 * 2"}, "(d0 + 1) * (s1 * 2)"},
           Case{"d0 + 1", {"d1 + d2"}, {}, "d1 + d2 + 1"},
           Case{"d1 + d0", {"d1 + d2"}, {}, "d1 * 2 + d2"},
       }) {
    std::vector<AffineExpression> dims, symbols;
    for (const char* dim : c.dims) dims.push_back(Parse(dim));
    for (const char* symbol : c.symbols) symbols.push_back(Parse(symbol));
    EXPECT_EQ(Substitute(Parse(c.text), dims, symbols)->ToString(), c.result)
        << c.text;
  }
  EXPECT_THAT(Substitute(Parse("d0 mod s0"), {}, {Parse("0")}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Substitute(Parse("d0 * s0"), {}, {Parse("d1")}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(AffineOperations, SubstitutionIsComposition) {
  RandomBits random(TestSeed());
  RandomAffineOptions options;
  options.max_symbols = 0;
  options.max_depth = 3;
  int64_t num_compared = 0;
  while (num_compared < 2000) {
    const AffineMap outer =
        *ParseAffineMap(RandomAffineMap(options, &random).text);
    const AffineMap inner =
        *ParseAffineMap(RandomAffineMap(options, &random).text);
    if (inner.num_results() < outer.num_dims()) continue;
    std::vector<int64_t> index;
    for (int64_t i = 0; i < inner.num_dims(); ++i) {
      index.push_back(Uniform(-20, 20, &random));
    }
    const AffineMap::Indices middle = *inner.Evaluate(index);
    for (const AffineExpression& result : outer.results()) {
      EXPECT_EQ(*Substitute(result, inner.results())->Evaluate(index),
                *result.Evaluate(middle))
          << outer.ToString() << " of " << inner.ToString();
      ++num_compared;
    }
  }
}

TEST(AffineOperations, SizesAreLimited) {
  // Nested, so that no two summands are alike.
  AffineExpression expression = AffineExpression::Dim(0);
  absl::StatusOr<AffineExpression> result = expression;
  while (result.ok()) {
    expression = *result;
    result = Substitute(Parse("d0 floordiv 3 + d1 floordiv 5 + d1 mod 7"),
                        {expression, expression});
  }
  EXPECT_THAT(result, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_GT(expression.nodes().size(), 5000u);
}

}  // namespace
}  // namespace tessera::tenstorrent
