// The number of threads of `--jobs N`.

#ifndef TESSERA_CLI_COMMAND_JOBS_H_
#define TESSERA_CLI_COMMAND_JOBS_H_

#include <algorithm>
#include <cstdint>
#include <thread>

namespace tessera::cli {

// The largest number of threads, as documented in the help of the commands.
constexpr int64_t kMostJobs = 256;

// Returns the number of threads to start; 0 jobs mean one per core.
inline int ThreadsForJobs(int64_t jobs) {
  const int64_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  return std::min(jobs == 0 ? cores : jobs, kMostJobs);
}

}  // namespace tessera::cli

#endif  // TESSERA_CLI_COMMAND_JOBS_H_
