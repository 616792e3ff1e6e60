#include "tessera/cute/algebra/divide.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/internal/by_mode.h"
#include "tessera/cute/internal/pair_arrangement.h"

namespace tessera::cute {
namespace {

// Returns (B, Complement(B, size(A))).
absl::StatusOr<Layout> TileAndTiles(const Layout& layout, const Layout& tile) {
  TESSERA_ASSIGN_OR_RETURN(const Layout& rest, Complement(tile, layout.size()));
  return Layout::Concatenate({tile, rest});
}

// A last mode of size 1 determines only the positions after the last element,
// which do not exist.
bool EndsInModeOfSizeOne(const Layout& layout) {
  return !layout.leaves().empty() && layout.leaves().back().size == 1;
}

absl::StatusOr<Layout> Divide(const Layout& layout, const Tiler& tiler,
                              const CompositionOptions& options,
                              PairArrangement arrangement) {
  return ArrangePairs(
      layout, tiler, arrangement, UnderscorePlace::kSecond,
      [&](const Layout& mode, const Layout& tile) -> absl::StatusOr<Layout> {
        TESSERA_ASSIGN_OR_RETURN(const Layout& coordinates,
                                 TileAndTiles(mode, tile));
        absl::StatusOr<Layout> divided =
            Composition(mode, coordinates, options);
        if (divided.ok()) return divided;
        if (EndsInModeOfSizeOne(mode)) {
          absl::StatusOr<Layout> within =
              Composition(Coalesce(mode), coordinates, options);
          if (within.ok()) return within;
        }
        return absl::Status(
            divided.status().code(),
            absl::StrCat("A = ", mode.ToString(),
                         " by B = ", coordinates.ToString(),
                         ", (tile, tiles): ", divided.status().message()));
      });
}

}  // namespace

absl::StatusOr<Layout> LogicalDivide(const Layout& layout, const Tiler& tiler,
                                     const CompositionOptions& options) {
  return Divide(layout, tiler, options, PairArrangement::kLogical);
}

absl::StatusOr<Layout> ZippedDivide(const Layout& layout, const Tiler& tiler,
                                    const CompositionOptions& options) {
  return Divide(layout, tiler, options, PairArrangement::kZipped);
}

absl::StatusOr<Layout> TiledDivide(const Layout& layout, const Tiler& tiler,
                                   const CompositionOptions& options) {
  return Divide(layout, tiler, options, PairArrangement::kTiled);
}

absl::StatusOr<Layout> FlatDivide(const Layout& layout, const Tiler& tiler,
                                  const CompositionOptions& options) {
  return Divide(layout, tiler, options, PairArrangement::kFlat);
}

std::string RaggedMode::ToString() const {
  return absl::StrCat(
      mode.empty() ? "" : absl::StrCat("mode ", absl::StrJoin(mode, ","), ": "),
      coordinates.ToString(), " at (in tile, tile) < ", size);
}

absl::StatusOr<std::vector<RaggedMode>> RaggedModes(const Layout& layout,
                                                    const Tiler& tiler) {
  std::vector<RaggedMode> ragged;
  Layout::Builder unused;
  TESSERA_RETURN_IF_ERROR(ForEachMode(
      layout, tiler.profile().nodes(),
      [&](size_t node) { return tiler.GoesByMode(node); },
      RestOfModes::kDropped, &unused,
      [&](ProfilePosition position, const Subtree& subtree,
          const ModePath& path) {
        if (tiler.IsUnderscore(position)) return absl::OkStatus();
        const Layout mode = layout.Subtree(subtree.begin, subtree.end);
        TESSERA_ASSIGN_OR_RETURN(Layout coordinates,
                                 TileAndTiles(mode, tiler.LayoutAt(position)));
        if (coordinates.cosize() > mode.size()) {
          ragged.push_back({{path.begin(), path.end()},
                            std::move(coordinates),
                            mode.size()});
        }
        return absl::OkStatus();
      }));
  return ragged;
}

}  // namespace tessera::cute
