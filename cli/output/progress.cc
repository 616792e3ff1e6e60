#include "tessera/cli/output/progress.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"

namespace tessera::cli {

Progress::Progress(const std::string& name, int64_t size, Console* console,
                   const char* activity, ProgressClock clock)
    : name_(name),
      size_(size),
      console_(console),
      activity_(activity),
      clock_(std::move(clock)) {
  Begin(0);
}

Progress::~Progress() {
  if (is_shown_) *console_->err << "\r\x1b[K" << std::flush;
}

void Progress::Begin(int64_t unpacked) {
  // An unknown size may turn out to be large, and so may the contents of a
  // small packed file.
  next_ = size_ < kWorthwhileBytes ? kWorthwhileBytes : 0;
  begin_ = unpacked;
  begin_time_ = rate_time_ = clock_();
  rate_ = "-";
}

const std::string& Progress::Rate(int64_t unpacked) {
  // Digits that change at every step are not readable.
  constexpr std::chrono::milliseconds kInterval(100);
  const auto now = clock_();
  if (now - rate_time_ >= kInterval) {
    rate_time_ = now;
    const std::chrono::duration<double> elapsed = now - begin_time_;
    rate_ = HumanBytes(
                static_cast<int64_t>((unpacked - begin_) / elapsed.count())) +
            "/s";
  }
  return rate_;
}

void Progress::Update(int64_t done, int64_t unpacked) {
  if (!console_->err_display.is_terminal()) return;
  if (unpacked < last_) Begin(unpacked);
  last_ = unpacked;
  if (unpacked < next_) return;
  constexpr int kSteps = 100;
  next_ = unpacked + std::max(size_, kWorthwhileBytes) / kSteps;
  is_shown_ = true;
  // In columns, so that the line does not move. The name comes last, because it
  // may be cut.
  const std::string line = absl::StrFormat(
      "%s %s, %12s%s: %s", activity_,
      size_ > 0 ? absl::StrFormat("%3d%% of %s", done * 100 / size_,
                                  HumanBytes(size_))
                : absl::StrFormat("%10s", HumanBytes(unpacked)),
      Rate(unpacked), unpacked != done ? " unpacked" : "", name_);
  // The rest of a longer previous line is erased last, because a line that is
  // briefly blank flickers.
  *console_->err << "\r"
                 << Shortened(line, console_->err_display.columns - 1,
                              console_->err_display)
                 << "\x1b[K" << std::flush;
}

}  // namespace tessera::cli
