#include "tessera/text/nearest_names.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

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

std::vector<absl::string_view> NearestNames(
    absl::string_view name, absl::Span<const absl::string_view> names) {
  constexpr size_t kLongest = 40;
  constexpr size_t kMost = 3;
  if (name.size() > kLongest) return {};
  std::vector<std::pair<size_t, absl::string_view>> near;
  for (const absl::string_view each : names) {
    const size_t distance = EditDistance(name, each);
    if (distance <= std::max<size_t>(1, name.size() / 3)) {
      near.emplace_back(distance, each);
    }
  }
  std::sort(near.begin(), near.end());
  std::vector<absl::string_view> nearest;
  for (size_t i = 0; i < std::min(near.size(), kMost); ++i) {
    nearest.push_back(near[i].second);
  }
  return nearest;
}

std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> names) {
  const std::vector<absl::string_view> nearest = NearestNames(name, names);
  return nearest.empty() ? ""
                         : absl::StrCat("; did you mean ", nearest[0], "?");
}

}  // namespace tessera
