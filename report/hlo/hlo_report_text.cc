// The report on HLO text for people.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/bar.h"
#include "tessera/report/text/hlo_words.h"
#include "tessera/report/text/padding_text.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/service/questions/hlo/hlo_peak_question.h"

namespace tessera {
namespace {

// A terminal of this many columns is wide.
constexpr int kWide = 100;

// Shapes matter more than bars.
int BarColumns(const Display& display) {
  return display.columns < kWide ? 8 : 16;
}

bool HasPadding(const SummarizeResult& summary) {
  return summary.total().padded_bytes() != summary.total().unpadded_bytes();
}

// Columns and cells of tables that show bytes, and padding if there is any.
class ByteColumns {
 public:
  ByteColumns(bool has_padding, int64_t scale, const Display& display)
      : has_padding_(has_padding),
        scale_(std::max<int64_t>(scale, 1)),
        display_(display) {}

  std::vector<Table::Column> Titles(const std::string& of_bar = "") const {
    return {{"bytes", Table::kRight},
            {"padding", Table::kRight, has_padding_},
            {of_bar, Table::kLeft}};
  }

  // Returns the meaning of the marks of a bar.
  std::string Legend() const {
    if (!has_padding_) return "";
    return absl::StrCat(DataMark(display_), " data ", PaddingMark(display_),
                        " padding");
  }

