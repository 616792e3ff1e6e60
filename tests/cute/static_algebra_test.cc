#include "tessera/cute/constexpr/static_algebra.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/constexpr/static_layout.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera {
namespace cute {
namespace {

constexpr StaticLayout P(absl::string_view text) {
  return ParseStaticLayout(text);
}

// What cute_layout_algebra.txt prints, its errata corrected.

static_assert(Coalesce(P("(2,4):(1,2)")) == P("8:1"), "");
static_assert(Coalesce(P("(2,3):(0,0)")) == P("6:0"), "");
static_assert(Coalesce(P("(4,1):(1,0)")) == P("4:1"), "");
static_assert(Coalesce(P("((1),1):((7),5)")) == P("1:0"), "");
static_assert(Coalesce(P("(6,(1,2)):(8,(9,2))")) == P("(6,2):(8,2)"), "");
static_assert(Coalesce(P("(2,3):(-1,-2)")) == P("6:-1"), "");

static_assert(Composition(P("20:2"), P("(5,4):(4,1)")) == P("(5,4):(8,2)"), "");
static_assert(Composition(P("(10,2):(16,4)"), P("(5,4):(1,5)")) ==
                  P("(5,(2,2)):(16,(80,4))"),
              "");
static_assert(Composition(P("12:59"), P("3:4")) == P("3:236"), "");
static_assert(Composition(P("(4,8):(13,1)"), P("8:2")) == P("(2,4):(26,1)"),
              "");
static_assert(Composition(P("(4,8):(13,1)"), P("8:1")) == P("(4,2):(13,1)"),
              "");
static_assert(Composition(P("(4,2,3):(2,1,8)"), P("(4,(2,3)):(2,(1,8))")) ==
                  P("((2,2),(2,3)):((4,1),(2,8))"),
              "");
static_assert(Composition(P("(9,(4,8)):(59,(13,1))"), P("9:1")) == P("9:59"),
              "");

// Runs that end inside a mode, and beyond the last.
static_assert(Composition(P("(8,8):(8,1)"), P("3:3")) == P("3:24"), "");
static_assert(Composition(P("(4,6,8,10):(2,3,5,7)"), P("6:12")) ==
                  P("(2,3):(9,5)"),
              "");
static_assert(Composition(P("(4,3):(3,1)"), P("8:1")) == P("(4,2):(3,1)"), "");
static_assert(Composition(P("(4,3):(3,1)"), P("24:1")) == P("(4,6):(3,1)"), "");
static_assert(Composition(P("(4,3,1):(3,1,0)"), P("24:1")) ==
                  P("(4,3,2):(3,1,0)"),
              "");
static_assert(Composition(P("(4,1):(1,0)"), P("8:1")) == P("(4,2):(1,0)"), "");
static_assert(Composition(P("(4,3):(1,4)"), P("6:1")) == P("6:1"), "");

// Strides of 0, sizes of 1, negative strides.
static_assert(Composition(P("(4,3):(3,1)"), P("(5,1):(0,7)")) ==
                  P("(5,1):(0,0)"),
              "");
static_assert(Composition(P("10:3"), P("1:2")) == P("1:6"), "");
static_assert(Composition(P("10:3"), P("1:-2")) == P("1:-6"), "");
static_assert(Composition(P("(4,3):(3,1)"), P("1:8")) == P("1:2"), "");
static_assert(Composition(P("(4,3):(3,1)"), P("1:-8")) == P("1:0"), "");
static_assert(Composition(P("2:4611686018427387904"), P("1:2")) == P("1:0"),
              "");
static_assert(Composition(P("2:4611686018427387904"), P("1:-2")) == P("1:0"),
              "");
static_assert(Composition(P("(3,5):(7,-100)"), P("(3,5):(1,3)")) ==
                  P("(3,5):(7,-100)"),
              "");
static_assert(Composition(P("20:2"), P("4:-3")) == P("4:-6"), "");
static_assert(!CanCompose(P("(4,3):(3,1)"), P("4:-1")), "");

// The known holes: a weak stride rule, a carry, a size that is cut off.
static_assert(!CanCompose(P("(8,8):(8,1)"), P("4:3")), "");
static_assert(!CanCompose(P("(3,5):(7,100)"), P("4:2")), "");
static_assert(!CanCompose(P("(12,2):(1,100)"), P("(3,2):(4,6)")), "");
static_assert(!CanCompose(P("(6,2):(8,2)"), P("9:1")), "");

static_assert(Complement(P("4:1"), 24) == P("6:4"), "");
static_assert(Complement(P("6:4"), 24) == P("4:1"), "");
static_assert(Complement(P("(4,6):(1,4)"), 24) == P("1:0"), "");
static_assert(Complement(P("4:2"), 24) == P("(2,3):(1,8)"), "");
static_assert(Complement(P("(2,4):(1,6)"), 24) == P("3:2"), "");
static_assert(Complement(P("(2,2):(1,6)"), 24) == P("(3,2):(2,12)"), "");
static_assert(Complement(P("(2,2):(4,1)"), 24) == P("(2,3):(2,8)"), "");
static_assert(Complement(P("4:0"), 8) == P("8:1"), "");
static_assert(Complement(P("2:5"), 12) == P("(5,2):(1,10)"), "");
static_assert(Complement(P("(2,1):(1,50)"), 5) == P("3:2"), "");
static_assert(!CanComplement(P("(2,2):(2,3)"), 19), "");
static_assert(!CanComplement(P("4:-1"), 24), "");
static_assert(!CanComplement(P("4:1"), 0), "");

// Past 2^63-1: of a stride, an extent, the size or the cosize of a result.
static_assert(Coalesce(P("(2,3):(4611686018427387904,1)")) ==
                  P("(2,3):(4611686018427387904,1)"),
              "");
static_assert(Coalesce(P("(2,3):(-4611686018427387904,1)")) ==
                  P("(2,3):(-4611686018427387904,1)"),
              "");
static_assert(!CanCompose(P("(2,2):(1,1099511627776)"),
                          P("(2,1073741824):(1,2)")),
              "");
static_assert(!CanCompose(P("2:4611686018427387904"), P("2:2")), "");
static_assert(!CanCompose(P("2:-4611686018427387904"), P("2:2")), "");
static_assert(!CanCompose(P("(2,2):(1,4611686018427387904)"), P("2:4")), "");
static_assert(CanCompose(P("(2,2):(1,4611686018427387904)"), P("2:2")), "");
static_assert(!CanCompose(P("(1,1):(0,4611686018427387903)"), P("4:1")), "");
// Nothing lies past the last extent, which is 2^63.
static_assert(Complement(P("2:4611686018427387904"), 8) ==
                  P("4611686018427387904:1"),
              "");
static_assert(Complement(P("2:4611686018427387904"), 9223372036854775807) ==
                  P("4611686018427387904:1"),
              "");
static_assert(Complement(P("1:0"), 9223372036854775807) ==
                  P("9223372036854775807:1"),
              "");

// Thousands of random layouts, as a program that runs reads them.
StaticLayout Static(const LiteralLayout& literal) {
  StaticLayout layout;
  EXPECT_EQ(internal::ParseLayout(literal.ToString(), &layout), nullptr);
  return layout;
}

LiteralLayout Literal(const StaticLayout& layout) {
  return *ParseLiteralLayout(layout.ToString());
}

TEST(Coalesce, KeepsTheValuesAndMergesAll) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 300;
  options.negative_strides = true;
  for (int64_t n = 0; n < 5000; ++n) {
    const LiteralLayout literal = RandomCuteLayout(options, &random);
    const LiteralLayout coalesced = Literal(Coalesce(Static(literal)));
    ASSERT_EQ(coalesced.Values(), literal.Values()) << literal.ToString();
    // The fewest modes of those values, in the order of the judge.
    LiteralLayout fewest = *LayoutOfValues(literal.Values());
    ASSERT_EQ(coalesced, fewest) << literal.ToString();
  }
}

TEST(Composition, IsNeverWrong) {
  RandomBits random(TestSeed());
  int64_t answered = 0, refused = 0;
  for (int64_t n = 0; n < 30000; ++n) {
    RandomCuteOptions options;
    options.max_size = 500;
    options.negative_strides = n % 4 == 0;
    const LiteralPair pair = n % 2 == 0 ? RelatedPair(options, &random)
                                        : UnrelatedPair(options, &random);
    StaticLayout result;
    const char* const why =
        internal::Compose(Static(pair.a), Static(pair.b), &result);
    if (why != nullptr) {
      // That a negative stride is refused is no surprise.
      if (!options.negative_strides) refused += LayoutExists(pair.a, pair.b);
      continue;
    }
    answered += !options.negative_strides;
    const LiteralLayout literal = Literal(result);
    ASSERT_TRUE(Compatible(pair.b.Shape(), literal.Shape()))
        << pair.a.ToString() << " o " << pair.b.ToString() << " = "
        << literal.ToString();
    for (int64_t i = 0; i < pair.b.Size(); ++i) {
      ASSERT_EQ(literal.Evaluate(i), pair.a.Evaluate(pair.b.Evaluate(i)))
          << pair.a.ToString() << " o " << pair.b.ToString() << " = "
          << literal.ToString() << " at " << i;
    }
  }
  RecordProperty("answered", answered);
  RecordProperty("refused", refused);
  EXPECT_LT(refused, answered / 20);
}

TEST(Complement, HoldsWhatIsPromised) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 200;
  int64_t answered = 0;
  for (int64_t n = 0; n < 5000; ++n) {
    const LiteralLayout literal = RandomCuteLayout(options, &random);
    const int64_t cotarget = Uniform(1, 600, &random);
    StaticLayout result;
    if (internal::ComplementInto(Static(literal), cotarget, &result)) continue;
    ++answered;
    const std::vector<int64_t> rest = Literal(result).Values();
    const std::vector<int64_t> values = literal.Values();
    const std::set<int64_t> taken(values.begin(), values.end());
    for (size_t i = 1; i < rest.size(); ++i) {
      ASSERT_LT(rest[i - 1], rest[i]) << literal.ToString() << " " << cotarget;
      ASSERT_EQ(taken.count(rest[i]), 0u)
          << literal.ToString() << " " << cotarget;
    }
    std::set<int64_t> sums;
    for (const int64_t x : taken) {
      for (const int64_t y : rest) sums.insert(x + y);
    }
    ASSERT_EQ(sums.size(), taken.size() * rest.size())
        << literal.ToString() << " " << cotarget;
  }
  EXPECT_GT(answered, 1000);
}

