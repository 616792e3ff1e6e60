#include "tessera/tenstorrent/internal/aligned_verification.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/placement.h"

namespace tessera::tenstorrent {

Verification Verify(const AlignedTensor& tensor,
                    const VerificationOptions& options) {
  Verification verification;
  const AlignedLayout& layout = tensor.layout;
  for (const absl::Status& status : CheckAligned(layout)) {
    AddError(status, &verification);
  }
  const absl::StatusOr<Geometry> geometry = GeometryOf(tensor);
  if (!geometry.ok()) {
    // The errors of the attribute by itself are already reported.
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
  VerifyGeometry(*geometry, memory_space, options, &verification);
  if (!layout.index_map.has_value() || layout.index_map->is_identity() ||
      geometry->bytes == 0) {
    // It is not a view, or a view of an empty tensor.
  } else if (verification.placement.has_value()) {
    const Placement& placement = *verification.placement;
    verification.warnings.push_back(
        {Rule::kMemoryLayout,
         absl::StrCat("the index_map takes the ",
                      absl::StrJoin(tensor.shape, "x"),
                      " of the tensor to a storage of ",
                      absl::StrJoin(placement.storage_grid(), "x"), "x",
                      absl::StrJoin(placement.storage_memref(), "x"),
                      ": locations are those of the storage")});
  } else if (verification.ok()) {
    Geometry view = *geometry;
    view.index_map.reset();
    absl::StatusOr<Placement> placement =
        Placement::Create(std::move(view), options.evaluation_limit);
    if (placement.ok()) verification.view = *std::move(placement);
  }
  return verification;
}

}  // namespace tessera::tenstorrent
