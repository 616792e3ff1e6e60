// A second opinion on what an HLO file holds.
//
// Shares nothing with the reader: it blanks out comments and strings, then
// looks at lines, as one would with sed and grep. So it understands only what
// compilers print, one instruction or header a line, and no inline
// computations.

#ifndef TESSERA_TESTS_HLO_LINE_COUNTER_H_
#define TESSERA_TESTS_HLO_LINE_COUNTER_H_

#include <cstdint>
#include <string>

namespace tessera {

struct LineCounts {
  int64_t modules = 0;
  int64_t computations = 0;
  int64_t entries = 0;
  int64_t instructions = 0;
  int64_t roots = 0;
  int64_t operands = 0;
};

LineCounts CountByLines(std::string text);

}  // namespace tessera

#endif  // TESSERA_TESTS_HLO_LINE_COUNTER_H_
