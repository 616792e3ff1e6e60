#include "tessera/tests/literal/random_layouts.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"

namespace tessera {
namespace {

constexpr int64_t kCombine = LiteralLayout::kCombine;

std::vector<std::vector<int64_t>> AllTiles(const SmallLayouts& family) {
  std::vector<std::vector<int64_t>> tiles;
  for (int64_t rank = 1; rank <= family.max_tile_rank; ++rank) {
    const std::vector<int64_t> choices(rank, family.tile_entries.size());
    std::vector<int64_t> choice(rank, 0);
    do {
      std::vector<int64_t> tile;
      for (const int64_t i : choice) tile.push_back(family.tile_entries[i]);
      if (tile.back() != kCombine) tiles.push_back(std::move(tile));
    } while (NextIndex(choices, &choice));
  }
  return tiles;
}

bool OneIn(int64_t n, RandomBits* random) { return Uniform(1, n, random) == 1; }

enum class Style {
  kAny,
  kPowersOfTwo,
  kDeviceTiles,  // tiles as XLA's backends choose them
};

Style RandomStyle(RandomBits* random) {
  switch (Uniform(0, 3, random)) {
    case 0:
      return Style::kPowersOfTwo;
    case 1:
      return Style::kDeviceTiles;
    default:
      return Style::kAny;
  }
}

// From 1 to `high`, every power of two as likely as the next; nothing else with
// kPowersOfTwo.
int64_t RandomSize(int64_t high, Style style, RandomBits* random) {
  int64_t bits = 0;
  while (bits < 62 && high >> (bits + 1) != 0) ++bits;
  const int64_t low = int64_t{1} << Uniform(0, bits, random);
  if (style == Style::kPowersOfTwo) return low;
  return Uniform(low, low + std::min(low - 1, high - low), random);
}

// Major to minor; 1 for 0, so that the other bounds stay limited too.
std::vector<int64_t> PhysicalBounds(const LiteralLayout& layout) {
  std::vector<int64_t> bounds;
  for (int64_t i = layout.rank(); i-- > 0;) {
    const int64_t bound = layout.bounds[layout.minor_to_major[i]];
    bounds.push_back(std::max<int64_t>(bound, 1));
  }
  return bounds;
}

bool ProductFits(const std::vector<int64_t>& bounds, int64_t max_positions) {
  int64_t positions = 1;
  for (const int64_t bound : bounds) {
    if (positions > max_positions / bound) return false;
    positions *= bound;
  }
  return true;
}

// What `tile` makes of `bounds`, or nullopt if that is more than
// `max_positions`. No bound may be 0.
std::optional<std::vector<int64_t>> ExpandedBounds(std::vector<int64_t> bounds,
                                                   std::vector<int64_t> tile,
                                                   int64_t max_positions) {
  while (bounds.size() < tile.size()) bounds.insert(bounds.begin(), 1);
  const size_t first = bounds.size() - tile.size();
  for (size_t i = 0; i < tile.size();) {
    if (tile[i] == kCombine) {
      bounds[first + i + 1] *= bounds[first + i];
      bounds.erase(bounds.begin() + first + i);
      tile.erase(tile.begin() + i);
    } else {
      ++i;
    }
  }
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t& bound = bounds[first + i];
    bound = bound / tile[i] + (bound % tile[i] != 0 ? 1 : 0);
  }
  bounds.insert(bounds.end(), tile.begin(), tile.end());
  if (!ProductFits(bounds, max_positions)) return std::nullopt;
  return bounds;
}

std::vector<int64_t> RandomTile(const RandomLayoutOptions& options, Style style,
                                const std::vector<int64_t>& bounds,
                                RandomBits* random) {
  const int64_t rank = bounds.size();
  const int64_t tile_rank =
      Uniform(1, std::min(rank + 1, options.max_tile_rank), random);
  std::vector<int64_t> tile;
  for (int64_t i = 0; i < tile_rank; ++i) {
    const int64_t axis = rank - tile_rank + i;
    if (i != tile_rank - 1 && OneIn(6, random)) {
      tile.push_back(kCombine);
    } else if (axis >= 0 && bounds[axis] <= options.max_tile_entry &&
               OneIn(4, random)) {
      tile.push_back(bounds[axis]);
    } else {
      tile.push_back(RandomSize(options.max_tile_entry, style, random));
    }
  }
  return tile;
}

using Tiles = std::vector<std::vector<int64_t>>;

Tiles RandomDeviceTiles(RandomBits* random) {
  static const auto* const kDeviceTiles = new std::vector<Tiles>{
      {{128}},
      {{2, 128}},
      {{8, 128}},
      {{8, 128}, {2, 1}},
      {{8, 128}, {4, 1}},
      {{16, 128}, {2, 1}},
      {{32, 128}, {32, 1}},
      {{64, 128}, {8, 1}},
      {{256}, {128}, {2, 1}},
      {{1024}, {128}, {2, 1}},
  };
  return (*kDeviceTiles)[Uniform(0, kDeviceTiles->size() - 1, random)];
}

// Tiles for an array of these bounds, major to minor, as long as what they make
// of them fits; `*bounds` becomes that.
Tiles RandomTiles(const RandomLayoutOptions& options, Style style,
                  std::vector<int64_t>* bounds, RandomBits* random) {
  Tiles device_tiles;
  int64_t levels = Uniform(0, options.max_tile_levels, random);
  if (style == Style::kDeviceTiles) {
    device_tiles = RandomDeviceTiles(random);
    levels = device_tiles.size();
  }
  Tiles tiles;
  for (int64_t level = 0; level < levels; ++level) {
    const std::vector<int64_t> tile =
        style == Style::kDeviceTiles
            ? device_tiles[level]
            : RandomTile(options, style, *bounds, random);
    std::optional<std::vector<int64_t>> expanded =
        ExpandedBounds(*bounds, tile, options.max_positions);
    if (!expanded.has_value()) break;
    tiles.push_back(tile);
    *bounds = *std::move(expanded);
  }
  return tiles;
}

}  // namespace

