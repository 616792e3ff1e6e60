#include "tests/viz/random_maps.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/tests/index_util/literal_shape.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;
using Strided = IndexMap::Builder::StridedCoordinate;

std::vector<int64_t> RandomBounds(int64_t max_rank, int64_t max_bound,
                                  RandomBits* random) {
  std::vector<int64_t> bounds(Uniform(1, max_rank, random));
  for (int64_t& bound : bounds) bound = Uniform(1, max_bound, random);
  return bounds;
}

// As CuTe has them: every dimension in one or two modes with any strides.
IndexMap RandomStrides(RandomBits* random) {
  const std::vector<int64_t> bounds = RandomBounds(3, 12, random);
  IndexMap::Builder builder(bounds);
  std::vector<Strided> modes;
  int64_t base = Uniform(0, 5, random);
  for (size_t i = 0; i < bounds.size(); ++i) {
    const auto [outer, inner] =
        builder.Split(builder.Dimension(i), Uniform(1, 4, random));
    modes.push_back({outer, Uniform(0, 40, random)});
    modes.push_back({inner, Uniform(0, 9, random)});
  }
  for (Strided& mode : modes) {
    if (Uniform(0, 5, random) > 0) continue;
    base += (mode.coordinate.bound - 1) * mode.stride;
    mode.stride = -mode.stride;
  }
  return *std::move(builder).BuildStrided(modes, base);
}

// The same dense, in a random order.
IndexMap RandomModes(RandomBits* random) {
  const std::vector<int64_t> bounds = RandomBounds(3, 16, random);
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const auto [outer, inner] =
        builder.Split(builder.Dimension(i), Uniform(1, 5, random));
    axes.push_back(outer);
    axes.push_back(inner);
  }
  for (size_t i = axes.size() - 1; i > 0; --i) {
    std::swap(axes[i], axes[Uniform(0, static_cast<int64_t>(i), random)]);
  }
  return *std::move(builder).BuildRowMajor(axes);
}

// As Tenstorrent's: leading dimensions in one sum, both coordinates cut by a
// grid and then by tiles that stand over.
IndexMap RandomShards(RandomBits* random) {
  std::vector<int64_t> bounds = RandomBounds(3, 12, random);
  bounds.push_back(Uniform(1, 12, random));
  IndexMap::Builder builder(bounds);
  std::vector<Strided> rows;
  int64_t stride = 1;
  for (size_t i = bounds.size() - 1; i-- > 0;) {
    rows.push_back({builder.Dimension(i), stride});
    stride *= bounds[i] + Uniform(0, 1, random);
  }
  const Coordinate down =
      rows.size() > 1 ? builder.Sum(rows) : builder.Dimension(0);
  const Coordinate across = builder.Dimension(bounds.size() - 1);
  const auto [row_cell, row] = builder.Split(down, Uniform(1, 9, random));
  const auto [column_cell, column] =
      builder.Split(across, Uniform(1, 6, random));
  const auto [row_tile, in_row] = builder.Split(row, Uniform(1, 4, random));
  const auto [column_tile, in_column] =
      builder.Split(column, Uniform(1, 4, random));
  return *std::move(builder).BuildRowMajor(
      {row_cell, column_cell, row_tile, column_tile, in_row, in_column});
}

IndexMap Unswizzled(RandomBits* random) {
  switch (Uniform(0, 5, random)) {
    case 0:
      return RandomStrides(random);
    case 1:
      return RandomModes(random);
    case 2:
      return RandomShards(random);
    default:
      return *ToIndexMap(ToShape(RandomLayout(RandomLayoutOptions(), random)));
  }
}

}  // namespace

IndexMap RandomMap(RandomBits* random) {
  IndexMap map = Unswizzled(random);
  if (Uniform(0, 3, random) > 0) return map;
  IndexMap::BitSwizzle swizzle;
  swizzle.bits = static_cast<int32_t>(Uniform(1, 3, random));
  swizzle.base = static_cast<int32_t>(Uniform(0, 2, random));
  swizzle.shift = static_cast<int32_t>(Uniform(3, 4, random));
  return *map.Swizzled(swizzle);
}

}  // namespace tessera
