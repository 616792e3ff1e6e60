#include "tests/fuzz/strided_text.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/strided/parse.h"
#include "tessera/strided/strided_array.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

std::string MapProblem(const StridedArray& array, PositionUnit unit) {
  const absl::StatusOr<IndexMap> map = ToIndexMap(array, unit);
  if (!map.ok()) {
    const bool may_be_large =
        unit == PositionUnit::kBits && absl::IsOutOfRange(map.status());
    return may_be_large ? "" : std::string(map.status().message());
  }
  if (map->element_count() == 0) return "";
  std::vector<int64_t> first(array.dimensions.size()), last, found = first;
  for (const int64_t dimension : array.dimensions) {
    last.push_back(dimension - 1);
  }
  for (const std::vector<int64_t>& index : {first, last}) {
    const absl::StatusOr<int64_t> position = map->LinearIndex(index);
    if (!position.ok()) return std::string(position.status().message());
    if (*position < 0 || *position >= map->position_count()) {
      return absl::StrCat("position ", *position, " is outside the buffer");
    }
    if (map->kind() == IndexMap::Kind::kGeneral) continue;
    const absl::StatusOr<PositionKind> kind =
        map->MultidimensionalIndex(*position, absl::MakeSpan(found));
    if (!kind.ok() || *kind != PositionKind::kElement || found != index) {
      return absl::StrCat("the index at position ", *position,
                          " is not found again");
    }
  }
  return "";
}

}  // namespace

std::string StridedTextProblem(std::string_view text) {
  const absl::StatusOr<StridedArray> array = ParseStridedArray(text);
  if (!array.ok()) {
    return ProblemWithRefusal(array.status(), text, kCodesOfReaders);
  }
  const std::string printed = array->ToString();
  const absl::StatusOr<StridedArray> again = ParseStridedArray(printed);
  if (!again.ok()) {
    return absl::StrCat("printed as ", printed,
                        ", which is refused: ", again.status().message());
  }
  if (*again != *array || again->ToString() != printed) {
    return absl::StrCat("printed as ", printed, ", which reads back as ",
                        again->ToString());
  }
  for (const PositionUnit unit :
       {PositionUnit::kElements, PositionUnit::kBytes, PositionUnit::kBits}) {
    const std::string problem = MapProblem(*array, unit);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tessera
