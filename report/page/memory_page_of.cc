#include "tessera/report/page/memory_page_of.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/instruction_origin.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/page/memory_map_of.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

// As many as anyone would look at, and a page that opens at once.
constexpr int64_t kTableRows = 1000;

template <typename Sized>
void SetBytes(const MemoryTotals& totals, Sized* sized) {
  sized->unpadded_bytes = totals.unpadded_bytes;
  sized->padded_bytes = totals.padded_bytes;
}

MemoryPage::Array ArrayOf(const ArrayUsage& usage) {
  MemoryPage::Array array;
  array.shape = usage.shape_text;
  array.uses = usage.count;
  array.unpadded_bytes = usage.unpadded_bytes;
  array.padded_bytes = usage.padded_bytes;
  array.total_padding_bytes = usage.total_padding_bytes;
  array.padded_dimension = HumanBlame(usage.most_padded, "\u2192");
  if (HasBetterOrder(usage)) {
    array.better_order = absl::StrCat(
        "{", absl::StrJoin(usage.best_order->minor_to_major, ","), "}");
    array.better_bytes = usage.best_order->padded_bytes;
  }
  return array;
}

std::vector<MemoryPage::Array> ArraysOf(const std::vector<ArrayUsage>& usages) {
  std::vector<MemoryPage::Array> arrays;
  for (const ArrayUsage& usage : usages) arrays.push_back(ArrayOf(usage));
  return arrays;
}

class PageMaker {
 public:
  PageMaker(const std::string& title, const HloDump& dump,
            const MemoryOptions& question, const HloAssignments& assignments)
      : dump_(dump),
        question_(question),
        assignments_(assignments),
        arrays_(&dump.shapes()) {
    page_.title = title;
  }

  MemoryPage Make() {
    MemoryReportOptions options;
    options.table_rows = kTableRows;
    const MemoryReport report = ReportMemory(dump_, options);
    for (const ModuleMemory& module : report.modules) AddModule(module);
    const MemorySpaceNames& names = MemorySpaceNamesOf(
        question_.target.has_value() ? *question_.target : GuessTarget(dump_));
    for (const auto& [number, totals] : report.memory.by_memory_space) {
      MemoryPage::MemorySpace space;
      space.name = HumanMemorySpace(number, names.NameOf(number));
      space.arrays = totals.arrays;
      SetBytes(totals, &space);
      page_.by_memory_space.push_back(space);
    }
    page_.counts_buffers = report.memory.counted == CountedArrays::kBuffers;
    page_.largest = ArraysOf(report.largest);
    page_.most_wasteful = ArraysOf(report.most_wasteful);
    AddGroups();
    AddNotes(report);
    return std::move(page_);
  }

 private:
  struct Sum {
    int64_t instructions = 0;
    MemoryTotals totals;
  };

  void AddModule(const ModuleMemory& memory) {
    MemoryPage::Module module;
    module.name = std::string(memory.module.name());
    module.instructions = memory.memory.instructions;
    module.computations = memory.module.computations().size();
    module.distinct_shapes = memory.distinct_shapes;
    SetBytes(memory.memory.total, &module);
    InstructionOrigins origins(memory.module);
    SumUp(memory, &origins);
    AddRelayouts(memory.module);
    absl::StatusOr<ModuleAnalysis> analysis =
        ModuleAnalysis::Of(dump_, memory.module, question_.For(assignments_),
                           assignments_.Of(memory.module));
    if (analysis.ok()) {
      AddSchedule(*analysis, &origins, &module);
      AddMaps(*analysis, &module);
      if (!memory.module.is_scheduled()) {
        page_.notes.push_back(absl::StrCat(
            "Assumed: the instructions of ", ModuleText(memory.module.name()),
            ", which is not scheduled, run in the order of the "
            "text."));
      }
      const ModuleAnalysis::Doubts doubts = analysis->doubts();
      const int64_t unresolved = doubts.unresolved + doubts.unresolved_calls;
      if (unresolved > 0) {
        page_.notes.push_back(
            absl::StrCat(ModuleText(memory.module.name()),
                         " has unresolved operands, aliases or calls: ",
                         HumanCount(unresolved), "."));
      }
    } else if (memory.module.is_scheduled() ||
               question_.schedule.assume_text_order) {
      module.no_peak = std::string(analysis.status().message());
      page_.notes.push_back(absl::StrCat(ModuleText(memory.module.name()),
                                         " has no timeline: ", module.no_peak,
                                         "."));
    }
    page_.modules.push_back(std::move(module));
  }

