// File: hlo/memory/memory_totals.h
//
// How many arrays are there, and how many bytes do they take: the sums of which
// the reports on memory are made.
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

#include "absl/types/optional.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Sizes are those of ComputeArraySizes (index_util/array_sizes.h): all tiles
// and the tail padding L, packed elements, bounded dimensions at their bound.
struct MemoryTotals {
  int64_t arrays = 0;
  int64_t unpadded_bytes = 0;
  int64_t padded_bytes = 0;
  // A sum passed 2^63-1, and stays there.
  bool is_saturated = false;

  // `count` arrays of this size.
  void Add(int64_t count, const ArraySizes& sizes);
  void Add(const MemoryTotals& other);
};

// The sums over some arrays, in all and by what the shapes say.
struct ArrayTotals {
  MemoryTotals total;
  std::map<int64_t, MemoryTotals> by_memory_space;
  std::map<PrimitiveType, MemoryTotals> by_element_type;
  // Arrays in none of the sums: those with an unbounded dimension.
  int64_t skipped_arrays = 0;

  // `count` arrays of this shape and size; of no size if it is unbounded.
  void Add(int64_t count, const Shape& array,
           const absl::optional<ArraySizes>& sizes);
  void Add(const ArrayTotals& other);
};

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MEMORY_TOTALS_H_
