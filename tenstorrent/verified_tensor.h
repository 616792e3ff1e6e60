// File: tenstorrent/verified_tensor.h
//
// A tensor of tt-mlir, whichever of its three layouts it carries, with all that
// asking where its elements lie takes.
//
//   const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
//       "tensor<53x63xf32, #tt.metal_layout<...>>");
//   tensor->verification.errors;             // none
//   const absl::StatusOr<const Placement*> placement = PlacementOf(*tensor);
//   (*placement)->Locate({18, 40})->cell;    // {1, 1}

#ifndef TESSERA_TENSTORRENT_VERIFIED_TENSOR_H_
#define TESSERA_TENSTORRENT_VERIFIED_TENSOR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/layout_text.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera {
namespace tenstorrent {

struct VerifiedTensor {
  TensorText text;
  DivisionOrder order;
  // What padding holds, where the layout says.
  absl::optional<OobValue> oob_value;
  std::string memory_space;  // or buffer type, in its keyword
  Verification verification;
};

VerifiedTensor VerifyTensor(TensorText text,
                            const VerificationOptions& options = {});

// Reads a tensor with any of the three layouts of layout_text.h. Errors: those
// of ReadTensorText; rules that it breaks are no error, but in `verification`.
absl::StatusOr<VerifiedTensor> ReadVerifiedTensor(
    absl::string_view text, const VerificationOptions& options = {});

// Errors: kFailedPrecondition with the first broken rule, or with what keeps
// locations from being computed.
absl::StatusOr<const Placement*> PlacementOf(const VerifiedTensor& tensor);

// The warnings that whoever asks for locations should know: what they leave out
// (kUndecided), and of which cells they are (kMemoryLayout).
std::vector<Finding> LocationWarnings(const Verification& verification);

// "memref-shape: the memref is ..."
std::string FindingText(const Finding& finding);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_VERIFIED_TENSOR_H_
