// The functions of the calculator that make layouts, tilers and tuples of
// shapes and numbers: make_layout, make_tile, tile_to_shape and their kin.
//
// Names and orders of arguments are those of include/cute.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_MAKERS_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_MAKERS_H_

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {

absl::Span<const CalculatorFunction> MakerFunctions();

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_MAKERS_H_
