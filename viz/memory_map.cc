#include "tessera/viz/memory_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/human_bytes.h"
#include "tessera/viz/svg_text.h"

namespace tessera {
namespace {

// In pixels.
constexpr double kWidth = 1160;
constexpr double kLeft = 92;
constexpr double kRight = 24;
constexpr double kTitleHeight = 52;
constexpr double kCurveHeight = 110;
constexpr double kGap = 26;
constexpr double kMapHeight = 520;
constexpr double kAxisHeight = 34;
constexpr double kLegendLine = 22;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kCurveTop = kTitleHeight;
constexpr double kMapTop = kCurveTop + kCurveHeight + kGap;
// Lower rectangles cannot be seen.
constexpr double kLowest = 0.4;

// The groups with the most bytes have a colour each; all others share the last
// colour.
constexpr size_t kGroups = 8;

// The same in every picture, and on the page (report/page/memory_page/map.js).
constexpr std::pair<std::string_view, size_t> kFixedColors[] = {
    {"fusion", 0},    {"temporary", 0}, {"custom-call", 1}, {"output", 1},
    {"parameter", 2}, {"while", 3},     {"constant", 3},    {"copy", 4}};

constexpr char kMapStyle[] = R"css(
.map { font-family: ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; font-size: 12px; }
.map .ground { fill: #ffffff; }
.map text { fill: #1b1f24; }
.map .title { font-size: 16px; font-weight: 600; }
.map .muted { fill: #59636e; }
.map .end { text-anchor: end; }
.map .middle { text-anchor: middle; }
.map .line { stroke: #e2e3de; stroke-width: 1; }
.map .frame { fill: none; stroke: #b4bac2; }
.map .band { fill: #eceef0; stroke: #ffffff; stroke-width: 0.6; }
.map .value { stroke: #ffffff; stroke-width: 0.6; }
.map .value:hover, .map .band:hover { stroke: #1b1f24; stroke-width: 1.6; }
.map .used { fill: #7fb2e8; fill-opacity: 0.55; }
.map .assigned { stroke: #b3261e; stroke-width: 1.4; stroke-dasharray: 5 3; }
.map .peak { stroke: #1b1f24; stroke-width: 1; stroke-dasharray: 2 3; }
.map .g0 { fill: #3aa57e; } .map .g1 { fill: #a877b4; } .map .g2 { fill: #d9c43c; } .map .g3 { fill: #d5694a; }
.map .g4 { fill: #5cc0d6; } .map .g5 { fill: #8f9a3e; } .map .g6 { fill: #d98fb0; } .map .g7 { fill: #9aa4af; }
@media (prefers-color-scheme: dark) {
.map .ground { fill: #15191f; }
.map text { fill: #f0f3f6; }
.map .muted { fill: #9aa4b0; }
.map .line { stroke: #2d333d; }
.map .frame { stroke: #4e5864; }
.map .band { fill: #262c35; stroke: #15191f; }
.map .value { stroke: #15191f; }
.map .value:hover, .map .band:hover { stroke: #f0f3f6; }
.map .used { fill: #5e97d6; }
.map .assigned { stroke: #ff9d8f; }
.map .peak { stroke: #f0f3f6; }
}
)css";

std::string Number(double pixels) { return absl::StrFormat("%.2f", pixels); }

std::string Rectangle(std::string_view style, double x, double y, double width,
                      double height) {
  return StrCat("<rect class=\"", style, "\" x=\"", Number(x), "\" y=\"",
                Number(y), "\" width=\"", Number(width), "\" height=\"",
                Number(height), "\"");
}

std::string Text(std::string_view style, double x, double y,
                 std::string_view text) {
  return StrCat("<text class=\"", style, "\" x=\"", Number(x), "\" y=\"",
                Number(y), "\">", SvgText(text), "</text>\n");
}

std::string Line(std::string_view style, double x1, double y1, double x2,
                 double y2) {
  return StrCat("<line class=\"", style, "\" x1=\"", Number(x1), "\" y1=\"",
                Number(y1), "\" x2=\"", Number(x2), "\" y2=\"", Number(y2),
                "\"/>\n");
}

// Each line by itself: SvgText has no line breaks.
std::string SvgLines(std::string_view lines) {
  return absl::StrJoin(SplitViews(lines, '\n'), "\n",
                       [](std::string* out, std::string_view line) {
                         out->append(SvgText(line));
                       });
}

// If places are not known, arrays are stacked.
int64_t HeightInBytes(const SpaceMap& map) {
  int64_t bytes = std::max<int64_t>(map.bytes(), 1);
  if (!map.is_unplaced()) return bytes;
  for (const MapValue& value : map.values()) {
    bytes = std::max(bytes, value.offset() + value.bytes());
  }
  return bytes;
}

class MapRenderer {
 public:
  explicit MapRenderer(const SpaceMap& map)
      : map_(map),
        bytes_(static_cast<double>(HeightInBytes(map))),
        steps_(static_cast<double>(std::max<int64_t>(map.steps(), 1))) {
    FindGroups();
  }

  std::string Render() {
    DrawCurve();
    DrawMap();
    const double legend_top = kMapTop + kMapHeight + kAxisHeight;
    const double height = DrawLegend(legend_top) + 16;
    return absl::StrCat(
        "<svg class=\"map\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 "
        "0 ",
        Number(kWidth), " ", Number(height), "\" width=\"", Number(kWidth),
        "\" height=\"", Number(height), "\" role=\"img\">\n<title>",
        SvgText(map_.title()), "</title>\n<style>", kMapStyle, "</style>\n",
        Rectangle("ground", 0, 0, kWidth, height), "/>\n",
        Text("title", kLeft, 24,
             absl::StrCat(map_.title(),
                          map_.is_unplaced() ? "; places are not known" : "")),
        Text("muted", kLeft, 42,
             absl::StrCat(map_.is_unplaced() ? "at least " : "",
                          HumanBytes(map_.bytes()), " assigned, ",
                          HumanBytes(MostUsed()), " of it in use at the peak",
                          PeakName(), ", ", map_.values_size(), " values, ",
                          map_.steps(), " steps")),
        body_, "</svg>\n");
  }

 private:
  double XOf(double step) const { return kLeft + kPlotWidth * step / steps_; }
  double YOf(double offset) const {
    return kMapTop + kMapHeight * (1 - offset / bytes_);
  }
  int64_t MostUsed() const {
    return map_.used_bytes().empty() ? map_.bytes() : map_.used_bytes(Peak());
  }
  // The step at which most is in use.
  int Peak() const {
    return std::max_element(map_.used_bytes().begin(),
                            map_.used_bytes().end()) -
           map_.used_bytes().begin();
  }
  std::string PeakName() const {
    const int peak = Peak();
    return peak < map_.step_names_size() && !map_.step_names(peak).empty()
               ? absl::StrCat(" (at ", map_.step_names(peak), ")")
               : "";
  }

  void FindGroups() {
    TextMap<std::string_view, double> bytes;
    for (const MapValue& value : map_.values()) {
      bytes[value.group()] += static_cast<double>(value.bytes());
    }
    groups_.assign(bytes.begin(), bytes.end());
    std::sort(groups_.begin(), groups_.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    // Values without a name are among the others.
    const auto others = std::stable_partition(
        groups_.begin(), groups_.end(),
        [](const auto& group) { return !group.first.empty(); });
    colored_ = std::min<size_t>(others - groups_.begin(), kGroups - 1);
    std::vector<bool> is_taken(kGroups - 1);
    const auto take = [&](std::string_view group, size_t number) {
      is_taken[number] = true;
      group_numbers_[group] = number;
    };
    for (size_t i = 0; i < colored_; ++i) {
      for (const auto& [name, number] : kFixedColors) {
        if (name == groups_[i].first && !is_taken[number]) take(name, number);
      }
    }
    for (size_t i = 0; i < groups_.size(); ++i) {
      const std::string_view name = groups_[i].first;
      if (i >= colored_) {
        group_numbers_[name] = kGroups - 1;
      } else if (!group_numbers_.contains(name)) {
        take(name, absl::c_find(is_taken, false) - is_taken.begin());
      }
    }
  }

  // Draws marks at round sizes, with lines across `width`.
  void DrawScale(double top, double height, int marks) {
    double step = 1;
    while (bytes_ / step > marks) step *= 2;
    for (double mark = 0; mark <= bytes_; mark += step) {
      const double y = top + height * (1 - mark / bytes_);
      body_ += Line("line", kLeft, y, kWidth - kRight, y);
      body_ += Text("muted end", kLeft - 8, y + 4,
                    HumanBytes(static_cast<int64_t>(mark)));
    }
  }

  void DrawCurve() {
    if (map_.used_bytes().empty()) return;
    DrawScale(kCurveTop, kCurveHeight, 4);
    const auto y_of = [&](int64_t used) {
      return kCurveTop +
             kCurveHeight * (1 - static_cast<double>(used) / bytes_);
    };
    // At most one corner per pixel: the largest use among the steps in it.
    std::string path =
        absl::StrCat("M", Number(kLeft), " ", Number(kCurveTop + kCurveHeight));
    const int64_t steps = map_.used_bytes_size();
    const int64_t columns = std::min(steps, static_cast<int64_t>(kPlotWidth));
    for (int64_t i = 0; i < columns; ++i) {
      const int64_t begin = i * steps / columns;
      const int64_t end = (i + 1) * steps / columns;
      const int64_t most = *std::max_element(map_.used_bytes().begin() + begin,
                                             map_.used_bytes().begin() + end);
      absl::StrAppend(&path, "L", Number(XOf(begin)), " ", Number(y_of(most)),
                      "L", Number(XOf(end)), " ", Number(y_of(most)));
    }
    absl::StrAppend(&path, "L", Number(kLeft + kPlotWidth), " ",
                    Number(kCurveTop + kCurveHeight), "Z");
    absl::StrAppend(&body_, "<path class=\"used\" d=\"", path, "\"/>\n");
    body_ += Line("assigned", kLeft, kCurveTop, kWidth - kRight, kCurveTop);
    const double x = XOf(static_cast<double>(Peak()) + 0.5);
    body_ += Line("peak", x, kCurveTop, x, kMapTop + kMapHeight);
  }

  void DrawMap() {
    DrawScale(kMapTop, kMapHeight, 8);
    for (const MapAllocation& allocation : map_.allocations()) {
      DrawRectangle("band", allocation.offset(), allocation.bytes(), 0,
                    std::max<int64_t>(map_.steps(), 1) - 1,
                    absl::StrCat(allocation.name(), "\n", allocation.kind(),
                                 ", ", HumanBytes(allocation.bytes()), " at ",
                                 HumanBytes(allocation.offset())));
    }
    for (const MapValue& value : map_.values()) {
      left_out_ +=
          !DrawRectangle(absl::StrCat("value g", group_numbers_[value.group()]),
                         value.offset(), value.bytes(), value.first(),
                         value.last(), Tooltip(value));
    }
    absl::StrAppend(&body_,
                    Rectangle("frame", kLeft, kMapTop, kPlotWidth, kMapHeight),
                    "/>\n");
    const double y = kMapTop + kMapHeight + 18;
    body_ += Text("muted", kLeft, y, "step 0");
    body_ +=
        Text("muted end", kWidth - kRight, y,
             absl::StrCat("step ", std::max<int64_t>(map_.steps(), 1) - 1));
  }

  static std::string Tooltip(const MapValue& value) {
    return absl::StrCat(
        value.name(), "\n", value.group(), value.group().empty() ? "" : "  ",
        value.shape(), "\n", HumanBytes(value.bytes()), " at ",
        HumanBytes(value.offset()), ", steps ", value.first(), " to ",
        value.last(),
        value.padding_bytes() > 0
            ? absl::StrCat("\n", HumanBytes(value.padding_bytes()),
                           " of it padding")
            : "",
        value.source().empty() ? "" : "\n", value.source());
  }

  // Returns whether it is high enough to be seen.
  bool DrawRectangle(std::string_view style, int64_t offset, int64_t bytes,
                     int64_t first, int64_t last, const std::string& tooltip) {
    const double height = kMapHeight * static_cast<double>(bytes) / bytes_;
    if (height < kLowest) return false;
    const double x = XOf(static_cast<double>(first));
    const double width = XOf(static_cast<double>(last) + 1) - x;
    absl::StrAppend(
        &body_,
        Rectangle(style, x, YOf(static_cast<double>(offset)) - height,
                  std::max(width, 0.5), height),
        "><title>", SvgLines(tooltip), "</title></rect>\n");
    return true;
  }

  // Returns the position of its end.
  double DrawLegend(double top) {
    constexpr double kColumn = 250;
    double x = kLeft;
    double y = top + 12;
    for (size_t i = 0; i < std::min(groups_.size(), colored_ + 1); ++i) {
      const bool is_rest = i == colored_ && groups_.size() > colored_ + 1;
      const std::string_view group = groups_[i].first;
      const std::string name =
          is_rest         ? absl::StrCat(groups_.size() - i, " more")
          : group.empty() ? "unknown"
                          : std::string(group.substr(0, 32));
      if (x + kColumn > kWidth) {
        x = kLeft;
        y += kLegendLine;
      }
      absl::StrAppend(&body_,
                      Rectangle(absl::StrCat("g", group_numbers_[group]), x,
                                y - 10, 12, 12),
                      "/>\n");
      body_ += Text("", x + 18, y, name);
      x += kColumn;
    }
    if (left_out_ > 0) {
      y += kLegendLine;
      body_ += Text(
          "muted", kLeft, y,
          left_out_ == 1
              ? "1 value is too small to be drawn"
              : absl::StrCat(left_out_, " values are too small to be drawn"));
    }
    return y;
  }

  const SpaceMap& map_;
  const double bytes_;
  const double steps_;
  // The names of groups and their bytes, the largest first.
  std::vector<std::pair<std::string_view, double>> groups_;
  // The number of groups with their own colour.
  size_t colored_ = 0;
  // The number of its colour.
  TextMap<std::string_view, size_t> group_numbers_;
  int64_t left_out_ = 0;
  std::string body_;
};

// A JSON string. Bytes that are not ASCII become '?'.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else {
      out.push_back(c >= ' ' && c <= '~' ? c : '?');
    }
  }
  return out + "\"";
}

}  // namespace

std::string RenderMemoryMap(const SpaceMap& map) {
  return MapRenderer(map).Render();
}

std::string MemoryMapTrace(absl::Span<const SpaceMap> maps) {
  std::string out = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  const char* separator = "\n";
  const auto add = [&](std::string_view event) {
    StrAppend(&out, separator, "{", event, "}");
    separator = ",\n";
  };
  for (size_t i = 0; i < maps.size(); ++i) {
    const SpaceMap& map = maps[i];
    const std::string process = absl::StrCat("\"pid\":", i + 1);
    add(absl::StrCat("\"ph\":\"M\",\"name\":\"process_name\",", process,
                     ",\"args\":{\"name\":", Quoted(map.title()), "}"));
    int64_t before = -1;
    for (int step = 0; step < map.used_bytes_size(); ++step) {
      const int64_t used = map.used_bytes(step);
      if (used == before) continue;
      before = used;
      add(absl::StrCat("\"ph\":\"C\",\"name\":\"used\",", process,
                       ",\"ts\":", step, ",\"args\":{\"bytes\":", used, "}"));
    }
    std::vector<size_t> order(map.values_size());
    for (size_t j = 0; j < order.size(); ++j) order[j] = j;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return map.values(a).first() < map.values(b).first();
    });
    // Threads by the step at which they become free.
    std::multimap<int64_t, int64_t> free_from;
    for (const size_t j : order) {
      const MapValue& value = map.values(j);
      int64_t thread = static_cast<int64_t>(free_from.size()) + 1;
      if (!free_from.empty() && free_from.begin()->first <= value.first()) {
        thread = free_from.begin()->second;
        free_from.erase(free_from.begin());
      }
      free_from.emplace(value.last() + 1, thread);
      add(absl::StrCat("\"ph\":\"X\",\"name\":", Quoted(value.name()), ",",
                       process, ",\"tid\":", thread, ",\"ts\":", value.first(),
                       ",\"dur\":", value.last() - value.first() + 1,
                       ",\"args\":{\"offset\":", value.offset(),
                       ",\"bytes\":", value.bytes(),
                       ",\"padding_bytes\":", value.padding_bytes(),
                       ",\"group\":", Quoted(value.group()),
                       ",\"shape\":", Quoted(value.shape()),
                       ",\"source\":", Quoted(value.source()), "}"));
    }
  }
  return absl::StrCat(out, "\n]}\n");
}

}  // namespace tessera
