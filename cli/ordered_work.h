// File: cli/ordered_work.h
//
// Work on several threads, whose results are written in the order in which it
// was given out.
//
//   OrderedWork work(/*threads=*/2, /*capacity=*/1 << 20,
//                    [](absl::string_view text, bool is_last_for_now) {
//                      std::cout << text;
//                      return std::cout.good();
//                    });
//   work.Add(10, [] { return "first, "; });
//   work.Add(10, [] { return "second"; });
//   work.Finish();   // "first, second"

#ifndef TESSERA_CLI_ORDERED_WORK_H_
#define TESSERA_CLI_ORDERED_WORK_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"

namespace tessera {

class OrderedWork {
 public:
  using Task = std::function<std::string()>;
  // Called for one result after the other, by a thread of its own; it is told
  // whether the next is still to be computed, or even to come. False stops all
  // that follows.
  using Write =
      std::function<bool(absl::string_view result, bool is_last_for_now)>;

  // `capacity` bounds the weight of the tasks whose result is not written yet,
  // beside a last one of any weight. Precondition: threads > 0, capacity > 0.
  // Throws std::system_error if the system starts no more threads.
  OrderedWork(int threads, int64_t capacity, Write write);
  // Finishes.
  ~OrderedWork();
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  // Gives out a task, as soon as there is room. False if writing has stopped.
  // Precondition: weight > 0, and Finish was not called.
  bool Add(int64_t weight, Task task);

  // Waits until everything is written or writing has stopped.
  void Finish();

 private:
  struct Slot {
    int64_t weight;
    Task task;
    bool is_done = false;
    std::string result;
  };

  void RunTasks();
  void WriteResults();

  const int64_t capacity_;
  const Write write_;

  std::mutex mutex_;
  std::condition_variable room_;     // for Add
  std::condition_variable waiting_;  // for RunTasks
  std::condition_variable ready_;    // for WriteResults
  // Everything that is not written, and what of it is not begun.
  std::deque<std::shared_ptr<Slot>> slots_;
  std::deque<std::shared_ptr<Slot>> waiting_slots_;
  int64_t weight_ = 0;
  bool is_complete_ = false;  // nothing is to come
  bool has_stopped_ = false;

  std::vector<std::thread> workers_;
  std::thread writer_;
};

}  // namespace tessera

#endif  // TESSERA_CLI_ORDERED_WORK_H_
