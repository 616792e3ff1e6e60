#include "tessera/cute/layout_values.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using ::testing::HasSubstr;

std::string Joined(LayoutValues values) {
  std::vector<std::string> texts;
  for (; !values.AtEnd(); values.Next()) {
    EXPECT_EQ(values.coordinate(), static_cast<int64_t>(texts.size()));
    texts.push_back(values.value().ToString());
  }
  EXPECT_EQ(values.size(), static_cast<int64_t>(texts.size()));
  return absl::StrJoin(texts, " ");
}

TEST(LayoutValues, OfLayouts) {
  const struct {
    const char* layout;
    const char* values;
  } kCases[] = {
      {"((2,2),3):((24,2),8)", "0 24 2 26 8 32 10 34 16 40 18 42"},
      {"4:-2", "0 -2 -4 -6"},
      {"():()", "0"},
      {"(2,3):(1@1,1@0)", "(0,0) (0,1) (1,0) (1,1) (2,0) (2,1)"},
      {"(2,2):(9223372036854775805,1)",
       "0 9223372036854775805 1 9223372036854775806"},
  };
  for (const auto& test : kCases) {
    const absl::StatusOr<LayoutValues> values =
        LayoutValues::Create(*ParseLayout(test.layout));
    ASSERT_THAT(values, IsOk());
    EXPECT_EQ(Joined(*values), test.values);
  }
}

// A text of 80 kB whose one value is a coordinate of more than 2^20 modes.
TEST(LayoutValues, CoordinatesOfTooManyModes) {
  const auto layout_of = [](int leaves) {
    std::vector<std::string> strides;
    for (int i = 0; i < leaves; ++i) {
      strides.push_back(absl::StrCat("1@254@", i % 255, "@", i / 255));
    }
    return ParseLayout(
        absl::StrCat("(", absl::StrJoin(std::vector<int>(leaves, 1), ","),
                     "):(", absl::StrJoin(strides, ","), ")"));
  };
  const absl::StatusOr<Layout> few = layout_of(300);
  ASSERT_THAT(few, IsOk());
  const absl::StatusOr<LayoutValues> values = LayoutValues::Create(*few);
  ASSERT_THAT(values, IsOk());
  EXPECT_EQ(values->value().rank(), 2);
  const absl::StatusOr<Layout> many = layout_of(5000);
  ASSERT_THAT(many, IsOk());
  EXPECT_THAT(LayoutValues::Create(*many),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "the coordinate has more than 1048576 modes"));
}

TEST(LayoutValues, OfComposedLayouts) {
  const struct {
    const char* composed;
    const char* values;
  } kCases[] = {
      {"Sw<1,0,2> o 0 o (4,2):(2,1)", "0 2 5 7 1 3 4 6"},
      {"Sw<1,0,2> o 8 o 4:-1", "8 6 7 4"},
      {"(2,2):(10,1) o 1 o 4:2", "10 11 12 13"},
      {"():() o 5 o 2:1", "0 0"},
      // The last argument is the last whose value fits.
      {"(2,2):(1,9223372036854775800) o 2 o 2:1",
       "9223372036854775800 9223372036854775801"},
  };
  for (const auto& test : kCases) {
    const absl::StatusOr<LayoutValues> values =
        LayoutValues::Create(*ParseComposedLayout(test.composed));
    ASSERT_THAT(values, IsOk());
    EXPECT_EQ(Joined(*values), test.values);
  }
}

TEST(LayoutValues, Refusals) {
  const struct {
    const char* composed;
    absl::StatusCode code;
    const char* message;
  } kCases[] = {
      {"Sw<1,0,2> o 0 o 2:1@0", absl::StatusCode::kInvalidArgument,
       "of basis elements"},
      {"2:1@0 o 0 o 2:1", absl::StatusCode::kInvalidArgument,
       "of basis elements"},
      {"Sw<1,0,2> o -1 o 2:1", absl::StatusCode::kInvalidArgument,
       "negative arguments"},
      {"Sw<1,0,2> o 2 o 4:-1", absl::StatusCode::kInvalidArgument,
       "negative arguments"},
      {"Sw<1,0,2> o 9223372036854775807 o 2:1", absl::StatusCode::kOutOfRange,
       "exceeds int64_t"},
      {"2:9223372036854775800 o 1 o 2:1", absl::StatusCode::kOutOfRange,
       "exceeds int64_t"},
  };
  for (const auto& test : kCases) {
    const absl::StatusOr<LayoutValues> values =
        LayoutValues::Create(*ParseComposedLayout(test.composed));
    EXPECT_THAT(values, StatusIs(test.code, HasSubstr(test.message)))
        << test.composed;
  }
}

}  // namespace
}  // namespace tessera::cute
