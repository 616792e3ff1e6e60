#include "tessera/any_layout/convert/xla_cute.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_map/index_map_builder.h"
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
    // A source without pieces is always 0: a tile with more entries than
    // dimensions prepends it.
    if (digit.source < map.rank() ||
        map.sources()[digit.source].pieces.empty()) {
      continue;
    }
    return UnimplementedError(
        "tiles join dimensions, or cut one at places that do not divide one "
        "another; no CuTe layout with one mode per dimension is ",
        map.ToString());
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
      return UnimplementedError("dimension ", dimension, " is cut at ", divisor,
                                " and ", digit.divisor,
                                ", which do not divide one another");
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
  bool is_last;    // the most significant one of its dimension
  bool is_padded;  // larger than the bound of the dimension has it
};

absl::StatusOr<std::vector<OffsetDigit>> DigitsByStride(
    const absl::InlinedVector<cute::Layout, 2>& modes) {
  std::vector<OffsetDigit> digits;
  for (size_t i = 0; i < modes.size(); ++i) {
    const size_t first = digits.size();
    for (const cute::Layout::Leaf& leaf :
         cute::CoalescedLeaves(modes[i].leaves())) {
      if (leaf.stride <= 0 || !leaf.basis.is_none()) {
        return InvalidArgumentError(
            "no XLA layout has a stride such as that of ", leaf.size, ":",
            leaf.stride, leaf.basis.ToString(), " in mode ", i);
      }
      digits.push_back(
          {static_cast<int64_t>(i), leaf.size, leaf.stride, false, false});
    }
    if (digits.size() > first) digits.back().is_last = true;
  }
  std::sort(digits.begin(), digits.end(),
            [](const OffsetDigit& a, const OffsetDigit& b) {
              return a.stride < b.stride;
            });
  return digits;
}

// The digits of an offset without gaps between them.
struct FilledDigits {
  // A digit of dimension kGap is always 0.
  static constexpr int64_t kGap = -1;

  std::vector<OffsetDigit> digits;  // by stride, the smallest first
  bool has_gap = false;             // there is a digit of kGap
};

// Fills the gaps between strides: with the padding of a tile after the last
// digit of a dimension, or else with digits that are always 0, the padding of a
// dimension of one element.
absl::StatusOr<FilledDigits> FillGaps(absl::Span<const OffsetDigit> digits) {
  FilledDigits filled;
  int64_t extent = 1;
  for (const OffsetDigit& digit : digits) {
    OffsetDigit* previous =
        filled.digits.empty() ? nullptr : &filled.digits.back();
    if (digit.stride > extent) {
      if (previous != nullptr && previous->is_last &&
          digit.stride % previous->stride == 0) {
        previous->size = digit.stride / previous->stride;
        previous->is_padded = true;
        extent = digit.stride;
      } else if (digit.stride % extent == 0) {
        filled.digits.push_back(
            {FilledDigits::kGap, digit.stride / extent, extent, false, true});
        filled.has_gap = true;
        extent = digit.stride;
      }
    }
    if (digit.stride != extent) {
      return InvalidArgumentError(
          "no XLA layout has the stride ", digit.stride, " of ", digit.size,
          ":", digit.stride, " in mode ", digit.dimension,
          digit.stride < extent
              ? " within the extent "
              : " with a gap that is not padding after the extent ",
          extent, " of the smaller ones");
    }
    filled.digits.push_back(digit);
    if (__builtin_mul_overflow(digit.stride, digit.size, &extent)) {
      return absl::OutOfRangeError("the extent exceeds 2^63-1");
    }
  }
  return filled;
}

// Returns the tiles of the layout with this order of dimensions, in the order
// of application. Each row of digits in the physical order is one tile. The
// last row is a tile only if `tiles_last_row`, and only as far up as it is
// padded. `places` is the physical number of each dimension, counted from the
// minor-most one, and that of gaps, which may be one more than there are
// dimensions. nullopt if there are more than `max_tiles`.
std::optional<Layout::Tiles> TilesFor(absl::Span<const OffsetDigit> digits,
                                      absl::Span<const int64_t> places,
                                      int64_t place_of_gaps,
                                      bool tiles_last_row, int64_t max_tiles) {
  const auto place = [&](const OffsetDigit& digit) {
    return digit.dimension == FilledDigits::kGap ? place_of_gaps
                                                 : places[digit.dimension];
  };
  // Where each row ends.
  std::vector<size_t> ends;
  for (size_t i = 0; i < digits.size(); ++i) {
    const bool is_row_end =
        i + 1 == digits.size() || place(digits[i + 1]) <= place(digits[i]);
    if (!is_row_end || (i + 1 == digits.size() && !tiles_last_row)) continue;
    if (static_cast<int64_t>(ends.size()) == max_tiles) return std::nullopt;
    ends.push_back(i + 1);
  }
  // From the last tile, which has the fastest digits, to the first.
  Layout::Tiles tiles(ends.size());
  std::vector<int64_t> sizes(places.size() + 1, 1);
  size_t i = 0;
  int64_t entries = 0;  // never fewer than in the next tile, which cuts these
  for (size_t row = 0; row < ends.size(); ++row) {
    const bool is_last_row = ends[row] == digits.size();
    for (; i < ends[row]; ++i) {
      sizes[place(digits[i])] *= digits[i].size;
      if (!is_last_row || digits[i].is_padded) {
        entries = std::max(entries, place(digits[i]) + 1);
      }
    }
    tiles[ends.size() - 1 - row] =
        Tile(Tile::Dimensions(sizes.rend() - entries, sizes.rend()));
  }
  return tiles;
}

