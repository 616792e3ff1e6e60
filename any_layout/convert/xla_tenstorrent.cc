#include "tessera/any_layout/convert/xla_tenstorrent.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/face.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera {
namespace {

using tenstorrent::AffineExpression;
using tenstorrent::AffineForm;
using tenstorrent::AffineMap;
using tenstorrent::DataType;
using tenstorrent::ElementType;
using tenstorrent::Geometry;
using tenstorrent::MemorySpace;
using tenstorrent::MetalTensor;
using tenstorrent::TileShape;

// -- Types and memories ------------------------------------------------------

struct TypePair {
  PrimitiveType xla;
  DataType type;
  DataType signless;  // `type` if there is no signless type
};

constexpr TypePair kTypes[] = {
    {PRED, DataType::kI1, DataType::kI1},
    {F16, DataType::kF16, DataType::kF16},
    {BF16, DataType::kBF16, DataType::kBF16},
    {F32, DataType::kF32, DataType::kF32},
    {F64, DataType::kF64, DataType::kF64},
    {S8, DataType::kSI8, DataType::kI8},
    {S16, DataType::kSI16, DataType::kI16},
    {S32, DataType::kSI32, DataType::kI32},
    {S64, DataType::kSI64, DataType::kI64},
    {U8, DataType::kU8, DataType::kU8},
    {U16, DataType::kU16, DataType::kU16},
    {U32, DataType::kU32, DataType::kU32},
    {U64, DataType::kU64, DataType::kU64},
};

DataType ScalarOf(const TypePair& pair, const TenstorrentOptions& options) {
  return options.signless_scalars ? pair.signless : pair.type;
}

absl::StatusOr<TypePair> TypesOf(PrimitiveType type) {
  for (const TypePair& pair : kTypes) {
    if (pair.xla == type) return pair;
  }
  return InvalidArgumentError("tt-mlir has no type for elements of ",
                              PrimitiveTypeName(type));
}

// Returns the XLA type of the scalars of `element`.
absl::StatusOr<PrimitiveType> XlaElementTypeOf(
    const ElementType& element, const TenstorrentOptions& options) {
  for (const TypePair& pair : kTypes) {
    const DataType own =
        element.is_tile() ? pair.type : ScalarOf(pair, options);
    if (own == element.data_type) return pair.xla;
    if (pair.type == element.data_type || pair.signless == element.data_type) {
      return InvalidArgumentError(
          "elements are of ", element.ToString(), ", but by the option XLA's ",
          PrimitiveTypeName(pair.xla), " is ", tenstorrent::ScalarKeyword(own));
    }
  }
  return InvalidArgumentError(
      "XLA has no type for elements of ", element.ToString(),
      IsBlockFloat(element.data_type) ? "; block floats share exponents" : "");
}

absl::StatusOr<MemorySpace> MemoryOf(int64_t number,
                                     const TenstorrentOptions& options) {
  for (const auto& [xla, space] : options.memory_spaces) {
    if (xla == number) return space;
  }
  return InvalidArgumentError("no memory of tt-mlir is given for S(", number,
                              ")");
}

absl::StatusOr<int64_t> NumberOf(MemorySpace memory,
                                 const TenstorrentOptions& options) {
  for (const auto& [xla, space] : options.memory_spaces) {
    if (space == memory) return xla;
  }
  return InvalidArgumentError("no memory space of XLA is given for ",
                              tenstorrent::KeywordOf(memory));
}

template <typename Value>
std::string MemoryLayoutText(const std::optional<Value>& layout) {
  return layout.has_value() ? std::string(tenstorrent::KeywordOf(*layout))
                            : "no memory layout";
}

// Returns the second XLA tile with which the scalars of `tile` lie in `order`;
// `tile` itself if a second tile is not needed, because faces are then
// row-major.
TileShape SecondTileOf(const TileShape& tile, TileOrder order) {
  const TileShape face = FaceShape(tile);
  const bool is_row_major = face.height == 1 || face.width == tile.width;
  return order == TileOrder::kRowMajor || is_row_major ? tile : face;
}

// -- From XLA ----------------------------------------------------------------

// Checks that tt-mlir can express all of a shape except its tiles and type.
absl::Status CheckWordsOf(const Shape& shape) {
  const Layout& layout = shape.layout();
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (shape.is_dynamic_dimension(i)) {
      return InvalidArgumentError("dimension ", i,
                                  " is dynamic; tt-mlir's layouts are static");
    }
    if (shape.dimensions(i) == 0) {
      return InvalidArgumentError(
          "dimension ", i, " is 0; an array without elements is not converted");
    }
  }
  if (const int64_t alignment = layout.tail_padding_alignment_in_elements();
      alignment != 1) {
    return InvalidArgumentError(
        "tt-mlir cannot express padding after the last tile, L(", alignment,
        ")");
  }
  if (StorageBits(shape) != 8 * ByteWidth(shape.element_type())) {
    return InvalidArgumentError(
        "tt-mlir cannot express an element size other than the type's, E(",
        layout.element_size_in_bits(), ")");
  }
  if (!layout.split_configs().empty()) {
    return absl::InvalidArgumentError(
        "tt-mlir cannot express splits of an array on one core, SC");
  }
  if (const int64_t prefix = layout.dynamic_shape_metadata_prefix_bytes();
      prefix != 0) {
    return InvalidArgumentError(
        "tt-mlir cannot express metadata before an array, M(", prefix, ")");
  }
  return absl::OkStatus();
}

