#include "tessera/tenstorrent/affine/affine_map.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/literal_affine.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AffineMap Parse(const std::string& text) { return *ParseAffineMap(text); }

TEST(AffineMap, Create) {
  const AffineExpression d1 = AffineExpression::Dim(1);
  const AffineExpression s0 = AffineExpression::Symbol(0);
  EXPECT_EQ(AffineMap::Create(2, 1, {d1, s0})->ToString(),
            "(d0, d1)[s0] -> (d1, s0)");
  EXPECT_EQ(AffineMap::Create(0, 0, {})->ToString(), "() -> ()");
  EXPECT_EQ(AffineMap().ToString(), "() -> ()");
  EXPECT_EQ(AffineMap::Create(0, 2, {})->ToString(), "()[s0, s1] -> ()");

  EXPECT_EQ(
      AffineMap::Create(1, 0, {AffineExpression(), d1}).status(),
      absl::InvalidArgumentError("result[1] uses d1 of a map of 1 dimensions"));
  EXPECT_EQ(
      AffineMap::Create(1, 0, {s0}).status(),
      absl::InvalidArgumentError("result[0] uses s0 of a map of 0 symbols"));
  EXPECT_EQ(
      AffineMap::Create(-1, 0, {}).status(),
      absl::InvalidArgumentError("the number of dimensions = -1 is negative"));
  EXPECT_EQ(AffineMap::Create(0, 1025, {}).status(),
            absl::ResourceExhaustedError(
                "an affine map has at most 1024 symbols, not 1025"));
  EXPECT_THAT(AffineMap::Create(0, 0, AffineMap::Results(1025)),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(AffineMap, EvaluationNamesTheResultThatFails) {
  const AffineMap map = Parse("(d0)[s0] -> (d0, d0 mod s0)");
  EXPECT_THAT(*map.Evaluate({-1}, {4}), ElementsAre(-1, 3));
  EXPECT_EQ(map.Evaluate({1}, {0}).status(),
            absl::InvalidArgumentError(
                "result[1]: a divisor is 0; expected at least 1"));
  EXPECT_EQ(map.Evaluate({1, 2}, {4}).status(),
            absl::InvalidArgumentError("expected 1 indices, found 2"));
  EXPECT_EQ(map.Evaluate({1}).status(),
            absl::InvalidArgumentError("expected 1 symbols, found 0"));
}

TEST(AffineMap, Identities) {
  EXPECT_EQ(AffineMap::Identity(3).ToString(), "(d0, d1, d2) -> (d0, d1, d2)");
  EXPECT_EQ(AffineMap::Identity(0), AffineMap());
  EXPECT_EQ(AffineMap::MinorIdentity(3, 2).ToString(),
            "(d0, d1, d2) -> (d1, d2)");
  EXPECT_EQ(AffineMap::MinorIdentity(2, 0).ToString(), "(d0, d1) -> ()");

  struct Case {
    const char* text;
    bool is_identity;
    bool is_minor_identity;
    bool is_permutation;
  };
  for (const Case& c : {
           Case{"() -> ()", true, true, true},
           Case{"(d0) -> (d0)", true, true, true},
           Case{"(d0, d1) -> (d0, d1)", true, true, true},
           Case{"(d0, d1) -> (d1, d0)", false, false, true},
           Case{"(d0, d1) -> (d1)", false, true, false},
           Case{"(d0, d1) -> (d0)", false, false, false},
           Case{"(d0, d1) -> ()", false, true, false},
           Case{"(d0, d1) -> (d1, d1)", false, false, false},
           Case{"(d0, d1) -> (d0, d1 + 1)", false, false, false},
           Case{"(d0) -> (0, d0)", false, false, false},
           Case{"(d0)[s0] -> (d0)", false, false, false},
           Case{"(d0, d1, d2) -> (d2, d0, d1)", false, false, true},
       }) {
    EXPECT_EQ(Parse(c.text).is_identity(), c.is_identity) << c.text;
    EXPECT_EQ(Parse(c.text).is_minor_identity(), c.is_minor_identity) << c.text;
    EXPECT_EQ(Parse(c.text).is_permutation(), c.is_permutation) << c.text;
  }
}

TEST(AffineMap, InversesOfPermutationsUndoThem) {
  std::vector<int64_t> order(4);
  std::iota(order.begin(), order.end(), 0);
  do {
    const AffineMap map = *AffineMap::Permutation(order);
    const std::optional<AffineMap> inverse = map.InversePermutation();
    ASSERT_TRUE(inverse.has_value());
    EXPECT_TRUE(Compose(*inverse, map)->is_identity()) << map.ToString();
    EXPECT_TRUE(Compose(map, *inverse)->is_identity()) << map.ToString();
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(Parse("(d0, d1) -> (d0)").InversePermutation(), std::nullopt);
}

TEST(AffineMap, PermutationsAreChecked) {
  EXPECT_EQ(AffineMap::Permutation({0, 2}).status(),
            absl::InvalidArgumentError("permutation[1] = 2 is outside [0, 2)"));
  EXPECT_THAT(AffineMap::Permutation({-1}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(AffineMap::Permutation({1, 1}).status(),
            absl::InvalidArgumentError("permutation[1] = 1 is given twice"));
}

TEST(AffineMap, TellsWhichResultsADimensionIsIn) {
  const AffineMap map = Parse(
      "(d0, d1, d2, d3) -> (d0 * 96 + d1, d1 floordiv 2, d3 * 5 - d3 * 4, 0)");
  EXPECT_THAT(map.ResultsUsing(0), ElementsAre(0));
  EXPECT_THAT(map.ResultsUsing(1), ElementsAre(0, 1));
  EXPECT_THAT(map.ResultsUsing(2), IsEmpty());
  EXPECT_THAT(map.ResultsUsing(3), ElementsAre(2));
  EXPECT_THAT(map.RepeatedDims(), ElementsAre(1));
  EXPECT_EQ(map.Coefficient(0, 0), 96);
  EXPECT_EQ(map.Coefficient(0, 1), 1);
  EXPECT_EQ(map.Coefficient(0, 2), 0);
  EXPECT_EQ(map.Coefficient(1, 1), std::nullopt);
  EXPECT_EQ(map.Coefficient(2, 3), 1);
  EXPECT_EQ(map.Coefficient(3, 0), 0);
  EXPECT_THAT(Parse("(d0, d1) -> (d0 + d1 + d0 mod 2)").RepeatedDims(),
              IsEmpty());
}

TEST(AffineMap, CompositionKeepsSymbolsApart) {
  const AffineMap outer = Parse("(d0, d1)[s0] -> (d0 * s0 + d1)");
  const AffineMap inner = Parse("(d0)[s0, s1] -> (d0 floordiv s0, d0 mod s1)");
  const AffineMap composed = *Compose(outer, inner);
  EXPECT_EQ(composed.ToString(),
            "(d0)[s0, s1, s2] -> ((d0 floordiv s1) * s0 + d0 mod s2)");
  EXPECT_EQ(Compose(inner, inner).status(),
            absl::InvalidArgumentError(
                "cannot compose a map of 1 dimensions with one of 2 results"));
}

TEST(AffineMap, CompositionIsOneAfterTheOther) {
  RandomBits random(TestSeed());
  RandomAffineOptions options;
  options.max_depth = 3;
  int64_t num_compared = 0;
  while (num_compared < 1000) {
    const AffineMap outer = Parse(RandomAffineMap(options, &random).text);
    const AffineMap inner = Parse(RandomAffineMap(options, &random).text);
    if (inner.num_results() != outer.num_dims()) continue;
    std::vector<int64_t> index, outer_symbols, inner_symbols;
    for (int64_t i = 0; i < inner.num_dims(); ++i) {
      index.push_back(Uniform(-20, 20, &random));
    }
    for (int64_t i = 0; i < outer.num_symbols(); ++i) {
      outer_symbols.push_back(Uniform(1, 9, &random));
    }
    for (int64_t i = 0; i < inner.num_symbols(); ++i) {
      inner_symbols.push_back(Uniform(1, 9, &random));
    }
    std::vector<int64_t> symbols = outer_symbols;
    symbols.insert(symbols.end(), inner_symbols.begin(), inner_symbols.end());
    const absl::StatusOr<AffineMap> composed = Compose(outer, inner);
    ASSERT_THAT(composed, IsOk()) << outer.ToString() << inner.ToString();
    const absl::StatusOr<AffineMap::Indices> middle =
        inner.Evaluate(index, inner_symbols);
    ASSERT_THAT(middle, IsOk()) << inner.ToString();
    EXPECT_EQ(*composed->Evaluate(index, symbols),
              *outer.Evaluate(*middle, outer_symbols))
        << outer.ToString() << " of " << inner.ToString();
    ++num_compared;
  }
}

TEST(AffineMap, CompositionIsLimited) {
  std::string outer = "(d0, d1) -> (0";
  for (int i = 2; i < 900; ++i) {
    absl::StrAppend(&outer, ", d0 floordiv ", i, " + d1 mod ", i);
  }
  std::string inner = "(d0) -> (d0";
  for (int i = 2; i < 50; ++i) absl::StrAppend(&inner, " + d0 floordiv ", i);
  absl::StrAppend(&inner, ", d0)");
  EXPECT_EQ(Compose(Parse(outer + ")"), Parse(inner)).status(),
            absl::ResourceExhaustedError(
                "an affine map has at most 32768 operands and operations"));
}

TEST(AffineMap, EqualMapsHashAlike) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {AffineMap(), AffineMap::Identity(1), AffineMap::Identity(2),
       Parse("(i) -> (i)"), Parse("(i, j) -> (i)"), Parse("(i)[j] -> (i)"),
       Parse("(i) -> (i, i)"), Parse("(i, j) -> (j, i)")}));
}

}  // namespace
}  // namespace tessera::tenstorrent
