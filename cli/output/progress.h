// Shows the progress and speed of reading a large file, on a terminal, in a
// line that overwrites itself and finally disappears.
//
//   Progress progress("dump.txt", 104857600, console);
//   progress.Update(44040192);
//       // reading  42% of 100.0 MiB,   84.0 MiB/s: dump.txt
//
// The progress of a packed file counts unpacked bytes:
//
//   progress.Update(44040192, 440401920);
//       // reading  42% of 100.0 MiB,  840.0 MiB/s unpacked: dump.txt.gz

#ifndef TESSERA_CLI_OUTPUT_PROGRESS_H_
#define TESSERA_CLI_OUTPUT_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "tessera/cli/output/console.h"

namespace tessera::cli {

using ProgressClock = std::function<std::chrono::steady_clock::time_point()>;

class Progress {
 public:
  // Smaller inputs are read too quickly to show progress.
  static constexpr int64_t kWorthwhileBytes = 50'000'000;

  // `size` is in bytes, or -1 if it is unknown. Shows nothing if console->err
  // is not a terminal. The line begins with `activity`.
  Progress(const std::string& name, int64_t size, Console* console,
           const char* activity = "reading",
           ProgressClock clock = std::chrono::steady_clock::now);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Sets the number of bytes that are done. A smaller number than before begins
  // another pass.
  void Update(int64_t bytes) { Update(bytes, bytes); }
  // Like the function above, for the number of packed bytes and the
  // corresponding number of unpacked bytes. Steps and speed are measured in
  // unpacked bytes.
  void Update(int64_t done, int64_t unpacked);

 private:
  void Begin(int64_t unpacked);
  // The bytes per second of this pass, or "-" while it is too short to measure.
  const std::string& Rate(int64_t unpacked);

  const std::string name_;
  const int64_t size_;
  Console* const console_;
  const char* const activity_;
  const ProgressClock clock_;
  bool is_shown_ = false;
  // All of these count unpacked bytes.
  int64_t last_ = 0;  // as of the last update
  int64_t next_ = 0;  // at how many to print the next line
  // The byte and the time at which this pass began.
  int64_t begin_ = 0;
  std::chrono::steady_clock::time_point begin_time_;
  std::string rate_;
  std::chrono::steady_clock::time_point rate_time_;  // when it was computed
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_PROGRESS_H_
