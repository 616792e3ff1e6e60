#include "tessera/report/hlo/plot.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

// The blocks of eighths of a row, from none to all.
constexpr std::string_view kBlocks[] = {" ",      "\u2581", "\u2582",
                                        "\u2583", "\u2584", "\u2585",
                                        "\u2586", "\u2587", "\u2588"};
constexpr int kEighths = 8;

struct Column {
  int64_t value = 0;
  bool has_peak = false;
};

std::vector<Column> ColumnsOf(absl::Span<const int64_t> values, int64_t peak,
                              int count) {
  const int64_t size = values.size();
  // As many columns per value as fit, but a short series stays narrow.
  constexpr int64_t kWidest = 4;
  const int64_t repeat = std::clamp<int64_t>(count / size, 1, kWidest);
  const int64_t used = std::min<int64_t>(count, size * repeat);
  std::vector<Column> columns(used);
  for (int64_t i = 0; i < used; ++i) {
    // Rounded down, in floating point: a schedule times a width may overflow.
    const auto begin =
        static_cast<int64_t>(static_cast<double>(i) / used * size);
    const int64_t end = std::max<int64_t>(
        begin + 1,
        static_cast<int64_t>(static_cast<double>(i + 1) / used * size));
    for (int64_t at = begin; at < std::min(end, size); ++at) {
      columns[i].value = std::max(columns[i].value, values[at]);
      columns[i].has_peak |= at == peak;
    }
  }
  return columns;
}

// Returns the part of a column in a row, counted from below.
std::string_view PlotCellText(int64_t value, int64_t highest, int row, int rows,
                              const Display& display) {
  if (value <= 0) return " ";
  // Every value is visible.
  const double height =
      std::max(static_cast<double>(value) / highest * rows, 1.0 / kEighths);
  const double part = std::clamp(height - row, 0.0, 1.0);
  if (display.unicode) return kBlocks[std::lround(part * kEighths)];
  return part >= 0.5 || (row == 0 && part > 0) ? "#" : " ";
}

}  // namespace

std::string Plot(absl::Span<const int64_t> values, int64_t peak, PlotSize size,
                 std::string_view indent, const Display& display) {
  if (values.empty()) return "";
  const std::vector<Column> columns =
      ColumnsOf(values, peak, std::max(size.columns, 1));
  const int64_t highest = *std::max_element(values.begin(), values.end());
  const std::string top = HumanBytes(highest);
  const std::string bottom = HumanBytes(0);
  const size_t label_width = std::max(top.size(), bottom.size());
  auto label = [&](const std::string& text) {
    return StrCat(indent, std::string(label_width - text.size(), ' '),
                  Paint(text, Color::kDim, display), " ");
  };
  auto line = [&](std::string_view text) {
    return Paint(text, Color::kDim, display);
  };

  std::string out;
  for (int row = size.rows - 1; row >= 0; --row) {
    absl::StrAppend(&out, label(row == size.rows - 1 ? top : ""),
                    line(display.unicode ? "\u2502" : "|"));
    std::vector<std::string_view> cells;
    for (const Column& column : columns) {
      cells.push_back(
          PlotCellText(column.value, highest, row, size.rows, display));
    }
    // No blanks at the end of a line.
    while (!cells.empty() && cells.back() == " ") cells.pop_back();
    // Neighbours of the same colour are painted together.
    for (size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
      std::string run;
      while (end < cells.size() &&
             columns[end].has_peak == columns[begin].has_peak) {
        StrAppend(&run, cells[end++]);
      }
      absl::StrAppend(
          &out,
          Paint(run, columns[begin].has_peak ? Color::kYellow : Color::kCyan,
                display));
    }
    out.push_back('\n');
  }
  std::string axis;
  for (size_t i = 0; i < columns.size(); ++i) {
    axis += display.unicode ? "\u2500" : "-";
  }
  absl::StrAppend(&out, label(bottom),
                  line(absl::StrCat(display.unicode ? "\u2514" : "+", axis)),
                  "\n");
  const std::string last = absl::StrCat(values.size() - 1);
  const int64_t gap = static_cast<int64_t>(columns.size()) - 1 -
                      static_cast<int64_t>(last.size());
  if (values.size() > 1 && gap > 0) {
    StrAppend(&out, indent, std::string(label_width + 2, ' '),
              line(absl::StrCat("0", std::string(gap, ' '), last)), "\n");
  }
  return out;
}

}  // namespace tessera
