#include "tessera/tenstorrent/affine/affine_range.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
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

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// Every value of the expression, by trying all indices.
std::set<int64_t> AllValues(const AffineExpression& expression,
                            const std::vector<int64_t>& bounds,
                            const std::vector<int64_t>& symbols) {
  std::set<int64_t> values;
  std::vector<int64_t> index(bounds.size());
  while (true) {
    values.insert(*expression.Evaluate(index, symbols));
    size_t dim = 0;
    while (dim < bounds.size() && ++index[dim] == bounds[dim]) index[dim++] = 0;
    if (dim == bounds.size()) return values;
  }
}

// Whether the range keeps all it promises.
void ExpectTrue(const AffineRange& range, const std::set<int64_t>& values,
                const std::string& what) {
  EXPECT_LE(range.min, *values.begin()) << what;
  EXPECT_GE(range.max, *values.rbegin()) << what;
  EXPECT_EQ(range.step == 0, range.min == range.max) << what;
  EXPECT_GE(range.step, 0) << what;
  if (range.step > 0) {
    for (const int64_t value : values) {
      EXPECT_EQ((value - range.min) % range.step, 0) << what;
    }
    EXPECT_EQ((range.max - range.min) % range.step, 0) << what;
  }
  if (range.is_exact) {
    EXPECT_EQ(range.min, *values.begin()) << what;
    EXPECT_EQ(range.max, *values.rbegin()) << what;
  }
  if (range.is_complete) {
    EXPECT_TRUE(range.is_exact) << what;
    const int64_t count =
        range.step == 0 ? 1 : (range.max - range.min) / range.step + 1;
    EXPECT_EQ(static_cast<int64_t>(values.size()), count) << what;
  }
}

TEST(AffineRange, Example) {
  const AffineMap map = *ParseAffineMap(
      "(d0, d1) -> (d0 * 8 - d1, (d0 * 8 + d1) floordiv 4, d0 * 4 mod 8)");
  const std::vector<AffineRange> ranges = *RangesOf(map, {3, 8});
  EXPECT_EQ(ranges[0].min, -7);
  EXPECT_EQ(ranges[0].max, 16);
  EXPECT_TRUE(ranges[0].is_exact);
  EXPECT_TRUE(ranges[0].is_complete);
  EXPECT_EQ(ranges[0].step, 1);
  EXPECT_EQ(ranges[1].min, 0);
  EXPECT_EQ(ranges[1].max, 5);
  EXPECT_TRUE(ranges[1].is_exact);
  EXPECT_EQ(ranges[2].min, 0);
  EXPECT_EQ(ranges[2].max, 4);
  EXPECT_TRUE(ranges[2].is_exact);
  EXPECT_EQ(ranges[2].step, 4);
}

TEST(AffineRange, Table) {
  struct Case {
    const char* text;
    std::vector<int64_t> bounds;
    AffineRange range;
  };
  const Case cases[] = {
      // The document's: the extent is max + 1.
      {"d0 * 192 + d1 * 64 + d2", {2, 3, 64}, {0, 383, 1, true, true}},
      {"d0 * 96 + d1", {8, 96}, {0, 767, 1, true, true}},
      {"d0 * 32 + d1", {2, 8}, {0, 39, 1, true, false}},
      {"d0 * 8 + d1", {9, 9}, {0, 72, 1, true, true}},
      {"0", {5}, {0, 0, 0, true, true}},
      {"d0", {1}, {0, 0, 0, true, true}},
      {"5 - d0", {7}, {-1, 5, 1, true, true}},
      {"d0 + d1 - d0", {4, 5}, {0, 4, 1, true, true}},
      {"d0 - d0 * 3", {4}, {-6, 0, 2, true, true}},
      // Devices and cores.
      {"d1 floordiv 8 + (d0 floordiv 8) * 4", {16, 32}, {0, 7, 1, true, true}},
      {"(d0 + d1) mod 8", {8, 8}, {0, 7, 1, true, true}},
      {"d0 mod 8", {5}, {0, 4, 1, true, true}},
      {"(d0 + 5) mod 8", {3}, {5, 7, 1, true, true}},
      {"(d0 + 5) mod 8", {5}, {0, 7, 1, true, false}},
      {"(d0 * 4 + 2) mod 8", {5}, {2, 6, 4, true, true}},
      {"(d0 * 3) mod 8", {5}, {0, 7, 1, false, false}},
      {"(d0 * 3) mod 8", {8}, {0, 7, 1, true, true}},
      {"(d0 mod 2) * 6 + d1", {5, 6}, {0, 11, 1, true, true}},
      {"d0 floordiv 2", {5}, {0, 2, 1, true, true}},
      {"d0 ceildiv 2", {6}, {0, 3, 1, true, true}},
      {"-d0 floordiv 2", {6}, {-3, 0, 1, true, true}},
      {"(d0 * 3) floordiv 2", {4}, {0, 4, 1, true, false}},
      {"(d0 * 9 + d1) floordiv 2", {2, 3}, {0, 5, 1, true, false}},
      // Dimensions in two parts: the same way, and against each other.
      {"d0 floordiv 8 + d0", {20}, {0, 21, 1, true, false}},
      {"(d0 floordiv 8) * 8 + d0 mod 8", {20}, {0, 23, 1, false, false}},
      {"d0 - d0 mod 4", {6}, {-3, 5, 1, false, false}},
  };
  for (const Case& c : cases) {
    const AffineExpression expression =
        ParseAffineMap(std::string("(d0, d1, d2) -> (") + c.text + ")")
            ->result(0);
    const AffineRange range = *RangeOf(expression, c.bounds);
    EXPECT_EQ(range.min, c.range.min) << c.text;
    EXPECT_EQ(range.max, c.range.max) << c.text;
    EXPECT_EQ(range.step, c.range.step) << c.text;
    EXPECT_EQ(range.is_exact, c.range.is_exact) << c.text;
    EXPECT_EQ(range.is_complete, c.range.is_complete) << c.text;
    ExpectTrue(range, AllValues(expression, c.bounds, {}), c.text);
  }
}

