#include "tessera/cli/bar.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/string_view.h"

namespace tessera {
namespace {

std::string Repeated(absl::string_view mark, int count, Color color,
                     const Display& display) {
  std::string marks;
  for (int i = 0; i < count; ++i) marks.append(mark.data(), mark.size());
  return Paint(marks, color, display);
}

std::string Data(int columns, const Display& display) {
  return Repeated(display.unicode ? "\u2588" : "#", columns, Color::kCyan,
                  display);
}

std::string Padding(int columns, const Display& display) {
  return Repeated(display.unicode ? "\u2591" : ".", columns, Color::kYellow,
                  display);
}

}  // namespace

std::string Bar(int64_t data, int64_t padding, int64_t scale, int columns,
                const Display& display) {
  auto length = [&](int64_t bytes) {
    if (bytes == 0) return 0;
    const double share = static_cast<double>(bytes) / scale;
    return std::max<int>(std::lround(share * columns), 1);
  };
  const int data_columns = length(data);
  const int padding_columns =
      std::min(length(padding), std::max(columns - data_columns, 0));
  return Data(data_columns, display) + Padding(padding_columns, display);
}

std::string DataMark(const Display& display) { return Data(1, display); }
std::string PaddingMark(const Display& display) { return Padding(1, display); }

}  // namespace tessera
