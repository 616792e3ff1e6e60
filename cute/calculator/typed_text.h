// Prints a literal as it was typed, with `_` before the integers that had it.
//
//   #include "tessera/cute/parse.h"
//
//   TextAsTyped("(_4, 8) : (8, _1)", *ParseLayout("(_4,8):(8,_1)"));
//       // "(_4,8):(8,_1)"
//
// C++ prints `_4` for a number that is known at compile time. Operations do not
// distinguish it from `4`.

#ifndef TESSERA_CUTE_CALCULATOR_TYPED_TEXT_H_
#define TESSERA_CUTE_CALCULATOR_TYPED_TEXT_H_

#include <string>
#include <string_view>

#include "tessera/cute/calculator/calculator_value.h"

namespace tessera::cute {

// Returns the text of `value`. If `typed` differs from it only in marks and
// white space, the integers keep their marks from `typed`; otherwise they have
// none.
std::string TextAsTyped(std::string_view typed, const CalculatorValue& value);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_TYPED_TEXT_H_
