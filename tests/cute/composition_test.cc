#include "tessera/cute/algebra/composition.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/composition_refusal.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

std::string Composed(std::string_view a, std::string_view tiler) {
  return TextOf(Composition(LayoutOf(a), TilerOf(tiler)));
}

constexpr CompositionOptions RuleAlone() {
  CompositionOptions options;
  options.max_evaluations = 0;
  return options;
}

TEST(CompositionRefusal, IsThatOfTheModeInACompositionByMode) {
  const absl::Status status =
      Composition(LayoutOf("(4,(2,(3,5))):(1,(4,(7,100)))"),
                  TilerOf("<2, <1, 4:2>>"))
          .status();
  EXPECT_TRUE(
      tessera::StartsWith(StdView(status.message()), "in mode 1,1: no layout"));
  const std::optional<CompositionRefusal> refusal =
      CompositionRefusalOf(status);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->reason, CompositionRefusal::Reason::kOtherValue);
  EXPECT_EQ(refusal->coordinate, IntTuple::Values({3}));
}

TEST(CompositionRefusal, OtherErrorsHaveNone) {
  EXPECT_FALSE(CompositionRefusalOf(absl::OkStatus()).has_value());
  EXPECT_FALSE(CompositionRefusalOf(
                   Composition(LayoutOf("4:1"), LayoutOf("3:1@1")).status())
                   .has_value());
}

// Payloads are anybody's, so one that no composition wrote is no refusal.
TEST(CompositionRefusal, IsThatOfTheLayoutInAComposedLayout) {
  const ComposedLayout composed(Swizzle(), 0, LayoutOf("(3,5):(7,100)"));
  const absl::Status status = Composition(composed, TilerOf("4:2")).status();
  const std::optional<CompositionRefusal> refusal =
      CompositionRefusalOf(status);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->reason, CompositionRefusal::Reason::kOtherValue);
  EXPECT_EQ(refusal->coordinate, IntTuple::Values({3}));
}

// A divide composes A with the tile and the tiles, a product the repetitions of
// the block with the tiles: the numbers of those are not about what was given.
TEST(CompositionRefusal, DividesAndProductsHaveNone) {
  const Layout a = LayoutOf("(7,(3,5)):(1,(7,100))");
  const Tiler tiler = TilerOf("<_, 2>");
  const Layout block = LayoutOf("(2,2):(2,7)");
  const Layout tiles = LayoutOf("3:1");
  for (const absl::Status& status :
       {LogicalDivide(a, tiler).status(), ZippedDivide(a, tiler).status(),
        LogicalProduct(block, tiles).status(),
        BlockedProduct(block, tiles).status()}) {
    EXPECT_TRUE(tessera::StrContains(StdView(status.message()),
                                     "no layout equals A o B"))
        << status;
    EXPECT_FALSE(CompositionRefusalOf(status).has_value()) << status;
  }
}

TEST(CompositionRefusal, PayloadThatIsCutShortHasNone) {
  constexpr std::string_view kUrl =
      "type.googleapis.com/tessera.cute.CompositionRefusal";
  const absl::Status written =
      Composition(LayoutOf("(3,5):(7,100)"), LayoutOf("4:2")).status();
  const std::string payload(*written.GetPayload(AbslView(kUrl)));
  EXPECT_EQ(payload, "2 6 0 -1 200 121 0 0 0 0 0 1 3 2 14 2 107");
  const auto refusal_of = [&](std::string_view text) {
    absl::Status status = absl::InvalidArgumentError("");
    status.SetPayload(AbslView(kUrl), absl::Cord(AbslView(text)));
    return CompositionRefusalOf(status);
  };
  EXPECT_TRUE(refusal_of(payload).has_value());
  for (const std::string_view bad :
       {"", "2", "2 6 0 -1 200 121 0 0 0 0 0", "-1 6 0 -1 200 121 0 0 0 0 0 0",
        "8 6 0 -1 200 121 0 0 0 0 0 0", "2 6 0 -1 200 121 0 0 0 0 0 -1",
        "2 6 0 -1 200 121 0 0 0 0 0 2 3", "2 6 0 -1 200 121 0 0 0 0 0 1 three",
        "2 6 0 -1 200 121 0 0 0 0 0 9223372036854775807 3",
        "2 6 0 -1 200 121 0 0 0 0 0 1 3 2", "2 6 0 -1  121 0 0 0 0 0 1 3"}) {
    EXPECT_FALSE(refusal_of(bad).has_value()) << bad;
  }
}

