// The report on the peak for people.

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/hlo/report/origin_text.h"
#include "tessera/cli/hlo/report/peak_report.h"
#include "tessera/cli/hlo/report/plot.h"
#include "tessera/cli/hlo/report/sorted_by_key.h"
#include "tessera/cli/layout/padding_text.h"
#include "tessera/cli/output/bar.h"
#include "tessera/cli/output/hlo_words.h"
#include "tessera/cli/output/table.h"
#include "tessera/cli/output/units.h"

namespace tessera {
namespace cli {
namespace {

// A terminal of this many columns is wide.
constexpr int kWideEnough = 100;
constexpr int kVeryWide = 140;

// Names of compilers are long, and a shape is to be seen beside them.
constexpr int kNarrowName = 20;
constexpr int kWideName = 32;
std::string NameText(absl::string_view name, int columns,
                     const Display& display) {
  return display.is_terminal() ? Shortened(name, columns, display)
                               : std::string(name);
}

int64_t PaddingOf(const PeakBuffer& buffer) {
  return buffer.padded_bytes() - buffer.unpadded_bytes();
}

std::string NoteText(const std::string& blame, const PeakBuffer& buffer,
                     const Display& display) {
  const std::string origin =
      OriginText(buffer.source_line(), buffer.op_name(), display);
  return absl::StrCat(blame, blame.empty() || origin.empty() ? "" : "  ",
                      origin);
}

Table LiveTable(const SpacePeak& space, const Display& display) {
  const bool has_padding = std::any_of(
      space.live_at_peak().begin(), space.live_at_peak().end(),
      [](const PeakBuffer& buffer) { return PaddingOf(buffer) > 0; });
  // What a narrow terminal has no column for stands below the row.
  const bool is_wide =
      display.columns >= (has_padding ? kVeryWide : kWideEnough);
  std::vector<Table::Column> columns = {{"bytes", Table::kRight}};
  if (has_padding) columns.push_back({"padding", Table::kRight});
  columns.push_back({"of peak", Table::kRight});
  if (is_wide) columns.push_back({"", Table::kLeft});
  columns.insert(columns.end(), {{"live", Table::kRight},
                                 {"kind", Table::kLeft},
                                 {"instruction", Table::kLeft}});
  if (has_padding && is_wide) columns.push_back({"padded most", Table::kLeft});
  columns.push_back({"shape", Table::kLeft});
  Table table(columns);
  constexpr int kBarColumns = 8;
  for (const PeakBuffer& buffer : space.live_at_peak()) {
    std::vector<std::string> cells = {HumanBytes(buffer.padded_bytes())};
    if (has_padding) {
      cells.push_back(HumanPercent(PaddingOf(buffer), buffer.padded_bytes()));
    }
    cells.push_back(HumanPercent(buffer.padded_bytes(), space.peak_bytes()));
    if (is_wide) {
      cells.push_back(Bar(buffer.unpadded_bytes(), PaddingOf(buffer),
                          space.peak_bytes(), kBarColumns, display));
    }
    cells.insert(cells.end(),
                 {absl::StrCat(buffer.first(), display.unicode ? "\u2013" : "-",
                               buffer.last()),
                  buffer.kind(),
                  NameText(buffer.instruction(),
                           is_wide ? kWideName : kNarrowName, display)});
    const std::string blame =
        HumanBlame(buffer.most_padded(), display.unicode ? "\u2192" : "->");
    if (has_padding && is_wide) cells.push_back(blame);
    cells.push_back(buffer.has_shape()
                        ? buffer.shape()
                        : absl::StrCat("(within ", buffer.opcode(), ")"));
    table.AddRow(std::move(cells));
    table.AddNote(NoteText(is_wide ? "" : blame, buffer, display));
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
  const int64_t gaps = space.temporary_bytes() - space.temporary_peak_bytes();
  return absl::StrCat(
      kIndent, "reserved ",
      Paint(HumanBytes(space.reserved_bytes()), Color::kYellow, display),
      parts.empty() ? "" : ": ", absl::StrJoin(parts, ", "),
      gaps > 0 ? absl::StrCat(" (", HumanBytes(gaps), " of it fragmentation)")
               : "",
      space.reserved_unpadded_bytes() != space.reserved_bytes()
          ? absl::StrCat("; ", HumanBytes(space.reserved_unpadded_bytes()),
                         " without padding")
          : "",
      "\n");
}

// What XLA itself assigned, where that is known.
std::string AssignedText(const SpacePeak& space, const Display& display) {
  if (!space.has_assigned_bytes()) return "";
  const int64_t lost = space.fragmentation_bytes();
  return absl::StrCat(
      kIndent, "assigned ",
      Paint(HumanBytes(space.assigned_bytes()), Color::kYellow, display),
      " by XLA in ", HumanQuantity(space.allocations_size(), "allocation"),
      lost > 0 ? absl::StrCat(" (", HumanBytes(lost), " of it fragmentation)")
               : "",
      "\n");
}

// Where nothing is live, in a space of XLA's assignment, there is no such
// instruction.
std::string PeakPlace(const SpacePeak& space) {
  if (space.peak_opcode().empty()) return "";
  return absl::StrCat(
      " at instruction ", space.peak_position(), ", ", space.peak_opcode(),
      space.peak_instruction().empty() ? "" : " ", space.peak_instruction());
}

std::string SpaceText(int64_t number, const SpacePeak& space,
                      const Display& display) {
  const int64_t padding = space.peak_bytes() - space.peak_unpadded_bytes();
  std::string out = absl::StrCat(
      "\n",
      Paint(HumanMemorySpace(number, space.name()), Color::kBold, display),
      ": peak ", Paint(HumanBytes(space.peak_bytes()), Color::kYellow, display),
      space.is_saturated() ? " or more" : "",
      padding > 0 ? absl::StrCat(", ", HumanBytes(padding), " (",
                                 HumanPercent(padding, space.peak_bytes()),
                                 ") of it padding,")
                  : "",
      PeakPlace(space), "\n");
  absl::StrAppend(&out, ReservedText(space, display),
                  AssignedText(space, display));
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
  std::string out =
      absl::StrCat(Paint(Printable(peak.file()), Color::kBold, display), "\n",
                   kIndent, ModuleText(peak.module()));
  if (!peak.has_by_memory_space()) {
    return absl::StrCat(out, "\n", kIndent, "peak: not known; ", peak.reason(),
                        "\n");
  }
  absl::StrAppend(&out, peak.target() == "none" ? "" : " for ",
                  peak.target() == "none" ? "" : peak.target(), ", ",
                  HumanQuantity(peak.instructions(), "instruction"), " in ",
                  peak.entry().empty() ? "its entry computation" : peak.entry(),
                  ", numbered from 0\n");
  if (peak.is_text_order_assumed()) {
    absl::StrAppend(&out, kIndent,
                    "assumed: the instructions run in the order of the text; "
                    "the module is not scheduled\n");
  }
  absl::StrAppend(
      &out, kIndent,
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
    // XLA has empty allocations in spaces that a program does not use.
    if (space->peak_opcode().empty() && space->assigned_bytes() == 0) continue;
    out += SpaceText(number, *space, display);
  }
  return out;
}

}  // namespace cli
}  // namespace tessera
