#include "tessera/tenstorrent/placement.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tenstorrent/affine/affine_range.h"
#include "tessera/tenstorrent/affine/map_coordinates.h"
#include "tessera/tenstorrent/internal/memory_axes.h"
#include "tessera/tenstorrent/internal/memory_digits.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/internal/storage_view.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;

std::string ToText(absl::Span<const int64_t> index) {
  return absl::StrCat("[", absl::StrJoin(index, ","), "]");
}

// Moves to the next index within `bounds`. Returns false after the last.
bool Advance(absl::Span<const int64_t> bounds, Dimensions* index) {
  for (size_t i = bounds.size(); i-- > 0;) {
    if (++(*index)[i] < bounds[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

absl::Status PositionOutside(const Geometry& geometry,
                             absl::Span<const int64_t> index, int64_t result,
                             int64_t position) {
  if (position < 0) {
    return RuleError(
        Rule::kPositionBelow,
        absl::StrCat("index ", ToText(index), " is at ", position,
                     " in result ", result, "; positions are not negative"));
  }
  return RuleError(
      Rule::kPositionPast,
      absl::StrCat("index ", ToText(index), " is at ", position, " in result ",
                   result, ", past the last index at ",
                   geometry.extent[result] - 1,
                   "; the extent is the position of the last index plus 1"));
}

absl::Status Undecided(std::string_view what, int64_t evaluation_limit) {
  return RuleError(
      Rule::kUndecided,
      StrCat(what, " is not known after ", evaluation_limit, " indices"),
      absl::StatusCode::kUnimplemented);
}

// Returns the number of indices to try: fewer for maps that take long to
// evaluate.
int64_t TriesOf(const Geometry& geometry, int64_t evaluation_limit) {
  constexpr int64_t kFewNodes = 64;
  int64_t nodes = static_cast<int64_t>(geometry.shape.size());
  for (const AffineExpression& result : geometry.linear.results()) {
    nodes += static_cast<int64_t>(result.nodes().size());
  }
  return evaluation_limit / (1 + nodes / kFewNodes);
}

// Checks that every position is within the extent.
absl::Status CheckPositions(const Geometry& geometry,
                            int64_t evaluation_limit) {
  if (KnownProduct(geometry.shape) == 0) return absl::OkStatus();
  const absl::StatusOr<std::vector<AffineRange>> ranges =
      RangesOf(geometry.linear, geometry.shape);
  if (!ranges.ok()) {
    return RuleError(Rule::kSizeOverflow, StdView(ranges.status().message()),
                     ranges.status().code());
  }
  bool is_within = true, is_exact = true;
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const AffineRange& range = (*ranges)[i];
    if (range.min >= 0 && range.max < geometry.extent[i]) continue;
    is_within = false;
    is_exact = is_exact && range.is_exact;
  }
  if (is_within) return absl::OkStatus();
  // If bounds are not exact, possibly no index exceeds them; search for one.
  Dimensions index(geometry.shape.size(), 0);
  AffineMap::Indices values(geometry.rank());
  const int64_t tries = TriesOf(geometry, evaluation_limit);
  for (int64_t tried = 0; tried < tries; ++tried) {
    geometry.linear.Values(index, {}, values.data());
    for (int64_t i = 0; i < geometry.rank(); ++i) {
      if (values[i] >= 0 && values[i] < geometry.extent[i]) continue;
      return PositionOutside(geometry, index, i, values[i]);
    }
    if (!Advance(geometry.shape, &index)) return absl::OkStatus();
  }
  if (!is_exact) {
    return Undecided("whether every position is within the extent", tries);
  }
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const AffineRange& range = (*ranges)[i];
    if (range.min < 0) {
      return RuleError(Rule::kPositionBelow,
                       absl::StrCat("result ", i, " falls to ", range.min,
                                    "; positions are not negative"));
    }
    if (range.max >= geometry.extent[i]) {
      return RuleError(
          Rule::kPositionPast,
          absl::StrCat(
              "result ", i, " rises to ", range.max,
              ", past the last index at ", geometry.extent[i] - 1,
              "; the extent is the position of the last index plus 1"));
    }
  }
  return absl::OkStatus();
}

absl::Status PositionTwice(const Geometry& geometry, const Dimensions& a,
                           const Dimensions& b) {
  AffineMap::Indices position(geometry.rank());
  geometry.linear.Values(a, {}, position.data());
  return RuleError(
      Rule::kPositionTwice,
      absl::StrCat("the indices ", ToText(a), " and ", ToText(b),
                   " share the position (", absl::StrJoin(position, ","), ")"));
}

// Checks pairs of dims that occur only in the same single result, with steps
// along one that add up to steps along the other.
absl::Status CheckPairsOfDims(const Geometry& geometry) {
  const AffineMap& map = geometry.linear;
  for (int64_t result = 0; result < map.num_results(); ++result) {
    const std::optional<AffineForm> form = map.Form(result);
    if (!form.has_value()) continue;
    std::vector<int64_t> dims;
    for (int64_t dim = 0; dim < map.num_dims(); ++dim) {
      if (geometry.shape[dim] > 1 && form->coefficients[dim] > 0 &&
          map.ResultsUsing(dim).size() == 1) {
        dims.push_back(dim);
      }
    }
    for (const int64_t a : dims) {
      for (const int64_t b : dims) {
        if (a >= b) continue;
        const int64_t step_a = form->coefficients[a];
        const int64_t step_b = form->coefficients[b];
        const int64_t divisor = std::gcd(step_a, step_b);
        Dimensions along_a(geometry.shape.size(), 0);
        Dimensions along_b = along_a;
        along_a[a] = step_b / divisor;
        along_b[b] = step_a / divisor;
        if (along_a[a] < geometry.shape[a] && along_b[b] < geometry.shape[b]) {
          return PositionTwice(geometry, along_b, along_a);
        }
      }
    }
  }
  return absl::OkStatus();
}

// Returns the index of a number in row-major order.
Dimensions IndexOf(int64_t number, absl::Span<const int64_t> bounds) {
  Dimensions index(bounds.size(), 0);
  for (size_t i = bounds.size(); i-- > 0;) {
    index[i] = number % bounds[i];
    number /= bounds[i];
  }
  return index;
}

// Searches for two indices that share a position. If there are none, returns
// `reason`, the reason why there is no inverse.
absl::Status NoInverse(const Geometry& geometry, const absl::Status& reason,
                       int64_t evaluation_limit) {
  TESSERA_RETURN_IF_ERROR(CheckPairsOfDims(geometry));
  for (int64_t dim = 0; dim < geometry.linear.num_dims(); ++dim) {
    if (geometry.shape[dim] > 1 && geometry.linear.ResultsUsing(dim).empty()) {
      const Dimensions first(geometry.shape.size(), 0);
      Dimensions second = first;
      second[dim] = 1;
      return PositionTwice(geometry, first, second);
    }
  }
  absl::flat_hash_map<int64_t, int64_t> seen;  // numbers of positions, indices
  Dimensions index(geometry.shape.size(), 0);
  AffineMap::Indices position(geometry.rank());
  const int64_t tries = TriesOf(geometry, evaluation_limit);
  for (int64_t tried = 0; tried < tries; ++tried) {
    geometry.linear.Values(index, {}, position.data());
    const auto [place, is_new] =
        seen.emplace(RowMajorNumber(position, geometry.extent), tried);
    if (!is_new) {
      return PositionTwice(geometry, IndexOf(place->second, geometry.shape),
                           index);
    }
    if (!Advance(geometry.shape, &index)) return reason;
  }
  return Undecided("whether indices share positions", tries);
}

// Returns the map from indices to numbers, by the tensor's own grid and memref.
absl::StatusOr<IndexMap> ElementsOf(const Geometry& geometry,
                                    int64_t evaluation_limit) {
  Builder builder(geometry.shape);
  // There is nothing to cut, and sizes of 0 cannot be cut.
  if (KnownProduct(geometry.shape) == 0) {
    return std::move(builder).BuildRowMajor({});
  }
  const absl::StatusOr<std::vector<PositionSum>> positions =
      SumsOfResults(geometry.linear, geometry.shape, geometry.extent, &builder);
  if (!positions.ok()) {
    return NoInverse(geometry, positions.status(), evaluation_limit);
  }
  const MemoryAxes axes = CutPositions(geometry, *positions, &builder);
  TESSERA_ASSIGN_OR_RETURN(const IndexMap map,
                           std::move(builder).BuildRowMajor(axes.RowMajor()));
  if (map.kind() != IndexMap::Kind::kGeneral) return map;
  return NoInverse(
      geometry,
      absl::UnimplementedError(
          "no two indices share a position, but that does not follow from the "
          "coefficients of the map, and its inverse is not computed"),
      evaluation_limit);
}

// Returns the map from all of the shards, whether positions reach them or not,
// to numbers.
absl::StatusOr<IndexMap> ShardsOf(const Geometry& geometry) {
  Dimensions bounds;
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    bounds.push_back(geometry.grid[i] * geometry.shard[i]);
  }
  Builder builder(bounds);
  if (KnownProduct(bounds) == 0) return std::move(builder).BuildRowMajor({});
  std::vector<PositionSum> positions;
  positions.reserve(geometry.rank());
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    positions.push_back({{{builder.Dimension(i), 1}}});
  }
  const MemoryAxes axes = CutPositions(geometry, positions, &builder);
  return std::move(builder).BuildRowMajor(axes.RowMajor());
}

