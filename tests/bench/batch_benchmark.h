// Batches of indices, forward and inverse, in 64 and in 32 bits: BatchIndexMap
// beside a loop written for that very layout (batch_by_hand.h), and beside
// single calls.
//
//   RegisterBatchBenchmarks();        // before the benchmarks run
//   reporter.PrintRatios(BatchRatios());

#ifndef TESSERA_TESTS_BENCH_BATCH_BENCHMARK_H_
#define TESSERA_TESTS_BENCH_BATCH_BENCHMARK_H_

#include <vector>

#include "tests/bench/ratio_reporter.h"

namespace tessera {

void RegisterBatchBenchmarks();

std::vector<Ratio> BatchRatios();

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_BATCH_BENCHMARK_H_
