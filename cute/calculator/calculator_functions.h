// Every function of the calculator by its name.
//
//   FindFunction("coalesce")->parameters;   // "A[, profile]"
//   NearestFunctions("coalese");            // {"coalesce"}
//
// The command line lists the names.

#ifndef TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTIONS_H_
#define TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTIONS_H_

#include <string_view>
#include <vector>

#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {

// Returns null if there is no function of this name.
const CalculatorFunction* FindFunction(std::string_view name);

// Returns all names, grouped by subject.
std::vector<std::string_view> FunctionNames();

// Returns at most three names that differ from `name` by a few letters, the
// nearest first.
std::vector<std::string_view> NearestFunctions(std::string_view name);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTIONS_H_
