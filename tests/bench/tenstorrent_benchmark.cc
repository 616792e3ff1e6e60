// Tensor layouts of tt-mlir: where an element lies and what lies at a place,
// each beside arithmetic that is written by hand for that layout alone, with
// its sizes known to the compiler. Before anything is timed, the two are held
// against each other at all the numbers that will be asked.
//
//   ./bazelw run -c opt //tests/bench -- --benchmark_filter=Tensor

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {
namespace {

constexpr size_t kAsked = 4096;

// Where a scalar of a tile of 32x32 lies in its tile: faces of 16x16.
uint64_t PositionInTile(uint64_t row, uint64_t column) {
  return (row >> 4 << 9) | (column >> 4 << 8) | ((row & 15) << 4) |
         (column & 15);
}
// The row of what lies there, of tiles above one another too, and its column.
uint64_t RowOf(uint64_t number) {
  return (number >> 9 << 4) | ((number >> 4) & 15);
}
uint64_t ColumnOf(uint64_t number) {
  return ((number >> 4) & 16) | (number & 15);
}

// -- The document's examples, in which dimensions are in one result each ------

// The shard of 192 rows is that of one d0.
struct Scalars {
  static constexpr char kText[] =
      "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> "
      "(d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, "
      "#tt.memory_space<l1>>>>";
  static constexpr int kRank = 4;
  static int64_t Number(const int64_t* i) {
    const uint64_t column = i[3];
    return ((i[0] * 4 + (column >> 5)) * 192 + i[1] * 64 + i[2]) * 32 +
           (column & 31);
  }
  static bool Index(int64_t number, int64_t* i) {
    const uint64_t p = number;
    const uint64_t cell = p / 6144, row = (p % 6144) >> 5;
    i[0] = cell >> 2;
    i[1] = row >> 6;
    i[2] = row & 63;
    i[3] = ((cell & 3) << 5) | (p & 31);
    return true;
  }
};

// One tile in each cell.
struct Tiles {
  static constexpr char kText[] =
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";
  static constexpr int kRank = 2;
  static int64_t Number(const int64_t* i) {
    const uint64_t row = i[0], column = i[1];
    return ((row / 18 * 2 + (column >> 5)) << 10) +
           PositionInTile(row % 18, column & 31);
  }
  static bool Index(int64_t number, int64_t* i) {
    const uint64_t p = number;
    const uint64_t row = RowOf(p & 1023);
    i[0] = (p >> 11) * 18 + row;
    i[1] = ((p >> 5) & 32) | ColumnOf(p);
    return row < 18 && i[0] < 53 && i[1] < 63;
  }
};

// Three tiles, one above the other, in each cell of each device.
struct Devices {
  static constexpr char kText[] =
      "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> "
      "(d0, d1 * 64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!tt.tile<32x32, "
      "f32>, #tt.memory_space<l1>>>>";
  static constexpr int kRank = 4;
  static int64_t Number(const int64_t* i) {
    const uint64_t row = i[1] * 64 + i[2], column = i[3];
    return ((i[0] * 2 + row / 96) * 4 + (column >> 5)) * 3072 +
           PositionInTile(row % 96, column & 31);
  }
  static bool Index(int64_t number, int64_t* i) {
    const uint64_t p = number;
    const uint64_t cell = p / 3072;
    const uint64_t row = ((cell >> 2) & 1) * 96 + RowOf(p % 3072);
    i[0] = cell >> 3;
    i[1] = row >> 6;
    i[2] = row & 63;
    i[3] = ((cell & 3) << 5) | ColumnOf(p);
    return true;
  }
};

// Two tiles, one above the other, in each cell; batch 1 begins at the second.
struct Bumped {
  static constexpr char kText[] =
      "tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), "
      "undef, <1x2>, memref<2x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";
  static constexpr int kRank = 3;
  static int64_t Number(const int64_t* i) {
    const uint64_t column = i[2];
    return ((column >> 4) << 11) + (i[0] << 10) + (i[1] << 4) + (column & 15);
  }
  static bool Index(int64_t number, int64_t* i) {
    const uint64_t p = number;
    i[0] = (p >> 10) & 1;
    i[1] = RowOf(p & 1023);
    i[2] = ((p >> 11) << 4) | (p & 15);
    return (p & 256) == 0 && i[1] < 8;
  }
};

// -- The others --------------------------------------------------------------

// floordiv and mod of a sum whose coefficients the divisor divides.
struct Divided {
  static constexpr char kText[] =
      "tensor<16x8xf32, #tt.metal_layout<(d0, d1) -> ((d0 * 8 + d1) floordiv "
      "4, (d0 * 8 + d1) mod 4), undef, <2x2>, memref<16x2xf32, "
      "#tt.memory_space<l1>>>>";
  static constexpr int kRank = 2;
  static int64_t Number(const int64_t* i) {
    const uint64_t sum = i[0] * 8 + i[1];
    return (((sum >> 6 << 1) | (sum >> 1 & 1)) << 5) + ((sum >> 2 & 15) << 1) +
           (sum & 1);
  }
};

// The document's example in which d1 is in two results.
struct Repeated {
  static constexpr char kText[] =
      "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, "
      "d2), undef, <2x1x2>, memref<384x96x16xf32, #tt.memory_space<l1>>>>";
  static constexpr int kRank = 3;
  static int64_t Number(const int64_t* i) {
    const uint64_t first = i[0], column = i[2];
    const uint64_t cell = (first >> 2) * 2 + (column >> 4);
    return ((cell * 384 + (first & 3) * 96 + i[1]) * 96 + i[1]) * 16 +
           (column & 15);
  }
};

template <typename Layout>
using IndexOf = std::array<int64_t, Layout::kRank>;

template <typename Layout>
Placement PlacementOf() {
  return *Verify(*ParseMetalTensor(Layout::kText)).placement;
}

template <typename Layout>
std::vector<IndexOf<Layout>> RandomIndices(const IndexMap& map) {
  std::mt19937_64 random(1);
  std::vector<IndexOf<Layout>> indices(kAsked);
  for (IndexOf<Layout>& index : indices) {
    for (int d = 0; d < Layout::kRank; ++d) {
      index[d] = random() % map.bounds()[d];
    }
  }
  return indices;
}

// Of all places that are allocated.
std::vector<int64_t> RandomNumbers(const IndexMap& map) {
  std::mt19937_64 random(2);
  std::vector<int64_t> numbers(kAsked);
  for (int64_t& number : numbers) number = random() % map.position_count();
  return numbers;
}

// Each result goes to a sink of its own, so that no loop is vectorised.
template <typename Layout, typename Function>
void RunForward(benchmark::State& state, Function number_of) {
  const Placement placement = PlacementOf<Layout>();
  const auto indices = RandomIndices<Layout>(placement.map());
  for (const IndexOf<Layout>& index : indices) {
    if (Layout::Number(index.data()) !=
        placement.map().LinearIndexUnchecked(index)) {
      state.SkipWithError("the arithmetic is not that of the layout");
      return;
    }
  }
  for (auto _ : state) {
    for (const IndexOf<Layout>& index : indices) {
      const int64_t number = number_of(placement, index);
      benchmark::DoNotOptimize(number);
    }
  }
  state.SetItemsProcessed(state.iterations() * kAsked);
}

template <typename Layout>
void BM_TensorForward(benchmark::State& state) {
  RunForward<Layout>(
      state, [](const Placement& placement, const IndexOf<Layout>& index) {
        return placement.map().LinearIndexUnchecked(index);
      });
}

template <typename Layout>
void BM_TensorForwardByHand(benchmark::State& state) {
  RunForward<Layout>(state, [](const Placement&, const IndexOf<Layout>& index) {
    return Layout::Number(index.data());
  });
}

template <typename Layout>
void BM_TensorLocate(benchmark::State& state) {
  RunForward<Layout>(
      state, [](const Placement& placement, const IndexOf<Layout>& index) {
        return placement.Locate(index)->byte();
      });
}

// All that there is to ask of a location.
template <typename Layout>
void BM_TensorLocateAll(benchmark::State& state) {
  RunForward<Layout>(
      state, [](const Placement& placement, const IndexOf<Layout>& index) {
        const absl::StatusOr<Location> location = placement.Locate(index);
        benchmark::DoNotOptimize(location->physical());
        benchmark::DoNotOptimize(location->cell());
        benchmark::DoNotOptimize(location->offset());
        benchmark::DoNotOptimize(location->tile());
        benchmark::DoNotOptimize(location->in_tile());
        benchmark::DoNotOptimize(location->in_face());
        benchmark::DoNotOptimize(location->linear_in_shard());
        return location->byte();
      });
}

// The kind of padding is not asked for, here as by hand.
template <typename Layout, typename Function>
void RunInverse(benchmark::State& state, Function is_element) {
  const Placement placement = PlacementOf<Layout>();
  const std::vector<int64_t> numbers = RandomNumbers(placement.map());
  IndexOf<Layout> index;
  for (auto _ : state) {
    for (const int64_t number : numbers) {
      benchmark::DoNotOptimize(is_element(placement, number, index));
      benchmark::DoNotOptimize(index);
    }
  }
  state.SetItemsProcessed(state.iterations() * kAsked);
}

template <typename Layout>
void BM_TensorInverse(benchmark::State& state) {
  RunInverse<Layout>(state, [](const Placement& placement, int64_t number,
                               IndexOf<Layout>& index) {
    return placement.map().MultidimensionalIndexUnchecked(
               number, absl::MakeSpan(index)) == PositionKind::kElement;
  });
}

template <typename Layout>
void BM_TensorInverseByHand(benchmark::State& state) {
  const Placement placement = PlacementOf<Layout>();
  for (const int64_t number : RandomNumbers(placement.map())) {
    IndexOf<Layout> by_map, by_hand;
    const bool is_element =
        placement.map().MultidimensionalIndexUnchecked(
            number, absl::MakeSpan(by_map)) == PositionKind::kElement;
    if (Layout::Index(number, by_hand.data()) != is_element ||
        (is_element && by_map != by_hand)) {
      state.SkipWithError("the arithmetic is not that of the layout");
      return;
    }
  }
  RunInverse<Layout>(
      state, [](const Placement&, int64_t number, IndexOf<Layout>& index) {
        return Layout::Index(number, index.data());
      });
}

// With the kind of padding.
template <typename Layout>
void BM_TensorAt(benchmark::State& state) {
  RunInverse<Layout>(
      state, [](const Placement& placement, int64_t number, IndexOf<Layout>&) {
        return placement.At(number).kind == PositionKind::kElement;
      });
}

template <typename Layout>
void BM_TensorParse(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(ParseMetalTensor(Layout::kText));
  }
  state.SetBytesProcessed(state.iterations() * (sizeof(Layout::kText) - 1));
}

// From the parts of a text to its map.
template <typename Layout>
void BM_TensorMakePlacement(benchmark::State& state) {
  const MetalTensor tensor = *ParseMetalTensor(Layout::kText);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Placement::Create(*Geometry::Of(tensor)));
  }
}