absl::StatusOr<IndexMap> MemoryOf(const Geometry& geometry) {
  const Dimensions bounds = MemoryBounds(geometry);
  Builder builder(bounds);
  std::vector<Coordinate> axes;
  axes.reserve(bounds.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    axes.push_back(builder.Dimension(static_cast<int64_t>(i)));
  }
  return std::move(builder).BuildRowMajor(axes);
}

PlaceCounts Count(const Geometry& geometry) {
  PlaceCounts counts;
  const int64_t cells = KnownProduct(geometry.grid);
  const int64_t all = cells * KnownProduct(geometry.AllocatedShard());
  const int64_t below_extent = KnownProduct(geometry.extent);
  counts.elements = KnownProduct(geometry.shape);
  counts.gap = below_extent - counts.elements;
  if (geometry.order == DivisionOrder::kGridFirst) {
    const int64_t in_shards = cells * KnownProduct(geometry.shard);
    counts.tile = all - in_shards;
    counts.grid = in_shards - below_extent;
  } else {
    const int64_t aligned = KnownProduct(geometry.aligned_extent);
    counts.grid = all - aligned;
    counts.tile = aligned - below_extent;
  }
  return counts;
}

}  // namespace

absl::StatusOr<Placement> Placement::Create(Geometry geometry,
                                            int64_t evaluation_limit) {
  TESSERA_RETURN_IF_ERROR(CheckPositions(geometry, evaluation_limit));
  Placement placement;
  TESSERA_ASSIGN_OR_RETURN(placement.map_,
                           ElementsOf(geometry, evaluation_limit));
  TESSERA_ASSIGN_OR_RETURN(placement.shards_, ShardsOf(geometry));
  auto digits = std::make_shared<MemoryDigits>(geometry);
  Geometry storage = geometry;
  if (geometry.index_map.has_value() && !geometry.index_map->is_identity() &&
      placement.map_.element_count() > 0) {
    TESSERA_ASSIGN_OR_RETURN(const StorageView view, StorageViewOf(geometry));
    for (IndexMap* map : {&placement.map_, &placement.shards_}) {
      TESSERA_ASSIGN_OR_RETURN(*map, Composed(view.to_storage, *map));
      if (map->kind() == IndexMap::Kind::kGeneral) {
        return absl::UnimplementedError(
            "the inverse of the index_map after the map is not computed");
      }
    }
    storage.grid = view.grid;
    storage.memref = view.memref;
    auto in_storage = std::make_shared<MemoryDigits>(storage);
    in_storage->of_view = std::move(digits);
    in_storage->to_storage = view.to_storage;
    digits = std::move(in_storage);
  }
  TESSERA_ASSIGN_OR_RETURN(placement.memory_, MemoryOf(storage));
  placement.storage_grid_ = std::move(storage.grid);
  placement.storage_memref_ = std::move(storage.memref);
  placement.digits_ = std::move(digits);
  placement.counts_ = Count(geometry);
  placement.geometry_ = std::move(geometry);
  return placement;
}

