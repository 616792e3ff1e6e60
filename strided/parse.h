// Reads the texts of strided arrays.
//
//   ParseStridedArray("memref<4x8xf32>")->strides;   // {8, 1}: row-major
//   const StridedArray memref = *ParseStridedArray(
//       "memref<4x8xf32, strided<[16, 2], offset: 3>, 1 : i32>");
//   memref.strides;                                  // {16, 2}
//   memref.offset;                                   // 3
//   memref.memory_space;                             // "1 : i32"
//
//   ParseStridedArray("f32[4,8] strides (64, 8) bytes")->strides;   // {16, 2}
//   ParseStridedArray("float32[4,8] strides (16, 2) elements, offset 3 "
//                     "elements")->offset;           // 3, as of the memref
//
// The grammar:
//
//   memref  = 'memref' '<' {size 'x'} element [',' strided] [',' space] '>'
//   strided = 'strided' '<' '[' [integers] ']' [',' 'offset' ':' integer] '>'
//   space   = integer [':' type] | string | '#' dialect '.' name ['<' ... '>']
//   element = 'f32' | 'bf16' | 'f8E4M3FN' | 'i32' | 'si32' | 'ui32' | ...
//           | 'complex' '<' ('f32' | 'f64') '>'
//
//   array   = type '[' [size {',' size}] ']' 'strides' '(' [integers] [','] ')'
//             unit [[','] 'offset' integer unit]
//   unit    = 'bytes' | 'byte' | 'elements' | 'element'
//   type    = one of XLA's or NumPy's, in any case
//
// The rules:
//
//   * The units of a memref are elements, as in MLIR. The other notation names
//     its unit: NumPy counts bytes, DLPack elements.
//   * A stride or an offset in bytes is a multiple of the size of an element.
//   * A memref without strides is row-major, and without an offset has offset
//     0. Without an offset, the other notation has the least that puts no
//     element before the buffer: 0 unless strides are negative.
//   * '?' is refused for sizes, strides and offsets, since positions need known
//     values. Also refused are a layout that is an affine_map, which may be any
//     function; an alias, which may name either; and the type `index`, whose
//     size depends on the target.
//
// Sources: mlir/lib/AsmParser/TypeParser.cpp (memref), AttributeParser.cpp
// (strided), numpy.ndarray.strides, dlpack.h.

#ifndef TESSERA_STRIDED_PARSE_H_
#define TESSERA_STRIDED_PARSE_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/strided/strided_array.h"

namespace tessera {

// Reads either notation, and records it in the result. Errors, with their
// places: kInvalidArgument; kUnimplemented for an affine_map; kOutOfRange for a
// number past 2^63-1 and those of ValidateStridedArray.
absl::StatusOr<StridedArray> ParseStridedArray(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_STRIDED_PARSE_H_
