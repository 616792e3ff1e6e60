// The report on layouts of Tenstorrent's tensors for browsers.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/human_bytes.h"
#include "tessera/report/memory_page_template.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/units.h"
#include "tessera/report/tt/tt_report.h"

namespace tessera {
namespace {

std::string Html(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : SplitViews(text, '\n')) {
    lines.push_back(Printable(line));
  }
  return absl::StrReplaceAll(
      absl::StrJoin(lines, "\n"),
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// The rules that the style sheet of the HLO page lacks.
constexpr char kTtStyle[] = R"(
.scroll { overflow-x: auto; position: relative; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); }
.scroll table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums; }
.scroll th { color: var(--muted); font-weight: 500; text-align: left; padding: 8px 12px; white-space: nowrap; }
.scroll td { padding: 6px 12px; border-top: 1px solid var(--line); vertical-align: top; }
.scroll .number { text-align: right; white-space: nowrap; }
.scroll td.type { font-family: var(--mono); font-size: 12px; overflow-wrap: anywhere; min-width: 20em; }
.bad { color: var(--bad); } .good { color: var(--good); }
svg.series { display: block; width: 100%; height: 160px; }
svg.series path { fill: var(--data); } svg.series line { stroke: var(--bad); stroke-dasharray: 4 3; }
.finding pre { margin: 4px 0 0; padding: 8px 12px; overflow-x: auto; font: 12px/1.4 var(--mono); background: var(--hole); border-radius: 8px; }
.finding + .finding { margin-top: 14px; }
)";

struct PageColumn {
  const char* title;
  const char* style;  // a class
};

class PageTable {
 public:
  explicit PageTable(std::vector<PageColumn> columns)
      : columns_(std::move(columns)) {
    html_ = "<div class=\"scroll\"><table><thead><tr>";
    for (const PageColumn& column : columns_) {
      absl::StrAppend(&html_, "<th class=\"", column.style, "\">", column.title,
                      "</th>");
    }
    absl::StrAppend(&html_, "</tr></thead><tbody>\n");
  }

  void AddRow(const std::vector<std::string>& cells) {
    absl::StrAppend(&html_, "<tr>");
    for (size_t i = 0; i < cells.size(); ++i) {
      absl::StrAppend(&html_, "<td class=\"", columns_[i].style, "\">",
                      Html(cells[i]), "</td>");
    }
    absl::StrAppend(&html_, "</tr>\n");
  }

  std::string ToHtml() const {
    return absl::StrCat(html_, "</tbody></table></div>\n");
  }

 private:
  std::vector<PageColumn> columns_;
  std::string html_;
};

std::string Section(std::string_view heading, std::string_view lead,
                    std::string_view body) {
  return StrCat(
      "<section><div class=\"section-head\"><h2>", Html(heading), "</h2></div>",
      lead.empty() ? ""
                   : absl::StrCat("<p class=\"lead\">", Html(lead), "</p>"),
      body, "</section>\n");
}

// The bytes of a bank along the operations.
std::string SeriesPicture(const TtPeak& peak, int64_t bank_bytes) {
  constexpr int kWidth = 1000;
  constexpr int kHeight = 160;
  const int64_t count = peak.series_size();
  if (count == 0) return "";
  const double top = static_cast<double>(
      peak.fits() ? peak.bytes_per_bank()
                  : std::max(peak.bytes_per_bank(), bank_bytes));
  const auto height = [top](int64_t bytes) {
    return top == 0 ? 0 : kHeight * static_cast<double>(bytes) / top;
  };
  std::string path = absl::StrCat("M0 ", kHeight);
  for (int64_t i = 0; i < count; ++i) {
    absl::StrAppend(&path, "V", kHeight - height(peak.series(i)), "H",
                    static_cast<double>(kWidth) * (i + 1) / count);
  }
  std::string limit;
  if (!peak.fits()) {
    const double y = kHeight - height(bank_bytes);
    limit = absl::StrCat("<line x1=\"0\" x2=\"", kWidth, "\" y1=\"", y,
                         "\" y2=\"", y, "\"/>");
  }
  return absl::StrCat("<svg class=\"series\" viewBox=\"0 0 ", kWidth, " ",
                      kHeight,
                      "\" preserveAspectRatio=\"none\" role=\"img\" "
                      "aria-label=\"bytes of a bank at each operation\">"
                      "<path d=\"",
                      path, "V", kHeight, "Z\"/>", limit, "</svg>");
}

std::string PeakSection(const TtFunction& function, const TtPeak& peak,
                        const std::string& memory, int64_t bank_bytes) {
  if (peak.bytes_per_bank() == 0) return "";
  PageTable table({{"Bytes", "number"},
                   {"Name", ""},
                   {"Line", "number"},
                   {"Type", "type"}});
  for (const TtLiveTensor& live : peak.live()) {
    table.AddRow({HumanBytes(live.bytes_per_bank()), live.name(),
                  absl::StrCat(live.line()), live.type()});
  }
  const std::string where =
      peak.operation() == 0
          ? "at the entry"
          : absl::StrCat("at operation ", peak.operation(), ", ",
                         peak.operation_name(), ", line ", peak.line());
  return Section(
      absl::StrCat(function.name().empty()
                       ? absl::StrCat("Line ", function.line())
                       : function.name(),
                   ": peak of ", memory),
      absl::StrCat(HumanBytes(peak.bytes_per_bank()), " of each bank, ",
                   HumanPercent(peak.bytes_per_bank(), bank_bytes), " of ",
                   HumanBytes(bank_bytes), ", ", where, "; ",
                   peak.fits() ? "fits" : "does not fit", "."),
      absl::StrCat(SeriesPicture(peak, bank_bytes), table.ToHtml()));
}