// Sizes and strides up to 2^63-1, such that about half of the layouts fit.
std::string LargeText(RandomBits* random) {
  const int64_t leaves = Uniform(1, 3, random);
  std::string sizes, strides;
  for (int64_t i = 0; i < leaves; ++i) {
    const char* separator = i == 0 ? "(" : ",";
    const int64_t size = int64_t{1} << Uniform(0, 40, random) / leaves;
    int64_t stride = int64_t{1} << Uniform(0, 62, random);
    if (Uniform(0, 3, random) == 0) stride += Uniform(-2, 2, random);
    if (Uniform(0, 9, random) == 0) stride = -stride;
    absl::StrAppend(&sizes, separator, size + Uniform(0, 1, random));
    absl::StrAppend(&strides, separator, stride);
  }
  return absl::StrCat(sizes, "):", strides, ")");
}

// Where the compiler has an answer, it is the one at run time; and where there
// is none at run time, the compiler has none.
TEST(StaticAlgebra, AnswersAsAtRunTime) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.max_size = 500;
  options.negative_strides = true;
  int64_t composed = 0, complemented = 0;
  for (int64_t n = 0; n < 30000; ++n) {
    std::string a_text, b_text;
    if (n % 2 == 0) {
      const LiteralPair pair = RelatedPair(options, &random);
      a_text = pair.a.ToString();
      b_text = pair.b.ToString();
    } else {
      a_text = LargeText(&random);
      b_text = LargeText(&random);
    }
    StaticLayout a, b, result;
    const absl::StatusOr<Layout> run_time_a = ParseLayout(a_text);
    const absl::StatusOr<Layout> run_time_b = ParseLayout(b_text);
    ASSERT_EQ(internal::ParseLayout(a_text, &a) == nullptr, run_time_a.ok());
    ASSERT_EQ(internal::ParseLayout(b_text, &b) == nullptr, run_time_b.ok());
    if (!run_time_a.ok()) continue;
    ASSERT_EQ(Coalesce(a).ToString(), Coalesce(*run_time_a).ToString());
    const int64_t cotarget = int64_t{1} << Uniform(0, 62, &random);
    const absl::StatusOr<Layout> complement = Complement(*run_time_a, cotarget);
    ASSERT_EQ(internal::ComplementInto(a, cotarget, &result) == nullptr,
              complement.ok())
        << a_text << " " << cotarget << " " << complement.status();
    if (complement.ok()) {
      ++complemented;
      ASSERT_EQ(result.ToString(), complement->ToString())
          << a_text << " " << cotarget;
    }
    if (!run_time_b.ok()) continue;
    if (internal::Compose(a, b, &result) != nullptr) continue;
    ++composed;
    const absl::StatusOr<Layout> composition =
        Composition(*run_time_a, *run_time_b);
    ASSERT_TRUE(composition.ok())
        << a_text << " o " << b_text << ": " << composition.status();
    ASSERT_EQ(result.ToString(), composition->ToString())
        << a_text << " o " << b_text;
  }
  EXPECT_GT(composed, 5000);
  EXPECT_GT(complemented, 3000);
}

}  // namespace
}  // namespace cute
}  // namespace tessera
