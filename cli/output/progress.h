// File: cli/output/progress.h
//
// Shows how much of a large file has been read, or the like, on a terminal: in
// a line that overwrites itself and disappears in the end.

#ifndef TESSERA_CLI_OUTPUT_PROGRESS_H_
#define TESSERA_CLI_OUTPUT_PROGRESS_H_

#include <cstdint>
#include <string>

#include "tessera/cli/output/console.h"

namespace tessera {
namespace cli {

class Progress {
 public:
  // Smaller inputs are read too quickly to show progress.
  static constexpr int64_t kWorthwhileBytes = 50'000'000;

  // `size` is in bytes, or -1 if it is unknown. Shows nothing if console->err
  // is not a terminal. The line begins with `activity`.
  Progress(const std::string& name, int64_t size, Console* console,
           const char* activity = "reading");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Tells how many bytes are done.
  void Update(int64_t bytes);

 private:
  const std::string name_;
  const int64_t size_;
  Console* const console_;
  const char* const activity_;
  bool is_shown_ = false;
  int64_t next_ = 0;  // when to print the next line
};

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_OUTPUT_PROGRESS_H_
