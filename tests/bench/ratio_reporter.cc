#include "tests/bench/ratio_reporter.h"

#include <cstdio>

namespace tessera {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.aggregate_name == "median") {
      const std::string name = run.run_name.str();
      medians_[name] = run.GetAdjustedCPUTime();
      const auto items = run.counters.find("items_per_second");
      times_[name] = items != run.counters.end()
                         ? 1e6 / items->second.value
                         : run.GetAdjustedCPUTime() * 1e6 /
                               benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
  }
  ConsoleReporter::ReportRuns(runs);
}

void RatioReporter::PrintRatios(const std::vector<Ratio>& ratios) const {
  std::printf("\n%-34s %-34s %8s %8s\n", "median of", "over median of", "ratio",
              "at most");
  for (const Ratio& ratio : ratios) {
    const auto measured = medians_.find(ratio.benchmark);
    const auto baseline = medians_.find(ratio.baseline);
    if (measured == medians_.end() || baseline == medians_.end()) continue;
    std::printf("%-34s %-34s %8.2f", ratio.benchmark.c_str(),
                ratio.baseline.c_str(), measured->second / baseline->second);
    if (ratio.at_most.has_value()) std::printf(" %8.2f", *ratio.at_most);
    std::printf("\n");
  }
}

void RatioReporter::PrintTimes(const std::vector<TimeLimit>& limits) const {
  std::printf("\n%-34s %12s %12s\n", "median of", "us", "at most");
  for (const TimeLimit& limit : limits) {
    const auto measured = times_.find(limit.benchmark);
    if (measured == times_.end()) continue;
    std::printf("%-34s %12.3f %12.3f\n", limit.benchmark.c_str(),
                measured->second, limit.at_most);
  }
}

}  // namespace tessera
