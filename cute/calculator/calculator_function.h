// A function of the calculator: its name, what it takes, and what it does.
//
// The functions lie in calculator_accesses.h, calculator_algebra.h,
// calculator_makers.h, calculator_partitions.h and calculator_tuples.h;
// calculator_functions.h finds them by name.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTION_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/cute/calculator/calculator_arguments.h"
#include "tessera/cute/calculator/calculator_value.h"

namespace tessera::cute {

using ValueOr = absl::StatusOr<CalculatorValue>;

struct CalculatorFunction {
  static constexpr size_t kAnyNumber = ~size_t{0};

  std::string_view name;
  // As messages show them: "A[, profile]".
  std::string_view parameters;
  // How many arguments there may be.
  size_t least;
  size_t most;
  // Whether a composed layout as the first argument means its inner
  // layout: that is what is called with, and a layout that comes back takes
  // its place.
  bool acts_on_inner;
  // A result counts only if the arguments were what they had to be.
  ValueOr (*call)(CalculatorArguments& arguments);
};

// What an operation returns, as a value. Not by the constructors of
// CalculatorValue: to them an integer is a truth.
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

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTION_H_