// The entries that cut, without leading entries of 1.
absl::Span<const int64_t> CutsOf(const Tile& tile) {
  absl::Span<const int64_t> cuts = tile.dimensions();
  while (!cuts.empty() && cuts.front() == 1) cuts.remove_prefix(1);
  return cuts;
}

// Checks that the tiles after the first determine only the order of the scalars
// in `tile`, which is made from the first.
absl::Status CheckInnerTiles(absl::Span<const Tile> tiles,
                             const TileShape& tile, TileOrder order) {
  const TileShape face = SecondTileOf(tile, order);
  const std::string by_faces =
      absl::StrCat("tiles of ", tile.height, "x", tile.width, " by faces of ",
                   face.height, "x", face.width);
  if (face == tile) {
    if (tiles.size() == 1) return absl::OkStatus();
    return InvalidArgumentError("tt-mlir cannot express the second tile ",
                                tiles[1].ToString(), "; tiles of ", tile.height,
                                "x", tile.width, " are row-major");
  }
  const Tile expected({face.height, face.width});
  if (tiles.size() == 2 && CutsOf(tiles[1]) == CutsOf(expected)) {
    return absl::OkStatus();
  }
  if (tiles.size() == 1) {
    return InvalidArgumentError(by_faces, " have a second tile ",
                                expected.ToString(), ", but there is none");
  }
  return InvalidArgumentError(
      by_faces, " have one second tile, ", expected.ToString(), ", and not ",
      absl::StrJoin(tiles.subspan(1), "",
                    [](std::string* out, const Tile& inner) {
                      out->append(inner.ToString());
                    }));
}

// The results of the map, as the dimensions that each joins, and the tile.
struct Physical {
  std::vector<std::vector<int64_t>> results;
  std::optional<TileShape> tile;
};

absl::StatusOr<Physical> PhysicalOf(const Shape& shape, TileOrder order) {
  const absl::Span<const int64_t> minor_to_major =
      shape.layout().minor_to_major();
  const absl::Span<const Tile> tiles = shape.layout().tiles();
  Physical physical;
  const absl::Span<const int64_t> entries =
      tiles.empty() ? absl::Span<const int64_t>() : tiles[0].dimensions();
  const int64_t rank = shape.rank(), count = entries.size();
  for (int64_t i = rank; i-- > count;) {
    physical.results.push_back({minor_to_major[i]});
  }
  if (tiles.empty()) return physical;

  // The sizes by which the tile cuts the results, from the first result that it
  // covers on. A dimension that the array lacks is 0.
  std::vector<int64_t> cuts;
  bool is_joined = false;
  for (int64_t i = 0; i < count; ++i) {
    if (!is_joined) physical.results.emplace_back();
    const int64_t place = count - 1 - i;
    if (place < rank) {
      physical.results.back().push_back(minor_to_major[place]);
    }
    is_joined = entries[i] == Tile::kCombineDimension;
    if (!is_joined) cuts.push_back(entries[i]);
  }
  for (size_t i = 0; i + 2 < cuts.size(); ++i) {
    if (cuts[i] == 1) continue;
    return InvalidArgumentError("tt-mlir's tiles have two dimensions, and ",
                                tiles[0].ToString(), " cuts more");
  }
  if (cuts.size() == 1) cuts.insert(cuts.begin(), 1);
  if (physical.results.size() < 2) {
    physical.results.insert(physical.results.begin(), std::vector<int64_t>());
  }
  physical.tile = TileShape{cuts[cuts.size() - 2], cuts.back()};
  const auto are_rows = physical.results.end() - 2;
  physical.results.erase(
      std::remove_if(physical.results.begin(), are_rows,
                     [](const std::vector<int64_t>& r) { return r.empty(); }),
      are_rows);
  TESSERA_RETURN_IF_ERROR(CheckInnerTiles(tiles, *physical.tile, order));
  return physical;
}

