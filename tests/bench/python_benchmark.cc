// What the Python package costs beside the C++ that it calls, and beside what
// one would write in NumPy.
//
//   ./bazelw run -c opt //tests/bench:python_benchmark
//
// Both sides run in one process, on the same arrays.

#include <pybind11/embed.h>
#include <pybind11/numpy.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/python/built_in_core.h"
#include "tessera/relayout/shape_relayout.h"
#include "tests/bench/ratio_reporter.h"

namespace tessera {
namespace {

namespace py = pybind11;

constexpr char kTiled[] = "f32[1024,1024]{1,0:T(8,128)}";
constexpr int64_t kIndices = int64_t{1} << 20;
// 64 MiB.
constexpr char kLargeRows[] = "f32[4096,4096]{1,0}";
constexpr char kLargeTiled[] = "f32[4096,4096]{1,0:T(8,128)}";

// What a user would write, with names for the arrays that both sides share.
constexpr char kNumPy[] = R"(
import numpy, tessera

layout = tessera.shape(TILED)
plan = tessera.RelayoutPlan(LARGE_ROWS, LARGE_TILED)

def ask_rows(): layout.linear_index(rows, out=out)
def ask_columns(): layout.linear_index(columns, out=out)
def ask_back(): layout.index_of(positions, out=back)
def ask_rows_32(): layout.linear_index(rows_32, out=out_32)

def numpy_columns():
    i, j = columns
    out[:] = (i // 8) * 8192 + (j // 128) * 1024 + (i % 8) * 128 + j % 128

def relayout(): tessera.relayout(large, LARGE_TILED, out=large_out)
def execute_plan(): plan.execute(large, large_out)

def numpy_relayout():
    tiles = large.reshape(512, 8, 32, 128).transpose(0, 2, 1, 3)
    numpy.copyto(large_out.reshape(512, 32, 8, 128), tiles)

def ask_singly(times):
    for _ in range(times):
        layout.linear_index((515, 700))
)";

// The arrays, and the functions above.
struct Python {
  Python() {
    std::mt19937_64 random(7);
    for (int64_t i = 0; i < 2 * kIndices; ++i) {
      rows.push_back(static_cast<int64_t>(random() % 1024));
    }
    for (int64_t i = 0; i < kIndices; ++i) {
      first.push_back(rows[2 * i]);
      second.push_back(rows[2 * i + 1]);
      positions.push_back(static_cast<int64_t>(random() % (1 << 20)));
    }
    rows_32.assign(rows.begin(), rows.end());
    out.resize(kIndices);
    out_32.resize(kIndices);
    back.resize(2 * kIndices);
    kinds.resize(kIndices);
    large.resize(4096 * 4096, 1.0F);
    large_out.resize(4096 * 4096);
    scope["TILED"] = kTiled;
    scope["LARGE_ROWS"] = kLargeRows;
    scope["LARGE_TILED"] = kLargeTiled;
    scope["rows"] = ArrayOf(&rows, {kIndices, 2});
    scope["rows_32"] = ArrayOf(&rows_32, {kIndices, 2});
    scope["columns"] = py::make_tuple(ArrayOf(&first, {kIndices}),
                                      ArrayOf(&second, {kIndices}));
    scope["positions"] = ArrayOf(&positions, {kIndices});
    scope["out"] = ArrayOf(&out, {kIndices});
    scope["out_32"] = ArrayOf(&out_32, {kIndices});
    scope["back"] = ArrayOf(&back, {kIndices, 2});
    scope["large"] = ArrayOf(&large, {4096, 4096});
    scope["large_out"] = ArrayOf(&large_out, {4096 * 4096});
    py::exec(kNumPy, scope);
  }

  // The vector itself, which stays the owner.
  template <typename T>
  static py::array_t<T> ArrayOf(std::vector<T>* values,
                                std::vector<py::ssize_t> shape) {
    return py::array_t<T>(std::move(shape), values->data(), py::none());
  }

