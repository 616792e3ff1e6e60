#include "tessera/cli/index_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(IndexText, Example) {
  EXPECT_THAT(ParseIndex("2,3")->entries, ElementsAre(2, 3));
  EXPECT_THAT(ParseIndex("(2,3)")->entries, ElementsAre(2, 3));
  EXPECT_THAT(ParseIndex("()")->entries, IsEmpty());
  EXPECT_EQ(IndexToText({2, 3}), "2,3");
  EXPECT_EQ(IndexToText({}), "()");
}

TEST(IndexText, OffsetsAreThoseOfEntries) {
  EXPECT_THAT(ParseIndex("( 2 ,-3)")->offsets, ElementsAre(2, 5));
}

TEST(IndexText, Positions) {
  EXPECT_EQ(*ParsePosition(" 17 "), 17);
  EXPECT_EQ(*ParsePosition("-1"), -1);
  EXPECT_EQ(ParsePosition("17,3").status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tessera
