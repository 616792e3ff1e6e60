// HLO text, each dump by its number: reading it instruction by instruction and
// into a module, tolerantly and strictly, printing that, and summing up its
// memory. Beside them the scan, which classifies every byte through a table and
// counts runs, and the limit, a search for each line break. Protos with XLA's
// buffer assignment, read for that alone, beside a count of one byte.
//
//   ./bazelw run -c opt //tests/bench -- --benchmark_filter=Hlo

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/assignment_proto.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_printer.h"
#include "tessera/hlo/hlo_reader.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/bench/repeated_dump.h"

namespace tessera {
namespace {

std::string ReadFile(const char* name) {
  std::ifstream file(name);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// 0: a TPU module of 318 KB with tiled layouts and much metadata. 1: a CPU
// module of 14 KB, of which many shapes stand there only once. 2 and 3: their
// computations over and over under fresh names, 8 MB of each.
constexpr int kDumps = 4;
const std::string& Text(int64_t number) {
  static const std::vector<std::string>& texts =
      *new std::vector<std::string>([] {
        constexpr size_t kBytes = 8 << 20;
        std::vector<std::string> texts = {
            ReadFile("tests/hlo/data/tpu_maxtext_llama3_8b_2026-07-31.txt"),
            ReadFile("tests/hlo/data/"
                     "jax.issue.33666.linx.frag_0100.module_0005.hlo")};
        texts.push_back(RepeatDump(texts[0], kBytes));
        texts.push_back(RepeatDump(texts[1], kBytes));
        return texts;
      }());
  return texts[number];
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
BENCHMARK(BM_FindHloLines)->DenseRange(0, kDumps - 1);

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
BENCHMARK(BM_ScanHlo)->DenseRange(0, kDumps - 1);

// The speed of that loop hangs on where the linker puts it; this one's does
// not.
void BM_ScanHloUnrolled(benchmark::State& state) {
  static constexpr std::array<uint8_t, 256> kClasses = MakeClasses();
  Run(state, [](const std::string& text) {
    int64_t runs = 0;
    uint8_t last = 255;
#pragma GCC unroll 8
    for (const char c : text) {
      const uint8_t now = kClasses[static_cast<unsigned char>(c)];
      runs += now != last;
      last = now;
    }
    return runs;
  });
}
BENCHMARK(BM_ScanHloUnrolled)->DenseRange(0, kDumps - 1);

void BM_ReadHlo(benchmark::State& state) {
  class Operands : public HloHandler {
   public:
    void OnInstruction(const HloInstructionText& instruction) override {
      count += instruction.operands.size();
    }
    int64_t count = 0;
  };
  Run(state, [](const std::string& text) {
    HloShapeTable shapes;
    Operands operands;
    return ReadHlo(text, &shapes, &operands).instructions + operands.count;
  });
}
BENCHMARK(BM_ReadHlo)->DenseRange(0, kDumps - 1);

void BM_ParseHlo(benchmark::State& state) {
  Run(state, [](const std::string& text) {
    return ParseHloView(text)->instructions().size();
  });
}
BENCHMARK(BM_ParseHlo)->DenseRange(0, kDumps - 1);

// Dump 0 is cut off, which strict reading refuses before it looks for more.
void BM_ParseHloStrictly(benchmark::State& state) {
  HloParseOptions options;
  options.strict = true;
  Run(state, [&options](const std::string& text) {
    return ParseHloView(text, options)->instructions().size();
  });
}
BENCHMARK(BM_ParseHloStrictly)->DenseRange(1, kDumps - 1);

// Computations inline in one another, so many levels deep: what a byte costs is
// the same for all.
void BM_ParseInlineHloStrictly(benchmark::State& state) {
  std::string text = "f {\n x = f32[] parameter(0)\n";
  for (int64_t i = 0; i < state.range(0); ++i) {
    text += " ROOT r = f32[] call(x), to_apply={\n x = f32[] parameter(0)\n";
  }
  text += " ROOT r = f32[] negate(x)\n";
  text.append(state.range(0) + 1, '}');
  HloParseOptions options;
  options.strict = true;
  for (auto _ : state) {
    const absl::StatusOr<HloDump> dump = ParseHloView(text, options);
    if (!dump.ok()) return state.SkipWithError("refused");
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(BM_ParseInlineHloStrictly)->Arg(80)->Arg(800)->Arg(8000);

void BM_PrintHlo(benchmark::State& state) {
  const absl::StatusOr<HloDump> dump = ParseHloView(Text(state.range(0)));
  Run(state, [&dump](const std::string&) { return PrintHlo(*dump).size(); });
}
BENCHMARK(BM_PrintHlo)->DenseRange(0, kDumps - 1);

void BM_ReportHloMemory(benchmark::State& state) {
  const absl::StatusOr<HloDump> dump = ParseHloView(Text(state.range(0)));
  Run(state, [&dump](const std::string&) {
    return ReportMemory(*dump).modules.size();
  });
}
BENCHMARK(BM_ReportHloMemory)->DenseRange(0, kDumps - 1);

// Of a train step on GPU, 1.7 MB.
const FileBytes& Proto() {
  static const FileBytes& bytes = *new FileBytes([] {
    absl::StatusOr<FileBytes> file = FileBytes::Open(
        "tests/hlo/data/protos/jax_toolbox/module_0016.jit_train_step."
        "sm_9.0_gpu_after_optimizations.hlo.pb.gz");
    return file.ok() ? *std::move(file) : FileBytes();
  }());
  return bytes;
}

template <typename Work>
void RunOnProto(benchmark::State& state, const Work& work) {
  const std::string_view bytes = Proto().text();
  if (bytes.empty()) return state.SkipWithError("no file");
  for (auto _ : state) benchmark::DoNotOptimize(work(bytes));
  state.SetBytesProcessed(state.iterations() * bytes.size());
}

void BM_CountByteOfHloProto(benchmark::State& state) {
  RunOnProto(state, [](std::string_view bytes) {
    return std::count(bytes.begin(), bytes.end(), '\n');
  });
}
BENCHMARK(BM_CountByteOfHloProto);

void BM_ReadHloProtoAssignments(benchmark::State& state) {
  RunOnProto(state, [](std::string_view bytes) {
    return ReadProtoAssignments(bytes).size();
  });
}
BENCHMARK(BM_ReadHloProtoAssignments);

void BM_FindHloAssignedMemory(benchmark::State& state) {
  const std::vector<std::optional<BufferAssignment>> assignments =
      ReadProtoAssignments(Proto().text());
  RunOnProto(state, [&](std::string_view) {
    return FindAssignedMemory(*assignments[0]).size();
  });
}
BENCHMARK(BM_FindHloAssignedMemory);

}  // namespace
}  // namespace tessera
