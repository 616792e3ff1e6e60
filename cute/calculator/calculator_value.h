// The values of the calculator's expressions.
//
//   #include "tessera/cute/parse.h"
//
//   CalculatorValue value = *ParseLayout("(6,2):(8,2)");
//   ToString(value);        // "(6,2):(8,2)"
//   Describe(value);        // "the layout (6,2):(8,2)"
//   NodeCount(value);       // 3: the tuple and its two leaves

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_VALUE_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "tessera/cute/atoms/atom.h"
#include "tessera/cute/calculator/pointer.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/text_form.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

// The order of a layout that is made from only a shape: LayoutLeft and
// LayoutRight of C++, column-major and row-major.
enum class Major : uint8_t { kLeft, kRight };

// An answer as text. It cannot be used in further computations.
struct Report {
  std::string kind;  // "bank conflicts"
  std::string text;

  const std::string& ToString(const TextForm& /*form*/ = {}) const {
    return text;
  }
};

// A stride whose numbers are multiples of basis elements.
struct BasisStride {
  Layout layout;  // of size 1, with this stride

  // Returns "(2@0,3@1)".
  std::string ToString(const TextForm& form = {}) const {
    return layout.StrideToString(form);
  }
};

// The type of an element.
struct ElementType {
  std::string name;  // "half_t"
  int64_t bits;

  const std::string& ToString(const TextForm& /*form*/ = {}) const {
    return name;
  }
};

// An integer is an IntTuple.
using CalculatorValue =
    std::variant<IntTuple, Layout, Tiler, Swizzle, ComposedLayout, Major, bool,
                 Pointer, Atom, Report, LayoutAfterSwizzle, BasisStride,
                 ElementType>;

// Returns the value's own ToString; "true", "false", "LayoutLeft". An atom has
// one line for each part.
std::string ToString(const CalculatorValue& value, const TextForm& form = {});

// Returns the kind of the value and its text, for a message, cutting long
// texts: "the integer 4", "the int tuple (2,3)", "the truth true".
std::string Describe(const CalculatorValue& value);

// Returns whether a leaf is `_`.
bool HasUnderscore(const IntTuple& tuple);

// Returns the number of its leaves and tuples, to which its memory is
// proportional.
size_t NodeCount(const CalculatorValue& value);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_VALUE_H_
