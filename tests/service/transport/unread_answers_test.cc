#include "tessera/service/transport/unread_answers.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

TEST(UnreadAnswers, Example) {
  UnreadAnswers unread(/*limit=*/100'000, absl::Seconds(20));
  UnreadAnswers::Answer held = unread.Hold(std::string(150'000, 'x'), 0);
  EXPECT_EQ(held.buffer.Length(), 150'000);
  EXPECT_GE(unread.bytes(), 150'000);
  EXPECT_EQ(unread.CheckRoom().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(unread.CheckRoom().message().find("unread_bytes: "), 0);
  UnreadAnswers::Call call = unread.Begin(held, [] {});
  unread.End(call);
  // gRPC may have one more hold of it.
  grpc::ByteBuffer copy = held.buffer;
  held.buffer.Clear();
  EXPECT_FALSE(unread.CheckRoom().ok());
  copy.Clear();
  EXPECT_EQ(unread.bytes(), 0);
  EXPECT_THAT(unread.CheckRoom(), IsOk());
}

// The client of the first call receives 64 KiB every 20 ms, then no more.
TEST(UnreadAnswers, CancelsCallsWithoutProgress) {
  constexpr absl::Duration kTimeout = absl::Milliseconds(200);
  UnreadAnswers unread(/*limit=*/int64_t{1} << 28, kTimeout);
  std::vector<grpc::Slice> slices;
  std::optional<UnreadAnswers::Answer> held =
      unread.Hold(std::string(int64_t{64} << 16, 'x'), 0);
  ASSERT_TRUE(held->buffer.Dump(&slices).ok());
  ASSERT_EQ(slices.size(), 64u);
  std::atomic<int> cancelled_slow{0}, cancelled_still{0};
  UnreadAnswers::Call slow = unread.Begin(*held, [&] { ++cancelled_slow; });
  held->buffer.Clear();
  const UnreadAnswers::Answer other = unread.Hold(std::string(1, 'x'), 0);
  UnreadAnswers::Call still = unread.Begin(other, [&] { ++cancelled_still; });
  while (slices.size() > 4) {
    slices.pop_back();
    absl::SleepFor(absl::Milliseconds(20));
  }
  EXPECT_EQ(*held->bytes_left, 4 << 16);
  EXPECT_EQ(cancelled_slow, 0);
  EXPECT_EQ(cancelled_still, 1);
  const absl::Time end = absl::Now() + absl::Seconds(30);
  while (cancelled_slow == 0 && absl::Now() < end) {
    absl::SleepFor(absl::Milliseconds(5));
  }
  EXPECT_EQ(cancelled_slow, 1);
  unread.End(slow);
  unread.End(still);
}

TEST(UnreadAnswers, MayBeLetGoOfAfterTheEnd) {
  grpc::ByteBuffer response;
  {
    UnreadAnswers unread(/*limit=*/100, absl::Seconds(20));
    response = unread.Hold("answer", 0).buffer;
  }
  EXPECT_EQ(response.Length(), 6);
}

}  // namespace
}  // namespace tessera