std::string ItemSection(
    const std::string& heading, int64_t all,
    const google::protobuf::RepeatedPtrField<TtItem>& items) {
  if (items.empty()) return "";
  PageTable table({{"Of a bank", "number"},
                   {"In all", "number"},
                   {"Padding", "number"},
                   {"Uses", "number"},
                   {"Line", "number"},
                   {"Memory", ""},
                   {"Layout", ""},
                   {"Grid", ""},
                   {"Type", "type"}});
  for (const TtItem& item : items) {
    const TtSizes& sizes = item.sizes();
    const bool has = item.has_sizes();
    table.AddRow(
        {has ? HumanBytes(sizes.taken_per_bank()) : "-",
         has ? HumanBytes(sizes.taken()) : "-",
         has ? HumanPercent(sizes.tile_padding() + sizes.grid_padding() +
                                sizes.gaps() + sizes.page_padding(),
                            sizes.taken())
             : "-",
         HumanCount(item.uses() + item.alias_uses()), absl::StrCat(item.line()),
         item.memory(), absl::StrCat(item.form(), " ", item.memory_layout()),
         item.grid(), item.written()});
  }
  return Section(heading,
                 items.size() < all ? absl::StrCat("The largest ", items.size(),
                                                   " of ", HumanCount(all), ".")
                                    : std::string(),
                 table.ToHtml());
}

std::string FindingSection(
    const TtReportResult& file, const std::string& heading,
    const google::protobuf::RepeatedPtrField<TtFinding>& findings) {
  if (findings.empty()) return "";
  std::string body;
  for (const TtFinding& finding : findings) {
    absl::StrAppend(&body, "<div class=\"finding\"><strong>",
                    Html(finding.finding().rule()), "</strong> ",
                    Html(finding.finding().message()), " <small>",
                    Html(file.file()), ":", finding.line(), ":",
                    finding.column(), ", ",
                    HumanQuantity(finding.items(), "type"), " in ",
                    HumanQuantity(finding.uses(), "place"), "</small><pre>",
                    Html(finding.excerpt()), "\n",
                    std::string(finding.caret(), ' '), "^</pre></div>\n");
  }
  return Section(heading, "", body);
}

std::string Tile(std::string_view title, const std::string& value,
                 const std::string& note) {
  return absl::StrCat("<div><dt>", Html(title), "</dt><dd>", Html(value),
                      "<small>", Html(note), "</small></dd></div>");
}

std::string FilePart(const TtReportResult& file) {
  const TtCounts& counts = file.counts();
  const TtCard& card = file.card();
  std::string html = absl::StrCat(
      "<section><p class=\"module\">", Html(file.file()),
      "</p><dl class=\"tiles\">",
      Tile("Tensors", HumanCount(counts.tensors()),
           absl::StrCat("in ", HumanQuantity(counts.tensor_uses(), "place"))),
      Tile("Layouts", HumanCount(counts.layouts()),
           absl::StrCat("in ", HumanQuantity(counts.layout_uses(), "place"))),
      Tile("Memrefs", HumanCount(counts.memrefs()),
           absl::StrCat("in ", HumanQuantity(counts.memref_uses(), "place"))),
      Tile("L1 of a core", HumanBytes(card.l1_bank_bytes()), card.source()),
      Tile("Sharded", HumanCount(file.operations().sharded_ops()),
           absl::StrCat(
               "of ",
               HumanQuantity(file.operations().total_shardable_ops(), "op"))),
      "</dl>");
  if (!file.notes().empty() || !file.undefined().empty()) {
    absl::StrAppend(&html, "<div class=\"notes\">");
    for (const std::string& note : file.notes()) {
      absl::StrAppend(&html, "<p>", Html(note), "</p>");
    }
    for (const TtUndefinedName& name : file.undefined()) {
      absl::StrAppend(&html, "<p>", Html(name.name()),
                      " has no definition: not read</p>");
    }
    absl::StrAppend(&html, "</div>");
  }
  absl::StrAppend(&html, "</section>\n");
  for (const TtFunction& function : file.functions()) {
    html += PeakSection(function, function.l1(), "L1", card.l1_bank_bytes());
    html +=
        PeakSection(function, function.dram(), "DRAM", card.dram_bank_bytes());
  }
  html += FindingSection(file, "Broken rules", file.errors());
  html += ItemSection("Tensors", counts.tensors(), file.tensors());
  html += ItemSection("Memrefs", counts.memrefs(), file.memrefs());
  html += ItemSection("Layouts", counts.layouts(), file.layouts());
  html += FindingSection(file, "Warnings", file.warnings());
  return html;
}

}  // namespace

std::string TtReportPage(std::string_view title,
                         absl::Span<const TtReportResult> files) {
  std::string html = absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\" data-errors=\"0\" "
      "data-ready=\"1\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>",
      Html(title), " · Tenstorrent memory</title>\n<style>\n", kMemoryPageStyle,
      kTtStyle,
      "</style>\n</head>\n<body>\n<header class=\"top\"><p "
      "class=\"eyebrow\">Tenstorrent memory</p><h1>",
      Html(title), "</h1></header>\n<main>\n");
  for (const TtReportResult& file : files) html += FilePart(file);
  return absl::StrCat(html, "</main>\n</body>\n</html>\n");
}

}  // namespace tessera