int64_t ForEachSmallLayout(
    const SmallLayouts& family, int64_t part, int64_t parts,
    absl::FunctionRef<void(const LiteralLayout&)> visit) {
  const std::vector<std::vector<int64_t>> all_tiles = AllTiles(family);
  const std::vector<int64_t> tile_choices(family.tile_levels, all_tiles.size());
  int64_t number = 0;
  int64_t visited = 0;
  for (int64_t rank = 0; rank <= family.max_rank; ++rank) {
    const std::vector<int64_t> bound_choices(rank, family.max_bound + 1);
    LiteralLayout layout;
    layout.bounds.assign(rank, 0);
    layout.minor_to_major.resize(rank);
    std::iota(layout.minor_to_major.begin(), layout.minor_to_major.end(), 0);
    layout.tiles.resize(family.tile_levels);
    do {
      do {
        std::vector<int64_t> tile_choice(family.tile_levels, 0);
        do {
          if (number++ % parts != part) continue;
          for (int64_t level = 0; level < family.tile_levels; ++level) {
            layout.tiles[level] = all_tiles[tile_choice[level]];
          }
          visit(layout);
          ++visited;
        } while (NextIndex(tile_choices, &tile_choice));
      } while (std::next_permutation(layout.minor_to_major.begin(),
                                     layout.minor_to_major.end()));
    } while (NextIndex(bound_choices, &layout.bounds));
  }
  return visited;
}

uint64_t TestSeed() {
  uint64_t seed = 1;
  const char* text = std::getenv("TESSERA_TEST_SEED");
  if (text != nullptr && !absl::SimpleAtoi(text, &seed)) {
    std::cerr << "TESSERA_TEST_SEED is no number: " << text << "\n";
  }
  std::cerr << "TESSERA_TEST_SEED=" << seed << "\n";
  return seed;
}

int64_t Uniform(int64_t low, int64_t high, RandomBits* random) {
  // Unsigned, as the count of 0 to 2^63-1 is no int64_t.
  const uint64_t count = static_cast<uint64_t>(high) - low + 1;
  return low + static_cast<int64_t>((*random)() % count);
}

RandomLayoutOptions LargeLayoutOptions() {
  RandomLayoutOptions options;
  options.max_bound = int64_t{1} << 40;
  options.max_tile_entry = 4096;
  options.max_tail_padding_alignment = int64_t{1} << 20;
  options.max_positions = std::numeric_limits<int64_t>::max();
  return options;
}

