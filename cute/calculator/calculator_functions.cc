#include "tessera/cute/calculator/calculator_functions.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/types/span.h"
#include "tessera/cute/calculator/calculator_algebra.h"
#include "tessera/cute/calculator/calculator_makers.h"
#include "tessera/cute/calculator/calculator_tuples.h"

namespace tessera {
namespace cute {
namespace {

template <typename Visit>
void ForEachFunction(const Visit& visit) {
  for (const auto functions :
       {AlgebraFunctions(), MakerFunctions(), TupleFunctions()}) {
    for (const CalculatorFunction& function : functions) visit(function);
  }
}

// How many letters must be put in, left out or changed (Levenshtein).
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1],
                               std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

const CalculatorFunction* FindFunction(absl::string_view name) {
  const CalculatorFunction* found = nullptr;
  ForEachFunction([&](const CalculatorFunction& function) {
    if (function.name == name) found = &function;
  });
  return found;
}

std::vector<absl::string_view> FunctionNames() {
  std::vector<absl::string_view> names;
  ForEachFunction([&](const CalculatorFunction& function) {
    names.push_back(function.name);
  });
  return names;
}

std::vector<absl::string_view> NearestFunctions(absl::string_view name) {
  constexpr size_t kLongest = 40;
  constexpr size_t kMost = 3;
  if (name.size() > kLongest) return {};
  std::vector<std::pair<size_t, absl::string_view>> near;
  ForEachFunction([&](const CalculatorFunction& function) {
    const size_t distance = EditDistance(name, function.name);
    if (distance <= std::max<size_t>(1, name.size() / 3)) {
      near.emplace_back(distance, function.name);
    }
  });
  std::sort(near.begin(), near.end());
  std::vector<absl::string_view> names;
  for (size_t i = 0; i < std::min(near.size(), kMost); ++i) {
    names.push_back(near[i].second);
  }
  return names;
}

}  // namespace cute
}  // namespace tessera
