// File: cute/calculator/calculator.h
//
// Expressions over CuTe's layouts, as they stand in its documentation and in
// C++, and what they come to.
//
//   Calculator calculator;
//   const auto value = [&calculator](absl::string_view line) {
//     return ToString(calculator.Evaluate(line)->value);
//   };
//   value("composition((6,2):(8,2), (4,3):(3,1))");  // "((2,2),3):((24,2),8)"
//   value("A = (6,2):(8,2); coalesce(A)");           // "(6,2):(8,2)"
//   value("A o (4,3):(3,1)");                        // "((2,2),3):((24,2),8)"
//   value("A(1,1)");                                 // "10": at a coordinate
//   value("A(_,1)");                                 // "(6):(8)": a slice
//   value("zipped_divide(A, <3, 2>)");    // "((3,2),(2,1)):((8,2),(24,0))"
//   value("Sw<2,0,3> o 0 o (8,8):(8,1)");    // "Sw<2,0,3> o 0 o (8,8):(8,1)"
//   value("size<0>(A)");                             // "6", in the way of C++
//
// The grammar, with white space and comments wherever tokens meet:
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
// A list in parentheses is an int tuple if all in it are, else a tiler; in
// other brackets it is a tiler. One expression in parentheses that is no
// literal stands for itself: (A o B) o C. What C++ takes in angle brackets
// comes behind the other arguments. An integer between two `o` is the offset of
// a composed layout. Where a layout is asked for, a shape is refused, unless an
// option says that it is the column-major one; coalesce of a shape is a shape.
//
// Errors say where: kInvalidArgument, or kOutOfRange and kUnimplemented as the
// operations have them; kResourceExhausted past the limits below. Nesting and
// memory are bounded, whatever the text.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/calculator/calculator_value.h"

namespace tessera {
namespace cute {

struct CalculatorOptions {
  // Whether a bare shape stands for its column-major layout where a layout is
  // asked for.
  bool bare_shape_is_column_major = false;
  CompositionOptions composition;
};

struct CalculatorResult {
  CalculatorValue value;
  // What the writer of the line should know, with its place: how else a tiler
  // may be read (cute/calculator/tiler_reading.h), and what it gives then;
  // where tiles reach past the end, and what to test there; where a slice
  // begins.
  std::vector<Diagnostic> notes;
};

class Calculator {
 public:
  // How deep brackets may be nested.
  static constexpr int kMaxDepth = 256;
  // How many leaves and tuples the values may have that are at work at a time,
  // and those that are bound to names.
  static constexpr size_t kMaxNodes = size_t{1} << 12;
  static constexpr size_t kMaxBoundNodes = size_t{1} << 16;

  explicit Calculator(const CalculatorOptions& options = {})
      : options_(options) {}

  // The value of the last statement. Where one is refused, those before it have
  // bound their names.
  absl::StatusOr<CalculatorResult> Evaluate(absl::string_view line);

 private:
  friend class CalculatorLine;

  CalculatorOptions options_;
  std::map<std::string, CalculatorValue, std::less<>> names_;
  size_t bound_nodes_ = 0;
};

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_H_
