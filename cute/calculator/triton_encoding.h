// Converts Triton's layouts to CuTe's.
//
//   const std::string_view text =
//       "blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
//       "warpsPerCTA = [4, 1], order = [1, 0]}>";
//   size_t end;
//   const TritonEncoding blocked = *ReadTritonEncoding(text, 0, {}, &end);
//   std::get<Layout>(blocked.layout).ToString();
//       // "((8,4,4),8):((128,1,4),16)": a block of 16 x 64
//
// Layouts of registers go from (thread, value) to the column-major index in the
// block of elements that the threads hold. Modes of size 1 are left out.
//
// - blocked: in the dimensions of `order`, fastest first, the values of a
//   thread lie next to one another, then the threads of a warp, then the warps.
// - nvidia_mma of versions 2 and 3: what mma and wgmma return. In a tile of m x
//   n, a thread has 2 values side by side, 4 threads are in a row, 8 rows make
//   a matrix, and these are repeated, first down and then across. In version 2,
//   warps are numbered along the rows of the block first, and in version 3
//   along its columns first.
//
// swizzled_shared is a layout of shared memory: from the coordinates of an
// element to its place. In the dimensions of `order`, row r and column c are at
// c ^ vec * (r / perPhase % maxPhase) of the row.
//
// The rules are those of TritonGPUAttrDefs.td and LinearLayoutConversions.cpp
// (nvidiaMmaTile, swizzledSharedToLinearLayout).

#ifndef TESSERA_CUTE_CALCULATOR_TRITON_ENCODING_H_
#define TESSERA_CUTE_CALCULATOR_TRITON_ENCODING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

struct TritonEncoding {
  // A ComposedLayout for shared memory.
  std::variant<Layout, ComposedLayout> layout;
  std::string note;  // its domain and range
};

// Reads blocked<{...}>, linear<{...}>, nvidia_mma<{...}> or
// swizzled_shared<{...}> of MLIR, or BlockedLayout(...), SwizzledSharedLayout(
// ...) or NVMMADistributedLayout(...) of Gluon, whose name begins at byte
// `begin` of `text`. `*end` is set to the byte after it. `shape` is that of the
// array in shared memory, the dimensions of `order` last; if it is empty, the
// layout has the smallest block that is swizzled throughout.
//
// Errors, with their place in `text`: kInvalidArgument for another encoding, a
// text that breaks the grammar, a linear layout whose bases share bits, which
// is not a CuTe layout, sizes of nvidia_mma that are not those of an
// instruction, and sizes of swizzled_shared that are not powers of two;
// kOutOfRange if the block exceeds 2^63-1 elements.
absl::StatusOr<TritonEncoding> ReadTritonEncoding(
    std::string_view text, size_t begin, absl::Span<const int64_t> shape,
    size_t* end);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_TRITON_ENCODING_H_
