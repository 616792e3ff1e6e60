// Drawing a window of 32 x 32 cells, of a large array beside a small one.
//
//   reporter.PrintRatios(PictureRatios());

#ifndef TESSERA_TESTS_BENCH_PICTURE_BENCHMARK_H_
#define TESSERA_TESTS_BENCH_PICTURE_BENCHMARK_H_

#include <vector>

#include "tests/bench/ratio_reporter.h"

namespace tessera {

void RegisterPictureBenchmarks();

std::vector<Ratio> PictureRatios();

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_PICTURE_BENCHMARK_H_
