// What the run-time CuTe library costs, in units of one evaluation by
// arithmetic that is written by hand, with sizes and strides known at run time:
// ((3,5),(7,2)):((1,40),(5,300)) at (i, j).
//
//   ./bazelw run -c opt //tests/bench -- --benchmark_filter=Cute

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark/benchmark.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/access/find_swizzle.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/layout_function.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/tiler.h"
#include "tests/bench/coordinate_pairs.h"

namespace tessera::cute {
namespace {

constexpr char kOdd[] = "((3,5),(7,2)):((1,40),(5,300))";
// The same as a type of C++.
constexpr char kOddCpp[] =
    "Layout<Shape<Shape<_3,_5>,Shape<_7,_2>>,"
    "Stride<Stride<_1,_40>,Stride<_5,_300>>>{}";

// One hardware division for each of i and j. What that costs differs
// between processors as nothing else here does, and with the width of Int.
template <typename Int>
void RunHandWrittenRunTime(benchmark::State& state) {
  const Int s0 = KnownAtRunTime<Int>(3), d0 = KnownAtRunTime<Int>(1);
  const Int d1 = KnownAtRunTime<Int>(40);
  const Int s2 = KnownAtRunTime<Int>(7), d2 = KnownAtRunTime<Int>(5);
  const Int d3 = KnownAtRunTime<Int>(300);
  RunPairs<Int>(state, 15, 14, [=](Int i, Int j) {
    return i % s0 * d0 + i / s0 * d1 + j % s2 * d2 + j / s2 * d3;
  });
}

void BM_CuteHandWrittenRunTime(benchmark::State& state) {
  RunHandWrittenRunTime<int64_t>(state);
}
BENCHMARK(BM_CuteHandWrittenRunTime);

void BM_CuteHandWrittenRunTimeInt(benchmark::State& state) {
  RunHandWrittenRunTime<int>(state);
}
BENCHMARK(BM_CuteHandWrittenRunTimeInt);

void BM_CuteLayoutFunction(benchmark::State& state) {
  const LayoutFunction function(*ParseLayout(kOdd));
  RunPairs<int64_t>(state, 15, 14,
                    [&](int64_t i, int64_t j) { return function.At(i, j); });
}
BENCHMARK(BM_CuteLayoutFunction);

void BM_CuteLayoutAt(benchmark::State& state) {
  const Layout layout = *ParseLayout(kOdd);
  RunPairs<int64_t>(state, 15, 14, [&](int64_t i, int64_t j) {
    return layout.At({i, j});
  });
}
BENCHMARK(BM_CuteLayoutAt);

// The whole domain, one step after the other.
void BM_CuteWalk(benchmark::State& state) {
  const Layout layout = *ParseLayout(kOdd);
  for (auto _ : state) {
    size_t pieces = 0;
    while (pieces < kPiecesAnIteration) {
      for (LayoutWalk walk(layout);
           !walk.AtEnd() && pieces < kPiecesAnIteration; walk.Next()) {
        benchmark::DoNotOptimize(walk.offset());
        ++pieces;
      }
    }
  }
}
BENCHMARK(BM_CuteWalk);

template <typename Operation>
void RunOperation(benchmark::State& state, const Operation& operation) {
  for (auto _ : state) {
    for (size_t n = 0; n < kPiecesAnIteration; ++n) {
      auto result = operation();
      benchmark::DoNotOptimize(result);
    }
  }
  state.SetItemsProcessed(state.iterations() * kPiecesAnIteration);
}

void RunComposition(benchmark::State& state, std::string_view a_text,
                    std::string_view b_text) {
  const Layout a = *ParseLayout(a_text);
  const Layout b = *ParseLayout(b_text);
  RunOperation(state, [&] { return Composition(a, b); });
}

void BM_CuteComposition(benchmark::State& state) {
  RunComposition(state, "(10,2):(16,4)", "(5,4):(1,5)");
}
BENCHMARK(BM_CuteComposition);

void BM_CuteCompositionOfSix(benchmark::State& state) {
  RunComposition(state, "(8,8):(8,1)", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))");
}
BENCHMARK(BM_CuteCompositionOfSix);

void BM_CuteCoalesce(benchmark::State& state) {
  const Layout layout = *ParseLayout("(2,(1,6)):(1,(6,2))");
  RunOperation(state, [&] { return Coalesce(layout); });
}
BENCHMARK(BM_CuteCoalesce);

void BM_CuteComplement(benchmark::State& state) {
  const Layout layout = *ParseLayout("4:2");
  RunOperation(state, [&] { return Complement(layout, 24); });
}
BENCHMARK(BM_CuteComplement);

void BM_CuteZippedDivide(benchmark::State& state) {
  const Layout layout = *ParseLayout("(9,(4,8)):(59,(13,1))");
  const Tiler tiler = *ParseTiler("<3:3, (2,4):(1,8)>");
  RunOperation(state, [&] { return ZippedDivide(layout, tiler); });
}
BENCHMARK(BM_CuteZippedDivide);

void BM_CuteParse(benchmark::State& state) {
  RunOperation(state, [] { return ParseLayout(kOdd); });
}
BENCHMARK(BM_CuteParse);

void BM_CuteParseCpp(benchmark::State& state) {
  RunOperation(state, [] { return ParseLayout(kOddCpp); });
}
BENCHMARK(BM_CuteParseCpp);

// A line of the calculator: the same layout as it is printed, and as a type.
void RunEvaluate(benchmark::State& state, std::string_view text) {
  Calculator calculator;
  RunOperation(state, [&] { return calculator.Evaluate(text); });
}

void BM_CuteEvaluate(benchmark::State& state) { RunEvaluate(state, kOdd); }
BENCHMARK(BM_CuteEvaluate);

void BM_CuteEvaluateCpp(benchmark::State& state) {
  RunEvaluate(state, kOddCpp);
}
BENCHMARK(BM_CuteEvaluateCpp);

// A warp: without conflicts, with 32-way ones, and ldmatrix of 32 swizzled
// rows.
void RunBankConflicts(benchmark::State& state, std::string_view layout_text,
                      std::string_view threads_text, int64_t bytes) {
  const Layout layout = *ParseLayout(layout_text);
  const Layout threads = *ParseLayout(threads_text);
  RunOperation(state, [&] { return BankConflictsOf(layout, threads, bytes); });
}

void BM_CuteBankConflicts(benchmark::State& state) {
  RunBankConflicts(state, "(32,32):(32,1)", "32:32", 4);
}
BENCHMARK(BM_CuteBankConflicts);

void BM_CuteBankConflictsOfAll(benchmark::State& state) {
  RunBankConflicts(state, "(32,32):(32,1)", "32:1", 4);
}
BENCHMARK(BM_CuteBankConflictsOfAll);

void BM_CuteBankConflictsOfSwizzled(benchmark::State& state) {
  const ComposedLayout layout =
      *ParseComposedLayout("Sw<3,3,3> o 0 o (32,64):(64,1)");
  const Layout threads = *ParseLayout("(32,8):(1,32)");
  RunOperation(state, [&] { return BankConflictsOf(layout, threads, 2); });
}
BENCHMARK(BM_CuteBankConflictsOfSwizzled);

// The model of cute/access/bank_conflicts.h written plainly: each phase has the
// words of each bank as a set. Vectors are of `elements`.
template <typename AnyLayout>
void RunBankConflictsOfSets(benchmark::State& state, const AnyLayout& layout,
                            const Layout& threads, int64_t elements,
                            int64_t bytes) {
  const int64_t count = threads.Mode(0).size();
  const int64_t phase = std::min<int64_t>(32, 128 / (elements * bytes));
  RunOperation(state, [&] {
    size_t wavefronts = 0;
    for (int64_t first = 0; first < count; first += phase) {
      std::map<int64_t, std::set<int64_t>> banks;
      for (int64_t thread = first; thread < first + phase; ++thread) {
        for (int64_t value = 0; value < elements; ++value) {
          const int64_t word =
              layout(threads(thread + count * value)) * bytes / 4;
          banks[word % 32].insert(word);
        }
      }
      size_t most = 0;
      for (const auto& bank : banks) {
        most = std::max(most, bank.second.size());
      }
      wavefronts += most;
    }
    return wavefronts;
  });
}

void BM_CuteBankConflictsOfSets(benchmark::State& state) {
  RunBankConflictsOfSets(state, *ParseLayout("(32,32):(32,1)"),
                         *ParseLayout("32:32"), /*elements=*/1, /*bytes=*/4);
}
BENCHMARK(BM_CuteBankConflictsOfSets);

void BM_CuteBankConflictsOfSetsOfSwizzled(benchmark::State& state) {
  RunBankConflictsOfSets(
      state, *ParseComposedLayout("Sw<3,3,3> o 0 o (32,64):(64,1)"),
      *ParseLayout("(32,8):(1,32)"), /*elements=*/8, /*bytes=*/2);
}
BENCHMARK(BM_CuteBankConflictsOfSetsOfSwizzled);

void BM_CuteFindSwizzles(benchmark::State& state) {
  const Layout layout = *ParseLayout("(32,64):(64,1)");
  const Layout threads = *ParseLayout("(32,8):(1,32)");
  for (auto _ : state) {
    benchmark::DoNotOptimize(FindSwizzles(layout, threads, 2));
  }
}
BENCHMARK(BM_CuteFindSwizzles);

void BM_CutePrint(benchmark::State& state) {
  const Layout layout = *ParseLayout(kOdd);
  RunOperation(state, [&] { return layout.ToString(); });
}
BENCHMARK(BM_CutePrint);

}  // namespace
}  // namespace tessera::cute
