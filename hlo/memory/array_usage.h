// File: hlo/memory/array_usage.h
//
// Which distinct arrays are the largest, which waste the most, what in their
// layout is to blame, and would another order of the dimensions be better?
//
//   #include "tessera/parser/parser.h"
//
//   const Shape tail = *ParseShape("f32[7]{0:T(8)L(1024)}");
//   PaddingBlame blame = BlamePadding(*ComputeArraySizes(tail));
//   blame.cause;    // PaddingCause::kTail
//   blame.bound;    // 8: the tile's padding is the smaller evil
//   blame.padded;   // 1024
//
//   const Shape tall = *ParseShape("f32[1000,2]{1,0:T(8,128)}");
//   ComputeArraySizes(tall)->padded_bytes;   // 512000
//   absl::optional<BestOrder> best = FindBestOrder(tall);
//   best->minor_to_major;                    // {0, 1}
//   best->padded_bytes;                      // 32768

#ifndef TESSERA_HLO_MEMORY_ARRAY_USAGE_H_
#define TESSERA_HLO_MEMORY_ARRAY_USAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {

// What multiplies an array most.
enum class PaddingCause {
  kNone,        // nothing is padded
  kDimensions,  // a dimension, or several that a tile joins
  kTile,        // a tile of more dimensions than the array, in front of them
  kTail,        // L, after everything else
};

// Returns "dimension", "tile" or "tail"; "" for kNone.
absl::string_view PaddingCauseName(PaddingCause cause);

struct PaddingBlame {
  PaddingCause cause = PaddingCause::kNone;
  std::vector<int64_t> dimensions;  // for kDimensions only; logical numbers
  // What was `bound` became `padded`: the size of the dimensions; for kTail all
  // positions. Equal for kNone.
  int64_t bound = 1;
  int64_t padded = 1;
};

// Of equal causes the first: dimensions in order, then the tile, then the tail.
PaddingBlame BlamePadding(const ArraySizes& sizes);

// The order of dimensions in which the array would take the least memory under
// the same tiles. A hint: what else would have to change, and what it would
// cost, only the compiler knows.
struct BestOrder {
  Layout::MinorToMajor minor_to_major;  // the array's own if none is better
  int64_t padded_bytes = 0;
};

// Tries all orders. nullopt for an array of more than 6 dimensions and for one
// that cannot be sized. Precondition: `array` is an array with a layout.
absl::optional<BestOrder> FindBestOrder(const Shape& array);

// Returns the dimensions of an order as JAX has them in
// Layout(major_to_minor=): the reverse of minor_to_major.
std::vector<int64_t> MajorToMinor(const BestOrder& order);

// One distinct array.
struct ArrayUsage {
  std::string shape_text;  // canonical, with its layout
  int64_t count = 0;       // how often it stands in a result shape
  // HloInstruction::index() of the first whose result has it.
  int64_t first_instruction = -1;
  // Of one such array.
  int64_t unpadded_bytes = 0;
  int64_t padded_bytes = 0;
  double padding_factor = 1;  // padded_bytes / unpadded_bytes
  // Of all of them together; past 2^63-1 they stay there.
  int64_t total_padded_bytes = 0;
  int64_t total_padding_bytes = 0;
  bool is_saturated = false;
  PaddingBlame most_padded;
  // FindBestOrder; nullopt also where it was not asked for.
  absl::optional<BestOrder> best_order;
};

// Whether another order is known that takes less memory.
inline bool HasBetterOrder(const ArrayUsage& array) {
  return array.best_order.has_value() &&
         array.best_order->padded_bytes < array.padded_bytes;
}

struct CountedArray {
  const Shape* shape;
  const ArraySizes* sizes;
  int64_t count = 0;
  int64_t first_instruction = -1;
};

struct ArrayTables {
  // By the bytes of one array, padding included.
  std::vector<ArrayUsage> largest;
  // By total_padding_bytes; only arrays that have any.
  std::vector<ArrayUsage> most_wasteful;
};

// At most `rows` rows each; of equal ones those that come first in `arrays`.
// With `find_best_orders` that is filled in in `most_wasteful`.
ArrayTables MakeArrayTables(absl::Span<const CountedArray> arrays, int64_t rows,
                            bool find_best_orders);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_ARRAY_USAGE_H_
