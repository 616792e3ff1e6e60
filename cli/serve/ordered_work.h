// Runs tasks on several threads and writes their results in the order of the
// tasks.
//
//   OrderedWork work(/*threads=*/2, /*capacity=*/1 << 20,
//                    [](std::string_view text, bool is_last_for_now) {
//                      std::cout << text;
//                      return std::cout.good();
//                    });
//   work.Add(10, [] { return "first, "; });
//   work.Add(10, [] { return "second"; });
//   work.Finish();   // "first, second"

#ifndef TESSERA_CLI_SERVE_ORDERED_WORK_H_
#define TESSERA_CLI_SERVE_ORDERED_WORK_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace tessera::cli {

class OrderedWork {
 public:
  using Task = std::function<std::string()>;
  // Writes one result after the other, on the thread of a finished task.
  // `is_last_for_now` means that the next result is not ready yet. Returns
  // false to stop all further writing.
  using Write =
      std::function<bool(std::string_view result, bool is_last_for_now)>;

  // `capacity` bounds the total weight of the tasks whose results have not been
  // written; the last task may exceed it. Precondition: threads > 0, capacity >
  // 0. Throws std::system_error if the system starts no more threads.
  OrderedWork(int threads, int64_t capacity, Write write);
  // Calls Finish().
  ~OrderedWork();
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  // Adds a task as soon as there is room. Returns false if writing has stopped.
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
  // Writes the finished results whose turn has come. Precondition: no thread is
  // writing.
  void WriteResults(std::unique_lock<std::mutex>* lock);

  const int64_t capacity_;
  const Write write_;

  std::mutex mutex_;
  std::condition_variable room_;     // for Add
  std::condition_variable waiting_;  // for RunTasks
  // The tasks whose results have not been written, and those of them that have
  // not begun.
  std::deque<std::shared_ptr<Slot>> slots_;
  std::deque<std::shared_ptr<Slot>> waiting_slots_;
  int64_t weight_ = 0;
  bool is_writing_ = false;
  bool is_complete_ = false;  // nothing is to come
  bool has_stopped_ = false;

  std::vector<std::thread> workers_;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_SERVE_ORDERED_WORK_H_
