#include "tessera/cli/layout/index_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(IndexText, Example) {
  EXPECT_THAT(ParseIndex("2,3")->entries, ElementsAre(2, 3));
  EXPECT_THAT(ParseIndex("(2,3)")->entries, ElementsAre(2, 3));
  EXPECT_THAT(ParseIndex("[2,3]")->entries, ElementsAre(2, 3));
  EXPECT_THAT(ParseIndex("2 3")->entries, ElementsAre(2, 3));
  EXPECT_THAT(ParseIndex("()")->entries, IsEmpty());
  EXPECT_EQ(IndexToText({2, 3}), "2,3");
  EXPECT_EQ(IndexToText({}), "()");
}

TEST(IndexText, OffsetsAreThoseOfEntries) {
  EXPECT_THAT(ParseIndex("( 2 ,-3)")->offsets, ElementsAre(2, 5));
}

TEST(IndexText, Spellings) {
  EXPECT_THAT(ParseIndex("[]")->entries, IsEmpty());
  EXPECT_THAT(ParseIndex(" [ 2 -3 ] ")->entries, ElementsAre(2, -3));
  EXPECT_THAT(ParseIndex("(2 3)")->offsets, ElementsAre(1, 3));
  for (const char* text : {"", "(", "[2", "[2)", "(2]", "2,", ",2", "2,,3",
                           "2)", "2x3", "2;3", "{2}", "(2)(3)", "2-3", "1.5"}) {
    EXPECT_FALSE(ParseIndex(text).ok()) << text;
  }
}

TEST(IndexText, Ranks) {
  const IndexText index = *ParseIndex("2,3");
  EXPECT_THAT(CheckRank(index, "2,3", 2), IsOk());
  EXPECT_THAT(CheckRank(index, "2,3", 1),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(IndexText, Positions) {
  EXPECT_EQ(*ParsePosition(" 17 "), 17);
  EXPECT_EQ(*ParsePosition("-1"), -1);
  EXPECT_THAT(ParsePosition("17,3"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tessera::cli