PositionKind Placement::KindOf(int64_t number) const {
  const bool grid_first = geometry_.order == DivisionOrder::kGridFirst;
  const Location location = LocationOf(number).in_view();
  const Dimensions offset = location.offset(), cell = location.cell();
  bool in_tile = false, in_grid = false;
  for (int64_t i = 0; i < geometry_.rank(); ++i) {
    const int64_t position = cell[i] * geometry_.shard[i] + offset[i];
    if (grid_first) {
      in_tile = in_tile || offset[i] >= geometry_.shard[i];
      in_grid = in_grid || position >= geometry_.extent[i];
    } else {
      // If the tile comes first, the rounding up to the tile is tile padding.
      in_tile = in_tile || position >= geometry_.extent[i];
      in_grid = in_grid || position >= geometry_.aligned_extent[i];
    }
  }
  if (in_tile && (grid_first || !in_grid)) return PositionKind::kPadding;
  return in_grid ? PositionKind::kGridPadding : PositionKind::kGap;
}

Place Placement::At(int64_t number) const {
  Place place;
  place.index.resize(geometry_.shape.size());
  if (map_.MultidimensionalIndexUnchecked(
          number, absl::MakeSpan(place.index)) == PositionKind::kElement) {
    return place;
  }
  place.index.clear();
  place.kind = KindOf(number);
  return place;
}

