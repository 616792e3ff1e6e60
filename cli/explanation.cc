#include "tessera/cli/explanation.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/cli/index_text.h"

namespace tessera {
namespace {

using Numbers = absl::Span<const int64_t>;

bool EndsWith(Numbers numbers, Numbers end) {
  return numbers.size() >= end.size() &&
         numbers.subspan(numbers.size() - end.size()) == end;
}

std::string Within(const BoundedIndex& index) {
  return absl::StrCat(InParentheses(index.index), " within ",
                      InParentheses(index.bounds));
}

// "((1*3+1)*2+0)*2+1"; of a single axis, its index.
std::string Horner(const BoundedIndex& axes) {
  const size_t rank = axes.index.size();
  std::string sum(rank > 2 ? rank - 2 : 0, '(');
  for (size_t i = 0; i < rank; ++i) {
    if (i > 1) sum.push_back(')');
    if (i > 0) absl::StrAppend(&sum, "*", axes.bounds[i], "+");
    absl::StrAppend(&sum, axes.index[i]);
  }
  return sum;
}

void ExplainTile(const TileDerivation& tile, const BoundedIndex& before,
                 std::vector<std::string>* steps) {
  const std::string name = absl::StrCat("tile ", tile.tile.ToString());
  // Otherwise it joins axes, or puts some in front.
  const bool takes_axes_as_they_are =
      EndsWith(before.bounds, tile.tiled.bounds) &&
      EndsWith(before.index, tile.tiled.index);
  if (!takes_axes_as_they_are) {
    steps->push_back(
        absl::StrCat(name, " reads the index as ", Within(tile.tiled)));
  }
  const Numbers axes = tile.expanded.index;
  const size_t cut = tile.divisors.size();
  const std::string index = InParentheses(tile.tiled.index);
  const std::string divisors = InParentheses(tile.divisors);
  steps->push_back(absl::StrCat(
      name, ": ", index, " div ", divisors, " = ",
      InParentheses(axes.subspan(axes.size() - 2 * cut, cut)), ", ", index,
      " mod ", divisors, " = ", InParentheses(axes.last(cut))));
  steps->push_back(absl::StrCat("index ", Within(tile.expanded)));
}

Json BoundedIndexToJson(const BoundedIndex& index) {
  return {{"index", index.index}, {"bounds", index.bounds}};
}

}  // namespace

std::vector<std::string> ExplainSteps(const Derivation& derivation) {
  std::vector<std::string> steps = {
      absl::StrCat("physical index ", Within(derivation.physical))};
  const BoundedIndex* before = &derivation.physical;
  for (const TileDerivation& tile : derivation.tiles) {
    ExplainTile(tile, *before, &steps);
    before = &tile.expanded;
  }
  std::string sum = absl::StrCat("linear_index(", InParentheses(before->index),
                                 ", ", InParentheses(before->bounds), ") = ");
  if (before->index.size() > 1) absl::StrAppend(&sum, Horner(*before), " = ");
  steps.push_back(absl::StrCat(sum, derivation.linear_index));
  return steps;
}

Json DerivationToJson(const Derivation& derivation) {
  Json json;
  json["physical"] = BoundedIndexToJson(derivation.physical);
  json["tiles"] = Json::array();
  for (const TileDerivation& tile : derivation.tiles) {
    json["tiles"].push_back({{"tile", tile.tile.ToString()},
                             {"tiled", BoundedIndexToJson(tile.tiled)},
                             {"divisors", tile.divisors},
                             {"expanded", BoundedIndexToJson(tile.expanded)}});
  }
  return json;
}

}  // namespace tessera
