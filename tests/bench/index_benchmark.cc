// Single indices, forward and inverse, for one layout that TPUs use:
//
//   bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}
//
// Three ways each, on the same precomputed indices: the literal interpretation
// (literal_interpretation.h), IndexMap, and shift-and-mask code written by hand
// for this layout alone. Then the rest of what an IndexMap does, for the
// record.
//
//   ./bazelw run -c opt //tests/bench

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/shape/shape.h"
#include "tests/bench/literal_interpretation.h"

namespace tessera {
namespace {

constexpr size_t kSomeIndices = 4096;
constexpr int64_t kPositions = 167772160;

Shape BenchmarkShape() {
  Layout::Parts parts;
  parts.minor_to_major = {3, 2, 0, 1};
  parts.tiles = {Tile({8, 128}), Tile({2, 1})};
  parts.memory_space = 1;
  return Shape::Array(BF16, {8, 1, 1280, 16384}, Layout(parts));
}

LiteralLayout BenchmarkLiteralLayout() {
  LiteralLayout layout;
  layout.rank = 4;
  const int64_t bounds[] = {8, 1, 1280, 16384};
  const int minor_to_major[] = {3, 2, 0, 1};
  for (int i = 0; i < 4; ++i) {
    layout.bounds[i] = bounds[i];
    layout.minor_to_major[i] = minor_to_major[i];
  }
  layout.tile_count = 2;
  layout.tile_rank[0] = 2;
  layout.tiles[0][0] = 8;
  layout.tiles[0][1] = 128;
  layout.tile_rank[1] = 2;
  layout.tiles[1][0] = 2;
  layout.tiles[1][1] = 1;
  return layout;
}

// Written for this layout: dimension 1 is always 0, and every divisor but 160,
// the number of tile rows, is a power of two.
inline int64_t HandWrittenLinearIndex(const int64_t* i) {
  const uint64_t row = i[2], column = i[3];
  return ((i[0] * 160 + (row >> 3)) << 17) + ((column >> 7) << 10) +
         (((row >> 1) & 3) << 8) + ((column & 127) << 1) + (row & 1);
}

inline void HandWrittenMultidimensionalIndex(int64_t linear, int64_t* i) {
  const uint64_t p = linear;
  const uint64_t tile_row = p >> 17;
  i[0] = tile_row / 160;
  i[1] = 0;
  i[2] = ((tile_row % 160) << 3) | (((p >> 8) & 3) << 1) | (p & 1);
  i[3] = (((p >> 10) & 127) << 7) | ((p >> 1) & 127);
}

std::vector<std::array<int64_t, 4>> RandomIndices() {
  std::mt19937_64 random(1);
  std::vector<std::array<int64_t, 4>> indices(kSomeIndices);
  for (auto& index : indices) {
    index = {static_cast<int64_t>(random() % 8), 0,
             static_cast<int64_t>(random() % 1280),
             static_cast<int64_t>(random() % 16384)};
  }
  return indices;
}

std::vector<int64_t> RandomPositions() {
  std::mt19937_64 random(2);
  std::vector<int64_t> positions(kSomeIndices);
  for (int64_t& position : positions) position = random() % kPositions;
  return positions;
}

template <typename Function>
void RunForward(benchmark::State& state, Function linear_index) {
  const auto indices = RandomIndices();
  for (auto _ : state) {
    int64_t sum = 0;
    for (const auto& index : indices) sum += linear_index(index.data());
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kSomeIndices);
}

template <typename Function>
void RunInverse(benchmark::State& state, Function multidimensional_index) {
  const std::vector<int64_t> positions = RandomPositions();
  std::array<int64_t, 4> index;
  for (auto _ : state) {
    for (int64_t position : positions) {
      multidimensional_index(position, index.data());
      benchmark::DoNotOptimize(index);
    }
  }
  state.SetItemsProcessed(state.iterations() * kSomeIndices);
}

void BM_ForwardLiteral(benchmark::State& state) {
  LiteralLayout layout = BenchmarkLiteralLayout();
  benchmark::DoNotOptimize(layout);  // known at run time only
  RunForward(state, [&layout](const int64_t* index) {
    return LiteralLinearIndex(layout, index);
  });
}
BENCHMARK(BM_ForwardLiteral);

void BM_ForwardIndexMap(benchmark::State& state) {
  const IndexMap map = *ToIndexMap(BenchmarkShape());
  RunForward(state, [&map](const int64_t* index) {
    return map.LinearIndexUnchecked(absl::MakeConstSpan(index, 4));
  });
}
BENCHMARK(BM_ForwardIndexMap);

void BM_ForwardIndexMapChecked(benchmark::State& state) {
  const IndexMap map = *ToIndexMap(BenchmarkShape());
  RunForward(state, [&map](const int64_t* index) {
    return *map.LinearIndex(absl::MakeConstSpan(index, 4));
  });
}
BENCHMARK(BM_ForwardIndexMapChecked);

// The same where the rank is not known when the caller is compiled.
void BM_ForwardIndexMapCheckedAnyRank(benchmark::State& state) {
  const IndexMap map = *ToIndexMap(BenchmarkShape());
  size_t rank = 4;
  benchmark::DoNotOptimize(rank);
  RunForward(state, [&map, rank](const int64_t* index) {
    return *map.LinearIndex(absl::MakeConstSpan(index, rank));
  });
}
BENCHMARK(BM_ForwardIndexMapCheckedAnyRank);

void BM_ForwardHandWritten(benchmark::State& state) {
  RunForward(state, HandWrittenLinearIndex);
}
BENCHMARK(BM_ForwardHandWritten);

void BM_InverseLiteral(benchmark::State& state) {
  LiteralLayout layout = BenchmarkLiteralLayout();
  benchmark::DoNotOptimize(layout);
  RunInverse(state, [&layout](int64_t position, int64_t* index) {
    benchmark::DoNotOptimize(
        LiteralMultidimensionalIndex(layout, position, index));
  });
}
BENCHMARK(BM_InverseLiteral);

void BM_InverseIndexMap(benchmark::State& state) {
  const IndexMap map = *ToIndexMap(BenchmarkShape());
  RunInverse(state, [&map](int64_t position, int64_t* index) {
    benchmark::DoNotOptimize(
        map.MultidimensionalIndexUnchecked(position, absl::MakeSpan(index, 4)));
  });
}
BENCHMARK(BM_InverseIndexMap);

void BM_InverseHandWritten(benchmark::State& state) {
  RunInverse(state, HandWrittenMultidimensionalIndex);
}
BENCHMARK(BM_InverseHandWritten);

void BM_MakeIndexMap(benchmark::State& state) {
  const Shape shape = BenchmarkShape();
  for (auto _ : state) benchmark::DoNotOptimize(ToIndexMap(shape));
}
BENCHMARK(BM_MakeIndexMap);

}  // namespace
}  // namespace tessera
