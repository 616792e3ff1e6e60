#include "tessera/base/text/nearest_names.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Returns the number of insertions, deletions and substitutions of letters and
// swaps of neighbours (optimal string alignment).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1), above(row), above_that(row);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    above_that.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min(
          {above[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, above[j + 1] + 1});
      const bool is_swapped =
          i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_swapped) row[j + 1] = std::min(row[j + 1], above_that[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string_view> NearestNames(
    std::string_view name, absl::Span<const std::string_view> names) {
  constexpr size_t kLongest = 40;
  constexpr size_t kMost = 3;
  if (name.size() > kLongest) return {};
  std::vector<std::pair<size_t, std::string_view>> near;
  for (const std::string_view each : names) {
    const size_t distance = EditDistance(name, each);
    if (distance <= std::max<size_t>(1, name.size() / 3)) {
      near.emplace_back(distance, each);
    }
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string_view> nearest;
  for (size_t i = 0; i < std::min(near.size(), kMost); ++i) {
    nearest.push_back(near[i].second);
  }
  return nearest;
}

std::string DidYouMean(std::string_view name,
                       absl::Span<const std::string_view> names) {
  const std::vector<std::string_view> nearest = NearestNames(name, names);
  return nearest.empty()
             ? ""
             : absl::StrCat("; did you mean ", AbslView(nearest[0]), "?");
}

}  // namespace tessera
