#include "tessera/service/questions/layouts/layout_source.h"

#include <string_view>

#include "absl/status/status.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/hlo/explain_text_question.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

absl::StatusOr<AnyLayout> ReadLayoutOf(LayoutFamily family,
                                       std::string_view text,
                                       const ServiceOptions& options,
                                       const ParseOptions& shape_options,
                                       std::vector<Diagnostic>* notes) {
  TESSERA_RETURN_IF_ERROR(CheckTextBytes(options, text));
  AnyLayoutOptions parse;
  parse.shape = shape_options;
  parse.shape.upper_case_types = true;
  // A layout without expressions may be longer.
  parse.cute_expressions =
      static_cast<int64_t>(text.size()) <= options.expression_bytes;
  parse.check_axes = [&options](int64_t axes) {
    return CheckAxes(options, axes);
  };
  parse.verification.evaluation_limit = options.evaluations;
  TESSERA_ASSIGN_OR_RETURN(AnyLayout layout,
                           ParseAnyLayout(text, family, parse, notes));
  if (const Shape* shape = layout.As<Shape>()) {
    int64_t index_entries = 0;
    ForEachLeafShape(*shape, [&](const Shape&, ShapeIndexView index) {
      index_entries += static_cast<int64_t>(index.size());
    });
    TESSERA_RETURN_IF_ERROR(CheckIndexEntries(options, index_entries));
  }
  return layout;
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
      return InvalidArgumentError(static_cast<int>(units),
                                  " is not a unit of positions");
  }
}

}  // namespace

absl::StatusOr<AnyLayout> ReadLayout(std::string_view text,
                                     const ServiceOptions& options,
                                     const ParseOptions& shape,
                                     std::vector<Diagnostic>* notes) {
  absl::StatusOr<AnyLayout> layout =
      ReadLayoutOf(FamilyOf(text), text, options, shape, notes);
  if (!layout.ok()) return RefusalOfLayout(text, layout.status());
  return layout;
}

absl::Status SetLayoutTarget(std::string_view target, ParseOptions* shape) {
  shape->tpu_layouts = HloTargetOfName(target) == HloTarget::kTpu ||
                       TpuGenerationOfName(target) != TpuGeneration::kUnknown;
  if (shape->tpu_layouts || target.empty()) return absl::OkStatus();
  return InvalidField("target",
                      "expected tpu, v4, v5e, v5p, v6e or v7x, found ", target);
}

absl::StatusOr<tenstorrent::VerifiedTensor> ReadTensor(
    std::string_view text, const ServiceOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(
      AnyLayout layout, ReadLayoutOf(LayoutFamily::kTenstorrent, text, options,
                                     ParseOptions(), /*notes=*/nullptr));
  return *layout.As<tenstorrent::VerifiedTensor>();
}

absl::StatusOr<MappedLayout> MappedLayout::Create(std::string_view text,
                                                  AnyLayout layout,
                                                  PositionUnits units) {
  const absl::StatusOr<PositionUnit> unit = UnitOf(units);
  absl::Status status = unit.ok() ? CheckUnit(layout, *unit) : unit.status();
  if (!status.ok()) return InField("units", std::move(status));
  absl::StatusOr<IndexMap> map = ToIndexMap(layout, *unit);
  if (!map.ok()) return WithPlaceInLayout(text, layout, map.status());
  return MappedLayout(std::move(layout), *unit, *std::move(map));
}

absl::StatusOr<MappedLayout> ReadMappedLayout(std::string_view text,
                                              PositionUnits units,
                                              const ServiceOptions& options,
                                              std::string_view target) {
  ParseOptions shape;
  TESSERA_RETURN_IF_ERROR(SetLayoutTarget(target, &shape));
  TESSERA_ASSIGN_OR_RETURN(AnyLayout layout, ReadLayout(text, options, shape));
  return MappedLayout::Create(text, std::move(layout), units);
}

absl::Status WithPlaceInLayout(std::string_view text, const AnyLayout& layout,
                               const absl::Status& status) {
  if (DiagnosticOf(status).has_value()) return status;
  const Shape* const shape = layout.As<Shape>();
  const bool is_unbounded =
      shape != nullptr && shape->has_unbounded_dimension();
  std::string_view rest = text;
  while (true) {
    const std::string_view token = Cursor(rest).NextToken();
    const int64_t offset = token.data() - text.data();
    // Only dimensions may be `?`.
    if (!is_unbounded || token == "?" || token.empty()) {
      return AtOffset(text, offset, status);
    }
    rest = text.substr(offset + token.size());
  }
}

absl::StatusOr<int64_t> CountIndices(const IndexMap& map, int64_t entries,
                                     const ServiceOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckIndexEntries(options, entries));
  const int64_t rank = map.rank();
  const bool is_whole = rank == 0 ? entries == 0 : entries % rank == 0;
  if (!is_whole) {
    return InvalidArgumentError("the number of entries, ", entries,
                                ", is not a multiple of the rank, ", rank);
  }
  return rank == 0 ? 1 : entries / rank;
}

}  // namespace tessera
