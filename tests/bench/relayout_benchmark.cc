#include "tests/bench/relayout_benchmark.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

struct RelayoutCase {
  const char* name;
  const char* array;  // type and bounds
  const char* from;
  const char* to;
  int64_t bits;
  double at_least;  // of memcpy's bytes a second
};

constexpr RelayoutCase kCases[] = {
    {"CopyF32", "f32[4096,4096]", "{1,0}", "{1,0}", 32, 0.0},
    {"TileF32", "f32[4096,4096]", "{1,0}", "{1,0:T(8,128)}", 32, 1.0},
    {"UntileF32", "f32[4096,4096]", "{1,0:T(8,128)}", "{1,0}", 32, 1.2},
    {"TileBf16", "bf16[4096,8192]", "{1,0}", "{1,0:T(8,128)(2,1)}", 16, 1.0},
    {"UntileBf16", "bf16[4096,8192]", "{1,0:T(8,128)(2,1)}", "{1,0}", 16, 1.2},
    {"TileS8", "s8[8192,8192]", "{1,0}", "{1,0:T(8,128)(4,1)}", 8, 0.7},
    {"UntileS8", "s8[8192,8192]", "{1,0:T(8,128)(4,1)}", "{1,0}", 8, 0.7},
    {"TileS8By8", "s8[8192,8192]", "{1,0}", "{1,0:T(32,128)(8,1)}", 8, 0.7},
    {"UntileS8By8", "s8[8192,8192]", "{1,0:T(32,128)(8,1)}", "{1,0}", 8, 0.7},
    {"TransposeF32", "f32[4096,4096]", "{1,0}", "{0,1}", 32, 0.45},
    {"TransposeBf16", "bf16[4096,4096]", "{1,0}", "{0,1}", 16, 0.3},
    {"TransposeS8", "s8[4096,4096]", "{1,0}", "{0,1}", 8, 0.2},
    {"TransposeC128", "c128[2048,2048]", "{1,0}", "{0,1}", 128, 0.45},
    {"TransposeTileF32", "f32[4096,4096]", "{1,0}", "{0,1:T(8,128)}", 32, 0.45},
    {"UntileTransposeF32", "f32[4096,4096]", "{0,1:T(8,128)}", "{1,0}", 32,
     0.45},
    {"TransposeTileBf16", "bf16[4096,4096]", "{1,0}", "{0,1:T(8,128)}", 16,
     0.3},
    {"UntileTransposeBf16", "bf16[4096,4096]", "{0,1:T(8,128)}", "{1,0}", 16,
     0.3},
    {"TransposeTileS8", "s8[4096,4096]", "{1,0}", "{0,1:T(8,128)}", 8, 0.2},
    {"UntileTransposeS8", "s8[4096,4096]", "{0,1:T(8,128)}", "{1,0}", 8, 0.2},
    {"SmallTileF32", "f32[512,512]", "{1,0}", "{1,0:T(8,128)}", 32, 0.85},
    {"SmallUntileF32", "f32[512,512]", "{1,0:T(8,128)}", "{1,0}", 32, 0.85},
    {"SmallTileBf16", "bf16[512,1024]", "{1,0}", "{1,0:T(8,128)(2,1)}", 16,
     0.7},
    {"SmallUntileBf16", "bf16[512,1024]", "{1,0:T(8,128)(2,1)}", "{1,0}", 16,
     0.7},
    {"SmallTileS8", "s8[1024,1024]", "{1,0}", "{1,0:T(8,128)(4,1)}", 8, 0.7},
    {"SmallUntileS8", "s8[1024,1024]", "{1,0:T(8,128)(4,1)}", "{1,0}", 8, 0.7},
    {"SmallTransposeF32", "f32[512,512]", "{1,0}", "{0,1}", 32, 0.35},
    {"WholeTileF32", "f32[1000,1024]", "{1,0}", "{1,0:T(8,128)}", 32, 0.0},
    {"TailTileF32", "f32[1001,1001]", "{1,0}", "{1,0:T(8,128)}", 32, 0.0},
    {"TailUntileF32", "f32[1001,1001]", "{1,0:T(8,128)}", "{1,0}", 32, 0.0},
};