// Returns the layout's function for coordinates with mode i below bounds[i].
absl::StatusOr<IndexMap> MapWithin(
    const absl::InlinedVector<cute::Layout, 2>& modes,
    absl::Span<const int64_t> bounds) {
  IndexMap::Builder builder(bounds);
  std::vector<IndexMap::Builder::StridedCoordinate> digits;
  for (size_t i = 0; i < modes.size(); ++i) {
    IndexMap::Builder::Coordinate rest = builder.Dimension(i);
    const cute::Layout::Leaves leaves =
        cute::CoalescedLeaves(modes[i].leaves());
    for (size_t k = 0; k < leaves.size(); ++k) {
      if (k + 1 == leaves.size()) {
        digits.push_back({rest, leaves[k].stride});
      } else {
        const auto split = builder.Split(rest, leaves[k].size);
        digits.push_back({split.second, leaves[k].stride});
        rest = split.first;
      }
    }
  }
  return std::move(builder).BuildStrided(digits);
}

// The orders of dimensions to try: the usual one, those by the largest and by
// the smallest stride of each dimension, and, for few dimensions, all others.
std::vector<Layout::MinorToMajor> OrdersToTry(
    int64_t rank, absl::Span<const OffsetDigit> digits) {
  constexpr int64_t kMaxRankToPermute = 6;
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  Layout::MinorToMajor usual(rank);
  std::iota(usual.rbegin(), usual.rend(), 0);
  std::vector<Layout::MinorToMajor> orders = {usual};
  std::vector<int64_t> smallest(rank, kNone), largest(rank, kNone);
  for (const OffsetDigit& digit : digits) {
    if (smallest[digit.dimension] == kNone) {
      smallest[digit.dimension] = digit.stride;
    }
    largest[digit.dimension] = digit.stride;
  }
  for (const std::vector<int64_t>& strides : {largest, smallest}) {
    Layout::MinorToMajor order = usual;
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return strides[a] < strides[b];
    });
    orders.push_back(std::move(order));
  }
  if (rank > kMaxRankToPermute) return orders;
  while (std::prev_permutation(usual.begin(), usual.end())) {
    orders.push_back(usual);
  }
  return orders;
}

// The cost of an answer, smaller being better: whether positions of the layout
// are missing, how many tiles there are, and how many entries they have.
using Cost = std::tuple<bool, int64_t, int64_t>;

