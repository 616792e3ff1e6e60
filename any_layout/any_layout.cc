#include "tessera/any_layout/any_layout.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/types/span.h"
#include "tessera/any_layout/convert/xla_tenstorrent.h"
#include "tessera/any_layout/nearest_shape.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/tile_extents.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_util/tile_extents.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/layout/tile.h"
#include "tessera/shape/shape_index.h"
#include "tessera/shape/validate_shape.h"
#include "tessera/strided/parse.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/to_index_map.h"

namespace tessera {
namespace {

using tenstorrent::VerifiedTensor;
using Extents = std::vector<std::vector<int64_t>>;

absl::Status CheckAxes(const AnyLayoutOptions& options, int64_t axes) {
  return options.check_axes ? options.check_axes(axes) : absl::OkStatus();
}

// -- XLA ---------------------------------------------------------------------

int64_t AxesOf(const Shape& array) {
  int64_t axes = array.rank();
  if (array.has_layout()) {
    for (const Tile& tile : array.layout().tiles()) {
      axes += tile.dimensions().size();
    }
  }
  return axes;
}

absl::StatusOr<AnyLayout> ParseXla(std::string_view text,
                                   const AnyLayoutOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(Shape shape,
                           ParseShapeWithHint(text, options.shape));
  int64_t axes = 0;
  ForEachLeafShape(shape, [&axes](const Shape& leaf, ShapeIndexView) {
    const bool is_buffer = leaf.element_type() == BUFFER;
    if (is_buffer) axes = std::max(axes, AxesOf(leaf.tuple_shapes(0)));
    if (leaf.IsArray()) axes = std::max(axes, AxesOf(leaf));
  });
  TESSERA_RETURN_IF_ERROR(CheckAxes(options, axes));
  return AnyLayout(std::move(shape));
}

absl::Status Check(const Shape& shape) { return ValidateShape(shape); }

std::string TextOf(const Shape& shape) { return shape.ToString(); }

absl::Status CheckUnitOf(const Shape&, PositionUnit) {
  return absl::OkStatus();
}

absl::StatusOr<IndexMap> MapOf(const Shape& shape, PositionUnit unit) {
  return ToIndexMap(shape, unit);
}

// Returns the parts of ToElementPositions: the map, and the byte at which it
// begins.
absl::StatusOr<ElementPositions> ElementsOf(const Shape& shape) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));
  return ElementPositions{std::move(map),
                          shape.layout().dynamic_shape_metadata_prefix_bytes()};
}

std::optional<Extents> TilesOf(const Shape& shape) {
  return TileExtents(shape);
}

std::optional<int64_t> BitsOfElement(const Shape& shape) {
  if (!shape.IsArray()) return std::nullopt;
  return StorageBits(shape);
}

using OptionalBuffer = std::optional<ArrayBuffer>;

OptionalBuffer BufferOf(const Shape& shape) { return *ToArrayBuffer(shape); }

using OptionalType = std::optional<PrimitiveType>;

absl::StatusOr<Shape> ArrayShapeOf(const Shape& shape, OptionalType) {
  TESSERA_RETURN_IF_ERROR(CheckIndexable(shape));
  return shape;
}

Shape RowMajorArray(PrimitiveType type, absl::Span<const int64_t> bounds) {
  return Shape::Array(type, Shape::Dimensions(bounds.begin(), bounds.end()),
                      GetDefaultLayoutForRank(bounds.size()));
}

// -- CuTe --------------------------------------------------------------------

// Returns whether a CuTe text looks like a composed layout: with a swizzle in
// front, or an `o` between two layouts.
bool IsComposed(std::string_view text) {
  size_t position = 0;
  const absl::StatusOr<cute::Term> term = cute::ReadTerm(text, &position);
  if (!term.ok()) return false;
  return std::holds_alternative<cute::Swizzle>(*term) ||
         Cursor(text.substr(position)).TakeIdentifier() == "o";
}

template <typename Result>
absl::StatusOr<CuteLayout> ToCuteLayout(absl::StatusOr<Result> read) {
  if (!read.ok()) return read.status();
  return CuteLayout(*std::move(read));
}

absl::StatusOr<CuteLayout> EvaluateToLayout(std::string_view line,
                                            const AnyLayoutOptions& options,
                                            std::vector<Diagnostic>* notes) {
  cute::CalculatorOptions calculator_options;
  calculator_options.functions = options.cute_expressions;
  cute::Calculator calculator(calculator_options);
  TESSERA_ASSIGN_OR_RETURN(cute::CalculatorResult result,
                           calculator.Evaluate(line));
  if (notes != nullptr) *notes = std::move(result.notes);
  cute::CalculatorValue& value = result.value;
  CuteLayout read;
  if (auto* layout = std::get_if<cute::Layout>(&value)) {
    read = std::move(*layout);
  } else if (auto* composed = std::get_if<cute::ComposedLayout>(&value)) {
    read = std::move(*composed);
  } else {
    const bool is_atom = std::holds_alternative<cute::Atom>(value);
    return InvalidArgumentError(
        "expected a layout, found ", cute::Describe(value),
        is_atom ? "; name one of its layouts, as in .A or .Src" : "");
  }
  read.element_bits = result.element_bits;
  return read;
}

