#include "tessera/cute/shape_division.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

TEST(CeilDiv, Table) {
  const struct {
    std::string_view shape;
    std::string_view tiler;
    std::string expected;
  } kCases[] = {
      {"10", "4", "3"},
      {"10", "(2,2)", "3"},
      {"10", "(2,(3,4))", "1"},
      {"(10,7)", "(4)", "(3,7)"},
      {"(10,7)", "()", "(10,7)"},
      {"(10,7)", "1", "(10,7)"},
      {"(10,7)", "4", "(3,7)"},
      {"(10,7)", "70", "(1,1)"},
      {"(10,7)", "1000", "(1,1)"},
      {"(10,(7,9),5)", "(4,(2,3))", "(3,(4,3),5)"},
      {"(10,(7,9),5)", "(4,(2),3)", "(3,(4,9),2)"},
      {"(10,(7,9),5)", "(4,14)", "(3,(1,5),5)"},
      {"(10,21,5)", "(4,(2,3))", "(3,4,5)"},
      {"(10,7)", "(4,2,1)",
       "error: the tiler (4,2,1) has more modes than (10,7)"},
      {"(10,(7,9))", "(4,(1,2,3))",
       "error: the tiler (1,2,3) has more modes than (7,9)"},
      {"(10,0)", "4", "error: the size 0 in (10,0) is less than 1"},
      {"(10,7)", "0", "error: 0 is less than 1"},
      {"(10,7)", "(4,-2)", "error: -2 is less than 1"},
      {"10", "(4,0)", "error: the size 0 in (4,0) is less than 1"},
      {"0", "4", "error: the size 0 in 0 is less than 1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(CeilDiv(TupleOf(c.shape), TupleOf(c.tiler))), c.expected)
        << c.shape << " / " << c.tiler;
  }
}

// The tiles of each mode cover it, and one less would not.
TEST(CeilDiv, CoversEachMode) {
  RandomCuteOptions options;
  ForEachRandomLayout(options, [](const Layout& layout, RandomBits* random) {
    const IntTuple shape = layout.shape();
    IntTuple::Values sizes;
    for (size_t i = 0; i < shape.values().size(); ++i) {
      sizes.push_back(Uniform(1, 9, random));
    }
    const IntTuple tiler(shape.profile(), sizes);
    const IntTuple tiles = *CeilDiv(shape, tiler);
    ASSERT_TRUE(Congruent(tiles, shape)) << tiler.ToString();
    for (size_t i = 0; i < sizes.size(); ++i) {
      ASSERT_GE(tiles.values()[i] * sizes[i], shape.values()[i]);
      ASSERT_LT((tiles.values()[i] - 1) * sizes[i], shape.values()[i]);
    }
  });
}

// The document's definitions, literally; nothing where its assert fails.
bool LiteralDivMod(std::vector<int64_t> shape, int64_t number,
                   std::vector<int64_t>* div, std::vector<int64_t>* mod) {
  for (int64_t& size : shape) {
    if (size % number != 0 && number % size != 0) return false;
    div->push_back((size + number - 1) / number);
    mod->push_back(std::min(size, number));
    number = (number + size - 1) / size;
  }
  return true;
}

TEST(ShapeDivMod, AreTheDocumentsLoops) {
  int64_t divided = 0;
  RandomCuteOptions options;
  ForEachRandomLayout(options, [&](const Layout& layout, RandomBits* random) {
    const IntTuple shape = layout.shape();
    const int64_t number = Uniform(1, 2, random) == 1
                               ? Uniform(1, 40, random)
                               : shape.values()[0] * Uniform(1, 6, random);
    std::vector<int64_t> div;
    std::vector<int64_t> mod;
    const bool is_defined = LiteralDivMod(
        {shape.values().begin(), shape.values().end()}, number, &div, &mod);
    const absl::StatusOr<IntTuple> actual_div = ShapeDiv(shape, number);
    const absl::StatusOr<IntTuple> actual_mod = ShapeMod(shape, number);
    ASSERT_EQ(actual_div.ok(), is_defined) << number;
    ASSERT_EQ(actual_mod.ok(), is_defined) << number;
    if (!is_defined) return;
    ++divided;
    ASSERT_EQ(actual_div->profile(), shape.profile());
    ASSERT_EQ(actual_mod->profile(), shape.profile());
    ASSERT_EQ(actual_div->values(), absl::MakeConstSpan(div)) << number;
    ASSERT_EQ(actual_mod->values(), absl::MakeConstSpan(mod)) << number;
  });
  EXPECT_GT(divided, Samples(10000) / 5);
}

// shape_div of CUTLASS' int_tuple.hpp, case by case: by mode, by an integer
// folded over the modes, by the size of a tuple, by an integer. Nothing where
// an assert fails.
std::optional<IntTuple> LiteralShapeDiv(const IntTuple& a, const IntTuple& b) {
  if (a.is_integer() && b.is_integer()) {
    if (a.value() % b.value() != 0 && b.value() % a.value() != 0) {
      return std::nullopt;
    }
    return IntTuple((a.value() + b.value() - 1) / b.value());
  }
  if (a.is_integer()) return LiteralShapeDiv(a, *Size(b));
  if (!b.is_integer() && a.rank() != b.rank()) return std::nullopt;
  std::vector<IntTuple> modes;
  IntTuple rest = b;
  for (int64_t i = 0; i < a.rank(); ++i) {
    const IntTuple mode = a.Mode(i);
    const std::optional<IntTuple> divided =
        LiteralShapeDiv(mode, b.is_integer() ? rest : b.Mode(i));
    if (!divided.has_value()) return std::nullopt;
    modes.push_back(*divided);
    if (!b.is_integer()) continue;
    const std::optional<IntTuple> next = LiteralShapeDiv(rest, mode);
    if (!next.has_value()) return std::nullopt;
    rest = *next;
  }
  return IntTuple::Tuple(modes);
}

// A divisor for `shape`: its modes' divisors and multiples, some of them
// regrouped into one integer, a few off by one, and now and then another rank.
IntTuple RandomDivisor(const IntTuple& shape, RandomBits* random) {
  if (shape.is_integer() || Uniform(0, 5, random) == 0) {
    const int64_t size = *Size(shape);
    int64_t number = Uniform(1, 6, random);
    switch (Uniform(0, 3, random)) {
      case 0:
        number *= size;
        break;
      case 1:
        number = std::gcd(number * number, size);
        break;
      case 2:
        number = size / std::gcd(number, size);
        break;
      default:
        break;
    }
    return Uniform(0, 7, random) == 0 ? IntTuple({number, 2})
                                      : IntTuple(number);
  }
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.Modes()) {
    modes.push_back(RandomDivisor(mode, random));
  }
  if (Uniform(0, 30, random) == 0) modes.push_back(1);
  return IntTuple::Tuple(modes);
}

