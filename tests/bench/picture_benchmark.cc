#include "tests/bench/picture_benchmark.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "benchmark/benchmark.h"
#include "tessera/cute/parse.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/svg_picture.h"
#include "tessera/viz/text_picture.h"
#include "tessera/viz/thread_picture.h"

namespace tessera {
namespace {

// 2^12 elements and 2^40, in the same tiles.
constexpr char kSmall[] = "bf16[64,64]{1,0:T(8,16)(2,1)}";
constexpr char kLarge[] = "bf16[1048576,1048576]{1,0:T(8,16)(2,1)}";

// The last 32 x 32 cells but a few, so that tiles are cut.
PictureOptions WindowOf(int64_t side) {
  PictureOptions options;
  options.row_window = options.column_window = PictureRange{side - 35, 32};
  return options;
}

void DrawPicture(benchmark::State& state, const std::string& shape,
                 int64_t side) {
  const IndexMap map = *ToIndexMap(*ParseShape(shape));
  const PictureOptions options = WindowOf(side);
  for (auto _ : state) benchmark::DoNotOptimize(MakePicture(map, options));
}

void DrawSvg(benchmark::State& state, const std::string& shape, int64_t side) {
  const IndexMap map = *ToIndexMap(*ParseShape(shape));
  const PictureOptions options = WindowOf(side);
  for (auto _ : state) {
    benchmark::DoNotOptimize(RenderSvg(*MakePicture(map, options), {}));
  }
}

void DrawText(benchmark::State& state, const std::string& shape, int64_t side) {
  const IndexMap map = *ToIndexMap(*ParseShape(shape));
  const PictureOptions options = WindowOf(side);
  for (auto _ : state) {
    benchmark::DoNotOptimize(RenderText(*MakePicture(map, options), {}));
  }
}

// 16 x 8 cells with their threads and values: the accumulator of mma.m16n8k16.
void DrawThreadsSvg(benchmark::State& state) {
  ThreadPanel panel;
  panel.rows = 16;
  panel.columns = 8;
  panel.threads = *cute::ParseLayout("((4,8),(2,2)):((32,1),(16,8))");
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        RenderSvg(*MakeThreadPicture({panel}, {}), /*title=*/"C"));
  }
}

}  // namespace

void RegisterPictureBenchmarks() {
  for (const auto& [name, shape, side] :
       {std::make_tuple("Small", kSmall, int64_t{64}),
        std::make_tuple("Large", kLarge, int64_t{1} << 20)}) {
    const std::string suffix = std::string("/") + name;
    benchmark::RegisterBenchmark(("BM_DrawPicture" + suffix).c_str(),
                                 DrawPicture, shape, side);
    benchmark::RegisterBenchmark(("BM_DrawSvg" + suffix).c_str(), DrawSvg,
                                 shape, side);
    benchmark::RegisterBenchmark(("BM_DrawText" + suffix).c_str(), DrawText,
                                 shape, side);
  }
  benchmark::RegisterBenchmark("BM_DrawThreadsSvg", DrawThreadsSvg);
}

std::vector<Ratio> PictureRatios() {
  return {{"BM_DrawPicture/Large", "BM_DrawPicture/Small", 2.0},
          {"BM_DrawSvg/Large", "BM_DrawSvg/Small", 2.0},
          {"BM_DrawText/Large", "BM_DrawText/Small", 2.0}};
}

}  // namespace tessera
