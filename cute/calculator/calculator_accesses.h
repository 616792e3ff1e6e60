// The functions that report how threads access memory: bank_conflicts,
// coalescing, find_swizzle (cute/access/).

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_ACCESSES_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_ACCESSES_H_

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {

absl::Span<const CalculatorFunction> AccessFunctions();

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_ACCESSES_H_
