#include "tessera/cute/algebra/swizzled.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

ComposedLayout ComposedOf(std::string_view text) {
  return *ParseComposedLayout(text);
}

Swizzle SwizzleOf(std::string_view text) { return *ParseSwizzle(text); }

// The definition of the document, bit by bit.
int64_t Swizzled(const Swizzle& swizzle, int64_t offset) {
  int64_t result = offset;
  for (int i = 0; i < swizzle.bits(); ++i) {
    const int read =
        swizzle.base() + i + (swizzle.shift() > 0 ? swizzle.shift() : 0);
    const int written = read - swizzle.shift();
    if (offset >> read & 1) result ^= int64_t{1} << written;
  }
  return result;
}

int64_t ValueOf(const ComposedLayout& layout, int64_t coordinate) {
  return Swizzled(std::get<Swizzle>(layout.outer()),
                  layout.offset() + layout.layout()(coordinate));
}

Swizzle RandomSwizzle(RandomBits* random) {
  const int64_t bits = Uniform(0, 3, random);
  const int64_t shift = Uniform(bits, 4, random);
  return *Swizzle::Create(bits, Uniform(0, 4, random),
                          Uniform(0, 4, random) == 0 ? -shift : shift);
}

// A permuted compact layout of powers of two, as swizzles are used with.
Layout RandomLayoutOfBits(RandomBits* random) {
  const int64_t count = Uniform(1, 4, random);
  std::vector<int64_t> bits;
  Layout::Leaves leaves;
  for (int64_t i = 0; i < count; ++i) bits.push_back(Uniform(1, 4, random));
  int64_t stride = 1;
  for (int64_t i = 0; i < count; ++i) {
    leaves.push_back({int64_t{1} << bits[i], stride, Basis()});
    stride <<= bits[i];
  }
  for (size_t i = leaves.size(); i > 1; --i) {
    std::swap(leaves[i - 1], leaves[Uniform(0, i - 1, random)]);
  }
  Layout::Builder builder;
  builder.AppendFlat(leaves);
  return *std::move(builder).Build();
}

ComposedLayout RandomComposed(RandomBits* random) {
  const int64_t offset =
      Uniform(0, 2, random) == 0 ? 8 * Uniform(0, 9, random) : 0;
  return ComposedLayout(RandomSwizzle(random), offset,
                        RandomLayoutOfBits(random));
}

// The bits of element i of narrow elements are the bits of the element of wide
// ones in which the law puts it, and no two of them are the same.
TEST(Swizzled, RecastsKeepEveryBitInItsPlace) {
  RandomBits random(44);
  int64_t recast = 0, refused = 0;
  while (recast < Samples(1000)) {
    const ComposedLayout narrow = RandomComposed(&random);
    const int64_t from = int64_t{1} << Uniform(2, 5, &random);
    const int64_t to = int64_t{1} << Uniform(2, 6, &random);
    const absl::StatusOr<ComposedLayout> result = Recast(narrow, from, to);
    if (!result.ok()) {
      ASSERT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
      ++refused;
      continue;
    }
    ++recast;
    const Layout& inner = narrow.layout();
    ASSERT_EQ(result->layout().profile(), inner.profile());
    for (int64_t i = 0; i < inner.size(); ++i) {
      for (int64_t bit = 0; bit < from; ++bit) {
        const int64_t address = ValueOf(narrow, i) * from + bit;
        // The digits of the wide element that has this bit.
        int64_t rest = i, wide = 0, extent = 1;
        for (size_t k = 0; k < inner.leaves().size(); ++k) {
          const Layout::Leaf& leaf = inner.leaves()[k];
          const int64_t size = result->layout().leaves()[k].size;
          int64_t digit = rest % leaf.size;
          rest /= leaf.size;
          if (leaf.stride == 1 && to < from) {
            digit = digit * (from / to) + bit / to;
          } else if (to > from && leaf.stride * from < to) {
            digit /= to / (leaf.stride * from);
          }
          wide += digit * extent;
          extent *= size;
        }
        if (to < from && inner.leaves().size() > 0 &&
            result->layout().size() == inner.size()) {
          continue;  // without a mode of stride 1, no mode has the parts
        }
        ASSERT_EQ(address / to, ValueOf(*result, wide))
            << narrow.ToString() << " from " << from << " to " << to
            << " bits is " << result->ToString() << ", element " << i
            << ", bit " << bit;
      }
    }
  }
  EXPECT_LT(refused, recast);
}

