#include "tests/fuzz/array_positions.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/tests/literal/literal_evaluator.h"

namespace tessera {
namespace {

std::string IndexRoundTripProblem(const IndexMap& map,
                                  const std::vector<int64_t>& index) {
  const int64_t position = map.LinearIndexUnchecked(index);
  std::vector<int64_t> back(index.size());
  const absl::StatusOr<PositionKind> kind =
      map.MultidimensionalIndex(position, absl::MakeSpan(back));
  if (!kind.ok()) return std::string(kind.status().message());
  if (*kind != PositionKind::kElement || back != index) {
    return absl::StrCat("index ", absl::StrJoin(index, ","), " lies at ",
                        position, ", where the inverse finds ",
                        absl::StrJoin(back, ","));
  }
  return "";
}

// All positions, and what lies there, by the literal evaluator; of arrays with
// few.
std::string LiteralProblem(const Shape& shape, const IndexMap& map) {
  constexpr int64_t kMostPositions = 2048;
  if (map.position_count() > kMostPositions || shape.rank() > 12) return "";
  LiteralLayout layout;
  layout.bounds.assign(shape.dimensions().begin(), shape.dimensions().end());
  const absl::Span<const int64_t> order = shape.layout().minor_to_major();
  layout.minor_to_major.assign(order.begin(), order.end());
  for (const Tile& tile : shape.layout().tiles()) {
    layout.tiles.emplace_back(tile.dimensions().begin(),
                              tile.dimensions().end());
  }
  layout.tail_padding_alignment =
      shape.layout().tail_padding_alignment_in_elements();
  const LiteralArray array = EvaluateLiterally(layout);
  if (static_cast<int64_t>(array.cells.size()) != map.position_count()) {
    return absl::StrCat(map.position_count(), " positions, and literally ",
                        array.cells.size());
  }
  std::vector<int64_t> index(shape.rank(), 0), found(shape.rank());
  for (size_t i = 0; i < array.positions.size(); ++i) {
    const int64_t position = map.LinearIndexUnchecked(index);
    if (position != array.positions[i]) {
      return absl::StrCat("index ", absl::StrJoin(index, ","), " lies at ",
                          position, ", and literally at ", array.positions[i]);
    }
    const std::string problem = IndexRoundTripProblem(map, index);
    if (!problem.empty()) return problem;
    NextIndex(layout.bounds, &index);
  }
  for (size_t i = 0; i < array.cells.size(); ++i) {
    const PositionKind kind = map.MultidimensionalIndexUnchecked(
        static_cast<int64_t>(i), absl::MakeSpan(found));
    if ((kind == PositionKind::kElement) !=
            (array.cells[i].kind == LiteralCell::Kind::kElement) ||
        (kind == PositionKind::kTail) !=
            (array.cells[i].kind == LiteralCell::Kind::kTailPadding)) {
      return absl::StrCat("something else lies at position ", i);
    }
  }
  return "";
}

}  // namespace

std::string ArrayPositionsProblem(const Shape& shape) {
  const absl::StatusOr<Shape> from_proto = ShapeFromProto(ShapeToProto(shape));
  if (!from_proto.ok() || *from_proto != shape) {
    return "the proto reads back as something else";
  }
  if (!shape.IsArray() || !shape.has_layout() ||
      shape.has_unbounded_dimension()) {
    return "";
  }
  const absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  if (!map.ok()) return std::string(map.status().message());
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(shape);
  if (!sizes.ok()) return std::string(sizes.status().message());
  if (sizes->physical_elements != map->position_count() ||
      sizes->padded_bytes < sizes->unpadded_bytes) {
    return "sizes disagree with the map";
  }
  if (map->kind() != IndexMap::Kind::kMixedRadix) return "no inverse";
  if (map->element_count() == 0) return "";

  std::vector<int64_t> first(shape.rank(), 0);
  std::vector<int64_t> last(shape.rank());
  for (int64_t i = 0; i < shape.rank(); ++i) last[i] = shape.dimensions(i) - 1;
  for (const std::vector<int64_t>& index : {first, last}) {
    std::string problem = IndexRoundTripProblem(*map, index);
    if (!problem.empty()) return problem;
    if (sizes->data_end.has_value() &&
        map->LinearIndexUnchecked(index) >= *sizes->data_end) {
      return "an element lies past the end of the data";
    }
  }
  return LiteralProblem(shape, *map);
}

}  // namespace tessera
