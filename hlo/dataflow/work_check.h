// Asks now and then whether long work is to go on.

#ifndef TESSERA_HLO_DATAFLOW_WORK_CHECK_H_
#define TESSERA_HLO_DATAFLOW_WORK_CHECK_H_

#include <cstdint>
#include <functional>
#include <limits>

#include "absl/status/status.h"

namespace tessera {
namespace hlo_internal {

class WorkCheck {
 public:
  // The error of `go_on` ends the work. Without a function, it never ends.
  explicit WorkCheck(const std::function<absl::Status()>& go_on = nullptr)
      : go_on_(go_on) {
    if (go_on == nullptr) steps_left_ = std::numeric_limits<int64_t>::max();
  }
  WorkCheck(const WorkCheck&) = delete;
  WorkCheck& operator=(const WorkCheck&) = delete;

  // Counts so many steps of work, each shorter than a microsecond or so.
  // Returns false from the first error on: results are then not complete.
  bool GoesOn(int64_t steps = 1) {
    steps_left_ -= steps;
    return steps_left_ > 0 || Ask();
  }

  // The error that ended the work.
  const absl::Status& status() const { return status_; }

 private:
  bool Ask() {
    if (go_on_ != nullptr && status_.ok()) status_ = go_on_();
    steps_left_ = status_.ok() ? kStepsPerCall : 0;
    return status_.ok();
  }

  // A call takes a microsecond.
  static constexpr int64_t kStepsPerCall = 4096;

  const std::function<absl::Status()> go_on_;
  int64_t steps_left_ = 0;
  absl::Status status_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_WORK_CHECK_H_
