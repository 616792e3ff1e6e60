// A count with its noun.
//
//   Counted(1, "byte");                // "1 byte"
//   Counted(2, "entry", "entries");    // "2 entries"

#ifndef TESSERA_BASE_TEXT_COUNTED_H_
#define TESSERA_BASE_TEXT_COUNTED_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/base/text/absl_view.h"

namespace tessera {

// "1 bit", "4096 bits". The plural ends in "s" unless `plural` is given.
inline std::string Counted(int64_t count, std::string_view singular,
                           std::string_view plural = "") {
  if (count == 1) return StrCat(count, " ", singular);
  if (plural.empty()) return StrCat(count, " ", singular, "s");
  return StrCat(count, " ", plural);
}

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_COUNTED_H_