TEST(AffineRange, KeepsItsPromisesOnRandomMaps) {
  RandomBits random(TestSeed());
  RandomAffineOptions options;
  options.max_depth = 4;
  int64_t num_results = 0;
  int64_t num_exact = 0;
  int64_t num_complete = 0;
  while (num_results < 20000) {
    const RandomAffineMap drawn(options, &random);
    const AffineMap map = *ParseAffineMap(drawn.text);
    std::vector<int64_t> bounds, symbols;
    for (int64_t i = 0; i < map.num_dims(); ++i) {
      bounds.push_back(Uniform(1, 9, &random));
    }
    for (int64_t i = 0; i < map.num_symbols(); ++i) {
      symbols.push_back(Uniform(1, 9, &random));
    }
    const auto ranges = RangesOf(map, bounds, symbols);
    ASSERT_THAT(ranges, IsOk()) << map.ToString();
    for (int64_t r = 0; r < map.num_results(); ++r) {
      const std::set<int64_t> values =
          AllValues(map.result(r), bounds, symbols);
      if (values.size() < 2) continue;
      ExpectTrue((*ranges)[r], values, map.ToString());
      if (map.Form(r).has_value()) {
        EXPECT_TRUE((*ranges)[r].is_exact) << map.ToString();
      }
      ++num_results;
      num_exact += (*ranges)[r].is_exact;
      num_complete += (*ranges)[r].is_complete;
    }
  }
  EXPECT_GT(num_exact, num_results * 8 / 10);
  EXPECT_GT(num_complete, num_results * 4 / 10);
}

TEST(AffineRange, MixedRadixMapsAreComplete) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 500; ++i) {
    std::vector<int64_t> bounds;
    AffineForm form;
    int64_t size = 1;
    for (int64_t dim = 0; dim < 5; ++dim) {
      bounds.push_back(Uniform(1, 5, &random));
      form.coefficients.push_back(Uniform(0, 1, &random) == 0 ? size : -size);
      size *= bounds.back();
    }
    const AffineRange range = *RangeOf(form.ToExpression(), bounds);
    EXPECT_TRUE(range.is_complete) << form.ToExpression().ToString();
    EXPECT_EQ(range.max - range.min + 1, size);
  }
}

TEST(AffineRange, Errors) {
  const AffineMap map = *ParseAffineMap("(d0)[s0] -> (d0, d0 mod s0)");
  EXPECT_EQ(RangesOf(map, {0}, {4}).status(),
            absl::InvalidArgumentError(
                "result[0]: bound[0] = 0: there is no index below it"));
  EXPECT_EQ(RangesOf(map, {5}, {0}).status(),
            absl::InvalidArgumentError(
                "result[1]: a divisor is 0; expected at least 1"));
  EXPECT_EQ(RangesOf(map, {5}).status(),
            absl::InvalidArgumentError(
                "expected 1 bounds and 1 symbols, found 1 and 0"));
  EXPECT_EQ(RangesOf(map, {kMax}, {kMax})->at(1).max, kMax - 1);
}

TEST(AffineRange, IsChecked) {
  for (const char* text :
       {"d0 * 2", "d0 * -2", "d0 + d1", "d0 + 2", "-d0 - 3", "d0 - d1",
        "(d0 + d1) floordiv 2", "(d0 mod 4611686018427387904) * 2 + d1",
        "d0 * 4611686018427387904 + d1 + d0 * 4611686018427387904",
        "(d0 * 4611686018427387904 + 4611686018427387904) * 2"}) {
    const AffineExpression expression =
        ParseAffineMap(std::string("(d0, d1) -> (") + text + ")")->result(0);
    EXPECT_THAT(RangeOf(expression, {kMax, kMax}),
                StatusIs(absl::StatusCode::kOutOfRange))
        << text;
  }
  const AffineExpression whole = ParseAffineMap("(d0) -> (d0 + 1)")->result(0);
  EXPECT_EQ(RangeOf(whole, {kMax})->max, kMax);
}

TEST(AffineRange, LargeMapsTakeNoLongTime) {
  std::string text = "(i) -> (i";
  for (int k = 2; k < 4000; ++k) text += " + i mod " + std::to_string(k);
  const AffineRange range =
      *RangeOf(ParseAffineMap(text + ")")->result(0), {3});
  EXPECT_EQ(range.min, 0);
  EXPECT_EQ(range.max, 2 * 3999 - 1);
}

}  // namespace
}  // namespace tessera::tenstorrent
