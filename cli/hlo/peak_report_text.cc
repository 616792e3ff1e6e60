// The report on the peak for people.

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/hlo/hlo_input.h"
#include "tessera/cli/hlo/peak_report.h"
#include "tessera/cli/hlo/plot.h"
#include "tessera/cli/hlo/sorted_by_key.h"
#include "tessera/cli/output/bar.h"
#include "tessera/cli/output/table.h"
#include "tessera/cli/output/units.h"

namespace tessera {
namespace cli {
namespace {

constexpr absl::string_view kIndent = "  ";
// Of so many columns a terminal is wide.
constexpr int kWide = 100;

// Names of compilers are long, and a shape is to be seen beside them.
std::string NameText(absl::string_view name, const Display& display) {
  constexpr int kNarrowName = 20;
  constexpr int kWideName = 32;
  if (!display.is_terminal()) return std::string(name);
  return Shortened(name, display.columns < kWide ? kNarrowName : kWideName,
                   display);
}

Table LiveTable(const SpacePeak& space, const Display& display) {
  const bool has_bars = display.columns >= kWide;
  std::vector<Table::Column> columns = {
      {"bytes", Table::kRight},      {"of peak", Table::kRight},
      {"live", Table::kRight},       {"kind", Table::kLeft},
      {"instruction", Table::kLeft}, {"shape", Table::kLeft}};
  const auto bar_column = columns.begin() + 2;
  if (has_bars) columns.insert(bar_column, {"", Table::kLeft});
  Table table(columns);
  constexpr int kBarColumns = 8;
  for (const PeakBuffer& buffer : space.live_at_peak()) {
    std::vector<std::string> cells = {
        HumanBytes(buffer.padded_bytes()),
        HumanPercent(buffer.padded_bytes(), space.peak_bytes())};
    if (has_bars) {
      cells.push_back(Bar(buffer.padded_bytes(), 0, space.peak_bytes(),
                          kBarColumns, display));
    }
    cells.insert(
        cells.end(),
        {absl::StrCat(buffer.first(), display.unicode ? "\u2013" : "-",
                      buffer.last()),
         buffer.kind(), NameText(buffer.instruction(), display),
         buffer.has_shape() ? buffer.shape()
                            : absl::StrCat("(within ", buffer.opcode(), ")")});
    table.AddRow(std::move(cells));
  }
  return table;
}

// What XLA reserves, and of what it is made.
std::string ReservedText(const SpacePeak& space, const Display& display) {
  if (!space.has_reserved_bytes()) return "";
  std::vector<std::string> parts;
  const auto add = [&parts](absl::string_view what, int64_t bytes) {
    if (bytes > 0) parts.push_back(absl::StrCat(what, " ", HumanBytes(bytes)));
  };
  add("parameters", space.parameter_bytes());
  add("constants", space.constant_bytes());
  add("outputs", space.output_bytes());
  add("temporaries", space.temporary_bytes());
  const std::string unpadded = HumanBytes(space.reserved_unpadded_bytes());
  const int64_t gaps = space.temporary_bytes() - space.temporary_peak_bytes();
  return absl::StrCat(
      kIndent, "reserved ",
      Paint(HumanBytes(space.reserved_bytes()), Color::kYellow, display),
      parts.empty() ? "" : ": ", absl::StrJoin(parts, ", "),
      gaps > 0 ? absl::StrCat(" (", HumanBytes(gaps), " of it fragmentation)")
               : "",
      unpadded != HumanBytes(space.reserved_bytes())
          ? absl::StrCat("; ", unpadded, " without padding")
          : "",
      "\n");
}

std::string SpaceText(int64_t number, const SpacePeak& space,
                      const Display& display) {
  std::string out = absl::StrCat(
      "\n", Paint(HumanMemorySpace(number), Color::kBold, display), ": peak ",
      Paint(HumanBytes(space.peak_bytes()), Color::kYellow, display),
      space.is_saturated() ? " or more" : "", " at instruction ",
      space.peak_position(), ", ", space.peak_opcode(),
      space.peak_instruction().empty()
          ? ""
          : absl::StrCat(" ", space.peak_instruction()),
      "\n");
  absl::StrAppend(&out, ReservedText(space, display));
  constexpr int kWidest = 72;
  constexpr int kLabels = 12;
  PlotSize size;
  size.columns = std::min(kWidest, display.columns - kLabels);
  // A level line is no picture.
  const bool is_level =
      std::all_of(space.bytes().begin(), space.bytes().end(),
                  [&](int64_t bytes) { return bytes == space.peak_bytes(); });
  if (!is_level) {
    out += Plot(space.bytes(), space.peak_position(), size, kIndent, display);
  }
  const Table table = LiveTable(space, display);
  if (table.empty()) return out;
  const int64_t all = space.arrays_at_peak();
  const int64_t shown = space.live_at_peak_size();
  absl::StrAppend(&out, kIndent, HumanQuantity(all, "array"), " live there",
                  shown < all ? absl::StrCat(", the ", shown, " largest") : "",
                  is_level ? ", and all the time" : "", "\n",
                  table.ToString(kIndent, display));
  return out;
}

// What makes the numbers too small or too large.
std::vector<std::string> Doubts(const ModulePeak& peak) {
  std::vector<std::string> doubts;
  auto add = [&](int64_t count, const char* one, const char* several) {
    if (count > 0) {
      doubts.push_back(
          absl::StrCat(HumanCount(count), " ", count == 1 ? one : several));
    }
  };
  add(peak.instructions_without_shape(), "instruction without a shape",
      "instructions without a shape");
  add(peak.skipped_arrays(), "array with an unbounded dimension",
      "arrays with an unbounded dimension");
  add(peak.unresolved(), "unresolved operand or alias",
      "unresolved operands or aliases");
  add(peak.unresolved_calls(), "unresolved call", "unresolved calls");
  return doubts;
}

}  // namespace

std::string PeakToText(const ModulePeak& peak, const Display& display) {
  std::string out = absl::StrCat(Paint(peak.file(), Color::kBold, display),
                                 "\n", kIndent, ModuleText(peak.module()));
  if (!peak.has_by_memory_space()) {
    return absl::StrCat(out, "\n", kIndent, "peak: not known; ", peak.reason(),
                        "\n");
  }
  absl::StrAppend(
      &out, ", ", HumanQuantity(peak.instructions(), "instruction"), " in ",
      peak.entry().empty() ? "its entry computation" : peak.entry(),
      ", numbered from 0\n", kIndent,
      "peak: the most that is live at one moment; reserved: what XLA sets "
      "aside for the whole run\n");
  const std::vector<std::string> doubts = Doubts(peak);
  if (!doubts.empty()) {
    absl::StrAppend(&out, kIndent,
                    "not counted, or not fully: ", absl::StrJoin(doubts, ", "),
                    "\n");
  }
  if (peak.by_memory_space().spaces().empty()) {
    absl::StrAppend(&out, kIndent, "the module has no arrays\n");
  }
  for (const auto& [number, space] :
       SortedByKey(peak.by_memory_space().spaces())) {
    out += SpaceText(number, *space, display);
  }
  return out;
}

}  // namespace cli
}  // namespace tessera