  std::vector<std::string> Cells(int64_t unpadded, int64_t padded) const {
    const int64_t padding = padded - unpadded;
    return {HumanBytes(padded), HumanPercent(padding, padded),
            Bar(unpadded, padding, scale_, BarColumns(display_), display_)};
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

Table SpaceTable(const SummarizeResult& summary, const Display& display) {
  int64_t scale = 0;
  for (const MemorySum& space : summary.by_memory_space()) {
    scale = std::max(scale, space.padded_bytes());
  }
  const ByteColumns bytes(HasPadding(summary), scale, display);
  Table table(Joined(
      {{"memory space", Table::kLeft}, {summary.counted(), Table::kRight}},
      bytes.Titles(bytes.Legend())));
  for (const MemorySum& space : summary.by_memory_space()) {
    table.AddRow(
        Joined({HumanMemorySpace(space.memory_space(), space.name()),
                HumanCount(space.arrays())},
               bytes.Cells(space.unpadded_bytes(), space.padded_bytes())));
  }
  return table;
}

Table LargestTable(const SummarizeResult& summary, const Display& display) {
  const int64_t scale =
      summary.largest().empty() ? 0 : summary.largest(0).padded_bytes();
  const ByteColumns bytes(HasPadding(summary), scale, display);
  Table table(Joined(bytes.Titles(),
                     {{"uses", Table::kRight}, {"shape", Table::kLeft}}));
  for (const ArrayUse& array : summary.largest()) {
    table.AddRow(
        Joined(bytes.Cells(array.unpadded_bytes(), array.padded_bytes()),
               {HumanCount(array.count()), array.shape()}));
  }
  return table;
}

Table WastefulTable(const SummarizeResult& summary, const Display& display) {
  Table table({{"padding", Table::kRight},
               {"factor", Table::kRight},
               {"padded most", Table::kLeft},
               {"uses", Table::kRight},
               {"shape", Table::kLeft}});
  for (const ArrayUse& array : summary.most_wasteful()) {
    table.AddRow({HumanBytes(array.total_padding_bytes()),
                  HumanFactor(array.padded_bytes(), array.unpadded_bytes()),
                  HumanBlame(array.most_padded(), Arrow(display)),
                  HumanCount(array.count()), array.shape()});
  }
  return table;
}

// Returns a table of the most wasteful arrays that another order would make
// smaller.
Table HintTable(const SummarizeResult& summary, const Display& display) {
  Table table({{"now", Table::kRight},
               {"then", Table::kRight},
               {"minor_to_major", Table::kLeft},
               {"in JAX", Table::kLeft, display.columns >= kWide},
               {"shape", Table::kLeft}});
  for (const ArrayUse& array : summary.most_wasteful()) {
    if (!array.has_hint()) continue;
    const OrderHint& best = array.hint();
    table.AddRow(
        {HumanBytes(array.padded_bytes()),
         Paint(HumanBytes(best.padded_bytes()), Color::kGreen, display),
         absl::StrCat("{", absl::StrJoin(best.minor_to_major(), ","), "}"),
         absl::StrCat("major_to_minor=(",
                      absl::StrJoin(best.major_to_minor(), ", "), ")"),
         array.shape()});
  }
  return table;
}

Table ByTextTable(const char* title, const SummarizeResult& summary,
                  const google::protobuf::RepeatedPtrField<MemorySum>& sums,
                  const Display& display) {
  const ByteColumns bytes(HasPadding(summary),
                          sums.empty() ? 0 : sums[0].padded_bytes(), display);
  Table table(Joined(bytes.Titles(), {{summary.counted(), Table::kRight},
                                      {title, Table::kLeft}}));
  for (const MemorySum& sum : sums) {
    table.AddRow(Joined(
        bytes.Cells(sum.unpadded_bytes(), sum.padded_bytes()),
        {HumanCount(sum.arrays()), sum.name().empty() ? "none" : sum.name()}));
  }
  return table;
}

// "49 buffers of 188 MiB, 75 MiB (40%) of it padding, if none shared ..."
std::string TotalText(const SummarizeResult& summary) {
  const MemorySum& total = summary.total();
  const int64_t padding = total.padded_bytes() - total.unpadded_bytes();
  std::string text = absl::StrCat(
      HumanQuantity(total.arrays(),
                    summary.counted() == "buffers" ? "buffer" : "result"),
      " of ", HumanBytes(total.padded_bytes()), ", ");
  if (padding > 0) {
    absl::StrAppend(&text, HumanBytes(padding), " (",
                    HumanPercent(padding, total.padded_bytes()),
                    ") of it padding, ");
  }
  return absl::StrCat(text, "if none shared memory");
}

std::string DefaultLayoutsLine(const SummarizeResult& summary) {
  if (!summary.has_tpu_default_layouts()) return "";
  return StrCat(kIndent,
                "no array has tiles: each has the layout that the TPU "
                "compiler gives a parameter\n");
}

// Returns the parts that are not in any sum.
std::string LeftOutLines(const SummarizeResult& summary) {
  std::string lines = DefaultLayoutsLine(summary);
  if (summary.total().is_saturated()) {
    StrAppend(&lines, kIndent,
              "a sum is larger than 8 EiB and is shown as that\n");
  }
  if (summary.skipped_arrays() > 0) {
    StrAppend(&lines, kIndent,
              "left out: ", HumanQuantity(summary.skipped_arrays(), "array"),
              " with an unbounded dimension\n");
  }
  if (summary.instructions_without_shape() > 0) {
    StrAppend(
        &lines, kIndent, "left out: ",
        HumanQuantity(summary.instructions_without_shape(), "instruction"),
        " without a shape\n");
  }
  if (summary.by_memory_space().empty()) {
    StrAppend(&lines, kIndent, "no ", summary.counted(), "\n");
  }
  return lines;
}

void AppendSection(std::string_view title, std::string_view subtitle,
                   const Table& table, const Display& display,
                   std::string* out) {
  if (table.empty()) return;
  StrAppend(out, "\n", Paint(title, Color::kBold, display), ": ", subtitle,
            "\n", table.ToString(kIndent, display));
}

std::string FileText(const SummarizeResult& summary, const Display& display) {
  return StrCat(Paint(Printable(summary.file()), Color::kBold, display), "\n",
                kIndent);
}

std::string Heading(const SummarizeResult& summary, const Display& display) {
  const int64_t modules = summary.modules_size();
  const std::string& target = summary.target();
  std::string out =
      absl::StrCat(FileText(summary, display), HumanQuantity(modules, "module"),
                   target == "none" ? "" : absl::StrCat(" for ", target), ", ",
                   HumanQuantity(summary.computations(), "computation"), ", ",
                   HumanQuantity(summary.instructions(), "instruction"), ", ",
                   HumanQuantity(summary.distinct_shapes(), "distinct shape"),
                   "\n", LeftOutLines(summary));
  const int64_t without_entry = summary.modules_without_entry();
  if (without_entry > 0) {
    StrAppend(&out, kIndent, "all results are counted ",
              modules == 1
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
std::vector<const ModulePeak*> SortedPeaks(const SummarizeResult& summary) {
  std::vector<const ModulePeak*> sorted;
  for (const ModuleSummary& module : summary.modules()) {
    if (module.peak().has_by_memory_space()) sorted.push_back(&module.peak());
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ModulePeak* a, const ModulePeak* b) {
                     return GreatestPeak(*a) > GreatestPeak(*b);
                   });
  return sorted;
}

// Returns the peak of each memory space, and the bytes that XLA reserves.
std::string PeakSection(const SummarizeResult& summary, int64_t top,
                        const Display& display) {
  const std::vector<const ModulePeak*> sorted = SortedPeaks(summary);
  if (sorted.empty()) {
    if (summary.modules_size() != 1) return "";
    return StrCat(kIndent, "peak: not known; ",
                  CommandLineReason(summary.modules(0).peak().reason()), "\n");
  }
  const int64_t shown = std::min<int64_t>(sorted.size(), top);
  bool has_padding = false;
  bool is_order_assumed = false;
  for (const ModulePeak* peak : sorted) {
    is_order_assumed |= peak->is_text_order_assumed();
    for (const auto& [number, space] : peak->by_memory_space().spaces()) {
      has_padding |= space.peak_bytes() != space.peak_unpadded_bytes();
    }
  }
  Table table({{"memory space", Table::kLeft},
               {"peak", Table::kRight},
               {"padding", Table::kRight, has_padding},
               {"reserved", Table::kRight},
               {"module", Table::kLeft, summary.modules_size() > 1}});
  for (int64_t i = 0; i < shown; ++i) {
    for (const auto& [number, space] :
         SortedByKey(sorted[i]->by_memory_space().spaces())) {
      const int64_t padding =
          space->peak_bytes() - space->peak_unpadded_bytes();
      const std::optional<ReservedBytes> taken = ReservedBytesOf(*space);
      table.AddRow(
          {HumanMemorySpace(number, space->name()),
           Paint(HumanBytes(space->peak_bytes()), Color::kYellow, display),
           absl::StrCat(HumanBytes(padding), " (",
                        HumanPercent(padding, space->peak_bytes()), ")"),
           taken.has_value() ? ReservedBytesText(*taken) : "not known",
           sorted[i]->module()});
    }
  }
  std::string out;
  AppendSection(
      "Peak",
      absl::StrCat(is_order_assumed ? "if instructions run in the order of the "
                                      "text, "
                                    : "",
                   "most bytes in use at one step; reserved: allocated for the "
                   "whole run"),
      table, display, &out);
  return out;
}

// A row for each module, the largest first.
std::string ModulesSection(const SummarizeResult& summary, int64_t top,
                           const Display& display) {
  std::vector<const ModuleSummary*> modules(summary.modules().pointer_begin(),
                                            summary.modules().pointer_end());
  if (modules.size() < 2) return "";
  std::stable_sort(modules.begin(), modules.end(),
                   [](const ModuleSummary* a, const ModuleSummary* b) {
                     return a->total().padded_bytes() >
                            b->total().padded_bytes();
                   });
  const ByteColumns bytes(HasPadding(summary),
                          modules[0]->total().padded_bytes(), display);
  Table table(Joined(bytes.Titles(), {{"instructions", Table::kRight},
                                      {"module", Table::kLeft}}));
  const int64_t all = modules.size();
  const int64_t shown = std::min(top, all);
  for (int64_t i = 0; i < shown; ++i) {
    const MemorySum& total = modules[i]->total();
    const std::string& name = modules[i]->name();
    table.AddRow(
        Joined(bytes.Cells(total.unpadded_bytes(), total.padded_bytes()),
               {HumanCount(modules[i]->instructions()),
                name.empty() ? "without a name" : name}));
  }
  std::string out;
  AppendSection("Modules",
                shown < all ? absl::StrCat("the ", shown, " largest of ", all)
                            : "the largest first",
                table, display, &out);
  return out;
}

// Appends the instructions that only move an array, the largest first.
void AppendMoves(const SummarizeResult& summary, const Display& display,
                 std::string* out) {
  Table table({{"bytes", Table::kRight},
               {"moves", Table::kLeft},
               {"instruction", Table::kLeft},
               {"made by", Table::kLeft},
               {"used by", Table::kLeft},
               {"from", Table::kLeft},
               {"to", Table::kLeft}});
  for (const ArrayMove& move : summary.moves()) {
    if (move.is_free() || move.is_fused()) continue;
    table.AddRow({HumanBytes(move.bytes()), move.moves(), move.instruction(),
                  move.producer(), move.user(), move.from_shape(),
                  move.to_shape()});
  }
  AppendSection("What moves",
                absl::StrCat(HumanQuantity(summary.move_count(), "instruction"),
                             ", ", HumanBytes(summary.moved_bytes())),
                table, display, out);
}

std::string ComputationText(const SummarizeResult& summary,
                            const Display& display) {
  std::string out =
      absl::StrCat(FileText(summary, display), "computation ",
                   Paint(summary.computation(), Color::kBold, display), " of ",
                   ModuleText(summary.module()), ", ",
                   HumanQuantity(summary.instructions(), "instruction"), "\n",
                   LeftOutLines(summary));
  AppendSection("Memory spaces", TotalText(summary),
                SpaceTable(summary, display), display, &out);
  AppendSection(
      "Opcodes",
      absl::StrCat("the ", summary.counted(), " of all its instructions"),
      ByTextTable("opcode", summary, summary.by_opcode(), display), display,
      &out);
  AppendSection("Layouts", "the same by layout",
                ByTextTable("layout", summary, summary.by_layout(), display),
                display, &out);
  return out;
}

}  // namespace

std::string HloReportToText(const SummarizeResult& summary, int64_t top,
                            const Display& display) {
  if (summary.has_computation()) return ComputationText(summary, display);
  std::string out = Heading(summary, display);
  out += PeakSection(summary, top, display);
  if (summary.modules_size() == 1) {
    out +=
        ScopedVmemText(summary.modules(0).peak().scoped_vmem(), top, display);
  }
  AppendSection("Memory spaces", TotalText(summary),
                SpaceTable(summary, display), display, &out);
  AppendSection("Largest arrays", "each shape listed once",
                LargestTable(summary, display), display, &out);
  AppendSection("Most wasteful arrays", "padding summed over all uses",
                WastefulTable(summary, display), display, &out);
  const Table hints = HintTable(summary, display);
  AppendSection("Hints",
                "a better order of dimensions for one array, same tiles", hints,
                display, &out);
  if (!hints.empty()) {
    StrAppend(
        &out, kIndent,
        "JAX takes an order in the Format of an argument or result, and for "
        "others in\n",
        kIndent,
        "with_layout_constraint. If no order helps, let the dimension fill its "
        "tile, or\n",
        kIndent, "merge it with its neighbor.\n");
  }
  AppendMoves(summary, display, &out);
  return out + ModulesSection(summary, top, display);
}

}  // namespace tessera
