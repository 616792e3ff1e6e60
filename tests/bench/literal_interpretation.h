// The tiled linear index, interpreted literally: the baseline of the index
// benchmarks. It walks the tiles at every call, on arrays on the stack, with
// real divisions and without allocation, as one writes it straight from the
// definition (tiled_layout.md of openxla/xla).
//
// This source is fixed: numbers are compared across versions of Tessera by it.

#ifndef TESSERA_TESTS_BENCH_LITERAL_INTERPRETATION_H_
#define TESSERA_TESTS_BENCH_LITERAL_INTERPRETATION_H_

#include <cstdint>

namespace tessera {

struct LiteralLayout {
  static constexpr int kMaxRank = 16;
  static constexpr int kMaxTiles = 4;

  int rank = 0;
  int64_t bounds[kMaxRank] = {};
  int minor_to_major[kMaxRank] = {};
  int tile_count = 0;
  int tile_rank[kMaxTiles] = {};
  int64_t tiles[kMaxTiles][kMaxRank] = {};
};

// Precondition: no tile holds `*` or has more entries than there are axes.
inline int64_t LiteralLinearIndex(const LiteralLayout& layout,
                                  const int64_t* index) {
  int64_t bounds[LiteralLayout::kMaxRank];
  int64_t entries[LiteralLayout::kMaxRank];
  int rank = layout.rank;
  for (int i = 0; i < rank; ++i) {
    const int dimension = layout.minor_to_major[rank - 1 - i];
    bounds[i] = layout.bounds[dimension];
    entries[i] = index[dimension];
  }
  for (int t = 0; t < layout.tile_count; ++t) {
    const int k = layout.tile_rank[t];
    const int first = rank - k;
    for (int i = 0; i < k; ++i) {
      const int64_t divisor = layout.tiles[t][i];
      bounds[rank + i] = divisor;
      entries[rank + i] = entries[first + i] % divisor;
      bounds[first + i] = (bounds[first + i] + divisor - 1) / divisor;
      entries[first + i] = entries[first + i] / divisor;
    }
    rank += k;
  }
  int64_t linear = 0;
  for (int i = 0; i < rank; ++i) linear = linear * bounds[i] + entries[i];
  return linear;
}

// The inverse; `index` receives the recovered index, in bounds or not.
// Returns whether it is in bounds.
inline bool LiteralMultidimensionalIndex(const LiteralLayout& layout,
                                         int64_t linear, int64_t* index) {
  int64_t bounds[LiteralLayout::kMaxTiles + 1][LiteralLayout::kMaxRank];
  int ranks[LiteralLayout::kMaxTiles + 1];
  ranks[0] = layout.rank;
  for (int i = 0; i < layout.rank; ++i) {
    bounds[0][i] = layout.bounds[layout.minor_to_major[layout.rank - 1 - i]];
  }
  for (int t = 0; t < layout.tile_count; ++t) {
    const int k = layout.tile_rank[t];
    const int rank = ranks[t];
    for (int i = 0; i < rank; ++i) bounds[t + 1][i] = bounds[t][i];
    for (int i = 0; i < k; ++i) {
      const int64_t divisor = layout.tiles[t][i];
      bounds[t + 1][rank - k + i] =
          (bounds[t][rank - k + i] + divisor - 1) / divisor;
      bounds[t + 1][rank + i] = divisor;
    }
    ranks[t + 1] = rank + k;
  }
  int64_t entries[LiteralLayout::kMaxRank];
  const int last = layout.tile_count;
  for (int i = ranks[last]; i-- > 0;) {
    entries[i] = linear % bounds[last][i];
    linear /= bounds[last][i];
  }
  for (int t = last; t-- > 0;) {
    const int k = layout.tile_rank[t];
    const int rank = ranks[t];
    for (int i = 0; i < k; ++i) {
      entries[rank - k + i] =
          entries[rank - k + i] * layout.tiles[t][i] + entries[rank + i];
    }
  }
  bool in_bounds = true;
  for (int i = 0; i < layout.rank; ++i) {
    const int dimension = layout.minor_to_major[layout.rank - 1 - i];
    index[dimension] = entries[i];
    in_bounds = in_bounds && entries[i] < layout.bounds[dimension];
  }
  return in_bounds;
}

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_LITERAL_INTERPRETATION_H_
