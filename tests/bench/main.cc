// Runs the benchmarks and prints each hot path as a multiple of its baseline.
//
//   ./bazelw run -c opt //tests/bench
//   ./bazelw run -c opt //tests/bench -- --benchmark_filter=Forward
//
// Repetitions of all benchmarks are mixed at random, so that a noisy minute
// falls on both sides of a ratio. Flags of Google Benchmark given by hand win.

#include <vector>

#include "benchmark/benchmark.h"
#include "tests/bench/batch_benchmark.h"
#include "tests/bench/module_memory.h"
#include "tests/bench/mutations.h"
#include "tests/bench/picture_benchmark.h"
#include "tests/bench/ratio_reporter.h"
#include "tests/bench/relayout_benchmark.h"

int main(int argc, char** argv) {
  char repetitions[] = "--benchmark_repetitions=15";
  char interleaving[] = "--benchmark_enable_random_interleaving=true";
  char aggregates[] = "--benchmark_display_aggregates_only=true";
  char duration[] = "--benchmark_min_time=0.05";
  std::vector<char*> arguments = {argv[0], repetitions, interleaving,
                                  aggregates, duration};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  tessera::RegisterBatchBenchmarks();
  tessera::RegisterRelayoutBenchmarks();
  tessera::RegisterPictureBenchmarks();
  tessera::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  // The last one is bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}.
  reporter.PrintRatios({
      {"BM_ForwardIndexMap", "BM_ForwardHandWritten", 3.0},
      {"BM_ForwardIndexMap", "BM_ForwardLiteral", 0.25},
      {"BM_ForwardIndexMapChecked", "BM_ForwardIndexMap", 2.0},
      {"BM_ForwardIndexMapCheckedAnyRank", "BM_ForwardIndexMap", 2.0},
      {"BM_InverseIndexMap", "BM_InverseHandWritten", 4.0},
      {"BM_InverseIndexMap", "BM_InverseLiteral", 0.25},
      {"BM_SliceLogical<WholeTails>", "BM_SliceOneByOne<WholeTails>", 0.3},
      {"BM_SliceLogical<CutTails>", "BM_SliceOneByOne<CutTails>", 0.3},
      {"BM_SliceLogical<PairsOfFour>", "BM_SliceOneByOne<PairsOfFour>", 0.3},
      {"BM_SliceLogical<Transposed>", "BM_SliceOneByOne<Transposed>", 0.3},
      // Of the elements of a slice against all positions of the array.
      {"BM_SliceMemoryIndices<CutTails>", "BM_SliceInverseOneByOne<CutTails>",
       0.5},
      {"BM_SliceMemoryIndices<PairsOfFour>",
       "BM_SliceInverseOneByOne<PairsOfFour>", 0.5},
      // The unit in the width of the library's own arithmetic, and in C++'s
      // int, whose division is several times as fast on some processors.
      {"BM_CuteLayoutFunction", "BM_CuteHandWrittenRunTime", 1.3},
      {"BM_CuteComposition", "BM_CuteHandWrittenRunTime", 25.0},
      {"BM_CuteCoalesce", "BM_CuteHandWrittenRunTime", 12.0},
      {"BM_CuteParse", "BM_CuteHandWrittenRunTime", 50.0},
      {"BM_CuteParseCpp", "BM_CuteParse", 2.0},
      {"BM_CuteEvaluateCpp", "BM_CuteEvaluate", 2.0},
      {"BM_CuteLayoutFunction", "BM_CuteHandWrittenRunTimeInt", 1.3},
      {"BM_CuteComposition", "BM_CuteHandWrittenRunTimeInt", 25.0},
      {"BM_CuteCoalesce", "BM_CuteHandWrittenRunTimeInt", 12.0},
      {"BM_CuteParse", "BM_CuteHandWrittenRunTimeInt", 50.0},
      // Of a warp, against a set of words for each bank and phase.
      {"BM_CuteBankConflicts", "BM_CuteBankConflictsOfSets", 0.25},
      {"BM_CuteBankConflictsOfSwizzled", "BM_CuteBankConflictsOfSetsOfSwizzled",
       0.1},
      {"BM_ParseShape/3", "BM_ScanBytes/3", 8.0},
      {"BM_ToString/3", "BM_ScanBytes/3", 6.0},
      // At least 0.35, 0.2 and 0.3 of the bytes a second of the scan, on the
      // dumps that are rich in metadata; the others are there for the record.
      // The plain scan's speed hangs on where the linker puts its loop; no form
      // of it is faster than the unrolled one.
      {"BM_ReadHlo/0", "BM_ScanHlo/0", 1 / 0.35},
      {"BM_ReadHlo/2", "BM_ScanHlo/2", 1 / 0.35},
      {"BM_ParseHlo/0", "BM_ScanHlo/0", 1 / 0.2},
      {"BM_ParseHlo/2", "BM_ScanHlo/2", 1 / 0.2},
      {"BM_PrintHlo/0", "BM_ScanHlo/0", 1 / 0.3},
      {"BM_PrintHlo/2", "BM_ScanHlo/2", 1 / 0.3},
      {"BM_ReadHlo/0", "BM_ScanHloUnrolled/0", 1 / 0.35},
      {"BM_ReadHlo/2", "BM_ScanHloUnrolled/2", 1 / 0.35},
      {"BM_ParseHlo/0", "BM_ScanHloUnrolled/0", 1 / 0.2},
      {"BM_ParseHlo/2", "BM_ScanHloUnrolled/2", 1 / 0.2},
      {"BM_PrintHlo/0", "BM_ScanHloUnrolled/0", 1 / 0.3},
      {"BM_PrintHlo/2", "BM_ScanHloUnrolled/2", 1 / 0.3},
      {"BM_ParseHloStrictly/2", "BM_ParseHlo/2", 1 / 0.7},
      {"BM_ParseHloStrictly/3", "BM_ParseHlo/3", 1 / 0.7},
      // For the record: lines are short, and what they say is kept.
      {"BM_ReadAssignment/0", "BM_FindAssignmentLines/0"},
      {"BM_ReadAssignment/1", "BM_FindAssignmentLines/1"},
      {"BM_TensorForward<Scalars>", "BM_TensorForwardByHand<Scalars>", 2.5},
      {"BM_TensorForward<Tiles>", "BM_TensorForwardByHand<Tiles>", 2.5},
      {"BM_TensorForward<Devices>", "BM_TensorForwardByHand<Devices>", 2.5},
      {"BM_TensorForward<Bumped>", "BM_TensorForwardByHand<Bumped>", 2.5},
      // Maps beyond sums of dimensions: for the record.
      {"BM_TensorForward<Divided>", "BM_TensorForwardByHand<Divided>"},
      {"BM_TensorForward<Repeated>", "BM_TensorForwardByHand<Repeated>"},
      {"BM_TensorInverse<Scalars>", "BM_TensorInverseByHand<Scalars>", 4.0},
      {"BM_TensorInverse<Tiles>", "BM_TensorInverseByHand<Tiles>", 4.0},
      {"BM_TensorInverse<Devices>", "BM_TensorInverseByHand<Devices>", 4.0},
      {"BM_TensorInverse<Bumped>", "BM_TensorInverseByHand<Bumped>", 4.0},
      {"BM_TensorLocate<Scalars>", "BM_TensorForward<Scalars>", 3.0},
      {"BM_TensorLocate<Devices>", "BM_TensorForward<Devices>", 3.0},
  });
  reporter.PrintRatios(tessera::BatchRatios());
  reporter.PrintRatios(tessera::RelayoutRatios());
  reporter.PrintRatios(tessera::PictureRatios());
  reporter.PrintTimes({{"BM_CuteBankConflicts", 1},
                       {"BM_CuteBankConflictsOfAll", 1},
                       {"BM_CuteBankConflictsOfSwizzled", 1},
                       {"BM_CuteFindSwizzles", 5000},
                       {"BM_DrawThreadsSvg", 20'000}});
  if (reporter.has_run("BM_ParseHlo/0")) {
    tessera::PrintModuleMemory();
    tessera::PrintSlowestMutation();
  }
}
