#include "tessera/cute/int_tuple.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "tessera/cute/basis.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/text_form.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {
namespace {

TEST(Profile, Example) {
  Profile profile(
      Profile::Nodes{2, 2, Profile::kLeaf, Profile::kLeaf, Profile::kLeaf});
  EXPECT_EQ(profile.rank(), 2);
  EXPECT_EQ(profile.depth(), 2);
  EXPECT_EQ(profile.leaf_count(), 3);
  EXPECT_EQ(profile, TupleOf("((9,9),9)").profile());
}

TEST(Basis, AllThatFits) {
  for (const int64_t mode : {0, 1, 17, 254}) {
    const std::optional<Basis> basis = Basis().Within(mode);
    ASSERT_TRUE(basis.has_value()) << mode;
    EXPECT_FALSE(basis->is_none());
    EXPECT_EQ(basis->mode(0), mode);
    EXPECT_EQ(basis->depth(), 1);
  }
  EXPECT_FALSE(Basis().Within(255).has_value());
  EXPECT_FALSE(Basis().Within(-1).has_value());
  EXPECT_TRUE(Basis().is_none());
  EXPECT_EQ(Basis().depth(), 0);
  EXPECT_EQ(Basis().ToString(), "");

  Basis deep;
  for (int64_t i = 0; i < 8; ++i) deep = *deep.Within(250 + i % 5);
  EXPECT_EQ(deep.depth(), 8);
  EXPECT_EQ(deep.ToString(), "@250@251@252@253@254@250@251@252");
  EXPECT_EQ(deep.mode(0), 252);
  EXPECT_EQ(deep.mode(7), 250);
  EXPECT_EQ(deep.Outermost(8), deep);
  EXPECT_EQ(deep.Outermost(2).ToString(), "@251@252");
  EXPECT_TRUE(deep.Outermost(0).is_none());
  EXPECT_FALSE(deep.Within(0).has_value());
}

// All tuples of up to `nodes` integers and tuples, over a few integers.
void AppendTuples(int64_t nodes, std::vector<IntTuple>* tuples) {
  std::vector<std::vector<IntTuple>> of_nodes(nodes + 1);
  for (int64_t n = 1; n <= nodes; ++n) {
    if (n == 1) of_nodes[n] = {1, 2, 3, 6};
    // One mode, and two.
    for (const IntTuple& mode : of_nodes[n - 1]) of_nodes[n].push_back({mode});
    for (int64_t k = 1; k + 2 <= n; ++k) {
      for (const IntTuple& first : of_nodes[k]) {
        for (const IntTuple& second : of_nodes[n - 1 - k]) {
          of_nodes[n].push_back({first, second});
        }
      }
    }
  }
  for (const auto& some : of_nodes) {
    tuples->insert(tuples->end(), some.begin(), some.end());
  }
}

// Reflexive, antisymmetric up to `is_same`, transitive.
template <typename Relation, typename Same>
void ExpectPartialOrder(const std::vector<IntTuple>& tuples,
                        const Relation& relation, const Same& is_same) {
  const size_t count = tuples.size();
  std::vector<std::vector<bool>> holds(count, std::vector<bool>(count));
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = 0; b < count; ++b) {
      holds[a][b] = relation(tuples[a], tuples[b]);
    }
  }
  for (size_t a = 0; a < count; ++a) {
    ASSERT_TRUE(holds[a][a]) << tuples[a].ToString();
    for (size_t b = 0; b < count; ++b) {
      if (!holds[a][b]) continue;
      ASSERT_EQ(holds[b][a], is_same(tuples[a], tuples[b]))
          << tuples[a].ToString() << ", " << tuples[b].ToString();
      for (size_t c = 0; c < count; ++c) {
        ASSERT_TRUE(!holds[b][c] || holds[a][c])
            << tuples[a].ToString() << ", " << tuples[b].ToString() << ", "
            << tuples[c].ToString();
      }
    }
  }
}

TEST(IntTuple, RelationsArePartialOrders) {
  std::vector<IntTuple> tuples;
  AppendTuples(4, &tuples);
  tuples.push_back({1, 2, 3});
  tuples.push_back({2, {1, 3}, {{1}}});
  tuples.push_back(IntTuple::Tuple({}));
  ExpectPartialOrder(tuples, Congruent, Congruent);
  ExpectPartialOrder(tuples, WeaklyCongruent, Congruent);
  ExpectPartialOrder(
      tuples,
      [](const IntTuple& a, const IntTuple& b) { return Compatible(a, b); },
      [](const IntTuple& a, const IntTuple& b) { return a == b; });
  for (const IntTuple& a : tuples) {
    for (const IntTuple& b : tuples) {
      EXPECT_EQ(Congruent(a, b), Congruent(b, a));
      EXPECT_TRUE(!Congruent(a, b) || WeaklyCongruent(a, b));
      EXPECT_TRUE(!Compatible(a, b) || WeaklyCongruent(a, b));
      EXPECT_TRUE(!Compatible(a, b) || *Size(a) == *Size(b));
    }
  }
}

