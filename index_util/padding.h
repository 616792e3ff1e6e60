// Finds what causes most of the padding of an array, and whether another order
// of the dimensions would be better.
//
//   #include "tessera/parser/parser.h"
//
//   const Shape tail = *ParseShape("f32[7]{0:T(8)L(1024)}");
//   PaddingBlame blame = BlamePadding(*ComputeArraySizes(tail));
//   blame.cause;    // PaddingCause::kTail
//   blame.bound;    // 8: the tile adds less padding than the tail
//   blame.padded;   // 1024
//
//   const Shape mask = *ParseShape("pred[64,512]{1,0:T(8,128)E(32)}");
//   BlamePadding(*ComputeArraySizes(mask)).cause;   // PaddingCause::kElement
//
//   const Shape tall = *ParseShape("f32[1000,2]{1,0:T(8,128)}");
//   ComputeArraySizes(tall)->padded_bytes;   // 512000
//   absl::StatusOr<BestOrder> best = FindBestOrder(tall);
//   best->minor_to_major;                    // {0, 1}
//   best->padded_bytes;                      // 32768
//
//   // Of f32[1000,9] in the layout that the TPU compiler gives it:
//   FindSmallerTpuSizes(*ParseShape("f32[1000,9]"))->at(0).size;   // 896

#ifndef TESSERA_INDEX_UTIL_PADDING_H_
#define TESSERA_INDEX_UTIL_PADDING_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {

// The cause that multiplies the size of an array most.
enum class PaddingCause {
  kNone,        // nothing is padded
  kDimensions,  // a dimension, or several that a tile joins
  kTile,        // a tile of more dimensions than the array, in front of them
  kElement,     // E, which widens each element
  kTail,        // L, after everything else
};

// Returns "dimension", "tile", "element" or "tail"; "" for kNone.
std::string_view PaddingCauseName(PaddingCause cause);

struct PaddingBlame {
  PaddingCause cause = PaddingCause::kNone;
  std::vector<int64_t> dimensions;  // for kDimensions only; logical numbers
  // The cause padded `bound` to `padded`: the size of the dimensions; for
  // kElement, the bits of one element; for kTail, all positions. Equal for
  // kNone.
  int64_t bound = 1;
  int64_t padded = 1;
};

// Returns the largest cause; the first of equal ones, in the order dimensions,
// tile, element, tail.
PaddingBlame BlamePadding(const ArraySizes& sizes);

// The order of dimensions in which the array would take the least memory under
// the same tiles. It is a hint: only the compiler knows what else would have to
// change, and at what cost.
struct BestOrder {
  Layout::MinorToMajor minor_to_major;  // the array's own if none is better
  int64_t padded_bytes = 0;
};

// Finds the best order by trying all.
//
// Errors: those of ToIndexMap (index_util/to_index_map.h), including
// kFailedPrecondition for an array without a layout; kResourceExhausted for an
// array of more than 6 dimensions, which has more than 720 orders.
absl::StatusOr<BestOrder> FindBestOrder(const Shape& array);

// Returns an order of dimensions as JAX writes it in Layout(major_to_minor=):
// the reverse of minor_to_major.
std::vector<int64_t> MajorToMinor(const BestOrder& order);

// The size of one dimension at which an array would take less.
struct SmallerTpuSize {
  int64_t dimension = 0;
  int64_t size = 0;
  int64_t padded_bytes = 0;
};

// Returns, for each dimension that the layout of the TPU compiler pads
// (DefaultTpuLayout of shape/tpu_layout.h), the next smaller size at which the
// array would take less, in the layout that it would then have. Dimensions for
// which there is none are left out.
//
// Errors: those of DefaultTpuLayout.
absl::StatusOr<std::vector<SmallerTpuSize>> FindSmallerTpuSizes(
    const Shape& array);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_PADDING_H_
