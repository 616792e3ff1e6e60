#include "tessera/hlo/memory_summary.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/math/checked_arithmetic.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

int64_t SaturatingAdd(int64_t a, int64_t b) {
  return CheckedAdd(a, b).value_or(kMax);
}

int64_t SaturatingMultiply(int64_t a, int64_t b) {
  return CheckedMultiply(a, b).value_or(kMax);
}

// Counts how often each result shape stands in the text.
class UsageCounter : public HloHandler {
 public:
  UsageCounter(const MemorySummaryOptions& options, MemorySummary* summary)
      : options_(options), summary_(*summary) {}

  void OnInstruction(const HloInstructionText& instruction) override {
    if (instruction.shape == nullptr) {
      ++summary_.instructions_without_shape;
      return;
    }
    const size_t index = instruction.shape_index;
    if (index >= uses_.size()) uses_.resize(index + 1);
    ++uses_[index];
  }

  void OnDiagnostic(const Diagnostic& diagnostic) override {
    const int64_t kept = summary_.diagnostics.size();
    if (kept < options_.diagnostic_limit) {
      summary_.diagnostics.push_back(diagnostic);
    }
  }

  // By index in the shape table.
  const std::vector<int64_t>& uses() const { return uses_; }

 private:
  const MemorySummaryOptions& options_;
  MemorySummary& summary_;
  std::vector<int64_t> uses_;
};

struct CountedArray {
  const Shape* shape;
  int64_t count = 0;
};

// The distinct arrays in the used shapes, in the order of the text.
std::vector<CountedArray> CountArrays(const HloShapeTable& shapes,
                                      const std::vector<int64_t>& uses) {
  std::vector<CountedArray> arrays;
  absl::flat_hash_map<Shape, size_t> indices;
  std::vector<const Shape*> pending;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] == 0) continue;
    pending.push_back(&shapes.shape(i));
    while (!pending.empty()) {
      const Shape& shape = *pending.back();
      pending.pop_back();
      const absl::Span<const Shape> parts = shape.tuple_shapes();
      for (size_t part = parts.size(); part-- > 0;) {
        pending.push_back(&parts[part]);
      }
      if (!shape.IsArray()) continue;
      const auto [entry, is_new] = indices.try_emplace(shape, arrays.size());
      if (is_new) arrays.push_back({&shape});
      arrays[entry->second].count += uses[i];
    }
  }
  return arrays;
}

void AddTo(MemoryTotals* totals, const CountedArray& array,
           const ArraySizes& sizes) {
  totals->arrays += array.count;
  totals->unpadded_bytes =
      SaturatingAdd(totals->unpadded_bytes,
                    SaturatingMultiply(array.count, sizes.unpadded_bytes));
  totals->padded_bytes =
      SaturatingAdd(totals->padded_bytes,
                    SaturatingMultiply(array.count, sizes.padded_bytes));
}

double PaddingFactor(const IndexMap::DimensionPadding& padding) {
  return static_cast<double>(padding.padded) /
         std::max<int64_t>(padding.bound, 1);
}

// All but the text, which few rows of a table need.
ArrayUsage MakeUsage(const CountedArray& array, const ArraySizes& sizes) {
  ArrayUsage usage;
  usage.count = array.count;
  usage.unpadded_bytes = sizes.unpadded_bytes;
  usage.padded_bytes = sizes.padded_bytes;
  usage.padding_factor = sizes.padding_factor();
  usage.total_padded_bytes =
      SaturatingMultiply(array.count, sizes.padded_bytes);
  usage.total_padding_bytes = SaturatingMultiply(
      array.count, sizes.padded_bytes - sizes.unpadded_bytes);
  for (const IndexMap::DimensionPadding& padding : sizes.dimension_padding) {
    if (PaddingFactor(padding) > PaddingFactor(usage.most_padded)) {
      usage.most_padded = padding;
    }
  }
  return usage;
}

struct Candidate {
  const Shape* shape;
  ArrayUsage usage;
};

// The candidates with the greatest `key`, which must not be 0; of equal ones
// those that stand first in the text.
std::vector<ArrayUsage> Top(const std::vector<Candidate>& candidates,
                            int64_t rows, int64_t ArrayUsage::*key) {
  std::vector<const Candidate*> order;
  for (const Candidate& candidate : candidates) {
    if (candidate.usage.*key > 0) order.push_back(&candidate);
  }
  const size_t size =
      std::min<size_t>(std::max<int64_t>(rows, 0), order.size());
  std::partial_sort(order.begin(), order.begin() + size, order.end(),
                    [key](const Candidate* a, const Candidate* b) {
                      return a->usage.*key != b->usage.*key
                                 ? a->usage.*key > b->usage.*key
                                 : a < b;
                    });
  std::vector<ArrayUsage> table;
  for (size_t i = 0; i < size; ++i) {
    table.push_back(order[i]->usage);
    table.back().shape_text = order[i]->shape->ToString();
  }
  return table;
}

}  // namespace

MemorySummary SummarizeMemory(absl::string_view text,
                              const MemorySummaryOptions& options) {
  MemorySummary summary;
  HloShapeTable shapes;
  UsageCounter counter(options, &summary);
  summary.counts = ReadHlo(text, &shapes, &counter);

  absl::flat_hash_set<Shape> distinct_shapes;
  for (size_t i = 0; i < counter.uses().size(); ++i) {
    if (counter.uses()[i] > 0) distinct_shapes.insert(shapes.shape(i));
  }
  summary.distinct_shapes = distinct_shapes.size();

  std::vector<Candidate> candidates;
  for (const CountedArray& array : CountArrays(shapes, counter.uses())) {
    const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(*array.shape);
    if (!sizes.ok()) {
      summary.skipped_arrays += array.count;
      continue;
    }
    const int64_t memory_space = array.shape->layout().memory_space();
    const PrimitiveType element_type = array.shape->element_type();
    AddTo(&summary.total, array, *sizes);
    AddTo(&summary.by_memory_space[memory_space], array, *sizes);
    AddTo(&summary.by_element_type[element_type], array, *sizes);
    candidates.push_back({array.shape, MakeUsage(array, *sizes)});
  }
  summary.largest =
      Top(candidates, options.table_rows, &ArrayUsage::padded_bytes);
  summary.most_wasteful =
      Top(candidates, options.table_rows, &ArrayUsage::total_padding_bytes);
  return summary;
}

}  // namespace tessera
