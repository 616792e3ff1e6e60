#include "tessera/tenstorrent/form_conversion.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/derive/ttnn_derivation.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/internal/aligned_verification.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {
namespace {

// Returns the error that the other form cannot express the tensor.
template <typename... Parts>
absl::Status CannotSay(const Parts&... parts) {
  return FailedPreconditionError(parts...);
}

absl::Status FirstError(const Verification& verification) {
  if (verification.ok()) return absl::OkStatus();
  const Finding& error = verification.errors.front();
  return RuleError(error.rule, error.message,
                   error.rule == Rule::kSizeOverflow
                       ? absl::StatusCode::kOutOfRange
                       : absl::StatusCode::kInvalidArgument);
}

// Returns the element type of the tensor whose memory holds `element`, as in
// the constructors.
ElementType TensorElementOf(const ElementType& element) {
  return {IsBlockFloat(element.data_type) ? DataType::kF32 : element.data_type};
}

// Checks that elements lie at the same places in both geometries, which have
// the same map and grid, and that both take the same memory.
absl::Status CheckSamePlaces(const Geometry& grid_first,
                             const Geometry& tile_first) {
  for (int64_t i = 0; i < grid_first.rank(); ++i) {
    if (grid_first.memref[i] != tile_first.memref[i]) {
      return CannotSay("physical dimension ", i, " takes ",
                       tile_first.memref[i], " of the memory of a shard, but ",
                       grid_first.memref[i],
                       " without an alignment after the last index");
    }
    // If one geometry places all of it on the first cell, so does the other.
    if (grid_first.extent[i] <= grid_first.shard[i]) continue;
    if (grid_first.shard[i] != tile_first.shard[i]) {
      return CannotSay("physical dimension ", i, " is cut into shards of ",
                       grid_first.shard[i], ", but of ", tile_first.shard[i],
                       " where tiles come before the grid");
    }
  }
  return absl::OkStatus();
}

// -- From the document's form to that of 2025 ---------------------------------

// Returns the first of `candidates` that rounds `size` up to `aligned`, or
// `aligned`.
int64_t AlignmentOf(int64_t size, int64_t aligned,
                    absl::Span<const int64_t> candidates) {
  for (const int64_t candidate : candidates) {
    if (aligned % candidate == 0 && aligned - size < candidate) {
      return candidate;
    }
  }
  return aligned;
}

// The dimensions of result `i`, which begin with `begin`, and their alignments.
absl::StatusOr<AlignedLayout::Interval> AddInterval(const Geometry& geometry,
                                                    int64_t i, int64_t begin,
                                                    AlignedLayout* layout) {
  const int64_t rank = geometry.shape.size();
  const std::string name = absl::StrCat(
      "result ", i, ", ", geometry.linear.result(i).ToString(), ",");
  const std::optional<AffineForm> form = geometry.linear.Form(i);
  if (!form.has_value() || form->constant != 0) {
    return CannotSay(name, " does not join dimensions");
  }
  int64_t end = begin;
  while (end < rank && form->coefficients[end] != 0) ++end;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (form->coefficients[dim] == 0 || (dim >= begin && dim < end)) continue;
    return CannotSay(name, " does not join the dimensions from d", begin,
                     " on in order");
  }
  if (end == begin) return CannotSay(name, " joins no dimension");
  if (form->coefficients[end - 1] != 1) {
    return CannotSay(name, " has steps of ", form->coefficients[end - 1],
                     " for its innermost dimension");
  }
  const int64_t tile = geometry.TileOf(i);
  const std::optional<int64_t> tile_of_grid =
      CheckedMultiply(tile, geometry.grid[i]);
  for (int64_t dim = end; dim-- > begin;) {
    // At most the extent times the size of a dimension; this product may
    // overflow.
    const std::optional<int64_t> size =
        CheckedMultiply(form->coefficients[dim], geometry.shape[dim]);
    // The size of the shards is known to fit.
    const int64_t aligned =
        dim > begin ? form->coefficients[dim - 1]
                    : geometry.grid[i] * geometry.AllocatedShard()[i];
    if (!size.has_value() || aligned < *size) {
      return dim > begin
                 ? CannotSay(name, " has steps of ", aligned, " for d", dim - 1,
                             ", less than d", dim, " takes")
                 : CannotSay(name, " leaves room after its last index that ",
                             "is not allocated");
    }
    const int64_t first = dim + 1 == end && i >= geometry.rank() - 2 ? tile : 1;
    layout->dim_alignments[dim] =
        AlignmentOf(*size, aligned, {first, 1, tile, tile_of_grid.value_or(1)});
  }
  return AlignedLayout::Interval{begin, end};
}