// The number of `dims` in row-major order.
AffineExpression Joined(absl::Span<const int64_t> dims, const Shape& shape) {
  if (dims.size() == 1) return AffineExpression::Dim(dims[0]);
  AffineForm form;
  form.coefficients.resize(shape.rank());
  int64_t coefficient = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    form.coefficients[dims[i]] = coefficient;
    coefficient *= shape.dimensions(dims[i]);
  }
  return form.ToExpression();
}

// -- To XLA ------------------------------------------------------------------

// A dimension in a result.
struct Step {
  int64_t dim;
  int64_t size;
  int64_t coefficient;
};

// The dimensions of a result from major to minor. Its tile cuts some of the
// minor ones as one.
struct Steps {
  std::vector<Step> all;
  size_t first_of_tile = 0;

  absl::Span<const Step> outside() const {
    return absl::MakeConstSpan(all).first(first_of_tile);
  }
  absl::Span<const Step> in_tile() const {
    return absl::MakeConstSpan(all).subspan(first_of_tile);
  }
  // Whether the tile cuts something: if not, it cuts a dimension of size 1.
  bool is_empty() const { return all.size() == first_of_tile; }
};

// The dimensions that each result is a sum of, those of size 1 included.
absl::StatusOr<std::vector<Steps>> StepsOf(const Geometry& geometry) {
  const AffineMap& map = geometry.linear;
  std::vector<Steps> results(map.num_results());
  std::vector<int64_t> result_of(map.num_dims(), -1);
  for (int64_t i = 0; i < map.num_results(); ++i) {
    const std::optional<AffineForm> form = map.Form(i);
    if (!form.has_value()) {
      return UnimplementedError(
          "result ", i, " of the map, ", map.result(i).ToString(),
          ", is not a sum of dims; its order is not looked for");
    }
    if (form->constant != 0) {
      return InvalidArgumentError(
          "XLA cannot express padding before an array; result ", i,
          " begins at ", form->constant);
    }
    for (int64_t dim = 0; dim < map.num_dims(); ++dim) {
      const int64_t coefficient = form->coefficients[dim];
      const int64_t size = geometry.shape[dim];
      if (coefficient == 0) continue;
      if (result_of[dim] >= 0) {
        if (size == 1) continue;
        return InvalidArgumentError(
            "XLA cannot express dims in several results; d", dim,
            " is in results ", result_of[dim], " and ", i);
      }
      result_of[dim] = i;
      results[i].all.push_back({dim, size, coefficient});
    }
    std::stable_sort(results[i].all.begin(), results[i].all.end(),
                     [](const Step& a, const Step& b) {
                       return a.coefficient > b.coefficient;
                     });
  }
  for (int64_t dim = 0; dim < map.num_dims(); ++dim) {
    if (result_of[dim] >= 0) continue;
    if (geometry.shape[dim] > 1) {
      return InvalidArgumentError("d", dim, " is not in any result of the map");
    }
    // It can be anywhere, preferably where a tile lacks a dimension.
    size_t place = 0;
    for (size_t i = results.size(); i-- > 0;) {
      if (!results[i].all.empty() || i + 2 < results.size()) continue;
      place = i;
      break;
    }
    if (results.empty()) results.emplace_back();
    results[place].all.insert(results[place].all.begin(), {dim, 1, 0});
  }
  return results;
}

// Finds the dimensions that a tile of `tile` positions cuts as one, if the
// others may be outside of it. Checks that every coefficient is the product of
// the sizes inside of it, once rounded up to the tile.
absl::Status CutSteps(int64_t result, int64_t tile, bool may_be_outside,
                      Steps* steps) {
  int64_t taken = 1;  // positions inside of the step
  bool is_cut = false;
  size_t first_of_size = steps->all.size();
  for (size_t i = steps->all.size(); i-- > 0;) {
    const Step& step = steps->all[i];
    if (step.size == 1) continue;
    const bool is_innermost = i + 1 == steps->all.size();
    if (!is_cut && may_be_outside && !is_innermost) {
      const std::optional<int64_t> rounded = CheckedRoundUp(taken, tile);
      if (rounded.has_value() && step.coefficient == *rounded) {
        is_cut = true;
        steps->first_of_tile = i + 1;
        taken = *rounded;
      }
    }
    if (step.coefficient != taken) {
      return UnimplementedError(
          "result ", result, " steps by ", step.coefficient, " along d",
          step.dim, ", within which there are ", taken,
          " positions; of gaps only the padding of rows to a tile is "
          "converted");
    }
    // The extent of the result, which fits, is the last of these or more.
    taken *= step.size;
    first_of_size = i;
  }
  if (!is_cut && may_be_outside && !steps->all.empty()) {
    steps->first_of_tile = std::min(first_of_size, steps->all.size() - 1);
  }
  return absl::OkStatus();
}