absl::StatusOr<Place> Placement::At(absl::Span<const int64_t> cell,
                                    absl::Span<const int64_t> offset) const {
  TESSERA_RETURN_IF_ERROR(CheckIndex(cell, storage_grid_, "cell"));
  Dimensions allocated = storage_memref_;
  for (int64_t i = 0; i < geometry_.rank(); ++i) {
    allocated[i] *= geometry_.TileOf(i);
  }
  TESSERA_RETURN_IF_ERROR(CheckIndex(offset, allocated, "offset"));
  Dimensions tile(offset.begin(), offset.end());
  InTile in_tile;
  if (geometry_.element.is_tile()) {
    const TileShape& shape = *geometry_.element.tile;
    const size_t row = tile.size() - 2, column = tile.size() - 1;
    in_tile = {offset[row] % shape.height, offset[column] % shape.width};
    tile[row] /= shape.height;
    tile[column] /= shape.width;
  }
  return AtChecked(cell, tile, in_tile);
}

absl::StatusOr<Place> Placement::AtTile(absl::Span<const int64_t> cell,
                                        absl::Span<const int64_t> tile,
                                        const InTile& in_tile) const {
  TESSERA_RETURN_IF_ERROR(CheckIndex(tile, storage_memref_, "tile"));
  const TileShape shape = geometry_.element.tile_or_unit();
  TESSERA_RETURN_IF_ERROR(CheckIndex({in_tile.row, in_tile.column},
                                     {shape.height, shape.width}, "in_tile"));
  TESSERA_RETURN_IF_ERROR(CheckIndex(cell, storage_grid_, "cell"));
  return AtChecked(cell, tile, in_tile);
}

Place Placement::AtChecked(absl::Span<const int64_t> cell,
                           absl::Span<const int64_t> tile,
                           const InTile& in_tile) const {
  Dimensions digits(cell.begin(), cell.end());
  digits.insert(digits.end(), tile.begin(), tile.end());
  if (geometry_.element.is_tile()) {
    const TileShape face = FaceShape(*geometry_.element.tile);
    for (const int64_t digit :
         {in_tile.row / face.height, in_tile.column / face.width,
          in_tile.row % face.height, in_tile.column % face.width}) {
      digits.push_back(digit);
    }
  }
  return At(memory_.LinearIndexUnchecked(digits));
}

Placement::Box Placement::Outer(PositionKind kind) const {
  if (kind == PositionKind::kGap) return {&shards_, geometry_.extent};
  const bool tile_first = geometry_.order == DivisionOrder::kTileFirst;
  const PositionKind outermost =
      tile_first ? PositionKind::kGridPadding : PositionKind::kPadding;
  return kind == outermost ? Whole(memory_) : Inner(outermost);
}

Placement::Box Placement::Inner(PositionKind kind) const {
  if (kind == PositionKind::kGap) return Whole(map_);
  const bool tile_first = geometry_.order == DivisionOrder::kTileFirst;
  if (tile_first && kind == PositionKind::kGridPadding) {
    return {&shards_, geometry_.aligned_extent};
  }
  if (!tile_first && kind == PositionKind::kPadding) {
    return Whole(shards_);
  }
  return {&shards_, geometry_.extent};
}

Placement::Box Placement::Whole(const IndexMap& map) {
  return {&map, Dimensions(map.bounds().begin(), map.bounds().end())};
}

