#include "tessera/cute/algebra/composition.h"

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera {
namespace cute {
namespace {

std::string Composed(absl::string_view a, absl::string_view tiler) {
  return TextOf(Composition(LayoutOf(a), TilerOf(tiler)));
}

constexpr CompositionOptions RuleAlone() {
  CompositionOptions options;
  options.max_evaluations = 0;
  return options;
}

TEST(Composition, Example) {
  EXPECT_EQ(Composed("(6,2):(8,2)", "(4,3):(3,1)"), "((2,2),3):((24,2),8)");
  const Layout a = LayoutOf("(12,(4,8)):(59,(13,1))");
  EXPECT_EQ(TextOf(Composition(a, TilerOf("<3:4, 8:2>"))),
            "(3,(2,4)):(236,(26,1))");
  EXPECT_EQ(TextOf(Composition(a, *Tiler::OfShape({3, 8}))),
            "(3,(4,2)):(59,(13,1))");
  EXPECT_EQ(Composed("(3,5):(7,100)", "4:2"),
            "error: no layout equals A o B: in B, 4:2, A(B) is 200 at "
            "coordinate 3, where (2,2):(14,107), the only one with the values "
            "before it, gives 121");
}

// The judge of refusals: what the message says has to be so.

int64_t Number(const std::string& text) {
  int64_t number = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &number)) << text;
  return number;
}

// `coordinate` with every integer but the one under `path` made 0.
LiteralTuple Only(LiteralTuple coordinate, const std::vector<size_t>& path,
                  size_t level, bool is_on_path) {
  if (coordinate.is_leaf) {
    if (!is_on_path) coordinate.value = 0;
    return coordinate;
  }
  for (size_t i = 0; i < coordinate.modes.size(); ++i) {
    coordinate.modes[i] =
        Only(coordinate.modes[i], path, level + 1,
             is_on_path && level < path.size() && path[level] == i);
  }
  return coordinate;
}

// The paths to all leaves.
void AppendPaths(const LiteralTuple& tuple, std::vector<size_t> path,
                 std::vector<std::vector<size_t>>* paths) {
  if (tuple.is_leaf) paths->push_back(path);
  for (size_t i = 0; i < tuple.modes.size(); ++i) {
    std::vector<size_t> deeper = path;
    deeper.push_back(i);
    AppendPaths(tuple.modes[i], deeper, paths);
  }
}

class Refusal {
 public:
  Refusal(const LiteralPair& pair, const std::string& message)
      : pair_(pair), message_(message) {}

  // "" if the message is true, else what is not.
  std::string Judge() const {
    static const std::regex kRun(
        "no layout equals A o B: in (?:mode ([0-9,]+) of )?B, "
        "(\\d+):(-?\\d+), A\\(B\\) is (-?\\d+) at coordinate (\\S+), not "
        "(-?\\d+), which ends a run of (\\d+) equal steps; (\\d+) does not "
        "divide (\\d+)");
    static const std::regex kValue(
        "no layout equals A o B: in (?:mode ([0-9,]+) of )?B, "
        "(\\d+):(-?\\d+), A\\(B\\) is (-?\\d+) at coordinate (\\S+), where "
        "(\\S+), the only one with the values before it, gives (-?\\d+)");
    static const std::regex kCarry(
        "no layout equals A o B: at coordinate (\\S+) A\\(B\\) is "
        "A\\((-?\\d+)\\) = (-?\\d+), but its values in each mode alone add up "
        "to (-?\\d+); the leaves of B carry out of mode \\d+ of the coalesced "
        "A, "
        "\\d+:-?\\d+");
    static const std::regex kNegative(
        "B goes below coordinate 0, where a layout of several modes has no "
        "value: (?:mode ([0-9,]+) of )?B, (\\d+):(-\\d+) is (-\\d+) at "
        "coordinate (\\S+)");
    // With max_evaluations = 0, why the rule does not admit the pair.
    static const std::regex kObjection(
        "in (?:mode ([0-9,]+) of )?B, (\\d+):(-?\\d+), the stride (\\d+) in "
        "mode (\\d+) of the coalesced A, (\\d+:-?\\d+), (is not divisible by "
        "its size|does not divide its size|leaves a number of elements in it "
        "that does not divide the size of the leaf), at coordinate (\\S+); "
        "whether a layout equals A o B all the same takes (\\d+) values "
        "to decide, and max_evaluations is 0");
    static const std::regex kReach(
        "the leaves of B together reach digit (\\d+) in mode (\\d+) of the "
        "coalesced A, (\\d+:-?\\d+), and carry, at coordinate (\\S+); whether "
        "a layout equals A o B all the same takes (\\d+) values to "
        "decide, and max_evaluations is 0");
    // One is tried, since they take their time to fail.
    const auto matches = [&](absl::string_view word, const std::regex& regex,
                             std::smatch* match) {
      return absl::StrContains(message_, word) &&
             std::regex_match(message_, *match, regex);
    };
    std::smatch match;
    if (matches("the stride", kObjection, &match)) return JudgeObjection(match);
    if (matches("together reach", kReach, &match)) return JudgeReach(match);
    if (matches("ends a run", kRun, &match)) return JudgeRun(match);
    if (matches("the only one", kValue, &match)) return JudgeValue(match);
    if (matches("add up", kCarry, &match)) return JudgeCarry(match);
    if (matches("goes below", kNegative, &match)) return JudgeNegative(match);
    return "no such message";
  }

 private:
  static std::vector<size_t> Path(const std::smatch& match) {
    std::vector<size_t> path;
    if (!match[1].matched) return path;
    for (const auto step : absl::StrSplit(match[1].str(), ',')) {
      path.push_back(Number(std::string(step)));
    }
    return path;
  }

  std::string JudgeLeaf(const std::smatch& match) const {
    const LiteralLayout* leaf = &pair_.b;
    for (const size_t step : Path(match)) leaf = &leaf->modes.at(step);
    return leaf->is_leaf && leaf->shape == Number(match[2]) &&
                   leaf->stride == Number(match[3])
               ? ""
               : "the leaf";
  }

  int64_t ValueAt(const LiteralTuple& coordinate) const {
    return pair_.a.Evaluate(pair_.b.Evaluate(coordinate));
  }
  // A(B) at the i-th coordinate of a leaf, all others being 0.
  int64_t ValueInLeaf(const std::smatch& match, int64_t i) const {
    return pair_.a.Evaluate(i * Number(match[3]));
  }

  // The coordinate at which only the leaf that is named is not 0, or -1.
  int64_t Witness(const std::smatch& match) const {
    const LiteralTuple coordinate = *ParseLiteralTuple(match[5].str());
    if (ValueAt(coordinate) != Number(match[4])) return -1;
    if (!(Only(coordinate, Path(match), 0, true) == coordinate)) return -1;
    const LiteralTuple* leaf = &coordinate;
    for (const size_t step : Path(match)) leaf = &leaf->modes.at(step);
    return leaf->value < Number(match[2]) ? leaf->value : -1;
  }

  std::string JudgeNegative(const std::smatch& match) const {
    const LiteralTuple coordinate = *ParseLiteralTuple(match[5].str());
    if (pair_.b.Evaluate(coordinate) != Number(match[4])) return "the value";
    return Number(match[4]) < 0 ? JudgeLeaf(match) : "it is not below 0";
  }

  std::string JudgeRun(const std::smatch& match) const {
    if (const std::string leaf = JudgeLeaf(match); !leaf.empty()) return leaf;
    const int64_t witness = Witness(match);
    const int64_t run = Number(match[7]);
    const int64_t rest = Number(match[9]);
    if (witness < 1 || witness % run != 0) return "the coordinate";
    const int64_t scale = witness / run;
    if (rest * scale != Number(match[2])) return "the size that is left";
    if (run != Number(match[8]) || rest % run == 0) return "it divides";
    for (int64_t k = 0; k < run; ++k) {
      if (ValueInLeaf(match, k * scale) != k * ValueInLeaf(match, scale)) {
        return "the run";
      }
    }
    return Number(match[6]) == run * ValueInLeaf(match, scale) &&
                   Number(match[6]) != Number(match[4])
               ? ""
               : "what the run would have";
  }

  std::string JudgeValue(const std::smatch& match) const {
    if (const std::string leaf = JudgeLeaf(match); !leaf.empty()) return leaf;
    const int64_t witness = Witness(match);
    if (witness < 1) return "the coordinate";
    const LiteralLayout only = *ParseLiteralLayout(match[6].str());
    if (only.Size() != Number(match[2])) return "the size of the other layout";
    for (int64_t i = 0; i < witness; ++i) {
      if (only.Evaluate(i) != ValueInLeaf(match, i)) return "values before it";
    }
    return only.Evaluate(witness) == Number(match[7]) &&
                   Number(match[7]) != Number(match[4])
               ? ""
               : "what the other layout has";
  }

  std::string JudgeCarry(const std::smatch& match) const {
    const LiteralTuple coordinate = *ParseLiteralTuple(match[1].str());
    if (pair_.b.Evaluate(coordinate) != Number(match[2]))
      return "the value of B";
    if (ValueAt(coordinate) != Number(match[3])) return "the value of A(B)";
    std::vector<std::vector<size_t>> paths;
    AppendPaths(coordinate, {}, &paths);
    int64_t sum = 0;
    for (const std::vector<size_t>& path : paths) {
      sum += ValueAt(Only(coordinate, path, 0, true));
    }
    return sum == Number(match[4]) && sum != Number(match[3]) ? "" : "the sum";
  }

  std::string JudgeObjection(const std::smatch& match) const {
    if (const std::string leaf = JudgeLeaf(match); !leaf.empty()) return leaf;
    const Layout::Leaves modes = ExtendedLeaves(LayoutOf(pair_.a).leaves());
    const int64_t size = modes.at(Number(match[5])).size;
    if (absl::StrCat(size, ":", modes.at(Number(match[5])).stride) !=
        match[6].str()) {
      return "the mode of A";
    }
    const LiteralTuple coordinate = *ParseLiteralTuple(match[8].str());
    if (!(Only(coordinate, Path(match), 0, true) == coordinate)) {
      return "the coordinate";
    }
    const int64_t stride = Number(match[4]);
    const bool is_so =
        match[7] == "is not divisible by its size"
            ? stride > size && stride % size != 0
        : match[7] == "does not divide its size"
            ? stride < size && size % stride != 0
            : size % stride == 0 && Number(match[2]) % (size / stride) != 0;
    return is_so || stride == 1 ? "" : "the stride";
  }

  // The digits in one mode of A, where each leaf alone is not 0.
  std::string JudgeReach(const std::smatch& match) const {
    const Layout::Leaves modes = ExtendedLeaves(LayoutOf(pair_.a).leaves());
    const size_t mode = Number(match[2]);
    if (absl::StrCat(modes.at(mode).size, ":", modes.at(mode).stride) !=
        match[3].str()) {
      return "the mode of A";
    }
    int64_t extent = 1;
    for (size_t k = 0; k < mode; ++k) extent *= modes[k].size;
    const LiteralTuple coordinate = *ParseLiteralTuple(match[4].str());
    std::vector<std::vector<size_t>> paths;
    AppendPaths(coordinate, {}, &paths);
    int64_t digits = 0;
    for (const std::vector<size_t>& path : paths) {
      digits += pair_.b.Evaluate(Only(coordinate, path, 0, true)) / extent %
                modes[mode].size;
    }
    return digits == Number(match[1]) && digits >= modes[mode].size
               ? ""
               : "the digits";
  }

  const LiteralPair& pair_;
  const std::string& message_;
};

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
    // Regular expressions take longer than all the rest.
    const bool judges_words = n % 4 == 0;
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
      EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument)
          << where << ": " << result.status();
      const std::string message(result.status().message());
      if (judges_words) {
        EXPECT_EQ(Refusal(pair, message).Judge(), "")
            << where << ": " << message;
      }
      // Below coordinate 0 the judge has values that the library has not.
      EXPECT_TRUE(message.rfind("B goes below", 0) == 0 ||
                  !LayoutExists(pair.a, pair.b))
          << where << ": " << message;
    }
    const absl::StatusOr<Layout> by_rule = Composition(a, b, RuleAlone());
    EXPECT_EQ(JudgeResult(pair, by_rule), "") << where;
    if (by_rule.ok()) {
      EXPECT_EQ(TextOf(by_rule), TextOf(result)) << where;
    } else {
      counts.by_exact_decision += result.ok();
      if (judges_words) {
        const std::string message(by_rule.status().message());
        EXPECT_EQ(Refusal(pair, message).Judge(), "")
            << where << ": " << message;
      }
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
            "coordinate 3, where (2,2):(14,107), the only one with the values "
            "before it, gives 121");
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
  absl::string_view a;
  absl::string_view b;
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
      {"(4,2):(-1,8)", "1:-2", "1:0"},
      {"(4,2):(1,8)", "(2,(1,3)):(4,(0,-1))",
       "error: B goes below coordinate 0, where a layout of several modes has "
       "no value: mode 1,1 of B, 3:-1 is -1 at coordinate (0,(0,1))"},
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
       "3, where (2,2):(14,107), the only one with the values before it, gives "
       "121"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Composed(c.a, c.b), c.expected) << c.a << " o " << c.b;
  }
}

