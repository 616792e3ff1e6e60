// A CuTe layout that is known at compile time, at (i, j), against arithmetic
// written by hand for that layout alone: three layouts, of odd sizes, of powers
// of two, and flat. Then the same arithmetic with sizes and strides that are
// known at run time only, which is the unit for the run-time library.
//
//   ./bazelw run -c opt //bench -- --benchmark_filter=Cute
//
// Each result goes to a sink of its own, so that no loop is vectorised.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"
#include "tessera/cute/static_layout.h"

namespace tessera {
namespace cute {
namespace {

constexpr size_t kCoordinates = 4096;

constexpr StaticLayout kOdd =
    ParseStaticLayout("((3,5),(7,2)):((1,40),(5,300))");
constexpr StaticLayout kPowers =
    ParseStaticLayout("((4,2),(2,8)):((2,1),(8,16))");
constexpr StaticLayout kFlat = ParseStaticLayout("(8,16):(16,1)");

template <typename Int>
std::vector<Int> RandomCoordinates(Int bound, int seed) {
  std::mt19937_64 random(seed);
  std::vector<Int> coordinates(kCoordinates);
  for (Int& c : coordinates) c = static_cast<Int>(random() % bound);
  return coordinates;
}

// `value` is asked at (i, j) with i < rows and j < columns.
template <typename Int, typename Function>
void RunPairs(benchmark::State& state, Int rows, Int columns, Function value) {
  const std::vector<Int> i = RandomCoordinates<Int>(rows, 1);
  const std::vector<Int> j = RandomCoordinates<Int>(columns, 2);
  const Int* const i_data = i.data();
  const Int* const j_data = j.data();
  for (auto _ : state) {
    for (size_t n = 0; n < kCoordinates; ++n) {
      const int64_t result = value(i_data[n], j_data[n]);
      benchmark::DoNotOptimize(result);
    }
  }
  state.SetItemsProcessed(state.iterations() * kCoordinates);
}

void BM_CuteStaticOdd(benchmark::State& state) {
  RunPairs<int>(state, 15, 14, FixedLayout<kOdd>());
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

// `constant` as a number that the compiler knows nothing of, in a register.
template <typename Int>
Int KnownAtRunTime(Int constant) {
  asm volatile("" : "+r"(constant));
  return constant;
}

// kOdd: one hardware division for each of i and j. What that costs differs
// between processors as nothing else here does, and with the width of Int.
template <typename Int>
void RunHandWrittenRunTime(benchmark::State& state) {
  const Int s0 = KnownAtRunTime<Int>(3), d0 = KnownAtRunTime<Int>(1);
  const Int d1 = KnownAtRunTime<Int>(40);
  const Int s2 = KnownAtRunTime<Int>(7), d2 = KnownAtRunTime<Int>(5);
  const Int d3 = KnownAtRunTime<Int>(300);
  RunPairs<Int>(state, 15, 14, [=](Int i, Int j) {
    return i % s0 * d0 + i / s0 * d1 + j % s2 * d2 + j / s2 * d3;
  });
}

void BM_CuteHandWrittenRunTime(benchmark::State& state) {
  RunHandWrittenRunTime<int64_t>(state);
}
BENCHMARK(BM_CuteHandWrittenRunTime);

void BM_CuteHandWrittenRunTimeInt(benchmark::State& state) {
  RunHandWrittenRunTime<int>(state);
}
BENCHMARK(BM_CuteHandWrittenRunTimeInt);

}  // namespace
}  // namespace cute
}  // namespace tessera
