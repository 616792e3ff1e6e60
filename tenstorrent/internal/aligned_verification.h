// Verifies a tensor with the layout attribute of 2025.
//
//   const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(R"(
//       tensor<3x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<
//           logical_shape = 2x33x128, dim_alignments = 1x32x32,
//           collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>,
//           l1, sharded>>)");
//   const Verification verification = Verify(*tensor);
//   verification.errors[0].rule;             // Rule::kUnevenGrid
//   verification.errors[0].message;          // "Collapsed dimension must be
//                                            // evenly divisible by grid ..."
//
// The rules are those of tt-mlir's verifier, in its words, and one that its
// verifier cannot check, since it sees the attribute without the tensor: the
// shape of the tensor must be a grid, followed by the shard that results from
// it. Tiles come first, then the grid (aligned_derivation.h).

#ifndef TESSERA_TENSTORRENT_INTERNAL_ALIGNED_VERIFICATION_H_
#define TESSERA_TENSTORRENT_INTERNAL_ALIGNED_VERIFICATION_H_

#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {

// Errors are those of kTensorSize, kGridSize, kTileRank, kBlockFloat,
// kSizeOverflow, kMemRefShape, kDimAlignments, kCollapsedIntervals, kTensorRank
// and kUnevenGrid. The memref is the tensor's shard by the rules, in the
// attribute's memory space, or in system if it does not name one. Locations are
// those of the storage, to which the index_map maps the tensor's shape. If the
// map is not applied (placement.h), there is a warning (kUndecided) instead of
// locations.
Verification Verify(const AlignedTensor& tensor,
                    const VerificationOptions& options = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_ALIGNED_VERIFICATION_H_
