// File: transport/work_queue.h
//
// The threads on which all transports of a process answer, and how much may
// wait for them.
//
//   WorkQueue work(WorkQueue::Options{/*threads=*/2});
//   absl::Status status = work.Run(/*bytes=*/10, [&] { answer = Answer(); });
//   // RESOURCE_EXHAUSTED: waiting_requests: ... if too many wait already
//
// A flood of requests so ends in answers that say so, and neither in more
// threads than cores nor in memory that grows with the flood.

#ifndef TESSERA_TRANSPORT_WORK_QUEUE_H_
#define TESSERA_TRANSPORT_WORK_QUEUE_H_

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
    int threads = 1;
    // Requests that no thread has begun on, and what these take in bytes.
    int64_t waiting_requests = 256;
    int64_t waiting_bytes = int64_t{256} << 20;
  };

  // Preconditions: threads > 0, and both limits are. Throws std::system_error
  // if the system starts no more threads.
  explicit WorkQueue(const Options& options);
  // Runs what was added before it returns.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Has a thread run `task` as soon as one is free. Errors: kResourceExhausted
  // if as much waits as may wait; the task is then not run. One task may always
  // wait, however large.
  absl::Status Add(int64_t bytes, std::function<void()> task);

  // The same, and waits until it has been run. Errors: as above, and
  // kResourceExhausted if it runs out of memory.
  absl::Status Run(int64_t bytes, absl::FunctionRef<void()> task);

  // How many tasks no thread has begun on.
  int64_t waiting() const;

 private:
  struct Waiting {
    int64_t bytes;
    std::function<void()> task;
  };

  void RunTasks();
  // Runs what was added, and ends the threads.
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

#endif  // TESSERA_TRANSPORT_WORK_QUEUE_H_