BENCHMARK_TEMPLATE(BM_TensorForward, Scalars);
BENCHMARK_TEMPLATE(BM_TensorForward, Tiles);
BENCHMARK_TEMPLATE(BM_TensorForward, Devices);
BENCHMARK_TEMPLATE(BM_TensorForward, Bumped);
BENCHMARK_TEMPLATE(BM_TensorForward, Divided);
BENCHMARK_TEMPLATE(BM_TensorForward, Repeated);
BENCHMARK_TEMPLATE(BM_TensorForwardByHand, Scalars);
BENCHMARK_TEMPLATE(BM_TensorForwardByHand, Tiles);
BENCHMARK_TEMPLATE(BM_TensorForwardByHand, Devices);
BENCHMARK_TEMPLATE(BM_TensorForwardByHand, Bumped);
BENCHMARK_TEMPLATE(BM_TensorForwardByHand, Divided);
BENCHMARK_TEMPLATE(BM_TensorForwardByHand, Repeated);
BENCHMARK_TEMPLATE(BM_TensorLocate, Scalars);
BENCHMARK_TEMPLATE(BM_TensorLocate, Devices);
BENCHMARK_TEMPLATE(BM_TensorLocateAll, Scalars);
BENCHMARK_TEMPLATE(BM_TensorLocateAll, Devices);
BENCHMARK_TEMPLATE(BM_TensorInverse, Scalars);
BENCHMARK_TEMPLATE(BM_TensorInverse, Tiles);
BENCHMARK_TEMPLATE(BM_TensorInverse, Devices);
BENCHMARK_TEMPLATE(BM_TensorInverse, Bumped);
BENCHMARK_TEMPLATE(BM_TensorInverse, Divided);
BENCHMARK_TEMPLATE(BM_TensorInverse, Repeated);
BENCHMARK_TEMPLATE(BM_TensorInverseByHand, Scalars);
BENCHMARK_TEMPLATE(BM_TensorInverseByHand, Tiles);
BENCHMARK_TEMPLATE(BM_TensorInverseByHand, Devices);
BENCHMARK_TEMPLATE(BM_TensorInverseByHand, Bumped);
BENCHMARK_TEMPLATE(BM_TensorAt, Tiles);
BENCHMARK_TEMPLATE(BM_TensorParse, Devices);
BENCHMARK_TEMPLATE(BM_TensorMakePlacement, Devices);

