// HLO text, in bytes a second: reading it, and summing up its memory. The file
// is a TPU module of 318 KB with tiled layouts. Beside them, what moving over
// the same bytes costs at the least: a search for each line break.
//
//   ./bazelw run -c opt //bench:hlo_benchmark

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "benchmark/benchmark.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/memory_summary.h"

namespace tessera {
namespace {

const std::string& Text() {
  static const std::string& text = *new std::string([] {
    std::ifstream file("tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }());
  return text;
}

template <typename Work>
void Run(benchmark::State& state, const Work& work) {
  if (Text().empty()) return state.SkipWithError("no file");
  for (auto _ : state) benchmark::DoNotOptimize(work(Text()));
  state.SetBytesProcessed(state.iterations() * Text().size());
}

void FindLineBreaks(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    int64_t lines = 0;
    for (size_t i = text.find('\n'); i != text.npos;
         i = text.find('\n', i + 1)) {
      ++lines;
    }
    return lines;
  });
}
BENCHMARK(FindLineBreaks);

void Read(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    HloShapeTable shapes;
    HloHandler handler;
    return ReadHlo(text, &shapes, &handler).instructions;
  });
}
BENCHMARK(Read);

void Summarize(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    return SummarizeMemory(text).total.padded_bytes;
  });
}
BENCHMARK(Summarize);

}  // namespace
}  // namespace tessera

BENCHMARK_MAIN();
