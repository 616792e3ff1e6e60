// File: cli/relayout/relayout_array.h
//
// What `tessera relayout` moves: an array in a layout of any family.
//
//   const absl::optional<RelayoutArray> host =
//       ReadRelayoutArray("f32[64,64]", {}, absl::nullopt, console);
//   const absl::optional<RelayoutArray> tiles = ReadRelayoutArray(
//       "tensor<64x64xf32, #tt.metal_layout<...>>", {}, absl::nullopt,
//       console);
//   PlanRelayout(*host, *tiles, {})->to_bytes();  // of all cells of the grid

#ifndef TESSERA_CLI_RELAYOUT_RELAYOUT_ARRAY_H_
#define TESSERA_CLI_RELAYOUT_RELAYOUT_ARRAY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/cli/output/console.h"
#include "tessera/index_map/index_map.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parse_options.h"
#include "tessera/relayout/relayout_plan.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace cli {

struct RelayoutArray {
  // For other families than XLA, the same elements in row-major order.
  Shape shape;
  std::string text;
  // In elements.
  IndexMap map;
};

// Errors: as ToIndexMap.
absl::StatusOr<RelayoutArray> RelayoutArrayOf(const Shape& shape);

// Reads an array of any family. A layout that names no element type takes
// `type`. Returns nullopt, after a message, if the text is not an array that
// can be moved. Prints warnings about the places of a tensor.
absl::optional<RelayoutArray> ReadRelayoutArray(
    const std::string& text, const ParseOptions& options,
    absl::optional<PrimitiveType> type, Console* console);

// Errors: those of CheckRelayout and RelayoutPlan::Create; kFailedPrecondition
// if elements of `to` may share positions.
absl::StatusOr<RelayoutPlan> PlanRelayout(const RelayoutArray& from,
                                          const RelayoutArray& to,
                                          const RelayoutOptions& options);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_RELAYOUT_RELAYOUT_ARRAY_H_
