// File: cli/tt_tensor.h
//
// The tensor that a `tessera tt` command is asked about.
//
//   const absl::StatusOr<TtTensor> tensor = ReadTtTensor(
//       "tensor<53x63xf32, #tt.metal_layout<...>>");
//   tensor->verification.errors;             // none
//   const absl::StatusOr<const tensor_layout::Placement*> placement =
//       PlacementOf(*tensor);

#ifndef TESSERA_CLI_TT_TENSOR_H_
#define TESSERA_CLI_TT_TENSOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/cli/console.h"
#include "tessera/cli/json.h"
#include "tessera/tensor_layout/geometry.h"
#include "tessera/tensor_layout/metal_layout.h"
#include "tessera/tensor_layout/placement.h"
#include "tessera/tensor_layout/verification.h"

namespace tessera {

struct TtTensor {
  std::string text;  // as the library prints it
  tensor_layout::DivisionOrder order;
  // What padding holds, where the layout says.
  absl::optional<tensor_layout::OobValue> oob_value;
  std::string memory_space;  // or buffer type, in its keyword
  tensor_layout::Verification verification;
};

// Reads a tensor with any of the three layouts of layout_text.h. Errors: those
// of its reader.
absl::StatusOr<TtTensor> ReadTtTensor(absl::string_view text);

// Errors: kFailedPrecondition with the first broken rule, or with what keeps
// locations from being computed.
absl::StatusOr<const tensor_layout::Placement*> PlacementOf(
    const TtTensor& tensor);

// Reads the tensor of an argument whose locations are asked for: a result has a
// placement. Writes a message, and returns nullopt, where there is none.
absl::optional<TtTensor> ReadTtTensorArgument(const std::string& text,
                                              Console* console);

// "memref-shape: the memref is ..."
std::string FindingText(const tensor_layout::Finding& finding);

// [{"code": "memref-shape", "message": "the memref is ..."}]
Json FindingsToJson(const std::vector<tensor_layout::Finding>& findings);

// "2x4", "()" without any.
std::string SizesText(absl::Span<const int64_t> sizes);

// Reads "2x4". Errors: kInvalidArgument, with its place.
absl::StatusOr<std::vector<int64_t>> ParseSizes(absl::string_view text);

}  // namespace tessera

#endif  // TESSERA_CLI_TT_TENSOR_H_
