#include "tessera/service/error.h"

#include "gtest/gtest.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

TEST(Error, Example) {
  const Error error =
      ToError(InField("layout", ParseShape("f32[2,]").status()));
  EXPECT_EQ(error.code(), Error::INVALID_ARGUMENT);
  EXPECT_EQ(error.field(), "layout");
  EXPECT_EQ(error.position().line(), 1);
  EXPECT_EQ(error.position().column(), 7);
  EXPECT_EQ(error.position().offset(), 6);
  EXPECT_EQ(error.position().excerpt(), "f32[2,]\n      ^");
}

TEST(Error, WithoutAPlace) {
  const Error error = ToError(absl::OutOfRangeError("too far"));
  EXPECT_EQ(error.code(), Error::OUT_OF_RANGE);
  EXPECT_EQ(error.message(), "too far");
  EXPECT_EQ(error.field(), "");
  EXPECT_FALSE(error.has_position());
}

TEST(Error, TheFirstFieldStays) {
  EXPECT_EQ(
      ToError(InField("outer", InField("inner", absl::InternalError("oh"))))
          .field(),
      "inner");
  EXPECT_TRUE(InField("layout", absl::OkStatus()).ok());
}

// Both enums number the codes as google.rpc.Code does.
TEST(Error, EveryCodeKeepsItsName) {
  for (int i = 1; i <= 16; ++i) {
    const absl::Status status(static_cast<absl::StatusCode>(i), "");
    EXPECT_EQ(Error::Code_Name(ToError(status).code()),
              absl::StatusCodeToString(status.code()));
  }
}

}  // namespace
}  // namespace tessera
