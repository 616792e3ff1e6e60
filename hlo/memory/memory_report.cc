#include "tessera/hlo/memory/memory_report.h"

#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

// The number of results of an opcode that have the same shape and the same
// parts with a buffer. A dump has few such triples, so they are counted first,
// and the arrays in their shapes are summed up afterwards.
struct Use {
  int64_t shape;   // in the shape table
  int64_t opcode;  // in HloDump::opcodes()
  // PathsWithoutBuffer(); empty if every result counts.
  std::optional<PartPaths> without_buffer;
  int64_t count = 0;
  int64_t first_instruction;
};

struct Uses {
  int64_t instructions = 0;
  int64_t instructions_without_shape = 0;
  // In the order of their first occurrence.
  std::vector<Use> uses;
  absl::flat_hash_map<std::tuple<int64_t, int64_t, bool, PartPaths>, size_t>
      indices;
};

void CountUse(const Use& more, Uses* all) {
  const auto [entry, is_new] = all->indices.try_emplace(
      {more.shape, more.opcode, more.without_buffer.has_value(),
       more.without_buffer.value_or(PartPaths())},
      all->uses.size());
  if (is_new) {
    all->uses.push_back(more);
  } else {
    all->uses[entry->second].count += more.count;
  }
}

// Counts buffers in running computations; all results if `running` is empty.
void CountUses(HloComputation computation,
               const absl::flat_hash_set<int64_t>& running, Uses* all) {
  const bool has_buffers = running.contains(computation.index());
  for (const HloInstruction instruction : computation.instructions()) {
    ++all->instructions;
    if (!instruction.has_shape()) {
      ++all->instructions_without_shape;
      continue;
    }
    Use use{instruction.shape_index(), instruction.opcode_index(), std::nullopt,
            1, instruction.index()};
    if (running.empty()) use.without_buffer.emplace();
    if (has_buffers) use.without_buffer = PathsWithoutBuffer(instruction);
    CountUse(use, all);
  }
}

void CountUses(const Uses& more, Uses* all) {
  all->instructions += more.instructions;
  all->instructions_without_shape += more.instructions_without_shape;
  for (const Use& use : more.uses) CountUse(use, all);
}

bool HasTiles(const HloShapeTable& shapes) {
  bool has_tiles = false;
  for (int64_t i = 0; i < shapes.size() && !has_tiles; ++i) {
    ForEachLeafShape(shapes.shape(i), [&](const Shape& leaf, ShapeIndexView) {
      const Shape& array = leaf.IsBuffer() ? leaf.tuple_shapes(0) : leaf;
      has_tiles |= array.has_layout() && !array.layout().tiles().empty();
    });
  }
  return has_tiles;
}

class Reporter {
 public:
  Reporter(const HloDump& dump, const MemoryReportOptions& options)
      : dump_(dump),
        has_tpu_default_layouts_(options.tpu_layouts &&
                                 !HasTiles(dump.shapes())),
        arrays_(&dump.shapes(), has_tpu_default_layouts_
                                    ? ArrayTable::kDefaultOnTpu
                                    : ArrayTable::kOfShapes) {}

  MemoryBreakdown BreakDown(const Uses& all) {
    MemoryBreakdown memory;
    memory.has_tpu_default_layouts = has_tpu_default_layouts_;
    memory.instructions = all.instructions;
    memory.instructions_without_shape = all.instructions_without_shape;
    for (const Use& use : all.uses) {
      MemoryTotals* by_opcode = nullptr;
      ForEachArray(use, [&](int64_t number, const ArrayTable::Array& array) {
        memory.Add(use.count, *array.shape, array.sizes);
        if (!array.sizes.has_value()) return;
        if (by_opcode == nullptr) {
          const std::string_view opcode = dump_.opcodes()[use.opcode];
          by_opcode = &memory.by_opcode[std::string(opcode)];
        }
        by_opcode->Add(use.count, *array.sizes);
        memory.by_layout[LayoutText(number)].Add(use.count, *array.sizes);
      });
    }
    return memory;
  }

