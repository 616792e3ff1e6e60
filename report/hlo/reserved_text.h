// The bytes that a module takes, with a mark on XLA's own numbers.
//
//   ReservedBytesText({7168, std::nullopt});   // "7.00 KiB"
//   ReservedBytesText({7168, 8192});            // "8.00 KiB by XLA"

#ifndef TESSERA_REPORT_HLO_RESERVED_TEXT_H_
#define TESSERA_REPORT_HLO_RESERVED_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/text/units.h"

namespace tessera {

// Returns the bytes that count, marked if XLA itself assigned them.
std::string ReservedBytesText(const ReservedBytes& space);

// Returns ": parameters 1.00 KiB, temporaries 2.00 KiB", or "" for no parts.
template <typename Space>
std::string ReservedPartsText(const Space& space) {
  std::string text;
  const auto add = [&text](const char* what, int64_t bytes) {
    if (bytes <= 0) return;
    absl::StrAppend(&text, text.empty() ? ": " : ", ", what, " ",
                    HumanBytes(bytes));
  };
  add("parameters", space.parameter_bytes());
  add("constants", space.constant_bytes());
  add("outputs", space.output_bytes());
  add("temporaries", space.temporary_bytes());
  return text;
}

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_RESERVED_TEXT_H_
