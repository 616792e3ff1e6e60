#include "tessera/relayout/any_relayout.h"

#include <optional>
#include <utility>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/relayout/shape_relayout.h"

namespace tessera {

absl::StatusOr<RelayoutArray> RelayoutArrayOf(
    const AnyLayout& layout, std::optional<PrimitiveType> type) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(layout));
  TESSERA_ASSIGN_OR_RETURN(Shape shape, ToArrayShape(layout, type));
  return RelayoutArray{std::move(shape), ToString(layout), std::move(map)};
}

absl::StatusOr<RelayoutPlan> PlanRelayout(const RelayoutArray& from,
                                          const RelayoutArray& to,
                                          const RelayoutOptions& options) {
  TESSERA_RETURN_IF_ERROR(CheckRelayout(from.shape, to.shape, options));
  if (to.map.kind() == IndexMap::Kind::kGeneral) {
    return FailedPreconditionError(
        "elements of ", to.text,
        " may share positions: it can be read, but not written");
  }
  return RelayoutPlan::Create(from.map, to.map, StorageBits(from.shape),
                              options);
}

}  // namespace tessera