// Reads a text without function calls: first in the notation of any length,
// then in the others. If both fail, returns the error of the reader that got
// further.
absl::StatusOr<CuteLayout> ReadCuteLayout(std::string_view text,
                                          const AnyLayoutOptions& options,
                                          std::vector<Diagnostic>* notes) {
  absl::StatusOr<CuteLayout> plain =
      IsComposed(text) ? ToCuteLayout(cute::ParseComposedLayout(text))
                       : ToCuteLayout(cute::ParseLayout(text));
  if (plain.ok()) return plain;
  absl::StatusOr<CuteLayout> read = EvaluateToLayout(text, options, notes);
  if (read.ok()) return read;
  const std::optional<Diagnostic> first = DiagnosticOf(plain.status());
  const std::optional<Diagnostic> second = DiagnosticOf(read.status());
  const bool is_further =
      first.has_value() && second.has_value() && second->offset > first->offset;
  return is_further ? read : plain;
}

absl::StatusOr<AnyLayout> ParseCute(std::string_view text,
                                    const AnyLayoutOptions& options,
                                    std::vector<Diagnostic>* notes) {
  TESSERA_ASSIGN_OR_RETURN(CuteLayout layout,
                           options.cute_expressions
                               ? EvaluateToLayout(text, options, notes)
                               : ReadCuteLayout(text, options, notes));
  TESSERA_RETURN_IF_ERROR(
      CheckAxes(options, InnerLayout(layout).leaves().size()));
  return AnyLayout(std::move(layout));
}

// A CuTe layout that breaks a rule cannot be made.
absl::Status Check(const CuteLayout&) { return absl::OkStatus(); }

std::string TextOf(const CuteLayout& layout) {
  return std::visit([](const auto& form) { return form.ToString(); },
                    layout.form);
}

absl::Status CheckUnitOf(const CuteLayout& layout, PositionUnit unit) {
  if (unit == PositionUnit::kElements) return absl::OkStatus();
  if (layout.element_bits == 0) {
    return absl::InvalidArgumentError(
        "a CuTe layout does not have an element size: its positions count "
        "elements, not bytes or bits");
  }
  if (unit == PositionUnit::kBytes && layout.element_bits % 8 != 0) {
    return InvalidArgumentError("elements of ", layout.element_bits,
                                layout.element_bits == 1 ? " bit" : " bits",
                                " do not begin on whole bytes");
  }
  return absl::OkStatus();
}

absl::StatusOr<IndexMap> MapOf(const CuteLayout& layout, PositionUnit unit) {
  absl::StatusOr<IndexMap> map = std::visit(
      [](const auto& form) { return cute::ToIndexMap(form); }, layout.form);
  if (!map.ok() || unit == PositionUnit::kElements) return map;
  return map->Scaled(unit == PositionUnit::kBits ? layout.element_bits
                                                 : layout.element_bits / 8,
                     0);
}

absl::StatusOr<ElementPositions> ElementsOf(const CuteLayout& layout) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map,
                           MapOf(layout, PositionUnit::kElements));
  return ElementPositions{std::move(map)};
}

std::optional<Extents> TilesOf(const CuteLayout& layout) {
  Extents tiles = cute::TileExtents(InnerLayout(layout));
  if (tiles.empty()) return std::nullopt;
  return tiles;
}

std::optional<int64_t> BitsOfElement(const CuteLayout& layout) {
  if (layout.element_bits == 0) return std::nullopt;
  return layout.element_bits;
}

OptionalBuffer BufferOf(const CuteLayout&) { return std::nullopt; }

absl::StatusOr<Shape> ArrayShapeOf(const CuteLayout& layout,
                                   OptionalType type) {
  if (!type.has_value()) {
    return absl::InvalidArgumentError(
        "a CuTe layout does not have an element type");
  }
  std::vector<int64_t> bounds;
  for (const cute::Layout& mode : InnerLayout(layout).Modes()) {
    bounds.push_back(mode.size());
  }
  return RowMajorArray(*type, bounds);
}

// -- Tenstorrent -------------------------------------------------------------

