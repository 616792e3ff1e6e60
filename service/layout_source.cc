#include "tessera/service/layout_source.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tessera/cute/parse.h"
#include "tessera/cute/to_index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/tile.h"
#include "tessera/parser/parser.h"
#include "tessera/service/error.h"
#include "tessera/shape/shape_index.h"
#include "tessera/tensor_layout/layout_text.h"
#include "tessera/text/cursor.h"

namespace tessera {
namespace {

int64_t AxesOf(const Shape& array) {
  int64_t axes = array.rank();
  if (array.has_layout()) {
    for (const Tile& tile : array.layout().tiles()) {
      axes += tile.dimensions().size();
    }
  }
  return axes;
}

int64_t AxesOf(const tensor_layout::MetalTensor& tensor) {
  return tensor.shape.size() + tensor.layout.grid.size();
}
int64_t AxesOf(const tensor_layout::AlignedTensor& tensor) {
  return tensor.shape.size() + tensor.layout.logical_shape.size();
}
int64_t AxesOf(const tensor_layout::TtnnTensor& tensor) {
  return tensor.shape.size() + tensor.layout.grid.size();
}

// What makes a reader of CuTe's text look for a composed layout: a swizzle in
// front, or an `o` between two layouts.
bool IsComposed(absl::string_view text) {
  size_t position = 0;
  const absl::StatusOr<cute::Term> term = cute::ReadTerm(text, &position);
  if (!term.ok()) return false;
  return absl::holds_alternative<cute::Swizzle>(*term) ||
         Cursor(text.substr(position)).TakeIdentifier() == "o";
}

template <typename Result>
absl::StatusOr<CuteSource> ToSource(absl::StatusOr<Result> read) {
  if (!read.ok()) return read.status();
  return CuteSource(*std::move(read));
}

absl::StatusOr<PositionUnit> UnitOf(PositionUnits units) {
  switch (units) {
    case ELEMENTS:
      return PositionUnit::kElements;
    case BYTES:
      return PositionUnit::kBytes;
    case BITS:
      return PositionUnit::kBits;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat(static_cast<int>(units), " is no unit of positions"));
  }
}

absl::StatusOr<IndexMap> MapOf(const Shape& shape, PositionUnit unit) {
  return ToIndexMap(shape, unit);
}
absl::StatusOr<IndexMap> MapOf(const CuteSource& source, PositionUnit) {
  return absl::visit(
      [](const auto& layout) { return cute::ToIndexMap(layout); }, source);
}
absl::StatusOr<IndexMap> MapOf(const tensor_layout::VerifiedTensor& tensor,
                               PositionUnit) {
  const absl::StatusOr<const tensor_layout::Placement*> placement =
      PlacementOf(tensor);
  if (!placement.ok()) return placement.status();
  return (*placement)->map();
}

std::string TextOf(const Shape& shape) { return shape.ToString(); }
std::string TextOf(const CuteSource& source) {
  return absl::visit([](const auto& layout) { return layout.ToString(); },
                     source);
}
std::string TextOf(const tensor_layout::VerifiedTensor& tensor) {
  return ToString(tensor.text);
}

template <typename Read>
absl::StatusOr<LayoutSource> Widen(absl::StatusOr<Read> read) {
  if (!read.ok()) return read.status();
  return LayoutSource(*std::move(read));
}

}  // namespace

LayoutFamily FamilyOf(absl::string_view text) {
  Cursor cursor(text);
  if (cursor.NextToken().empty()) return LayoutFamily::kXla;
  if (cursor.Take('#')) return LayoutFamily::kTensor;
  if (cursor.Take('{')) return LayoutFamily::kXla;
  bool is_tuple = false;
  while (cursor.Take('(')) is_tuple = true;
  if (is_tuple && cursor.Take(')')) return LayoutFamily::kXla;
  const absl::string_view name = cursor.TakeIdentifier();
  if (name == "tensor" && cursor.Take('<')) return LayoutFamily::kTensor;
  // CuTe's names are those of swizzles; `_` and _3 are integers.
  const bool is_name = !name.empty() && name[0] != '_' &&
                       !absl::StartsWith(name, "SW_") && !cursor.Take('<');
  return is_name ? LayoutFamily::kXla : LayoutFamily::kCute;
}

const cute::Layout& InnerLayout(const CuteSource& source) {
  const auto* composed = absl::get_if<cute::ComposedLayout>(&source);
  return composed == nullptr ? absl::get<cute::Layout>(source)
                             : composed->layout();
}

