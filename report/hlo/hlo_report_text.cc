// The report on HLO text for people.

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/relayouts.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/layout/memory_space.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/bar.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo_peak_question.h"

namespace tessera {
namespace {

// A terminal of this many columns is wide.
constexpr int kWide = 100;

// Shapes matter more than bars.
int BarColumns(const Display& display) {
  return display.columns < kWide ? 8 : 16;
}

bool HasPadding(const ArrayTotals& totals) {
  return totals.total.padded_bytes != totals.total.unpadded_bytes;
}

// Columns and cells of tables that show bytes, and padding where there is any.
class ByteColumns {
 public:
  ByteColumns(bool has_padding, int64_t scale, const Display& display)
      : has_padding_(has_padding),
        scale_(std::max<int64_t>(scale, 1)),
        display_(display) {}

  std::vector<Table::Column> Titles(const std::string& of_bar = "") const {
    std::vector<Table::Column> titles = {{"bytes", Table::kRight}};
    if (has_padding_) titles.push_back({"padding", Table::kRight});
    titles.push_back({of_bar, Table::kLeft});
    return titles;
  }

  // What the marks of a bar mean.
  std::string Legend() const {
    if (!has_padding_) return "";
    return absl::StrCat(DataMark(display_), " data ", PaddingMark(display_),
                        " padding");
  }

  std::vector<std::string> Cells(int64_t unpadded, int64_t padded) const {
    const int64_t padding = padded - unpadded;
    std::vector<std::string> cells = {HumanBytes(padded)};
    if (has_padding_) cells.push_back(HumanPercent(padding, padded));
    cells.push_back(
        Bar(unpadded, padding, scale_, BarColumns(display_), display_));
    return cells;
  }