TEST(Swizzled, RecastTable) {
  const struct {
    std::string_view layout;
    int64_t from;
    int64_t to;
    std::string expected;
  } kCases[] = {
      {"Sw<3,4,3> o 0 o (8,128):(128,1)", 8, 16,
       "Sw<3,3,3> o 0 o (8,64):(64,1)"},
      {"Sw<3,3,3> o 0 o (8,64):(64,1)", 16, 8,
       "Sw<3,4,3> o 0 o (8,128):(128,1)"},
      // The base would fall below 0: the lowest bit is lost.
      {"Sw<2,0,3> o 0 o (8,8):(8,1)", 16, 32, "Sw<1,0,3> o 0 o (8,4):(4,1)"},
      {"Sw<2,0,3> o 0 o (8,8):(8,1)", 16, 64, "Sw<0,0,3> o 0 o (8,2):(2,1)"},
      {"Sw<3,3,3> o 64 o (8,64):(64,1)", 16, 32,
       "Sw<3,2,3> o 32 o (8,32):(32,1)"},
      {"Sw<3,3,3> o 1 o (8,64):(64,1)", 16, 32,
       "error: the offset 1 is within an element that is 2 times as wide"},
      {"Sw<3,3,3> o 0 o (8,96):(96,1)", 16, 24,
       "error: Sw<3,4,3> moves bits; the factor 3 is not a power of two"},
      {"Sw<0,4,3> o 0 o (8,6):(6,1)", 8, 24, "Sw<0,4,3> o 0 o (8,2):(2,1)"},
      // Bit 0 moves bit 3: elements 0 and 1 are not neighbours.
      {"Sw<1,0,-3> o 0 o 16:1", 16, 32,
       "error: Sw<1,0,-3> splits elements of 16:1 that are within one 2 times "
       "as wide"},
      {"Sw<1,0,-3> o 0 o 16:2", 16, 32, "Sw<0,0,-3> o 0 o 16:1"},
      // C++ recasts both layouts, which is not always the same function.
      {"(4,8):(1,4) o 2 o 4:1", 16, 32, "(2,8):(1,2) o 1 o 2:1"},
      {"(4,8):(1,4) o 2 o 4:1", 32, 16, "(8,8):(1,8) o 4 o 8:1"},
      {"Sw<3,3,3> o 0 o 8:1", 0, 16,
       "error: an element has at least 1 bit, not 0"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(Recast(ComposedOf(c.layout), c.from, c.to)), c.expected)
        << c.layout << " from " << c.from << " to " << c.to;
  }
}

TEST(Swizzled, CastsOfASwizzle) {
  EXPECT_EQ(TextOf(Upcast(SwizzleOf("Sw<3,4,3>"), 2)), "Sw<3,3,3>");
  EXPECT_EQ(TextOf(Upcast(SwizzleOf("Sw<2,0,3>"), 2)), "Sw<1,0,3>");
  EXPECT_EQ(TextOf(Upcast(SwizzleOf("Sw<2,1,3>"), 16)), "Sw<0,0,3>");
  EXPECT_EQ(TextOf(Downcast(SwizzleOf("Sw<3,3,3>"), 2)), "Sw<3,4,3>");
  EXPECT_EQ(TextOf(Recast(SwizzleOf("Sw<3,4,3>"), 8, 32)), "Sw<3,2,3>");
  EXPECT_EQ(TextOf(Upcast(SwizzleOf("Sw<3,4,3>"), 3)),
            "error: Sw<3,4,3> moves bits; the factor 3 is not a power of two");
  EXPECT_EQ(TextOf(Upcast(SwizzleOf("Sw<3,4,3>"), 0)),
            "error: Sw<3,4,3> moves bits; the factor 0 is not a power of two");
  EXPECT_EQ(MaxAlignment(SwizzleOf("Sw<3,4,3>")), 16);
}

