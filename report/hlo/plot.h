// Draws a series of bytes as an area, for a terminal.
//
//   Plot({0, 4096, 8192, 2048}, 2, {4, 2}, "", Display());
//
//   //  8.00 KiB |  #
//   //          | ##
//   //      0 B +----
//   //           0  3

#ifndef TESSERA_REPORT_HLO_PLOT_H_
#define TESSERA_REPORT_HLO_PLOT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "tessera/report/text/display.h"

namespace tessera {

struct PlotSize {
  int columns = 72;  // of the area, at most
  int rows = 6;
};

// Every line begins with `indent` and ends in a line break. A column shows the
// largest value of its share of the series; in a short series a value takes
// several columns. The columns that reach `peak` have a colour of their own.
// Returns "" for an empty series.
std::string Plot(absl::Span<const int64_t> values, int64_t peak, PlotSize size,
                 std::string_view indent, const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_PLOT_H_
