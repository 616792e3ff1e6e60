// File: relayout/shape_relayout.h
//
// From two array shapes to the plan that moves the one to the other.
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
// Elements are as large as index_util counts them (StorageBits): an s4 takes a
// byte, and four bits where the layout says E(4).

#ifndef TESSERA_RELAYOUT_SHAPE_RELAYOUT_H_
#define TESSERA_RELAYOUT_SHAPE_RELAYOUT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns the plan from the layout of `from` to that of `to`, arrays of one
// element type and the same bounds (those of `to` in the order that
// options.to_dimensions gives) or of a box that the options give. Dynamic
// dimensions count at their bound, and splits and memory spaces are overlooked:
// neither moves an element.
//
// Errors: those of ToIndexMap and RelayoutPlan::Create; kInvalidArgument if
// element types or bounds differ; kUnimplemented if elements take more bits in
// the one than in the other, or there is a metadata prefix M(n).
absl::StatusOr<RelayoutPlan> PlanRelayout(const Shape& from, const Shape& to,
                                          const RelayoutOptions& options = {});

// The part of PlanRelayout that is about elements and bounds, and not about
// where they lie. Errors: as above, but for those of maps and plans;
// kFailedPrecondition for a shape without a layout.
absl::Status CheckRelayout(const Shape& from, const Shape& to,
                           const RelayoutOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_SHAPE_RELAYOUT_H_
