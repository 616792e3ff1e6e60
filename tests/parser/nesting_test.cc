// Tuples nested as deep as the limit allows, and deeper.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

std::string Nested(int64_t levels, std::string_view innermost) {
  return absl::StrCat(std::string(levels, '('), AbslView(innermost),
                      std::string(levels, ')'));
}

TEST(Nesting, UpToTheLimit) {
  const std::string text = Nested(8192, "f32[2]{0}");
  const absl::StatusOr<Shape> shape = ParseShape(text);
  ASSERT_THAT(shape, IsOk());
  EXPECT_EQ(shape->ToString(), text);
}

TEST(Nesting, BeyondTheLimit) {
  for (const std::string_view innermost : {"f32[2]{0}", ""}) {
    const absl::Status status = ParseShape(Nested(8193, innermost)).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
    ASSERT_TRUE(diagnostic.has_value());
    EXPECT_EQ(diagnostic->message,
              "in tuple: nested deeper than the limit of 8192");
    EXPECT_EQ(diagnostic->column, 8193);
    EXPECT_EQ(diagnostic->excerpt.size(), 160);
  }
}

TEST(Nesting, TheLimitCountsOpenTuplesOnly) {
  ParseOptions options;
  options.nesting_limit = 2;
  EXPECT_THAT(ParseShape("((), (), (b(f32[])))", options), IsOk());
  EXPECT_THAT(ParseShape("((()))", options),
              StatusIs(absl::StatusCode::kResourceExhausted));
  options.nesting_limit = 0;
  EXPECT_THAT(ParseShape("f32[]", options), IsOk());
  EXPECT_THAT(ParseShape("()", options),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(Nesting, HoldsInEveryKindOfText) {
  ParseOptions options;
  options.nesting_limit = 2;
  EXPECT_THAT(ParseProgramShape("(x: (())) -> (())", options), IsOk());
  EXPECT_THAT(ParseProgramShape("(x: f32[]) -> ((()))", options),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(ParseLayout("{0:P((()))}", options), IsOk());
  EXPECT_THAT(ParseLayout("{0:P(((())))}", options),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(Nesting, AMillionLevels) {
  ParseOptions options;
  options.nesting_limit = 1000000;
  const std::string text = Nested(1000000, "");
  {
    const absl::StatusOr<Shape> shape = ParseShape(text, options);
    ASSERT_THAT(shape, IsOk());
    EXPECT_TRUE(shape->ToString() == text);
  }

  // What was read before an error is taken apart just as quietly.
  const std::string unclosed = text.substr(0, text.size() - 1);
  const absl::Status status = ParseShape(unclosed, options).status();
  EXPECT_EQ(DiagnosticOf(status)->offset,
            static_cast<int64_t>(unclosed.size()));
}

}  // namespace
}  // namespace tessera
