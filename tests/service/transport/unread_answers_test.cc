#include "tessera/service/transport/unread_answers.h"

#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

TEST(UnreadAnswers, Example) {
  UnreadAnswers unread(/*limit=*/100'000, absl::Seconds(20));
  std::optional<grpc::ByteBuffer> response =
      unread.Hold(std::string(150'000, 'x'), 0);
  EXPECT_EQ(response->Length(), 150'000);
  EXPECT_GE(unread.bytes(), 150'000);
  EXPECT_EQ(unread.CheckRoom().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(unread.CheckRoom().message().find("unread_bytes: "), 0);
  grpc::CallbackServerContext context;
  UnreadAnswers::Call call = unread.Begin(&context, 0);
  unread.End(call);
  // gRPC may have one more hold of it.
  grpc::ByteBuffer copy = *response;
  response.reset();
  EXPECT_FALSE(unread.CheckRoom().ok());
  copy.Clear();
  EXPECT_EQ(unread.bytes(), 0);
  EXPECT_THAT(unread.CheckRoom(), IsOk());
}

TEST(UnreadAnswers, MayBeLetGoOfAfterTheEnd) {
  grpc::ByteBuffer response;
  {
    UnreadAnswers unread(/*limit=*/100, absl::Seconds(20));
    response = unread.Hold("answer", 0);
  }
  EXPECT_EQ(response.Length(), 6);
}

}  // namespace
}  // namespace tessera
