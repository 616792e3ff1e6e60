// File: report/hlo/reserved_text.h
//
// The bytes that a module takes, with a mark on XLA's own numbers.
//
//   ReservedBytesText({7168, std::nullopt});   // "7.00 KiB"
//   ReservedBytesText({7168, 8192});            // "8.00 KiB by XLA"

#ifndef TESSERA_REPORT_HLO_RESERVED_TEXT_H_
#define TESSERA_REPORT_HLO_RESERVED_TEXT_H_

#include <string>

#include "tessera/hlo/memory/reserved_memory.h"

namespace tessera {

// Returns the bytes that count, marked if XLA itself assigned them.
std::string ReservedBytesText(const ReservedBytes& space);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_RESERVED_TEXT_H_