TEST(Swizzled, TwoSwizzles) {
  RandomBits random(45);
  int64_t composed = 0;
  for (int64_t n = 0; n < Samples(5000); ++n) {
    const Swizzle a = RandomSwizzle(&random);
    const Swizzle b = RandomSwizzle(&random);
    const absl::StatusOr<Swizzle> both = Composition(a, b);
    if (!both.ok()) {
      ASSERT_THAT(both, StatusIs(absl::StatusCode::kInvalidArgument));
      continue;
    }
    ++composed;
    for (int64_t x = 0; x < 4096; x += 7) {
      ASSERT_EQ(Swizzled(*both, x), Swizzled(a, Swizzled(b, x)))
          << a.ToString() << " o " << b.ToString() << " at " << x;
    }
  }
  EXPECT_GT(composed, Samples(5000) / 10);
  EXPECT_EQ(TextOf(Composition(SwizzleOf("Sw<2,0,3>"), SwizzleOf("Sw<1,2,3>"))),
            "Sw<3,0,3>");
  EXPECT_EQ(TextOf(Composition(SwizzleOf("Sw<2,1,3>"), SwizzleOf("Sw<2,1,3>"))),
            "Sw<0,0,0>");
  EXPECT_EQ(TextOf(Composition(SwizzleOf("Sw<1,0,3>"), SwizzleOf("Sw<1,2,3>"))),
            "error: Sw<1,0,3> o Sw<1,2,3> is not a swizzle: its bits have a "
            "gap");
  EXPECT_EQ(TextOf(Composition(SwizzleOf("Sw<1,0,2>"), SwizzleOf("Sw<1,0,3>"))),
            "error: Sw<1,0,2> o Sw<1,0,3> is not a swizzle: the shifts differ");
  EXPECT_EQ(TextOf(Composition(SwizzleOf("Sw<1,0,1>"), SwizzleOf("Sw<1,1,1>"))),
            "error: Sw<1,0,1> o Sw<1,1,1> is not a swizzle: the second moves "
            "bits that the first reads");
}

TEST(Swizzled, LayoutsAfterASwizzle) {
  RandomBits random(46);
  int64_t composed = 0;
  for (int64_t n = 0; n < Samples(2000); ++n) {
    const Layout a = RandomLayoutOfBits(&random);
    const Swizzle swizzle = RandomSwizzle(&random);
    const absl::StatusOr<ComposedLayout> result = Composition(a, swizzle);
    if (!result.ok()) continue;
    ++composed;
    for (int64_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(ValueOf(*result, i), a(Swizzled(swizzle, i)))
          << a.ToString() << " o " << swizzle.ToString();
    }
  }
  EXPECT_GT(composed, Samples(2000) / 10);
  EXPECT_EQ(
      TextOf(Composition(LayoutOf("(8,8):(8,1)"), SwizzleOf("Sw<2,0,3>"))),
      "Sw<2,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(TextOf(Composition(LayoutOf("(8,8):(8,1)"),
                               ComposedOf("Sw<2,0,3> o 0 o (8,8):(1,8)"))),
            "Sw<2,0,-3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(TextOf(Composition(LayoutOf("64:3"), SwizzleOf("Sw<2,0,3>"))),
            "error: no swizzled layout equals 64:3 o Sw<2,0,3>: the layout "
            "takes the bits that the swizzle reads and writes, 24 and 3, to 72 "
            "and 9, which are not the bits of a swizzle");
  EXPECT_EQ(TextOf(Composition(LayoutOf("64:-1"), SwizzleOf("Sw<2,0,3>"))),
            "error: a swizzle applies to offsets of at least 0; 64:-1 has "
            "others");
  EXPECT_EQ(TextOf(Composition(LayoutOf("(8,8):(1,8)"),
                               ComposedOf("Sw<2,0,3> o 4 o 8:1"))),
            "error: the composition of (8,8):(1,8) with the layout of "
            "Sw<2,0,3> o 4 o 8:1 requires the offset 0, as in C++");
  CompositionOptions few;
  few.max_evaluations = 10;
  EXPECT_EQ(TextOf(Composition(LayoutOf("64:1"), SwizzleOf("Sw<2,0,3>"), few)),
            "error: whether Sw<2,0,3> o 0 o 64:1 equals 64:1 o Sw<2,0,3> takes "
            "64 values to decide, and max_evaluations is 10");
}

