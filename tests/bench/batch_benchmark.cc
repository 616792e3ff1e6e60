#include "tests/bench/batch_benchmark.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "benchmark/benchmark.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tests/bench/batch_by_hand.h"

namespace tessera {
namespace {

constexpr size_t kIndices = 32768;  // stays in the cache

enum class Way { kByHand, kBatch, kChecked, kRows, kSingle };
constexpr const char* kWayNames[] = {"ByHand", "Batch", "Checked", "Rows",
                                     "Single"};

// Layouts without a loop by hand: those that go past the fast programs.
constexpr const char* kOddLayouts[] = {
    "f32[33,3001,7]{2,1,0:T(*,5,128)}",  // joined dimensions
    "s8[100000,100000]{1,0:T(8,128)}",   // past 32 bits
    "f32[60,60]{1,0:T(9)(4)}",           // a digit of a digit
    "f32[1001,1501]{0,1}",
};

IndexMap MapOf(const std::string& shape) {
  return *ToIndexMap(*ParseShape(shape));
}

template <typename Int>
class Batch {
 public:
  explicit Batch(const std::string& shape)
      : batches_(MapOf(shape)),
        columns_(rank(), std::vector<Int>(kIndices)),
        rows_(rank() * kIndices),
        positions_(kIndices),
        kinds_(kIndices) {
    std::mt19937_64 random(1);
    for (size_t i = 0; i < kIndices; ++i) {
      for (size_t d = 0; d < rank(); ++d) {
        columns_[d][i] = static_cast<Int>(
            random() % static_cast<uint64_t>(map().bounds()[d]));
        rows_[i * rank() + d] = columns_[d][i];
      }
    }
    for (std::vector<Int>& column : columns_) {
      pointers_.push_back(column.data());
      const_pointers_.push_back(column.data());
    }
    batches_.LinearIndicesUnchecked(absl::MakeConstSpan(const_pointers_),
                                    absl::MakeSpan(positions_));
  }

  void RunForward(Way way, BatchLayout layout) {
    Int* const positions = positions_.data();
    switch (way) {
      case Way::kByHand:
        ForwardByHand(layout, const_pointers_.data(), &positions, kIndices);
        break;
      case Way::kBatch:
        batches_.LinearIndicesUnchecked(absl::MakeConstSpan(const_pointers_),
                                        absl::MakeSpan(positions_));
        break;
      case Way::kChecked:
        benchmark::DoNotOptimize(batches_.LinearIndices(
            absl::MakeConstSpan(const_pointers_), absl::MakeSpan(positions_)));
        break;
      case Way::kRows:
        batches_.LinearIndicesOfRowsUnchecked(absl::MakeConstSpan(rows_),
                                              absl::MakeSpan(positions_));
        break;
      case Way::kSingle: {
        std::vector<int64_t> index(rank());
        for (size_t i = 0; i < kIndices; ++i) {
          for (size_t d = 0; d < rank(); ++d) index[d] = columns_[d][i];
          positions_[i] = static_cast<Int>(map().LinearIndexUnchecked(index));
        }
        break;
      }
    }
  }

  void RunInverse(Way way, BatchLayout layout) {
    const Int* const positions = positions_.data();
    switch (way) {
      case Way::kByHand:
        InverseByHand(layout, &positions, pointers_.data(),
                      reinterpret_cast<uint8_t*>(kinds_.data()), kIndices);
        break;
      case Way::kBatch:
        batches_.MultidimensionalIndicesUnchecked(
            absl::MakeConstSpan(positions_), absl::MakeConstSpan(pointers_),
            absl::MakeSpan(kinds_));
        break;
      case Way::kChecked:
        benchmark::DoNotOptimize(batches_.MultidimensionalIndices(
            absl::MakeConstSpan(positions_), absl::MakeConstSpan(pointers_),
            absl::MakeSpan(kinds_)));
        break;
      case Way::kRows:
        benchmark::DoNotOptimize(batches_.MultidimensionalIndicesAsRows(
            absl::MakeConstSpan(positions_), absl::MakeSpan(rows_),
            absl::MakeSpan(kinds_)));
        break;
      case Way::kSingle: {
        std::vector<int64_t> index(rank());
        for (size_t i = 0; i < kIndices; ++i) {
          kinds_[i] = map().MultidimensionalIndexUnchecked(
              positions_[i], absl::MakeSpan(index));
          for (size_t d = 0; d < rank(); ++d) {
            columns_[d][i] = static_cast<Int>(index[d]);
          }
        }
        break;
      }
    }
  }

