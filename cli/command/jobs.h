// The number of threads of `--jobs N`.

#ifndef TESSERA_CLI_COMMAND_JOBS_H_
#define TESSERA_CLI_COMMAND_JOBS_H_

#include <algorithm>
#include <cstdint>
#include <thread>

namespace tessera::cli {

// The most that are started; the help of the commands says so.
constexpr int64_t kMostJobs = 256;

// Returns how many threads to start; 0 jobs ask for one per core.
inline int ThreadsForJobs(int64_t jobs) {
  const int64_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  return std::min(jobs == 0 ? cores : jobs, kMostJobs);
}

}  // namespace tessera::cli

#endif  // TESSERA_CLI_COMMAND_JOBS_H_
