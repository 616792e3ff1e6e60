#include "tessera/tenstorrent/derive/strides.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/derive/collapse.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

using Sizes = std::vector<int64_t>;

AffineMap Parse(const std::string& text) { return *ParseAffineMap(text); }

TEST(Strides, Example) {
  const std::vector<int64_t> shape = {2, 8, 32};
  const AffineMap packed = *CollapsedMap(shape, DefaultCollapseIntervals(), 2);
  EXPECT_EQ(packed.ToString(), "(d0, d1, d2) -> (d0 * 8 + d1, d2)");
  EXPECT_THAT(*Strides(packed, shape), ElementsAre(256, 32, 1));

  const AffineMap bumped = *BumpedMap(packed, shape, {1, 32, 1});
  EXPECT_EQ(bumped.ToString(), "(d0, d1, d2) -> (d0 * 32 + d1, d2)");
  EXPECT_THAT(*Strides(bumped, shape), ElementsAre(1024, 32, 1));
}

TEST(Strides, Table) {
  struct Case {
    const char* map;
    Sizes shape;
    Sizes strides;
  };
  for (const Case& c : {
           Case{"() -> ()", {}, {}},
           Case{"() -> (0, 0)", {}, {}},
           Case{"(d0) -> (0, 0, d0)", {128}, {1}},
           Case{"(d0, d1) -> (d1, d0)", {3, 5}, {1, 3}},
           Case{"(d0, d1) -> ((d0 + d1 * 2) * 3, 0)", {2, 2}, {3, 6}},
           Case{"(d0, d1) -> (d0, d0 + d1)", {4, 4}, {8, 1}},
           // Line 191 of the document: 3072 in the reference.
           Case{"(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)",
                {8, 96, 32},
                {294912, 3104, 1}},
           // A dimension without a result, and one that never steps.
           Case{"(d0, d1) -> (d1)", {3, 5}, {0, 1}},
           Case{"(d0, d1) -> (d0, d1 * -1 + 4)", {3, 1}, {5, -1}},
       }) {
    EXPECT_THAT(*Strides(Parse(c.map), c.shape), ElementsAreArray(c.strides))
        << c.map;
  }
}

TEST(Strides, RefusesMapsWithoutStrides) {
  struct Case {
    const char* map;
    const char* message;
  };
  for (const Case& c : {
           Case{"(d0, d1) -> (d0, d1 floordiv 2)",
                "result[1] = d1 floordiv 2 is not linear"},
           Case{"(d0, d1)[s0] -> (d0 * s0 + d1)",
                "result[0] = d0 * s0 + d1 is not linear"},
           Case{"(d0, d1) -> (d0, d1 - 1)",
                "result[1] = d1 - 1 is negative at the first index"},
           Case{"(d0, d1) -> (d0, -d1 + 5)",
                "result[1] = -d1 + 5 decreases along d1, so that its value at "
                "the last index does not bound it"},
           Case{"(d0) -> (d0)", "expected 1 sizes, found 2"},
       }) {
    EXPECT_EQ(Strides(Parse(c.map), {2, 3}).status(),
              absl::InvalidArgumentError(c.message));
  }
  EXPECT_EQ(Strides(AffineMap::Identity(1), {0}).status(),
            absl::InvalidArgumentError("shape[0] = 0; expected at least 1"));
}

TEST(Strides, RefusesNumbersPastTheirRange) {
  const int64_t large = int64_t{1} << 62;
  EXPECT_EQ(Strides(AffineMap::Identity(3), {2, large, 4}).status(),
            absl::OutOfRangeError(
                "the stride of d0 in result[0] = d0 exceeds 2^63-1"));
  // Nothing needs the product of both.
  EXPECT_THAT(*Strides(AffineMap::Identity(2), {large, large}),
              ElementsAre(large, 1));
  EXPECT_THAT(*Strides(Parse("(d0, d1) -> (0, d0, d1)"), {large, large}),
              ElementsAre(large, 1));
  EXPECT_EQ(
      Strides(Parse("(d0) -> (d0 * 3)"), {large}).status(),
      absl::OutOfRangeError("the extent of result[0] = d0 * 3 exceeds 2^63-1"));
}

TEST(Strides, AreTheStepsBetweenNeighbours) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 1000; ++i) {
    Sizes shape;
    for (int64_t rank = Uniform(0, 4, &random); rank > 0; --rank) {
      shape.push_back(Uniform(1, 5, &random));
    }
    const int64_t rank = shape.size();
    AffineMap::Results results;
    for (int64_t j = Uniform(0, 3, &random); j > 0; --j) {
      AffineForm form;
      form.constant = Uniform(0, 2, &random);
      for (int64_t dim = 0; dim < rank; ++dim) {
        form.coefficients.push_back(Uniform(0, 4, &random));
      }
      results.push_back(form.ToExpression());
    }
    const AffineMap map = *AffineMap::Create(rank, 0, results);
    Sizes last = shape;
    for (int64_t& index : last) --index;
    const AffineMap::Indices end = *map.Evaluate(last);
    const auto position = [&](const Sizes& index) {
      const AffineMap::Indices values = *map.Evaluate(index);
      int64_t number = 0;
      for (size_t j = 0; j < values.size(); ++j) {
        number = number * (end[j] + 1) + values[j];
      }
      return number;
    };
    const Dimensions strides = *Strides(map, shape);
    Sizes index;
    for (int64_t size : shape) index.push_back(Uniform(0, size - 1, &random));
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (index[dim] == shape[dim] - 1) continue;
      Sizes neighbour = index;
      ++neighbour[dim];
      EXPECT_EQ(position(neighbour) - position(index), strides[dim])
          << map.ToString() << " d" << dim;
    }
  }
}

