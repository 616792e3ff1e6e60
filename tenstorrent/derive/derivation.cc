#include "tessera/tenstorrent/derive/derivation.h"

#include <utility>

#include "tessera/base/math/status_macros.h"
#include "tessera/tenstorrent/derive/strides.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera::tenstorrent {
namespace {

// Returns the tensor with the memref derived from its other parts.
absl::StatusOr<MetalTensor> WithDerivedMemRef(MetalTensor tensor) {
  TESSERA_ASSIGN_OR_RETURN(Geometry geometry, Geometry::Of(tensor));
  tensor.layout.memref.shape = std::move(geometry.memref);
  return tensor;
}

}  // namespace

absl::StatusOr<MetalTensor> DeriveMetalTensor(
    absl::Span<const int64_t> shape, const ElementType& element,
    absl::Span<const int64_t> grid, const DerivationOptions& options) {
  absl::StatusOr<AffineMap> linear = CollapsedMap(
      shape, options.collapse_intervals, grid.size(), options.collapse_rule);
  if (linear.ok() && !options.alignments.empty()) {
    linear = BumpedMap(*linear, shape, options.alignments);
  }
  if (!linear.ok()) return linear.status();
  MetalTensor tensor;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.element.data_type =
      IsBlockFloat(element.data_type) ? DataType::kF32 : element.data_type;
  tensor.layout.linear = *std::move(linear);
  tensor.layout.oob_value = options.oob_value;
  tensor.layout.grid.assign(grid.begin(), grid.end());
  tensor.layout.memref.element = element;
  tensor.layout.memref.memory_space = options.memory_space;
  return WithDerivedMemRef(std::move(tensor));
}

absl::StatusOr<MetalTensor> WithElement(const MetalTensor& tensor,
                                        const ElementType& element) {
  MetalTensor result = tensor;
  result.layout.memref.element = element;
  return WithDerivedMemRef(std::move(result));
}

absl::StatusOr<MetalTensor> WithGrid(
    const MetalTensor& tensor, absl::Span<const int64_t> grid,
    absl::Span<const CollapseInterval> collapse_intervals) {
  TESSERA_ASSIGN_OR_RETURN(
      AffineMap linear,
      CollapsedMap(tensor.shape, collapse_intervals, grid.size()));
  MetalTensor result = tensor;
  result.layout.linear = std::move(linear);
  result.layout.grid.assign(grid.begin(), grid.end());
  return WithDerivedMemRef(std::move(result));
}

absl::StatusOr<MetalTensor> WithLinear(const MetalTensor& tensor,
                                       const AffineMap& linear) {
  MetalTensor result = tensor;
  result.layout.linear = linear;
  return WithDerivedMemRef(std::move(result));
}

}  // namespace tessera::tenstorrent