TEST(ShapeDivMod, TuplesAreDividedAsInCute) {
  int64_t divided = 0;
  int64_t by_tuple = 0;
  int64_t refused = 0;
  ForEachRandomLayout(
      RandomCuteOptions(), [&](const Layout& layout, RandomBits* random) {
        const IntTuple shape = layout.shape();
        const IntTuple divisor = RandomDivisor(shape, random);
        SCOPED_TRACE(shape.ToString() + " / " + divisor.ToString());
        const std::optional<IntTuple> want = LiteralShapeDiv(shape, divisor);
        const absl::StatusOr<IntTuple> div = ShapeDiv(shape, divisor);
        const absl::StatusOr<IntTuple> mod = ShapeMod(shape, divisor);
        ASSERT_EQ(div.ok(), want.has_value()) << TextOf(div);
        ASSERT_EQ(mod.ok(), want.has_value()) << TextOf(mod);
        ++(want.has_value() ? divided : refused);
        if (!want.has_value()) return;
        by_tuple += !divisor.is_integer();
        ASSERT_EQ(*div, *want);
        // Each mode is the product of its two parts.
        ASSERT_EQ(mod->profile(), shape.profile());
        for (size_t i = 0; i < shape.values().size(); ++i) {
          ASSERT_EQ(div->values()[i] * mod->values()[i], shape.values()[i]);
        }
      });
  EXPECT_GT(divided, Samples(10000) / 4);
  EXPECT_GT(by_tuple, Samples(10000) / 5);
  EXPECT_GT(refused, Samples(10000) / 20);
}

