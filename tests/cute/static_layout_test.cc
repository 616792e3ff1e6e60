#include "tessera/cute/constexpr/static_layout.h"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/cute/constexpr/static_to_layout.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera {
namespace cute {
namespace {

constexpr StaticLayout kTile =
    ParseStaticLayout("((3,5),(7,2)):((1,40),(5,300))");

TEST(StaticLayout, AnswersAsTheProgramIsCompiled) {
  static_assert(kTile.rank() == 2 && kTile.size() == 210, "");
  constexpr FixedLayout<kTile> tile;
  static_assert(tile(4, 9) == 351, "");
  static_assert(tile(139) == 351, "");
  static_assert(tile(std::make_tuple(1, 1), 9) == 351, "");
  static_assert(tile(std::make_tuple(1, 1), std::make_tuple(2, 1)) == 351, "");
  static_assert(!IsStaticLayout("(4,2):(1)"), "");
  EXPECT_EQ(kTile.ToString(), "((3,5),(7,2)):((1,40),(5,300))");
}

TEST(StaticLayout, LivesInsideAFunctionToo) {
  static constexpr StaticLayout kRowMajor = ParseStaticLayout("(8,16):(16,1)");
  EXPECT_EQ(FixedLayout<kRowMajor>()(3, 5), 53);
  EXPECT_EQ(FixedLayout<kRowMajor>::layout(), kRowMajor);
}

constexpr StaticLayout kOne;
constexpr StaticLayout kInteger = ParseStaticLayout("4:2");
constexpr StaticLayout kTupleOfOne = ParseStaticLayout("(4):(2)");
constexpr StaticLayout kDeepOne = ParseStaticLayout("((4)):((-2))");
constexpr StaticLayout kRowMajor = ParseStaticLayout("(8,16):(16,1)");
constexpr StaticLayout kPowers =
    ParseStaticLayout("((4,2),(2,8)):((2,1),(8,16))");
constexpr StaticLayout kSizesOfOne =
    ParseStaticLayout("(1,(3,1),2,1):(5,(2,0),7,11)");
// Leaves that go on where the one before them ends, of any sizes and signs.
constexpr StaticLayout kGoesOn = ParseStaticLayout(
    "((3,4,2),(2,2,5),(4,2),3):((2,6,25),(8,16,1),(-3,-12),0)");
constexpr StaticLayout kDeep =
    ParseStaticLayout("(2,((3,2),(2,(5))),3):(100,((-3,0),(40,(9))),-1000)");
constexpr StaticLayout kLarge =
    ParseStaticLayout("(4294967296,1073741824,1):(3,-1,5)");  // past 32 bits

static_assert(kOne == ParseStaticLayout("1:0"), "");
static_assert(kInteger != kTupleOfOne, "");
static_assert(kInteger.rank() == 1 && kInteger.depth() == 0, "");
static_assert(kTupleOfOne.rank() == 1 && kTupleOfOne.depth() == 1, "");
static_assert(kDeepOne.rank() == 1 && kDeepOne.depth() == 2, "");
static_assert(kTile.rank() == 2 && kTile.depth() == 2, "");
static_assert(kSizesOfOne.rank() == 4 && kSizesOfOne.size() == 6, "");
static_assert(kDeep.rank() == 3 && kDeep.depth() == 4, "");
static_assert(kDeep.size() == 2 * 60 * 3 && kDeep.leaf_count() == 6, "");
static_assert(kInteger.cosize() == 7 && kDeepOne.cosize() == 7, "");
static_assert(kTile.cosize() == 1 + 2 + 160 + 30 + 300, "");

// `_`, blanks and trailing commas say nothing.
static_assert(ParseStaticLayout("((3,5,) , (7,2),) : ((1,40),(5,300,),)") ==
                  kTile,
              "");
static_assert(ParseStaticLayout("\t(8, // rows\n 16)\r\n:/**/(16,1)//") ==
                  kRowMajor,
              "");
static_assert(ParseStaticLayout("_4:_-2") == ParseStaticLayout("4:-2"), "");
static_assert(ParseStaticLayout(" ( (_3,5) , ( 7,_2)): ((_1,40),(5,_300) ) ") ==
                  kTile,
              "");

TEST(ParseStaticLayout, RefusesWhatIsNone) {
  static_assert(!IsStaticLayout(""), "");
  static_assert(!IsStaticLayout("4"), "");
  static_assert(!IsStaticLayout("4:"), "");
  static_assert(!IsStaticLayout(":4"), "");
  static_assert(!IsStaticLayout("4:2:1"), "");
  static_assert(!IsStaticLayout("4:2,"), "");
  static_assert(!IsStaticLayout("4:2)"), "");
  static_assert(!IsStaticLayout("(4,2:(1,4)"), "");
  static_assert(!IsStaticLayout("(4,2)):(1,4)"), "");
  static_assert(!IsStaticLayout("(4,,2):(1,2)"), "");
  static_assert(!IsStaticLayout("(,4):(1)"), "");
  static_assert(!IsStaticLayout("(4)(2):(1,2)"), "");
  static_assert(!IsStaticLayout("4,:1"), "");
  static_assert(!IsStaticLayout("4:2 /* no end"), "");
  static_assert(!IsStaticLayout("4:2 / "), "");
  static_assert(!IsStaticLayout("(4 2):(1 4)"), "");
  static_assert(!IsStaticLayout("():()"), "");
  static_assert(!IsStaticLayout("4:+2"), "");
  static_assert(!IsStaticLayout("4:- 2"), "");
  static_assert(!IsStaticLayout("_:2"), "");
  static_assert(!IsStaticLayout("4x:2"), "");
  static_assert(!IsStaticLayout("0:2"), "");
  static_assert(!IsStaticLayout("_-4:2"), "");
  // Shape and stride of different profile.
  static_assert(!IsStaticLayout("(4,2):(1)"), "");
  static_assert(!IsStaticLayout("(4):2"), "");
  static_assert(!IsStaticLayout("((4,2),3):(1,(4,8))"), "");
  // What does not fit.
  static_assert(!IsStaticLayout("9223372036854775808:1"), "");
  static_assert(IsStaticLayout("9223372036854775807:1"), "");
  static_assert(!IsStaticLayout("9223372036854775807:2"), "");
  static_assert(!IsStaticLayout("(4294967296,2147483648):(0,0)"), "");
  static_assert(!IsStaticLayout("(2,2):(9223372036854775807,1)"), "");
  static_assert(IsStaticLayout("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                               "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1):"
                               "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                               "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
                "");
  static_assert(!IsStaticLayout("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                                "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1):"
                                "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                                "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
                "");
}

// As a program that runs reads text, so that many can be tried.
TEST(ParseStaticLayout, AgreesWithTheLiteralLayout) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  options.negative_strides = true;
  for (int64_t n = 0; n < 5000; ++n) {
    const LiteralLayout literal = RandomCuteLayout(options, &random);
    const std::string text = literal.ToString();
    StaticLayout layout;
    ASSERT_EQ(internal::ParseLayout(text, &layout), nullptr) << text;
    ASSERT_EQ(layout.ToString(), text);
    ASSERT_EQ(layout.size(), literal.Size()) << text;
    ASSERT_EQ(layout.rank(),
              literal.is_leaf ? 1 : static_cast<int>(literal.modes.size()))
        << text;
    ASSERT_EQ(ToLayout(layout), *ParseLayout(text)) << text;
    // With a character changed, it is read both here and at run time, or
    // refused both here and there.
    std::string changed = text;
    changed[Uniform(0, text.size() - 1, &random)] =
        "(),:-120_ \t"[Uniform(0, 10, &random)];
    ASSERT_EQ(IsStaticLayout(changed), ParseLayout(changed).ok()) << changed;
  }
}

TEST(ToLayout, OfOneIsTheDefault) { EXPECT_EQ(ToLayout(kOne), Layout()); }

TEST(ToLayout, KeepsTheNesting) {
  for (const StaticLayout& layout : {kOne, kInteger, kTupleOfOne, kDeepOne,
                                     kTile, kSizesOfOne, kDeep, kLarge}) {
    EXPECT_EQ(ToLayout(layout).ToString(), layout.ToString());
    EXPECT_EQ(ToLayout(layout), *ParseLayout(layout.ToString()));
  }
}

template <const StaticLayout& kLayout>
void ExpectTheLiteralValues() {
  constexpr FixedLayout<kLayout> fixed;
  const std::string text = kLayout.ToString();
  const LiteralLayout literal = *ParseLiteralLayout(text);
  for (int64_t i = 0; i < 3 * literal.Size(); ++i) {
    const int64_t value = literal.Evaluate(i);
    ASSERT_EQ(fixed(i), value) << text << " " << i;
    ASSERT_EQ(fixed(static_cast<int>(i)), value) << text << " " << i;
    ASSERT_EQ(fixed(static_cast<uint16_t>(i)), value) << text << " " << i;
  }
}

TEST(FixedLayout, HasTheLiteralValuesAtEveryIndex) {
  ExpectTheLiteralValues<kOne>();
  ExpectTheLiteralValues<kInteger>();
  ExpectTheLiteralValues<kRowMajor>();
  ExpectTheLiteralValues<kPowers>();
  ExpectTheLiteralValues<kTile>();
  ExpectTheLiteralValues<kSizesOfOne>();
  ExpectTheLiteralValues<kDeep>();
  ExpectTheLiteralValues<kGoesOn>();
}

template <const StaticLayout& kLayout>
void ExpectTheLiteralPairs() {
  constexpr FixedLayout<kLayout> fixed;
  const LiteralLayout literal = *ParseLiteralLayout(kLayout.ToString());
  LiteralTuple pair;
  pair.is_leaf = false;
  pair.modes.resize(2);
  // Past the sizes too.
  for (int i = 0; i < 40; ++i) {
    for (int64_t j = 0; j < 40; ++j) {
      pair.modes[0].value = i;
      pair.modes[1].value = j;
      const int64_t value = literal.Evaluate(pair);
      ASSERT_EQ(fixed(i, j), value) << i << " " << j;
      ASSERT_EQ(fixed(std::make_tuple(i, j)), value) << i << " " << j;
    }
  }
}

TEST(FixedLayout, HasTheLiteralValuesAtPairs) {
  ExpectTheLiteralPairs<kRowMajor>();
  ExpectTheLiteralPairs<kPowers>();
  ExpectTheLiteralPairs<kTile>();
}

TEST(FixedLayout, TakesNestedCoordinates) {
  constexpr FixedLayout<kDeep> deep;
  const LiteralLayout literal = *ParseLiteralLayout(kDeep.ToString());
  const auto value = [&](absl::string_view coordinate) {
    return literal.Evaluate(*ParseLiteralTuple(coordinate));
  };
  EXPECT_EQ(deep(1, 59, 2), value("(1,59,2)"));
  EXPECT_EQ(deep(1, std::make_tuple(5, 9), 2), value("(1,(5,9),2)"));
  EXPECT_EQ(deep(0, std::make_tuple(std::make_tuple(2, 1), 7), 1),
            value("(0,((2,1),7),1)"));
  EXPECT_EQ(
      deep(0, std::make_tuple(4, std::make_tuple(1, std::make_tuple(3))), 1),
      value("(0,(4,(1,(3))),1)"));
  EXPECT_EQ(FixedLayout<kTupleOfOne>()(std::make_tuple(3)), 6);
  EXPECT_EQ(FixedLayout<kDeepOne>()(std::make_tuple(std::make_tuple(3))), -6);
}

TEST(FixedLayout, CountsBeyond32Bits) {
  constexpr FixedLayout<kLarge> large;
  static_assert(large((int64_t{1} << 32) * 7 + 5) == 3 * 5 - 7, "");
  // An index of 32 bits cannot reach the second mode.
  static_assert(large(4294967295u) == 3 * int64_t{4294967295}, "");
  static_assert(large(0, int64_t{1} << 29, 1) == 5 - (int64_t{1} << 29), "");
}

// The terms need not fit into int64_t, nor need their sum.
TEST(FixedLayout, GoesOnPastItsSizeModulo2To64) {
  static constexpr StaticLayout kFar =
      ParseStaticLayout("(2,2):(4611686018427387904,4611686018427387902)");
  constexpr FixedLayout<kFar> far;
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  static_assert(far(2, 1) == kMin + 4611686018427387902, "");
  static_assert(far(1, 2) == 4611686018427387904 - 4 + kMin, "");
  static_assert(far(2, 2) == -4, "");
  static_assert(far(std::make_tuple(3, 3)) == 9223372036854775802, "");
  EXPECT_EQ(far(2, 2), -4);
}

}  // namespace
}  // namespace cute
}  // namespace tessera