absl::StatusOr<AlignedLayout> AlignedLayoutOf(const MetalTensor& tensor,
                                              const Geometry& geometry) {
  const int64_t rank = tensor.shape.size();
  AlignedLayout layout;
  layout.logical_shape = tensor.shape;
  layout.dim_alignments.assign(rank, 1);
  // The number of results that precede a tensor without rows.
  const int64_t synthetic = rank < 2 ? 2 - rank : 0;
  if (rank < 2 && geometry.rank() != 2) {
    return CannotSay("a tensor of rank ", rank,
                     " has two physical dimensions, but the grid has rank ",
                     geometry.rank());
  }
  int64_t dim = 0;
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    if (i < synthetic) {
      if (geometry.linear.result(i).AsConstant() != 0) {
        return CannotSay("result ", i, " of a tensor of rank ", rank,
                         " is not 0");
      }
      continue;
    }
    TESSERA_ASSIGN_OR_RETURN(const AlignedLayout::Interval interval,
                             AddInterval(geometry, i, dim, &layout));
    layout.collapsed_intervals.push_back(interval);
    dim = interval.second;
  }
  if (dim < rank) return CannotSay("d", dim, " is in no result");
  if (tensor.layout.oob_value != OobValue::kUndef) {
    layout.oob_value = tensor.layout.oob_value;
  }
  layout.memory_space = tensor.layout.memref.memory_space;
  return layout;
}

// -- Between the document's form and TTNN's -----------------------------------

absl::StatusOr<TtnnDerivation> DerivationOf(const TtnnTensor& tensor,
                                            const ChipDescription& chip) {
  TtnnRequest request;
  request.shape = tensor.shape;
  request.tile = tensor.layout.memref.element.tile;
  request.buffer_type = tensor.layout.memref.buffer_type;
  request.memory_layout = tensor.layout.memory_layout;
  request.grid = tensor.layout.grid;
  return DeriveTtnnLayout(request, chip);
}

std::optional<CoreRanges> CoreRangesOf(const TtnnDerivation& derivation) {
  if (derivation.core_ranges.empty()) return std::nullopt;
  return derivation.core_ranges;
}

std::optional<BufferType> BufferTypeOf(MemorySpace memory_space) {
  switch (memory_space) {
    case MemorySpace::kSystem:
      return BufferType::kSystemMemory;
    case MemorySpace::kDeviceDRAM:
      return BufferType::kDram;
    case MemorySpace::kDeviceL1:
      return BufferType::kL1;
    default:
      return std::nullopt;
  }
}

std::optional<TensorMemoryLayout> MemoryLayoutOf(const MetalLayout& layout) {
  if (layout.memory_layout.has_value() ||
      layout.memref.memory_space == MemorySpace::kSystem) {
    return layout.memory_layout;
  }
  const int64_t rows = layout.grid[0], columns = layout.grid[1];
  if (rows == 1 && columns == 1 &&
      layout.memref.memory_space == MemorySpace::kDeviceDRAM) {
    return TensorMemoryLayout::kInterleaved;
  }
  if (rows > 1 && columns == 1) return TensorMemoryLayout::kHeightSharded;
  if (rows == 1 && columns > 1) return TensorMemoryLayout::kWidthSharded;
  return TensorMemoryLayout::kBlockSharded;
}

}  // namespace