// The judge of refusals: what they say has to be so.
class Refusal {
 public:
  Refusal(const LiteralPair& pair, const CompositionRefusal& said)
      : pair_(pair),
        said_(said),
        profile_(LayoutOf(pair.b).profile()),
        leaves_(pair.b.Leaves()) {}

  // "" if it is true, else what is not.
  std::string Judge() const {
    if (said_.coordinate.size() != leaves_.size()) return "the coordinate";
    for (size_t i = 0; i < leaves_.size(); ++i) {
      if (said_.coordinate[i] < 0 || said_.coordinate[i] >= leaves_[i].shape) {
        return "the coordinate";
      }
    }
    if (pair_.b.Evaluate(Coordinate()) != said_.index) return "the value of B";
    switch (said_.reason) {
      case Reason::kOppositeSigns:
        return HasBothSigns() ? "" : "the signs";
      case Reason::kRunDoesNotDivide:
        return JudgeRun();
      case Reason::kOtherValue:
        return JudgeOtherValue();
      case Reason::kCarry:
        return JudgeCarry();
      case Reason::kStrideNotDivisible:
      case Reason::kStrideDoesNotDivide:
      case Reason::kCountDoesNotDivide:
        return JudgeObjection();
      case Reason::kDigitsCarry:
        return JudgeDigits();
    }
    return "no such reason";
  }

 private:
  using Reason = CompositionRefusal::Reason;

  // The coordinate with integers zeroed where `is_kept` is false.
  template <typename IsKept>
  LiteralTuple CoordinateOf(const IsKept& is_kept) const {
    IntTuple::Values integers = said_.coordinate;
    for (size_t i = 0; i < integers.size(); ++i) {
      if (!is_kept(i)) integers[i] = 0;
    }
    return LiteralOf(IntTuple(profile_, integers));
  }
  LiteralTuple Coordinate() const {
    return CoordinateOf([](size_t) { return true; });
  }
  LiteralTuple Only(size_t leaf) const {
    return CoordinateOf([&](size_t i) { return i == leaf; });
  }

  // Whether a leaf is named, and is where alone the coordinate is not 0.
  bool IsInLeaf() const {
    return said_.leaf >= 0 &&
           said_.leaf < static_cast<int64_t>(leaves_.size()) &&
           Only(said_.leaf) == Coordinate() && Witness() >= 1;
  }
  const LiteralLayout& Leaf() const { return leaves_[said_.leaf]; }
  int64_t Witness() const { return said_.coordinate[said_.leaf]; }

  int64_t ValueAt(const LiteralTuple& coordinate) const {
    return pair_.a.Evaluate(pair_.b.Evaluate(coordinate));
  }
  // A(B) at the i-th coordinate of the leaf, all others being 0.
  int64_t ValueInLeaf(int64_t i) const {
    return pair_.a.Evaluate(i * Leaf().stride);
  }
  // Whether A(B) is what is said, and not what is expected.
  bool ValueIsSo() const {
    return ValueAt(Coordinate()) == said_.value &&
           said_.value != said_.expected;
  }

  std::string JudgeRun() const {
    if (!IsInLeaf()) return "the leaf";
    if (!ValueIsSo()) return "the value of A(B)";
    const int64_t run = said_.run;
    if (run < 1 || Witness() % run != 0) return "the coordinate";
    const int64_t scale = Witness() / run;
    if (said_.rest * scale != Leaf().shape) return "the size that is left";
    if (said_.rest % run == 0) return "it divides";
    for (int64_t k = 0; k < run; ++k) {
      if (ValueInLeaf(k * scale) != k * ValueInLeaf(scale)) return "the run";
    }
    return said_.expected == run * ValueInLeaf(scale)
               ? ""
               : "what the run would have";
  }

