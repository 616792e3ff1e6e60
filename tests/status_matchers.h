// What do tests expect of an absl::Status or an absl::StatusOr?
//
//   ASSERT_THAT(ParseShape("f32[3]"), IsOk());
//   EXPECT_THAT(Size({2, 3}), IsOkAndHolds(6));
//   EXPECT_THAT(Size({0}), StatusIs(absl::StatusCode::kInvalidArgument));
//   EXPECT_THAT(CheckRank(9), StatusIs(absl::StatusCode::kOutOfRange,
//                                      HasSubstr("at most 8")));
//
// What does not match is printed with its whole status.

#ifndef TESSERA_TESTS_STATUS_MATCHERS_H_
#define TESSERA_TESTS_STATUS_MATCHERS_H_

#include <ostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"

namespace tessera {
namespace status_matchers_internal {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

class IsOkMatcher {
 public:
  template <typename StatusOrResult>
  bool MatchAndExplain(const StatusOrResult& actual,
                       testing::MatchResultListener* listener) const {
    *listener << "which is " << StatusOf(actual);
    return actual.ok();
  }
  void DescribeTo(std::ostream* out) const { *out << "is OK"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is not OK"; }
};

class StatusIsMatcher {
 public:
  StatusIsMatcher(absl::StatusCode code,
                  testing::Matcher<const std::string&> message)
      : code_(code), message_(std::move(message)) {}

  template <typename StatusOrResult>
  bool MatchAndExplain(const StatusOrResult& actual,
                       testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(actual);
    *listener << "which is " << status;
    return status.code() == code_ &&
           message_.Matches(std::string(status.message()));
  }
  void DescribeTo(std::ostream* out) const {
    *out << "is " << code_ << ", with a message that ";
    message_.DescribeTo(out);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is not " << code_ << ", or has a message that ";
    message_.DescribeNegationTo(out);
  }

 private:
  absl::StatusCode code_;
  testing::Matcher<const std::string&> message_;
};

template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename Result>
  operator testing::Matcher<Result>() const {  // NOLINT: as matchers are
    return testing::Matcher<Result>(new Impl<const Result&>(inner_));
  }

 private:
  template <typename Result>
  class Impl : public testing::MatcherInterface<Result> {
   public:
    using Value = decltype(*std::declval<Result>());
    explicit Impl(const Inner& inner)
        : inner_(testing::SafeMatcherCast<Value>(inner)) {}

    bool MatchAndExplain(
        Result actual, testing::MatchResultListener* listener) const override {
      if (!actual.ok()) {
        *listener << "which is " << actual.status();
        return false;
      }
      *listener << "which holds " << testing::PrintToString(*actual) << " ";
      return inner_.MatchAndExplain(*actual, listener);
    }
    void DescribeTo(std::ostream* out) const override {
      *out << "is OK and holds a value that ";
      inner_.DescribeTo(out);
    }
    void DescribeNegationTo(std::ostream* out) const override {
      *out << "is not OK or holds a value that ";
      inner_.DescribeNegationTo(out);
    }

   private:
    const testing::Matcher<Value> inner_;
  };

  const Inner inner_;
};

}  // namespace status_matchers_internal

inline auto IsOk() {
  return testing::MakePolymorphicMatcher(
      status_matchers_internal::IsOkMatcher());
}

// `inner` is a value, or a matcher of values.
template <typename Inner>
auto IsOkAndHolds(Inner inner) {
  return status_matchers_internal::IsOkAndHoldsMatcher<Inner>(std::move(inner));
}

// `message` is a text, or a matcher of texts.
template <typename Message>
auto StatusIs(absl::StatusCode code, const Message& message) {
  return testing::MakePolymorphicMatcher(
      status_matchers_internal::StatusIsMatcher(
          code, testing::MatcherCast<const std::string&>(message)));
}
inline auto StatusIs(absl::StatusCode code) {
  return StatusIs(code, testing::_);
}

}  // namespace tessera

#endif  // TESSERA_TESTS_STATUS_MATCHERS_H_