TEST(BumpedMap, Table) {
  struct Case {
    Sizes shape;
    Sizes alignments;
    const char* map;
  };
  for (const Case& c : {
           Case{{2, 8, 32}, {1, 1, 1}, "(d0, d1, d2) -> (d0 * 8 + d1, d2)"},
           // Neither the outermost dimension nor a lone one is stepped over.
           Case{{2, 8, 32}, {64, 1, 64}, "(d0, d1, d2) -> (d0 * 8 + d1, d2)"},
           Case{
               {2, 33, 128}, {1, 32, 32}, "(d0, d1, d2) -> (d0 * 64 + d1, d2)"},
           Case{{2, 3, 9, 4},
                {1, 1, 32, 1},
                "(d0, d1, d2, d3) -> (d0 * 96 + d1 * 32 + d2, d3)"},
           Case{{2, 3, 9, 4},
                {1, 32, 1, 1},
                "(d0, d1, d2, d3) -> (d0 * 32 + d1 * 9 + d2, d3)"},
           Case{{2, 3, 9, 4},
                {1, 64, 10, 1},
                "(d0, d1, d2, d3) -> (d0 * 64 + d1 * 10 + d2, d3)"},
       }) {
    const AffineMap packed =
        *CollapsedMap(c.shape, DefaultCollapseIntervals(), 2);
    EXPECT_EQ(BumpedMap(packed, c.shape, c.alignments)->ToString(), c.map);
  }
  EXPECT_EQ(BumpedMap(Parse("(d0) -> (0, d0)"), {5}, {32})->ToString(),
            "(d0) -> (0, d0)");
}

TEST(BumpedMap, RefusesMapsThatAreNoCollapses) {
  struct Case {
    const char* map;
    const char* message;
  };
  for (const Case& c : {
           Case{"(d0, d1) -> (d0 * 4 + d1)",
                "result[0] = d0 * 4 + d1: the coefficient of d0 is 4, not the "
                "product of the sizes of the dimensions within it; expected a "
                "map that collapses dimensions"},
           Case{"(d0, d1) -> (d0 * 3 + d1, d1)",
                "d1 is in several results; expected a map that collapses "
                "dimensions"},
           Case{"(d0, d1) -> (d0, d1 + 1)",
                "result[1] = d1 + 1 is 1 at the first index; expected a map "
                "that collapses dimensions"},
           Case{"(d0, d1) -> (d0, d1 mod 2)",
                "result[1] = d1 mod 2 is not linear"},
       }) {
    EXPECT_EQ(BumpedMap(Parse(c.map), {2, 3}, {1, 1}).status(),
              absl::InvalidArgumentError(c.message));
  }
  const AffineMap identity = AffineMap::Identity(2);
  EXPECT_EQ(BumpedMap(identity, {2, 3}, {1}).status(),
            absl::InvalidArgumentError("expected 2 alignments, found 1"));
  EXPECT_EQ(
      BumpedMap(identity, {2, 3}, {1, 0}).status(),
      absl::InvalidArgumentError("alignment[1] = 0; expected at least 1"));
  EXPECT_EQ(BumpedMap(Parse("(d0, d1) -> (d0 * 3 + d1)"), {2, 3},
                      {1, int64_t{1} << 62})
                ->ToString(),
            "(d0, d1) -> (d0 * 4611686018427387904 + d1)");
  EXPECT_EQ(BumpedMap(Parse("(d0, d1, d2) -> (d0 * 6 + d1 * 3 + d2)"),
                      {2, 2, 3}, {1, 1, int64_t{1} << 62})
                .status(),
            absl::OutOfRangeError("the bumped coefficient of d0 in result[0] = "
                                  "d0 * 6 + d1 * 3 + d2 exceeds 2^63-1"));
}

TEST(BumpedMap, TakesTheLeastRoomThatTheAlignmentsAllow) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 300; ++i) {
    Sizes shape;
    Sizes alignments;
    for (int64_t rank = Uniform(1, 4, &random); rank > 0; --rank) {
      shape.push_back(Uniform(1, 5, &random));
      alignments.push_back(Uniform(1, 8, &random));
    }
    const int64_t rank = shape.size();
    const AffineMap packed = *CollapsedMap(shape, {{0, rank}}, 1);
    const AffineMap bumped = *BumpedMap(packed, shape, alignments);
    // Rows of rows, counted one by one.
    int64_t room = 1;
    for (int64_t dim = rank; dim-- > 0;) {
      EXPECT_EQ(*bumped.Coefficient(0, dim), room) << bumped.ToString();
      room *= shape[dim];
      while (room % alignments[dim] != 0) ++room;
    }
    // Still one position for each index.
    std::set<int64_t> positions;
    int64_t volume = 1;
    for (int64_t size : shape) volume *= size;
    for (int64_t number = 0; number < volume; ++number) {
      Sizes index(rank);
      int64_t rest = number;
      for (int64_t dim = rank; dim-- > 0; rest /= shape[dim]) {
        index[dim] = rest % shape[dim];
      }
      positions.insert((*bumped.Evaluate(index))[0]);
    }
    EXPECT_EQ(static_cast<int64_t>(positions.size()), volume);
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
