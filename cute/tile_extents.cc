#include "tessera/cute/tile_extents.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tessera::cute {
namespace {

// Deeper nesting makes blocks that are not distinguishable.
constexpr size_t kMaxBlocks = 16;

// Outermost first; the mode in full if it is not nested.
std::vector<int64_t> BlocksOf(Layout mode) {
  std::vector<int64_t> blocks;
  while (!mode.profile().is_leaf() && blocks.size() < kMaxBlocks) {
    int64_t block = 1;
    std::vector<int64_t> within;
    for (int64_t i = 0; i + 1 < mode.rank(); ++i) {
      block *= mode.Mode(i).size();
      within.push_back(block);
    }
    blocks.insert(blocks.end(), within.rbegin(), within.rend());
    mode = mode.Mode(0);
  }
  if (blocks.empty()) blocks.push_back(mode.size());
  return blocks;
}

}  // namespace

std::vector<std::vector<int64_t>> TileExtents(const Layout& layout) {
  std::vector<std::vector<int64_t>> of_modes;
  size_t levels = 0;
  const int64_t rank = layout.rank();
  for (int64_t i = 0; i < rank; ++i) {
    const Layout mode = layout.Mode(i);
    of_modes.push_back(BlocksOf(mode));
    if (!mode.profile().is_leaf()) {
      levels = std::max(levels, of_modes.back().size());
    }
  }
  std::vector<std::vector<int64_t>> extents;
  for (size_t level = 0; level < levels; ++level) {
    std::vector<int64_t> extent;
    for (const std::vector<int64_t>& blocks : of_modes) {
      extent.push_back(blocks[std::min(level, blocks.size() - 1)]);
    }
    extents.push_back(std::move(extent));
  }
  return extents;
}

}  // namespace tessera::cute