// A box of 4000 x 4000 that begins in the middle of a tile.
struct BoxCase {
  const char* name;
  const char* from;
  const char* to;
  std::vector<int64_t> from_begins;
  std::vector<int64_t> to_begins;
  bool pads;
};

const BoxCase kBoxCases[] = {
    {"SliceF32",
     "f32[4096,4096]{1,0:T(8,128)}",
     "f32[4000,4000]",
     {5, 37},
     {},
     false},
    {"PadF32",
     "f32[4000,4000]",
     "f32[4096,4096]{1,0:T(8,128)}",
     {},
     {5, 37},
     true},
    {"SliceOfTilesF32",
     "f32[4096,4096]{1,0:T(8,128)}",
     "f32[4000,4000]{1,0:T(8,128)}",
     {5, 37},
     {},
     false},
};

IndexMap ReadMap(const std::string& shape) {
  return *ToIndexMap(*ParseShape(shape));
}

RelayoutPlan PlanOf(const RelayoutCase& c) {
  return *RelayoutPlan::Create(ReadMap(absl::StrCat(c.array, c.from)),
                               ReadMap(absl::StrCat(c.array, c.to)), c.bits);
}

RelayoutOptions OptionsOf(const BoxCase& c) {
  RelayoutOptions options;
  options.from_begins = c.from_begins;
  options.to_begins = c.to_begins;
  options.extents = {4000, 4000};
  if (c.pads) options.pad_value.emplace();
  return options;
}

RelayoutPlan PlanOf(const BoxCase& c) {
  return *RelayoutPlan::Create(ReadMap(c.from), ReadMap(c.to), 32,
                               OptionsOf(c));
}

// Touched, on large pages where there are any, and shared by all benchmarks.
uint8_t* BufferOf(int number) {
  constexpr size_t kBytes = size_t{80} << 20;
  static uint8_t* const buffers = [] {
    void* const memory = mmap(nullptr, 2 * kBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, 2 * kBytes, MADV_HUGEPAGE);
    std::memset(memory, 1, 2 * kBytes);
    return static_cast<uint8_t*>(memory);
  }();
  // Not a power of two apart, which caches would mix up.
  return buffers + number * (kBytes - 4096);
}

void RunRelayout(benchmark::State& state, const RelayoutPlan& plan) {
  const absl::Span<const uint8_t> from(BufferOf(0),
                                       static_cast<size_t>(plan.from_bytes()));
  const absl::Span<uint8_t> to(BufferOf(1),
                               static_cast<size_t>(plan.to_bytes()));
  for (auto _ : state) {
    benchmark::DoNotOptimize(plan.Execute(from, to).ok());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * plan.bytes_moved());
}

void RunMemcpy(benchmark::State& state, int64_t bytes) {
  for (auto _ : state) {
    std::memcpy(BufferOf(1), BufferOf(0), static_cast<size_t>(bytes));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}

void RunCreate(benchmark::State& state, const std::string& from,
               const std::string& to) {
  const IndexMap from_map = ReadMap(from), to_map = ReadMap(to);
  for (auto _ : state) {
    benchmark::DoNotOptimize(RelayoutPlan::Create(from_map, to_map, 16));
  }
}

// What a caller who has two shapes pays, before a byte moves.
struct PlanCase {
  const char* name;
  const char* from;
  const char* to;
};

constexpr PlanCase kPlanCases[] = {
    {"TileF32", "f32[4096,4096]{1,0}", "f32[4096,4096]{1,0:T(8,128)}"},
    {"TileBf16", "bf16[4096,8192]{1,0}", "bf16[4096,8192]{1,0:T(8,128)(2,1)}"},
    {"UntileTransposeF32", "f32[4096,4096]{0,1:T(8,128)}",
     "f32[4096,4096]{1,0}"},
    {"Tile4Bf16", "bf16[8,16,1280,128]{3,2,1,0}",
     "bf16[8,16,1280,128]{3,2,0,1:T(8,128)(2,1)}"},
};

void RunPlan(benchmark::State& state, const PlanCase& c) {
  const Shape from = *ParseShape(c.from), to = *ParseShape(c.to);
  for (auto _ : state) benchmark::DoNotOptimize(PlanRelayout(from, to));
}

void RunMakeIndexMap(benchmark::State& state, const PlanCase& c) {
  const Shape from = *ParseShape(c.from), to = *ParseShape(c.to);
  const Shape& tiled = from.layout().tiles().empty() ? to : from;
  for (auto _ : state) benchmark::DoNotOptimize(ToIndexMap(tiled));
}

std::string CaseName(const char* name) {
  return absl::StrCat("BM_Relayout", name);
}

std::string MemcpyName(int64_t bytes) {
  return absl::StrCat("BM_Memcpy/", bytes);
}

}  // namespace

