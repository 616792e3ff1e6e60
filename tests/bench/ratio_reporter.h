// Prints what Google Benchmark prints, and keeps the medians for a table of
// ratios at the end: each hot path beside its baseline.
//
//   RatioReporter reporter;
//   benchmark::RunSpecifiedBenchmarks(&reporter);
//   reporter.PrintRatios({{"BM_ForwardIndexMap",
//   "BM_ForwardHandWritten", 3.0}});

#ifndef TESSERA_TESTS_BENCH_RATIO_REPORTER_H_
#define TESSERA_TESTS_BENCH_RATIO_REPORTER_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"

namespace tessera {

struct Ratio {
  std::string benchmark;
  std::string baseline;
  // The bound that is printed beside the ratio; nullopt for a ratio that has
  // none.
  std::optional<double> at_most = std::nullopt;
};

// The time that one piece of work is to take at most, in microseconds.
struct TimeLimit {
  std::string benchmark;
  double at_most;
};

class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override;

  // One line for each ratio of which both sides were run.
  void PrintRatios(const std::vector<Ratio>& ratios) const;

  // One line for each of these that was run.
  void PrintTimes(const std::vector<TimeLimit>& limits) const;

  bool has_run(const std::string& benchmark) const {
    return medians_.count(benchmark) > 0;
  }

 private:
  std::map<std::string, double> medians_;  // CPU time an iteration, by name
  // Microseconds of an item, or of an iteration that counts none.
  std::map<std::string, double> times_;
};

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_RATIO_REPORTER_H_
