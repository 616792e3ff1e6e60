// A CuTe layout that is known at compile time, at (i, j), against arithmetic
// written by hand for that layout alone: three layouts, of odd sizes, of powers
// of two, and flat.
//
//   ./bazelw run -c opt //bench -- --benchmark_filter=CuteStatic

#include "bench/coordinate_pairs.h"
#include "benchmark/benchmark.h"
#include "tessera/cute/constexpr/static_layout.h"

namespace tessera {
namespace cute {
namespace {

constexpr StaticLayout kStaticOdd =
    ParseStaticLayout("((3,5),(7,2)):((1,40),(5,300))");
constexpr StaticLayout kPowers =
    ParseStaticLayout("((4,2),(2,8)):((2,1),(8,16))");
constexpr StaticLayout kFlat = ParseStaticLayout("(8,16):(16,1)");

void BM_CuteStaticOdd(benchmark::State& state) {
  RunPairs<int>(state, 15, 14, FixedLayout<kStaticOdd>());
}
BENCHMARK(BM_CuteStaticOdd);

void BM_CuteHandWrittenOdd(benchmark::State& state) {
  RunPairs<int>(state, 15, 14, [](unsigned i, unsigned j) {
    return i % 3 + i / 3 * 40 + j % 7 * 5 + j / 7 * 300;
  });
}
BENCHMARK(BM_CuteHandWrittenOdd);

void BM_CuteStaticPowers(benchmark::State& state) {
  RunPairs<int>(state, 8, 16, FixedLayout<kPowers>());
}
BENCHMARK(BM_CuteStaticPowers);

void BM_CuteHandWrittenPowers(benchmark::State& state) {
  RunPairs<int>(state, 8, 16, [](unsigned i, unsigned j) {
    return i % 4 * 2 + i / 4 + j % 2 * 8 + j / 2 * 16;
  });
}
BENCHMARK(BM_CuteHandWrittenPowers);

void BM_CuteStaticFlat(benchmark::State& state) {
  RunPairs<int>(state, 8, 16, FixedLayout<kFlat>());
}
BENCHMARK(BM_CuteStaticFlat);

void BM_CuteHandWrittenFlat(benchmark::State& state) {
  RunPairs<int>(state, 8, 16,
                [](unsigned i, unsigned j) { return i * 16 + j; });
}
BENCHMARK(BM_CuteHandWrittenFlat);

}  // namespace
}  // namespace cute
}  // namespace tessera
