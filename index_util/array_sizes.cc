#include "tessera/index_util/array_sizes.h"

#include "tessera/base/math/byte_count.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_util/to_index_map.h"

namespace tessera {

double ArraySizes::padding_factor() const {
  return padded_bytes == unpadded_bytes
             ? 1.0
             : static_cast<double>(padded_bytes) / unpadded_bytes;
}

double ArraySizes::padding_fraction() const {
  if (padded_bytes == 0) return 0;
  return static_cast<double>(padded_bytes - unpadded_bytes) /
         static_cast<double>(padded_bytes);
}

absl::StatusOr<ArraySizes> ComputeArraySizes(const Shape& shape) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));

  ArraySizes sizes;
  sizes.storage_bits = StorageBits(shape);
  sizes.unpadded_element_bits = UnpaddedElementBits(shape);
  // The validator has proven that all positions fit.
  auto bytes = [&sizes](int64_t elements) {
    return *CheckedByteCount(elements, sizes.storage_bits);
  };
  sizes.elements = map.element_count();
  sizes.physical_elements = map.position_count();
  sizes.tail_elements = map.position_count() - map.tail_begin();
  absl::StatusOr<int64_t> data_end = DataEnd(map);
  if (data_end.ok()) {
    sizes.data_end = *data_end;
    sizes.data_end_bytes = bytes(*data_end);
  }
  sizes.unpadded_bytes =
      *CheckedByteCount(map.element_count(), sizes.unpadded_element_bits);
  sizes.padded_bytes = bytes(map.position_count());
  sizes.metadata_prefix_bytes =
      shape.layout().dynamic_shape_metadata_prefix_bytes();
  sizes.dimension_padding = map.PaddingByDimension();
  return sizes;
}

}  // namespace tessera
