// Plans the move of an array between two layouts of any family.
//
//   const absl::StatusOr<RelayoutArray> host =
//       RelayoutArrayOf(*ParseAnyLayout("f32[64,64]"));
//   const absl::StatusOr<RelayoutArray> device =
//       RelayoutArrayOf(*ParseAnyLayout("(64,64):(1,80)"), F32);
//   PlanRelayout(*host, *device)->to_bytes();   // 20416
//
// RelayoutPlan::Execute (relayout/relayout_plan.h) moves the bytes.

#ifndef TESSERA_RELAYOUT_ANY_RELAYOUT_H_
#define TESSERA_RELAYOUT_ANY_RELAYOUT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/index_map/index_map.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/shape/shape.h"

namespace tessera {

// An array in a layout of any family.
struct RelayoutArray {
  // The type and bounds. For families other than XLA, the shape is row-major.
  Shape shape;
  // The text of the layout, for errors.
  std::string text;
  // The positions of the elements, counted in elements.
  IndexMap map;
};

// Returns the array in a layout. A layout without an element type, such as
// CuTe's, gets `type`. Errors: those of ToIndexMap and ToArrayShape
// (any_layout/any_layout.h).
absl::StatusOr<RelayoutArray> RelayoutArrayOf(
    const AnyLayout& layout, std::optional<PrimitiveType> type = std::nullopt);

// Returns the plan from one layout to the other. Both arrays have the same
// element type, and the same bounds or a box in the options, as in
// relayout/shape_relayout.h. Errors: those of CheckRelayout
// (relayout/shape_relayout.h) and RelayoutPlan::Create; kFailedPrecondition if
// elements of `to` may share positions.
absl::StatusOr<RelayoutPlan> PlanRelayout(const RelayoutArray& from,
                                          const RelayoutArray& to,
                                          const RelayoutOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_ANY_RELAYOUT_H_
