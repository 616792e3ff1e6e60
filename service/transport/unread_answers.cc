#include "tessera/service/transport/unread_answers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

// The approximate memory that gRPC holds for a call in addition to the
// messages.
constexpr int64_t kCallBytes = int64_t{1} << 14;

// The rate at which a client must receive: that of a slow line.
constexpr double kBytesPerSecond = 1 << 16;

// gRPC releases an answer in slices of this size, which shows how much of it
// the client has received.
constexpr size_t kSliceBytes = size_t{1} << 16;

struct HeldAnswer {
  ~HeldAnswer() { *total -= counted_bytes; }

  std::string text;
  int64_t counted_bytes;
  std::shared_ptr<std::atomic<int64_t>> total;
  std::shared_ptr<std::atomic<int64_t>> bytes_left;
};

struct HeldSlice {
  std::shared_ptr<HeldAnswer> answer;
  int64_t bytes;
};

void ReleaseSlice(void* slice) {
  auto* const held = static_cast<HeldSlice*>(slice);
  *held->answer->bytes_left -= held->bytes;
  delete held;
}

}  // namespace

UnreadAnswers::UnreadAnswers(int64_t limit, absl::Duration timeout)
    : limit_(limit),
      timeout_(timeout),
      bytes_per_timeout_(
          std::ceil(absl::ToDoubleSeconds(timeout) * kBytesPerSecond)),
      bytes_(std::make_shared<std::atomic<int64_t>>(0)),
      thread_([this] { CancelLateCalls(); }) {}

UnreadAnswers::~UnreadAnswers() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_complete_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

absl::Status UnreadAnswers::CheckRoom() const {
  return CheckLimit("unread_bytes", "bytes", bytes(), limit_);
}

UnreadAnswers::Answer UnreadAnswers::Hold(std::string answer,
                                          int64_t bytes_beside) {
  auto held = std::make_shared<HeldAnswer>();
  held->counted_bytes = answer.size() + bytes_beside + kCallBytes;
  held->bytes_left = std::make_shared<std::atomic<int64_t>>(answer.size());
  held->text = std::move(answer);
  held->total = bytes_;
  *bytes_ += held->counted_bytes;
  std::vector<grpc::Slice> slices;
  slices.reserve(held->text.size() / kSliceBytes + 1);
  size_t begin = 0;
  do {
    const size_t bytes = std::min(held->text.size() - begin, kSliceBytes);
    slices.emplace_back(&held->text[begin], bytes, ReleaseSlice,
                        new HeldSlice{held, static_cast<int64_t>(bytes)});
    begin += bytes;
  } while (begin < held->text.size());
  return {grpc::ByteBuffer(slices.data(), slices.size()), held->bytes_left};
}

UnreadAnswers::Call UnreadAnswers::Begin(const Answer& answer,
                                         std::function<void()> cancel) {
  WaitingCall call;
  call.cancel = std::move(cancel);
  call.bytes_left = answer.bytes_left;
  call.deadline = absl::Now() + timeout_;
  call.allowed_bytes =
      std::max<int64_t>(*answer.bytes_left - bytes_per_timeout_, 0);
  std::lock_guard<std::mutex> lock(mutex_);
  // All calls get the same time, so the last deadline is the latest.
  const Call begun = calls_.insert(calls_.end(), std::move(call));
  if (is_idle_) changed_.notify_one();
  return begun;
}

void UnreadAnswers::End(Call call) {
  std::lock_guard<std::mutex> lock(mutex_);
  (call->is_cancelled ? cancelled_ : calls_).erase(call);
}

void UnreadAnswers::CancelLateCalls() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_complete_) {
    const absl::Time now = absl::Now();
    while (!calls_.empty() && calls_.front().deadline <= now) {
      const auto call = calls_.begin();
      const int64_t left = *call->bytes_left;
      // A call whose client had so little left should have ended.
      if (call->allowed_bytes == 0 || left > call->allowed_bytes) {
        call->is_cancelled = true;
        cancelled_.splice(cancelled_.end(), calls_, call);
        // gRPC reports its end on another thread.
        call->cancel();
        continue;
      }
      call->deadline = now + timeout_;
      call->allowed_bytes = std::max<int64_t>(left - bytes_per_timeout_, 0);
      calls_.splice(calls_.end(), calls_, call);
    }
    is_idle_ = calls_.empty();
    if (is_idle_) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, absl::ToChronoTime(calls_.front().deadline));
    }
  }
}

}  // namespace tessera
