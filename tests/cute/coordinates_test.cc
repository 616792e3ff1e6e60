#include "tessera/cute/coordinates.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

constexpr int64_t _ = IntTuple::kUnderscore;

RandomCuteOptions WithNegativeStrides() {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  return options;
}

// A coordinate of random form, from an integer to one nested as the shape, at
// up to `past` times the size of each part; `_` now and then.
IntTuple RandomCoordinate(const IntTuple& shape, int64_t past,
                          bool has_underscores, RandomBits* random) {
  if (has_underscores && Uniform(0, 2, random) == 0) return _;
  if (shape.is_integer() || Uniform(0, 2, random) == 0) {
    return Uniform(0, past * *Size(shape) - 1, random);
  }
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.Modes()) {
    modes.push_back(RandomCoordinate(mode, past, has_underscores, random));
  }
  return IntTuple::Tuple(modes);
}

TEST(Crd2Idx, EveryForm) {
  ForEachRandomLayout(
      WithNegativeStrides(), [](const Layout& layout, RandomBits* random) {
        const LiteralLayout literal = LiteralOf(layout);
        for (int n = 0; n < 20; ++n) {
          const IntTuple coordinate = RandomCoordinate(
              layout.shape(), n % 2 == 0 ? 1 : 20, false, random);
          const int64_t expected = literal.Evaluate(LiteralOf(coordinate));
          ASSERT_EQ(TextOf(Crd2Idx(coordinate, layout)), TextOf(expected))
              << coordinate.ToString();
          ASSERT_EQ(TextOf(Evaluate(coordinate, layout)), TextOf(expected))
              << coordinate.ToString();
        }
      });
}

TEST(Idx2Crd, IsTheInverseOfTheColumnMajorLayout) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const IntTuple shape = layout.shape();
        // With the running product for modes of size 1 as well, since the last
        // goes on past the size.
        IntTuple::Values strides;
        int64_t stride = 1;
        for (const int64_t size : shape.values()) {
          strides.push_back(stride);
          stride *= size;
        }
        const Layout identity =
            *Layout::Create(shape, IntTuple(shape.profile(), strides));
        for (int n = 0; n < 20; ++n) {
          const int64_t index = Uniform(0, 3 * layout.size(), random);
          const IntTuple coordinate = *Idx2Crd(index, shape);
          ASSERT_TRUE(Congruent(coordinate, shape));
          ASSERT_EQ(*Crd2Idx(coordinate, identity), index);
          ASSERT_EQ(*Crd2Idx(coordinate, layout), layout(index));
          // Each but the last within its mode.
          for (size_t i = 0; i + 1 < shape.values().size(); ++i) {
            ASSERT_LT(coordinate.values()[i], shape.values()[i]);
          }
        }
      });
}

// `shape` with some of its parts made one integer.
IntTuple Coarser(const IntTuple& shape, RandomBits* random) {
  if (shape.is_integer() || Uniform(0, 3, random) == 0) return *Size(shape);
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.Modes()) {
    modes.push_back(Coarser(mode, random));
  }
  return IntTuple::Tuple(modes);
}

// Between shapes of equal sizes, mode for mode, the place stays the same.
TEST(Crd2Crd, IsTheSamePlace) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const IntTuple fine = layout.shape();
        const IntTuple from = Coarser(fine, random);
        const IntTuple to = Coarser(fine, random);
        const IntTuple coordinate = RandomCoordinate(from, 1, false, random);
        const absl::StatusOr<IntTuple> result = Crd2Crd(coordinate, from, to);
        ASSERT_THAT(result, IsOk());
        ASSERT_TRUE(Congruent(*result, to));
        ASSERT_EQ(TextOf(Crd2Idx(*result, *Layout::ColumnMajor(to))),
                  TextOf(Crd2Idx(coordinate, *Layout::ColumnMajor(from))))
            << coordinate.ToString() << " in " << from.ToString() << " to "
            << to.ToString();
      });
}