TEST(ShapeDivMod, Table) {
  const struct {
    std::string_view shape;
    std::string_view divisor;
    std::string div;
    std::string mod;
  } kCases[] = {
      // Tuples: each mode by its own.
      {"(12,4)", "(1,4)", "(12,1)", "(1,4)"},
      {"(12,4)", "(4,1)", "(3,4)", "(4,1)"},
      {"(12,4)", "(24,8)", "(1,1)", "(12,4)"},
      {"(2,3)", "(2,3)", "(1,1)", "(2,3)"},
      {"(12)", "(4)", "(3)", "(4)"},
      {"()", "()", "()", "()"},
      // Nested: an integer inside goes over the leaves that face it.
      {"(12,(4,6))", "(3,(2,3))", "(4,(2,2))", "(3,(2,3))"},
      {"(12,(4,6))", "(3,8)", "(4,(1,3))", "(3,(4,2))"},
      {"(12,(4,6))", "((3,2),1)", "(2,(4,6))", "(6,(1,1))"},
      {"((4,6),5)", "((4,(2,3)),5)", "((1,1),1)", "((4,6),5)"},
      // A tuple by an integer, an integer by the size of a tuple.
      {"(4,5,6)", "40", "(1,1,3)", "(4,5,2)"},
      {"(12,4)", "4", "(3,4)", "(4,1)"},
      {"12", "(3,2)", "2", "6"},
      {"12", "()", "12", "1"},
      {"12", "4", "3", "4"},
      {"4", "12", "1", "4"},
      // Each mode alone has to divide, however large the whole is.
      {"(4611686018427387904,4)", "(1,4)", "(4611686018427387904,1)", "(1,4)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(ShapeDiv(TupleOf(c.shape), TupleOf(c.divisor))), c.div)
        << c.shape << " / " << c.divisor;
    EXPECT_EQ(TextOf(ShapeMod(TupleOf(c.shape), TupleOf(c.divisor))), c.mod)
        << c.shape << " % " << c.divisor;
  }
}

TEST(ShapeDivMod, ErrorsOfTuples) {
  const struct {
    std::string_view shape;
    std::string_view divisor;
    std::string expected;
  } kCases[] = {
      {"(12,4)", "(5,4)",
       "error: mode 0 of (12,4), of size 12, and 5 do not divide one another"},
      {"(12,(4,6))", "(1,(4,4))",
       "error: mode 1,1 of (12,(4,6)), of size 6, and 4 do not divide one "
       "another"},
      {"(12,(4,6))", "(1,16)",
       "error: mode 1,1 of (12,(4,6)), of size 6, and 4 do not divide one "
       "another"},
      {"12", "(5,2)", "error: 12 and 10 do not divide one another"},
      {"(12,4)", "(1,4,1)",
       "error: (12,4) and (1,4,1) differ in their number of modes, 2 and 3"},
      {"(12,4)", "(1)",
       "error: (12,4) and (1) differ in their number of modes, 2 and 1"},
      {"(12,(4,6))", "(1,(4))",
       "error: (4,6) and (4) differ in their number of modes, 2 and 1"},
      {"(12,4)", "()",
       "error: (12,4) and () differ in their number of modes, 2 and 0"},
      {"(12,4)", "(1,0)", "error: 0 is less than 1"},
      {"(12,0)", "(1,4)", "error: the size 0 in 0 is less than 1"},
      {"12", "(3,-2)", "error: the size -2 in (3,-2) is less than 1"},
      {"12", "(4294967296,4294967296)",
       "error: the size of (4294967296,4294967296) exceeds 2^63-1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(ShapeDiv(TupleOf(c.shape), TupleOf(c.divisor))),
              c.expected)
        << c.shape << " / " << c.divisor;
    EXPECT_EQ(TextOf(ShapeMod(TupleOf(c.shape), TupleOf(c.divisor))),
              c.expected)
        << c.shape << " % " << c.divisor;
  }
}

TEST(ShapeDivMod, Errors) {
  EXPECT_EQ(TextOf(ShapeDiv({6, {4, 10}}, 36)),
            "error: mode 1,0 of (6,(4,10)), of size 4, and 6 do not divide one "
            "another");
  EXPECT_EQ(TextOf(ShapeMod({6, 2}, 4)),
            "error: mode 0 of (6,2), of size 6, and 4 do not divide one "
            "another");
  EXPECT_EQ(TextOf(ShapeDiv({6, 0}, 2)),
            "error: the size 0 in (6,0) is less than 1");
  EXPECT_EQ(TextOf(ShapeMod({6, 2}, 0)), "error: 0 is less than 1");
  EXPECT_EQ(TextOf(ShapeMod({6, 2}, IntTuple::kUnderscore)),
            "error: _ is less than 1");
}

TEST(DomainDistribute, Laws) {
  int64_t full = 0;
  ForEachRandomLayout(
      SmallLayouts(), [&](const Layout& layout, RandomBits* random) {
        const int64_t size = Uniform(1, 48, random);
        const Layout result = *DomainDistribute(layout.shape(), size);
        SCOPED_TRACE(result.ToString());
        ASSERT_EQ(size % result.size(), 0) << size;
        ASSERT_LE(result.cosize(), layout.size());
        const std::vector<int64_t> values = ValuesOf(result);
        for (size_t i = 1; i < values.size(); ++i) {
          ASSERT_LT(values[i - 1], values[i]);
        }
        // It composes with the layout, whatever its strides.
        ASSERT_THAT(Composition(layout, result), IsOk())
            << TextOf(Composition(layout, result));
        full += result.size() == size;
      });
  EXPECT_GT(full, Samples(10000) / 10);
}

TEST(DomainDistribute, Table) {
  const struct {
    std::string_view shape;
    int64_t size;
    std::string expected;
  } kCases[] = {
      {"(6,2)", 2, "2:1"},
      {"(6,2)", 12, "12:1"},
      {"(6,2)", 6, "6:1"},
      {"((3,4),5)", 20, "20:3"},
      {"((3,4),5)", 10, "(2,5):(3,12)"},
      {"((3,4),5)", 7, "1:0"},
      {"16", 8, "8:1"},
      {"(6,2)", 0, "error: 0 is less than 1"},
      {"(6,0)", 4, "error: the size 0 in (6,0) is less than 1"},
      {"(4294967296,4294967296)", 4,
       "error: the size of (4294967296,4294967296) exceeds 2^63-1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(DomainDistribute(TupleOf(c.shape), c.size)), c.expected)
        << c.shape << ", " << c.size;
  }
}

}  // namespace
}  // namespace tessera::cute
