#include "tessera/cute/algebra/product.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/internal/pair_arrangement.h"
#include "tessera/cute/modes.h"

namespace tessera::cute {
namespace {

bool HasUnitModes(const Layout& layout) {
  return std::any_of(layout.leaves().begin(), layout.leaves().end(),
                     [](const Layout::Leaf& leaf) { return leaf.size == 1; });
}

absl::StatusOr<Layout> BlockAndTiles(const Layout& block, const Layout& tiles,
                                     const CompositionOptions& options) {
  if (tiles.has_basis()) {
    return InvalidArgumentError(
        "tiles lie at offsets, not at the coordinates that ", tiles.ToString(),
        " gives");
  }
  absl::StatusOr<Layout> repetitions = UnboundedComplement(block);
  if (!repetitions.ok()) return repetitions;
  absl::StatusOr<Layout> placed = Composition(*repetitions, tiles, options);
  if (placed.ok() && HasUnitModes(tiles)) {
    // With a bound, as in C++, modes of size 1 have other strides. Other modes
    // do not, as long as the tiles stay within the bound.
    bool is_saturated = false;
    const absl::StatusOr<Layout> bounded = Complement(
        block, SaturatingMultiply(block.size(), tiles.cosize(), &is_saturated));
    if (bounded.ok() && tiles.cosize() <= bounded->size()) {
      absl::StatusOr<Layout> within = Composition(*bounded, tiles, options);
      if (within.ok()) placed = std::move(within);
    }
  }
  if (!placed.ok()) {
    return absl::Status(
        placed.status().code(),
        absl::StrCat("the tiles B = ", tiles.ToString(),
                     " cannot be placed on the repetitions A = ",
                     repetitions->ToString(),
                     " of the block: ", placed.status().message()));
  }
  return Layout::Concatenate({block, *placed});
}

absl::StatusOr<Layout> Product(const Layout& layout, const Tiler& tiler,
                               const CompositionOptions& options,
                               PairArrangement arrangement) {
  return ArrangePairs(layout, tiler, arrangement, UnderscorePlace::kFirst,
                      [&](const Layout& block, const Layout& tiles) {
                        return BlockAndTiles(block, tiles, options);
                      });
}

// Returns the modes of `part`, or all of it as one mode.
absl::InlinedVector<Layout, 2> PairedModes(const Layout& part,
                                           bool is_one_mode) {
  if (is_one_mode) return {part};
  return part.Modes();
}

absl::StatusOr<Layout> ProductByRank(const Layout& block, const Layout& tiler,
                                     bool block_first,
                                     const CompositionOptions& options) {
  const int64_t rank = std::max(block.rank(), tiler.rank());
  TESSERA_ASSIGN_OR_RETURN(const Layout& padded_block,
                           AppendToRank(block, rank));
  TESSERA_ASSIGN_OR_RETURN(const Layout& padded_tiler,
                           AppendToRank(tiler, rank));
  TESSERA_ASSIGN_OR_RETURN(const Layout& product,
                           LogicalProduct(padded_block, padded_tiler, options));
  const Layout placed_block = product.Mode(0);
  const Layout placed_tiles = product.Mode(1);
  // An integer in the first place is paired with the whole other layout.
  const bool is_whole =
      (block_first ? placed_block : placed_tiles).profile().is_leaf();
  const auto blocks =
      PairedModes(placed_block, is_whole || padded_block.profile().is_leaf());
  const auto tiles =
      PairedModes(placed_tiles, is_whole || padded_tiler.profile().is_leaf());
  Layout::Builder builder;
  builder.Tuple(rank);
  for (int64_t i = 0; i < rank; ++i) {
    builder.Tuple(2);
    builder.Append(block_first ? blocks[i] : tiles[i]);
    builder.Append(block_first ? tiles[i] : blocks[i]);
  }
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> LogicalProduct(const Layout& layout, const Tiler& tiler,
                                      const CompositionOptions& options) {
  return Product(layout, tiler, options, PairArrangement::kLogical);
}

absl::StatusOr<Layout> ZippedProduct(const Layout& layout, const Tiler& tiler,
                                     const CompositionOptions& options) {
  return Product(layout, tiler, options, PairArrangement::kZipped);
}

absl::StatusOr<Layout> TiledProduct(const Layout& layout, const Tiler& tiler,
                                    const CompositionOptions& options) {
  return Product(layout, tiler, options, PairArrangement::kTiled);
}

absl::StatusOr<Layout> FlatProduct(const Layout& layout, const Tiler& tiler,
                                   const CompositionOptions& options) {
  return Product(layout, tiler, options, PairArrangement::kFlat);
}

absl::StatusOr<Layout> BlockedProduct(const Layout& block, const Layout& tiler,
                                      const CompositionOptions& options) {
  return ProductByRank(block, tiler, /*block_first=*/true, options);
}

absl::StatusOr<Layout> RakedProduct(const Layout& block, const Layout& tiler,
                                    const CompositionOptions& options) {
  return ProductByRank(block, tiler, /*block_first=*/false, options);
}

}  // namespace tessera::cute
