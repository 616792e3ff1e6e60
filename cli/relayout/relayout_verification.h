// Verifies that a relayout moved every element to its place.
//
//   VerifyRelayout({from, to, element_bits, plan.box(), pad_value, in, out},
//                  run);                     // 65536
//
// There are two checks. The first moves the elements of `out` back and compares
// them with `in`, bit by bit. It misses a plan that makes the same mistake in
// both directions. The second compares positions one by one by the maps, which
// do not depend on plans.

#ifndef TESSERA_CLI_RELAYOUT_RELAYOUT_VERIFICATION_H_
#define TESSERA_CLI_RELAYOUT_RELAYOUT_VERIFICATION_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cli/relayout/element_value.h"
#include "tessera/index_map/index_map.h"
#include "tessera/relayout/loop_nest.h"
#include "tessera/relayout/relayout_plan.h"

namespace tessera::cli {

// The number of positions that are checked one by one. In a larger array they
// are pseudo-random, and the same each time.
inline constexpr int64_t kVerifiedPositions = 65'536;

struct RelayoutToVerify {
  IndexMap from;
  IndexMap to;
  int64_t element_bits = 8;
  CommonBox box;  // the moved box
  ElementBytes pad_value = {};
  absl::Span<const uint8_t> in;
  absl::Span<const uint8_t> out;
};

// Runs a plan from one buffer to another.
using PlanRunner = absl::FunctionRef<absl::Status(
    const RelayoutPlan& plan, absl::Span<const uint8_t> from,
    absl::Span<uint8_t> to)>;

// Returns the number of positions that were checked one by one.
//
// Errors: kDataLoss, with the first wrong position, or the number of wrong
// bits; those of RelayoutPlan::Create for the way back; kResourceExhausted if
// there is not enough memory for a copy of `in`.
absl::StatusOr<int64_t> VerifyRelayout(const RelayoutToVerify& relayout,
                                       PlanRunner run);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_RELAYOUT_RELAYOUT_VERIFICATION_H_
