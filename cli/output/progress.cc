#include "tessera/cli/output/progress.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tessera/cli/output/table.h"
#include "tessera/cli/output/units.h"

namespace tessera {
namespace cli {

Progress::Progress(const std::string& name, int64_t size, Console* console,
                   const char* activity)
    : name_(name), size_(size), console_(console), activity_(activity) {
  // A size that is not known may yet turn out to be large.
  if (size < 0) next_ = kWorthwhileBytes;
}

Progress::~Progress() {
  if (is_shown_) *console_->err << "\r\x1b[K" << std::flush;
}

void Progress::Update(int64_t bytes) {
  const bool is_small = size_ >= 0 && size_ < kWorthwhileBytes;
  if (!console_->err_display.is_terminal() || is_small || bytes < next_) return;
  constexpr int kSteps = 100;
  next_ = bytes + std::max(size_, kWorthwhileBytes) / kSteps;
  is_shown_ = true;
  // The name last: it may be cut.
  const std::string line = absl::StrCat(
      activity_, " ",
      size_ > 0 ? absl::StrCat(bytes * 100 / size_, "% of ", HumanBytes(size_))
                : HumanBytes(bytes),
      ": ", name_);
  *console_->err << "\r\x1b[K"
                 << Shortened(line, console_->err_display.columns - 1,
                              console_->err_display)
                 << std::flush;
}

}  // namespace cli
}  // namespace tessera
