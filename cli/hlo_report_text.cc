// The report on HLO text for people.

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/cli/bar.h"
#include "tessera/cli/hlo_report.h"
#include "tessera/cli/table.h"
#include "tessera/cli/units.h"
#include "tessera/hlo/array_usage.h"

namespace tessera {
namespace {

constexpr absl::string_view kIndent = "  ";

// Shapes matter more than bars.
int BarColumns(const Display& display) {
  constexpr int kWide = 100;
  return display.columns < kWide ? 8 : 16;
}

// What is padded most, and how: "3: 64 -> 128".
std::string BlameText(const PaddingBlame& blame, const Display& display) {
  std::string cause;
  switch (blame.cause) {
    case PaddingCause::kNone:
      return "";
    case PaddingCause::kDimensions:
      cause = absl::StrJoin(blame.dimensions, ",");
      break;
    case PaddingCause::kTile:
      cause = "tile";
      break;
    case PaddingCause::kTail:
      cause = "tail";
      break;
  }
  return absl::StrCat(cause, ": ", blame.bound,
                      display.unicode ? "\u2192" : "->", blame.padded);
}

Table SpaceTable(const MemorySummary& summary, const Display& display) {
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

Table LargestTable(const MemorySummary& summary, const Display& display) {
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

Table WastefulTable(const MemorySummary& summary, const Display& display) {
  Table table({{"padding", Table::kRight},
               {"factor", Table::kRight},
               {"dimension", Table::kLeft},
               {"uses", Table::kRight},
               {"shape", Table::kLeft}});
  for (const ArrayUsage& array : summary.most_wasteful) {
    table.AddRow({HumanBytes(array.total_padding_bytes),
                  HumanFactor(array.padded_bytes, array.unpadded_bytes),
                  BlameText(array.most_padded, display),
                  HumanCount(array.count), array.shape_text});
  }
  return table;
}

std::string Heading(const std::string& file, const MemorySummary& summary,
                    const Display& display) {
  const HloCounts& counts = summary.counts;
  const MemoryTotals& total = summary.total;
  const int64_t padding = total.padded_bytes - total.unpadded_bytes;
  std::string heading = absl::StrCat(
      Paint(file, Color::kBold, display), "\n", kIndent,
      HumanQuantity(counts.modules, "module"), ", ",
      HumanQuantity(counts.computations, "computation"), ", ",
      HumanQuantity(counts.instructions, "instruction"), ", ",
      HumanQuantity(summary.distinct_shapes, "distinct shape"), "\n", kIndent,
      HumanQuantity(total.arrays, "array"), " of ",
      HumanBytes(total.padded_bytes), " in all, ",
      padding == 0
          ? "none"
          : absl::StrCat(HumanBytes(padding), " (",
                         HumanPercent(padding, total.padded_bytes), ")"),
      " of it padding,\n", kIndent,
      "counting the result of every instruction as if it had its own memory\n");
  if (summary.skipped_arrays > 0) {
    absl::StrAppend(&heading, kIndent, "left out: ",
                    HumanQuantity(summary.skipped_arrays, "array"),
                    " with an unbounded dimension\n");
  }
  if (summary.instructions_without_shape > 0) {
    absl::StrAppend(
        &heading, kIndent, "left out: ",
        HumanQuantity(summary.instructions_without_shape, "instruction"),
        " without a shape\n");
  }
  return heading;
}

}  // namespace

std::string HloReportToText(const std::string& file,
                            const MemorySummary& summary,
                            const Display& display) {
  std::string out = Heading(file, summary, display);
  auto section = [&](absl::string_view title, absl::string_view subtitle,
                     const Table& table) {
    if (table.empty()) return;
    absl::StrAppend(&out, "\n", Paint(title, Color::kBold, display), ": ",
                    subtitle, "\n", table.ToString(kIndent, display));
  };
  section("Memory spaces",
          absl::StrCat("all arrays together, ", DataMark(display), " data and ",
                       PaddingMark(display), " padding"),
          SpaceTable(summary, display));
  section("Largest arrays", "one of each", LargestTable(summary, display));
  section("Most wasteful arrays", "the padding of all uses together",
          WastefulTable(summary, display));
  return out;
}

}  // namespace tessera
