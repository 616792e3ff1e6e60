#include "tessera/tests/header_examples/value_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/cord.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::Not;

enum class Color { kRed, kBlue };

TEST(ValueText, OfValues) {
  EXPECT_EQ(TextOf(int64_t{-17}), "-17");
  EXPECT_EQ(TextOf(true), "true");
  EXPECT_EQ(TextOf("a,b"), "a,b");
  EXPECT_EQ(TextOf(std::vector<std::string>{"a", "b"}), "{\"a\", \"b\"}");
  EXPECT_EQ(TextOf(std::vector<std::vector<int>>{{1, 2}, {}}), "{{1, 2}, {}}");
  EXPECT_EQ(TextOf(std::vector<bool>{true, false}), "{true, false}");
  EXPECT_EQ(TextOf(std::make_pair(0, 2)), "{0, 2}");
  EXPECT_EQ(TextOf(std::optional<int>(3)), "3");
  EXPECT_EQ(TextOf(std::optional<int>()), "nullopt");
}

TEST(ValueText, OfErrors) {
  EXPECT_EQ(TextOf(absl::StatusOr<int>(3)), "3");
  EXPECT_EQ(TextOf(absl::StatusOr<int>(absl::NotFoundError("none"))),
            "NOT_FOUND: none");
  EXPECT_EQ(TextOf(absl::OkStatus()), "OK");
  absl::Status status = absl::NotFoundError("none");
  status.SetPayload("url", absl::Cord("data"));
  EXPECT_EQ(TextOf(status), "NOT_FOUND: none");
  EXPECT_EQ(ValueOf(absl::StatusOr<Color>(Color::kBlue)), Color::kBlue);
  EXPECT_EQ(ErrorOf([] {}), "");
  EXPECT_EQ(ErrorOf([] { return 3; }), "");
  EXPECT_EQ(ErrorOf([] { return absl::NotFoundError("none"); }),
            "NOT_FOUND: none");
  EXPECT_EQ(ErrorOf([] { return absl::StatusOr<int>(absl::AbortedError("")); }),
            "ABORTED: ");
}

TEST(ValueText, ThreeDotsStandForAnyText) {
  EXPECT_THAT("abc", IsText("abc"));
  EXPECT_THAT("abc", Not(IsText("ab")));
  EXPECT_THAT("abc", Not(IsText("bc")));
  EXPECT_THAT("abc", IsText("a..."));
  EXPECT_THAT("abc", IsText("...c"));
  EXPECT_THAT("abc", IsText("a...c"));
  EXPECT_THAT("abcabd", IsText("a...d"));
  EXPECT_THAT("abc", Not(IsText("b...")));
  EXPECT_THAT("abc", Not(IsText("...b")));
  EXPECT_THAT("abc", Not(IsText("a...x...c")));
  EXPECT_THAT("aba", Not(IsText("aba...a")));
}

}  // namespace
}  // namespace tessera