  void AddMaps(const ModuleAnalysis& analysis, MemoryPage::Module* to) {
    to->is_assigned_by_xla = analysis.is_assigned_by_xla();
    const MemorySpaceNames& names = MemorySpaceNamesOf(analysis.target());
    for (auto& [number, map] : MemoryMapsOf(analysis, MapColors::kOpcode)) {
      if (!map.is_placed) continue;
      map.title = HumanMemorySpace(number, names.NameOf(number));
      KeepLargest(&map);
      to->maps.push_back(std::move(map));
    }
  }

  void KeepLargest(MemoryMap* map) {
    constexpr size_t kMostValues = 20000;
    std::vector<MemoryMap::Value>& values = map->values;
    if (values.size() <= kMostValues) return;
    page_.notes.push_back(absl::StrCat(
        "The map of ", map->title, " has the ", HumanCount(kMostValues),
        " largest of ", HumanQuantity(values.size(), "value"), "."));
    std::nth_element(values.begin(), values.begin() + kMostValues, values.end(),
                     [](const MemoryMap::Value& a, const MemoryMap::Value& b) {
                       return a.bytes > b.bytes;
                     });
    values.resize(kMostValues);
  }

  // Bytes by opcode and source line: of the arrays that the report counts.
  void SumUp(const ModuleMemory& memory, InstructionOrigins* origins) {
    const bool counts_results =
        memory.memory.counted == CountedArrays::kResults;
    const absl::flat_hash_set<int64_t> running =
        RunningComputations(memory.module);
    for (const HloComputation computation : memory.module.computations()) {
      if (!running.contains(computation.index()) && !counts_results) continue;
      for (const HloInstruction instruction : computation.instructions()) {
        const absl::optional<PartPaths> without_buffer =
            counts_results ? PartPaths() : PathsWithoutBuffer(instruction);
        if (!without_buffer.has_value() || !instruction.has_shape()) continue;
        InstructionOrigin origin = origins->Of(instruction);
        Sum& sum =
            sums_[{std::string(instruction.opcode()),
                   std::move(origin.source_line), std::move(origin.op_name)}];
        ++sum.instructions;
        const ArrayTable::ShapeParts& parts =
            arrays_.parts(instruction.shape_index());
        const std::vector<bool> counts =
            PartsWithBuffer(*without_buffer, parts);
        for (int64_t i = 0; i < parts.size(); ++i) {
          if (!counts[i]) continue;
          const ArrayTable::Array& array = arrays_.array(parts[i].array);
          if (array.sizes.has_value()) sum.totals.Add(1, *array.sizes);
        }
      }
    }
  }

  void AddGroups() {
    std::map<std::string, Sum> by_opcode;
    for (const auto& [key, sum] : sums_) {
      MemoryPage::Group group;
      std::tie(group.opcode, group.source, group.op_name) = key;
      group.instructions = sum.instructions;
      SetBytes(sum.totals, &group);
      Sum& opcode = by_opcode[group.opcode];
      page_.groups.push_back(std::move(group));
      opcode.instructions += sum.instructions;
      opcode.totals.Add(sum.totals);
    }
    for (const auto& [opcode, sum] : by_opcode) {
      MemoryPage::OpcodeTotals totals;
      totals.opcode = opcode;
      totals.instructions = sum.instructions;
      SetBytes(sum.totals, &totals);
      page_.by_opcode.push_back(totals);
    }
  }