absl::StatusOr<AlignedTensor> ToAlignedTensor(const MetalTensor& tensor) {
  TESSERA_RETURN_IF_ERROR(FirstError(Verify(tensor)));
  const MemRef& memref = tensor.layout.memref;
  if (tensor.element != TensorElementOf(memref.element)) {
    return CannotSay("the tensor is of ", tensor.element.ToString(),
                     " and its memory of ", memref.element.ToString(),
                     ", but the form of 2025 has one type");
  }
  TESSERA_ASSIGN_OR_RETURN(const Geometry geometry, Geometry::Of(tensor));
  TESSERA_ASSIGN_OR_RETURN(AlignedLayout layout,
                           AlignedLayoutOf(tensor, geometry));
  layout.memory_layout = AlignedMemoryLayout::kSharded;
  if (tensor.layout.memory_layout == TensorMemoryLayout::kInterleaved) {
    layout.memory_layout = AlignedMemoryLayout::kInterleaved;
  } else if (tensor.layout.memory_layout.has_value()) {
    return CannotSay("the memory layout is ",
                     KeywordOf(*tensor.layout.memory_layout),
                     ", but the form of 2025 has sharded and interleaved");
  }
  AlignedTensor aligned;
  aligned.shape = tensor.layout.grid;
  aligned.shape.insert(aligned.shape.end(), memref.shape.begin(),
                       memref.shape.end());
  aligned.element = memref.element;
  aligned.layout = std::move(layout);
  const absl::StatusOr<Geometry> tile_first = GeometryOf(aligned);
  if (!tile_first.ok())
    return CannotSay(StdView(tile_first.status().message()));
  TESSERA_RETURN_IF_ERROR(CheckSamePlaces(geometry, *tile_first));
  return aligned;
}

absl::StatusOr<MetalTensor> ToMetalTensor(const AlignedTensor& tensor) {
  TESSERA_RETURN_IF_ERROR(FirstError(Verify(tensor)));
  const AlignedLayout& layout = tensor.layout;
  if (layout.index_map.has_value() && !layout.index_map->is_identity()) {
    return CannotSay("the document's form has no index_map, such as ",
                     layout.index_map->ToString());
  }
  TESSERA_ASSIGN_OR_RETURN(Geometry tile_first, GeometryOf(tensor));
  MetalTensor metal;
  metal.shape = layout.logical_shape;
  metal.element = TensorElementOf(tensor.element);
  metal.layout.linear = tile_first.linear;
  metal.layout.oob_value = layout.oob_value.value_or(OobValue::kUndef);
  metal.layout.grid = tile_first.grid;
  metal.layout.memref = {tile_first.memref, tensor.element,
                         layout.memory_space.value_or(MemorySpace::kSystem)};
  if (layout.memory_layout == AlignedMemoryLayout::kInterleaved) {
    metal.layout.memory_layout = TensorMemoryLayout::kInterleaved;
  }
  TESSERA_ASSIGN_OR_RETURN(const Geometry grid_first, Geometry::Of(metal));
  TESSERA_RETURN_IF_ERROR(CheckSamePlaces(grid_first, tile_first));
  return metal;
}

