#include "tessera/cute/algebra/partition.h"

#include <utility>
#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/coordinates.h"

namespace tessera::cute {
namespace {

// Returns `_` for each mode; `_` alone for one mode.
IntTuple Open(int64_t rank) {
  return IntTuple::Flat(
      std::vector<int64_t>(static_cast<size_t>(rank), IntTuple::kUnderscore));
}

absl::StatusOr<IntTuple> FilledUp(const IntTuple& coordinate, int64_t rank) {
  if (coordinate.is_integer()) return coordinate;
  if (coordinate.rank() > rank) {
    return InvalidArgumentError("the coordinate ", coordinate.ToString(),
                                " has ", coordinate.rank(),
                                " modes, more than ", rank);
  }
  std::vector<IntTuple> modes = coordinate.Modes();
  modes.resize(static_cast<size_t>(rank), IntTuple(IntTuple::kUnderscore));
  return IntTuple::Tuple(modes);
}

absl::StatusOr<LayoutPart> Partition(const Layout& layout, const Tiler& tiler,
                                     const IntTuple& coordinate,
                                     int sliced_mode,
                                     const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(Layout tiled, ZippedDivide(layout, tiler, options));
  TESSERA_ASSIGN_OR_RETURN(
      const IntTuple sliced,
      FilledUp(coordinate, tiled.Mode(sliced_mode).rank()));
  const IntTuple open = Open(tiled.Mode(1 - sliced_mode).rank());
  const IntTuple whole =
      sliced_mode == 0 ? IntTuple({sliced, open}) : IntTuple({open, sliced});
  LayoutPart part;
  TESSERA_ASSIGN_OR_RETURN(part.layout, Slice(whole, tiled));
  TESSERA_ASSIGN_OR_RETURN(part.offset, Evaluate(whole, tiled));
  part.tiled = std::move(tiled);
  return part;
}

}  // namespace

absl::StatusOr<LayoutPart> LocalTile(const Layout& layout, const Tiler& tiler,
                                     const IntTuple& coordinate,
                                     const CompositionOptions& options) {
  return Partition(layout, tiler, coordinate, 1, options);
}

absl::StatusOr<LayoutPart> LocalPartition(const Layout& layout,
                                          const Layout& tile, int64_t index,
                                          const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const IntTuple natural, Idx2Crd(index, tile));
  std::vector<IntTuple> sizes;
  std::vector<IntTuple> coordinate;
  const std::vector<IntTuple> modes = natural.Modes();
  for (int64_t i = 0; i < tile.rank(); ++i) {
    const Layout mode = tile.Mode(i);
    sizes.emplace_back(mode.size());
    TESSERA_ASSIGN_OR_RETURN(const Layout integral,
                             Layout::ColumnMajor(mode.shape()));
    TESSERA_ASSIGN_OR_RETURN(const int64_t flat, Crd2Idx(modes[i], integral));
    coordinate.emplace_back(flat);
  }
  TESSERA_ASSIGN_OR_RETURN(const Tiler tiler,
                           Tiler::OfShape(IntTuple::Tuple(sizes)));
  return Partition(layout, tiler, IntTuple::Tuple(coordinate), 0, options);
}

absl::StatusOr<Tiler> Project(const IntTuple& projection, const Tiler& tiler) {
  if (projection.is_integer() || tiler.is_layout() || tiler.is_underscore() ||
      projection.rank() != tiler.rank()) {
    return InvalidArgumentError("the projection ", projection.ToString(),
                                " does not have the modes of ",
                                tiler.ToString());
  }
  std::vector<Tiler> kept;
  const std::vector<IntTuple> modes = projection.Modes();
  for (int64_t i = 0; i < tiler.rank(); ++i) {
    if (!modes[i].is_integer()) {
      return InvalidArgumentError("mode ", i, " of the projection ",
                                  projection.ToString(),
                                  " is not an integer or '_'");
    }
    if (modes[i].value() != IntTuple::kUnderscore)
      kept.push_back(tiler.Mode(i));
  }
  return Tiler::Tuple(kept);
}

}  // namespace tessera::cute
