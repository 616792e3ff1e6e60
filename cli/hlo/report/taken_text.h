// File: cli/hlo/report/taken_text.h
//
// What a module takes, with the mark that tells XLA's own numbers.
//
//   TakenText({7168, absl::nullopt});   // "7.00 KiB"
//   TakenText({7168, 8192});            // "8.00 KiB by XLA"

#ifndef TESSERA_CLI_HLO_REPORT_TAKEN_TEXT_H_
#define TESSERA_CLI_HLO_REPORT_TAKEN_TEXT_H_

#include <string>

#include "tessera/hlo/memory/taken_memory.h"

namespace tessera {
namespace cli {

// Returns the bytes that count, marked if XLA itself assigned them.
std::string TakenText(const TakenSpace& space);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_HLO_REPORT_TAKEN_TEXT_H_
