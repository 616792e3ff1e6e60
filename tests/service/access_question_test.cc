#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

AccessRequest Question(const std::string& layout, const std::string& threads,
                       int64_t bytes) {
  AccessRequest question;
  question.set_layout(layout);
  question.set_threads(threads);
  question.set_element_bytes(bytes);
  return question;
}

TEST(AccessQuestion, AnswersConflictsTrafficAndSwizzles) {
  AccessRequest question = Question("(32,32):(32,1)", "32", 4);
  question.set_max_swizzles(5);
  question.set_max_collisions(3);
  AccessResult result;
  ASSERT_THAT(AnswerAccess({}, question, &result), IsOk());
  EXPECT_EQ(result.conflicts().ways(), 32);
  EXPECT_EQ(result.conflicts().wavefronts(), 32);
  EXPECT_EQ(result.conflicts().fewest(), 1);
  EXPECT_EQ(result.conflicts().phase_threads(), 32);
  EXPECT_EQ(result.conflicts().collision_count(), 32);
  ASSERT_EQ(result.conflicts().collisions_size(), 3);
  EXPECT_EQ(result.conflicts().collisions(2).word(), 64);
  EXPECT_EQ(result.traffic().sectors(), 32);
  EXPECT_EQ(result.traffic().fewest_sectors(), 4);
  ASSERT_EQ(result.swizzles_size(), 1);
  EXPECT_EQ(result.swizzles(0), "Sw<5,0,5>");
  EXPECT_EQ(result.swizzle_count(), 1);
}

TEST(AccessQuestion, TakesBytesFromTheLayout) {
  AccessResult result;
  ASSERT_THAT(
      AnswerAccess(
          {}, Question("GMMA::Layout_K_SW128_Atom<half_t>{}", "(8,8):(1,8)", 0),
          &result),
      IsOk());
  EXPECT_EQ(result.conflicts().ways(), 1);
  EXPECT_EQ(result.conflicts().vector_bytes(), 16);
  EXPECT_EQ(result.swizzles_size(), 0);
}

TEST(AccessQuestion, Refusals) {
  const auto message = [](const AccessRequest& question) {
    AccessResult result;
    return std::string(AnswerAccess({}, question, &result).message());
  };
  EXPECT_THAT(message(Question("4", "4:1", 4)),
              HasSubstr("expected a layout, found the integer 4"));
  EXPECT_THAT(message(Question("4:1", "Sw<2,0,3>", 4)),
              HasSubstr("expected a layout, found the swizzle Sw<2,0,3>"));
  EXPECT_THAT(message(Question("4:1", "0", 4)), HasSubstr("is less than 1"));
  EXPECT_THAT(message(Question("4:1", "4:", 4)), HasSubstr("expected"));
  EXPECT_THAT(message(Question("4:1", "4:1", 0)),
              HasSubstr("the layout does not have the size of an element; give "
                        "element_bytes"));
  EXPECT_THAT(message(Question("smem_ptr[4b](unset) o 8:1", "8:1", 0)),
              HasSubstr("an element of 4 bits is not a number of bytes"));
  EXPECT_THAT(message(Question("4:1", "4:1", 3)),
              HasSubstr("bytes = 3 is not 1, 2, 4, 8 or 16"));
  AccessRequest question = Question("4:1", "4:1", 4);
  question.set_max_swizzles(-1);
  EXPECT_THAT(message(question), HasSubstr("-1"));
}

}  // namespace
}  // namespace tessera