absl::StatusOr<Shape> FindShape(const cute::Layout& layout,
                                absl::Span<const int64_t> bounds,
                                PrimitiveType element_type) {
  // Entries of tiles of one candidate; far more than any tiling has.
  constexpr int64_t kMaxEntries = 1 << 20;
  if (!IsArrayType(element_type)) {
    return InvalidArgumentError("no array has elements of type ",
                                PrimitiveTypeName(element_type));
  }
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, cute::ToIndexMap(layout));
  const absl::InlinedVector<cute::Layout, 2> modes = layout.Modes();
  const int64_t rank = modes.size();
  TESSERA_ASSIGN_OR_RETURN(const std::vector<OffsetDigit> digits,
                           DigitsByStride(modes));
  TESSERA_ASSIGN_OR_RETURN(FilledDigits filled, FillGaps(digits));
  bool has_padding = false;
  for (OffsetDigit& digit : filled.digits) {
    if (digit.is_last &&
        bounds[digit.dimension] < modes[digit.dimension].size()) {
      digit.is_padded = true;
    }
    has_padding |= digit.is_padded;
  }
  int64_t unit_dimension = -1;
  for (int64_t i = 0; i < rank; ++i) {
    if (modes[i].size() == 1) unit_dimension = i;
  }
  if (has_padding) {
    TESSERA_ASSIGN_OR_RETURN(map, MapWithin(modes, bounds));
  }

  std::optional<Shape> best;
  Cost best_cost;
  for (const Layout::MinorToMajor& minor_to_major : OrdersToTry(rank, digits)) {
    std::vector<int64_t> places(rank);
    for (int64_t i = 0; i < rank; ++i) places[minor_to_major[i]] = i;
    for (const bool tiles_last_row : {false, true}) {
      if (tiles_last_row && !has_padding) continue;
      for (const int64_t dimension_of_gaps : {unit_dimension, rank}) {
        if (dimension_of_gaps != rank &&
            (!filled.has_gap || dimension_of_gaps < 0)) {
          continue;
        }
        const int64_t max_tiles = best.has_value() && !std::get<0>(best_cost)
                                      ? std::get<1>(best_cost)
                                      : kMaxEntries / (rank + 1);
        std::optional<Layout::Tiles> tiles = TilesFor(
            filled.digits, places,
            dimension_of_gaps == rank ? rank : places[dimension_of_gaps],
            tiles_last_row, max_tiles);
        if (!tiles.has_value()) continue;
        int64_t entries = 0;
        for (const Tile& tile : *tiles) entries += tile.dimensions().size();
        Cost cost(false, tiles->size(), entries);
        if (best.has_value() && cost >= best_cost) continue;
        Layout::Parts parts;
        parts.minor_to_major = minor_to_major;
        parts.tiles = *std::move(tiles);
        const Shape shape = Shape::Array(
            element_type, Shape::Dimensions(bounds.begin(), bounds.end()),
            Layout(std::move(parts)));
        const absl::StatusOr<IndexMap> candidate = tessera::ToIndexMap(shape);
        if (!candidate.ok()) continue;
        std::get<0>(cost) = candidate->position_count() < layout.cosize();
        if (best.has_value() && cost >= best_cost) continue;
        const absl::StatusOr<bool> is_same = SameFunction(map, *candidate);
        if (!is_same.ok() || !*is_same) continue;
        best = shape;
        best_cost = cost;
      }
    }
  }
  if (best.has_value()) return *std::move(best);
  return UnimplementedError(
      "no order of dimensions and tiles was found that puts the "
      "elements where ",
      layout.ToString(), " does");
}

}  // namespace

bool CuteLayoutOfShape::is_exact() const {
  const absl::InlinedVector<cute::Layout, 2> modes = layout.Modes();
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (modes[i].size() != bounds[i]) return false;
  }
  return true;
}

std::string CuteLayoutOfShape::Predicate() const {
  const absl::InlinedVector<cute::Layout, 2> modes = layout.Modes();
  std::string predicate;
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (modes[i].size() == bounds[i]) continue;
    absl::StrAppend(&predicate, predicate.empty() ? "" : " && ", "i", i, " < ",
                    bounds[i]);
  }
  return predicate;
}

absl::StatusOr<CuteLayoutOfShape> ToCuteLayout(const Shape& shape) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap map, ToIndexMap(shape));
  if (map.element_count() == 0) {
    return InvalidArgumentError(
        shape.ToString(), " has no elements; a CuTe layout has at least one");
  }
  TESSERA_RETURN_IF_ERROR(CheckSeparate(map));
  CuteLayoutOfShape result;
  cute::Layout::Builder builder;
  builder.Tuple(map.rank());
  for (int64_t i = 0; i < map.rank(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(cute::Layout::Leaves modes,
                             ModesOfDimension(map, i));
    builder.AppendFlat(modes);
    result.bounds.push_back(map.bounds()[i]);
  }
  TESSERA_ASSIGN_OR_RETURN(result.layout, std::move(builder).Build());
  return result;
}

absl::StatusOr<Shape> ToXlaShape(const cute::Layout& layout,
                                 PrimitiveType element_type) {
  std::vector<int64_t> sizes;
  for (const cute::Layout& mode : layout.Modes()) sizes.push_back(mode.size());
  return FindShape(layout, sizes, element_type);
}

absl::StatusOr<Shape> ToXlaShape(const CuteLayoutOfShape& cute,
                                 PrimitiveType element_type) {
  const absl::InlinedVector<cute::Layout, 2> modes = cute.layout.Modes();
  if (modes.size() != cute.bounds.size()) {
    return InvalidArgumentError(cute.bounds.size(), " bounds for the ",
                                modes.size(), " modes of ",
                                cute.layout.ToString());
  }
  for (size_t i = 0; i < modes.size(); ++i) {
    if (cute.bounds[i] < 1 || cute.bounds[i] > modes[i].size()) {
      return InvalidArgumentError("bounds[", i, "] = ", cute.bounds[i],
                                  " is outside [1, ", modes[i].size(),
                                  "], the size of mode ", i, " being the most");
    }
  }
  return FindShape(cute.layout, cute.bounds, element_type);
}

}  // namespace tessera
