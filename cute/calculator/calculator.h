// File: cute/calculator/calculator.h
//
// Evaluates expressions over CuTe's layouts, as written in its documentation
// and in C++.
//
//   Calculator calculator;
//   const auto value = [&calculator](std::string_view line) {
//     return ToString(calculator.Evaluate(line)->value);
//   };
//   value("composition((6,2):(8,2), (4,3):(3,1))");  // "((2,2),3):((24,2),8)"
//   value("A = (6,2):(8,2); coalesce(A)");           // "(6,2):(8,2)"
//   value("A o (4,3):(3,1)");                        // "((2,2),3):((24,2),8)"
//   value("A(1,1)");                                 // "10": at a coordinate
//   value("A(_,1)");                                 // "(6):(8)": a slice
//   value("zipped_divide(A, <3, 2>)");    // "((3,2),(2,1)):((8,2),(24,0))"
//   value("Sw<2,0,3> o 0 o (8,8):(8,1)");    // "Sw<2,0,3> o 0 o (8,8):(8,1)"
//   value("size<0>(A)");                             // "6", as in C++
//
// The grammar, with white space and comments allowed between tokens:
//
//   line       = statement (';' statement)*
//   statement  = [name '='] expression         the value is that of the last
//   expression = applied ('o' applied)*        composition, from the left
//   applied    = pair ('(' [list] ')')*        at a coordinate
//   pair       = primary [':' primary]         a layout of shape and stride
//   primary    = literal                       as in cute/parse.h
//              | name | 'LayoutLeft' | 'LayoutRight'
//              | function ['<' list '>'] '(' [list] ')'
//              | '(' list ')' | '<' list '>' | '[' list ']'
//
// A list in parentheses is an int tuple if all its entries are, else a tiler;
// in other brackets it is a tiler. Parentheses around a single expression that
// is not a literal only group it: (A o B) o C. Template arguments, which C++
// writes in angle brackets, come after the other arguments. An integer between
// two `o` is the offset of a composed layout. A shape is refused as a layout,
// unless an option reads it as its column-major layout; coalesce of a shape is
// a shape.
//
// Errors carry their place: kInvalidArgument; kOutOfRange and kUnimplemented
// from the operations; kResourceExhausted past the limits below. Nesting and
// memory are bounded for every text.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/calculator/calculator_value.h"

namespace tessera {
namespace cute {

struct CalculatorOptions {
  // Whether to read a bare shape as its column-major layout where a layout is
  // required.
  bool bare_shape_is_column_major = false;
  CompositionOptions composition;
};

struct CalculatorResult {
  CalculatorValue value;
  // Notes for the writer of the line, with their places: another way to read a
  // tiler (cute/calculator/tiler_reading.h), with its result; tiles that reach
  // past the end, with the condition to test; the offset at which a slice
  // begins.
  std::vector<Diagnostic> notes;
};

class Calculator {
 public:
  // The deepest nesting of brackets.
  static constexpr int kMaxDepth = 256;
  // The most leaves and tuples that the values in use at a time, and those
  // bound to names, may have.
  static constexpr size_t kMaxNodes = size_t{1} << 12;
  static constexpr size_t kMaxBoundNodes = size_t{1} << 16;

  explicit Calculator(const CalculatorOptions& options = {})
      : options_(options) {}

  // Returns the value of the last statement. If a statement is refused, those
  // before it have bound their names.
  absl::StatusOr<CalculatorResult> Evaluate(std::string_view line);

 private:
  friend class CalculatorLine;

  CalculatorOptions options_;
  std::map<std::string, CalculatorValue, std::less<>> names_;
  size_t bound_nodes_ = 0;
};

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_H_