void AppendEntry(absl::Span<const Step> joined, int64_t entry,
                 Tile::Dimensions* entries) {
  for (size_t i = 1; i < joined.size(); ++i) {
    entries->push_back(Tile::kCombineDimension);
  }
  entries->push_back(entry);
}

// The order of dimensions, major to minor, and the tile of a scalar memref or
// of one of tiles.
struct OrderAndTile {
  std::vector<int64_t> dims;
  Tile::Dimensions tile;
};

absl::StatusOr<OrderAndTile> OrderAndTileOf(const Geometry& geometry) {
  TESSERA_ASSIGN_OR_RETURN(std::vector<Steps> results, StepsOf(geometry));
  const int64_t rank = results.size();
  const bool is_tiled = geometry.element.is_tile();
  const TileShape tile = geometry.element.tile_or_unit();
  OrderAndTile physical;
  const auto append = [&physical](absl::Span<const Step> steps) {
    for (const Step& step : steps) physical.dims.push_back(step.dim);
  };
  for (int64_t i = 0; i < rank; ++i) {
    const bool is_row = is_tiled && i == rank - 2;
    const bool is_column = is_tiled && i == rank - 1;
    Steps& steps = results[i];
    // Rows lie between the dimensions outside of a tile's columns and the
    // columns.
    TESSERA_RETURN_IF_ERROR(CutSteps(i,
                                     is_row      ? tile.height
                                     : is_column ? tile.width
                                                 : 1,
                                     !is_column || tile.height == 1, &steps));
    append(steps.outside());
    // A row is then cut from the preceding dimension, or from nothing.
    const bool wants_row = is_row && steps.is_empty() && tile.height > 1 &&
                           !physical.dims.empty() &&
                           geometry.shape[physical.dims.back()] > 1;
    if (wants_row ||
        (is_column && steps.is_empty() && !physical.dims.empty())) {
      return UnimplementedError(
          "result ", i,
          " of the map has no dimension, not even one of size 1, "
          "that a tile of XLA could cut");
    }
    append(steps.in_tile());
    if (is_row && tile.height > 1) {
      AppendEntry(steps.in_tile(), tile.height, &physical.tile);
    } else if (is_column) {
      const bool has_row = physical.dims.size() > steps.in_tile().size();
      if (tile.height == 1 && has_row && steps.in_tile().size() == 1) {
        physical.tile.push_back(1);
      }
      AppendEntry(steps.in_tile(), tile.width, &physical.tile);
    }
  }
  return physical;
}

