// The arguments of a function of the calculator: their types, and the errors
// for arguments of other types.
//
// A function takes its arguments and computes. If an argument has the wrong
// type, the first such argument fails the call, whatever the function returns:
//
//   [](CalculatorArguments& a) {
//     return Complement(a.TakeLayout(0), a.TakeSize(1));
//   }
//
// Instead of such an argument, the function gets the smallest value, 1:0 or 1,
// so that it continues at no cost.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_ARGUMENTS_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/calculator/calculator_value.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

struct CalculatorArgument {
  CalculatorValue value;
  size_t offset;  // of its text
  // The bits of an element that a layout or pointer addresses; 0 if the text
  // does not have them.
  int64_t element_bits = 0;
};

class CalculatorArguments {
 public:
  // `call` is the offset of the function's name in `text`. The last
  // `template_count` arguments were in angle brackets, as in size<0>(A).
  CalculatorArguments(std::string_view text, size_t call,
                      absl::Span<const CalculatorArgument> arguments,
                      size_t template_count, bool bare_shape_is_column_major,
                      const CompositionOptions& options,
                      std::vector<Diagnostic>* notes)
      : text_(text),
        call_(call),
        blamed_(call),
        arguments_(arguments),
        template_count_(template_count),
        bare_shape_is_column_major_(bare_shape_is_column_major),
        options_(options),
        notes_(notes) {}

  size_t count() const { return arguments_.size(); }
  size_t template_count() const { return template_count_; }
  bool bare_shape_is_column_major() const {
    return bare_shape_is_column_major_;
  }
  const CompositionOptions& options() const { return options_; }
  // Precondition here and below: i < count().
  const CalculatorValue& value(size_t i) const { return arguments_[i].value; }
  int64_t element_bits(size_t i) const { return arguments_[i].element_bits; }
  template <typename T>
  bool Is(size_t i) const {
    return std::holds_alternative<T>(arguments_[i].value);
  }
  bool IsInteger(size_t i) const;

  // Takes a layout; a layout in parentheses, which is read as a tiler of one
  // mode; or a shape, if shapes are read as column-major layouts.
  Layout TakeLayout(size_t i);
  // Takes a layout, a tiler, or a tuple as a shape, which applies by mode.
  Tiler TakeTiler(size_t i);
  // Takes an int tuple that may contain `_`: a coordinate.
  IntTuple TakeIntTuple(size_t i);
  // Takes an int tuple of numbers only.
  IntTuple TakeNumbers(size_t i);
  // Takes a shape, or the shape of a layout.
  IntTuple TakeShape(size_t i);
  int64_t TakeInteger(size_t i);
  // Takes a number of bits, or the type of an element that has them.
  int64_t TakeBits(size_t i);
  // Takes the size of a shape or a layout.
  int64_t TakeSize(size_t i);
  // Takes each argument from `begin` on.
  std::vector<int64_t> TakeIntegers(size_t begin);

  // Attributes later errors of the operation to argument i, not to the call.
  void Blame(size_t i) { blamed_ = arguments_[i].offset; }
  // Fails the call because of argument i, or because of the whole call.
  void Fail(size_t i, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  void Fail(std::string_view message);
  // Fails with "expected WHAT, found ..." at argument i.
  void FailExpected(size_t i, std::string_view what);
  // Adds a note about argument i.
  void Note(size_t i, std::string_view message);

  // The first failure.
  const absl::Status& status() const { return status_; }
  // Returns an error of the operation itself, with its place.
  absl::Status Refusal(const absl::Status& status) const;

 private:
  void FailAt(size_t offset, std::string_view message, absl::StatusCode code);

  std::string_view text_;
  size_t call_;
  size_t blamed_;
  absl::Span<const CalculatorArgument> arguments_;
  size_t template_count_;
  bool bare_shape_is_column_major_;
  CompositionOptions options_;
  std::vector<Diagnostic>* notes_;
  absl::Status status_;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_ARGUMENTS_H_