int64_t AxesOf(const tenstorrent::MetalTensor& tensor) {
  return tensor.shape.size() + tensor.layout.grid.size();
}
int64_t AxesOf(const tenstorrent::AlignedTensor& tensor) {
  return tensor.shape.size() + tensor.layout.logical_shape.size();
}
int64_t AxesOf(const tenstorrent::TtnnTensor& tensor) {
  return tensor.shape.size() + tensor.layout.grid.size();
}

absl::StatusOr<AnyLayout> ParseTensor(std::string_view text,
                                      const AnyLayoutOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(tenstorrent::TensorText read,
                           tenstorrent::ReadTensorText(text));
  TESSERA_RETURN_IF_ERROR(CheckAxes(
      options,
      std::visit([](const auto& form) { return AxesOf(form); }, read)));
  return AnyLayout(
      tenstorrent::VerifyTensor(std::move(read), options.verification));
}

absl::Status Check(const VerifiedTensor& tensor) {
  return PlacementOf(tensor).status();
}

std::string TextOf(const VerifiedTensor& tensor) {
  return ToString(tensor.text);
}

absl::Status CheckUnitOf(const VerifiedTensor&, PositionUnit) {
  return absl::OkStatus();
}

absl::StatusOr<IndexMap> MapOf(const VerifiedTensor& tensor,
                               PositionUnit unit) {
  return ToIndexMap(tensor, unit);
}

absl::StatusOr<ElementPositions> ElementsOf(const VerifiedTensor& tensor) {
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::Placement* placement,
                           PlacementOf(tensor));
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToMapWithExponents(*placement));
  return ElementPositions{std::move(map)};
}

// Returns shards, tiles and faces, if positions are the tensor's own indices.
std::optional<Extents> TilesOf(const VerifiedTensor& tensor) {
  const absl::StatusOr<const tenstorrent::Placement*> placement =
      PlacementOf(tensor);
  if (!placement.ok()) return std::nullopt;
  const tenstorrent::Geometry& geometry = (*placement)->geometry();
  if (geometry.order != tenstorrent::DivisionOrder::kTileFirst ||
      geometry.index_map.has_value() || !geometry.linear.is_identity() ||
      geometry.bytes == 0) {
    return std::nullopt;
  }
  const tenstorrent::Dimensions shard = geometry.AllocatedShard();
  Extents extents = {std::vector<int64_t>(shard.begin(), shard.end())};
  if (!geometry.element.is_tile()) return extents;
  const tenstorrent::TileShape tile = *geometry.element.tile;
  for (const tenstorrent::TileShape& box : {tile, FaceShape(tile)}) {
    std::vector<int64_t> extent(shard.size(), 1);
    extent[shard.size() - 2] = box.height;
    extent[shard.size() - 1] = box.width;
    extents.push_back(std::move(extent));
  }
  return extents;
}

std::optional<int64_t> BitsOfElement(const VerifiedTensor& tensor) {
  const absl::StatusOr<const tenstorrent::Placement*> placement =
      PlacementOf(tensor);
  if (!placement.ok()) return std::nullopt;
  return BitsOf((*placement)->geometry().element.data_type);
}

OptionalBuffer BufferOf(const VerifiedTensor&) { return std::nullopt; }

absl::StatusOr<Shape> ArrayShapeOf(const VerifiedTensor& tensor, OptionalType) {
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::Placement* placement,
                           PlacementOf(tensor));
  // Elements outside of tiles have types that XLA also has.
  TESSERA_RETURN_IF_ERROR(StorageBits(*placement).status());
  const tenstorrent::Geometry& geometry = placement->geometry();
  return RowMajorArray(*XlaTypeOf(geometry.element.data_type), geometry.shape);
}

// -- Strided -----------------------------------------------------------------

absl::StatusOr<AnyLayout> ParseStrided(std::string_view text,
                                       const AnyLayoutOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(StridedArray array, ParseStridedArray(text));
  TESSERA_RETURN_IF_ERROR(CheckAxes(options, array.rank()));
  return AnyLayout(std::move(array));
}

absl::Status Check(const StridedArray& array) {
  return ValidateStridedArray(array);
}

std::string TextOf(const StridedArray& array) { return array.ToString(); }

absl::Status CheckUnitOf(const StridedArray&, PositionUnit) {
  return absl::OkStatus();
}

absl::StatusOr<IndexMap> MapOf(const StridedArray& array, PositionUnit unit) {
  return ToIndexMap(array, unit);
}

absl::StatusOr<ElementPositions> ElementsOf(const StridedArray& array) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(array));
  return ElementPositions{std::move(map)};
}

std::optional<Extents> TilesOf(const StridedArray&) { return std::nullopt; }

std::optional<int64_t> BitsOfElement(const StridedArray& array) {
  return 8 * array.element_bytes();
}

