#include "tessera/convert/xla_cute.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cute/coalesce.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"

namespace tessera {
namespace {

// Whether the value of a source depends on dimensions that a tile joined, or
// cut at places that do not divide one another.
absl::Status CheckSeparate(const IndexMap& map) {
  for (const IndexMap::Digit& digit : map.digits()) {
    // A source without pieces is what a tile of more entries than dimensions
    // puts in front: always 0.
    if (digit.source < map.rank() ||
        map.sources()[digit.source].pieces.empty()) {
      continue;
    }
    return absl::UnimplementedError(absl::StrCat(
        "tiles join dimensions, or cut one at places that do not divide one "
        "another; no CuTe layout with one mode a dimension is ",
        map.ToString()));
  }
  return absl::OkStatus();
}

// The digits of one dimension as modes, from its least significant one on.
absl::StatusOr<cute::Layout::Leaves> ModesOfDimension(const IndexMap& map,
                                                      int64_t dimension) {
  std::vector<IndexMap::Digit> digits;
  for (const IndexMap::Digit& digit : map.digits()) {
    if (digit.source == dimension) digits.push_back(digit);
  }
  std::sort(digits.begin(), digits.end(),
            [](const IndexMap::Digit& a, const IndexMap::Digit& b) {
              return a.divisor < b.divisor;
            });
  cute::Layout::Leaves modes;
  int64_t divisor = 1;
  for (const IndexMap::Digit& digit : digits) {
    if (digit.divisor % divisor != 0) {
      return absl::UnimplementedError(
          absl::StrCat("dimension ", dimension, " is cut at ", divisor, " and ",
                       digit.divisor, ", which do not divide one another"));
    }
    if (digit.divisor > divisor) {
      modes.push_back({digit.divisor / divisor, 0, cute::Basis()});
    }
    modes.push_back({digit.modulus, digit.stride, cute::Basis()});
    divisor = digit.divisor * digit.modulus;
  }
  return modes;
}

// One digit of the offset of a CuTe layout.
struct OffsetDigit {
  int64_t dimension;
  int64_t size;
  int64_t stride;
  bool is_last;  // the most significant one of its dimension
};

absl::StatusOr<std::vector<OffsetDigit>> DigitsByStride(
    const absl::InlinedVector<cute::Layout, 2>& modes) {
  std::vector<OffsetDigit> digits;
  for (size_t i = 0; i < modes.size(); ++i) {
    const size_t first = digits.size();
    for (const cute::Layout::Leaf& leaf :
         cute::CoalescedLeaves(modes[i].leaves())) {
      if (leaf.stride <= 0 || !leaf.basis.is_none()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "no XLA layout has a stride such as that of ", leaf.size, ":",
            leaf.stride, leaf.basis.ToString(), " in mode ", i));
      }
      digits.push_back(
          {static_cast<int64_t>(i), leaf.size, leaf.stride, false});
    }
    if (digits.size() > first) digits.back().is_last = true;
  }
  std::sort(digits.begin(), digits.end(),
            [](const OffsetDigit& a, const OffsetDigit& b) {
              return a.stride < b.stride;
            });
  return digits;
}

// Gives the last digit of a dimension the room up to the next stride, which the
// padding of a tile can fill.
absl::Status FillGaps(std::vector<OffsetDigit>* digits, bool* has_padding) {
  int64_t extent = 1;
  for (size_t i = 0; i < digits->size(); ++i) {
    OffsetDigit& digit = (*digits)[i];
    if (digit.stride > extent && i > 0 && (*digits)[i - 1].is_last &&
        digit.stride % (*digits)[i - 1].stride == 0) {
      (*digits)[i - 1].size = digit.stride / (*digits)[i - 1].stride;
      *has_padding = true;
      extent = digit.stride;
    }
    if (digit.stride != extent) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no XLA layout has the stride ", digit.stride, " of ", digit.size,
          ":", digit.stride, " in mode ", digit.dimension,
          digit.stride < extent
              ? " within the extent "
              : " with a gap that is no padding after the extent ",
          extent, " of the smaller ones"));
    }
    if (__builtin_mul_overflow(digit.stride, digit.size, &extent)) {
      return absl::OutOfRangeError("the extent exceeds 2^63-1");
    }
  }
  return absl::OkStatus();
}

