#include "tessera/cli/relayout/relayout_array.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/variant.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/cli/output/argument_error.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/output_format.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/math/status_macros.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/service/questions/layout_source.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera {
namespace cli {
namespace {

absl::StatusOr<RelayoutArray> ReadArray(const std::string& text,
                                        const ParseOptions& options,
                                        absl::optional<PrimitiveType> type,
                                        Console* console) {
  AnyLayoutOptions parse;
  parse.shape = options;
  parse.cute_expressions = true;
  TESSERA_ASSIGN_OR_RETURN(const AnyLayout layout, ParseAnyLayout(text, parse));
  absl::StatusOr<IndexMap> map = ToIndexMap(layout);
  if (!map.ok()) return WithPlaceInLayout(text, layout, map.status());
  TESSERA_ASSIGN_OR_RETURN(Shape shape, ToArrayShape(layout, type));
  if (const auto* tensor = absl::get_if<tenstorrent::VerifiedTensor>(&layout)) {
    for (const tenstorrent::Finding& warning :
         LocationWarnings(tensor->verification)) {
      PrintNote({kArgumentName}, FindingText(warning), console);
    }
  }
  return RelayoutArray{std::move(shape), ToString(layout), *std::move(map)};
}

}  // namespace

absl::StatusOr<RelayoutArray> RelayoutArrayOf(const Shape& shape) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));
  return RelayoutArray{shape, shape.ToString(), std::move(map)};
}

absl::optional<RelayoutArray> ReadRelayoutArray(
    const std::string& text, const ParseOptions& options,
    absl::optional<PrimitiveType> type, Console* console) {
  absl::StatusOr<RelayoutArray> array = ReadArray(text, options, type, console);
  if (array.ok()) return *std::move(array);
  PrintArgumentError(text, array.status(), console);
  return absl::nullopt;
}

absl::StatusOr<RelayoutPlan> PlanRelayout(const RelayoutArray& from,
                                          const RelayoutArray& to,
                                          const RelayoutOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckRelayout(from.shape, to.shape, options));
  if (to.map.kind() == IndexMap::Kind::kGeneral) {
    return absl::FailedPreconditionError(
        absl::StrCat("elements of ", to.text,
                     " may share positions: it can be read, but not written"));
  }
  return RelayoutPlan::Create(from.map, to.map, StorageBits(from.shape),
                              options);
}

}  // namespace cli
}  // namespace tessera