OptionalBuffer BufferOf(const StridedArray& array) {
  return ArrayBuffer{*ToIndexMap(array), *BitsOfElement(array),
                     /*prefix_bytes=*/0, array.memory_space};
}

absl::StatusOr<Shape> ArrayShapeOf(const StridedArray& array, OptionalType) {
  TESSERA_RETURN_IF_ERROR(ValidateStridedArray(array));
  return RowMajorArray(array.element_type, array.dimensions);
}

}  // namespace

const cute::Layout& InnerLayout(const CuteLayout& layout) {
  const auto* composed = std::get_if<cute::ComposedLayout>(&layout.form);
  return composed == nullptr ? std::get<cute::Layout>(layout.form)
                             : composed->layout();
}

absl::StatusOr<AnyLayout> ParseAnyLayout(std::string_view text,
                                         const AnyLayoutOptions& options,
                                         std::vector<Diagnostic>* notes) {
  return ParseAnyLayout(text, FamilyOf(text), options, notes);
}

absl::StatusOr<AnyLayout> ParseAnyLayout(std::string_view text,
                                         LayoutFamily family,
                                         const AnyLayoutOptions& options,
                                         std::vector<Diagnostic>* notes) {
  switch (family) {
    case LayoutFamily::kXla:
      return ParseXla(text, options);
    case LayoutFamily::kCute:
      return ParseCute(text, options, notes);
    case LayoutFamily::kTenstorrent:
      return ParseTensor(text, options);
    case LayoutFamily::kStrided:
      break;
  }
  return ParseStrided(text, options);
}

std::string ToString(const AnyLayout& layout) {
  return layout.Visit([](const auto& value) { return TextOf(value); });
}

absl::Status Validate(const AnyLayout& layout) {
  return layout.Visit([](const auto& value) { return Check(value); });
}

absl::Status CheckUnit(const AnyLayout& layout, PositionUnit unit) {
  return layout.Visit(
      [unit](const auto& value) { return CheckUnitOf(value, unit); });
}

absl::StatusOr<IndexMap> ToIndexMap(const AnyLayout& layout,
                                    PositionUnit unit) {
  TESSERA_RETURN_IF_ERROR(CheckUnit(layout, unit));
  return layout.Visit([unit](const auto& value) { return MapOf(value, unit); });
}

absl::StatusOr<ElementPositions> ToElementPositions(const AnyLayout& layout,
                                                    PositionUnit unit) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(layout, unit));
  if (unit == PositionUnit::kElements) return ElementPositions{std::move(map)};
  TESSERA_ASSIGN_OR_RETURN(
      ElementPositions elements,
      layout.Visit([](const auto& value) { return ElementsOf(value); }));
  // A layout with positions in bytes or bits has the size of its elements.
  elements.size = *ElementBits(layout);
  if (unit == PositionUnit::kBytes) {
    elements.size /= 8;
  } else {
    elements.begin *= 8;
  }
  return elements;
}

PositionKind RefineKind(const AnyLayout& layout, PositionUnit unit,
                        int64_t position, PositionKind kind) {
  const auto* tensor = layout.As<VerifiedTensor>();
  if (tensor == nullptr || kind == PositionKind::kElement ||
      !PlacementOf(*tensor).ok()) {
    return kind;
  }
  return KindAt(*tensor->verification.placement, unit, position);
}

std::optional<std::vector<std::vector<int64_t>>> TileExtents(
    const AnyLayout& layout) {
  return layout.Visit([](const auto& value) { return TilesOf(value); });
}

std::optional<int64_t> ElementBits(const AnyLayout& layout) {
  return layout.Visit([](const auto& value) { return BitsOfElement(value); });
}

absl::StatusOr<std::optional<Bitcasts>> FindBitcasts(
    const AnyLayout& from, const AnyLayout& to, const BitcastOptions& options) {
  const auto* from_shape = from.As<Shape>();
  const auto* to_shape = to.As<Shape>();
  if (from_shape != nullptr && to_shape != nullptr) {
    return FindBitcasts(*from_shape, *to_shape, options);
  }
  const auto buffer_of = [](const AnyLayout& layout) {
    return layout.Visit([](const auto& value) { return BufferOf(value); });
  };
  const OptionalBuffer from_buffer = buffer_of(from);
  const OptionalBuffer to_buffer = buffer_of(to);
  if (!from_buffer.has_value() || !to_buffer.has_value()) {
    return std::optional<Bitcasts>();
  }
  return FindBitcasts(*from_buffer, *to_buffer, options);
}

absl::StatusOr<Shape> ToArrayShape(const AnyLayout& layout,
                                   std::optional<PrimitiveType> type) {
  return layout.Visit(
      [&](const auto& value) { return ArrayShapeOf(value, type); });
}

}  // namespace tessera
