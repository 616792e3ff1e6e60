#include "tessera/cute/identity_layout.h"

#include "gtest/gtest.h"
#include "tessera/cute/coordinates.h"
#include "tessera/cute/parse.h"

namespace tessera {
namespace cute {
namespace {

TEST(IdentityLayout, Example) {
  EXPECT_EQ(MakeIdentityLayout({8, {4, 2}})->ToString(),
            "(8,(4,2)):(1@0,(1@0@1,1@1@1))");
}

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
  EXPECT_EQ(MakeIdentityLayout({2, 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeIdentityLayout({2, IntTuple::Tuple({})}).status().code(),
            absl::StatusCode::kInvalidArgument);
  IntTuple deep = 2;
  for (int i = 0; i < Basis::kMaxDepth; ++i) deep = IntTuple::Tuple({deep});
  EXPECT_TRUE(MakeIdentityLayout(deep).ok());
  EXPECT_EQ(MakeIdentityLayout(IntTuple::Tuple({deep})).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace cute
}  // namespace tessera
