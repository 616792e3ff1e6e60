#include "tessera/report/text/bar.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr int kBarEighths = 8;

std::string Repeated(std::string_view mark, int64_t count) {
  std::string marks;
  for (int64_t i = 0; i < count; ++i) marks.append(mark.data(), mark.size());
  return marks;
}

std::string_view PaddingCharacter(const Display& display) {
  return display.unicode ? "\u2591" : ".";
}

// Returns a bar of `eighths` eighths of a column.
std::string BlocksOf(int64_t eighths) {
  constexpr std::string_view kPart[] = {"",       "\u258f", "\u258e", "\u258d",
                                        "\u258c", "\u258b", "\u258a", "\u2589"};
  return StrCat(Repeated("\u2588", eighths / kBarEighths),
                kPart[eighths % kBarEighths]);
}

}  // namespace

std::string Bar(int64_t data, int64_t padding, int64_t scale, int columns,
                const Display& display) {
  const double column = static_cast<double>(scale) / columns;
  std::string data_bar;
  int64_t data_columns = std::lround(data / column);
  if (display.unicode) {
    const int64_t eighths = std::max<int64_t>(
        std::lround(kBarEighths * (data / column)), data > 0 ? 1 : 0);
    data_columns = (eighths + kBarEighths - 1) / kBarEighths;
    data_bar = BlocksOf(eighths);
  } else {
    data_bar = Repeated("#", data_columns);
  }
  // The whole is rounded first, so that equal sums give equal bars.
  const int64_t whole_columns = std::lround((data + padding) / column);
  const int64_t padding_columns = whole_columns - data_columns;
  return absl::StrCat(
      Paint(data_bar, Color::kCyan, display),
      Paint(Repeated(PaddingCharacter(display), padding_columns),
            Color::kYellow, display));
}

std::string DataMark(const Display& display) {
  return Paint(display.unicode ? "\u2588" : "#", Color::kCyan, display);
}

std::string PaddingMark(const Display& display) {
  return Paint(PaddingCharacter(display), Color::kYellow, display);
}

}  // namespace tessera
