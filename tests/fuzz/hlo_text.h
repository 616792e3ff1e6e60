// What must hold for any text that is read as HLO?
//
//   HloTextProblem("HloModule m")  // ""

#ifndef TESSERA_TESTS_FUZZ_HLO_TEXT_H_
#define TESSERA_TESTS_FUZZ_HLO_TEXT_H_

#include <string>
#include <string_view>

namespace tessera {

// A property (tests/fuzz/property.h) of ReadHlo and ReportMemory: views lie
// where they should, nothing is read twice, every computation ends, counts are
// those of what was handed over, diagnostics are placed right, and no sum of
// padded bytes is below that of unpadded ones.
std::string HloTextProblem(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_HLO_TEXT_H_
