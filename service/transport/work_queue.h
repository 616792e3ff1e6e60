// File: service/transport/work_queue.h
//
// The threads that answer for all transports of a process, with a bounded
// queue.
//
//   WorkQueue work(WorkQueue::Options{/*threads=*/2});
//   std::string answer;
//   work.Run(/*bytes=*/10, [&answer] { answer = "17"; });   // OK
//   answer;                                                 // "17"
//   // RESOURCE_EXHAUSTED: waiting_requests: ... if too many wait already
//
// A flood of requests therefore gets this error, and leads neither to more
// threads nor to growing memory. Several threads may use a queue at once.

#ifndef TESSERA_SERVICE_TRANSPORT_WORK_QUEUE_H_
#define TESSERA_SERVICE_TRANSPORT_WORK_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace tessera {

class WorkQueue {
 public:
  struct Options {
    // The constructor starts all of them.
    int threads = 1;
    // The most requests that may wait for a thread, and the most bytes of
    // these: the sum of the `bytes` given to Add and Run.
    int64_t waiting_requests = 256;
    int64_t waiting_bytes = int64_t{256} << 20;
  };

  // Precondition: threads and both limits are positive. Throws
  // std::system_error if the system cannot start more threads.
  explicit WorkQueue(const Options& options);
  // Runs the tasks that were added before it returns.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Runs `task` as soon as a thread is free. `bytes` is the size of the
  // request. Errors: kResourceExhausted if the queue is full; the task is then
  // not run. A task is always accepted, however large, if no other is waiting.
  // Precondition: bytes >= 0, and `task` does not throw.
  absl::Status Add(int64_t bytes, std::function<void()> task);

  // Like Add, but waits until the task has run. Errors: as above, and
  // kResourceExhausted if the task runs out of memory. Precondition: bytes >=
  // 0; `task` throws nothing but std::bad_alloc; the caller is not a task of
  // this queue, because it could then wait forever.
  absl::Status Run(int64_t bytes, absl::FunctionRef<void()> task);

  // Returns the number of tasks that no thread has started.
  int64_t waiting() const;

 private:
  struct Waiting {
    int64_t bytes;
    std::function<void()> task;
  };

  void RunTasks();
  // Runs the tasks that were added, then stops the threads.
  void Finish();

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  int64_t waiting_bytes_ = 0;
  int idle_threads_ = 0;
  bool is_complete_ = false;  // nothing is to come
  std::vector<std::thread> threads_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_WORK_QUEUE_H_
