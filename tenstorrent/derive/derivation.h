// Makes the layout of a tensor from a grid and a few choices, like tt-mlir's
// constructors.
//
//   const absl::StatusOr<MetalTensor> tensor =
//       DeriveMetalTensor({2, 3, 64, 128}, {DataType::kF32}, {2, 4});
//   tensor->layout.ToString();
//       // "#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),
//       // undef, <2x4>, memref<192x32xf32, #tt.memory_space<l1>>>"
//
//   const ElementType tile{DataType::kBfpBf8, TileShape{32, 32}};
//   WithElement(*tensor, tile)->layout.memref.shape;   // {6, 1}, in tiles
//   WithGrid(*tensor, {3, 2})->layout.memref.shape;    // {128, 64}
//
// The functions keep the tensor's other parts and derive its memref by the
// rules of geometry.h: scalars over the grid first, tiles second. Converting a
// tensor and converting it back therefore gives the same tensor. (tt-mlir's
// withElementType starts from the memref, and leaves tile padding in the scalar
// shard when a tensor is untilized.)

#ifndef TESSERA_TENSTORRENT_DERIVE_DERIVATION_H_
#define TESSERA_TENSTORRENT_DERIVE_DERIVATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/derive/collapse.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {

struct DerivationOptions {
  std::vector<CollapseInterval> collapse_intervals = {
      DefaultCollapseIntervals().begin(), DefaultCollapseIntervals().end()};
  CollapseRule collapse_rule = CollapseRule::kSpecification;
  // One alignment per dimension of the tensor, by which strides are bumped
  // (strides.h); empty to bump none.
  std::vector<int64_t> alignments;
  MemorySpace memory_space = MemorySpace::kDeviceL1;
  OobValue oob_value = OobValue::kUndef;
};

// Returns a tensor of `shape` laid out over `grid`, with memory of `element`.
// The tensor's own element is the scalar of the memory; for a block float it is
// f32.
//
// Errors: those of CollapsedMap, BumpedMap and Geometry::Create.
absl::StatusOr<MetalTensor> DeriveMetalTensor(
    absl::Span<const int64_t> shape, const ElementType& element,
    absl::Span<const int64_t> grid, const DerivationOptions& options = {});

// Returns the tensor with memory of `element`: tilized, untilized or of another
// type. Errors: those of Geometry::Create.
absl::StatusOr<MetalTensor> WithElement(const MetalTensor& tensor,
                                        const ElementType& element);

// Returns the tensor on another grid. Like tt-mlir's withGrid, derives its map
// from the intervals and drops the old map. Errors: those of CollapsedMap and
// Geometry::Create.
absl::StatusOr<MetalTensor> WithGrid(
    const MetalTensor& tensor, absl::Span<const int64_t> grid,
    absl::Span<const CollapseInterval> collapse_intervals =
        DefaultCollapseIntervals());

// Returns the tensor with another map, for example with bumped strides. Errors:
// those of Geometry::Create.
absl::StatusOr<MetalTensor> WithLinear(const MetalTensor& tensor,
                                       const AffineMap& linear);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_DERIVATION_H_
