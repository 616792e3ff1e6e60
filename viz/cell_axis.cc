#include "tessera/viz/cell_axis.h"

#include <algorithm>
#include <utility>

#include "tessera/index_map/dimension_digits.h"
#include "tessera/math/checked_arithmetic.h"

namespace tessera {
namespace {

// Sources that are made of one another deeper than this are contrived.
constexpr int kMaxDepth = 16;

}  // namespace

CellAxis::CellAxis(const IndexMap& map, int64_t dimension,
                   absl::Span<const int64_t> index,
                   absl::optional<int64_t> across)
    : dimension_(dimension),
      bound_(map.bounds()[dimension]),
      count_(map.bounds()[dimension]) {
  if (map.element_count() == 0) return;
  if (map.kind() != IndexMap::Kind::kGeneral) {
    root_ = AddNode(map, static_cast<int32_t>(dimension), 0);
  }
  if (root_ >= 0) {
    counts_padding_ = true;
    count_ = std::max(nodes_[root_].capacity, bound_);
    AppendDigits(root_, 1);
    return;
  }
  if (map.kind() != IndexMap::Kind::kGeneral &&
      ReadJoined(map, index, across)) {
    return;
  }
  const absl::optional<DimensionDigits> digits =
      DigitsOfDimension(map, dimension);
  if (!digits.has_value()) return;
  for (size_t i = 0; i < digits->size(); ++i) {
    const DimensionDigit& digit = (*digits)[i];
    const int64_t end =
        i + 1 < digits->size() ? (*digits)[i + 1].divisor : bound_;
    AppendDigit({digit.divisor, CeilOfRatio(end, digit.divisor), digit.stride});
  }
}

int32_t CellAxis::AddNode(const IndexMap& map, int32_t source, int depth) {
  if (depth > kMaxDepth) return -1;
  Node node;
  node.bound = map.sources()[source].bound;
  for (const IndexMap::Digit& digit : map.digits()) {
    if (digit.source != source) continue;
    if (digit.repeats) return -1;
    node.parts.push_back(
        {digit.divisor, digit.modulus, digit.stride, -1, 1, digit.modulus});
  }
  for (size_t i = map.rank(); i < map.sources().size(); ++i) {
    const IndexMap::Source& later = map.sources()[i];
    for (const IndexMap::Piece& piece : later.pieces) {
      if (piece.source != source) continue;
      const bool is_all = later.pieces.size() == 1 && piece.multiplier == 1 &&
                          later.offset == 0 && !piece.repeats;
      if (!is_all) return -1;
      const int32_t child = AddNode(map, static_cast<int32_t>(i), depth + 1);
      if (child < 0) return -1;
      node.parts.push_back(
          {piece.divisor, piece.modulus, 0, child, 1, nodes_[child].capacity});
    }
  }
  std::sort(node.parts.begin(), node.parts.end(),
            [](const Part& a, const Part& b) { return a.divisor < b.divisor; });

  absl::optional<int64_t> divisor = 1;  // where the next part has to begin
  absl::optional<int64_t> capacity = 1;
  for (Part& part : node.parts) {
    if (!divisor.has_value() || part.divisor != *divisor) return -1;
    part.weight = *capacity;
    capacity = CheckedMultiply(*capacity, part.capacity);
    if (!capacity.has_value()) return -1;
    divisor = part.modulus == 0 ? absl::nullopt
                                : CheckedMultiply(*divisor, part.modulus);
  }
  // Without an end, the last part counts all there is.
  if (divisor.has_value() && *divisor < node.bound) return -1;
  node.capacity = *capacity;
  nodes_.push_back(std::move(node));
  return static_cast<int32_t>(nodes_.size()) - 1;
}

bool CellAxis::ReadJoined(const IndexMap& map, absl::Span<const int64_t> index,
                          absl::optional<int64_t> across) {
  const int32_t dimension = static_cast<int32_t>(*dimension_);
  for (const IndexMap::Digit& digit : map.digits()) {
    if (digit.source == dimension) return false;
  }
  absl::optional<size_t> joined;
  for (size_t i = map.rank(); i < map.sources().size(); ++i) {
    for (const IndexMap::Piece& piece : map.sources()[i].pieces) {
      if (piece.source != dimension) continue;
      if (joined.has_value()) return false;
      joined = i;
    }
  }
  if (!joined.has_value()) return false;
  // Where cell 0 begins, of sums of whole dimensions.
  int64_t phase = map.sources()[*joined].offset;
  for (const IndexMap::Piece& piece : map.sources()[*joined].pieces) {
    const bool is_whole = piece.source < map.rank() && piece.divisor == 1 &&
                          piece.modulus == 0 && !piece.repeats;
    if (!is_whole || piece.source == across) return false;
    if (piece.source != dimension) {
      phase += piece.multiplier * index[piece.source];
    } else if (piece.multiplier != 1) {
      return false;
    }
  }
  nodes_.clear();
  const int32_t node = AddNode(map, static_cast<int32_t>(*joined), 0);
  if (node < 0) return false;
  AppendDigits(node, 1);
  // Padding within the joined coordinate has no cells.
  for (const Node& made : nodes_) {
    for (const Part& part : made.parts) {
      if (part.weight == part.divisor) continue;
      digits_.clear();
      return false;
    }
  }
  phase_ = phase;
  return true;
}

void CellAxis::AppendDigits(int32_t node, int64_t weight) {
  for (const Part& part : nodes_[node].parts) {
    if (part.child >= 0) {
      AppendDigits(part.child, weight * part.weight);
    } else {
      AppendDigit({weight * part.weight, part.capacity, part.stride});
    }
  }
}

void CellAxis::AppendDigit(const Digit& digit) {
  if (digit.radix > 1) digits_.push_back(digit);
}

int64_t CellAxis::CellOf(int32_t node, int64_t value) const {
  int64_t cell = 0;
  for (const Part& part : nodes_[node].parts) {
    int64_t quotient = value / part.divisor;
    if (part.modulus != 0) quotient %= part.modulus;
    cell += part.weight *
            (part.child < 0 ? quotient : CellOf(part.child, quotient));
  }
  return cell;
}

int64_t CellAxis::ValueOf(int32_t node, int64_t cell) const {
  int64_t value = 0;
  for (const Part& part : nodes_[node].parts) {
    int64_t quotient = cell / part.weight % part.capacity;
    if (part.child >= 0) {
      quotient = ValueOf(part.child, quotient);
      if (quotient < 0 || quotient >= nodes_[part.child].bound) return -1;
    }
    value += quotient * part.divisor;
  }
  return value;
}

int64_t CellAxis::CellOf(int64_t coordinate) const {
  return root_ < 0 ? coordinate : CellOf(root_, coordinate);
}

int64_t CellAxis::CoordinateOf(int64_t cell) const {
  return root_ < 0 ? cell : ValueOf(root_, cell);
}

int64_t CellAxis::PositionsOf(int64_t cell) const {
  int64_t positions = 0;
  for (const Digit& digit : digits_) {
    positions += cell / digit.weight % digit.radix * digit.stride;
  }
  return positions;
}

}  // namespace tessera