  std::string JudgeOtherValue() const {
    if (!IsInLeaf()) return "the leaf";
    if (!ValueIsSo()) return "the value of A(B)";
    std::vector<LiteralLayout> modes;
    for (const Layout::Leaf& mode : said_.modes) {
      modes.push_back(LiteralLayout::Leaf(mode.size, mode.stride));
    }
    const LiteralLayout only = LiteralLayout::Tuple(modes);
    if (only.Size() != Leaf().shape) return "the size of the other layout";
    for (int64_t i = 0; i < Witness(); ++i) {
      if (only.Evaluate(i) != ValueInLeaf(i)) return "values before it";
    }
    return only.Evaluate(Witness()) == said_.expected
               ? ""
               : "what the other layout has";
  }

  std::string JudgeCarry() const {
    if (!ValueIsSo()) return "the value of A(B)";
    int64_t sum = 0;
    for (size_t i = 0; i < leaves_.size(); ++i) sum += ValueAt(Only(i));
    if (sum != said_.expected) return "the sum";
    const std::optional<Mode> mode = ModeOfA();
    if (!mode.has_value()) return "the mode of A";
    if (HasBothSigns()) {
      int64_t digits = 0;
      for (size_t i = 0; i < leaves_.size(); ++i) {
        digits += mode->Digit(pair_.b.Evaluate(Only(i)));
      }
      return digits != mode->Digit(said_.index) ? "" : "the digits add up";
    }
    int64_t largest_digits = 0;
    for (const LiteralLayout& leaf : leaves_) {
      int64_t largest = 0;
      for (int64_t i = 0; i < leaf.shape; ++i) {
        largest = std::max(largest, mode->Digit(i * std::abs(leaf.stride)));
      }
      largest_digits += largest;
    }
    return largest_digits >= mode->size ? "" : "it does not carry";
  }

  // The mode of A that is said.
  struct Mode {
    int64_t extent;  // of the modes before it
    int64_t size;
    int64_t Digit(int64_t index) const { return index / extent % size; }
  };
  std::optional<Mode> ModeOfA() const {
    const Layout::Leaves modes = ExtendedLeaves(LayoutOf(pair_.a).leaves());
    if (said_.mode < 0 || said_.mode >= static_cast<int64_t>(modes.size())) {
      return std::nullopt;
    }
    int64_t extent = 1;
    for (int64_t k = 0; k < said_.mode; ++k) extent *= modes[k].size;
    return Mode{extent, modes[said_.mode].size};
  }

  std::string JudgeObjection() const {
    if (!IsInLeaf()) return "the leaf";
    const std::optional<Mode> mode = ModeOfA();
    if (!mode.has_value()) return "the mode of A";
    if (said_.evaluations != 2 * Leaf().shape) return "the evaluations";
    const int64_t size = mode->size;
    const int64_t stride = std::abs(said_.stride);
    if (stride == 1) return "";
    switch (said_.reason) {
      case Reason::kStrideNotDivisible:
        return stride > size && stride % size != 0 ? "" : "it is divisible";
      case Reason::kStrideDoesNotDivide:
        return stride < size && size % stride != 0 ? "" : "it divides";
      default:
        return size % stride == 0 && Leaf().shape % (size / stride) != 0
                   ? ""
                   : "the number of elements";
    }
  }

  // The digits in one mode of A, where each leaf alone is not 0.
  std::string JudgeDigits() const {
    const std::optional<Mode> mode = ModeOfA();
    if (!mode.has_value()) return "the mode of A";
    int64_t digits = 0;
    for (size_t i = 0; i < leaves_.size(); ++i) {
      digits += mode->Digit(std::abs(pair_.b.Evaluate(Only(i))));
    }
    return digits == said_.digit && digits >= mode->size ? "" : "the digits";
  }

