// Which layouts put every element at the same place, and which shapes are
// bitcasts of one another, for pairs of every layout we try: what the library
// says against a comparison of all positions.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/shape/shape.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/layout_samples.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {
namespace {

// Larger variants of a layout are not worth their time.
constexpr int64_t kMaxPositions = 20000;

// One layout, and all of what it is compared by.
struct Candidate {
  LiteralLayout layout;
  std::vector<int64_t> positions;  // of the elements, in row-major order
  Shape shape;
  IndexMap map;
};

// How often each answer was the right one: a sample that lacks one of them
// judges nothing.
struct Answers {
  int64_t yes = 0;
  int64_t no = 0;
};

std::string Disagreement(const char* question, const Candidate& a,
                         const Candidate& b, const absl::StatusOr<bool>& got,
                         bool want) {
  if (got.ok() && *got == want) return "";
  return absl::StrCat(question, "(", a.layout.ToString(), ", ",
                      b.layout.ToString(), ") is ",
                      !got.ok() ? got.status().ToString()
                      : *got    ? "true"
                                : "false",
                      ", should be ", want ? "true" : "false");
}

std::string PairDisagreement(const Candidate& a, const Candidate& b,
                             Answers* same_function, Answers* bitcast) {
  const bool same_positions = a.positions == b.positions;
  ++(same_positions ? bitcast->yes : bitcast->no);
  std::string text = Disagreement("IsBitcast", a, b,
                                  IsBitcast(a.shape, b.shape), same_positions);
  if (!text.empty() || a.layout.bounds != b.layout.bounds) return text;
  ++(same_positions ? same_function->yes : same_function->no);
  return Disagreement("SameFunction", a, b, SameFunction(a.map, b.map),
                      same_positions);
}

class EqualityDifferentialTest : public ::testing::TestWithParam<LayoutSample> {
};

TEST_P(EqualityDifferentialTest, Agree) {
  // The last layout of each number of elements.
  std::map<size_t, Candidate> earlier;
  Answers same_function;
  Answers bitcast;
  ExpectAgreement(
      GetParam(),
      [&](const LiteralLayout& layout, const LiteralArray& array,
          RandomBits* random) -> std::string {
        const auto candidate =
            [](const LiteralLayout& layout,
               const std::vector<int64_t>& positions) -> Candidate {
          const Shape shape = ToShape(layout);
          return {layout, positions, shape, ToIndexMap(shape).value()};
        };
        const Candidate self = candidate(layout, array.positions);
        const auto other = earlier.find(array.positions.size());
        if (other != earlier.end()) {
          const std::string text =
              PairDisagreement(self, other->second, &same_function, &bitcast);
          if (!text.empty()) return text;
        }
        earlier[array.positions.size()] = self;

        LiteralLayout variant = Uniform(0, 2, random) == 0
                                    ? ReshapedLayout(layout, random)
                                    : RewrittenLayout(layout, random);
        if (Uniform(0, 1, random) == 0) {
          variant = RewrittenLayout(variant, random);
        }
        if (!FitsInto(kMaxPositions, variant)) return "";
        return PairDisagreement(
            self, candidate(variant, EvaluateLiterally(variant).positions),
            &same_function, &bitcast);
      });
  EXPECT_GT(same_function.yes, 0);
  EXPECT_GT(same_function.no, 0);
  EXPECT_GT(bitcast.yes, 0);
  EXPECT_GT(bitcast.no, 0);
}

INSTANTIATE_TEST_SUITE_P(Layouts, EqualityDifferentialTest,
                         ::testing::ValuesIn(LayoutSamples()), SampleName);

}  // namespace
}  // namespace tessera