// The tiles of the layout with this order of dimensions, the first applied
// first. Each row of digits in the physical order is one tile, except the last.
Layout::Tiles TilesFor(absl::Span<const OffsetDigit> digits,
                       absl::Span<const int64_t> minor_to_major,
                       bool needs_tile_for_padding) {
  const int64_t rank = minor_to_major.size();
  std::vector<int64_t> physical(rank);
  for (int64_t i = 0; i < rank; ++i) physical[minor_to_major[i]] = i;
  // For each row, the size of its digit of each physical dimension.
  std::vector<std::vector<int64_t>> rows;
  int64_t previous = rank;
  for (const OffsetDigit& digit : digits) {
    const int64_t place = physical[digit.dimension];
    if (place <= previous || rows.empty()) {
      rows.emplace_back(rank, 1);
    }
    rows.back()[place] = digit.size;
    previous = place;
  }
  if (needs_tile_for_padding) rows.emplace_back(rank, 1);
  // From the last tile, which has the fastest digits, to the first.
  Layout::Tiles tiles;
  std::vector<int64_t> sizes(rank, 1);
  for (size_t row = 0; row + 1 < rows.size(); ++row) {
    int64_t entries = 0;
    for (int64_t i = 0; i < rank; ++i) {
      sizes[i] *= rows[row][i];
      if (sizes[i] > 1) entries = i + 1;
    }
    tiles.insert(tiles.begin(),
                 Tile(Tile::Dimensions(sizes.rend() - entries, sizes.rend())));
  }
  return tiles;
}

}  // namespace

bool CuteLayoutOfShape::is_exact() const { return Predicate().empty(); }

std::string CuteLayoutOfShape::Predicate() const {
  std::string predicate;
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (layout.Mode(i).size() == bounds[i]) continue;
    absl::StrAppend(&predicate, predicate.empty() ? "" : " && ", "i", i, " < ",
                    bounds[i]);
  }
  return predicate;
}

absl::StatusOr<CuteLayoutOfShape> ToCuteLayout(const Shape& shape) {
  const absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  if (!map.ok()) return map.status();
  if (map->element_count() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        shape.ToString(), " has no elements; a CuTe layout has at least one"));
  }
  if (absl::Status status = CheckSeparate(*map); !status.ok()) return status;
  CuteLayoutOfShape result;
  cute::Layout::Builder builder;
  builder.Tuple(map->rank());
  for (int64_t i = 0; i < map->rank(); ++i) {
    absl::StatusOr<cute::Layout::Leaves> modes = ModesOfDimension(*map, i);
    if (!modes.ok()) return modes.status();
    builder.AppendFlat(*modes);
    result.bounds.push_back(map->bounds()[i]);
  }
  absl::StatusOr<cute::Layout> layout = std::move(builder).Build();
  if (!layout.ok()) return layout.status();
  result.layout = *std::move(layout);
  return result;
}

absl::StatusOr<Shape> ToXlaShape(const cute::Layout& layout,
                                 PrimitiveType element_type) {
  constexpr int64_t kMaxRankToPermute = 6;
  const absl::StatusOr<IndexMap> map = cute::ToIndexMap(layout);
  if (!map.ok()) return map.status();
  const absl::InlinedVector<cute::Layout, 2> modes = layout.Modes();
  absl::StatusOr<std::vector<OffsetDigit>> digits = DigitsByStride(modes);
  if (!digits.ok()) return digits.status();
  bool has_padding = false;
  if (absl::Status status = FillGaps(&*digits, &has_padding); !status.ok()) {
    return status;
  }
  Shape::Dimensions dimensions;
  for (const cute::Layout& mode : modes) dimensions.push_back(mode.size());
  const int64_t rank = modes.size();

  // All orders, beginning with the usual one; for many dimensions that alone.
  Layout::MinorToMajor minor_to_major(rank);
  std::iota(minor_to_major.rbegin(), minor_to_major.rend(), 0);
  absl::optional<Shape> best;
  do {
    for (const bool needs_tile : {false, true}) {
      if (needs_tile && !has_padding) continue;
      Layout::Parts parts;
      parts.tiles = TilesFor(*digits, minor_to_major, needs_tile);
      if (best.has_value() &&
          parts.tiles.size() >= best->layout().tiles().size()) {
        continue;
      }
      parts.minor_to_major = minor_to_major;
      const Shape shape =
          Shape::Array(element_type, dimensions, Layout(std::move(parts)));
      const absl::StatusOr<IndexMap> candidate = tessera::ToIndexMap(shape);
      if (!candidate.ok()) continue;
      const absl::StatusOr<bool> is_same = SameFunction(*map, *candidate);
      if (is_same.ok() && *is_same) best = shape;
    }
  } while (rank <= kMaxRankToPermute &&
           std::prev_permutation(minor_to_major.begin(), minor_to_major.end()));
  if (best.has_value()) return *std::move(best);
  return absl::UnimplementedError(
      absl::StrCat("no order of dimensions and tiles was found that puts the "
                   "elements where ",
                   layout.ToString(), " does"));
}

}  // namespace tessera