  // What all ways answer, so that none measures nothing.
  std::vector<Int> Answers(bool inverse, Way way, BatchLayout layout) {
    if (!inverse) {
      RunForward(way, layout);
      return positions_;
    }
    RunInverse(way, layout);
    std::vector<Int> all;
    for (const auto& column : columns_) {
      all.insert(all.end(), column.begin(), column.end());
    }
    return all;
  }

 private:
  const IndexMap& map() const { return batches_.map(); }
  size_t rank() const { return map().bounds().size(); }

  BatchIndexMap batches_;
  std::vector<std::vector<Int>> columns_;
  std::vector<Int> rows_;
  std::vector<Int> positions_;
  std::vector<PositionKind> kinds_;
  std::vector<Int*> pointers_;
  std::vector<const Int*> const_pointers_;
};

template <typename Int>
void Run(benchmark::State& state, const std::string& shape, BatchLayout layout,
         bool inverse, Way way) {
  Batch<Int> batch(shape);
  if (way == Way::kByHand && batch.Answers(inverse, Way::kSingle, layout) !=
                                 batch.Answers(inverse, Way::kByHand, layout)) {
    state.SkipWithError("the loop by hand is wrong");
  }
  for (auto _ : state) {
    if (inverse) {
      batch.RunInverse(way, layout);
    } else {
      batch.RunForward(way, layout);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kIndices);
}

std::string Name(bool inverse, Way way, int bits, const std::string& layout) {
  return absl::StrCat("BM_Batch", inverse ? "Inverse" : "Forward",
                      kWayNames[static_cast<int>(way)], bits, "/", layout);
}

void Register(const std::string& name, const std::string& shape,
              BatchLayout layout, bool inverse, Way way, bool fits_32_bits) {
  benchmark::RegisterBenchmark(Name(inverse, way, 64, name).c_str(),
                               Run<int64_t>, shape, layout, inverse, way);
  if (!fits_32_bits) return;
  benchmark::RegisterBenchmark(Name(inverse, way, 32, name).c_str(),
                               Run<int32_t>, shape, layout, inverse, way);
}

constexpr const char* kLayoutNames[] = {"Nested", "Padded", "Rank4"};

std::string OddName(size_t i) { return absl::StrCat("Odd", i); }

}  // namespace

void RegisterBatchBenchmarks() {
  for (const bool inverse : {false, true}) {
    for (const BatchLayout layout : kBatchLayouts) {
      for (const Way way : {Way::kByHand, Way::kBatch, Way::kChecked,
                            Way::kRows, Way::kSingle}) {
        Register(kLayoutNames[static_cast<int>(layout)],
                 BatchLayoutText(layout), layout, inverse, way, true);
      }
    }
    for (size_t i = 0; i < std::size(kOddLayouts); ++i) {
      for (const Way way : {Way::kBatch, Way::kRows, Way::kSingle}) {
        Register(OddName(i), kOddLayouts[i], BatchLayout::kNested, inverse, way,
                 BatchIndexMap(MapOf(kOddLayouts[i])).fits_32_bits());
      }
    }
  }
}

std::vector<Ratio> BatchRatios() {
  std::vector<Ratio> ratios;
  for (const bool inverse : {false, true}) {
    for (const int bits : {64, 32}) {
      for (const char* const layout : kLayoutNames) {
        const auto name = [&](Way way) {
          return Name(inverse, way, bits, layout);
        };
        ratios.push_back({name(Way::kBatch), name(Way::kByHand), 2.0});
        ratios.push_back({name(Way::kChecked), name(Way::kByHand)});
        ratios.push_back({name(Way::kBatch), name(Way::kSingle), 1.0});
        ratios.push_back({name(Way::kRows), name(Way::kSingle), 1.0});
      }
      for (size_t i = 0; i < std::size(kOddLayouts); ++i) {
        for (const Way way : {Way::kBatch, Way::kRows}) {
          ratios.push_back({Name(inverse, way, bits, OddName(i)),
                            Name(inverse, Way::kSingle, bits, OddName(i)),
                            1.0});
        }
      }
    }
  }
  return ratios;
}

}  // namespace tessera