  void AddRelayouts(HloModule module) {
    for (const Relayout& found : FindRelayouts(dump_, module).relayouts) {
      MemoryPage::Relayout relayout;
      relayout.instruction = std::string(found.instruction.name());
      relayout.opcode = std::string(found.instruction.opcode());
      relayout.from = found.from->ToString();
      relayout.to = found.to->ToString();
      relayout.bytes = found.bytes;
      relayout.is_free = found.is_free;
      relayout.is_fused = found.is_fused;
      relayout.moves = std::string(MovesName(found.moves));
      if (found.producer.has_value()) {
        relayout.producer = std::string(found.producer->name());
      }
      if (found.user.has_value()) {
        relayout.user = std::string(found.user->name());
      }
      page_.relayouts.push_back(std::move(relayout));
    }
  }

  void AddSchedule(ModuleAnalysis& analysis, InstructionOrigins* origins,
                   MemoryPage::Module* module) {
    const MemorySpaceNames& names = MemorySpaceNamesOf(analysis.target());
    for (int64_t i = 0; i < analysis.step_count(); ++i) {
      const HloInstruction instruction = analysis.StepAt(i).instruction;
      module->schedule.push_back(
          {std::string(instruction.name()), std::string(instruction.opcode())});
    }
    std::map<int64_t, size_t> timelines;
    for (const auto& [number, use] : analysis.use()) {
      timelines[number] = module->timelines.size();
      MemoryPage::Timeline timeline;
      timeline.memory_space = HumanMemorySpace(number, names.NameOf(number));
      timeline.live_bytes = analysis.UseByStep(number);
      timeline.peak = use.peak_step;
      timeline.peak_unpadded_bytes = use.peak_unpadded_bytes;
      const SpaceReservation reserved = analysis.ReservedIn(number);
      timeline.reserved_bytes = reserved.sum().bytes();
      timeline.reserved_unpadded_bytes = reserved.reserved_unpadded_bytes;
      module->timelines.push_back(std::move(timeline));
    }
    for (const LiveArray& live : analysis.Arrays()) {
      const auto timeline = timelines.find(live.memory_space);
      if (timeline == timelines.end()) continue;
      MemoryPage::Buffer buffer;
      buffer.name = std::string(live.instruction.name());
      buffer.opcode = std::string(live.instruction.opcode());
      buffer.shape = live.shape == nullptr ? "(the table of a tuple)"
                                           : live.shape->ToString();
      InstructionOrigin origin = origins->Of(live.instruction);
      buffer.source = std::move(origin.source_line);
      buffer.op_name = std::move(origin.op_name);
      buffer.padded_bytes = live.padded_bytes;
      buffer.unpadded_bytes = std::min(live.unpadded_bytes, live.padded_bytes);
      buffer.first = live.first;
      buffer.last = live.last;
      module->timelines[timeline->second].buffers.push_back(std::move(buffer));
    }
  }

  void AddNotes(const MemoryReport& report) {
    const MemoryBreakdown& all = report.memory;
    if (report.modules_without_entry > 0) {
      page_.notes.push_back(absl::StrCat(
          "All results are counted where no computation is marked ENTRY: in ",
          HumanQuantity(report.modules_without_entry, "module"), "."));
    }
    auto left_out = [&](int64_t count, const char* noun, const char* what) {
      if (count == 0) return;
      page_.notes.push_back(absl::StrCat(
          "Left out: ", HumanQuantity(count, noun), " ", what, "."));
    };
    left_out(all.instructions_without_shape, "instruction", "without a shape");
    left_out(all.skipped_arrays, "array", "with an unbounded dimension");
    if (dump_.diagnostic_count() > 0) {
      page_.notes.push_back(
          "The file could not be read in full; what could is counted.");
    }
    if (all.total.is_saturated) {
      page_.notes.push_back("A sum is larger than 8 EiB and is shown as that.");
    }
  }

  const HloDump& dump_;
  const MemoryOptions& question_;
  const HloAssignments& assignments_;
  ArrayTable arrays_;
  MemoryPage page_;
  // By opcode, source line and op_name.
  std::map<std::tuple<std::string, std::string, std::string>, Sum> sums_;
};

}  // namespace

MemoryPage MemoryPageOf(const std::string& title, const HloDump& dump,
                        const MemoryOptions& question,
                        const HloAssignments& assignments) {
  return PageMaker(title, dump, question, assignments).Make();
}

}  // namespace tessera
