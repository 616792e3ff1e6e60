// A tensor of tt-mlir with any of its three layouts: its text, its rules, and
// where its elements lie.
//
//   const std::string_view metal =
//       "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
//       "<3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>";
//   const absl::StatusOr<TensorText> text = ReadTensorText(metal);
//   std::holds_alternative<MetalTensor>(*text);   // true
//   ToString(*text) == metal;                      // true
//
//   const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(metal);
//   tensor->verification.ok();                     // true
//   const absl::StatusOr<const Placement*> placement = PlacementOf(*tensor);
//   (*placement)->Locate({18, 40})->cell();        // {1, 1}
//
// The texts of layouts, and the types that they are read as:
//
//   #tt.metal_layout<(d0) -> (d0), ...>           the document's: MetalTensor
//   #ttcore.metal_layout<logical_shape = ...>     since 2025-06: AlignedTensor
//   #ttnn.ttnn_layout<...>                        TTNN's: TtnnTensor
//
// The text between the angle brackets, not the dialect's name, distinguishes
// the first two. The grammars are in metal_layout.h, aligned_layout.h and
// ttnn_layout.h.

#ifndef TESSERA_TENSTORRENT_TENSOR_H_
#define TESSERA_TENSTORRENT_TENSOR_H_

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/ttnn_layout.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {

using TensorText = std::variant<MetalTensor, AlignedTensor, TtnnTensor>;

// Reads a tensor with a layout of any form. A tensor with another attribute, or
// without one, is kInvalidArgument; metal_layout.h documents the other errors.
absl::StatusOr<TensorText> ReadTensorText(std::string_view text);

// Returns the text of the tensor.
std::string ToString(const TensorText& tensor);

// Returns the map from the tensor's dimensions to physical positions; null if
// the layout does not have one, like AlignedLayout.
const AffineMap* LinearMapOf(const TensorText& tensor);

struct VerifiedTensor {
  TensorText text;
  DivisionOrder order;
  // Returns the value of padding, if the layout has it.
  std::optional<OobValue> oob_value;
  std::string memory_space;  // or buffer type, in its keyword
  Verification verification;
};

VerifiedTensor VerifyTensor(TensorText text,
                            const VerificationOptions& options = {});

// Reads a tensor and verifies it. Errors: those of ReadTensorText. Broken rules
// are not errors of this function; `verification` has them.
absl::StatusOr<VerifiedTensor> ReadVerifiedTensor(
    std::string_view text, const VerificationOptions& options = {});

// Returns the placement of a tensor. Errors: kFailedPrecondition with the first
// broken rule, or with the reason why locations cannot be computed.
absl::StatusOr<const Placement*> PlacementOf(const VerifiedTensor& tensor);

// Returns the placement whose sizes and padding are the tensor's: that of
// PlacementOf, or Verification::view. Errors: those of PlacementOf.
absl::StatusOr<const Placement*> SizesOf(const VerifiedTensor& tensor);

// Returns the warnings that matter to a caller who wants locations: the parts
// that locations leave out (kUndecided), the cells that they name
// (kMemoryLayout), and tiles that tt-mlir does not have (kBlockFloat).
std::vector<Finding> LocationWarnings(const Verification& verification);

// "memref-shape: the memref is ..."
std::string FindingText(const Finding& finding);

// -- For one form -------------------------------------------------------------
// Parsers for a single form. Each rejects the other forms, and all other text,
// as ReadTensorText does.

absl::StatusOr<MetalTensor> ParseMetalTensor(std::string_view text);
absl::StatusOr<AlignedTensor> ParseAlignedTensor(std::string_view text);
absl::StatusOr<TtnnTensor> ParseTtnnTensor(std::string_view text);
// A tensor whose shards have its own rank. ReadTensorText does not read it.
absl::StatusOr<TtnnNdTensor> ParseTtnnNdTensor(std::string_view text);

// Read only the attribute. A text that ends after its aliases is read as the
// last of them.
absl::StatusOr<MetalLayout> ParseMetalLayout(std::string_view text);
absl::StatusOr<AlignedLayout> ParseAlignedLayout(std::string_view text);
absl::StatusOr<TtnnLayout> ParseTtnnLayout(std::string_view text);
absl::StatusOr<TtnnNdLayout> ParseTtnnNdLayout(std::string_view text);
absl::StatusOr<MemoryConfig> ParseMemoryConfig(std::string_view text);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_TENSOR_H_