TEST(Swizzled, Inverses) {
  RandomBits random(47);
  int64_t right = 0, left = 0;
  for (int64_t n = 0; n < Samples(1000); ++n) {
    const ComposedLayout layout(RandomSwizzle(&random), 0,
                                RandomLayoutOfBits(&random));
    const absl::StatusOr<ComposedLayout> right_inverse = RightInverse(layout);
    if (right_inverse.ok()) {
      ++right;
      for (int64_t i = 0; i < right_inverse->size(); ++i) {
        ASSERT_EQ(ValueOf(layout, ValueOf(*right_inverse, i)), i)
            << layout.ToString() << ": " << right_inverse->ToString();
      }
    }
    const absl::StatusOr<ComposedLayout> left_inverse = LeftInverse(layout);
    if (left_inverse.ok()) {
      ++left;
      for (int64_t i = 0; i < layout.size(); ++i) {
        ASSERT_EQ(ValueOf(*left_inverse, ValueOf(layout, i)), i)
            << layout.ToString() << ": " << left_inverse->ToString();
      }
    }
  }
  EXPECT_GT(right, Samples(1000) / 4);
  EXPECT_GT(left, Samples(1000) / 4);
  EXPECT_EQ(TextOf(RightInverse(ComposedOf("Sw<2,0,3> o 4 o 64:1"))),
            "error: the inverse that is a swizzled layout of Sw<2,0,3> o 4 o "
            "64:1 requires the offset 0, as in C++");
}

// As a host program of C++ prints them.
TEST(Swizzled, InversesWithAnOffset) {
  const ComposedLayout layout = ComposedOf("Sw<2,0,3> o 4 o (8,8):(8,1)");
  const absl::StatusOr<LayoutAfterSwizzle> inverse =
      RightInverseWithOffset(layout);
  ASSERT_EQ(TextOf(inverse), "(8,8):(8,1) o -4 o Sw<2,0,3>");
  EXPECT_EQ(TextOf(LeftInverseWithOffset(layout)),
            "(8,8):(8,1) o -4 o Sw<2,0,3>");
  EXPECT_EQ(TextOf(RightInverse(*inverse)), "Sw<2,0,3> o 4 o (8,8):(8,1)");
  for (int64_t i = 0; i < layout.size(); ++i) {
    const int64_t argument =
        Swizzled(inverse->swizzle(), ValueOf(layout, i)) + inverse->offset();
    EXPECT_EQ(inverse->layout()(argument), i);
  }
  const ComposedLayout layouts = ComposedOf("(4,2):(2,1) o 2 o 4:2");
  EXPECT_EQ(TextOf(RightInverse(layouts)), "1:0 o -2 o (2,4):(4,1)");
}

TEST(Swizzled, InversesThroughALayout) {
  RandomBits random(48);
  const auto value_of = [](const ComposedLayout& layout, int64_t coordinate) {
    return std::get<Layout>(layout.outer())(layout.offset() +
                                            layout.layout()(coordinate));
  };
  int64_t right = 0, left = 0;
  for (int64_t n = 0; n < Samples(300); ++n) {
    const ComposedLayout layout = ComposedOf(
        absl::StrCat(RandomLayoutOfBits(&random).ToString(), " o 0 o ",
                     RandomLayoutOfBits(&random).ToString()));
    const absl::StatusOr<ComposedLayout> right_inverse = RightInverse(layout);
    if (right_inverse.ok()) {
      ++right;
      for (int64_t i = 0; i < right_inverse->size(); ++i) {
        // As in C++, its domain is that of the first inverse, whose values may
        // lie past that of the second.
        if (right_inverse->layout()(i) >=
            std::get<Layout>(right_inverse->outer()).size()) {
          continue;
        }
        ASSERT_EQ(value_of(layout, value_of(*right_inverse, i)), i)
            << layout.ToString() << ": " << right_inverse->ToString();
      }
    }
    const absl::StatusOr<ComposedLayout> left_inverse = LeftInverse(layout);
    if (left_inverse.ok()) {
      ++left;
      for (int64_t i = 0; i < layout.size(); ++i) {
        ASSERT_EQ(value_of(*left_inverse, value_of(layout, i)), i)
            << layout.ToString() << ": " << left_inverse->ToString();
      }
    }
  }
  EXPECT_GT(right, Samples(300) / 4);
  EXPECT_GT(left, Samples(300) / 4);
}

