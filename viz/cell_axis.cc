#include "tessera/viz/cell_axis.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/index_map/dimension_digits.h"
#include "tessera/index_map/index_map_builder.h"

namespace tessera {
namespace {

using Builder = IndexMap::Builder;

// Sources that are made of one another deeper than this are contrived.
constexpr int kMaxDepth = 16;

// A digit of a source, or all of a source that is made of such a digit.
struct Part {
  int64_t divisor = 1;
  int64_t modulus = 1;  // 0: no remainder is taken
  int64_t stride = 0;
  int32_t made = -1;  // the source; -1 for a digit
};

// Appends the digits of `source`, which `coordinate` is, and those of sources
// made only of it, major to minor. Returns false if others are mixed in.
bool AppendDigits(const IndexMap& map, int32_t source,
                  const Builder::Coordinate& coordinate, int depth,
                  Builder* builder,
                  std::vector<Builder::StridedCoordinate>* digits) {
  if (depth > kMaxDepth) return false;
  std::vector<Part> parts;
  for (const IndexMap::Digit& digit : map.digits()) {
    if (digit.source != source) continue;
    parts.push_back({digit.divisor, digit.modulus, digit.stride});
  }
  for (size_t i = map.rank(); i < map.sources().size(); ++i) {
    const IndexMap::Source& later = map.sources()[i];
    for (const IndexMap::Piece& piece : later.pieces) {
      if (piece.source != source) continue;
      if (later.pieces.size() != 1 || piece.multiplier != 1 ||
          later.offset != 0) {
        return false;
      }
      parts.push_back(
          {piece.divisor, piece.modulus, 0, static_cast<int32_t>(i)});
    }
  }
  // A part of one value ends where it begins.
  const auto key = [](const Part& part) {
    return std::make_pair(part.divisor, part.modulus != 1);
  };
  std::sort(parts.begin(), parts.end(),
            [key](const Part& a, const Part& b) { return key(a) > key(b); });
  for (const Part& part : parts) {
    const int64_t bound =
        part.made < 0 ? part.modulus : map.sources()[part.made].bound;
    const Builder::Coordinate value = Builder::Widen(
        builder->Part(coordinate, part.divisor, part.modulus), bound);
    if (part.made < 0) {
      digits->push_back({value, part.stride});
    } else if (!AppendDigits(map, part.made, builder->Sum({{value, 1}}),
                             depth + 1, builder, digits)) {
      return false;
    }
  }
  return true;
}

}  // namespace

CellAxis::CellAxis(const IndexMap& map, int64_t dimension,
                   absl::Span<const int64_t> index,
                   std::optional<int64_t> across)
    : dimension_(dimension),
      bound_(map.bounds()[dimension]),
      count_(map.bounds()[dimension]) {
  if (map.element_count() == 0) return;
  if (map.kind() != IndexMap::Kind::kGeneral) {
    cells_ = ReadCells(map, static_cast<int32_t>(dimension));
    if (cells_.has_value()) {
      count_ = cells_->position_count();
      return;
    }
    if (ReadJoined(map, index, across)) return;
  }
  const std::optional<DimensionDigits> digits =
      DigitsOfDimension(map, dimension);
  if (!digits.has_value()) return;
  for (size_t i = 0; i < digits->size(); ++i) {
    const DimensionDigit& digit = (*digits)[i];
    const int64_t end =
        i + 1 < digits->size() ? (*digits)[i + 1].divisor : bound_;
    AppendDigit({digit.divisor, CeilOfRatio(end, digit.divisor), digit.stride});
  }
}

std::optional<IndexMap> CellAxis::ReadCells(const IndexMap& map,
                                            int32_t source) {
  Builder builder({map.sources()[source].bound});
  std::vector<Builder::StridedCoordinate> digits;
  if (!AppendDigits(map, source, builder.Dimension(0), 0, &builder, &digits)) {
    return std::nullopt;
  }
  std::vector<Builder::Coordinate> axes;
  for (const Builder::StridedCoordinate& digit : digits) {
    axes.push_back(digit.coordinate);
  }
  const absl::StatusOr<IndexMap> cells = std::move(builder).BuildRowMajor(axes);
  if (!cells.ok() || cells->kind() != IndexMap::Kind::kMixedRadix) {
    return std::nullopt;
  }
  int64_t weight = 1;
  for (size_t i = digits.size(); i-- > 0;) {
    const int64_t radix = digits[i].coordinate.bound;
    AppendDigit({weight, radix, digits[i].stride});
    weight *= radix;
  }
  return *cells;
}

bool CellAxis::ReadJoined(const IndexMap& map, absl::Span<const int64_t> index,
                          std::optional<int64_t> across) {
  const int32_t dimension = static_cast<int32_t>(*dimension_);
  for (const IndexMap::Digit& digit : map.digits()) {
    if (digit.source == dimension) return false;
  }
  std::optional<size_t> joined;
  for (size_t i = map.rank(); i < map.sources().size(); ++i) {
    for (const IndexMap::Piece& piece : map.sources()[i].pieces) {
      if (piece.source != dimension) continue;
      if (joined.has_value()) return false;
      joined = i;
    }
  }
  if (!joined.has_value()) return false;
  // The place at which cell 0 begins, in sums of whole dimensions.
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
  const std::optional<IndexMap> cells =
      ReadCells(map, static_cast<int32_t>(*joined));
  // Padding within the joined coordinate does not have cells.
  if (!cells.has_value() || cells->digits().size() > 1) {
    digits_.clear();
    return false;
  }
  phase_ = phase;
  return true;
}

void CellAxis::AppendDigit(const Digit& digit) {
  if (digit.radix > 1) digits_.push_back(digit);
}

int64_t CellAxis::CellOf(int64_t coordinate) const {
  return cells_.has_value() ? cells_->LinearIndexUnchecked({coordinate})
                            : coordinate;
}

int64_t CellAxis::CoordinateOf(int64_t cell) const {
  if (!cells_.has_value()) return cell;
  int64_t coordinate = 0;
  if (cells_->MultidimensionalIndexUnchecked(
          cell, absl::MakeSpan(&coordinate, 1)) == PositionKind::kElement) {
    return coordinate;
  }
  // After the end, only the bound of the dimension fails.
  const std::vector<IndexMap::FailedBound> failed = *cells_->FailedBounds(cell);
  return failed.size() == 1 && failed[0].source == 0 ? failed[0].value : -1;
}

int64_t CellAxis::PositionsOf(int64_t cell) const {
  int64_t positions = 0;
  for (const Digit& digit : digits_) {
    positions += cell / digit.weight % digit.radix * digit.stride;
  }
  return positions;
}

}  // namespace tessera
