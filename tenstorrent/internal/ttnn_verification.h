// Verifies a tensor with TTNN's layout.
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
// and two that its verifier cannot check, since it sees the attribute without
// the tensor: the map must suit the tensor, and the memref must follow from
// map, grid and memory layout. Tiles come first, then the grid, as for all of
// TTNN (ttnn_derivation.h).

#ifndef TESSERA_TENSTORRENT_INTERNAL_TTNN_VERIFICATION_H_
#define TESSERA_TENSTORRENT_INTERNAL_TTNN_VERIFICATION_H_

#include "tessera/tenstorrent/ttnn_layout.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {

// Errors are those of Verify(const MetalTensor&) and of kMemoryLayout,
// kInterleavedGrid and kCoreRanges. The memref is derived from the map as
// written, which may differ from the one that tt-mlir derives. If both maps are
// equal, the memref is that of DeriveTtnnLayout. Its memory space is that of
// the buffer type: L1 for l1_small, DRAM for trace.
//
// These are warnings, because tt-mlir accepts them:
//
// - height and width sharded over rows and columns (kMemoryLayout): shards lie
//   in one column or row of as many cells, and the geometry does the same;
// - sharded without core ranges (kCoreRanges), which date from 2026-05-06;
//   there is no warning if the text is recognizably older;
// - a memref of another shape than the rules give (kMemRefShape), if the
//   tensor is interleaved, which is allocated by its shape; if it has no
//   elements; and if it is sharded and ttnn takes the shard (buffer.h), which is
//   then allocated as written.
//
// Core ranges must have room for the shards that are not empty, as ttnn
// requires: as many cores as shards, and for block sharded tensors as many rows
// and columns.
//
// An interleaved tensor has one cell, which holds its pages in order; their
// banks are in buffer/buffer.h. With ignorePhysicalLayout the shards are not
// known yet; there is then a warning (kUndecided) instead of locations, and no
// memref.
Verification Verify(const TtnnTensor& tensor,
                    const VerificationOptions& options = {});

// Returns the memory space that a buffer type is part of.
MemorySpace MemorySpaceHolding(BufferType buffer_type);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_TTNN_VERIFICATION_H_
