#include "tessera/hlo/memory/memory_summary.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

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

}  // namespace

MemorySummary SummarizeMemory(absl::string_view text,
                              const MemorySummaryOptions& options) {
  MemorySummary summary;
  HloShapeTable shapes;
  shapes.set_text_limit(options.shape_text_bytes);
  UsageCounter counter(options, &summary);
  summary.counts = ReadHlo(text, &shapes, &counter);
  summary.refused_shape_text_bytes = shapes.refused_text_bytes();

  absl::flat_hash_set<Shape> distinct_shapes;
  ArrayTable arrays(&shapes);
  std::vector<int64_t> counts;
  for (size_t i = 0; i < counter.uses().size(); ++i) {
    if (counter.uses()[i] == 0) continue;
    distinct_shapes.insert(shapes.shape(i));
    const ArrayTable::ShapeParts& parts = arrays.parts(i);
    counts.resize(arrays.array_count());
    for (int64_t part = 0; part < parts.size(); ++part) {
      if (parts[part].array < 0) continue;
      counts[parts[part].array] += counter.uses()[i];
    }
  }
  summary.distinct_shapes = distinct_shapes.size();

  std::vector<CountedArray> counted;
  for (int64_t i = 0; i < arrays.array_count(); ++i) {
    summary.Add(counts[i], arrays.array(i));
    counted.push_back({&arrays.array(i), counts[i]});
  }
  ArrayTables tables =
      MakeArrayTables(counted, options.table_rows, options.find_best_orders);
  summary.largest = std::move(tables.largest);
  summary.most_wasteful = std::move(tables.most_wasteful);
  return summary;
}

}  // namespace tessera
