#include "tessera/index_map/algebra.h"

#include <optional>
#include <tuple>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map_builder.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;
using Coordinates = absl::InlinedVector<Coordinate, 6>;

// From the end of the previous block, the dimensions up to a_end of one array
// and up to b_end of another have the same product.
struct Block {
  int64_t size;
  size_t a_end;
  size_t b_end;
};

// Precondition: equal products, not 0.
std::vector<Block> CommonBlocks(absl::Span<const int64_t> a,
                                absl::Span<const int64_t> b) {
  std::vector<Block> blocks;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    int64_t a_size = i < a.size() ? a[i++] : 1;
    int64_t b_size = j < b.size() ? b[j++] : 1;
    while (a_size != b_size) {
      if (a_size < b_size) {
        a_size *= a[i++];
      } else {
        b_size *= b[j++];
      }
    }
    blocks.push_back({a_size, i, j});
  }
  return blocks;
}

}  // namespace

absl::StatusOr<IndexMap> Permuted(const IndexMap& map,
                                  absl::Span<const int64_t> dimensions) {
  const int64_t rank = map.rank();
  absl::InlinedVector<bool, 6> seen(rank, false);
  bool is_permutation = static_cast<int64_t>(dimensions.size()) == rank;
  for (const int64_t dimension : dimensions) {
    is_permutation = is_permutation && dimension >= 0 && dimension < rank &&
                     !seen[dimension];
    if (is_permutation) seen[dimension] = true;
  }
  if (!is_permutation) {
    return InvalidArgumentError("{", absl::StrJoin(dimensions, ","),
                                "} is not a permutation of the ", rank,
                                " dimensions");
  }
  absl::InlinedVector<int64_t, 6> bounds(rank);
  for (int64_t i = 0; i < rank; ++i) bounds[i] = map.bounds()[dimensions[i]];
  IndexMap::Builder builder(bounds);
  Coordinates coordinates(rank);
  for (int64_t i = 0; i < rank; ++i) {
    coordinates[dimensions[i]] = builder.Dimension(i);
  }
  return std::move(builder).BuildMapped(map, coordinates);
}

absl::StatusOr<IndexMap> Reshaped(const IndexMap& map,
                                  absl::Span<const int64_t> bounds) {
  for (const int64_t bound : bounds) {
    if (bound < 0) {
      return InvalidArgumentError("bound ", bound, " is negative");
    }
  }
  const std::optional<int64_t> count = CheckedProduct(bounds);
  if (count != map.element_count()) {
    return InvalidArgumentError("[", absl::StrJoin(bounds, ","),
                                "] does not have the ", map.element_count(),
                                " elements of [",
                                absl::StrJoin(map.bounds(), ","), "]");
  }
  IndexMap::Builder builder(bounds);
  Coordinates coordinates(map.rank());
  if (map.element_count() == 0) {
    // There are no indices; coordinates only have to be within bounds.
    for (Coordinate& coordinate : coordinates) coordinate = builder.Unit();
    return std::move(builder).BuildMapped(map, coordinates);
  }
  size_t joined = 0, cut = 0;
  for (const Block& block : CommonBlocks(bounds, map.bounds())) {
    Coordinate rest = builder.Unit();
    for (; joined < block.a_end; ++joined) {
      rest =
          builder.Join(rest, builder.Dimension(static_cast<int64_t>(joined)));
    }
    for (size_t i = block.b_end; i-- > cut;) {
      if (i == cut) {
        coordinates[i] = rest;
      } else {
        std::tie(rest, coordinates[i]) = builder.Split(rest, map.bounds()[i]);
      }
    }
    cut = block.b_end;
  }
  return std::move(builder).BuildMapped(map, coordinates);
}

absl::StatusOr<IndexMap> Sliced(const IndexMap& map,
                                absl::Span<const int64_t> start,
                                absl::Span<const int64_t> limit) {
  const size_t rank = map.bounds().size();
  if (start.size() != rank || limit.size() != rank) {
    return InvalidArgumentError(
        "a slice from ", start.size(), " to ", limit.size(),
        " coordinates, but the array has ", rank, " dimensions");
  }
  absl::InlinedVector<int64_t, 6> bounds(rank);
  for (size_t i = 0; i < rank; ++i) {
    if (start[i] < 0 || start[i] > limit[i] || limit[i] > map.bounds()[i]) {
      return OutOfRangeError("the slice [", start[i], ", ", limit[i],
                             ") of dimension ", i, " is not within [0, ",
                             map.bounds()[i], ")");
    }
    bounds[i] = limit[i] - start[i];
  }
  IndexMap::Builder builder(bounds);
  Coordinates coordinates(rank);
  for (size_t i = 0; i < rank; ++i) {
    coordinates[i] = builder.Dimension(static_cast<int64_t>(i));
    if (start[i] != 0) {
      coordinates[i] = builder.Sum({{coordinates[i], 1}}, start[i]);
    }
  }
  return std::move(builder).BuildMapped(map, coordinates);
}

absl::StatusOr<IndexMap> Composed(const IndexMap& outer,
                                  const IndexMap& inner) {
  if (outer.rank() != 1) {
    return InvalidArgumentError(
        "the outer map has ", outer.rank(),
        " dimensions, but a position is a single coordinate");
  }
  if (inner.element_count() != 0 && inner.tail_begin() > outer.bounds()[0]) {
    return OutOfRangeError(
        "the inner map has positions up to ", inner.tail_begin() - 1,
        ", past the bound of the outer, ", outer.bounds()[0]);
  }
  if (inner.is_swizzled()) {
    return absl::UnimplementedError(
        "the inner map is swizzled: its positions are not a sum of digits");
  }
  for (const IndexMap::Digit& digit : inner.digits()) {
    if (digit.stride < 0) {
      return UnimplementedError("the inner map has a negative stride, ",
                                digit.stride);
    }
  }
  IndexMap::Builder builder(inner.bounds());
  Coordinates dimensions(inner.rank());
  for (int64_t i = 0; i < inner.rank(); ++i) {
    dimensions[i] = builder.Dimension(i);
  }
  const Coordinate position = builder.PositionIn(inner, dimensions);
  return std::move(builder).BuildMapped(outer, {position});
}

std::vector<int64_t> CommonBounds(absl::Span<const int64_t> a,
                                  absl::Span<const int64_t> b) {
  std::vector<int64_t> common;
  for (const Block& block : CommonBlocks(a, b)) common.push_back(block.size);
  return common;
}

}  // namespace tessera