TEST(Swizzled, CommonLayouts) {
  const auto layout_of = [](std::string_view a, std::string_view b) {
    return TextOf(MaxCommonLayout(ComposedOf(a), ComposedOf(b)));
  };
  const auto vector_of = [](std::string_view a, std::string_view b) {
    return TextOf(MaxCommonVector(ComposedOf(a), ComposedOf(b)));
  };
  constexpr std::string_view kPlain = "Sw<0,0,0> o 0 o (8,64):(64,1)";
  constexpr std::string_view kSwizzled = "Sw<3,3,3> o 0 o (8,64):(64,1)";
  constexpr std::string_view kOther = "Sw<3,2,3> o 0 o (8,64):(64,1)";
  EXPECT_EQ(layout_of(kSwizzled, kPlain), "8:8");
  EXPECT_EQ(layout_of(kPlain, kSwizzled), "8:8");
  EXPECT_EQ(layout_of(kPlain, kPlain), "(64,8):(8,1)");
  EXPECT_EQ(layout_of(kSwizzled, kOther), "4:8");
  EXPECT_EQ(vector_of(kSwizzled, kPlain), "8");
  EXPECT_EQ(vector_of(kSwizzled, kOther), "4");
  EXPECT_EQ(vector_of(kSwizzled, kSwizzled), "512");
  EXPECT_EQ(vector_of("8:1 o 0 o 8:1", kPlain),
            "error: the outer function of 8:1 o 0 o 8:1 is not a swizzle");
  EXPECT_EQ(TextOf(MaxAlignment(ComposedOf(kSwizzled))), "8");
  EXPECT_EQ(TextOf(MaxAlignment(ComposedOf("Sw<3,4,3> o 8 o 128:1"))), "8");
  EXPECT_EQ(TextOf(MaxAlignment(ComposedOf("8:1 o 0 o 8:1"))), "1");
}

TEST(Swizzled, Contiguity) {
  const struct {
    std::string_view layout;
    int64_t contiguous;
    int64_t vector;
  } kCases[] = {
      {"Sw<3,3,3> o 0 o (8,64):(64,1)", 8, 8},
      {"Sw<3,3,3> o 4 o (8,64):(64,1)", 4, 4},
      {"Sw<0,3,3> o 0 o (8,64):(64,1)", 64, 64},
      {"Sw<3,4,3> o 0 o (8,12):(12,1)", 12, 4},
      {"Sw<3,4,3> o 0 o (8,12):(24,1)", 12, 4},
      {"Sw<3,4,3> o 0 o (8,12):(24,2)", 1, 1},
  };
  for (const auto& c : kCases) {
    const ComposedLayout layout = ComposedOf(c.layout);
    EXPECT_EQ(ContiguousElements(layout), c.contiguous) << c.layout;
    EXPECT_EQ(VectorElements(layout), c.vector) << c.layout;
  }
}

TEST(Swizzled, PlainLayoutsHaveTheSameValues) {
  RandomBits random(48);
  int64_t plain_count = 0;
  for (int64_t n = 0; n < Samples(3000); ++n) {
    const ComposedLayout whole = RandomComposed(&random);
    // A row of it, as a slice leaves it.
    const Layout& inner = whole.layout();
    const Layout row = inner.Mode(Uniform(0, inner.rank() - 1, &random));
    const ComposedLayout slice(
        whole.outer(),
        whole.offset() + inner(Uniform(0, inner.size() - 1, &random)), row);
    const std::optional<PlainLayout> plain = ToPlainLayout(slice);
    if (!plain.has_value()) continue;
    ++plain_count;
    for (int64_t i = 0; i < slice.size(); ++i) {
      ASSERT_EQ(plain->offset + plain->layout(i), ValueOf(slice, i))
          << slice.ToString() << " is " << plain->layout.ToString() << " at "
          << plain->offset;
    }
  }
  EXPECT_GT(plain_count, Samples(3000) / 4);
  const std::optional<PlainLayout> row =
      ToPlainLayout(ComposedOf("Sw<3,3,3> o 192 o 64:1"));
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->layout.ToString(), "(8,4,2):(1,-8,32)");
  EXPECT_EQ(row->offset, 216);
  // Both fields move.
  EXPECT_FALSE(
      ToPlainLayout(ComposedOf("Sw<3,3,3> o 0 o (8,64):(64,1)")).has_value());
  EXPECT_FALSE(ToPlainLayout(ComposedOf("8:1 o 0 o 8:1")).has_value());
  EXPECT_EQ(ToPlainLayout(ComposedOf("Sw<0,3,3> o 5 o 8:1"))->offset, 5);
}

}  // namespace
}  // namespace tessera::cute
