// All positions of a slice, in nanoseconds a position: handed out by a
// generator, and asked for one by one.
//
//   ./bazelw run -c opt //tests/bench -- --benchmark_filter=Slice

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/slice_positions.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

using Order = SlicePositions::Order;
using Index = std::vector<int64_t>;

// What is handed out at a time.
constexpr size_t kBlock = 1024;

struct SliceCase {
  IndexMap map;
  Index start;
  Index limit;

  int64_t size() const {
    int64_t size = 1;
    for (size_t d = 0; d < start.size(); ++d) size *= limit[d] - start[d];
    return size;
  }
};

SliceCase CaseOf(const std::string& shape, Index start, Index limit) {
  return {*ToIndexMap(*ParseShape(shape)), std::move(start), std::move(limit)};
}

struct WholeTails {
  static SliceCase Make() {
    return CaseOf("f32[1001,1001]{1,0:T(8,128)}", {0, 0}, {1001, 1001});
  }
};
struct CutTails {
  static SliceCase Make() {
    return CaseOf("f32[1001,1001]{1,0:T(8,128)}", {5, 37}, {990, 1000});
  }
};
struct PairsOfFour {
  static SliceCase Make() {
    return CaseOf("bf16[4,3,1001,1001]{3,2,1,0:T(8,128)(2,1)}", {1, 0, 5, 37},
                  {3, 3, 990, 1000});
  }
};
struct Transposed {
  static SliceCase Make() {
    return CaseOf("f32[1001,1001]{0,1:T(8,128)}", {5, 37}, {990, 1000});
  }
};

template <typename Case>
void RunGenerator(benchmark::State& state, Order order, bool with_indices) {
  const SliceCase c = Case::Make();
  std::vector<int64_t> positions(kBlock);
  std::vector<Index> coordinates(c.start.size(), Index(kBlock));
  std::vector<int64_t*> pointers;
  if (with_indices) {
    for (Index& coordinate : coordinates) pointers.push_back(coordinate.data());
  }
  for (auto _ : state) {
    SlicePositions slice =
        *SlicePositions::Create(c.map, c.start, c.limit, order);
    while (slice.Next(absl::MakeSpan(positions), pointers) > 0) {
      benchmark::DoNotOptimize(positions.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * c.size());
}

template <typename Case>
void BM_SliceLogical(benchmark::State& state) {
  RunGenerator<Case>(state, Order::kLogical, false);
}
template <typename Case>
void BM_SliceMemory(benchmark::State& state) {
  RunGenerator<Case>(state, Order::kMemory, false);
}
template <typename Case>
void BM_SliceMemoryIndices(benchmark::State& state) {
  RunGenerator<Case>(state, Order::kMemory, true);
}

// The same positions, one call each.
template <typename Case>
void BM_SliceOneByOne(benchmark::State& state) {
  const SliceCase c = Case::Make();
  std::vector<int64_t> positions(kBlock);
  for (auto _ : state) {
    Index index = c.start;
    size_t n = 0;
    for (int64_t left = c.size(); left > 0; --left) {
      positions[n] = c.map.LinearIndexUnchecked(index);
      if (++n == kBlock) {
        benchmark::DoNotOptimize(positions.data());
        benchmark::ClobberMemory();
        n = 0;
      }
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < c.limit[d]) break;
        index[d] = c.start[d];
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * c.size());
}

// The index of every position, one call each, whether it is of the slice or
// not; a position of the whole array costs what is reported.
template <typename Case>
void BM_SliceInverseOneByOne(benchmark::State& state) {
  const SliceCase c = Case::Make();
  std::vector<Index> coordinates(c.start.size(), Index(kBlock));
  Index index(c.start.size());
  for (auto _ : state) {
    for (int64_t p = 0; p < c.map.position_count(); ++p) {
      const PositionKind kind =
          c.map.MultidimensionalIndexUnchecked(p, absl::MakeSpan(index));
      benchmark::DoNotOptimize(kind);
      for (size_t d = 0; d < index.size(); ++d) {
        coordinates[d][static_cast<size_t>(p) % kBlock] = index[d];
      }
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * c.map.position_count());
}

// Up to the first 1024 positions.
template <typename Case>
void BM_SliceCreate(benchmark::State& state) {
  const SliceCase c = Case::Make();
  std::vector<int64_t> positions(kBlock);
  for (auto _ : state) {
    SlicePositions slice =
        *SlicePositions::Create(c.map, c.start, c.limit, Order::kMemory);
    benchmark::DoNotOptimize(slice.Next(absl::MakeSpan(positions)));
  }
}

BENCHMARK_TEMPLATE(BM_SliceLogical, WholeTails);
BENCHMARK_TEMPLATE(BM_SliceLogical, CutTails);
BENCHMARK_TEMPLATE(BM_SliceLogical, PairsOfFour);
BENCHMARK_TEMPLATE(BM_SliceLogical, Transposed);
BENCHMARK_TEMPLATE(BM_SliceMemory, WholeTails);
BENCHMARK_TEMPLATE(BM_SliceMemory, CutTails);
BENCHMARK_TEMPLATE(BM_SliceMemory, PairsOfFour);
BENCHMARK_TEMPLATE(BM_SliceMemoryIndices, CutTails);
BENCHMARK_TEMPLATE(BM_SliceMemoryIndices, PairsOfFour);
BENCHMARK_TEMPLATE(BM_SliceOneByOne, WholeTails);
BENCHMARK_TEMPLATE(BM_SliceOneByOne, CutTails);
BENCHMARK_TEMPLATE(BM_SliceOneByOne, PairsOfFour);
BENCHMARK_TEMPLATE(BM_SliceOneByOne, Transposed);
BENCHMARK_TEMPLATE(BM_SliceInverseOneByOne, CutTails);
BENCHMARK_TEMPLATE(BM_SliceInverseOneByOne, PairsOfFour);
BENCHMARK_TEMPLATE(BM_SliceCreate, CutTails);
BENCHMARK_TEMPLATE(BM_SliceCreate, PairsOfFour);

}  // namespace
}  // namespace tessera