  bool HasBothSigns() const {
    bool has_negative = false, has_positive = false;
    for (const LiteralLayout& leaf : leaves_) {
      if (leaf.shape == 1 || leaf.stride == 0) continue;
      (leaf.stride < 0 ? has_negative : has_positive) = true;
    }
    return has_negative && has_positive;
  }

  const LiteralPair& pair_;
  const CompositionRefusal& said_;
  const Profile profile_;
  const std::vector<LiteralLayout> leaves_;
};

// "" if `status` carries a refusal that is true; else what is not.
std::string JudgeRefusal(const LiteralPair& pair, const absl::Status& status) {
  const std::optional<CompositionRefusal> said = CompositionRefusalOf(status);
  return said.has_value() ? Refusal(pair, *said).Judge() : "no refusal";
}

// "" if `result` is A o B, or refuses as it may; else what is wrong.
std::string JudgeResult(const LiteralPair& pair,
                        const absl::StatusOr<Layout>& result) {
  if (!result.ok()) return "";
  const LiteralLayout literal = LiteralOf(*result);
  if (!Compatible(pair.b.Shape(), literal.Shape())) return "not compatible";
  for (int64_t i = 0; i < pair.b.Size(); ++i) {
    if (literal.Evaluate(i) != pair.a.Evaluate(pair.b.Evaluate(i))) {
      return absl::StrCat("wrong at ", i);
    }
  }
  return "";
}

struct Counts {
  int64_t composed = 0;
  int64_t refused = 0;
  int64_t by_exact_decision = 0;
};

Counts CheckPairs(LiteralPair (*make)(const RandomCuteOptions&, RandomBits*),
                  const RandomCuteOptions& options, int64_t samples) {
  RandomBits random(TestSeed());
  Counts counts;
  for (int64_t n = 0; n < samples; ++n) {
    const LiteralPair pair = make(options, &random);
    const std::string where =
        absl::StrCat(pair.a.ToString(), " o ", pair.b.ToString());
    const Layout a = LayoutOf(pair.a);
    const Layout b = LayoutOf(pair.b);
    const absl::StatusOr<Layout> result = Composition(a, b);
    EXPECT_EQ(JudgeResult(pair, result), "") << where << ": " << TextOf(result);
    if (result.ok()) {
      ++counts.composed;
    } else {
      ++counts.refused;
      EXPECT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument))
          << where;
      EXPECT_EQ(JudgeRefusal(pair, result.status()), "")
          << where << ": " << result.status();
      EXPECT_FALSE(LayoutExists(pair.a, pair.b))
          << where << ": " << result.status();
    }
    const absl::StatusOr<Layout> by_rule = Composition(a, b, RuleAlone());
    EXPECT_EQ(JudgeResult(pair, by_rule), "") << where;
    if (by_rule.ok()) {
      EXPECT_EQ(TextOf(by_rule), TextOf(result)) << where;
    } else {
      counts.by_exact_decision += result.ok();
      EXPECT_EQ(JudgeRefusal(pair, by_rule.status()), "")
          << where << ": " << by_rule.status();
    }
    if (::testing::Test::HasFailure()) break;
  }
  return counts;
}

// Small pairs have as many ways to go wrong as large ones, and brute force is
// quick on them.
RandomCuteOptions SmallPairs() {
  RandomCuteOptions options;
  options.max_size = 120;
  return options;
}

TEST(Composition, OfRelatedPairs) {
  const Counts counts = CheckPairs(RelatedPair, SmallPairs(), Samples(50000));
  EXPECT_GT(counts.composed, counts.refused);
  EXPECT_GT(counts.refused, Samples(50000) / 20);
  EXPECT_GT(counts.by_exact_decision, Samples(50000) / 500);
}

