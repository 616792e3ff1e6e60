// File: cute/calculator/triton_encoding.h
//
// Triton's layouts of registers as CuTe's: from (thread, value) to the
// column-major index in the block of elements that the threads hold.
//
//   const std::string_view text =
//       "blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
//       "warpsPerCTA = [4, 1], order = [1, 0]}>";
//   size_t end;
//   ReadTritonEncoding(text, 0, &end)->ToString();
//       // "((8,4,4),8):((128,1,4),16)": a block of 16 x 64
//
// In the dimensions of `order`, fastest first: the values of a thread lie next
// to one another, then the threads of a warp, then the warps
// (TritonGPUAttrDefs.td). Modes of size 1 are left out.

#ifndef TESSERA_CUTE_CALCULATOR_TRITON_ENCODING_H_
#define TESSERA_CUTE_CALCULATOR_TRITON_ENCODING_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Reads blocked<{...}> or linear<{...}> of MLIR, or BlockedLayout(...) of
// Gluon, whose name begins at byte `begin` of `text`. `*end` is after it.
//
// Errors, with their place in `text`: kInvalidArgument for another encoding, a
// text that breaks the grammar, and a linear layout whose bases share bits,
// which is no CuTe layout; kOutOfRange if the block exceeds 2^63-1 elements.
absl::StatusOr<Layout> ReadTritonEncoding(std::string_view text, size_t begin,
                                          size_t* end);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_CALCULATOR_TRITON_ENCODING_H_
