// File: tenstorrent/internal/ttnn_verification.h
//
// Does a tensor with TTNN's layout keep the rules?
//
//   const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(R"(
//       tensor<6x15x10xbf16, #ttnn.ttnn_layout<
//           (d0, d1, d2) -> (d0 * 32 + d1, d2), <8x8>,
//           memref<6x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>,
//           <interleaved>>>)");
//   const Verification verification = Verify(*tensor);
//   verification.errors[0].rule;             // Rule::kInterleavedGrid
//   verification.errors[0].message;          // "expected (1, 1) grid shape for
//                                            // dram buffer type with
//                                            // interleaved memory layout, got
//                                            // (8, 8)"
//
// The rules are those of tt-mlir's verifier, in its words (TTNNOpsAttrs.cpp),
// and those that its verifier cannot check, since it sees the attribute without
// the tensor: that the map suits the tensor and the memref follows from map,
// grid and memory layout. Tiles come first, then the grid, as for all of TTNN
// (ttnn_derivation.h).

#ifndef TESSERA_TENSTORRENT_INTERNAL_TTNN_VERIFICATION_H_
#define TESSERA_TENSTORRENT_INTERNAL_TTNN_VERIFICATION_H_

#include "tessera/tenstorrent/ttnn_layout.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera {
namespace tenstorrent {

// Errors are those of Verify(const MetalTensor&) and of kMemoryLayout,
// kInterleavedGrid and kCoreRanges. The memref is that of the map as it is
// written, which need not be the one that tt-mlir derives; that of a tensor for
// which both are the same is what DeriveTtnnLayout gives. Its memory space
// stands for the buffer type: L1 for l1_small, DRAM for trace.
//
// These are warnings, since tt-mlir takes them:
//
// - height and width sharded over rows and columns (kMemoryLayout): shards lie
//   in one column or row of as many cells, and so the geometry has them;
// - sharded without core ranges (kCoreRanges), which are of 2026-05-06; there
//   is no warning where the text shows that it is older;
// - interleaved in the L1 of one core, a memref of another shape that is as
//   large, and any memref of a tensor without elements (kMemRefShape).
//
// Core ranges have to have room for the shards that hold something, as ttnn
// demands: as many cores as shards, and of block sharded tensors as many rows
// and columns. A layout does not say in which order shards go to them; this is
// row-major.
//
// There are locations where a shard is a block of the tensor: of what is
// sharded, and where one cell holds all, in system memory and interleaved DRAM.
// (In DRAM the pages of that one cell go to the banks in turn, DramAddressOf in
// device.h; a warning, kUndecided, says so.) Interleaved in L1, tiles lie on
// the cores in turn, and with ignorePhysicalLayout the shards are not known
// yet; then there is a warning (kUndecided) in place of locations, and in the
// latter case no memref.
Verification Verify(const TtnnTensor& tensor,
                    const VerificationOptions& options = {});

// The memory space that a buffer type is part of.
MemorySpace MemorySpaceHolding(BufferType buffer_type);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_INTERNAL_TTNN_VERIFICATION_H_