void RegisterRelayoutBenchmarks() {
  std::set<int64_t> sizes;
  const auto add = [&sizes](const auto& c) {
    sizes.insert(PlanOf(c).bytes_moved());
    benchmark::RegisterBenchmark(
        CaseName(c.name).c_str(),
        [&c](benchmark::State& state) { RunRelayout(state, PlanOf(c)); });
  };
  for (const RelayoutCase& c : kCases) add(c);
  for (const BoxCase& c : kBoxCases) add(c);
  for (const int64_t bytes : sizes) {
    benchmark::RegisterBenchmark(
        MemcpyName(bytes).c_str(),
        [bytes](benchmark::State& state) { RunMemcpy(state, bytes); });
  }
  benchmark::RegisterBenchmark("BM_RelayoutCreate/4", RunCreate,
                               "bf16[4,3,1001,1001]",
                               "bf16[4,3,1001,1001]{3,2,1,0:T(8,128)(2,1)}");
  benchmark::RegisterBenchmark("BM_RelayoutCreate/6", RunCreate,
                               "bf16[2,4,3,5,1001,1001]",
                               "bf16[2,4,3,5,1001,1001]{5,4,1,0,3,2:T(8,128)(2,"
                               "1)}");
  for (const PlanCase& c : kPlanCases) {
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_PlanRelayout/", c.name).c_str(),
        [&c](benchmark::State& state) { RunPlan(state, c); });
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_TiledIndexMap/", c.name).c_str(),
        [&c](benchmark::State& state) { RunMakeIndexMap(state, c); });
  }
  for (const BoxCase& c : kBoxCases) {
    benchmark::RegisterBenchmark(
        absl::StrCat("BM_RelayoutCreate/", c.name).c_str(),
        [&c](benchmark::State& state) {
          const IndexMap from = ReadMap(c.from), to = ReadMap(c.to);
          for (auto _ : state) {
            benchmark::DoNotOptimize(
                RelayoutPlan::Create(from, to, 32, OptionsOf(c)));
          }
        });
  }
}

std::vector<Ratio> RelayoutRatios() {
  std::vector<Ratio> ratios;
  for (const RelayoutCase& c : kCases) {
    if (c.at_least == 0) continue;
    ratios.push_back({CaseName(c.name), MemcpyName(PlanOf(c).bytes_moved()),
                      1 / c.at_least});
  }
  for (const BoxCase& c : kBoxCases) {
    ratios.push_back({CaseName(c.name), MemcpyName(PlanOf(c).bytes_moved())});
  }
  ratios.push_back({"BM_RelayoutTailTileF32", "BM_RelayoutWholeTileF32", 1.1});
  // Into tiles and out of them no slower than the plain transpose, but for the
  // noise of a run: medians of the same code differ by some hundredths.
  for (const char* type : {"F32", "Bf16", "S8"}) {
    for (const char* tiled : {"TransposeTile", "UntileTranspose"}) {
      ratios.push_back({absl::StrCat("BM_Relayout", tiled, type),
                        absl::StrCat("BM_RelayoutTranspose", type), 1.0});
    }
  }
  return ratios;
}

}  // namespace tessera
