#include "tessera/service/transport/unread_answers.h"

#include <iterator>
#include <utility>

#include "absl/time/clock.h"
#include "tessera/service/service_options.h"

namespace tessera {
namespace {

// The approximate memory that gRPC holds for a call in addition to the
// messages.
constexpr int64_t kCallBytes = int64_t{1} << 14;

// The rate at which a client must receive: that of a slow line.
constexpr double kBytesPerSecond = 1 << 16;

struct HeldAnswer {
  ~HeldAnswer() { *total -= bytes; }

  std::string answer;
  int64_t bytes;
  std::shared_ptr<std::atomic<int64_t>> total;
};

}  // namespace

UnreadAnswers::UnreadAnswers(int64_t limit, absl::Duration timeout)
    : limit_(limit),
      timeout_(timeout),
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

grpc::ByteBuffer UnreadAnswers::Hold(std::string answer, int64_t bytes_beside) {
  const int64_t bytes = answer.size() + bytes_beside + kCallBytes;
  auto* const held = new HeldAnswer{std::move(answer), bytes, bytes_};
  *bytes_ += bytes;
  const grpc::Slice slice(
      &held->answer[0], held->answer.size(),
      [](void* held) { delete static_cast<HeldAnswer*>(held); }, held);
  return grpc::ByteBuffer(&slice, 1);
}

UnreadAnswers::Call UnreadAnswers::Begin(
    const grpc::CallbackServerContext* context, int64_t bytes) {
  const absl::Time deadline =
      absl::Now() + timeout_ +
      absl::Seconds(static_cast<double>(bytes) / kBytesPerSecond);
  std::lock_guard<std::mutex> lock(mutex_);
  // Nearly all deadlines come in order.
  auto next = calls_.end();
  while (next != calls_.begin() && std::prev(next)->deadline > deadline) --next;
  const Call call = calls_.insert(next, {context, deadline, false});
  if (is_idle_ || call == calls_.begin()) changed_.notify_one();
  return call;
}

void UnreadAnswers::End(Call call) {
  std::lock_guard<std::mutex> lock(mutex_);
  calls_.erase(call);
}

void UnreadAnswers::CancelLateCalls() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_complete_) {
    const absl::Time now = absl::Now();
    auto call = calls_.begin();
    for (; call != calls_.end() && call->deadline <= now; ++call) {
      // gRPC reports its end on another thread.
      if (!call->is_cancelled) call->context->TryCancel();
      call->is_cancelled = true;
    }
    is_idle_ = call == calls_.end();
    if (is_idle_) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, absl::ToChronoTime(call->deadline));
    }
  }
}

}  // namespace tessera
