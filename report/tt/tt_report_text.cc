// The report on layouts of Tenstorrent's tensors for people.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/human_bytes.h"
#include "tessera/report/hlo/plot.h"
#include "tessera/report/text/table.h"
#include "tessera/report/text/units.h"
#include "tessera/report/tt/tt_report.h"

namespace tessera {
namespace {

// "12 tensors in 40 uses"
std::string DistinctText(int64_t distinct, const std::string& noun,
                         int64_t uses) {
  return absl::StrCat(HumanQuantity(distinct, noun), " in ",
                      HumanQuantity(uses, "place"));
}

// Returns the number of rows that a table leaves out; "" for none.
std::string MoreText(int64_t all, int64_t shown) {
  return shown < all
             ? StrCat(kIndent, "and ", HumanCount(all - shown), " more\n")
             : "";
}

std::string CardText(const TtCard& card) {
  return absl::StrCat(HumanQuantity(card.l1_banks(), "bank"), " of L1 of ",
                      HumanBytes(card.l1_bank_bytes()), ", ",
                      HumanQuantity(card.dram_banks(), "bank"), " of DRAM of ",
                      HumanBytes(card.dram_bank_bytes()), " (", card.source(),
                      ")");
}

// -- Peaks -------------------------------------------------------------------

std::string NameOfFunction(const TtFunction& function) {
  return function.name().empty() ? absl::StrCat("line ", function.line())
                                 : Printable(function.name());
}

std::string ShareText(const TtPeak& peak, int64_t bank_bytes) {
  return bank_bytes == 0 ? "" : HumanPercent(peak.bytes_per_bank(), bank_bytes);
}

std::string FunctionTable(const TtReportResult& result, int64_t rows,
                          const Display& display) {
  Table table({{"function", Table::kLeft},
               {"ops", Table::kRight},
               {"L1 peak", Table::kRight},
               {"of a bank", Table::kRight},
               {"DRAM peak", Table::kRight},
               {"of a bank", Table::kRight},
               {"line", Table::kRight}});
  for (int i = 0; i < result.functions_size() && i < rows; ++i) {
    const TtFunction& function = result.functions(i);
    table.AddRow({NameOfFunction(function),
                  HumanCount(function.operations().total_ops()),
                  HumanBytes(function.l1().bytes_per_bank()),
                  ShareText(function.l1(), result.card().l1_bank_bytes()),
                  HumanBytes(function.dram().bytes_per_bank()),
                  ShareText(function.dram(), result.card().dram_bank_bytes()),
                  absl::StrCat(function.line())});
  }
  return table.ToString(kIndent, display);
}

std::string PeakText(const TtFunction& function, const TtPeak& peak,
                     std::string_view memory, int64_t bank_bytes, int64_t rows,
                     const Display& display) {
  if (peak.bytes_per_bank() == 0) return "";
  const std::string verdict =
      peak.fits()
          ? Paint("fits", Color::kGreen, display)
          : Paint(absl::StrCat("does not fit, ",
                               HumanBytes(peak.bytes_per_bank() - bank_bytes),
                               " too much"),
                  Color::kRed, display);
  std::string text =
      StrCat("\n", NameOfFunction(function), ": peak of ", memory, " ",
             HumanBytes(peak.bytes_per_bank()), " of each bank, ",
             ShareText(peak, bank_bytes), " of ", HumanBytes(bank_bytes), ": ",
             verdict, "\n");
  StrAppend(
      &text, kIndent,
      peak.operation() == 0
          ? "at the entry"
          : absl::StrCat("at operation ", peak.operation(), ", ",
                         Printable(peak.operation_name()), ", line ",
                         peak.line()),
      "\n",
      Plot(peak.series(), peak.bytes_per_bank(), PlotSize(), kIndent, display));
  Table table({{"bytes", Table::kRight},
               {"name", Table::kLeft},
               {"line", Table::kRight},
               {"type", Table::kLeft}});
  int64_t shown = 0;
  for (const TtLiveTensor& live : peak.live()) {
    if (shown == rows) break;
    ++shown;
    table.AddRow({HumanBytes(live.bytes_per_bank()), Printable(live.name()),
                  absl::StrCat(live.line()), Printable(live.type())});
  }
  absl::StrAppend(&text, table.ToString(kIndent, display));
  return absl::StrCat(text, MoreText(peak.live_count(), shown));
}

// -- Lists -------------------------------------------------------------------

std::string OperationsText(const TtOperations& operations) {
  if (operations.total_shardable_ops() == 0) return "";
  const int64_t all = operations.total_shardable_ops();
  const auto part = [all](int64_t count) {
    return absl::StrCat(HumanCount(count), " (", HumanPercent(count, all), ")");
  };
  return absl::StrCat(
      "\noperations: ", HumanCount(operations.total_ops()), ", ",
      HumanCount(all),
      " of which could be sharded: ", part(operations.sharded_ops()),
      " sharded in L1, ", part(operations.sharded_and_spilled_ops()),
      " of them spilled, ", part(operations.dram_spilled_ops()), " in DRAM, ",
      part(operations.system_memory_ops()), " in system memory\n");
}

std::string MemoryTable(const TtReportResult& result, const Display& display) {
  if (result.memory().empty()) return "";
  Table table({{"memory", Table::kLeft},
               {"types", Table::kRight},
               {"uses", Table::kRight},
               {"largest of a bank", Table::kRight},
               {"in all", Table::kRight},
               {"tile padding", Table::kRight},
               {"grid padding", Table::kRight},
               {"gaps", Table::kRight},
               {"page padding", Table::kRight}});
  for (const TtMemory& memory : result.memory()) {
    table.AddRow(
        {memory.memory(), HumanCount(memory.items()), HumanCount(memory.uses()),
         HumanBytes(memory.largest_per_bank()), HumanBytes(memory.taken()),
         HumanBytes(memory.tile_padding()), HumanBytes(memory.grid_padding()),
         HumanBytes(memory.gaps()), HumanBytes(memory.page_padding())});
  }
  return absl::StrCat("\ndistinct types by memory, each once:\n",
                      table.ToString(kIndent, display));
}

std::string SizeText(const TtItem& item, bool per_bank) {
  if (!item.has_sizes()) return "-";
  return HumanBytes(per_bank ? item.sizes().taken_per_bank()
                             : item.sizes().taken());
}

// "32x64 bf16 in 2x2"
std::string ItemRowText(const TtItem& item) {
  return absl::StrCat(item.form(), item.memory_layout().empty() ? "" : " ",
                      item.memory_layout());
}

std::string ItemTable(const google::protobuf::RepeatedPtrField<TtItem>& items,
                      int64_t all, std::string_view title, int64_t rows,
                      const Display& display) {
  if (items.empty()) return "";
  Table table({{"of a bank", Table::kRight},
               {"in all", Table::kRight},
               {"uses", Table::kRight},
               {"line", Table::kRight},
               {"memory", Table::kLeft},
               {"layout", Table::kLeft},
               {"grid", Table::kLeft},
               {"type", Table::kLeft}});
  int64_t shown = 0;
  for (const TtItem& item : items) {
    if (shown == rows) break;
    ++shown;
    table.AddRow({SizeText(item, true), SizeText(item, false),
                  HumanCount(item.uses() + item.alias_uses()),
                  absl::StrCat(item.line()), item.memory(), ItemRowText(item),
                  item.grid(), Printable(item.written())});
  }
  return StrCat("\n", title, ":\n", table.ToString(kIndent, display),
                MoreText(all, shown));
}

std::string MatchText(const TtReportResult& result, const Display& display) {
  if (!result.size_asked()) return "";
  const std::string size = absl::StrCat(HumanCount(result.asked_bytes()), " B");
  if (result.matches().empty()) {
    return absl::StrCat("\nno tensor or memref of the text takes ", size, "\n");
  }
  Table table({{"line", Table::kRight},
               {"uses", Table::kRight},
               {"size", Table::kLeft},
               {"type", Table::kLeft}});
  for (const TtSizeMatch& match : result.matches()) {
    table.AddRow({absl::StrCat(match.item().line()),
                  HumanCount(match.item().uses()), match.what(),
                  Printable(match.item().written())});
  }
  return absl::StrCat("\n", size, " are taken by:\n",
                      table.ToString(kIndent, display));
}

void AppendFinding(std::string_view file, std::string_view severity,
                   Color color, const TtFinding& finding,
                   const Display& display, std::string* text) {
  StrAppend(text, Printable(file), ":", finding.line(), ":", finding.column(),
            ": ", Paint(severity, color, display), ": ",
            finding.finding().rule(), ": ", finding.finding().message(), "\n",
            kIndent, finding.excerpt(), "\n", kIndent,
            std::string(finding.caret(), ' '), "^\n");
  if (finding.items() <= 1 && finding.uses() <= 1) return;
  StrAppend(text, kIndent, "in ",
            DistinctText(finding.items(), "type", finding.uses()));
  if (!finding.more_lines().empty()) {
    absl::StrAppend(text, ", also in ",
                    finding.more_lines_size() == 1 ? "line " : "lines ",
                    absl::StrJoin(finding.more_lines(), ", "));
    if (finding.more_lines_size() + 1 < finding.items()) {
      absl::StrAppend(text, ", ...");
    }
  }
  absl::StrAppend(text, "\n");
}

}  // namespace

std::string TtReportToText(const TtReportResult& result, int64_t rows,
                           const Display& display) {
  const TtCounts& counts = result.counts();
  std::string text = StrCat(
      Printable(result.file()), "\n", kIndent,
      DistinctText(counts.tensors(), "tensor", counts.tensor_uses()), ", ",
      DistinctText(counts.layouts(), "layout", counts.layout_uses()), ", ",
      DistinctText(counts.memrefs(), "memref", counts.memref_uses()), "\n",
      kIndent, "card: ", CardText(result.card()), "\n");
  for (const std::string& note : result.notes()) {
    StrAppend(&text, kIndent, "note: ", Printable(note), "\n");
  }
  for (const TtUndefinedName& name : result.undefined()) {
    StrAppend(&text, kIndent, "note: ", Printable(name.name()),
              " has no definition, in ", HumanQuantity(name.uses(), "place"),
              " from line ", name.line(), ": not read\n");
  }
  text += MatchText(result, display);
  if (!result.functions().empty()) {
    absl::StrAppend(&text, "\nthe most bytes of a bank in use at once:\n",
                    FunctionTable(result, rows, display));
    if (result.functions_size() < counts.functions()) {
      text += MoreText(counts.functions(),
                       std::min<int64_t>(rows, result.functions_size()));
    }
    const TtFunction& largest = result.functions(0);
    text += PeakText(largest, largest.l1(), "L1", result.card().l1_bank_bytes(),
                     rows, display);
    const TtFunction& dram = *std::max_element(
        result.functions().begin(), result.functions().end(),
        [](const TtFunction& a, const TtFunction& b) {
          return a.dram().bytes_per_bank() < b.dram().bytes_per_bank();
        });
    text += PeakText(dram, dram.dram(), "DRAM", result.card().dram_bank_bytes(),
                     rows, display);
  }
  text += OperationsText(result.operations());
  text += MemoryTable(result, display);
  text +=
      ItemTable(result.tensors(), counts.tensors(), "tensors", rows, display);
  text +=
      ItemTable(result.memrefs(), counts.memrefs(), "memrefs", rows, display);
  // A layout in a tensor is in the table of tensors.
  if (result.tensors().empty()) {
    text +=
        ItemTable(result.layouts(), counts.layouts(), "layouts", rows, display);
  }
  return text;
}

std::string TtFindingsToText(const TtReportResult& result,
                             const Display& display) {
  std::string text;
  for (const TtFinding& finding : result.errors()) {
    AppendFinding(result.file(), "error", Color::kRed, finding, display, &text);
  }
  for (const TtFinding& finding : result.warnings()) {
    AppendFinding(result.file(), "warning", Color::kYellow, finding, display,
                  &text);
  }
  return text;
}

}  // namespace tessera
