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

// Null if there is none of this name.
const CalculatorFunction* FindFunction(std::string_view name);

// All of them, by their subjects.
std::vector<std::string_view> FunctionNames();

// Those whose names are a few letters from `name`, the nearest first; at most
// three.
std::vector<std::string_view> NearestFunctions(std::string_view name);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_CALCULATOR_FUNCTIONS_H_
