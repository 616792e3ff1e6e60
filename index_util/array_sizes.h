// Finds how large an array is, how much of it is padding, and which dimension
// causes the padding.
//
//   #include "tessera/parser/parser.h"
//
//   absl::StatusOr<ArraySizes> sizes =
//       ComputeArraySizes(*ParseShape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
//   sizes->unpadded_bytes;               // 2340
//   sizes->padded_bytes;                 // 8192
//   sizes->dimension_padding[0].padded;  // 16, for a bound of 9
//   sizes->padding_factor() == 8192.0 / 2340;   // true
//
// Sizes follow all levels of tiling and the tail padding L. (XLA's
// ShapeUtil::ArraySize follows the first tile only, and L only where there are
// tiles; ArrayDataSize is wrong for every packed format.) An array without
// elements has size 0, even with L; an element of a sub-byte type without E(n)
// takes a byte.
//
// The bytes that E(n) adds to an element are padding, as in XLA ("Unpadded
// size" in TPU's messages): a pred takes one byte, and with E(32) four, of
// which three are padding. An element that E(n) packs has no padding.

#ifndef TESSERA_INDEX_UTIL_ARRAY_SIZES_H_
#define TESSERA_INDEX_UTIL_ARRAY_SIZES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/shape/shape.h"

namespace tessera {

struct ArraySizes {
  int64_t elements = 0;           // the product of the dimensions
  int64_t physical_elements = 0;  // positions: tile and tail padding included
  int64_t tail_elements = 0;      // of them, those that L added at the end
  // The largest linear index of an element + 1, in elements and in bytes.
  // nullopt if DataEnd (index_map/element_runs.h) gives up, which happens only
  // for contrived tiles.
  std::optional<int64_t> data_end;
  std::optional<int64_t> data_end_bytes;
  int64_t storage_bits = 0;  // of one element
  // The part of element_bits that the type needs without E's widening.
  int64_t unpadded_element_bits = 0;
  int64_t unpadded_bytes = 0;  // of the elements alone, as wide as that
  int64_t padded_bytes = 0;    // of all positions
  // M(n): bytes before the array, not included in the numbers above.
  int64_t metadata_prefix_bytes = 0;
  // The padding of each dimension, by logical number.
  std::vector<IndexMap::DimensionPadding> dimension_padding;

  // padded_bytes / unpadded_bytes; 1 if both are 0.
  double padding_factor() const;
  // The part of padded_bytes that is padding, from 0 to 1; 0 if there are no
  // bytes.
  double padding_fraction() const;
};

// Computes the sizes of `shape`. Errors: those of ToIndexMap.
absl::StatusOr<ArraySizes> ComputeArraySizes(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_ARRAY_SIZES_H_
