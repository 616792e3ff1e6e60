// Bounds the memory and the age of answers that gRPC holds because their
// clients do not receive them. gRPC itself bounds neither.
//
//   UnreadAnswers unread(/*limit=*/int64_t{1} << 28, absl::Seconds(20));
//   absl::Status status = unread.CheckRoom();
//   // RESOURCE_EXHAUSTED: unread_bytes: ... where too much is held
//   *response = unread.Hold(answer.SerializeAsString(), 0);
//   UnreadAnswers::Call call = unread.Begin(context, bytes);
//   reactor->Finish(grpc::Status::OK);
//   unread.End(call);   // in the reactor's OnDone

#ifndef TESSERA_SERVICE_TRANSPORT_UNREAD_ANSWERS_H_
#define TESSERA_SERVICE_TRANSPORT_UNREAD_ANSWERS_H_

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
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
    const grpc::CallbackServerContext* context;
    absl::Time deadline;
    bool is_cancelled;
  };

 public:
  using Call = std::list<WaitingCall>::iterator;

  // Allows `limit` bytes of answers. A call may take `timeout` for one answer.
  UnreadAnswers(int64_t limit, absl::Duration timeout);
  // Precondition: every call has ended.
  ~UnreadAnswers();
  UnreadAnswers(const UnreadAnswers&) = delete;
  UnreadAnswers& operator=(const UnreadAnswers&) = delete;

  // Checks that there is room for an answer, however large. Errors:
  // kResourceExhausted if more than the limit is held.
  absl::Status CheckRoom() const;

  // Returns `answer` in the form that gRPC sends. Counts it, and the
  // `bytes_beside` held together with it, until gRPC releases it. This happens
  // when the system has accepted its last byte, or when the call or connection
  // is aborted.
  grpc::ByteBuffer Hold(std::string answer, int64_t bytes_beside);

  // Returns how many bytes are held now.
  int64_t bytes() const { return *bytes_; }

  // Begins a call whose answer of `bytes` is about to be sent. The call is
  // cancelled if it has not ended after the timeout and the time that the bytes
  // take at 64 KiB per second. `context` must live until it ends.
  Call Begin(const grpc::CallbackServerContext* context, int64_t bytes);
  void End(Call call);

 private:
  void CancelLateCalls();

  const int64_t limit_;
  const absl::Duration timeout_;
  // gRPC may release an answer after its server has ended.
  const std::shared_ptr<std::atomic<int64_t>> bytes_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<WaitingCall> calls_;  // by deadline
  bool is_idle_ = false;      // the thread waits for a call, not for a deadline
  bool is_complete_ = false;  // nothing is to come
  std::thread thread_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_UNREAD_ANSWERS_H_