absl::StatusOr<MetalTensor> ToMetalTensor(const TtnnTensor& tensor,
                                          const ChipDescription& chip) {
  TESSERA_RETURN_IF_ERROR(FirstError(Verify(tensor)));
  const TtnnLayout& layout = tensor.layout;
  const BufferType buffer_type = layout.memref.buffer_type;
  const MemorySpace memory_space = MemorySpaceHolding(buffer_type);
  if (layout.mesh.has_value()) {
    return CannotSay("the document's form has no mesh, such as \"",
                     *layout.mesh, "\"");
  }
  if (layout.exact_grid) {
    return CannotSay("the document's form has no exactGrid");
  }
  if (layout.ignore_physical_layout) {
    return CannotSay("the document's form has no ignorePhysicalLayout");
  }
  if (BufferTypeOf(memory_space) != buffer_type) {
    return CannotSay("the document's form has no memory space ",
                     KeywordOf(buffer_type));
  }
  if (buffer_type == BufferType::kL1 &&
      layout.memory_layout == TensorMemoryLayout::kInterleaved) {
    return CannotSay(
        "interleaved in L1, the memref is not a block of the tensor, as it is "
        "in "
        "the document's form");
  }
  const absl::StatusOr<TtnnDerivation> derivation = DerivationOf(tensor, chip);
  if (!derivation.ok())
    return CannotSay(StdView(derivation.status().message()));
  if (layout.core_ranges != CoreRangesOf(*derivation)) {
    return CannotSay("the document's form names no cores; ",
                     layout.core_ranges.has_value()
                         ? "they are not the first ones"
                         : "converting back would name some");
  }
  MetalTensor metal;
  metal.shape = tensor.shape;
  metal.element = tensor.element;
  metal.layout.linear = layout.linear;
  metal.layout.grid = layout.grid;
  metal.layout.memref = {layout.memref.shape, layout.memref.element,
                         memory_space};
  metal.layout.memory_layout = layout.memory_layout;
  TESSERA_ASSIGN_OR_RETURN(const Geometry grid_first, Geometry::Of(metal));
  TESSERA_ASSIGN_OR_RETURN(
      const Geometry tile_first,
      Geometry::Create(tensor.shape, layout.linear, layout.grid,
                       layout.memref.element, DivisionOrder::kTileFirst));
  TESSERA_RETURN_IF_ERROR(CheckSamePlaces(grid_first, tile_first));
  return metal;
}

absl::StatusOr<TtnnTensor> ToTtnnTensor(const MetalTensor& tensor,
                                        const ChipDescription& chip) {
  TESSERA_RETURN_IF_ERROR(FirstError(Verify(tensor)));
  const MetalLayout& layout = tensor.layout;
  const MemRef& memref = layout.memref;
  if (layout.oob_value != OobValue::kUndef) {
    return CannotSay("padding is filled with ", KeywordOf(layout.oob_value),
                     ", which TTNN's form cannot express");
  }
  const std::optional<BufferType> buffer_type =
      BufferTypeOf(memref.memory_space);
  if (!buffer_type.has_value()) {
    return CannotSay("TTNN has no buffer type for ",
                     KeywordOf(memref.memory_space));
  }
  if (layout.grid.size() != 2) {
    return CannotSay("the grid has rank ", layout.grid.size(),
                     ", but TTNN's has rows and columns");
  }
  TtnnTensor ttnn;
  ttnn.shape = tensor.shape;
  ttnn.element = tensor.element;
  ttnn.layout.linear = layout.linear;
  ttnn.layout.grid = layout.grid;
  ttnn.layout.memref = {memref.shape, memref.element, *buffer_type};
  ttnn.layout.memory_layout = MemoryLayoutOf(layout);
  if (*buffer_type == BufferType::kL1 &&
      ttnn.layout.memory_layout == TensorMemoryLayout::kInterleaved) {
    return CannotSay("interleaved in L1, TTNN's memref is not a block");
  }
  const absl::StatusOr<TtnnDerivation> derivation = DerivationOf(ttnn, chip);
  if (!derivation.ok())
    return CannotSay(StdView(derivation.status().message()));
  ttnn.layout.core_ranges = CoreRangesOf(*derivation);
  const Verification verification = Verify(ttnn);
  if (!verification.ok()) {
    return CannotSay(verification.errors.front().message);
  }
  TESSERA_ASSIGN_OR_RETURN(const Geometry grid_first, Geometry::Of(tensor));
  TESSERA_ASSIGN_OR_RETURN(
      const Geometry tile_first,
      Geometry::Create(tensor.shape, layout.linear, layout.grid, memref.element,
                       DivisionOrder::kTileFirst));
  TESSERA_RETURN_IF_ERROR(CheckSamePlaces(grid_first, tile_first));
  return ttnn;
}

}  // namespace tessera::tenstorrent
