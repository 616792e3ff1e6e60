// The report on HLO text for people.

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/hlo/hlo_report.h"
#include "tessera/cli/layout/padding_text.h"
#include "tessera/cli/output/bar.h"
#include "tessera/cli/output/table.h"
#include "tessera/cli/output/units.h"
#include "tessera/hlo/memory/array_usage.h"

namespace tessera {
namespace cli {
namespace {

constexpr absl::string_view kIndent = "  ";

// Shapes matter more than bars.
int BarColumns(const Display& display) {
  constexpr int kWide = 100;
  return display.columns < kWide ? 8 : 16;
}

absl::string_view Arrow(const Display& display) {
  return display.unicode ? "\u2192" : "->";
}

Table SpaceTable(const ArrayTotals& summary, const Display& display) {
  Table table({{"memory space", Table::kLeft},
               {"arrays", Table::kRight},
               {"bytes", Table::kRight},
               {"padding", Table::kRight},
               {"", Table::kLeft}});
  int64_t scale = 1;
  for (const auto& [space, totals] : summary.by_memory_space) {
    scale = std::max(scale, totals.padded_bytes);
  }
  for (const auto& [space, totals] : summary.by_memory_space) {
    const int64_t padding = totals.padded_bytes - totals.unpadded_bytes;
    table.AddRow({HumanMemorySpace(space), HumanCount(totals.arrays),
                  HumanBytes(totals.padded_bytes),
                  absl::StrCat(HumanBytes(padding), " (",
                               HumanPercent(padding, totals.padded_bytes), ")"),
                  Bar(totals.unpadded_bytes, padding, scale,
                      BarColumns(display), display)});
  }
  return table;
}

Table LargestTable(const DumpMemory& summary, const Display& display) {
  Table table({{"bytes", Table::kRight},
               {"padding", Table::kRight},
               {"", Table::kLeft},
               {"uses", Table::kRight},
               {"shape", Table::kLeft}});
  for (const ArrayUsage& array : summary.largest) {
    const int64_t padding = array.padded_bytes - array.unpadded_bytes;
    table.AddRow({HumanBytes(array.padded_bytes),
                  HumanPercent(padding, array.padded_bytes),
                  Bar(array.unpadded_bytes, padding,
                      summary.largest.front().padded_bytes, BarColumns(display),
                      display),
                  HumanCount(array.count), array.shape_text});
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
  Table table({{"one takes", Table::kRight},
               {"would take", Table::kRight},
               {"in the order", Table::kLeft},
               {"shape", Table::kLeft}});
  for (const ArrayUsage& array : summary.most_wasteful) {
    const absl::optional<BestOrder>& best = array.best_order;
    if (!best.has_value() || best->padded_bytes >= array.padded_bytes) continue;
    table.AddRow(
        {HumanBytes(array.padded_bytes),
         Paint(HumanBytes(best->padded_bytes), Color::kGreen, display),
         absl::StrCat("{", absl::StrJoin(best->minor_to_major, ","), "}"),
         array.shape_text});
  }
  return table;
}

Table ByTextTable(const char* title,
                  const std::map<std::string, MemoryTotals>& by_text,
                  int64_t rows, const Display& display) {
  Table table({{"bytes", Table::kRight},
               {"padding", Table::kRight},
               {"", Table::kLeft},
               {"arrays", Table::kRight},
               {title, Table::kLeft}});
  std::vector<std::pair<std::string, MemoryTotals>> sorted(by_text.begin(),
                                                           by_text.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) {
                     return a.second.padded_bytes > b.second.padded_bytes;
                   });
  if (static_cast<int64_t>(sorted.size()) > rows) sorted.resize(rows);
  for (const auto& [text, totals] : sorted) {
    const int64_t padding = totals.padded_bytes - totals.unpadded_bytes;
    table.AddRow({HumanBytes(totals.padded_bytes),
                  HumanPercent(padding, totals.padded_bytes),
                  Bar(totals.unpadded_bytes, padding,
                      std::max<int64_t>(sorted.front().second.padded_bytes, 1),
                      BarColumns(display), display),
                  HumanCount(totals.arrays), text.empty() ? "none" : text});
  }
  return table;
}

// The sums, and what is in none of them.
std::string TotalLines(const ArrayTotals& totals,
                       int64_t instructions_without_shape) {
  const MemoryTotals& total = totals.total;
  const int64_t padding = total.padded_bytes - total.unpadded_bytes;
  std::string lines = absl::StrCat(
      kIndent, HumanQuantity(total.arrays, "array"), " of ",
      HumanBytes(total.padded_bytes), " in all, ",
      padding == 0
          ? "none"
          : absl::StrCat(HumanBytes(padding), " (",
                         HumanPercent(padding, total.padded_bytes), ")"),
      " of it padding,\n", kIndent,
      "counting the result of every instruction as if it had its own memory\n");
  if (total.is_saturated) {
    absl::StrAppend(&lines, kIndent,
                    "a sum is larger than 8 EiB and is shown as that\n");
  }
  if (totals.skipped_arrays > 0) {
    absl::StrAppend(&lines, kIndent,
                    "left out: ", HumanQuantity(totals.skipped_arrays, "array"),
                    " with an unbounded dimension\n");
  }
  if (instructions_without_shape > 0) {
    absl::StrAppend(&lines, kIndent, "left out: ",
                    HumanQuantity(instructions_without_shape, "instruction"),
                    " without a shape\n");
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

std::string SpacesSubtitle(const Display& display) {
  return absl::StrCat("all arrays together, ", DataMark(display), " data and ",
                      PaddingMark(display), " padding");
}

std::string Heading(const std::string& file, const HloDump& dump,
                    const MemoryReport& report, const Display& display) {
  const HloCounts& counts = dump.counts();
  return absl::StrCat(
      Paint(file, Color::kBold, display), "\n", kIndent,
      HumanQuantity(counts.modules, "module"), ", ",
      HumanQuantity(counts.computations, "computation"), ", ",
      HumanQuantity(counts.instructions, "instruction"), ", ",
      HumanQuantity(report.distinct_shapes, "distinct shape"), "\n",
      TotalLines(report.memory, report.memory.instructions_without_shape));
}

}  // namespace

std::string HloReportToText(const std::string& file, const HloDump& dump,
                            const MemoryReport& report,
                            const Display& display) {
  std::string out = Heading(file, dump, report, display);
  AppendSection("Memory spaces", SpacesSubtitle(display),
                SpaceTable(report.memory, display), display, &out);
  AppendSection("Largest arrays", "one of each", LargestTable(report, display),
                display, &out);
  AppendSection("Most wasteful arrays", "the padding of all uses together",
                WastefulTable(report, display), display, &out);
  AppendSection("Hints",
                "another order of dimensions, minor to major, same tiles",
                HintTable(report, display), display, &out);
  return out;
}

std::string ModulesToText(const MemoryReport& report, int64_t rows,
                          const Display& display) {
  std::vector<const ModuleMemory*> modules;
  for (const ModuleMemory& module : report.modules) modules.push_back(&module);
  std::stable_sort(modules.begin(), modules.end(),
                   [](const ModuleMemory* a, const ModuleMemory* b) {
                     return a->memory.total.padded_bytes >
                            b->memory.total.padded_bytes;
                   });
  Table table({{"bytes", Table::kRight},
               {"padding", Table::kRight},
               {"", Table::kLeft},
               {"instructions", Table::kRight},
               {"module", Table::kLeft}});
  const int64_t all = modules.size();
  const int64_t shown = std::min(rows, all);
  for (int64_t i = 0; i < shown; ++i) {
    const MemoryTotals& total = modules[i]->memory.total;
    const int64_t padding = total.padded_bytes - total.unpadded_bytes;
    const absl::string_view name = modules[i]->module.name();
    table.AddRow(
        {HumanBytes(total.padded_bytes),
         HumanPercent(padding, total.padded_bytes),
         Bar(total.unpadded_bytes, padding,
             std::max<int64_t>(modules[0]->memory.total.padded_bytes, 1),
             BarColumns(display), display),
         HumanCount(modules[i]->memory.instructions),
         name.empty() ? "without a name" : std::string(name)});
  }
  std::string out;
  AppendSection("Modules",
                shown < all ? absl::StrCat("the ", shown, " largest of ", all)
                            : "the largest first",
                table, display, &out);
  return out;
}

std::string ComputationReportToText(const ComputationReport& report,
                                    const Display& display) {
  const MemoryBreakdown& memory = report.memory;
  std::string out = absl::StrCat(
      Paint(report.file, Color::kBold, display), "\n", kIndent, "computation ",
      Paint(report.computation.name(), Color::kBold, display), " of ",
      ModuleText(report.module.name()), ", ",
      HumanQuantity(memory.instructions, "instruction"), "\n",
      TotalLines(memory, memory.instructions_without_shape));
  AppendSection("Memory spaces", SpacesSubtitle(display),
                SpaceTable(memory, display), display, &out);
  AppendSection("Opcodes", "the results of all its instructions",
                ByTextTable("opcode", memory.by_opcode, report.top, display),
                display, &out);
  AppendSection("Layouts", "the same by layout",
                ByTextTable("layout", memory.by_layout, report.top, display),
                display, &out);
  return out;
}

}  // namespace cli
}  // namespace tessera
