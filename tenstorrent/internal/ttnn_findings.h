// Checks a layout of TTNN against the rules of Tenstorrent's runtime, in
// addition to the rules of its memref (ttnn_verification.h).
//
//   // 2048 rows in shards of 32, on 16 cores.
//   Verification verification;
//   CheckWithRuntime(*ParseTtnnTensor(
//       "tensor<2048x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <64x1>, "
//       "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
//       "<height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,3)>]>>>"),
//       VerificationOptions(), &verification);
//   verification.errors[0].rule;             // Rule::kCoreRanges

#ifndef TESSERA_TENSTORRENT_INTERNAL_TTNN_FINDINGS_H_
#define TESSERA_TENSTORRENT_INTERNAL_TTNN_FINDINGS_H_

#include "tessera/tenstorrent/ttnn_layout.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {

// Adds, unless `verification` has an error of the same rule:
//
// - kElementTypes, an error, if the type of the tensor's elements is not that
//   of its memref. Signs of integers and block floats may differ, and i1 does
//   not have its own memory type.
// - kCoreRanges and kMemRefShape, errors, for shards that the runtime does not
//   allocate (buffer/buffer.h), and for cores outside the grid of the card, if
//   `options` has one.
// - kCoreRanges, a warning, if there are more cores than cells of the grid.
//   This warning, or else kEmptyCells, names the cores without a shard.
void CheckWithRuntime(const TtnnTensor& tensor,
                      const VerificationOptions& options,
                      Verification* verification);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_TTNN_FINDINGS_H_