TEST(Composition, OfUnrelatedPairs) {
  const Counts counts = CheckPairs(UnrelatedPair, SmallPairs(), Samples(50000));
  EXPECT_GT(counts.composed, Samples(50000) / 10);
  EXPECT_GT(counts.refused, Samples(50000) / 10);
  EXPECT_GT(counts.by_exact_decision, Samples(50000) / 500);
}

TEST(Composition, OfLargePairs) {
  RandomCuteOptions options;
  options.max_size = 4000;
  options.max_leaf_size = 60;
  CheckPairs(RelatedPair, options, Samples(2000));
}

TEST(Composition, OfNegativeStrides) {
  RandomCuteOptions options = SmallPairs();
  options.negative_strides = true;
  CheckPairs(RelatedPair, options, Samples(10000));
  CheckPairs(UnrelatedPair, options, Samples(10000));
}

// In C++ and cutegen d < S is accepted for the stride d in a mode of size S,
// though the run goes on past the mode: (2,2):(14,100).
TEST(Composition, WeakStrideRule) {
  EXPECT_EQ(Composed("(3,5):(7,100)", "4:2"),
            "error: no layout equals A o B: in B, 4:2, A(B) is 200 at "
            "coordinate 3, where (2,2):(14,107), the only layout with the "
            "earlier values, gives 121");
}

// No implementation sees that leaves which are right alone can carry together:
// (3,2):(4,6).
TEST(Composition, Carry) {
  EXPECT_EQ(Composed("(12,2):(1,100)", "(3,2):(4,6)"),
            "error: no layout equals A o B: at coordinate (2,1) A(B) is A(14) "
            "= 102, but its values in each mode alone add up to 14; the leaves "
            "of B carry out of mode 0 of the coalesced A, 12:1");
}

// pycute and C++ at run time cut a size off that does not divide: 6:8.
TEST(Composition, ShapeThatDoesNotDivide) {
  EXPECT_EQ(Composed("(6,2):(8,2)", "9:1"),
            "error: no layout equals A o B: in B, 9:1, A(B) is 2 at coordinate "
            "6, not 48, which ends a run of 6 equal steps; 6 does not divide "
            "9");
}

struct Case {
  std::string_view a;
  std::string_view b;
  std::string expected;
};

TEST(Composition, Results) {
  const std::vector<Case> kCases = {
      {"1:0", "1:0", "1:0"},
      {"1:0", "5:1", "5:0"},
      {"1:3", "5:1", "5:3"},
      {"4:2", "():()", "():()"},
      {"():()", "4:2", "4:0"},
      {"(4,2):(1,8)", "((2)):((1))", "((2)):((1))"},
      {"(4,2):(1,8)", "((8)):((1))", "(((4,2))):(((1,8)))"},
      {"(4,2):(1,8)", "3:0", "3:0"},
      {"(4,2):(1,8)", "(2,3):(1,0)", "(2,3):(1,0)"},
      {"(4,2):(1,8)", "(2,8):(1,2)", "(2,(2,4)):(1,(2,8))"},
      // A's modes merge first.
      {"(4,3):(1,4)", "6:1", "6:1"},
      {"(4,3):(1,4)", "5:2", "5:2"},
      {"(2,(1,3)):(1,(77,2))", "4:1", "4:1"},
      // A last mode of size 1 caps what is before it.
      {"(4,1):(1,0)", "(4,2):(1,4)", "(4,2):(1,0)"},
      {"(4,1):(1,100)", "8:1", "(4,2):(1,100)"},
      // Two elements are always a layout, though the rule does not admit them.
      {"(3,5):(7,100)", "2:2", "2:14"},
      {"(3,5):(7,100)", "2:4", "2:107"},
      {"(3,5):(7,100)", "2:7", "2:207"},
      {"(5,7):(1,3)", "(2,2):(3,5)", "(2,2):(3,3)"},
      // They carry, into a mode that goes on evenly at these coordinates.
      {"(12,2):(1,12)", "(3,2):(4,6)", "(3,2):(4,6)"},
      {"(6,2,2):(0,0,5)", "(3,2):(2,6)", "(3,2):(0,0)"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Composed(c.a, c.b), c.expected) << c.a << " o " << c.b;
  }
}

