// How long does it take to read and to print a shape?
//
//   ./bazelw run -c opt //tests/bench
//
// The baseline of reading is the least that any reader must do: look at every
// byte, tell digits from the rest by a table, and make numbers of them. It
// checks nothing and builds nothing. The baseline of printing is the copy of
// the text.
//
// The last text, "mixed", is a thousand different ones in turn: a processor
// learns the branches of a single text by heart, and then flatters its reader.

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

constexpr std::string_view kTexts[] = {
    "f32[]",
    "f32[128,256]{1,0}",
    "bf16[256,4096]{1,0:T(8,128)(2,1)}",
    "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}",
    "(f32[128,256]{1,0:T(8,128)}, bf16[256,4096]{1,0:T(8,128)(2,1)S(1)})",
    "mixed",
};

std::vector<std::string> MixedTexts() {
  std::mt19937_64 random(20260822);
  const auto pick = [&random](std::vector<std::string_view> from) {
    return from[random() % from.size()];
  };
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) {
    std::string dimensions;
    std::string minor_to_major;
    const int rank = 1 + random() % 4;
    for (int k = 0; k < rank; ++k) {
      const std::string_view comma = k == 0 ? "" : ",";
      absl::StrAppend(&dimensions, AbslView(comma),
                      1 + (random() >> (50 + random() % 14)));
      absl::StrAppend(&minor_to_major, AbslView(comma), rank - 1 - k);
    }
    texts.push_back(absl::StrCat(
        AbslView(pick({"f32", "bf16", "s32", "pred", "s8", "f8e4m3fn"})), "[",
        dimensions, "]{", minor_to_major,
        AbslView(pick({"", ":T(8,128)", ":T(8,128)(2,1)", ":T(128)S(1)",
                       ":S(5)", ":T(8,128)(4,1)S(1)", ":T(2,128)E(4)"})),
        "}"));
  }
  return texts;
}

// The texts of the benchmark's argument, one after the other and again.
class Texts {
 public:
  explicit Texts(const benchmark::State& state) {
    const std::string_view text = kTexts[state.range(0)];
    texts_ = text == "mixed" ? MixedTexts()
                             : std::vector<std::string>{std::string(text)};
  }

  std::string_view Next() {
    if (++next_ >= texts_.size()) next_ = 0;
    std::string_view text = texts_[next_];
    benchmark::DoNotOptimize(text);
    return text;
  }

  const std::vector<std::string>& all() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  size_t next_ = 0;
};

void SetLabel(benchmark::State* state) {
  state->SetLabel(std::string(kTexts[state->range(0)]));
}

constexpr std::array<bool, 256> MakeIsDigit() {
  std::array<bool, 256> is_digit{};
  for (int c = '0'; c <= '9'; ++c) is_digit[c] = true;
  return is_digit;
}

constexpr std::array<bool, 256> kIsDigit = MakeIsDigit();

// Without a branch on the class, which is the fastest of the ways tried.
uint64_t ScanBytes(std::string_view text) {
  uint64_t sum = 0;
  uint64_t number = 0;
  for (const char c : text) {
    const bool is_digit = kIsDigit[static_cast<unsigned char>(c)];
    sum += is_digit ? 0 : number;
    number = is_digit ? 10 * number + (c - '0') : 0;
  }
  return sum + number;
}

void BM_ScanBytes(benchmark::State& state) {
  Texts texts(state);
  for (auto _ : state) benchmark::DoNotOptimize(ScanBytes(texts.Next()));
  SetLabel(&state);
}
BENCHMARK(BM_ScanBytes)->DenseRange(0, 5);

void BM_ParseShape(benchmark::State& state) {
  Texts texts(state);
  for (auto _ : state) {
    absl::StatusOr<Shape> shape = ParseShape(texts.Next());
    benchmark::DoNotOptimize(shape);
  }
  SetLabel(&state);
}
BENCHMARK(BM_ParseShape)->DenseRange(0, 5);

void BM_CopyText(benchmark::State& state) {
  Texts texts(state);
  for (auto _ : state) {
    std::string copy(texts.Next());
    benchmark::DoNotOptimize(copy);
  }
  SetLabel(&state);
}
BENCHMARK(BM_CopyText)->DenseRange(0, 5);

void BM_ToString(benchmark::State& state) {
  const Texts texts(state);
  std::vector<Shape> shapes;
  for (const std::string& text : texts.all()) {
    absl::StatusOr<Shape> shape = ParseShape(text);
    if (!shape.ok()) {
      state.SkipWithError(text.c_str());
      return;
    }
    shapes.push_back(*std::move(shape));
  }
  size_t next = 0;
  for (auto _ : state) {
    if (++next >= shapes.size()) next = 0;
    std::string text = shapes[next].ToString();
    benchmark::DoNotOptimize(text);
  }
  SetLabel(&state);
}
BENCHMARK(BM_ToString)->DenseRange(0, 5);

}  // namespace
}  // namespace tessera
