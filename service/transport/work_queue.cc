#include "tessera/service/transport/work_queue.h"

#include <future>
#include <memory>
#include <utility>

#include "tessera/service/service_options.h"
#include "tessera/service/within_memory.h"

namespace tessera {

WorkQueue::WorkQueue(const Options& options) : options_(options) {
  threads_.reserve(options.threads);
  try {
    for (int i = 0; i < options.threads; ++i) {
      threads_.emplace_back([this] { RunTasks(); });
    }
  } catch (...) {  // no thread, or no memory for one
    Finish();
    throw;
  }
}

WorkQueue::~WorkQueue() { Finish(); }

void WorkQueue::Finish() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_complete_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

absl::Status WorkQueue::Add(int64_t bytes, std::function<void()> task) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!waiting_.empty()) {
      // What a thread is about to take does not wait.
      absl::Status status =
          CheckLimit("waiting_requests", "requests",
                     static_cast<int64_t>(waiting_.size()) + 1 - idle_threads_,
                     options_.waiting_requests);
      if (status.ok()) {
        status = CheckLimit("waiting_bytes", "bytes", waiting_bytes_ + bytes,
                            options_.waiting_bytes);
      }
      if (!status.ok()) return status;
    }
    waiting_bytes_ += bytes;
    waiting_.push_back({bytes, std::move(task)});
  }
  changed_.notify_one();
  return absl::OkStatus();
}

absl::Status WorkQueue::Run(int64_t bytes, absl::FunctionRef<void()> task) {
  // Outlives the task, which may still be in set_value when this returns.
  const auto is_done = std::make_shared<std::promise<absl::Status>>();
  absl::Status status = Add(
      bytes, [is_done, task] { is_done->set_value(RunWithinMemory(task)); });
  return status.ok() ? is_done->get_future().get() : status;
}

int64_t WorkQueue::waiting() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return waiting_.size();
}

void WorkQueue::RunTasks() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    ++idle_threads_;
    changed_.wait(lock, [this] { return !waiting_.empty() || is_complete_; });
    --idle_threads_;
    if (waiting_.empty()) return;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= next.bytes;
    lock.unlock();
    next.task();
    lock.lock();
  }
}

}  // namespace tessera
