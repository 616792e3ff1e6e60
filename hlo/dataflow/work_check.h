// Checks now and then whether long work should continue.

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
  // An error of `go_on` ends the work. Without a function, nothing ends it.
  explicit WorkCheck(const std::function<absl::Status()>& go_on = nullptr)
      : go_on_(go_on) {
    if (go_on == nullptr) steps_left_ = std::numeric_limits<int64_t>::max();
  }
  WorkCheck(const WorkCheck&) = delete;
  WorkCheck& operator=(const WorkCheck&) = delete;

  // Counts `steps` steps of work, each shorter than about a microsecond.
  // Returns false after the first error; results are then incomplete.
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

  // A call of go_on_ takes a microsecond.
  static constexpr int64_t kStepsPerCall = 4096;

  const std::function<absl::Status()> go_on_;
  int64_t steps_left_ = 0;
  absl::Status status_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_WORK_CHECK_H_
