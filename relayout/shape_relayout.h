// Plans the move of an array between two array shapes.
//
//   #include "tessera/parser/parser.h"
//
//   absl::StatusOr<RelayoutPlan> plan =
//       PlanRelayout(*ParseShape("bf16[9,130]{1,0}"),
//                    *ParseShape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
//   plan->from_bytes();                 // 2340
//   plan->to_bytes();                   // 8192
//   std::vector<uint8_t> host(2340), device(8192);
//   plan->Execute(host, absl::MakeSpan(device));   // OK
//
// Element sizes are those of index_util (StorageBits): an s4 takes a byte, or
// four bits if the layout has E(4).

#ifndef TESSERA_RELAYOUT_SHAPE_RELAYOUT_H_
#define TESSERA_RELAYOUT_SHAPE_RELAYOUT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns the plan from the layout of `from` to that of `to`. Both are arrays
// of the same element type, and have the same bounds (those of `to` in the
// order of options.to_dimensions) or a box in the options. Dynamic dimensions
// count at their bound. Splits and memory spaces are ignored, since they do not
// move elements.
//
// Errors: those of ToIndexMap and RelayoutPlan::Create; kInvalidArgument if
// element types or bounds differ; kUnimplemented if elements take more bits in
// one than in the other, or if there is a metadata prefix M(n).
absl::StatusOr<RelayoutPlan> PlanRelayout(const Shape& from, const Shape& to,
                                          const RelayoutOptions& options = {});

// Does the checks of PlanRelayout on elements and bounds, but not on positions.
// Errors: as above, except those of maps and plans; kFailedPrecondition for a
// shape without a layout.
absl::Status CheckRelayout(const Shape& from, const Shape& to,
                           const RelayoutOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_SHAPE_RELAYOUT_H_
