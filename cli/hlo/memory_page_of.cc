#include "tessera/cli/hlo/memory_page_of.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/layout/padding_text.h"
#include "tessera/cli/output/units.h"
#include "tessera/hlo/attributes/frame_tables.h"
#include "tessera/hlo/attributes/metadata.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/liveness.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/relayouts.h"

namespace tessera {
namespace cli {
namespace {

// As many as anyone would look at, and a page that opens at once.
constexpr int64_t kTableRows = 1000;

std::string PlaceText(const HloString& file, int64_t line) {
  if (file.empty()) return "";
  return line > 0 ? absl::StrCat(file.ToString(), ":", line) : file.ToString();
}

// Where the instructions of a module come from.
class Sources {
 public:
  explicit Sources(HloModule module) {
    absl::StatusOr<FrameTables> tables =
        DecodeFrameTables(module.frame_tables_text());
    if (tables.ok()) tables_ = *std::move(tables);
  }

  std::string Of(HloInstruction instruction) const {
    const absl::optional<absl::string_view> value =
        instruction.attribute("metadata");
    if (!value.has_value()) return "";
    const absl::StatusOr<OpMetadata> metadata = DecodeMetadata(*value);
    if (!metadata.ok()) return "";
    if (!metadata->source_file.empty() || metadata->stack_frame_id == 0) {
      return PlaceText(metadata->source_file, metadata->source_line);
    }
    const absl::StatusOr<SourceFrame> frame =
        tables_.Frame(metadata->stack_frame_id);
    return frame.ok() ? PlaceText(frame->file_name, frame->line) : "";
  }

 private:
  FrameTables tables_;
};

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
  if (usage.best_order.has_value() &&
      usage.best_order->padded_bytes < usage.padded_bytes) {
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
  PageMaker(const std::string& title, const HloDump& dump)
      : dump_(dump), arrays_(&dump.shapes()) {
    page_.title = title;
  }

  MemoryPage Make() {
    MemoryReportOptions options;
    options.table_rows = kTableRows;
    const MemoryReport report = ReportMemory(dump_, options);
    for (const ModuleMemory& module : report.modules) AddModule(module);
    for (const auto& [number, totals] : report.memory.by_memory_space) {
      MemoryPage::MemorySpace space;
      space.name = HumanMemorySpace(number);
      space.arrays = totals.arrays;
      SetBytes(totals, &space);
      page_.by_memory_space.push_back(space);
    }
    page_.largest = ArraysOf(report.largest);
    page_.most_wasteful = ArraysOf(report.most_wasteful);
    AddTreemap();
    AddNotes(report.memory);
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
    const Sources sources(memory.module);
    SumUp(memory, sources);
    AddRelayouts(memory.module);
    const absl::StatusOr<Liveness> liveness =
        ComputeLiveness(dump_, memory.module);
    if (liveness.ok()) {
      AddSchedule(*liveness, sources, &module);
      const int64_t doubts = liveness->unresolved + liveness->unresolved_calls;
      if (doubts > 0) {
        page_.notes.push_back(absl::StrCat(
            ModuleText(memory.module.name()),
            " has unresolved operands, aliases or calls: ", HumanCount(doubts),
            "."));
      }
    } else if (memory.module.is_scheduled()) {
      module.no_peak = std::string(liveness.status().message());
      page_.notes.push_back(absl::StrCat(ModuleText(memory.module.name()),
                                         " has no timeline: ", module.no_peak,
                                         "."));
    }
    page_.modules.push_back(std::move(module));
  }

  // Bytes by opcode and source line.
  void SumUp(const ModuleMemory& memory, const Sources& sources) {
    for (const HloComputation computation : memory.module.computations()) {
      for (const HloInstruction instruction : computation.instructions()) {
        Sum& sum =
            sums_[{std::string(instruction.opcode()), sources.Of(instruction)}];
        ++sum.instructions;
        if (!instruction.has_shape()) continue;
        const ArrayTable::ShapeParts& parts =
            arrays_.parts(instruction.shape_index());
        for (int64_t i = 0; i < parts.size(); ++i) {
          if (parts[i].array < 0) continue;
          const ArrayTable::Array& array = arrays_.array(parts[i].array);
          if (array.sizes.has_value()) sum.totals.Add(1, *array.sizes);
        }
      }
    }
  }

  void AddTreemap() {
    std::map<std::string, Sum> by_opcode;
    for (const auto& [key, sum] : sums_) {
      MemoryPage::TreemapEntry entry;
      std::tie(entry.opcode, entry.source) = key;
      entry.instructions = sum.instructions;
      SetBytes(sum.totals, &entry);
      page_.treemap.push_back(entry);
      Sum& opcode = by_opcode[entry.opcode];
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
      page_.relayouts.push_back(std::move(relayout));
    }
  }

  void AddSchedule(const Liveness& liveness, const Sources& sources,
                   MemoryPage::Module* module) {
    for (const HloInstruction instruction : liveness.entry.instructions()) {
      module->schedule.push_back(
          {std::string(instruction.name()), std::string(instruction.opcode())});
    }
    std::map<int64_t, size_t> timelines;
    for (const auto& [number, space] : liveness.by_memory_space) {
      timelines[number] = module->timelines.size();
      MemoryPage::Timeline timeline;
      timeline.memory_space = HumanMemorySpace(number);
      timeline.live_bytes = space.bytes;
      timeline.peak = space.peak_instruction;
      module->timelines.push_back(std::move(timeline));
    }
    for (const LiveBuffer& live : liveness.buffers) {
      MemoryPage::Buffer buffer;
      buffer.name = std::string(live.instruction.name());
      buffer.opcode = std::string(live.instruction.opcode());
      buffer.shape =
          live.shape == nullptr ? "in what it calls" : live.shape->ToString();
      buffer.source = sources.Of(live.instruction);
      buffer.padded_bytes = live.padded_bytes;
      buffer.unpadded_bytes = UnpaddedBytes(live);
      buffer.first = live.first;
      buffer.last = live.last;
      module->timelines[timelines[live.memory_space]].buffers.push_back(
          std::move(buffer));
    }
  }

  // What a called computation needs has no shape of its own: no padding is
  // known of it.
  int64_t UnpaddedBytes(const LiveBuffer& live) {
    if (live.shape == nullptr || !live.instruction.has_shape()) {
      return live.padded_bytes;
    }
    const ArrayTable::ShapeParts& parts =
        arrays_.parts(live.instruction.shape_index());
    if (live.part >= parts.size() || parts[live.part].array < 0) {
      return live.padded_bytes;
    }
    const ArrayTable::Array& array = arrays_.array(parts[live.part].array);
    return array.sizes.has_value() ? array.sizes->unpadded_bytes
                                   : live.padded_bytes;
  }

  void AddNotes(const MemoryBreakdown& all) {
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
  ArrayTable arrays_;
  MemoryPage page_;
  std::map<std::pair<std::string, std::string>, Sum> sums_;
};

}  // namespace

MemoryPage MemoryPageOf(const std::string& title, const HloDump& dump) {
  return PageMaker(title, dump).Make();
}

}  // namespace cli
}  // namespace tessera
