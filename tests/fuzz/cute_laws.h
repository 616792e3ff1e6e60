// What must hold of any CuTe layouts that can be written?
//
//   LayoutLawProblem(a)    // ""
//   PairLawProblem(a, b)   // ""

#ifndef TESSERA_TESTS_FUZZ_CUTE_LAWS_H_
#define TESSERA_TESTS_FUZZ_CUTE_LAWS_H_

#include <string>

#include "tessera/cute/layout.h"

namespace tessera {

// Laws of the headers of cute/ at some of the layout's coordinates: of
// coalesce, complement, the inverses, recast and the ways to evaluate. "" if
// they hold, which they do of an operation that is refused.
std::string LayoutLawProblem(const cute::Layout& layout);

// The same of composition, divide and product, and of the accesses of threads b
// to the memory a.
std::string PairLawProblem(const cute::Layout& a, const cute::Layout& b);

}  // namespace tessera

#endif  // TESSERA_TESTS_FUZZ_CUTE_LAWS_H_
