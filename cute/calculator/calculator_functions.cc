#include "tessera/cute/calculator/calculator_functions.h"

#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/nearest_names.h"
#include "tessera/cute/calculator/calculator_function.h"

namespace tessera::cute {
namespace {

template <typename Visit>
void ForEachFunction(const Visit& visit) {
  for (const auto functions :
       {AlgebraFunctions(), MakerFunctions(), PartitionFunctions(),
        AccessFunctions(), TupleFunctions()}) {
    for (const CalculatorFunction& function : functions) visit(function);
  }
}

}  // namespace

const CalculatorFunction* FindFunction(std::string_view name) {
  // Every call in an expression looks up its name.
  static const auto* const kByName = [] {
    auto* by_name = new TextMap<std::string_view, const CalculatorFunction*>();
    ForEachFunction([&](const CalculatorFunction& function) {
      by_name->emplace(function.name, &function);
    });
    return by_name;
  }();
  const auto found = kByName->find(name);
  return found == kByName->end() ? nullptr : found->second;
}

std::vector<std::string_view> FunctionNames() {
  std::vector<std::string_view> names;
  ForEachFunction([&](const CalculatorFunction& function) {
    names.push_back(function.name);
  });
  return names;
}

std::vector<std::string_view> NearestFunctions(std::string_view name) {
  return NearestNames(name, FunctionNames());
}

}  // namespace tessera::cute
