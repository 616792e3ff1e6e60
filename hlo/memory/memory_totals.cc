#include "tessera/hlo/memory/memory_totals.h"

#include "tessera/base/math/saturating_sum.h"

namespace tessera {

void MemoryTotals::Add(int64_t count, const ArraySizes& sizes) {
  SaturatingAdd(count, &arrays, &is_saturated);
  SaturatingAddProduct(count, sizes.unpadded_bytes, &unpadded_bytes,
                       &is_saturated);
  SaturatingAddProduct(count, sizes.padded_bytes, &padded_bytes, &is_saturated);
}

void MemoryTotals::Add(const MemoryTotals& other) {
  SaturatingAdd(other.arrays, &arrays, &is_saturated);
  SaturatingAdd(other.unpadded_bytes, &unpadded_bytes, &is_saturated);
  SaturatingAdd(other.padded_bytes, &padded_bytes, &is_saturated);
  is_saturated |= other.is_saturated;
}

void ArrayTotals::Add(int64_t count, const Shape& array,
                      const std::optional<ArraySizes>& sizes) {
  if (!sizes.has_value()) {
    skipped_arrays += count;
    return;
  }
  total.Add(count, *sizes);
  by_memory_space[array.layout().memory_space()].Add(count, *sizes);
  by_element_type[array.element_type()].Add(count, *sizes);
}

void ArrayTotals::Add(const ArrayTotals& other) {
  total.Add(other.total);
  for (const auto& [space, totals] : other.by_memory_space) {
    by_memory_space[space].Add(totals);
  }
  for (const auto& [type, totals] : other.by_element_type) {
    by_element_type[type].Add(totals);
  }
  skipped_arrays += other.skipped_arrays;
}

}  // namespace tessera