TEST(Composition, ErrorCodes) {
  const struct {
    absl::string_view a;
    absl::string_view b;
    int64_t max_evaluations;
    absl::StatusCode code;
    absl::string_view message;
  } kCases[] = {
      {"(3,5):(7,100)", "4:2", 0, absl::StatusCode::kResourceExhausted,
       "in B, 4:2, the stride 2 in mode 0 of the coalesced A, 3:7, does not "
       "divide its size, at coordinate 1; whether a layout equals A o B all "
       "the same takes 8 values to decide, and max_evaluations is 0"},
      {"(3,5):(7,100)", "(2,4):(1,4)", 7, absl::StatusCode::kResourceExhausted,
       "in mode 1 of B, 4:4, the stride 4 in mode 0 of the coalesced A, 3:7, "
       "is not divisible by its size, at coordinate (0,1); whether a layout "
       "equals A o B all the same takes 8 values to decide, and "
       "max_evaluations is 7"},
      {"(6,2):(8,2)", "9:1", 0, absl::StatusCode::kResourceExhausted,
       "in B, 9:1, the stride 1 in mode 0 of the coalesced A, 6:8, leaves a "
       "number of elements in it that does not divide the size of the leaf, at "
       "coordinate 6; whether a layout equals A o B all the same takes 18 "
       "values to decide, and max_evaluations is 0"},
      {"(12,2):(1,100)", "(3,2):(4,6)", 5, absl::StatusCode::kResourceExhausted,
       "the leaves of B together reach digit 14 in mode 0 of the coalesced A, "
       "12:1, and carry, at coordinate (2,1); whether a layout equals A o B "
       "all "
       "the same takes 6 values to decide, and max_evaluations is 5"},
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
    EXPECT_EQ(status.code(), c.code) << c.a << " o " << c.b;
    EXPECT_EQ(std::string(status.message()), c.message);
  }
}

// What the limit leaves is what it says: one coordinate less is too few.
TEST(Composition, MaxEvaluationsIsTheNumberNeeded) {
  const Layout a = LayoutOf("(12,2):(1,12)");
  const Layout carried = LayoutOf("(12,2):(1,100)");
  CompositionOptions options;
  options.max_evaluations = 6;
  EXPECT_EQ(
      Composition(carried, LayoutOf("(3,2):(4,6)"), options).status().code(),
      absl::StatusCode::kInvalidArgument);
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
      {"(4,(2,3)):(1,(4,8))", "<_, <_, 1>>", "(4,(2,1)):(1,(4,8))"},
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
       "coordinate 3, where (2,2):(14,107), the only one with the values "
       "before it, gives 121"},
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
      return Composition(LayoutOf(a), *Layout::Create(tiler.size, 1));
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
                absl::string_view::npos)
          << where << ": " << result.status();
    }
  }
  EXPECT_GT(composed, Samples(20000) / 4);
}

}  // namespace
}  // namespace cute
}  // namespace tessera