  py::dict scope = py::module_::import("__main__").attr("__dict__");
  std::vector<int64_t> rows, first, second, positions, out, back;
  std::vector<int32_t> rows_32, out_32;
  std::vector<PositionKind> kinds;
  std::vector<float> large, large_out;
};

// Never destroyed: Python outlives it.
Python& ThePython() {
  static auto* const python = new Python;
  return *python;
}

const BatchIndexMap& Batches() {
  static auto* const batches =
      new BatchIndexMap(*ToIndexMap(*ParseShape(kTiled)));
  return *batches;
}

void CheckOk(const absl::Status& status) {
  if (!status.ok()) std::abort();
}

void RunPython(benchmark::State& state, const char* function) {
  const py::object call = ThePython().scope[function];
  for (auto _ : state) call();
}

void BM_RowsByCpp(benchmark::State& state) {
  Python& python = ThePython();
  for (auto _ : state) {
    CheckOk(Batches().LinearIndicesOfRows(absl::MakeConstSpan(python.rows),
                                          absl::MakeSpan(python.out)));
  }
}
BENCHMARK(BM_RowsByCpp);
BENCHMARK_CAPTURE(RunPython, RowsByPython, "ask_rows");

void BM_Rows32ByCpp(benchmark::State& state) {
  Python& python = ThePython();
  for (auto _ : state) {
    CheckOk(Batches().LinearIndicesOfRows(absl::MakeConstSpan(python.rows_32),
                                          absl::MakeSpan(python.out_32)));
  }
}
BENCHMARK(BM_Rows32ByCpp);
BENCHMARK_CAPTURE(RunPython, Rows32ByPython, "ask_rows_32");

void BM_ColumnsByCpp(benchmark::State& state) {
  Python& python = ThePython();
  for (auto _ : state) {
    CheckOk(Batches().LinearIndices({python.first.data(), python.second.data()},
                                    absl::MakeSpan(python.out)));
  }
}
BENCHMARK(BM_ColumnsByCpp);
BENCHMARK_CAPTURE(RunPython, ColumnsByPython, "ask_columns");
BENCHMARK_CAPTURE(RunPython, ColumnsByNumPy, "numpy_columns");

// Rows of padding become -1 in Python; here there are none.
void BM_BackByCpp(benchmark::State& state) {
  Python& python = ThePython();
  for (auto _ : state) {
    CheckOk(Batches().MultidimensionalIndicesAsRows(
        absl::MakeConstSpan(python.positions), absl::MakeSpan(python.back),
        absl::MakeSpan(python.kinds)));
  }
}
BENCHMARK(BM_BackByCpp);
BENCHMARK_CAPTURE(RunPython, BackByPython, "ask_back");

void BM_RelayoutByCpp(benchmark::State& state) {
  Python& python = ThePython();
  const RelayoutPlan plan =
      *PlanRelayout(*ParseShape(kLargeRows), *ParseShape(kLargeTiled));
  const auto bytes = [](std::vector<float>& values) {
    return absl::MakeSpan(reinterpret_cast<uint8_t*>(values.data()),
                          values.size() * sizeof(float));
  };
  for (auto _ : state) {
    CheckOk(plan.Execute(bytes(python.large), bytes(python.large_out)));
  }
}
BENCHMARK(BM_RelayoutByCpp);
BENCHMARK_CAPTURE(RunPython, RelayoutByPython, "relayout");
BENCHMARK_CAPTURE(RunPython, PlanByPython, "execute_plan");
BENCHMARK_CAPTURE(RunPython, RelayoutByNumPy, "numpy_relayout");

void BM_SingleByCpp(benchmark::State& state) {
  const IndexMap& map = Batches().map();
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.LinearIndex({515, 700}));
  }
}
BENCHMARK(BM_SingleByCpp);

// The time is that of one call.
void BM_SingleByPython(benchmark::State& state) {
  const py::object call = ThePython().scope["ask_singly"];
  constexpr int64_t kTimes = 1000;
  const py::int_ times(kTimes);
  while (state.KeepRunningBatch(kTimes)) call(times);
}
BENCHMARK(BM_SingleByPython);

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  char repetitions[] = "--benchmark_repetitions=15";
  char interleaving[] = "--benchmark_enable_random_interleaving=true";
  char aggregates[] = "--benchmark_display_aggregates_only=true";
  std::vector<char*> arguments = {argv[0], repetitions, interleaving,
                                  aggregates};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  if (!tessera::python::InitializePython(1, argv)) return 1;
  pybind11::module_::import("sys").attr("path").attr("insert")(0, "python");
  tessera::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.PrintRatios({
      {"RunPython/RowsByPython", "BM_RowsByCpp", 1.1},
      {"RunPython/Rows32ByPython", "BM_Rows32ByCpp", 1.1},
      {"RunPython/ColumnsByPython", "BM_ColumnsByCpp", 1.1},
      {"RunPython/BackByPython", "BM_BackByCpp", 1.1},
      {"RunPython/ColumnsByNumPy", "RunPython/ColumnsByPython"},
      {"RunPython/RelayoutByPython", "BM_RelayoutByCpp", 1.05},
      {"RunPython/PlanByPython", "BM_RelayoutByCpp", 1.05},
      {"RunPython/RelayoutByNumPy", "RunPython/RelayoutByPython"},
      {"BM_SingleByPython", "BM_SingleByCpp"},
  });
}
