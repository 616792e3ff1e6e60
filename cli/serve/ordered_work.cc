#include "tessera/cli/serve/ordered_work.h"

#include <utility>

namespace tessera::cli {

OrderedWork::OrderedWork(int threads, int64_t capacity, Write write)
    : capacity_(capacity), write_(std::move(write)) {
  try {
    for (int i = 0; i < threads; ++i) {
      workers_.emplace_back([this] { RunTasks(); });
    }
  } catch (...) {  // no thread, or no memory for one
    Finish();
    throw;
  }
}

OrderedWork::~OrderedWork() { Finish(); }

bool OrderedWork::Add(int64_t weight, Task task) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (weight_ >= capacity_) {
    // Waits for room for several tasks, because waking up for each often takes
    // longer than the task.
    room_.wait(lock,
               [this] { return has_stopped_ || weight_ <= capacity_ / 2; });
  }
  if (has_stopped_) return false;
  auto slot = std::make_shared<Slot>();
  slot->weight = weight;
  slot->task = std::move(task);
  weight_ += weight;
  slots_.push_back(slot);
  waiting_slots_.push_back(std::move(slot));
  waiting_.notify_one();
  return true;
}

void OrderedWork::Finish() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_complete_ = true;
  }
  waiting_.notify_all();
  for (std::thread& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
}

void OrderedWork::RunTasks() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    waiting_.wait(lock, [this] {
      return has_stopped_ || is_complete_ || !waiting_slots_.empty();
    });
    if (has_stopped_ || waiting_slots_.empty()) return;
    const std::shared_ptr<Slot> slot = std::move(waiting_slots_.front());
    waiting_slots_.pop_front();
    lock.unlock();
    slot->result = slot->task();
    // The data of the task may be large.
    slot->task = nullptr;
    lock.lock();
    slot->is_done = true;
    if (!is_writing_) WriteResults(&lock);
  }
}

void OrderedWork::WriteResults(std::unique_lock<std::mutex>* lock) {
  is_writing_ = true;
  while (!has_stopped_ && !slots_.empty() && slots_.front()->is_done) {
    const std::shared_ptr<Slot> slot = std::move(slots_.front());
    slots_.pop_front();
    const bool is_last_for_now = slots_.empty() || !slots_.front()->is_done;
    lock->unlock();
    const bool goes_on = write_(slot->result, is_last_for_now);
    lock->lock();
    weight_ -= slot->weight;
    if (!goes_on) {
      has_stopped_ = true;
      waiting_.notify_all();
    }
    if (has_stopped_ || weight_ <= capacity_ / 2) room_.notify_one();
  }
  is_writing_ = false;
}

}  // namespace tessera::cli