 private:
  const bool has_padding_;
  const int64_t scale_;
  const Display& display_;
};

template <typename Item>
std::vector<Item> Joined(std::vector<Item> first, std::vector<Item> second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Table SpaceTable(const MemoryBreakdown& memory, HloTarget target,
                 const Display& display) {
  int64_t scale = 0;
  for (const auto& [space, totals] : memory.by_memory_space) {
    scale = std::max(scale, totals.padded_bytes);
  }
  const ByteColumns bytes(HasPadding(memory), scale, display);
  Table table(
      Joined({{"memory space", Table::kLeft},
              {std::string(CountedArraysName(memory.counted)), Table::kRight}},
             bytes.Titles(bytes.Legend())));
  const MemorySpaceNames& names = MemorySpaceNamesOf(target);
  for (const auto& [space, totals] : memory.by_memory_space) {
    table.AddRow(
        Joined({HumanMemorySpace(space, names.NameOf(space)),
                HumanCount(totals.arrays)},
               bytes.Cells(totals.unpadded_bytes, totals.padded_bytes)));
  }
  return table;
}

Table LargestTable(const DumpMemory& summary, const Display& display) {
  const int64_t scale =
      summary.largest.empty() ? 0 : summary.largest.front().padded_bytes;
  const ByteColumns bytes(HasPadding(summary.memory), scale, display);
  Table table(Joined(bytes.Titles(),
                     {{"uses", Table::kRight}, {"shape", Table::kLeft}}));
  for (const ArrayUsage& array : summary.largest) {
    table.AddRow(Joined(bytes.Cells(array.unpadded_bytes, array.padded_bytes),
                        {HumanCount(array.count), array.shape_text}));
  }
  return table;
}

Table WastefulTable(const DumpMemory& summary, const Display& display) {
  Table table({{"padding", Table::kRight},
               {"factor", Table::kRight},
               {"padded most", Table::kLeft},
               {"uses", Table::kRight},
               {"shape", Table::kLeft}});
  for (const ArrayUsage& array : summary.most_wasteful) {
    table.AddRow({HumanBytes(array.total_padding_bytes),
                  HumanFactor(array.padded_bytes, array.unpadded_bytes),
                  HumanBlame(array.most_padded, Arrow(display)),
                  HumanCount(array.count), array.shape_text});
  }
  return table;
}

// Those of the most wasteful arrays that another order would make smaller.
Table HintTable(const DumpMemory& summary, const Display& display) {
  const bool has_jax = display.columns >= kWide;
  std::vector<Table::Column> columns = {{"one takes", Table::kRight},
                                        {"would take", Table::kRight},
                                        {"in the order", Table::kLeft}};
  if (has_jax) columns.push_back({"in JAX", Table::kLeft});
  columns.push_back({"shape", Table::kLeft});
  Table table(columns);
  for (const ArrayUsage& array : summary.most_wasteful) {
    if (!HasBetterOrder(array)) continue;
    const BestOrder& best = *array.best_order;
    std::vector<std::string> cells = {
        HumanBytes(array.padded_bytes),
        Paint(HumanBytes(best.padded_bytes), Color::kGreen, display),
        absl::StrCat("{", absl::StrJoin(best.minor_to_major, ","), "}")};
    if (has_jax) {
      cells.push_back(absl::StrCat(
          "major_to_minor=(", absl::StrJoin(MajorToMinor(best), ", "), ")"));
    }
    cells.push_back(array.shape_text);
    table.AddRow(std::move(cells));
  }
  return table;
}

Table ByTextTable(const char* title, const MemoryBreakdown& memory,
                  const std::map<std::string, MemoryTotals>& by_text,
                  int64_t rows, const Display& display) {
  std::vector<std::pair<std::string, MemoryTotals>> sorted(by_text.begin(),
                                                           by_text.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) {
                     return a.second.padded_bytes > b.second.padded_bytes;
                   });
  if (static_cast<int64_t>(sorted.size()) > rows) sorted.resize(rows);
  const ByteColumns bytes(
      HasPadding(memory),
      sorted.empty() ? 0 : sorted.front().second.padded_bytes, display);
  Table table(
      Joined(bytes.Titles(),
             {{std::string(CountedArraysName(memory.counted)), Table::kRight},
              {title, Table::kLeft}}));
  for (const auto& [text, totals] : sorted) {
    table.AddRow(
        Joined(bytes.Cells(totals.unpadded_bytes, totals.padded_bytes),
               {HumanCount(totals.arrays), text.empty() ? "none" : text}));
  }
  return table;
}

// "49 buffers of 188 MiB, 75 MiB (40%) of it padding, if none shared ..."
std::string TotalText(const MemoryBreakdown& memory) {
  const MemoryTotals& total = memory.total;
  const int64_t padding = total.padded_bytes - total.unpadded_bytes;
  const bool counts_buffers = memory.counted == CountedArrays::kBuffers;
  std::string text = absl::StrCat(
      HumanQuantity(total.arrays, counts_buffers ? "buffer" : "result"), " of ",
      HumanBytes(total.padded_bytes), ", ");
  if (padding > 0) {
    absl::StrAppend(&text, HumanBytes(padding), " (",
                    HumanPercent(padding, total.padded_bytes),
                    ") of it padding, ");
  }
  return absl::StrCat(text, "if none shared its memory");
}

// What is in none of the sums.
std::string LeftOutLines(const MemoryBreakdown& memory) {
  std::string lines;
  if (memory.total.is_saturated) {
    absl::StrAppend(&lines, kIndent,
                    "a sum is larger than 8 EiB and is shown as that\n");
  }
  if (memory.skipped_arrays > 0) {
    absl::StrAppend(&lines, kIndent,
                    "left out: ", HumanQuantity(memory.skipped_arrays, "array"),
                    " with an unbounded dimension\n");
  }
  if (memory.instructions_without_shape > 0) {
    absl::StrAppend(
        &lines, kIndent, "left out: ",
        HumanQuantity(memory.instructions_without_shape, "instruction"),
        " without a shape\n");
  }
  if (memory.by_memory_space.empty()) {
    absl::StrAppend(&lines, kIndent, "no ", CountedArraysName(memory.counted),
                    "\n");
  }
  return lines;
}

void AppendSection(absl::string_view title, absl::string_view subtitle,
                   const Table& table, const Display& display,
                   std::string* out) {
  if (table.empty()) return;
  absl::StrAppend(out, "\n", Paint(title, Color::kBold, display), ": ",
                  subtitle, "\n", table.ToString(kIndent, display));
}

std::string Heading(const HloReport& report, const Display& display) {
  const HloCounts& counts = report.dump->counts();
  std::string out = absl::StrCat(
      Paint(Printable(report.file), Color::kBold, display), "\n", kIndent,
      HumanQuantity(counts.modules, "module"),
      report.target == HloTarget::kNone ? "" : " for ",
      report.target == HloTarget::kNone ? "" : HloTargetName(report.target),
      ", ", HumanQuantity(counts.computations, "computation"), ", ",
      HumanQuantity(counts.instructions, "instruction"), ", ",
      HumanQuantity(report.memory.distinct_shapes, "distinct shape"), "\n",
      LeftOutLines(report.memory.memory));
  const int64_t without_entry = report.memory.modules_without_entry;
  if (without_entry > 0) {
    absl::StrAppend(
        &out, kIndent, "all results are counted ",
        counts.modules == 1
            ? "because"
            : absl::StrCat("in ", HumanQuantity(without_entry, "module"),
                           " where"),
        " no computation is marked ENTRY\n");
  }
  return out;
}

int64_t GreatestPeak(const ModulePeak& peak) {
  int64_t greatest = 0;
  for (const auto& [number, space] : peak.by_memory_space().spaces()) {
    greatest = std::max(greatest, space.peak_bytes());
  }
  return greatest;
}

// The modules that have a peak, the greatest first.
std::vector<const ModulePeak*> SortedPeaks(const PeakResult& peaks) {
  std::vector<const ModulePeak*> sorted;
  for (const ModulePeak& peak : peaks.modules()) {
    if (peak.has_by_memory_space()) sorted.push_back(&peak);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ModulePeak* a, const ModulePeak* b) {
                     return GreatestPeak(*a) > GreatestPeak(*b);
                   });
  return sorted;
}

// What each memory space needs at once, and what XLA reserves.
std::string PeakSection(const HloReport& report, const Display& display) {
  const std::vector<const ModulePeak*> sorted = SortedPeaks(report.peaks);
  if (sorted.empty()) {
    if (report.peaks.modules_size() != 1) return "";
    return absl::StrCat(kIndent, "peak: not known; ",
                        report.peaks.modules(0).reason(), "\n");
  }
  const int64_t shown = std::min<int64_t>(sorted.size(), report.top);
  const bool has_modules = report.peaks.modules_size() > 1;
  bool has_padding = false;
  bool is_order_assumed = false;
  for (const ModulePeak* peak : sorted) {
    is_order_assumed |= peak->is_text_order_assumed();
    for (const auto& [number, space] : peak->by_memory_space().spaces()) {
      has_padding |= space.peak_bytes() != space.peak_unpadded_bytes();
    }
  }
  std::vector<Table::Column> columns = {{"memory space", Table::kLeft},
                                        {"peak", Table::kRight}};
  if (has_padding) columns.push_back({"padding", Table::kRight});
  columns.push_back({"reserved", Table::kRight});
  if (has_modules) columns.push_back({"module", Table::kLeft});
  Table table(columns);
  for (int64_t i = 0; i < shown; ++i) {
    for (const auto& [number, space] :
         SortedByKey(sorted[i]->by_memory_space().spaces())) {
      const int64_t padding =
          space->peak_bytes() - space->peak_unpadded_bytes();
      std::vector<std::string> cells = {
          HumanMemorySpace(number, space->name()),
          Paint(HumanBytes(space->peak_bytes()), Color::kYellow, display)};
      if (has_padding) {
        cells.push_back(absl::StrCat(HumanBytes(padding), " (",
                                     HumanPercent(padding, space->peak_bytes()),
                                     ")"));
      }
      const absl::optional<ReservedBytes> taken = ReservedBytesOf(*space);
      cells.push_back(taken.has_value() ? ReservedBytesText(*taken)
                                        : "not known");
      if (has_modules) cells.push_back(sorted[i]->module());
      table.AddRow(std::move(cells));
    }
  }
  std::string out;
  AppendSection(
      "Peak",
      absl::StrCat(is_order_assumed ? "if instructions run in the order of the "
                                      "text, "
                                    : "",
                   "in use at one step; reserved: set aside for the whole run"),
      table, display, &out);
  return out;
}

// A row for each module, the largest first.
std::string ModulesSection(const HloReport& report, const Display& display) {
  std::vector<const ModuleMemory*> modules;
  for (const ModuleMemory& module : report.memory.modules) {
    modules.push_back(&module);
  }
  if (modules.size() < 2) return "";
  std::stable_sort(modules.begin(), modules.end(),
                   [](const ModuleMemory* a, const ModuleMemory* b) {
                     return a->memory.total.padded_bytes >
                            b->memory.total.padded_bytes;
                   });
  const ByteColumns bytes(HasPadding(report.memory.memory),
                          modules[0]->memory.total.padded_bytes, display);
  Table table(Joined(bytes.Titles(), {{"instructions", Table::kRight},
                                      {"module", Table::kLeft}}));
  const int64_t all = modules.size();
  const int64_t shown = std::min(report.top, all);
  for (int64_t i = 0; i < shown; ++i) {
    const MemoryTotals& total = modules[i]->memory.total;
    const absl::string_view name = modules[i]->module.name();
    table.AddRow(Joined(bytes.Cells(total.unpadded_bytes, total.padded_bytes),
                        {HumanCount(modules[i]->memory.instructions),
                         name.empty() ? "without a name" : std::string(name)}));
  }
  std::string out;
  AppendSection("Modules",
                shown < all ? absl::StrCat("the ", shown, " largest of ", all)
                            : "the largest first",
                table, display, &out);
  return out;
}

// Which instructions only move an array, those of the most bytes first.
void AppendMoves(const HloReport& report, const Display& display,
                 std::string* out) {
  std::vector<Relayout> moves;
  RelayoutTotals total;
  for (const HloModule module : report.dump->modules()) {
    for (const Relayout& each : FindRelayouts(*report.dump, module).relayouts) {
      if (each.is_free || each.is_fused) continue;
      moves.push_back(each);
      SaturatingAdd(each.bytes, &total.bytes_moved, &total.is_saturated);
    }
  }
  const int64_t all = moves.size();
  std::stable_sort(
      moves.begin(), moves.end(),
      [](const Relayout& a, const Relayout& b) { return a.bytes > b.bytes; });
  if (all > report.top) moves.erase(moves.begin() + report.top, moves.end());
  Table table({{"bytes", Table::kRight},
               {"moves", Table::kLeft},
               {"instruction", Table::kLeft},
               {"made by", Table::kLeft},
               {"wanted by", Table::kLeft},
               {"from", Table::kLeft},
               {"to", Table::kLeft}});
  const auto name = [](const absl::optional<HloInstruction>& instruction) {
    return instruction.has_value() ? std::string(instruction->name()) : "";
  };
  for (const Relayout& each : moves) {
    table.AddRow({HumanBytes(each.bytes), std::string(MovesName(each.moves)),
                  std::string(each.instruction.name()), name(each.producer),
                  name(each.user), each.from->ToString(), each.to->ToString()});
  }
  AppendSection("What moves",
                absl::StrCat(HumanQuantity(all, "instruction"), ", ",
                             HumanBytes(total.bytes_moved)),
                table, display, out);
}

}  // namespace

