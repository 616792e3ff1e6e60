#include "tests/bench/ratio_reporter.h"

#include <cstdio>

namespace tessera {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.aggregate_name == "median") {
      medians_[run.run_name.str()] = run.GetAdjustedCPUTime();
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

}  // namespace tessera
