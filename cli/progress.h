// File: cli/progress.h
//
// How far along is the reading of a large file, or the like? Said on a
// terminal, in a line that overwrites itself and is gone in the end.

#ifndef TESSERA_CLI_PROGRESS_H_
#define TESSERA_CLI_PROGRESS_H_

#include <cstdint>
#include <string>

#include "tessera/cli/console.h"

namespace tessera {

class Progress {
 public:
  // Smaller inputs are read before anyone wonders.
  static constexpr int64_t kWorthwhileBytes = 50'000'000;

  // `size` in bytes, or -1 where nobody knows it. Silent where console->err is
  // no terminal. `activity` is what the line begins with.
  Progress(const std::string& name, int64_t size, Console* console,
           const char* activity = "reading");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // So many bytes are behind.
  void Update(int64_t bytes);

 private:
  const std::string name_;
  const int64_t size_;
  Console* const console_;
  const char* const activity_;
  bool is_shown_ = false;
  int64_t next_ = 0;  // what is worth another line
};

}  // namespace tessera

#endif  // TESSERA_CLI_PROGRESS_H_
