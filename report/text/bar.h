// A bar of data and padding, drawn to scale.
//
//   Bar(6, 2, 16, 8, display);  // "###.": 8 columns stand for 16 bytes

#ifndef TESSERA_REPORT_TEXT_BAR_H_
#define TESSERA_REPORT_TEXT_BAR_H_

#include <cstdint>
#include <string>

#include "tessera/report/text/display.h"

namespace tessera {

// Draws `data` bytes, followed by `padding` bytes. `scale` bytes take
// `columns`. Rounds to whole columns. Beyond ASCII, rounds data to eighths of a
// column, and draws at least one eighth unless `data` is 0.
std::string Bar(int64_t data, int64_t padding, int64_t scale, int columns,
                const Display& display);

// One column of either, for a legend.
std::string DataMark(const Display& display);
std::string PaddingMark(const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_BAR_H_
