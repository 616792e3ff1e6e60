#include "tessera/tenstorrent/derive/collapse.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Sizes = std::vector<int64_t>;
using Intervals = std::vector<CollapseInterval>;

std::string MapText(const Sizes& shape, const Intervals& intervals,
                    int64_t grid_rank,
                    CollapseRule rule = CollapseRule::kSpecification) {
  const absl::StatusOr<AffineMap> map =
      CollapsedMap(shape, intervals, grid_rank, rule);
  return map.ok() ? map->ToString() : std::string(map.status().message());
}

TEST(Collapse, Example) {
  const std::vector<int64_t> shape = {2, 3, 64, 128};
  EXPECT_EQ(CollapsedMap(shape, DefaultCollapseIntervals(), 2)->ToString(),
            "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)");
  EXPECT_EQ(CollapsedMap(shape, {{1, -1}}, 3)->ToString(),
            "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)");
  EXPECT_EQ(
      *CollapseNotation(7, {{0, 3}, {-3, -1}}),
      "(d0, d1, d2, d3, d4, d5, d6) -> (d0 <> d1 <> d2, d3, d4 <> d5, d6)");
}

TEST(Collapse, MapsOfTheDocument) {
  struct Case {
    int line;
    Sizes shape;
    Intervals intervals;
    int64_t grid_rank;
    const char* map;
  };
  const Intervals default_intervals = {{0, -1}};
  for (const Case& c : {
           Case{35,
                {2, 3, 64, 128},
                default_intervals,
                2,
                "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"},
           Case{175, {8, 300}, default_intervals, 2, "(d0, d1) -> (d0, d1)"},
           Case{183,
                {8, 96, 32},
                default_intervals,
                2,
                "(d0, d1, d2) -> (d0 * 96 + d1, d2)"},
           Case{228,
                {3, 64, 128},
                default_intervals,
                2,
                "(d0, d1, d2) -> (d0 * 64 + d1, d2)"},
           Case{267, {53, 63}, default_intervals, 2, "(d0, d1) -> (d0, d1)"},
           Case{310,
                {2, 8, 32},
                default_intervals,
                2,
                "(d0, d1, d2) -> (d0 * 8 + d1, d2)"},
           Case{358,
                {2, 3, 64, 128},
                {{1, -1}},
                3,
                "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)"},
       }) {
    EXPECT_EQ(MapText(c.shape, c.intervals, c.grid_rank), c.map) << c.line;
    // The reference agrees wherever dimensions are joined once only.
    EXPECT_EQ(MapText(c.shape, c.intervals, c.grid_rank,
                      CollapseRule::kReference2024),
              c.map)
        << c.line;
  }
}