TEST(Crd2Crd, BetweenOtherShapes) {
  EXPECT_EQ(TextOf(Crd2Crd({1, 1}, {2, 6}, {4, 3})), "(3,0)");
  EXPECT_EQ(TextOf(Crd2Crd({3, 1}, {4, 3}, {3, 4})), "(1,2)");
  EXPECT_EQ(TextOf(Crd2Crd({{1, 0}, 2}, {{2, 2}, 3}, 12)), "9");
  // Past its mode, and in it all the same.
  EXPECT_EQ(TextOf(Crd2Crd({5, 1}, {4, 3}, {{2, 2}, 3})), "((1,2),1)");
  EXPECT_EQ(TextOf(Crd2Crd({5, 1}, {4, 3}, {{2, 3}, 2})), "((1,1),1)");
  EXPECT_EQ(TextOf(Crd2Crd({1, 1, 1}, {2, 6}, {4, 3})),
            "error: the coordinate (1,1,1) is not nested like (2,6)");
}

TEST(ColexicographicallyLess, IsTheOrderOfIntegralCoordinates) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const int64_t i = Uniform(0, layout.size() - 1, random);
        const int64_t k = Uniform(0, layout.size() - 1, random);
        ASSERT_EQ(ColexicographicallyLess(*Idx2Crd(i, layout.shape()),
                                          *Idx2Crd(k, layout.shape())),
                  i < k);
      });
}

// The parts of a coordinate that fill each `_`, put together.
IntTuple Filled(const IntTuple& coordinate, const IntTuple& shape,
                std::vector<IntTuple>* fillings, RandomBits* random) {
  if (coordinate == IntTuple(_)) {
    fillings->push_back(RandomCoordinate(shape, 2, false, random));
    return fillings->back();
  }
  if (coordinate.is_integer()) return coordinate;
  std::vector<IntTuple> modes;
  for (int64_t i = 0; i < coordinate.rank(); ++i) {
    modes.push_back(
        Filled(coordinate.Mode(i), shape.Mode(i), fillings, random));
  }
  return IntTuple::Tuple(modes);
}

TEST(Slice, AndOffsetAreTheWhole) {
  ForEachRandomLayout(
      WithNegativeStrides(), [](const Layout& layout, RandomBits* random) {
        const IntTuple coordinate =
            RandomCoordinate(layout.shape(), 2, true, random);
        SCOPED_TRACE(coordinate.ToString());
        const Layout slice = *Slice(coordinate, layout);
        const Layout dice = *Dice(coordinate, layout);
        const int64_t offset = *Crd2Idx(coordinate, layout);
        ASSERT_EQ(slice.leaves().size() + dice.leaves().size(),
                  layout.leaves().size());
        for (int n = 0; n < 5; ++n) {
          std::vector<IntTuple> fillings;
          const IntTuple filled =
              Filled(coordinate, layout.shape(), &fillings, random);
          // A slice by `_` alone is the layout itself.
          const IntTuple in_slice =
              coordinate == IntTuple(_) ? filled : IntTuple::Tuple(fillings);
          ASSERT_EQ(TextOf(Crd2Idx(filled, layout)),
                    TextOf(offset + *Crd2Idx(in_slice, slice)))
              << filled.ToString();
        }
        // What is not open, at its own integers.
        std::vector<IntTuple> integers;
        for (const int64_t integer : coordinate.values()) {
          if (integer != _) integers.push_back(integer);
        }
        const IntTuple in_dice =
            coordinate.is_integer() && coordinate != IntTuple(_)
                ? coordinate
                : IntTuple::Tuple(integers);
        ASSERT_EQ(TextOf(Crd2Idx(in_dice, dice)), TextOf(offset));
      });
}

