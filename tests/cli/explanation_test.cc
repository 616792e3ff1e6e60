#include "tessera/cli/layout/explanation.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Explain(const std::string& layout, int64_t i,
                                 int64_t j) {
  ExplainRequest question;
  question.set_layout(layout);
  question.add_index(i);
  question.add_index(j);
  ExplainResult result;
  const absl::Status status = AnswerExplain({}, question, &result);
  EXPECT_THAT(status, IsOk());
  return ExplainSteps(result);
}

TEST(Explanation, Example) {
  EXPECT_THAT(
      Explain("f32[3,5]{1,0:T(2,2)}", 2, 3),
      ElementsAre(
          "physical index (2,3) within (3,5)",
          "tile (2,2): (2,3) div (2,2) = (1,1), (2,3) mod (2,2) = (0,1)",
          "index (1,1,0,1) within (2,3,2,2)",
          "linear_index((1,1,0,1), (2,3,2,2)) = ((1*3+1)*2+0)*2+1 = 17"));
  EXPECT_THAT(Explain("((2,2),3):((24,2),8)", 3, 2),
              ElementsAre("(i0 mod 2) * 24 = 1 * 24 = 24",
                          "(i1 mod 3) * 8 = 2 * 8 = 16",
                          "(i0 div 2 mod 2) * 2 = 1 * 2 = 2",
                          "linear_index = 24+16+2 = 42"));
}

}  // namespace
}  // namespace tessera::cli
