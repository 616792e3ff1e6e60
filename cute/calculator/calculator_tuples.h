// The functions of the calculator that look at layouts and tuples: their sizes,
// modes and coordinates, and those that put modes elsewhere.
//
// Names and orders of arguments are those of
// include/cute/layout.hpp, int_tuple.hpp and stride.hpp.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_TUPLES_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_TUPLES_H_

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {

absl::Span<const CalculatorFunction> TupleFunctions();

// The value of argument `function` at the coordinate that argument
// `coordinate` is, or with `_` in it the slice, as in A(3) and A(_,1).
ValueOr Apply(CalculatorArguments& arguments, size_t function,
              size_t coordinate);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_TUPLES_H_
