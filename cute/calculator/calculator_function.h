// A function of the calculator: its name, its parameters and its C++ function.
// calculator_functions.h finds them by name.
//
// Names and orders of arguments are those of include/cute; arguments of a
// template come last, and layouts replace tensors and atoms.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTION_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_arguments.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/composed_layout.h"

namespace tessera::cute {

using ValueOr = absl::StatusOr<CalculatorValue>;

struct CalculatorFunction {
  static constexpr size_t kAnyNumber = ~size_t{0};

  std::string_view name;
  // The parameters as messages show them: "A[, profile]".
  std::string_view parameters;
  // The smallest and the largest number of arguments.
  size_t least;
  size_t most;
  // Whether a composed layout as the first argument means its inner layout. The
  // function is then called with the inner layout, and a layout that it returns
  // takes its place.
  bool acts_on_inner;
  // The result is valid only if the arguments had the expected kinds.
  ValueOr (*call)(CalculatorArguments& arguments);
};

// Returns the result of an operation as a value. The constructors of
// CalculatorValue would convert an integer to bool.
inline ValueOr ToValue(bool value) { return CalculatorValue(value); }
inline ValueOr ToValue(int64_t value) {
  return CalculatorValue(IntTuple(value));
}
template <typename T>
ValueOr ToValue(T value) {
  return CalculatorValue(std::move(value));
}
template <typename T>
ValueOr ToValue(absl::StatusOr<T> value) {
  if (!value.ok()) return value.status();
  return ToValue(*std::move(value));
}

// A function of two shapes.
template <auto kOperation>
ValueOr OfShapes(CalculatorArguments& a) {
  return ToValue(kOperation(a.TakeShape(0), a.TakeShape(1)));
}

// bank_conflicts, coalescing, find_swizzle (cute/access/).
absl::Span<const CalculatorFunction> AccessFunctions();
// Layouts of layouts: composition, complement, divides, products, inverses.
absl::Span<const CalculatorFunction> AlgebraFunctions();
// Layouts, tilers and tuples of shapes and numbers: make_layout, make_tile.
absl::Span<const CalculatorFunction> MakerFunctions();
// The parts of a layout for blocks and threads: local_tile, make_tiled_copy.
absl::Span<const CalculatorFunction> PartitionFunctions();
// Sizes, modes and coordinates of layouts and tuples, and changes of modes.
absl::Span<const CalculatorFunction> TupleFunctions();

// Returns the value of argument `function` at the coordinate in argument
// `coordinate`, or the slice if the coordinate contains `_`, as in A(3) and
// A(_,1).
ValueOr Apply(CalculatorArguments& arguments, size_t function,
              size_t coordinate);

// composition(A, B), composition(A, offset, B), and the composition `A o B`.
ValueOr Compose(CalculatorArguments& arguments);

// make_layout(shape, stride), and shape:stride.
ValueOr LayoutOfStride(CalculatorArguments& arguments);

// Adds a note about argument i if `coordinate` is outside the shape, which is
// called `what`.
void NoteOutside(CalculatorArguments& arguments, size_t i,
                 const IntTuple& coordinate, const IntTuple& shape,
                 std::string_view what = "the shape");

// Returns the composed layout, or its inner layout if that has the same values:
// if the swizzle is an identity without an offset.
ValueOr Folded(const absl::StatusOr<ComposedLayout>& composed);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTION_H_
