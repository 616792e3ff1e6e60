#include "tessera/tenstorrent/internal/aligned_verification.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera {
namespace tenstorrent {

Verification Verify(const AlignedTensor& tensor,
                    const VerificationOptions& options) {
  Verification verification;
  const AlignedLayout& layout = tensor.layout;
  for (const absl::Status& status : CheckAligned(layout)) {
    AddError(status, &verification);
  }
  const absl::StatusOr<Geometry> geometry = GeometryOf(tensor);
  if (!geometry.ok()) {
    // What the attribute says by itself has been told.
    if (verification.ok()) AddError(geometry.status(), &verification);
    return verification;
  }
  const MemorySpace memory_space =
      layout.memory_space.value_or(MemorySpace::kSystem);
  verification.memref = MemRef{geometry->memref, tensor.element, memory_space};
  CheckMemRefShape(
      "shard",
      Dimensions(tensor.shape.begin() + geometry->rank(), tensor.shape.end()),
      geometry->memref, "", &verification.errors);
  if (layout.index_map.has_value() && !layout.index_map->is_identity()) {
    verification.warnings.push_back(
        {Rule::kUndecided,
         "the index_map is left out: locations are those of the storage that "
         "it views in another order"});
  }
  VerifyGeometry(*geometry, memory_space, options, &verification);
  if (layout.memory_layout == AlignedMemoryLayout::kInterleaved) {
    WarnOfInterleaving(memory_space, &verification);
  }
  return verification;
}

}  // namespace tenstorrent
}  // namespace tessera