TEST(Compatible, IsThatOfTheJudge) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const IntTuple a = layout.shape();
        // Coarser in places, and now and then off by one.
        std::vector<IntTuple> modes = a.Modes();
        for (IntTuple& mode : modes) {
          if (Uniform(0, 2, random) == 0) mode = *Size(mode);
          if (Uniform(0, 9, random) == 0) mode = *Size(mode) + 1;
        }
        const IntTuple b = a.is_integer() ? modes[0] : IntTuple::Tuple(modes);
        ASSERT_EQ(Compatible(a, b), Compatible(LiteralOf(a), LiteralOf(b)))
            << b.ToString();
        ASSERT_EQ(Compatible(b, a), Compatible(LiteralOf(b), LiteralOf(a)))
            << b.ToString();
      });
}

TEST(Compatible, Table) {
  const struct {
    std::string_view a;
    std::string_view b;
    bool weakly_congruent;
    bool compatible;
  } kCases[] = {
      {"24", "24", true, true},
      {"24", "(24)", true, true},
      {"(24)", "24", false, false},
      {"24", "(4,6)", true, true},
      {"24", "(4,(2,3))", true, true},
      {"(4,6)", "(4,(2,3))", true, true},
      {"(4,6)", "((2,2),6)", true, true},
      {"(4,6)", "(6,4)", true, false},
      {"(4,6)", "(4,6,1)", false, false},
      {"24", "23", true, false},
      {"1", "()", true, true},
      {"()", "()", true, true},
      {"()", "1", false, false},
      {"(1)", "()", false, false},
      // A product past int64_t is no size at all.
      {"1", "(4294967296,4294967296,4294967296)", true, false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(WeaklyCongruent(TupleOf(c.a), TupleOf(c.b)), c.weakly_congruent)
        << c.a << ", " << c.b;
    EXPECT_EQ(Compatible(TupleOf(c.a), TupleOf(c.b)), c.compatible)
        << c.a << ", " << c.b;
  }
}

TEST(IntTuple, MeasuresOfTheTree) {
  const struct {
    std::string_view text;
    int64_t rank;
    int64_t depth;
    std::string size;
    std::string flat;
  } kCases[] = {
      {"7", 1, 0, "7", "7"},
      {"(7)", 1, 1, "7", "(7)"},
      {"()", 0, 1, "1", "()"},
      {"((),())", 2, 2, "1", "()"},
      {"((2,2),3)", 2, 2, "12", "(2,2,3)"},
      {"(((5)))", 1, 3, "5", "(5)"},
      {"(2,(3,(4,(5))),6)", 3, 4, "720", "(2,3,4,5,6)"},
      {"(2,0)", 2, 1, "error: the size 0 in (2,0) is less than 1", "(2,0)"},
      {"(2,_)", 2, 1, "error: the size _ in (2,_) is less than 1", "(2,_)"},
      {"(4294967296,4294967296)", 2, 1,
       "error: the size of (4294967296,4294967296) exceeds 2^63-1",
       "(4294967296,4294967296)"},
  };
  for (const auto& c : kCases) {
    const IntTuple tuple = TupleOf(c.text);
    EXPECT_EQ(tuple.rank(), c.rank) << c.text;
    EXPECT_EQ(tuple.depth(), c.depth) << c.text;
    EXPECT_EQ(TextOf(Size(tuple)), c.size) << c.text;
    EXPECT_EQ(TextOf(Flatten(tuple)), c.flat) << c.text;
    EXPECT_EQ(*Unflatten(Flatten(tuple), tuple.profile()), tuple) << c.text;
    if (!tuple.is_integer()) {
      EXPECT_EQ(IntTuple::Tuple(tuple.Modes()), tuple) << c.text;
    }
    for (int64_t i = 0; i < tuple.rank(); ++i) {
      EXPECT_EQ(tuple.Modes()[i], tuple.Mode(i)) << c.text;
    }
  }
}

TEST(IntTuple, EqualityAndHash) {
  std::vector<IntTuple> tuples;
  for (const std::string_view text :
       {"4", "(4)", "((4))", "(4,4)", "((4),4)", "(4,(4))", "((4,4))", "()",
        "(())", "_", "-4"}) {
    tuples.push_back(TupleOf(text));
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(tuples));
  for (size_t i = 0; i < tuples.size(); ++i) {
    for (size_t k = 0; k < tuples.size(); ++k) {
      EXPECT_EQ(tuples[i] == tuples[k], i == k);
    }
  }
}

TEST(IntTuple, OfManyWays) {
  EXPECT_EQ(IntTuple(), IntTuple(0));
  EXPECT_EQ(IntTuple::Flat({5}), IntTuple(5));
  EXPECT_EQ(IntTuple::Flat({5, 6}), IntTuple({5, 6}));
  EXPECT_EQ(TextOf(IntTuple::Flat({})), "()");
  EXPECT_EQ(TextOf(IntTuple::Tuple({})), "()");
  // In C++ `{}` is the default value before it is a list of none.
  EXPECT_EQ(TextOf(IntTuple{}), "0");
  EXPECT_EQ(TextOf(IntTuple({2, {}})), "(2,0)");
}

TEST(Profile, DescribesALeaf) {
  const Profile profile = TupleOf("(1,((2),3),4)").profile();
  const std::string kExpected[] = {"mode 0 of A", "mode 1,0,0 of A",
                                   "mode 1,1 of A", "mode 2 of A"};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(DescribeLeafOf(profile, i, "A"), kExpected[i]);
  }
  EXPECT_EQ(DescribeLeafOf(Profile(), 0, "A"), "A");
}

}  // namespace
}  // namespace tessera::cute
