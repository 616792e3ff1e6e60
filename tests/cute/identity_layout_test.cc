#include "tessera/cute/identity_layout.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/coordinates.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

TEST(IdentityLayout, ValuesAreCoordinates) {
  for (const char* text : {"7", "(3)", "(2,3)", "((2,2),3,((2),2))"}) {
    const IntTuple shape = *ParseIntTuple(text);
    const Layout identity = *MakeIdentityLayout(shape);
    for (int64_t i = 0; i < identity.size(); ++i) {
      EXPECT_EQ(*Evaluate(i, identity), *Idx2Crd(i, shape)) << text;
    }
  }
}

TEST(IdentityLayout, Refusals) {
  EXPECT_THAT(MakeIdentityLayout({2, 0}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MakeIdentityLayout({2, IntTuple::Tuple({})}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  IntTuple deep = 2;
  for (int i = 0; i < Basis::kMaxDepth; ++i) deep = IntTuple::Tuple({deep});
  EXPECT_THAT(MakeIdentityLayout(deep), IsOk());
  EXPECT_THAT(MakeIdentityLayout(IntTuple::Tuple({deep})),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace tessera::cute
