// Explains the size that a message states for an allocation, from its shape.
//
//   StatedBytes stated;
//   ReadStatedBytes("64.0K", &stated);
//   absl::StatusOr<AllocationShape> printed =
//       ReadAllocationShape("f32[128,6]{1,0}", stated, /*is_tpu=*/true);
//   printed->shape.ToString();       // "f32[128,6]{1,0:T(8,128)}"
//   printed->are_tiles_found;        // true: the message has none
//   printed->sizes.unpadded_bytes;   // 3072
//   printed->copies;                 // 1: as large as stated
//
// TPU's compiler prints many shapes of VMEM without their tiles. It uses few
// tilings for each type and rank. Of those that give the stated size, this file
// picks the one that the compiler uses most.

#ifndef TESSERA_HLO_MESSAGE_ALLOCATION_SHAPE_H_
#define TESSERA_HLO_MESSAGE_ALLOCATION_SHAPE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/hlo/message/stated_bytes.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/shape/shape.h"

namespace tessera {

struct AllocationShape {
  // An array, with its tiles if they were found.
  Shape shape;
  ArraySizes sizes;  // of `shape`
  bool are_tiles_found = false;
  // The number of usual tiles that give the stated size, if tiles were
  // searched.
  int64_t tilings = 0;
  // The number of such arrays that take the stated size; 0 if no number up to
  // 64 does.
  int64_t copies = 0;
};

// Reads a shape as a message prints it. Tiles are searched if `is_tpu`, the
// text has no tiles, and the array without tiles takes less than the stated
// size.
//
// Errors: those of ParseShape and ComputeArraySizes; kUnimplemented for a shape
// that is not an array, and for more than 64 dimensions.
absl::StatusOr<AllocationShape> ReadAllocationShape(std::string_view text,
                                                    const StatedBytes& stated,
                                                    bool is_tpu);

// Returns the array with each of the tilings that TPU's compiler may give an
// array of its type and rank in its order of dimensions: first the default one
// (shape/tpu_layout.h), then the others that libtpu 0.0.52 uses, the most
// frequent first. Empty for a scalar. Precondition: the array does not have
// tiles.
std::vector<Shape> UsualTilings(const Shape& array);

// The largest block of a kernel's operand that fits.
struct FittingBlock {
  Shape block;        // with the tiles of VMEM
  int64_t bytes = 0;  // of all its buffers
};

// Returns the largest block no larger than `window` of which `buffers` copies
// fit into `limit` bytes of VMEM; nullopt if not even a tile fits. Dimensions
// are cut from the most major one on, into parts of equal size if `full`, the
// shape of the operand, can be divided so. `full` may be the window itself.
//
// Preconditions: both are arrays of the same rank and type, without an
// unbounded dimension; buffers > 0.
std::optional<FittingBlock> FindFittingBlock(const Shape& window,
                                             const Shape& full, int64_t buffers,
                                             int64_t limit);

// Returns the largest block of each operand and result of a kernel. Two buffers
// of each block and the other needs of the kernel, `own_bytes`, together take
// at most `limit` bytes of VMEM. All arrays are cut into about the same number
// of parts, a power of two, and the other needs shrink likewise; small arrays
// stay whole. Returns nothing if not even tiles fit.
//
// Preconditions: arrays of rank 1 or more, of at most 64 dimensions, without an
// unbounded one; own_bytes >= 0.
std::vector<FittingBlock> FindFittingBlocks(absl::Span<const Shape> arrays,
                                            int64_t own_bytes, int64_t limit);

}  // namespace tessera

#endif  // TESSERA_HLO_MESSAGE_ALLOCATION_SHAPE_H_
