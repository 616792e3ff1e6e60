#include "tessera/hlo/memory/memory_report.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

using TotalsByText = std::map<std::string, MemoryTotals>;

void AddAll(const TotalsByText& from, TotalsByText* to) {
  for (const auto& [text, totals] : from) (*to)[text].Add(totals);
}

// Reports on one module.
class ModuleReporter {
 public:
  // `arrays` and `layouts` serve all modules of the dump.
  ModuleReporter(const HloShapeTable& shapes, ArrayTable* arrays,
                 std::vector<std::string>* layouts)
      : shapes_(shapes), arrays_(*arrays), layouts_(*layouts) {}

  ModuleMemory Report(HloModule module, const MemoryReportOptions& options) {
    ModuleMemory report = {module, {}, {}, 0, {}, {}};
    for (const HloComputation computation : module.computations()) {
      report.computations.push_back({computation, Report(computation)});
      report.memory.Add(report.computations.back().memory);
    }
    report.distinct_shapes = distinct_shapes_.size();
    ArrayTables tables = MakeArrayTables(counted_, options.table_rows,
                                         /*find_best_orders=*/true);
    report.largest = std::move(tables.largest);
    report.most_wasteful = std::move(tables.most_wasteful);
    return report;
  }

 private:
  MemoryBreakdown Report(HloComputation computation) {
    MemoryBreakdown memory;
    for (const HloInstruction instruction : computation.instructions()) {
      ++memory.instructions;
      if (!instruction.has_shape()) {
        ++memory.instructions_without_shape;
        continue;
      }
      const int64_t shape = instruction.shape_index();
      if (shape_indices_.insert(shape).second) {
        distinct_shapes_.insert(shapes_.shape(shape));
      }
      const ArrayTable::ShapeParts& parts = arrays_.parts(shape);
      MemoryTotals* by_opcode = nullptr;
      for (int64_t part = 0; part < parts.size(); ++part) {
        const int64_t number = parts[part].array;
        if (number < 0) continue;
        const ArrayTable::Array& array = arrays_.array(number);
        memory.ArrayTotals::Add(1, array);
        Count(number, instruction);
        if (!array.sizes.has_value()) continue;
        if (by_opcode == nullptr) {
          by_opcode = &memory.by_opcode[std::string(instruction.opcode())];
        }
        by_opcode->Add(1, *array.sizes);
        memory.by_layout[LayoutText(number)].Add(1, *array.sizes);
      }
    }
    return memory;
  }

  void Count(int64_t array, HloInstruction instruction) {
    const auto [entry, is_new] =
        counted_numbers_.try_emplace(array, counted_.size());
    if (is_new) {
      counted_.push_back({&arrays_.array(array), 0, instruction.index()});
    }
    ++counted_[entry->second].count;
  }

  // Printed once for each distinct array.
  const std::string& LayoutText(int64_t array) {
    if (array >= static_cast<int64_t>(layouts_.size())) {
      layouts_.resize(arrays_.array_count());
    }
    std::string& text = layouts_[array];
    if (text.empty()) text = arrays_.array(array).shape->layout().ToString();
    return text;
  }

  const HloShapeTable& shapes_;
  ArrayTable& arrays_;
  std::vector<std::string>& layouts_;  // by number of the array
  absl::flat_hash_set<int64_t> shape_indices_;
  absl::flat_hash_set<Shape> distinct_shapes_;
  absl::flat_hash_map<int64_t, size_t> counted_numbers_;
  std::vector<CountedArray> counted_;
};

}  // namespace

void MemoryBreakdown::Add(const MemoryBreakdown& other) {
  ArrayTotals::Add(other);
  instructions += other.instructions;
  instructions_without_shape += other.instructions_without_shape;
  AddAll(other.by_opcode, &by_opcode);
  AddAll(other.by_layout, &by_layout);
}

MemoryReport ReportMemory(const HloDump& dump,
                          const MemoryReportOptions& options) {
  MemoryReport report;
  ArrayTable arrays(&dump.shapes());
  std::vector<std::string> layouts;
  for (const HloModule module : dump.modules()) {
    ModuleReporter reporter(dump.shapes(), &arrays, &layouts);
    report.modules.push_back(reporter.Report(module, options));
  }
  return report;
}

}  // namespace tessera
