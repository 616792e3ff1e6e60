// Bounds the memory of answers that gRPC holds because their clients do not
// receive them, and cancels calls whose clients receive too slowly. gRPC itself
// does neither.
//
//   UnreadAnswers unread(/*limit=*/int64_t{1} << 28, absl::Seconds(20));
//   absl::Status status = unread.CheckRoom();
//   // RESOURCE_EXHAUSTED: unread_bytes: ... where too much is held
//   UnreadAnswers::Answer held = unread.Hold(answer.SerializeAsString(), 0);
//   *response = held.buffer;
//   UnreadAnswers::Call call =
//       unread.Begin(held, [context] { context->TryCancel(); });
//   reactor->Finish(grpc::Status::OK);
//   unread.End(call);   // in the reactor's OnDone

#ifndef TESSERA_SERVICE_TRANSPORT_UNREAD_ANSWERS_H_
#define TESSERA_SERVICE_TRANSPORT_UNREAD_ANSWERS_H_

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace tessera {

class UnreadAnswers {
  struct WaitingCall {
    std::function<void()> cancel;
    // How many bytes of the answer gRPC still holds.
    std::shared_ptr<const std::atomic<int64_t>> bytes_left;
    // At this time, at most that many bytes may be left.
    absl::Time deadline;
    int64_t allowed_bytes;
    bool is_cancelled = false;
  };

 public:
  using Call = std::list<WaitingCall>::iterator;

  // An answer in the form that gRPC sends.
  struct Answer {
    grpc::ByteBuffer buffer;
    std::shared_ptr<const std::atomic<int64_t>> bytes_left;
  };

  // Allows `limit` bytes of answers. In each `timeout`, a client must receive
  // what takes that long at 64 KiB per second, or the rest of its answer.
  UnreadAnswers(int64_t limit, absl::Duration timeout);
  // Precondition: every call has ended.
  ~UnreadAnswers();
  UnreadAnswers(const UnreadAnswers&) = delete;
  UnreadAnswers& operator=(const UnreadAnswers&) = delete;

  // Checks that there is room for an answer, however large. Errors:
  // kResourceExhausted if more than the limit is held.
  absl::Status CheckRoom() const;

  // Counts `answer`, and the `bytes_beside` held together with it, until gRPC
  // releases it. This happens when the system has accepted its last byte, or
  // when the call or connection is aborted.
  Answer Hold(std::string answer, int64_t bytes_beside);

  // Returns how many bytes are held now.
  int64_t bytes() const { return *bytes_; }

  // Begins a call whose answer is about to be sent. If the client receives it
  // too slowly, `cancel` is called once, unless the call has ended.
  Call Begin(const Answer& answer, std::function<void()> cancel);
  void End(Call call);

 private:
  void CancelLateCalls();

  const int64_t limit_;
  const absl::Duration timeout_;
  const int64_t bytes_per_timeout_;
  // gRPC may release an answer after its server has ended.
  const std::shared_ptr<std::atomic<int64_t>> bytes_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<WaitingCall> calls_;      // by deadline
  std::list<WaitingCall> cancelled_;  // not yet ended
  bool is_idle_ = false;      // the thread waits for a call, not for a deadline
  bool is_complete_ = false;  // nothing is to come
  std::thread thread_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_UNREAD_ANSWERS_H_
