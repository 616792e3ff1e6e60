// Finds the names that a misspelled name may mean.
//
//   NearestNames("coalese", {"coalesce", "composition"});   // {"coalesce"}

#ifndef TESSERA_BASE_TEXT_NEAREST_NAMES_H_
#define TESSERA_BASE_TEXT_NEAREST_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace tessera {

// Returns at most three of `names` that differ from `name` by a few letters,
// the nearest first.
std::vector<std::string_view> NearestNames(
    std::string_view name, absl::Span<const std::string_view> names);

// Returns "; did you mean coalesce?" for the nearest name; "" if there is none.
std::string DidYouMean(std::string_view name,
                       absl::Span<const std::string_view> names);

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_NEAREST_NAMES_H_