std::string HloReportToText(const HloReport& report, const Display& display) {
  const MemoryReport& memory = report.memory;
  std::string out = Heading(report, display);
  out += PeakSection(report, display);
  AppendSection("Memory spaces", TotalText(memory.memory),
                SpaceTable(memory.memory, report.target, display), display,
                &out);
  AppendSection("Largest arrays", "one of each", LargestTable(memory, display),
                display, &out);
  AppendSection("Most wasteful arrays", "the padding of all uses together",
                WastefulTable(memory, display), display, &out);
  AppendSection("Hints",
                "another order of dimensions, minor to major, same tiles",
                HintTable(memory, display), display, &out);
  AppendMoves(report, display, &out);
  return out + ModulesSection(report, display);
}

std::string ComputationReportToText(const ComputationReport& report,
                                    const Display& display) {
  const MemoryBreakdown& memory = report.memory;
  std::string out = absl::StrCat(
      Paint(Printable(report.file), Color::kBold, display), "\n", kIndent,
      "computation ", Paint(report.computation.name(), Color::kBold, display),
      " of ", ModuleText(report.module.name()), ", ",
      HumanQuantity(memory.instructions, "instruction"), "\n",
      LeftOutLines(memory));
  AppendSection("Memory spaces", TotalText(memory),
                SpaceTable(memory, report.target, display), display, &out);
  AppendSection(
      "Opcodes",
      absl::StrCat("the ", CountedArraysName(memory.counted),
                   " of all its instructions"),
      ByTextTable("opcode", memory, memory.by_opcode, report.top, display),
      display, &out);
  AppendSection(
      "Layouts", "the same by layout",
      ByTextTable("layout", memory, memory.by_layout, report.top, display),
      display, &out);
  return out;
}

}  // namespace tessera