PaddingOfKind Placement::Padding(PositionKind kind) const {
  auto runs = [](const Box& box) {
    const Dimensions zeros(box.limit.size(), 0);
    // The limits are within the bounds of maps that have inverses.
    return *ElementRuns::Create(*box.map, zeros, box.limit);
  };
  const int64_t count = kind == PositionKind::kPadding       ? counts_.tile
                        : kind == PositionKind::kGridPadding ? counts_.grid
                                                             : counts_.gap;
  return PaddingOfKind(runs(Outer(kind)), runs(Inner(kind)), count);
}

absl::StatusOr<Dimensions> Placement::ValidBox(
    absl::Span<const int64_t> cell) const {
  TESSERA_RETURN_IF_ERROR(CheckIndex(cell, geometry_.grid, "cell"));
  Dimensions valid;
  bool is_empty = false;
  for (int64_t i = 0; i < geometry_.rank(); ++i) {
    valid.push_back(
        std::clamp(geometry_.extent[i] - cell[i] * geometry_.shard[i],
                   int64_t{0}, geometry_.shard[i]));
    is_empty = is_empty || valid.back() == 0;
  }
  if (is_empty) std::fill(valid.begin(), valid.end(), 0);
  return valid;
}

absl::StatusOr<std::vector<CellBox>> Placement::CellBoxes(int64_t limit) const {
  // The places along each dimension at which cells of another kind begin.
  std::vector<std::vector<int64_t>> begins;
  Dimensions counts;
  const Dimensions in_use = geometry_.CellsInUse();
  int64_t boxes = 1;
  for (int64_t i = 0; i < geometry_.rank(); ++i) {
    const int64_t used = in_use[i];
    const int64_t full =
        used == 0 ? 0 : geometry_.extent[i] / geometry_.shard[i];
    std::vector<int64_t> dimension;
    for (const int64_t begin : {int64_t{0}, full, used}) {
      const bool is_new = dimension.empty() || begin > dimension.back();
      if (is_new && begin < geometry_.grid[i]) dimension.push_back(begin);
    }
    counts.push_back(dimension.size());
    begins.push_back(std::move(dimension));
    boxes *= counts.back();
    if (boxes > limit) {
      return ResourceExhaustedError("there are more than ", limit,
                                    " boxes of cells that are alike");
    }
  }
  std::vector<CellBox> result;
  Dimensions number(geometry_.rank(), 0);
  do {
    CellBox box;
    for (int64_t i = 0; i < geometry_.rank(); ++i) {
      const size_t next = number[i] + 1;
      box.first.push_back(begins[i][number[i]]);
      box.last.push_back(
          (next < begins[i].size() ? begins[i][next] : geometry_.grid[i]) - 1);
    }
    box.valid = *ValidBox(box.first);
    result.push_back(std::move(box));
  } while (Advance(counts, &number));
  return result;
}

int64_t Placement::empty_cells() const {
  return KnownProduct(geometry_.grid) - KnownProduct(geometry_.CellsInUse());
}

// -- PaddingOfKind -----------------------------------------------------------

PaddingOfKind::PaddingOfKind(ElementRuns outer, ElementRuns inner,
                             int64_t count)
    : outer_(std::move(outer)), inner_(std::move(inner)), left_(count) {
  if (left_ == 0) return;
  NextRun(&outer_, &rest_);
  NextRun(&inner_, &cut_);
}

bool PaddingOfKind::NextRun(ElementRuns* runs, PositionRange* range) {
  ElementRun run;
  if (!runs->Next(&run)) {
    *range = {};
    return false;
  }
  *range = {run.position, run.position + run.length};
  return true;
}

bool PaddingOfKind::Next(PositionRange* range) {
  // Equal runs of both may continue for long after the last range.
  if (left_ == 0) return false;
  // Every run of inner_ lies in one of outer_.
  while (rest_.begin < rest_.end || NextRun(&outer_, &rest_)) {
    const bool is_cut = cut_.begin < cut_.end && cut_.begin < rest_.end;
    const PositionRange found = {rest_.begin, is_cut ? cut_.begin : rest_.end};
    rest_.begin = is_cut ? cut_.end : rest_.end;
    if (is_cut) NextRun(&inner_, &cut_);
    if (found.begin < found.end) {
      left_ -= found.end - found.begin;
      *range = found;
      return true;
    }
  }
  return false;
}

}  // namespace tessera::tenstorrent