LiteralLayout RandomLayout(const RandomLayoutOptions& options,
                           RandomBits* random) {
  const Style style = RandomStyle(random);
  LiteralLayout layout;
  const int64_t rank = Uniform(0, options.max_rank, random);
  // Leaves room for padding, more or less of it.
  int64_t room = RandomSize(options.max_positions, Style::kAny, random);
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t bound =
        RandomSize(std::min(room, options.max_bound),
                   OneIn(2, random) ? style : Style::kAny, random);
    layout.bounds.push_back(bound);
    layout.minor_to_major.push_back(d);
    room /= bound;
  }
  std::shuffle(layout.bounds.begin(), layout.bounds.end(), *random);
  std::shuffle(layout.minor_to_major.begin(), layout.minor_to_major.end(),
               *random);

  std::vector<int64_t> expanded = PhysicalBounds(layout);
  layout.tiles = RandomTiles(options, style, &expanded, random);
  if (OneIn(4, random)) {
    const int64_t positions =
        std::accumulate(expanded.begin(), expanded.end(), int64_t{1},
                        std::multiplies<int64_t>());
    layout.tail_padding_alignment =
        RandomSize(std::min(options.max_tail_padding_alignment,
                            options.max_positions - positions + 1),
                   Style::kAny, random);
  }
  if (rank > 0 && OneIn(32, random)) {
    layout.bounds[Uniform(0, rank - 1, random)] = 0;
  }
  return layout;
}

LiteralLayout RewrittenLayout(LiteralLayout layout, RandomBits* random) {
  const auto append_tile = [&layout](std::vector<int64_t> tile) {
    layout.tiles.push_back(std::move(tile));
  };
  const auto prepend_entry = [&layout, random](int64_t entry) {
    if (layout.tiles.empty()) layout.tiles.push_back({1});
    std::vector<int64_t>& tile =
        layout.tiles[Uniform(0, layout.tiles.size() - 1, random)];
    tile.insert(tile.begin(), entry);
  };
  switch (Uniform(0, 5, random)) {
    case 0:
      append_tile({1});
      break;
    case 1:
      append_tile({1, Uniform(1, 4, random)});
      break;
    case 2:
      prepend_entry(1);
      break;
    case 3:
      prepend_entry(kCombine);
      break;
    case 4:
      // Dimensions of bound 1 become the most major, which moves nothing
      // unless a tile cuts them.
      std::stable_partition(
          layout.minor_to_major.begin(), layout.minor_to_major.end(),
          [&layout](int64_t d) { return layout.bounds[d] != 1; });
      break;
    case 5:
      // The whole of the minor-most dimension, untiled so far, as one tile.
      if (layout.tiles.empty() && layout.rank() > 0) {
        append_tile(
            {std::max<int64_t>(layout.bounds[layout.minor_to_major[0]], 1)});
      } else {
        append_tile({2, 1});
      }
      break;
  }
  return layout;
}

LiteralLayout ReshapedLayout(LiteralLayout layout, RandomBits* random) {
  std::vector<int64_t>& minor_to_major = layout.minor_to_major;
  // Makes room for a dimension of number `d`.
  const auto insert_dimension = [&layout, &minor_to_major](int64_t d,
                                                           int64_t bound) {
    for (int64_t& dimension : minor_to_major) {
      if (dimension >= d) ++dimension;
    }
    layout.bounds.insert(layout.bounds.begin() + d, bound);
  };
  switch (Uniform(0, 2, random)) {
    case 0: {
      const int64_t d = Uniform(0, layout.rank(), random);
      insert_dimension(d, 1);
      minor_to_major.insert(
          minor_to_major.begin() + Uniform(0, minor_to_major.size(), random),
          d);
      break;
    }
    case 1: {
      if (layout.rank() == 0) break;
      // Preferably the most major, which tiles often leave whole.
      const int64_t d =
          OneIn(2, random)
              ? minor_to_major.back()
              : minor_to_major[Uniform(0, layout.rank() - 1, random)];
      int64_t factor = Uniform(1, 4, random);
      if (layout.bounds[d] % factor != 0) factor = 1;
      layout.bounds[d] /= factor;
      insert_dimension(d + 1, factor);
      minor_to_major.insert(
          std::find(minor_to_major.begin(), minor_to_major.end(), d), d + 1);
      break;
    }
    case 2:
      layout.bounds = {std::accumulate(layout.bounds.begin(),
                                       layout.bounds.end(), int64_t{1},
                                       std::multiplies<int64_t>())};
      layout.minor_to_major = {0};
      layout.tiles.clear();
      break;
  }
  return layout;
}

bool FitsInto(int64_t max_positions, const LiteralLayout& layout) {
  std::vector<int64_t> bounds = PhysicalBounds(layout);
  if (!ProductFits(bounds, max_positions)) return false;
  for (const std::vector<int64_t>& tile : layout.tiles) {
    std::optional<std::vector<int64_t>> expanded =
        ExpandedBounds(std::move(bounds), tile, max_positions);
    if (!expanded.has_value()) return false;
    bounds = *std::move(expanded);
  }
  return true;
}

}  // namespace tessera
