// Whole arrays moved from one layout to another, beside memcpy of as many bytes
// in the same buffers.
//
//   RegisterRelayoutBenchmarks();        // before the benchmarks run
//   reporter.PrintRatios(RelayoutRatios());

#ifndef TESSERA_TESTS_BENCH_RELAYOUT_BENCHMARK_H_
#define TESSERA_TESTS_BENCH_RELAYOUT_BENCHMARK_H_

#include <vector>

#include "tests/bench/ratio_reporter.h"

namespace tessera {

void RegisterRelayoutBenchmarks();

std::vector<Ratio> RelayoutRatios();

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_RELAYOUT_BENCHMARK_H_
