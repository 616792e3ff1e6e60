// A function of two coordinates asked often, and numbers that the compiler
// cannot fold, for the benchmarks of CuTe layouts.
//
//   RunPairs<int>(state, 8, 16, [](unsigned i, unsigned j) { return i + 8 * j;
//   });

#ifndef TESSERA_TESTS_BENCH_COORDINATE_PAIRS_H_
#define TESSERA_TESTS_BENCH_COORDINATE_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"

namespace tessera {

// How much of anything an iteration of a CuTe benchmark is, so that all their
// ratios are by the piece.
constexpr size_t kPiecesAnIteration = 4096;

template <typename Int>
std::vector<Int> RandomCoordinates(Int bound, int seed) {
  std::mt19937_64 random(seed);
  std::vector<Int> coordinates(kPiecesAnIteration);
  for (Int& c : coordinates) c = static_cast<Int>(random() % bound);
  return coordinates;
}

// Asks `value` at (i, j) with i < rows and j < columns. Each result goes to a
// sink of its own, so that no loop is vectorised.
template <typename Int, typename Function>
void RunPairs(benchmark::State& state, Int rows, Int columns, Function value) {
  const std::vector<Int> i = RandomCoordinates<Int>(rows, 1);
  const std::vector<Int> j = RandomCoordinates<Int>(columns, 2);
  const Int* const i_data = i.data();
  const Int* const j_data = j.data();
  for (auto _ : state) {
    for (size_t n = 0; n < kPiecesAnIteration; ++n) {
      const int64_t result = value(i_data[n], j_data[n]);
      benchmark::DoNotOptimize(result);
    }
  }
  state.SetItemsProcessed(state.iterations() * kPiecesAnIteration);
}

// `constant` as a number that the compiler knows nothing of, in a register.
template <typename Int>
Int KnownAtRunTime(Int constant) {
  asm volatile("" : "+r"(constant));
  return constant;
}

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_COORDINATE_PAIRS_H_
