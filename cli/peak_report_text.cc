// The report on the peak for people.

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/bar.h"
#include "tessera/cli/hlo_input.h"
#include "tessera/cli/peak_report.h"
#include "tessera/cli/plot.h"
#include "tessera/cli/table.h"
#include "tessera/cli/units.h"

namespace tessera {
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

Table LiveTable(const PeakReport& report, const SpaceLiveness& space,
                const Display& display) {
  const bool has_bars = display.columns >= kWide;
  std::vector<Table::Column> columns = {
      {"bytes", Table::kRight},      {"of peak", Table::kRight},
      {"live", Table::kRight},       {"kind", Table::kLeft},
      {"instruction", Table::kLeft}, {"shape", Table::kLeft}};
  const auto bar_column = columns.begin() + 2;
  if (has_bars) columns.insert(bar_column, {"", Table::kLeft});
  Table table(columns);
  constexpr int kBarColumns = 8;
  int64_t rows = 0;
  for (const int64_t index : space.live_at_peak) {
    if (rows++ == report.top) break;
    const LiveBuffer& buffer = report.liveness->buffers[index];
    std::vector<std::string> cells = {
        HumanBytes(buffer.padded_bytes),
        HumanPercent(buffer.padded_bytes, space.peak_bytes)};
    if (has_bars) {
      cells.push_back(
          Bar(buffer.padded_bytes, 0, space.peak_bytes, kBarColumns, display));
    }
    cells.insert(
        cells.end(),
        {absl::StrCat(buffer.first, display.unicode ? "\u2013" : "-",
                      buffer.last),
         LiveBufferKindText(buffer),
         NameText(buffer.instruction.name(), display),
         buffer.shape == nullptr
             ? absl::StrCat("(within ", buffer.instruction.opcode(), ")")
             : buffer.shape->ToString()});
    table.AddRow(std::move(cells));
  }
  return table;
}

std::string SpaceText(const PeakReport& report, int64_t number,
                      const SpaceLiveness& space, const Display& display) {
  const HloRange<HloInstruction> schedule =
      report.liveness->entry.instructions();
  const HloInstruction at = schedule[space.peak_instruction];
  std::string out = absl::StrCat(
      "\n", Paint(HumanMemorySpace(number), Color::kBold, display), ": peak ",
      Paint(HumanBytes(space.peak_bytes), Color::kYellow, display),
      space.is_saturated ? " or more" : "", " at instruction ",
      space.peak_instruction, ", ", at.opcode(),
      at.name().empty() ? "" : absl::StrCat(" ", at.name()), "\n");
  constexpr int kWidest = 72;
  constexpr int kLabels = 12;
  PlotSize size;
  size.columns = std::min(kWidest, display.columns - kLabels);
  // A level line is no picture.
  const bool is_level =
      std::all_of(space.bytes.begin(), space.bytes.end(),
                  [&](int64_t bytes) { return bytes == space.peak_bytes; });
  if (!is_level) {
    out += Plot(space.bytes, space.peak_instruction, size, kIndent, display);
  }
  const Table table = LiveTable(report, space, display);
  if (table.empty()) return out;
  const int64_t all = space.live_at_peak.size();
  const int64_t shown = std::min(all, report.top);
  absl::StrAppend(&out, kIndent, HumanQuantity(all, "array"), " live there",
                  shown < all ? absl::StrCat(", the ", shown, " largest") : "",
                  is_level ? ", and all the time" : "", "\n",
                  table.ToString(kIndent, display));
  return out;
}

// What makes the numbers too small or too large.
std::vector<std::string> Doubts(const Liveness& liveness) {
  std::vector<std::string> doubts;
  auto add = [&](int64_t count, const char* one, const char* several) {
    if (count > 0) {
      doubts.push_back(
          absl::StrCat(HumanCount(count), " ", count == 1 ? one : several));
    }
  };
  add(liveness.instructions_without_shape, "instruction without a shape",
      "instructions without a shape");
  add(liveness.skipped_arrays, "array with an unbounded dimension",
      "arrays with an unbounded dimension");
  add(liveness.unresolved, "operand or alias that leads nowhere",
      "operands or aliases that lead nowhere");
  add(liveness.unresolved_calls, "call of what is not there",
      "calls of what is not there");
  return doubts;
}

}  // namespace

std::string PeakReportToText(const PeakReport& report, const Display& display) {
  std::string out = absl::StrCat(Paint(report.file, Color::kBold, display),
                                 "\n", kIndent, ModuleText(report.module));
  if (!report.liveness.ok()) {
    return absl::StrCat(out, "\n", kIndent, "peak: not known; ",
                        report.liveness.status().message(), "\n");
  }
  const Liveness& liveness = *report.liveness;
  absl::StrAppend(
      &out, ", ",
      HumanQuantity(liveness.entry.instructions().size(), "instruction"),
      " in ",
      liveness.entry.name().empty() ? "its entry computation"
                                    : std::string(liveness.entry.name()),
      ", numbered from 0\n", kIndent,
      "the most that is live at one moment by the text; XLA may reserve more "
      "or less\n");
  const std::vector<std::string> doubts = Doubts(liveness);
  if (!doubts.empty()) {
    absl::StrAppend(&out, kIndent,
                    "not counted, or not fully: ", absl::StrJoin(doubts, ", "),
                    "\n");
  }
  if (liveness.by_memory_space.empty()) {
    absl::StrAppend(&out, kIndent, "there is no array in it\n");
  }
  for (const auto& [number, space] : liveness.by_memory_space) {
    out += SpaceText(report, number, space, display);
  }
  return out;
}

}  // namespace tessera
