// The number of arrays and their bytes: the sums in reports on memory.
//
//   #include "tessera/parser/parser.h"
//
//   MemoryTotals totals;
//   totals.Add(3, *ComputeArraySizes(*ParseShape("f32[7]{0:T(8)}")));
//   totals.arrays;          // 3
//   totals.unpadded_bytes;  // 84
//   totals.padded_bytes;    // 96
//   totals.is_saturated;    // false

#ifndef TESSERA_HLO_MEMORY_MEMORY_TOTALS_H_
#define TESSERA_HLO_MEMORY_MEMORY_TOTALS_H_

#include <cstdint>
#include <map>
#include <optional>

#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Sizes are those of ComputeArraySizes (index_util/array_sizes.h), with all
// tiles and the tail padding L, packed elements, and bounded dimensions at
// their bound.
struct MemoryTotals {
  int64_t arrays = 0;
  int64_t unpadded_bytes = 0;
  int64_t padded_bytes = 0;
  // Whether a sum exceeded 2^63-1, and stays there.
  bool is_saturated = false;

  // Adds `count` arrays of this size.
  void Add(int64_t count, const ArraySizes& sizes);
  void Add(const MemoryTotals& other);
};

// The sums over some arrays, in total and by parts of their shapes.
struct ArrayTotals {
  MemoryTotals total;
  std::map<int64_t, MemoryTotals> by_memory_space;
  std::map<PrimitiveType, MemoryTotals> by_element_type;
  // The number of arrays with an unbounded dimension, which are not in the
  // sums.
  int64_t skipped_arrays = 0;

  // Adds `count` arrays of this shape and size; nullopt if it is unbounded.
  void Add(int64_t count, const Shape& array,
           const std::optional<ArraySizes>& sizes);
  void Add(const ArrayTotals& other);
};

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MEMORY_TOTALS_H_
