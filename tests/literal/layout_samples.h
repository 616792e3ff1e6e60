// Does a fast path agree with the literal evaluator on every layout we try?
//
//   class ForwardTest : public ::testing::TestWithParam<LayoutSample> {};
//   TEST_P(ForwardTest, Agrees) {
//     ExpectAgreement(GetParam(), [](const LiteralLayout& layout,
//                                    const LiteralArray& array, RandomBits*) {
//       return what_is_wrong;  // "" if the fast path gives what `array` says
//     });
//   }
//   INSTANTIATE_TEST_SUITE_P(Layouts, ForwardTest,
//                            ::testing::ValuesIn(LayoutSamples()),
//                            SampleName);
//
// The samples together are 1,553,806 small layouts and 200,000 random ones;
// under a sanitizer a twentieth of that. Small are all layouts with bounds up
// to 4 and
//
//   no tile, rank up to 3;
//   one tile of rank up to 4 and entries 1, 2, 3, 4 and `*`, rank up to 3;
//   two tiles of rank up to 3 and entries 1, 2, 3, 4 and `*`, rank up to 2;
//   three tiles of rank up to 2 and entries 1, 2, 3 and `*`, rank up to 2.
//
// They are in many samples so that Bazel's shard_count can spread them.

#ifndef TESSERA_TESTS_LITERAL_LAYOUT_SAMPLES_H_
#define TESSERA_TESTS_LITERAL_LAYOUT_SAMPLES_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "gtest/gtest.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {

struct LayoutSample {
  std::string name;
  // Calls its argument with every layout of the sample, the same ones in every
  // run with the same seed.
  std::function<void(absl::FunctionRef<void(const LiteralLayout&)>)> for_each;

  friend void PrintTo(const LayoutSample& sample, std::ostream* os) {
    *os << sample.name;
  }
};

std::vector<LayoutSample> LayoutSamples();

// Names the instances of a test suite by their samples.
std::string SampleName(const ::testing::TestParamInfo<LayoutSample>& info);

// Fails the current test for every layout of the sample, up to ten, for which
// `disagreement` returns some text. The failure shows that text, the layout's
// and the seed. The bits are for what the check itself draws by lot.
void ExpectAgreement(
    const LayoutSample& sample,
    absl::FunctionRef<std::string(const LiteralLayout&, const LiteralArray&,
                                  RandomBits*)>
        disagreement);

}  // namespace tessera

#endif  // TESSERA_TESTS_LITERAL_LAYOUT_SAMPLES_H_