TEST(Composition, NegativeStrides) {
  const std::vector<Case> kCases = {
      {"8:3", "4:-1", "4:-3"},
      {"(4,2):(1,4)", "(4,2):(-1,-4)", "(4,2):(-1,-4)"},
      {"(4,2):(-1,8)", "4:2", "(2,2):(-2,8)"},
      {"(4,2):(-1,8)", "1:-2", "1:-8"},
      // A(-x) is -A(x), as division that truncates has it.
      {"(1,(2,4)):(0,(-1,512))", "2:-1", "2:1"},
      {"(1,(2,4)):(0,(-1,512))", "4:-1", "(2,2):(1,-512)"},
      {"(4,2):(1,8)", "(2,2):(4,-4)", "(2,2):(8,-8)"},
      {"(4,2):(-1,8)", "3:-2",
       "error: no layout equals A o B: in B, 3:-2, A(B) is -8 at coordinate 2, "
       "not 4, which ends a run of 2 equal steps; 2 does not divide 3"},
      {"(4,2):(1,8)", "(2,(1,3)):(4,(0,-1))",
       "error: no layout equals A o B: at coordinate (1,(0,1)) A(B) is A(3) = "
       "3, but its values in each mode alone add up to 7; the leaves of B "
       "carry out of mode 0 of the coalesced A, 4:1"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Composed(c.a, c.b), c.expected) << c.a << " o " << c.b;
  }
}

TEST(Composition, BasisStrides) {
  const std::vector<Case> kCases = {
      // B yields coordinates of A.
      {"(4,8):(8,1)", "(8,4):(1@1,1@0)", "(8,4):(1,8)"},
      {"(4,8):(8,1)", "(4,8):(1@0,1@1)", "(4,8):(8,1)"},
      {"((2,3),5):((1,10),100)", "(3,5):(2@0,1@1)", "(3,5):(10,100)"},
      {"((2,3),5):((1,10),100)", "(3,5):(1@1@0,1@1)", "(3,5):(10,100)"},
      {"((2,3),5):((1,10),100)", "6:1@0", "(2,3):(1,10)"},
      {"6:2", "(2,3):(1@0,2@0)", "(2,3):(2,4)"},
      // A does, and so does the result.
      {"(4,8):(1@0,1@1)", "8:1", "(4,2):(1@0,1@1)"},
      {"(4,8):(1@0,1@1)", "(2,4):(2,4)", "(2,4):(2@0,1@1)"},
      {"(4,8):(1@1,1@0)", "(4,2):(1@0,4@1)", "(4,2):(1@1,4@0)"},
      {"4:1", "(2,3):(1@0,1@1)",
       "error: the basis element of 3:1@1 in B names no mode of A: 4:1 has "
       "rank 1"},
      {"((2,3),5):((1,10),100)", "2:1@2@0",
       "error: the basis element of 2:1@2@0 in B names no mode of A: "
       "(2,3):(1,10) has rank 2"},
      {"((3,5),7):((7,100),1)", "4:2@0",
       "error: no layout equals A o B: in B, 4:2@0, A(B) is 200 at coordinate "
       "3, where (2,2):(14,107), the only layout with the earlier values, "
       "gives "
       "121"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Composed(c.a, c.b), c.expected) << c.a << " o " << c.b;
  }
}

