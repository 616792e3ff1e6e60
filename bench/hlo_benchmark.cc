// HLO text, each file by its number: reading it instruction by instruction,
// into a module, and summing up its memory. Beside them the scan, which
// classifies every byte through a table and counts runs, and the limit, a
// search for each line break.
//
//   ./bazelw run -c opt //bench -- --benchmark_filter=Hlo

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/memory_summary.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

// Metadata-rich dumps: a TPU module of 318 KB with tiled layouts, and a CPU
// module of 14 KB with frame tables.
constexpr const char* kFiles[] = {
    "tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt",
    "tests/hlo/data/jax.issue.33666.linx.frag_0100.module_0005.hlo",
};

const std::string& Text(int64_t file) {
  static const std::vector<std::string>& texts =
      *new std::vector<std::string>([] {
        std::vector<std::string> texts;
        for (const char* name : kFiles) {
          std::ifstream file(name);
          texts.emplace_back(std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>());
        }
        return texts;
      }());
  return texts[file];
}

template <typename Work>
void Run(benchmark::State& state, const Work& work) {
  const std::string& text = Text(state.range(0));
  if (text.empty()) return state.SkipWithError("no file");
  for (auto _ : state) benchmark::DoNotOptimize(work(text));
  state.SetBytesProcessed(state.iterations() * text.size());
}

void BM_FindHloLines(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    int64_t lines = 0;
    for (size_t i = text.find('\n'); i != text.npos;
         i = text.find('\n', i + 1)) {
      ++lines;
    }
    return lines;
  });
}
BENCHMARK(BM_FindHloLines)->DenseRange(0, 1);

// Blanks, names and numbers, quotes, brackets, the rest.
constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes = {};
  for (int c = '0'; c <= '9'; ++c) classes[c] = 1;
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = 1;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = 1;
  for (char c : {'_', '.', '-', '%'}) classes[c] = 1;
  for (char c : {' ', '\t', '\r', '\n'}) classes[c] = 2;
  for (char c : {'(', ')', '[', ']', '{', '}'}) classes[c] = 3;
  classes['"'] = 4;
  return classes;
}

void BM_ScanHlo(benchmark::State& state) {
  static constexpr std::array<uint8_t, 256> kClasses = MakeClasses();
  Run(state, [](const std::string& text) {
    int64_t runs = 0;
    uint8_t last = 255;
    for (const char c : text) {
      const uint8_t now = kClasses[static_cast<unsigned char>(c)];
      runs += now != last;
      last = now;
    }
    return runs;
  });
}
BENCHMARK(BM_ScanHlo)->DenseRange(0, 1);

void BM_ReadHlo(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    HloShapeTable shapes;
    HloHandler handler;
    return ReadHlo(text, &shapes, &handler).instructions;
  });
}
BENCHMARK(BM_ReadHlo)->DenseRange(0, 1);

void BM_ParseHlo(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    return ParseHloView(text)->instructions().size();
  });
}
BENCHMARK(BM_ParseHlo)->DenseRange(0, 1);

void BM_SummarizeHlo(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    return SummarizeMemory(text).total.padded_bytes;
  });
}
BENCHMARK(BM_SummarizeHlo)->DenseRange(0, 1);

}  // namespace
}  // namespace tessera
