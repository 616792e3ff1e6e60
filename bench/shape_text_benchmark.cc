// How long does it take to read and to print a shape?
//
//   ./bazelw run //bench:shape_text_benchmark
//
// The baseline of reading is the least that any reader must do: look at every
// byte, tell digits from the rest by a table, and add the digits up. It checks
// nothing and builds nothing. The baseline of printing is the copy of the text.

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

constexpr absl::string_view kTexts[] = {
    "f32[]",
    "f32[128,256]{1,0}",
    "bf16[256,4096]{1,0:T(8,128)(2,1)}",
    "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}",
    "(f32[128,256]{1,0:T(8,128)}, bf16[256,4096]{1,0:T(8,128)(2,1)S(1)})",
};

enum Class : uint8_t { kOther, kDigit, kSeparator };

constexpr std::array<Class, 256> MakeClasses() {
  std::array<Class, 256> classes{};
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (const char c : {'[', ']', '{', '}', '(', ')', ',', ':', ' '}) {
    classes[static_cast<unsigned char>(c)] = kSeparator;
  }
  return classes;
}

constexpr std::array<Class, 256> kClasses = MakeClasses();

uint64_t ScanBytes(absl::string_view text) {
  uint64_t sum = 0;
  uint64_t number = 0;
  for (const char c : text) {
    switch (kClasses[static_cast<unsigned char>(c)]) {
      case kDigit:
        number = 10 * number + (c - '0');
        break;
      case kSeparator:
        sum += number;
        number = 0;
        break;
      case kOther:
        break;
    }
  }
  return sum + number;
}

void BM_ScanBytes(benchmark::State& state) {
  absl::string_view text = kTexts[state.range(0)];
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    benchmark::DoNotOptimize(ScanBytes(text));
  }
  state.SetLabel(std::string(text));
}
BENCHMARK(BM_ScanBytes)->DenseRange(0, 4);

void BM_ParseShape(benchmark::State& state) {
  absl::string_view text = kTexts[state.range(0)];
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    absl::StatusOr<Shape> shape = ParseShape(text);
    benchmark::DoNotOptimize(shape);
  }
  state.SetLabel(std::string(text));
}
BENCHMARK(BM_ParseShape)->DenseRange(0, 4);

void BM_CopyText(benchmark::State& state) {
  absl::string_view text = kTexts[state.range(0)];
  for (auto _ : state) {
    benchmark::DoNotOptimize(text);
    std::string copy(text);
    benchmark::DoNotOptimize(copy);
  }
  state.SetLabel(std::string(text));
}
BENCHMARK(BM_CopyText)->DenseRange(0, 4);

void BM_ToString(benchmark::State& state) {
  const absl::StatusOr<Shape> shape = ParseShape(kTexts[state.range(0)]);
  if (!shape.ok()) {
    state.SkipWithError("does not parse");
    return;
  }
  for (auto _ : state) {
    std::string text = shape->ToString();
    benchmark::DoNotOptimize(text);
  }
  state.SetLabel(shape->ToString());
}
BENCHMARK(BM_ToString)->DenseRange(0, 4);

}  // namespace
}  // namespace tessera

BENCHMARK_MAIN();
