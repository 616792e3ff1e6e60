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
// It is the one reader of all notations that kernel authors have: C++ source
// and types, what C++ and the CuTe DSL print, Python source, Triton's layouts.
//
//   value("auto s = make_layout(make_shape(Int<8>{}, 4), LayoutRight{});");
//       // "(8,4):(4,1)"
//   value("gmem_ptr[32b](0x1000) o (_4,_8):(_8,_1)");    // "(4,8):(8,1)"
//   value("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)");
//       // "Sw<3,3,3> o 0 o (8,64):(64,1)": in elements
//   value("GMMA::Layout_K_SW128_Atom<half_t>{}");
//       // "Sw<3,3,3> o 0 o (8,64):(64,1)"
//   value("cute.make_layout((4, 2), stride=(1, 4))");    // "(4,2):(1,4)"
//   value("LayoutA_TV: (_32,_4):(_1,_32)");              // "(32,4):(1,32)"
//   value("!cute.layout<\"(2,3):(4,1)\">");              // "(2,3):(4,1)"
//   value("SM80_16x8x16_F32F16F16F32_TN.C");  // "((4,8),(2,2)):((32,1),(16,8))"
//   value("warp.MmaTF32Op((16,8,8)).Shape");             // "(16,8,8)"
//   const auto result =
//       calculator.Evaluate("smem_ptr[16b](unset) o (8,64):(64,1)");
//   result->element_bits;                                // 16
//
// The grammar, with white space and comments allowed between tokens:
//
//   line       = ['?' '=' integer (',' integer)* ';'] [label ':']
//                statement (';' statement)*
//   statement  = [declaration '='] expression  the value is that of the last
//   declaration = name | 'auto' name | 'using' name | ...
//   expression = sum ('o' sum)*                composition, from the left
//   sum        = product (('+' | '-') product)*           of integers
//   product    = applied (('*' | '/' | '%') applied)*     of integers
//   applied    = pair ('(' [list] ')')*        at a coordinate
//   pair       = primary [':' primary]         a layout of shape and stride
//   primary    = literal                       as in cute/parse.h
//              | name | 'LayoutLeft' | 'LayoutRight'
//              | function ['<' list '>'] '(' [list] ')'
//              | '(' list ')' | '<' list '>' | '[' list ']'
//              | pointer                       cute/calculator/pointer.h
//              | 'tensor' '<' (pointer | literal) 'o' expression '>'
//              | '!cute.' name '<' '"' expression '"' '>'
//              | '#ttg.' encoding
//              | atom [('.' | '::') part]      cute/atoms/atom.h
//              | 'decltype' '(' expression ')'
//
// A line may begin with the values of the sizes that it leaves open as `?`, in
// order; Let sets them for all lines. Any name may have qualifiers (`cute::`,
// `cute.`), any type may have `{}` after it, and any argument may have the name
// of its parameter (`stride=`).
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
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/calculator/calculator_value.h"

namespace tessera::cute {

struct CalculatorOptions {
  // Whether to read a bare shape as its column-major layout where a layout is
  // required.
  bool bare_shape_is_column_major = false;
  // Whether a line may call functions and bind names. If not, it is a layout in
  // one of the notations, and reading it takes time linear in its length.
  bool functions = true;
  // Whether to keep the calls of the line, and to show how divides, products,
  // compositions and inverses are computed.
  bool explains = false;
  CompositionOptions composition;
};

// A step of a computation: an expression, its value and the reason.
struct ExplanationStep {
  std::string expression;
  std::string value;
  std::string reason;
};

// A call of a function in a line.
struct CalculatorCall {
  std::string function;
  std::vector<CalculatorValue> arguments;
  CalculatorValue value;
};

struct CalculatorResult {
  CalculatorValue value;
  // The bits of an element that a layout addresses, if a pointer, a type or a
  // recast determines them; else 0.
  int64_t element_bits = 0;
  // Notes for the writer of the line, with their places: another way to read a
  // tiler (cute/calculator/tiler_reading.h), with its result; tiles that reach
  // past the end, with the condition to test; the offset at which a slice
  // begins; whether a swizzle acts on bytes or on elements.
  std::vector<Diagnostic> notes;
  // If requested, the steps to the result (cute/calculator/explanation.h): each
  // step has an expression and its value, and the last value is the result.
  // Empty if nothing in the line has steps.
  std::vector<ExplanationStep> steps;
  // If requested, the first calls of the line, in the order of their results.
  std::vector<CalculatorCall> calls;
};

class Calculator {
 public:
  // The deepest nesting of brackets.
  static constexpr int kMaxDepth = 256;
  // The most leaves and tuples that the values in use at a time, and those
  // bound to names, may have.
  static constexpr size_t kMaxNodes = size_t{1} << 12;
  static constexpr size_t kMaxBoundNodes = size_t{1} << 16;
  // The most calls of a result.
  static constexpr size_t kMaxCalls = 32;

  explicit Calculator(const CalculatorOptions& options = {})
      : options_(options) {}

  // Sets numbers that texts leave open: "M=512" for a name; "?=16,8", or
  // "16,8", for those that a print shows as `?`, in the order of the text.
  // Errors: kInvalidArgument for other texts.
  absl::Status Let(std::string_view binding);

  // Returns the value of the last statement. If a statement fails, the
  // statements before it have bound their names.
  absl::StatusOr<CalculatorResult> Evaluate(std::string_view line);

 private:
  friend class CalculatorLine;

  // A value that has a name.
  struct Bound {
    CalculatorValue value;
    int64_t element_bits = 0;
  };

  // Evaluates a line whose numbers may be open. `origins` maps each byte of the
  // line to its place in the original text; if it is empty, they are the same.
  absl::StatusOr<CalculatorResult> EvaluateOpen(std::string_view line,
                                                std::vector<size_t>* origins);

  CalculatorOptions options_;
  std::vector<int64_t> unknown_sizes_;
  std::map<std::string, Bound, std::less<>> names_;
  size_t bound_nodes_ = 0;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_H_
