// The functions of the calculator that make layouts of layouts: composition,
// complement, divides, products, inverses and their kin.
//
// Names and orders of arguments are those of
// include/cute/layout.hpp; what a template takes in angle brackets comes last.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_ALGEBRA_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_ALGEBRA_H_

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {

absl::Span<const CalculatorFunction> AlgebraFunctions();

// The composed layout, or its inner layout if that has the same values: if the
// swizzle is an identity without an offset.
ValueOr Folded(const absl::StatusOr<ComposedLayout>& composed);

// composition(A, B), composition(A, offset, B), and the composition `A o B`.
ValueOr Compose(CalculatorArguments& arguments);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_ALGEBRA_H_
