// Parses percentages such as "2.5%".
//
//   int64_t ppm = 0;
//   ReadPercent("2.5%", &ppm);  // "", and ppm == 25000
//   ReadPercent("5", &ppm);     // "", and ppm == 50000
//   ReadPercent("-1%", &ppm);   // "-1% is not from 0% to 922337203685477%"

#ifndef TESSERA_REPORT_TEXT_PERCENT_H_
#define TESSERA_REPORT_TEXT_PERCENT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

// Reads a decimal number of percent; the sign % may be left out. A fraction of
// 0.0001 % is dropped; all else is exact.
//
// Returns an error message about `text`, or "" and sets `*ppm`, in parts per
// million.
std::string ReadPercent(std::string_view text, int64_t* ppm);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_PERCENT_H_
