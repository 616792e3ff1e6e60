// Numbers as people read them.
//
//   HumanCount(1234567);       // "1,234,567"
//   HumanFactor(8192, 2340);   // "3.50x"
//   HumanPercent(1, 3);        // "33.3%"
//   HumanMemorySpace(1, "VMEM");   // "VMEM S(1)"
//   Counted(1, "byte");        // "1 byte"

#ifndef TESSERA_REPORT_TEXT_UNITS_H_
#define TESSERA_REPORT_TEXT_UNITS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/base/text/counted.h"      // IWYU pragma: export
#include "tessera/base/text/human_bytes.h"  // IWYU pragma: export

namespace tessera {

// Returns the count with a comma before every three digits. Precondition: count
// >= 0.
std::string HumanCount(int64_t count);

// `whole` divided by `part`; "1.00x" if both are 0, "-" if only `part` is 0.
std::string HumanFactor(int64_t whole, int64_t part);

// `part` as a percentage of `whole`; "0.0%" if `whole` is 0.
std::string HumanPercent(int64_t part, int64_t whole);

// "1 array", "1,234 arrays".
std::string HumanQuantity(int64_t count, const std::string& noun);

// Returns the name of a memory space and its annotation; only the annotation if
// the name is the number: "S(1)".
std::string HumanMemorySpace(int64_t memory_space, std::string_view name);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_UNITS_H_
