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
//
// Scheduling is fair. Long tasks, such as batches, have their own threads, so
// that they do not delay quick ones. A long task can run in parts, and the
// tasks in progress take turns. The clients take turns, too, however many tasks
// each of them has.

#ifndef TESSERA_SERVICE_TRANSPORT_WORK_QUEUE_H_
#define TESSERA_SERVICE_TRANSPORT_WORK_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"

namespace tessera {

class WorkQueue {
 public:
  struct Options {
    // The threads for quick tasks, and those for long ones. The constructor
    // starts all of them.
    int threads = 1;
    int long_threads = 1;
    // The most requests that no thread has started, and the most bytes of these
    // (the sum of Task::bytes). The limits apply to quick tasks and to long
    // ones separately.
    int64_t waiting_requests = 256;
    int64_t waiting_bytes = int64_t{256} << 20;
  };

  struct Task {
    // The size of the request.
    int64_t bytes = 0;
    // The client. Waiting clients take turns.
    uint64_t client = 0;
    // Whether it runs among the long tasks.
    bool is_long = false;
    // Runs a part of the task. Returns whether another part remains.
    std::function<bool()> run_part;
  };

  // How long a part of a long task should run.
  static constexpr absl::Duration kPart = absl::Milliseconds(20);
  // Returns whether a request of so many bytes is a long task: it may take
  // seconds.
  static constexpr bool IsLong(size_t bytes) { return bytes > (1 << 16); }

  // Precondition: the numbers of threads and both limits are positive. Throws
  // std::system_error if the system cannot start more threads.
  explicit WorkQueue(const Options& options);
  // Runs the tasks that were added before it returns.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Runs `task` when its turn comes. Errors: kResourceExhausted if the queue is
  // full; the task is then not run. A task is always accepted, however large,
  // if no other is waiting. Precondition: bytes >= 0, and the task does not
  // throw.
  absl::Status Add(Task task);
  // The same, for a quick task of one part.
  absl::Status Add(int64_t bytes, std::function<void()> task);

  // Like Add, but waits until the task has run. Errors: as above, and
  // kResourceExhausted if the task runs out of memory. Precondition: bytes >=
  // 0; `task` throws nothing but std::bad_alloc; the caller is not a task of
  // this queue, because it could then wait forever.
  absl::Status Run(Task task);
  absl::Status Run(int64_t bytes, absl::FunctionRef<void()> task);

  // Returns the number of tasks that no thread has started.
  int64_t waiting() const;
  // Returns whether a quick task can be added.
  bool HasRoom() const;

 private:
  class Lane;

  const std::unique_ptr<Lane> quick_;
  const std::unique_ptr<Lane> long_;
};

}  // namespace tessera

#endif  // TESSERA_SERVICE_TRANSPORT_WORK_QUEUE_H_
