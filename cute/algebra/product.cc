#include "tessera/cute/algebra/product.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/internal/collision.h"
#include "tessera/cute/internal/pair_arrangement.h"
#include "tessera/cute/modes.h"

namespace tessera {
namespace cute {
namespace {

absl::Status CheckTilesApart(const Layout& tiles,
                             const CompositionOptions& options) {
  const Layout moving = FilterZeros(tiles);
  TESSERA_ASSIGN_OR_RETURN(const auto collision,
                           FindCollision(moving, options.max_evaluations));
  if (!collision.has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "tiles overlap: ", moving.ToString(), " is ", moving(collision->first),
      " at the coordinates ", collision->first, " and ", collision->second));
}

absl::StatusOr<Layout> BlockAndTiles(const Layout& block, const Layout& tiles,
                                     const CompositionOptions& options) {
  if (tiles.has_basis()) {
    return absl::InvalidArgumentError(
        absl::StrCat("tiles lie at offsets, not at the coordinates that ",
                     tiles.ToString(), " gives"));
  }
  absl::StatusOr<Layout> repetitions = UnboundedComplement(block);
  if (!repetitions.ok()) return repetitions;
  TESSERA_RETURN_IF_ERROR(CheckTilesApart(tiles, options));
  absl::StatusOr<Layout> placed = Composition(*repetitions, tiles, options);
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

// The modes of `part`, which stands for `padded`: an integral one is a single
// mode, also if it became a tuple.
absl::InlinedVector<Layout, 2> ModesLike(const Layout& part,
                                         const Layout& padded) {
  if (padded.profile().is_leaf()) return {part};
  return part.Modes();
}

absl::StatusOr<Layout> ProductByRank(const Layout& block, const Layout& tiler,
                                     bool block_first,
                                     const CompositionOptions& options) {
  const int64_t rank = std::max(block.rank(), tiler.rank());
  absl::StatusOr<Layout> padded_block = AppendToRank(block, rank);
  if (!padded_block.ok()) return padded_block;
  absl::StatusOr<Layout> padded_tiler = AppendToRank(tiler, rank);
  if (!padded_tiler.ok()) return padded_tiler;
  absl::StatusOr<Layout> product =
      LogicalProduct(*padded_block, *padded_tiler, options);
  if (!product.ok()) return product;
  const auto blocks = ModesLike(product->Mode(0), *padded_block);
  const auto tiles = ModesLike(product->Mode(1), *padded_tiler);
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

}  // namespace cute
}  // namespace tessera