TEST(Collapse, NotationsOfTheDocument) {
  EXPECT_EQ(*CollapseNotation(3, {{0, -1}}), "(d0, d1, d2) -> (d0 <> d1, d2)");
  EXPECT_EQ(*CollapseNotation(4, {{1, -1}}),
            "(d0, d1, d2, d3) -> (d0, d1 <> d2, d3)");
  EXPECT_EQ(*CollapseNotation(4, {{0, 2}}),
            "(d0, d1, d2, d3) -> (d0 <> d1, d2, d3)");
  EXPECT_EQ(*CollapseNotation(0, DefaultCollapseIntervals()), "() -> ()");
  EXPECT_EQ(CollapseNotation(-1, {}).status(),
            absl::InvalidArgumentError("the rank of the tensor is -1"));
  EXPECT_THAT(CollapseNotation(int64_t{1} << 40, {}),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(CollapseNotation(2, {{0, 3}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(Collapse, SeveralIntervalsInAnyOrder) {
  const Sizes shape = {2, 3, 4, 5, 6, 7, 8};
  const char* const map =
      "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 12 + d1 * 4 + d2, d3, d4 * 7 + "
      "d5, d6)";
  EXPECT_EQ(MapText(shape, {{0, 3}, {-3, -1}}, 4), map);
  EXPECT_EQ(MapText(shape, {{-3, -1}, {2, 2}, {-7, 3}}, 4), map);
  EXPECT_EQ(MapText({2, 3, 4}, {{0, 3}}, 1),
            "(d0, d1, d2) -> (d0 * 12 + d1 * 4 + d2)");
  EXPECT_EQ(MapText({2, 3}, {}, 2), "(d0, d1) -> (d0, d1)");
}

TEST(Collapse, ZerosStandForTheDimensionsThatTheTensorLacks) {
  EXPECT_EQ(MapText({128}, {{0, -1}}, 1), "(d0) -> (d0)");
  EXPECT_EQ(MapText({128}, {{0, -1}}, 2), "(d0) -> (0, d0)");
  EXPECT_EQ(MapText({128}, {{0, -1}}, 3), "(d0) -> (0, 0, d0)");
  EXPECT_EQ(MapText({}, {{0, -1}}, 2), "() -> (0, 0)");
  EXPECT_EQ(MapText({}, {}, 0), "() -> ()");
  EXPECT_EQ(MapText({2, 3}, {{0, -1}}, 3), "(d0, d1) -> (0, d0, d1)");
  EXPECT_EQ(MapText({2, 3, 5}, {}, 4), "(d0, d1, d2) -> (0, d0, d1, d2)");
}

TEST(Collapse, NamesWhatWasCollapsedAway) {
  EXPECT_EQ(CollapsedMap({8, 96, 32}, {{0, -1}}, 3).status(),
            absl::InvalidArgumentError(
                "collapsing leaves 2 results where a grid of rank 3 divides 3 "
                "dimensions of the tensor: d0 was collapsed away"));
  EXPECT_EQ(CollapsedMap({5, 3, 2, 2, 7, 32, 32}, {{0, -1}}, 4).status(),
            absl::InvalidArgumentError(
                "collapsing leaves 2 results where a grid of rank 4 divides 4 "
                "dimensions of the tensor: d0, d1, d2, d3, d4 were collapsed "
                "away"));
  EXPECT_EQ(CollapsedMap({8, 96, 32}, {{0, -1}}, 4).status(),
            absl::InvalidArgumentError(
                "collapsing leaves 2 results where a grid of rank 4 divides 3 "
                "dimensions of the tensor: d0 was collapsed away"));
  EXPECT_EQ(CollapsedMap({8, 96, 32}, {}, 2).status(),
            absl::InvalidArgumentError(
                "collapsing leaves 3 results for a grid of rank 2; collapse "
                "more dimensions"));
}

TEST(Collapse, RefusesIntervalsThatMakeNoSense) {
  const Sizes shape = {2, 3, 4};
  struct Case {
    Intervals intervals;
    const char* message;
  };
  for (const Case& c : {
           Case{{{0, 4}},
                "interval[0] = (0, 4): 4 is outside [-3, 3] for a tensor of "
                "rank 3"},
           Case{{{0, 1}, {-4, 2}},
                "interval[1] = (-4, 2): -4 is outside [-3, 3] for a tensor of "
                "rank 3"},
           Case{{{2, 1}},
                "interval[0] = (2, 1) is [2, 1) for a tensor of rank 3: it "
                "ends before it begins"},
           Case{{{-1, 1}},
                "interval[0] = (-1, 1) is [2, 1) for a tensor of rank 3: it "
                "ends before it begins"},
           Case{{{0, 2}, {1, 3}},
                "interval[1] = (1, 3) shares d1 with interval[0] = (0, 2)"},
       }) {
    EXPECT_EQ(CollapsedMap(shape, c.intervals, 2).status(),
              absl::InvalidArgumentError(c.message));
  }
}

TEST(Collapse, RefusesSizesThatMakeNoSense) {
  EXPECT_EQ(CollapsedMap({2, -1}, {}, 2).status(),
            absl::InvalidArgumentError("shape[1] = -1; expected at least 0"));
  EXPECT_EQ(CollapsedMap({2, 0, 3}, DefaultCollapseIntervals(), 2)->ToString(),
            "(d0, d1, d2) -> (d1, d2)");
  EXPECT_EQ(CollapsedMap({2}, {}, -1).status(),
            absl::InvalidArgumentError("the rank of the grid is -1"));
  EXPECT_EQ(CollapsedMap({2}, {}, int64_t{1} << 40).status(),
            absl::ResourceExhaustedError("the grid has 1099511627776 "
                                         "dimensions; at most 1024 are "
                                         "supported"));
  EXPECT_EQ(
      CollapsedMap({2, int64_t{1} << 32, int64_t{1} << 32}, {{0, 3}}, 1)
          .status(),
      absl::OutOfRangeError("the coefficient of d0, 4294967296 * 4294967296, "
                            "exceeds 2^63-1"));
  // No coefficient depends on the outermost size.
  EXPECT_EQ(MapText({int64_t{1} << 62, 4, 4}, {{0, 2}}, 2),
            "(d0, d1, d2) -> (d0 * 4 + d1, d2)");
}

TEST(Collapse, ReferenceLeavesDimensionsTwice) {
  const CollapseRule rule = CollapseRule::kReference2024;
  EXPECT_EQ(MapText({8, 96, 32}, {{0, -1}}, 3, rule),
            "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)");
  EXPECT_EQ(MapText({5, 3, 2, 2, 7, 32, 32}, {{0, -1}}, 4, rule),
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 "
            "+ d3 * 224 + d4 * 32 + d5, d4, d5, d6)");
  EXPECT_EQ(MapText({8, 96, 32}, {{0, -1}}, 4, rule),
            "(d0, d1, d2) -> (0, d0 * 96 + d1, d1, d2)");
  EXPECT_EQ(MapText({128}, {{0, -1}}, 3, rule), "(d0) -> (0, 0, d0)");
  EXPECT_EQ(MapText({2, 3, 64, 128}, {{1, -1}}, 3, rule),
            "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)");
}

TEST(Collapse, AssertionsOfTheReferenceAreErrors) {
  struct Case {
    Sizes shape;
    Intervals intervals;
    int64_t grid_rank;
    const char* message;
  };
  for (const Case& c : {
           // The document's own example of two intervals.
           Case{{2, 2, 2, 2, 2, 2, 2},
                {{0, 3}, {-3, -1}},
                4,
                "interval[1] = (-3, -1) stands for result 4 of 4"},
           Case{{2, 3, 4, 5}, {}, 2, "d2 stands for result 2 of 2"},
           Case{{2, 3, 4, 5},
                {{0, 2}},
                2,
                "d2 does not participate in any result"},
           Case{{2, 3, 4, 5},
                {{2, 1}},
                3,
                "d2 does not participate in any result"},
           Case{
               {2, 3}, {{1, 0}}, 2, "interval[0] = (1, 0) ends at dimension 0"},
           Case{{2, 3},
                {{0, 3}},
                2,
                "interval[0] = (0, 3): 3 is outside [-2, 2] for a tensor of "
                "rank 2"},
       }) {
    EXPECT_EQ(CollapsedMap(c.shape, c.intervals, c.grid_rank,
                           CollapseRule::kReference2024)
                  .status(),
              absl::InvalidArgumentError(c.message));
  }
}

// A random shape, cut into runs of dimensions, some of them joined.
struct RandomCollapse {
  explicit RandomCollapse(RandomBits* random) {
    const int64_t num_groups = Uniform(0, 4, random);
    for (int64_t i = 0; i < num_groups; ++i) {
      const int64_t begin = shape.size();
      const int64_t size = Uniform(1, 3, random);
      for (int64_t j = 0; j < size; ++j) shape.push_back(Uniform(1, 4, random));
      const int64_t end = shape.size();
      groups.push_back({begin, end});
      if (size > 1 || Uniform(0, 1, random) == 0) {
        intervals.push_back({begin, end});
      }
    }
    const int64_t rank = shape.size();
    for (CollapseInterval& interval : intervals) {
      if (Uniform(0, 1, random) == 0) interval.begin -= rank;
      if (interval.end < rank && Uniform(0, 1, random) == 0) {
        interval.end -= rank;
      }
    }
    std::shuffle(intervals.begin(), intervals.end(), *random);
  }

  Sizes shape;
  Intervals intervals;
  Intervals groups;
};

TEST(Collapse, ResultsCountTheirDimensionsInRowMajorOrder) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 500; ++i) {
    const RandomCollapse collapse(&random);
    const int64_t num_results = collapse.groups.size();
    const absl::StatusOr<AffineMap> map =
        CollapsedMap(collapse.shape, collapse.intervals, num_results);
    ASSERT_THAT(map, IsOk());
    ASSERT_EQ(map->num_results(), num_results);
    EXPECT_THAT(map->RepeatedDims(), ElementsAre());
    // Steps through all indices like an odometer.
    Sizes index(collapse.shape.size());
    for (bool is_done = false; !is_done;) {
      const AffineMap::Indices values = *map->Evaluate(index);
      for (int64_t result = 0; result < num_results; ++result) {
        const CollapseInterval& group = collapse.groups[result];
        int64_t expected = 0;
        for (int64_t dim = group.begin; dim < group.end; ++dim) {
          expected = expected * collapse.shape[dim] + index[dim];
        }
        ASSERT_EQ(values[result], expected) << map->ToString();
      }
      is_done = true;
      for (int64_t dim = index.size(); dim-- > 0;) {
        if (++index[dim] < collapse.shape[dim]) {
          is_done = false;
          break;
        }
        index[dim] = 0;
      }
    }
  }
}

TEST(Collapse, OtherGridRanksAreRefused) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 500; ++i) {
    const RandomCollapse collapse(&random);
    const int64_t rank = collapse.shape.size();
    const int64_t num_results = collapse.groups.size();
    for (int64_t grid_rank = 0; grid_rank <= rank + 2; ++grid_rank) {
      const absl::StatusOr<AffineMap> map =
          CollapsedMap(collapse.shape, collapse.intervals, grid_rank);
      const bool is_identity = num_results == rank;
      const bool is_valid =
          grid_rank == num_results || (is_identity && grid_rank > rank);
      ASSERT_EQ(map.ok(), is_valid) << map.status();
      if (is_valid) {
        EXPECT_EQ(map->num_results(), grid_rank);
      } else {
        EXPECT_THAT(std::string(map.status().message()),
                    HasSubstr(grid_rank < num_results ? "collapse more"
                                                      : "collapsed away"));
      }
    }
  }
}

// Step by step what the constructor does, without regard to overflow; "" where
// it fails.
std::string LiteralReference(const Sizes& shape, const Intervals& intervals,
                             int64_t grid_rank) {
  const int64_t rank = shape.size();
  std::vector<std::string> results;
  for (int64_t dim = std::max<int64_t>(rank - grid_rank, 0); dim < rank;
       ++dim) {
    results.push_back("d" + std::to_string(dim));
  }
  int64_t first = rank;
  for (CollapseInterval interval : intervals) {
    if (interval.begin < 0) interval.begin += rank;
    if (interval.end < 0) interval.end += rank;
    if (interval.begin == interval.end) continue;
    first = std::min(first, interval.begin);
    if (interval.begin >= static_cast<int64_t>(results.size())) return "";
    std::vector<std::string> terms;
    int64_t multiplier = 1;
    for (int64_t dim = interval.end; dim-- > interval.begin;) {
      std::string term = "d" + std::to_string(dim);
      if (multiplier != 1) term += " * " + std::to_string(multiplier);
      terms.insert(terms.begin(), term);
      multiplier *= shape[dim];
    }
    results[interval.begin] = absl::StrJoin(terms, " + ");
  }
  for (int64_t dim = 0; dim < first; ++dim) {
    if (dim >= static_cast<int64_t>(results.size())) return "";
    results[dim] = "d" + std::to_string(dim);
  }
  const std::string all = absl::StrJoin(results, ", ");
  std::vector<std::string> names;
  for (int64_t dim = 0; dim < rank; ++dim) {
    names.push_back("d" + std::to_string(dim));
    if (all.find(names.back()) == std::string::npos) return "";
  }
  while (static_cast<int64_t>(results.size()) < grid_rank) {
    results.insert(results.begin(), "0");
  }
  return "(" + absl::StrJoin(names, ", ") + ") -> (" +
         absl::StrJoin(results, ", ") + ")";
}

TEST(Collapse, ReferenceIsTheConstructor) {
  RandomBits random(TestSeed());
  int num_maps = 0;
  for (int i = 0; i < 2000; ++i) {
    const RandomCollapse collapse(&random);
    const int64_t rank = collapse.shape.size();
    if (rank == 0 || rank > 9) continue;
    const int64_t grid_rank = Uniform(1, rank + 1, &random);
    const absl::StatusOr<AffineMap> map =
        CollapsedMap(collapse.shape, collapse.intervals, grid_rank,
                     CollapseRule::kReference2024);
    EXPECT_EQ(map.ok() ? map->ToString() : "",
              LiteralReference(collapse.shape, collapse.intervals, grid_rank))
        << map.status();
    num_maps += map.ok();
  }
  EXPECT_GT(num_maps, 100);
}

}  // namespace
}  // namespace tessera::tenstorrent