TEST(Composition, ErrorCodes) {
  const struct {
    std::string_view a;
    std::string_view b;
    int64_t max_evaluations;
    absl::StatusCode code;
    std::string_view message;
  } kCases[] = {
      {"(3,5):(7,100)", "4:2", 0, absl::StatusCode::kResourceExhausted,
       "in B, 4:2, the stride 2 in mode 0 of the coalesced A, 3:7, does not "
       "divide its size, at coordinate 1; whether a layout still equals A o B "
       "takes 8 values to decide, and max_evaluations is 0"},
      {"(3,5):(7,100)", "(2,4):(1,4)", 7, absl::StatusCode::kResourceExhausted,
       "in mode 1 of B, 4:4, the stride 4 in mode 0 of the coalesced A, 3:7, "
       "is not divisible by its size, at coordinate (0,1); whether a layout "
       "still equals A o B takes 8 values to decide, and "
       "max_evaluations is 7"},
      {"(6,2):(8,2)", "9:1", 0, absl::StatusCode::kResourceExhausted,
       "in B, 9:1, the stride 1 in mode 0 of the coalesced A, 6:8, leaves a "
       "number of elements in it that does not divide the size of the leaf, at "
       "coordinate 6; whether a layout still equals A o B takes 18 "
       "values to decide, and max_evaluations is 0"},
      {"(12,2):(1,100)", "(3,2):(4,6)", 5, absl::StatusCode::kResourceExhausted,
       "the leaves of B together reach digit 14 in mode 0 of the coalesced A, "
       "12:1, and carry, at coordinate (2,1); whether a layout still equals A "
       "o B takes 6 values to decide, and max_evaluations is 5"},
      {"(3,5):(1@0,1@1)", "4:2", 100, absl::StatusCode::kUnimplemented,
       "in B, 4:2, the stride 2 in mode 0 of the coalesced A, 3:1@0, does not "
       "divide its size, at coordinate 1; strides of basis elements are not "
       "decided exactly"},
      {"(12,2):(1@0,1@1)", "(3,2):(4,6)", 100, absl::StatusCode::kUnimplemented,
       "the leaves of B together reach digit 14 in mode 0 of the coalesced A, "
       "12:1@0, and carry, at coordinate (2,1); strides of basis elements are "
       "not decided exactly"},
      {"2:4611686018427387904", "4:2", 100, absl::StatusCode::kOutOfRange,
       "a stride of A o B exceeds int64_t in B, 4:2"},
      {"(2,2):(1,4611686018427387904)", "8:1", 100,
       absl::StatusCode::kOutOfRange,
       "the cosize exceeds 2^63-1 at the mode 4:4611686018427387904"},
      {"(3,2):(7,4611686018427387904)", "(4,16):(0,2)", 100,
       absl::StatusCode::kOutOfRange,
       "a value of A o B exceeds int64_t in mode 1 of B, 16:2"},
  };
  for (const auto& c : kCases) {
    CompositionOptions options;
    options.max_evaluations = c.max_evaluations;
    const absl::Status status =
        Composition(LayoutOf(c.a), LayoutOf(c.b), options).status();
    EXPECT_THAT(status, StatusIs(c.code, c.message)) << c.a << " o " << c.b;
  }
}

// What the limit leaves is what it says: one coordinate less is too few.
TEST(Composition, MaxEvaluationsIsTheNumberNeeded) {
  const Layout a = LayoutOf("(12,2):(1,12)");
  const Layout carried = LayoutOf("(12,2):(1,100)");
  CompositionOptions options;
  options.max_evaluations = 6;
  EXPECT_THAT(Composition(carried, LayoutOf("(3,2):(4,6)"), options),
              StatusIs(absl::StatusCode::kInvalidArgument));
  options.max_evaluations = 0;
  EXPECT_EQ(TextOf(Composition(a, LayoutOf("(3,2):(4,6)"), options)),
            "(3,2):(4,6)");
}

// A mode of size 1 never makes a composition fail.
TEST(Composition, StrideOfASizeOneModeThatDoesNotFit) {
  EXPECT_EQ(Composed("4:-2", "1:4611686018427387904"), "1:0");
  EXPECT_EQ(Composed("4:4", "1:4611686018427387904"), "1:0");
}

TEST(Composition, HugeExtents) {
  EXPECT_EQ(Composed("(4611686018427387904,1):(1,0)", "4611686018427387904:1"),
            "4611686018427387904:1");
  EXPECT_EQ(Composed("(1152921504606846976,4):(1,2305843009213693952)",
                     "(2,2):(576460752303423488,1152921504606846976)"),
            "(2,2):(576460752303423488,2305843009213693952)");
}

