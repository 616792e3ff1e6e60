#include "tessera/tests/status_matchers.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointee;

const absl::Status kGone = absl::NotFoundError("it is gone");

TEST(IsOk, OfStatusesAndResults) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(absl::StatusOr<int>(7), IsOk());
  EXPECT_THAT(kGone, Not(IsOk()));
  EXPECT_THAT(absl::StatusOr<int>(kGone), Not(IsOk()));
}

TEST(IsOkAndHolds, ValuesAndMatchers) {
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(7));
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(Gt(6)));
  EXPECT_THAT(absl::StatusOr<int>(7), Not(IsOkAndHolds(8)));
  EXPECT_THAT(absl::StatusOr<int>(kGone), Not(IsOkAndHolds(7)));
  EXPECT_THAT(absl::StatusOr<std::string>("seven"), IsOkAndHolds("seven"));
  const absl::StatusOr<std::unique_ptr<int>> held = std::make_unique<int>(7);
  EXPECT_THAT(held, IsOkAndHolds(Pointee(7)));
}

TEST(StatusIs, CodeAndMessage) {
  EXPECT_THAT(kGone, StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(kGone, StatusIs(absl::StatusCode::kNotFound, "it is gone"));
  EXPECT_THAT(kGone, StatusIs(absl::StatusCode::kNotFound,
                              std::string_view("it is gone")));
  EXPECT_THAT(absl::StatusOr<int>(kGone),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("gone")));
  EXPECT_THAT(kGone, Not(StatusIs(absl::StatusCode::kOk)));
  EXPECT_THAT(kGone, Not(StatusIs(absl::StatusCode::kNotFound, "it is")));
  EXPECT_THAT(absl::StatusOr<int>(7), StatusIs(absl::StatusCode::kOk));
}

template <typename Matcher, typename Actual>
std::string Explained(const Matcher& matcher, const Actual& actual) {
  testing::StringMatchResultListener listener;
  testing::ExplainMatchResult(matcher, actual, &listener);
  return listener.str();
}

TEST(StatusMatchers, SayWhatTheStatusIs) {
  EXPECT_EQ(Explained(IsOk(), kGone), "which is NOT_FOUND: it is gone");
  EXPECT_EQ(Explained(StatusIs(absl::StatusCode::kInternal), kGone),
            "which is NOT_FOUND: it is gone");
  EXPECT_EQ(Explained(IsOkAndHolds(7), absl::StatusOr<int>(kGone)),
            "which is NOT_FOUND: it is gone");
  EXPECT_EQ(Explained(IsOkAndHolds(7), absl::StatusOr<int>(8)),
            "which holds 8 ");
}

}  // namespace
}  // namespace tessera