  void Fill(const Uses& all, const MemoryReportOptions& options,
            DumpMemory* report) {
    report->memory = BreakDown(all);
    absl::flat_hash_set<int64_t> shape_indices;
    absl::flat_hash_set<Shape> distinct_shapes;
    absl::flat_hash_map<int64_t, size_t> counted_numbers;
    std::vector<CountedArray> counted;
    for (const Use& use : all.uses) {
      if (shape_indices.insert(use.shape).second) {
        // Move a copy into the set: the set would break if copying inside it
        // ran out of memory.
        distinct_shapes.insert(Shape(dump_.shapes().shape(use.shape)));
      }
      ForEachArray(use, [&](int64_t number, const ArrayTable::Array& array) {
        if (!array.sizes.has_value()) return;
        const auto [entry, is_new] =
            counted_numbers.try_emplace(number, counted.size());
        if (is_new) {
          counted.push_back(
              {array.shape, &*array.sizes, 0, use.first_instruction});
        }
        counted[entry->second].count += use.count;
      });
    }
    report->distinct_shapes = distinct_shapes.size();
    // The TPU compiler's own layouts have the best order for their tiles.
    static_cast<ArrayTables&>(*report) =
        MakeArrayTables(counted, options.table_rows,
                        options.find_best_orders && !has_tpu_default_layouts_);
  }

 private:
  template <typename Visit>
  void ForEachArray(const Use& use, Visit visit) {
    if (!use.without_buffer.has_value()) return;
    const ArrayTable::ShapeParts& parts = arrays_.parts(use.shape);
    const std::vector<bool> counts =
        PartsWithBuffer(*use.without_buffer, parts);
    for (int64_t part = 0; part < parts.size(); ++part) {
      const int64_t number = parts[part].array;
      if (counts[part]) visit(number, arrays_.array(number));
    }
  }

  // Returns the layout's text, which is printed once per distinct array.
  const std::string& LayoutText(int64_t array) {
    if (array >= static_cast<int64_t>(layouts_.size())) {
      layouts_.resize(arrays_.array_count());
    }
    std::string& text = layouts_[array];
    if (text.empty()) text = arrays_.array(array).shape->layout().ToString();
    return text;
  }

  const HloDump& dump_;
  const bool has_tpu_default_layouts_;
  ArrayTable arrays_;
  std::vector<std::string> layouts_;  // by number of the array
};

}  // namespace

std::string_view CountedArraysName(CountedArrays counted) {
  return counted == CountedArrays::kBuffers ? "buffers" : "results";
}

std::optional<CountedArrays> CountedArraysOfName(std::string_view name) {
  for (const CountedArrays counted :
       {CountedArrays::kBuffers, CountedArrays::kResults}) {
    if (CountedArraysName(counted) == name) return counted;
  }
  return std::nullopt;
}

MemoryReport ReportMemory(const HloDump& dump,
                          const MemoryReportOptions& options) {
  Reporter reporter(dump, options);
  MemoryReport report;
  Uses all;
  for (const HloModule module : dump.modules()) {
    ModuleMemory of_module(module);
    absl::flat_hash_set<int64_t> running;
    if (options.counted == CountedArrays::kBuffers) {
      running = RunningComputations(module);
      report.modules_without_entry += running.empty();
    }
    Uses uses;
    for (const HloComputation computation : module.computations()) {
      CountUses(computation, running, &uses);
    }
    CountUses(uses, &all);
    reporter.Fill(uses, options, &of_module);
    of_module.memory.counted =
        running.empty() ? CountedArrays::kResults : CountedArrays::kBuffers;
    report.modules.push_back(std::move(of_module));
  }
  // Most dumps have one module.
  if (report.modules.size() == 1) {
    static_cast<DumpMemory&>(report) = report.modules[0];
    return report;
  }
  reporter.Fill(all, options, &report);
  const int64_t modules = report.modules.size();
  report.memory.counted = modules == 0 || report.modules_without_entry < modules
                              ? options.counted
                              : CountedArrays::kResults;
  return report;
}

MemoryBreakdown ReportComputation(const HloDump& dump,
                                  HloComputation computation,
                                  const MemoryReportOptions& options) {
  Reporter reporter(dump, options);
  absl::flat_hash_set<int64_t> running;
  if (options.counted == CountedArrays::kBuffers) {
    running = RunningComputations(computation.module());
    if (!running.contains(computation.index())) running.clear();
  }
  Uses uses;
  CountUses(computation, running, &uses);
  MemoryBreakdown memory = reporter.BreakDown(uses);
  memory.counted =
      running.empty() ? CountedArrays::kResults : CountedArrays::kBuffers;
  return memory;
}

}  // namespace tessera
