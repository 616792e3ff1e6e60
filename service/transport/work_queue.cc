#include "tessera/service/transport/work_queue.h"

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/service/service_options.h"
#include "tessera/service/within_memory.h"

namespace tessera {

// Threads and the tasks that wait for them.
class WorkQueue::Lane {
 public:
  Lane(int threads, const Options& options)
      : options_(options), most_begun_(2 * threads) {
    threads_.reserve(threads);
    try {
      for (int i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { RunTasks(); });
      }
    } catch (...) {  // no thread, or no memory for one
      Finish();
      throw;
    }
  }
  ~Lane() { Finish(); }

  absl::Status Add(Task task) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      absl::Status status = CheckRoom(task.bytes);
      if (!status.ok()) return status;
      waiting_bytes_ += task.bytes;
      ++waiting_;
      std::deque<Task>& own = waiting_of_client_[task.client];
      if (own.empty()) clients_.push_back(task.client);
      own.push_back(std::move(task));
    }
    changed_.notify_one();
    return absl::OkStatus();
  }

  int64_t waiting() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return waiting_;
  }

  bool HasRoom() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return CheckRoom(0).ok();
  }

 private:
  absl::Status CheckRoom(int64_t bytes) const {
    if (waiting_ == 0) return absl::OkStatus();
    // A task that a thread is about to take does not count as waiting.
    TESSERA_RETURN_IF_ERROR(CheckLimit("waiting_requests", "requests",
                                       waiting_ + 1 - idle_threads_,
                                       options_.waiting_requests));
    return CheckLimit("waiting_bytes", "bytes", waiting_bytes_ + bytes,
                      options_.waiting_bytes);
  }

  // Tasks that have begun hold memory, so their number is limited.
  bool CanBegin() const { return waiting_ > 0 && begun_ < most_begun_; }

  // Precondition: there is something to run.
  Task Take() {
    if (!resumed_.empty() && (!CanBegin() || has_just_begun_)) {
      Task task = std::move(resumed_.front());
      resumed_.pop_front();
      has_just_begun_ = false;
      return task;
    }
    const auto own = waiting_of_client_.find(clients_.front());
    clients_.pop_front();
    Task task = std::move(own->second.front());
    own->second.pop_front();
    if (own->second.empty()) {
      waiting_of_client_.erase(own);
    } else {
      clients_.push_back(task.client);
    }
    --waiting_;
    waiting_bytes_ -= task.bytes;
    ++begun_;
    has_just_begun_ = true;
    return task;
  }

  void RunTasks() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      ++idle_threads_;
      changed_.wait(lock, [this] {
        return !resumed_.empty() || CanBegin() ||
               (is_complete_ && waiting_ == 0);
      });
      --idle_threads_;
      if (resumed_.empty() && waiting_ == 0) return;
      Task task = Take();
      lock.unlock();
      const bool has_more = task.run_part();
      // The data of the task may be large.
      if (!has_more) task.run_part = nullptr;
      lock.lock();
      if (has_more) {
        resumed_.push_back(std::move(task));
      } else {
        --begun_;
        if (waiting_ > 0 || is_complete_) changed_.notify_all();
      }
    }
  }

  // Runs the tasks that were added, then stops the threads.
  void Finish() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      is_complete_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  const Options options_;
  const int64_t most_begun_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // The tasks that have not begun, by client; and the clients, in the order of
  // turns.
  std::map<uint64_t, std::deque<Task>> waiting_of_client_;
  std::deque<uint64_t> clients_;
  int64_t waiting_ = 0;
  int64_t waiting_bytes_ = 0;
  // The number of tasks that have begun and not ended; and those of them that
  // no thread runs.
  int64_t begun_ = 0;
  std::deque<Task> resumed_;
  bool has_just_begun_ = false;
  int idle_threads_ = 0;
  bool is_complete_ = false;  // nothing is to come
  std::vector<std::thread> threads_;
};

WorkQueue::WorkQueue(const Options& options)
    : quick_(std::make_unique<Lane>(options.threads, options)),
      long_(std::make_unique<Lane>(options.long_threads, options)) {}

WorkQueue::~WorkQueue() = default;

absl::Status WorkQueue::Add(Task task) {
  return (task.is_long ? long_ : quick_)->Add(std::move(task));
}

absl::Status WorkQueue::Add(int64_t bytes, std::function<void()> task) {
  return Add({bytes, 0, false, [task = std::move(task)] {
                task();
                return false;
              }});
}

absl::Status WorkQueue::Run(Task task) {
  // Outlives the task, which may still be in set_value when this returns.
  const auto is_done = std::make_shared<std::promise<absl::Status>>();
  task.run_part = [is_done, run_part = std::move(task.run_part)] {
    bool has_more = false;
    const absl::Status status = RunWithinMemory([&] { has_more = run_part(); });
    if (has_more) return true;
    is_done->set_value(status);
    return false;
  };
  absl::Status status = Add(std::move(task));
  return status.ok() ? is_done->get_future().get() : status;
}

absl::Status WorkQueue::Run(int64_t bytes, absl::FunctionRef<void()> task) {
  return Run({bytes, 0, false, [task] {
                task();
                return false;
              }});
}

int64_t WorkQueue::waiting() const {
  return quick_->waiting() + long_->waiting();
}

bool WorkQueue::HasRoom() const { return quick_->HasRoom(); }

}  // namespace tessera