TEST(Slice, Table) {
  const struct {
    std::string_view layout;
    std::string_view coordinate;
    std::string slice;
    std::string dice;
  } kCases[] = {
      {"(4,8):(8,1)", "_", "(4,8):(8,1)", "():()"},
      {"(4,8):(8,1)", "5", "():()", "(4,8):(8,1)"},
      {"(4,8):(8,1)", "(_,3)", "(4):(8)", "(8):(1)"},
      {"(4,8):(8,1)", "(_,_)", "(4,8):(8,1)", "():()"},
      {"(4,8):(8,1)", "(1,3)", "():()", "(4,8):(8,1)"},
      {"(4,(2,4)):(8,(1,2))", "(2,_)", "((2,4)):((1,2))", "(4):(8)"},
      {"(4,(2,4)):(8,(1,2))", "(_,(_,1))", "(4,2):(8,1)", "(4):(2)"},
      {"4:1", "_", "4:1", "():()"},
      {"4:1", "2", "():()", "4:1"},
      {"(4,8):(1@0,1@1)", "(_,3)", "(4):(1@0)", "(8):(1@1)"},
      {"(4,8):(8,1)", "(_,3,1)",
       "error: the coordinate (_,3,1) is not nested like (4,8)",
       "error: the coordinate (_,3,1) is not nested like (4,8)"},
      {"(4,8):(8,1)", "((_,1),1)",
       "error: the coordinate ((_,1),1) is not nested like (4,8)",
       "error: the coordinate ((_,1),1) is not nested like (4,8)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(Slice(TupleOf(c.coordinate), LayoutOf(c.layout))), c.slice)
        << c.layout << " at " << c.coordinate;
    EXPECT_EQ(TextOf(Dice(TupleOf(c.coordinate), LayoutOf(c.layout))), c.dice)
        << c.layout << " at " << c.coordinate;
  }
}

TEST(Evaluate, BasisStridesGiveCoordinates) {
  const struct {
    std::string_view layout;
    std::string_view coordinate;
    std::string expected;
  } kCases[] = {
      {"(3,4):(1@1,1@0)", "(2,3)", "(3,2)"},
      {"(3,4):(1@1,1@0)", "7", "(2,1)"},
      {"(3,4):(1@2,2@0)", "(2,3)", "(6,0,2)"},
      {"(3,4):(1@1@0,1@1)", "(2,3)", "((0,2),3)"},
      {"((2,3),4):((1@0,2@0),1@1)", "5", "(5,0)"},
      {"(3,4):(0,1@0)", "(2,3)", "(3)"},
      {"(3,4):(1@1,1@0)", "(_,3)", "(3,0)"},
      {"(3,4):(5,1)", "(2,3)", "13"},
      {"(3,4):(1@1,1@0)", "(2,-3)", "error: the coordinate -3 is negative"},
      {"(3,4):(1@1,1@0)", "(2,3,4)",
       "error: the coordinate (2,3,4) is not nested like (3,4)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(Evaluate(TupleOf(c.coordinate), LayoutOf(c.layout))),
              c.expected)
        << c.layout << " at " << c.coordinate;
  }
}

TEST(Coordinates, Errors) {
  const struct {
    absl::StatusOr<int64_t> result;
    absl::StatusCode code;
    std::string_view message;
  } kCases[] = {
      {Crd2Idx({1, 2}, LayoutOf("4:1")), absl::StatusCode::kInvalidArgument,
       "the coordinate (1,2) is not nested like 4"},
      {Crd2Idx(IntTuple({1}), LayoutOf("4:1")),
       absl::StatusCode::kInvalidArgument,
       "the coordinate (1) is not nested like 4"},
      {Crd2Idx({1, {2, 3}}, LayoutOf("(4,4):(1,4)")),
       absl::StatusCode::kInvalidArgument,
       "the coordinate (1,(2,3)) is not nested like (4,4)"},
      {Crd2Idx(-1, LayoutOf("4:1")), absl::StatusCode::kOutOfRange,
       "the coordinate -1 is negative"},
      {Crd2Idx(1, LayoutOf("4:1@0")), absl::StatusCode::kInvalidArgument,
       "the values of 4:1@0 are coordinates, not offsets"},
      {Crd2Idx(4, LayoutOf("2:4611686018427387904")),
       absl::StatusCode::kOutOfRange,
       "the value of 2:4611686018427387904 at 4 exceeds int64_t"},
      {Crd2Idx({1, 1}, LayoutOf("(1,1):(9223372036854775807,1)")),
       absl::StatusCode::kOutOfRange,
       "the value of (1,1):(9223372036854775807,1) at (1,1) exceeds int64_t"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(c.result, StatusIs(c.code, c.message)) << c.message;
  }
  EXPECT_EQ(TextOf(Idx2Crd(-1, {2, 3})),
            "error: the coordinate -1 is negative");
  EXPECT_EQ(TextOf(Idx2Crd(1, {2, 0})),
            "error: the size 0 in (2,0) is less than 1");
  EXPECT_THAT(Idx2Crd(1, {4294967296, 4294967296}),
              StatusIs(absl::StatusCode::kOutOfRange));
}

// What the sum passes through on the way does not matter, only what it is.
TEST(Crd2Idx, SumsThatFitAreNotRefused) {
  EXPECT_EQ(TextOf(Crd2Idx({1, 1, 1}, LayoutOf("(1,1,1):(9223372036854775807,"
                                               "9223372036854775807,"
                                               "-9223372036854775807)"))),
            "9223372036854775807");
}

}  // namespace
}  // namespace tessera::cute