// -- Whole files --------------------------------------------------------------

// A function of which every part repeats the names of the one before it.
std::string RepeatedLayoutFile(size_t bytes) {
  constexpr std::string_view kPart = R"(// -----
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
func.func @forward(%arg0: tensor<512x512xbf16, #a>) -> tensor<512x512xbf16, #a> {
  // CHECK: tensor<512x512xbf16, #b>
  %0 = "ttnn.to_memory_config"(%arg0) : (tensor<512x512xbf16, #a>) -> tensor<512x512xbf16, #b> loc("model.py":10:1)
  %1 = "ttnn.relu"(%0) : (tensor<512x512xbf16, #b>) -> tensor<512x512xbf16, #b> loc("model.py":11:1)
  "ttnn.deallocate"(%0) <{force = false}> : (tensor<512x512xbf16, #b>) -> ()
  %2 = "ttnn.to_memory_config"(%1) : (tensor<512x512xbf16, #b>) -> tensor<512x512xbf16, #a>
  return %2 : tensor<512x512xbf16, #a>
}
)";
  std::string text;
  while (text.size() < bytes) text.append(kPart);
  return text;
}

// What the page on performance holds against 2 s: 100 MB.
void BM_ReadLayoutFile(benchmark::State& state) {
  const std::string text = RepeatedLayoutFile(state.range(0) << 20);
  size_t items = 0;
  for (auto _ : state) items = ReadLayoutFile(text).items.size();
  if (items != 4) state.SkipWithError("not all types are read");
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(BM_ReadLayoutFile)->Arg(1)->Arg(100)->Unit(benchmark::kMillisecond);

// The least that any reader does: it looks at each line.
void BM_FindLayoutFileLines(benchmark::State& state) {
  const std::string text = RepeatedLayoutFile(state.range(0) << 20);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(BM_FindLayoutFileLines)
    ->Arg(1)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::tenstorrent