TEST(CompositionByMode, Results) {
  const std::vector<Case> kCases = {
      {"(4,6):(1,4)", "<2, 3>", "(2,3):(1,4)"},
      {"(4,6):(1,4)", "<2, _>", "(2,6):(1,4)"},
      {"(4,(2,3)):(1,(4,8))", "<_, 3:2>", "(4,3):(1,8)"},
      {"(4,(2,3)):(1,(4,8))", "_", "(4,(2,3)):(1,(4,8))"},
      {"(4,(2,3)):(1,(4,8))", "<_, <_, 1>>", "(4,(2,1)):(1,(4,0))"},
      {"(4,(2,3)):(1,(4,8))", "<2>", "(2):(1)"},
      {"(4,(2,3)):(1,(4,8))", "<>", "():()"},
      // An integral mode is its own only mode.
      {"4:1", "<2>", "(2):(1)"},
      {"(4,6):(1,4)", "<<2>, <<3>>>", "((2),((3))):((1),((4)))"},
      {"(4,6):(1,4)", "<2, 3, 2>",
       "error: 3 modes are asked of a layout with 2"},
      {"(4,(2,3)):(1,(4,8))", "<2, <1, 2, 3>>",
       "error: in mode 1: 3 modes are asked of a layout with 2"},
      {"4:1", "<2, 2>", "error: 2 modes are asked of a layout with 1"},
      {"(4,(2,(3,5))):(1,(4,(7,100)))", "<2, <1, 4:2>>",
       "error: in mode 1,1: no layout equals A o B: in B, 4:2, A(B) is 200 at "
       "coordinate 3, where (2,2):(14,107), the only layout with the earlier "
       "values, gives 121"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Composed(c.a, c.b), c.expected) << c.a << " o " << c.b;
  }
}

// By its definition: each mode with its tiler.
absl::StatusOr<Layout> ModeByMode(const LiteralLayout& a,
                                  const LiteralTiler& tiler) {
  switch (tiler.kind) {
    case LiteralTiler::Kind::kLayout:
      return Composition(LayoutOf(a), LayoutOf(tiler.layout));
    case LiteralTiler::Kind::kSize:
      return Composition(LayoutOf(a), *Tiler::OfShape(tiler.size));
    case LiteralTiler::Kind::kKeep:
      return LayoutOf(a);
    case LiteralTiler::Kind::kTuple:
      break;
  }
  std::vector<Layout> modes;
  for (size_t i = 0; i < tiler.modes.size(); ++i) {
    absl::StatusOr<Layout> mode = ModeByMode(a.modes[i], tiler.modes[i]);
    if (!mode.ok()) return mode;
    modes.push_back(*std::move(mode));
  }
  return Layout::Concatenate(modes);
}

TEST(CompositionByMode, IsThatOfEachMode) {
  RandomBits random(TestSeed());
  RandomCuteOptions options;
  int64_t composed = 0;
  for (int64_t n = 0; n < Samples(20000); ++n) {
    const LiteralLayout a = RandomCuteLayout(options, &random);
    const LiteralTiler tiler = RandomTiler(a, options, &random);
    const absl::StatusOr<Layout> result =
        Composition(LayoutOf(a), TilerOf(tiler));
    const absl::StatusOr<Layout> expected = ModeByMode(a, tiler);
    const std::string where =
        absl::StrCat(a.ToString(), " o ", tiler.ToString());
    ASSERT_EQ(result.ok(), expected.ok()) << where << ": " << TextOf(result);
    if (result.ok()) {
      ++composed;
      ASSERT_EQ(*result, *expected) << where;
    } else {
      ASSERT_EQ(result.status().code(), expected.status().code()) << where;
      ASSERT_NE(result.status().message().find(expected.status().message()),
                std::string_view::npos)
          << where << ": " << result.status();
    }
  }
  EXPECT_GT(composed, Samples(20000) / 4);
}

}  // namespace
}  // namespace tessera::cute