absl::StatusOr<Shape> ReadShape(absl::string_view text,
                                const ServiceOptions& options) {
  absl::Status status = CheckTextBytes(options, text);
  if (!status.ok()) return status;
  ParseOptions parse;
  parse.upper_case_types = true;
  absl::StatusOr<Shape> shape = ParseShape(text, parse);
  if (!shape.ok()) return shape;
  int64_t axes = 0, index_entries = 0;
  ForEachLeafShape(*shape, [&](const Shape& leaf, ShapeIndexView index) {
    index_entries += static_cast<int64_t>(index.size());
    const bool is_buffer = leaf.element_type() == BUFFER;
    if (is_buffer) axes = std::max(axes, AxesOf(leaf.tuple_shapes(0)));
    if (leaf.IsArray()) axes = std::max(axes, AxesOf(leaf));
  });
  status = CheckAxes(options, axes);
  status.Update(CheckIndexEntries(options, index_entries));
  if (!status.ok()) return status;
  return shape;
}

absl::StatusOr<CuteSource> ReadCuteSource(absl::string_view text,
                                          const ServiceOptions& options) {
  absl::Status status = CheckTextBytes(options, text);
  if (!status.ok()) return status;
  absl::StatusOr<CuteSource> source =
      IsComposed(text) ? ToSource(cute::ParseComposedLayout(text))
                       : ToSource(cute::ParseLayout(text));
  if (!source.ok()) return source;
  status = CheckAxes(options, InnerLayout(*source).leaves().size());
  if (!status.ok()) return status;
  return source;
}

absl::StatusOr<tensor_layout::VerifiedTensor> ReadTensor(
    absl::string_view text, const ServiceOptions& options) {
  absl::Status status = CheckTextBytes(options, text);
  if (!status.ok()) return status;
  absl::StatusOr<tensor_layout::TensorText> read =
      tensor_layout::ReadTensorText(text);
  if (!read.ok()) return read.status();
  status = CheckAxes(
      options,
      absl::visit([](const auto& form) { return AxesOf(form); }, *read));
  if (!status.ok()) return status;
  tensor_layout::VerificationOptions verification;
  verification.evaluation_limit = options.evaluations;
  return tensor_layout::VerifyTensor(*std::move(read), verification);
}

absl::StatusOr<LayoutSource> ReadLayoutSource(absl::string_view text,
                                              const ServiceOptions& options) {
  switch (FamilyOf(text)) {
    case LayoutFamily::kXla:
      return Widen(ReadShape(text, options));
    case LayoutFamily::kCute:
      return Widen(ReadCuteSource(text, options));
    case LayoutFamily::kTensor:
      break;
  }
  return Widen(ReadTensor(text, options));
}

std::string CanonicalText(const LayoutSource& source) {
  return absl::visit([](const auto& layout) { return TextOf(layout); }, source);
}

absl::StatusOr<MappedLayout> MappedLayout::Create(LayoutSource source,
                                                  PositionUnits units) {
  const absl::StatusOr<PositionUnit> unit = UnitOf(units);
  if (!unit.ok()) return InField("units", unit.status());
  if (*unit != PositionUnit::kElements &&
      !absl::holds_alternative<Shape>(source)) {
    return InField(
        "units",
        absl::InvalidArgumentError(absl::StrCat(
            "positions in ", PositionUnits_Name(units),
            " are those of XLA arrays, and this is a layout of another "
            "family")));
  }
  absl::StatusOr<IndexMap> map = absl::visit(
      [&unit](const auto& layout) { return MapOf(layout, *unit); }, source);
  if (!map.ok()) return map.status();
  return MappedLayout(std::move(source), *std::move(map));
}

const tensor_layout::Placement* MappedLayout::placement() const {
  const auto* tensor = absl::get_if<tensor_layout::VerifiedTensor>(&source_);
  return tensor == nullptr ? nullptr : &*tensor->verification.placement;
}

absl::StatusOr<MappedLayout> ReadMappedLayout(absl::string_view text,
                                              PositionUnits units,
                                              const ServiceOptions& options) {
  absl::StatusOr<LayoutSource> source = ReadLayoutSource(text, options);
  if (!source.ok()) return source.status();
  return MappedLayout::Create(*std::move(source), units);
}

absl::StatusOr<int64_t> CountIndices(const IndexMap& map, int64_t entries,
                                     const ServiceOptions& options) {
  absl::Status status = CheckIndexEntries(options, entries);
  if (!status.ok()) return status;
  const int64_t rank = map.rank();
  const bool is_whole = rank == 0 ? entries == 0 : entries % rank == 0;
  if (!is_whole) {
    return absl::InvalidArgumentError(absl::StrCat(
        entries, " entries are no whole number of indices of rank ", rank));
  }
  return rank == 0 ? 1 : entries / rank;
}

}  // namespace tessera
