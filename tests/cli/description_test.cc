#include "tessera/cli/layout/description.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

TEST(Description, Example) {
  DescribeRequest question;
  question.set_layout("bf16[9,130]{1,0:T(8,128)(2,1)}");
  DescribeResult result;
  ASSERT_THAT(AnswerDescribe({}, question, &result), IsOk());
  EXPECT_EQ(DescriptionToLine(result),
            "bf16[9,130]{1,0:T(8,128)(2,1)}: elements 1170, in 4096 positions; "
            "bytes 2340, padded to 8192 (8.00 KiB), 3.50x\n");
}

}  // namespace
}  // namespace tessera::cli