absl::Status CheckWordsOf(const MetalTensor& tensor,
                          const TenstorrentOptions& options) {
  const tenstorrent::MetalLayout& layout = tensor.layout;
  for (const int64_t cells : layout.grid) {
    if (cells == 1) continue;
    return InvalidArgumentError(
        "XLA cannot express an array on several cores; the grid "
        "is ",
        absl::StrJoin(layout.grid, "x"));
  }
  const TileShape tile = layout.memref.element.tile_or_unit();
  if (tile.height < 1 || tile.width < 1) {
    return InvalidArgumentError("a tile is ", tile.height, "x", tile.width,
                                "; sizes are at least 1");
  }
  if (layout.oob_value != options.oob_value) {
    return InvalidArgumentError("XLA cannot express what padding holds; it is ",
                                tenstorrent::KeywordOf(layout.oob_value),
                                ", but by the option ",
                                tenstorrent::KeywordOf(options.oob_value));
  }
  if (layout.memory_layout != options.memory_layout) {
    return InvalidArgumentError("XLA cannot express a memory layout; there is ",
                                MemoryLayoutText(layout.memory_layout),
                                ", but by the option ",
                                MemoryLayoutText(options.memory_layout));
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<PrimitiveType> XlaTypeOf(DataType type) {
  for (const TypePair& pair : kTypes) {
    if (pair.type == type || pair.signless == type) return pair.xla;
  }
  return std::nullopt;
}

absl::StatusOr<MetalTensor> ToMetalTensor(const Shape& shape,
                                          const TenstorrentOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckIndexable(shape));
  TESSERA_RETURN_IF_ERROR(CheckWordsOf(shape));
  if (shape.rank() > AffineExpression::kMaxDims) {
    return ResourceExhaustedError("the array has ", shape.rank(),
                                  " dimensions; a map has ",
                                  AffineExpression::kMaxDims, " at most");
  }
  TESSERA_ASSIGN_OR_RETURN(const TypePair types, TypesOf(shape.element_type()));
  TESSERA_ASSIGN_OR_RETURN(const MemorySpace memory,
                           MemoryOf(shape.layout().memory_space(), options));
  TESSERA_ASSIGN_OR_RETURN(const Physical physical,
                           PhysicalOf(shape, options.tile_order));
  if (physical.tile.has_value() &&
      tenstorrent::TileKeyword(types.type).empty()) {
    return InvalidArgumentError("no tiles of tt-mlir are of ",
                                PrimitiveTypeName(shape.element_type()));
  }

  AffineMap::Results results;
  for (const std::vector<int64_t>& dims : physical.results) {
    results.push_back(Joined(dims, shape));
  }
  TESSERA_ASSIGN_OR_RETURN(
      AffineMap linear, AffineMap::Create(shape.rank(), 0, std::move(results)));

  MetalTensor tensor;
  tensor.shape.assign(shape.dimensions().begin(), shape.dimensions().end());
  tensor.element.data_type = ScalarOf(types, options);
  tensor.layout.linear = std::move(linear);
  tensor.layout.oob_value = options.oob_value;
  tensor.layout.memory_layout = options.memory_layout;
  tensor.layout.grid.assign(physical.results.size(), 1);
  tensor.layout.memref.memory_space = memory;
  tensor.layout.memref.element = tensor.element;
  if (physical.tile.has_value()) {
    tensor.layout.memref.element = {types.type, physical.tile};
  }
  TESSERA_ASSIGN_OR_RETURN(Geometry geometry, Geometry::Of(tensor));
  tensor.layout.memref.shape = std::move(geometry.memref);
  return tensor;
}

absl::StatusOr<Shape> ToXlaShape(const MetalTensor& tensor,
                                 const TenstorrentOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckWordsOf(tensor, options));
  const tenstorrent::MemRef& memref = tensor.layout.memref;
  TESSERA_ASSIGN_OR_RETURN(const PrimitiveType type,
                           XlaElementTypeOf(memref.element, options));
  TESSERA_ASSIGN_OR_RETURN(const PrimitiveType type_of_tensor,
                           XlaElementTypeOf(tensor.element, options));
  if (type != type_of_tensor || tensor.element.is_tile()) {
    return InvalidArgumentError(
        "XLA cannot express elements that are stored as another type; the "
        "tensor is of ",
        tensor.element.ToString(), ", its memory of ",
        memref.element.ToString());
  }
  TESSERA_ASSIGN_OR_RETURN(const int64_t memory_space,
                           NumberOf(memref.memory_space, options));
  TESSERA_ASSIGN_OR_RETURN(const Geometry geometry, Geometry::Of(tensor));
  if (memref.shape != geometry.memref) {
    return InvalidArgumentError(
        "the memref is ", absl::StrJoin(memref.shape, "x"),
        ", but the rules give ", absl::StrJoin(geometry.memref, "x"));
  }
  TESSERA_ASSIGN_OR_RETURN(OrderAndTile physical, OrderAndTileOf(geometry));

  Layout::Parts parts;
  parts.minor_to_major.assign(physical.dims.rbegin(), physical.dims.rend());
  parts.memory_space = memory_space;
  if (memref.element.is_tile()) {
    const TileShape tile = memref.element.tile_or_unit();
    const TileShape second = SecondTileOf(tile, options.tile_order);
    parts.tiles.push_back(Tile(std::move(physical.tile)));
    if (second != tile) {
      parts.tiles.push_back(Tile({second.height, second.width}));
    }
  }
  Shape shape = Shape::Array(
      type, Shape::Dimensions(tensor.shape.begin(), tensor.shape.end()),
      Layout(std::move(parts)));
  TESSERA_RETURN_IF_ERROR(CheckIndexable(shape));
  return shape;
}

}  // namespace tessera
