#include "tessera/tenstorrent/buffer/layout_buffer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/rule.h"

namespace tessera::tenstorrent {
namespace {

absl::Status UndecidedBuffer(std::string_view message) {
  return RuleError(Rule::kUndecided, message,
                   absl::StatusCode::kFailedPrecondition);
}

BufferType BufferTypeHolding(MemorySpace space) {
  switch (space) {
    case MemorySpace::kDeviceDRAM:
      return BufferType::kDram;
    case MemorySpace::kDeviceL1:
    case MemorySpace::kRegisterDst:
      return BufferType::kL1;
    case MemorySpace::kSystem:
    case MemorySpace::kSystemMMIO:
      break;
  }
  return BufferType::kSystemMemory;
}

// Returns the shape of a memref of tiles or scalars, in scalars.
absl::StatusOr<Dimensions> ShardInScalars(const TtnnMemRef& memref) {
  Dimensions shard = memref.shape;
  const TileShape tile = memref.element.tile_or_unit();
  const int64_t sides[] = {tile.width, tile.height};
  for (size_t i = 0; i < std::min<size_t>(shard.size(), 2); ++i) {
    int64_t& size = shard[shard.size() - 1 - i];
    const std::optional<int64_t> scalars = CheckedMultiply(size, sides[i]);
    if (!scalars.has_value()) return SizeOverflowError("the size of a shard");
    size = *scalars;
  }
  return shard;
}

absl::StatusOr<Buffer> BufferOfForm(const TtnnTensor& tensor,
                                    const ChipDescription& chip) {
  return BufferOf(tensor, chip);
}

absl::StatusOr<Buffer> BufferOfForm(const AlignedTensor& tensor,
                                    const ChipDescription& chip) {
  const MemorySpace space =
      tensor.layout.memory_space.value_or(MemorySpace::kSystem);
  if (tensor.layout.memory_layout != AlignedMemoryLayout::kInterleaved) {
    return UndecidedBuffer(
        "shards of #ttcore.metal_layout are in the cells of the grid, and no "
        "rule for their pages is known");
  }
  TESSERA_ASSIGN_OR_RETURN(const Geometry geometry, GeometryOf(tensor));
  BufferSpec spec;
  spec.shape = geometry.aligned_extent;
  spec.element = tensor.element;
  spec.buffer_type = BufferTypeHolding(space);
  return Buffer::Create(std::move(spec), chip);
}

absl::StatusOr<Buffer> BufferOfForm(const MetalTensor&,
                                    const ChipDescription&) {
  return UndecidedBuffer(
      "#tt.metal_layout of 2024 has tt-mlir's own pages and addresses "
      "(DramAddressOf)");
}

absl::StatusOr<WrittenSize> WrittenSizeOfForm(const TtnnTensor& tensor) {
  return WrittenSizeOf(tensor.layout);
}

absl::StatusOr<WrittenSize> WrittenSizeOfForm(const MetalTensor& tensor) {
  return WrittenSizeOf(tensor.layout.memref.shape, tensor.layout.memref.element,
                       tensor.layout.grid);
}

absl::StatusOr<WrittenSize> WrittenSizeOfForm(const AlignedTensor& tensor) {
  const absl::Span<const int64_t> shape = tensor.shape;
  return WrittenSizeOf(shape.subspan(shape.size() / 2), tensor.element,
                       shape.first(shape.size() / 2));
}

}  // namespace

absl::StatusOr<Buffer> BufferOf(const TtnnTensor& tensor,
                                const ChipDescription& chip) {
  const TtnnLayout& layout = tensor.layout;
  const TtnnMemRef& memref = layout.memref;
  BufferSpec spec;
  spec.shape = tensor.shape;
  spec.element = memref.element;
  spec.buffer_type = memref.buffer_type;
  if (layout.memory_layout.has_value() && IsSharded(*layout.memory_layout)) {
    if (layout.ignore_physical_layout) {
      return UndecidedBuffer(
          "with ignorePhysicalLayout the shards are not known yet");
    }
    if (memref.shape.size() != 2) {
      return RuleError(Rule::kMemRefRank,
                       absl::StrCat("the memref has rank ", memref.shape.size(),
                                    ", but shards have rows and columns"));
    }
    Sharding& sharding = spec.sharding.emplace();
    TESSERA_ASSIGN_OR_RETURN(sharding.shard, ShardInScalars(memref));
    sharding.cores = layout.core_ranges.value_or(CoreRanges());
    sharding.memory_layout = layout.memory_layout;
  }
  return Buffer::Create(std::move(spec), chip);
}

absl::StatusOr<Buffer> BufferOf(const TtnnNdTensor& tensor,
                                const ChipDescription& chip) {
  const TtnnNdLayout& layout = tensor.layout;
  BufferSpec spec;
  spec.shape = tensor.shape;
  spec.element = layout.memref.element;
  spec.buffer_type = layout.memref.buffer_type;
  if (layout.memory_layout != TensorMemoryLayout::kInterleaved) {
    if (layout.grid.size() != 2) {
      return RuleError(Rule::kGridSize,
                       absl::StrCat("the grid has rank ", layout.grid.size(),
                                    ", but cores are in rows and columns"));
    }
    TESSERA_RETURN_IF_ERROR(CheckSizes(layout.grid, "grid"));
    Sharding& sharding = spec.sharding.emplace();
    TESSERA_ASSIGN_OR_RETURN(sharding.shard, ShardInScalars(layout.memref));
    sharding.cores = {{{0, 0}, {layout.grid[1] - 1, layout.grid[0] - 1}}};
    sharding.orientation =
        layout.orientation.value_or(ShardOrientation::kRowMajor);
    sharding.distribution =
        layout.distribution.value_or(ShardDistribution::kRoundRobin1d);
  }
  return Buffer::Create(std::move(spec), chip);
}

absl::StatusOr<Buffer> BufferOf(const VerifiedTensor& tensor,
                                const ChipDescription& chip) {
  return std::visit(
      [&chip](const auto& form) { return BufferOfForm(form, chip); },
      tensor.text);
}

absl::StatusOr<BufferSpec> BufferSpecOf(absl::Span<const int64_t> shape,
                                        const ElementType& element,
                                        const MemoryConfig& config) {
  BufferSpec spec;
  spec.shape.assign(shape.begin(), shape.end());
  spec.element = element;
  spec.buffer_type = config.buffer_type;
  if (config.shard_spec.has_value()) {
    const ShardSpec& shards = *config.shard_spec;
    // If the shard is as large in memory, both modes mean the same.
    if (shards.mode == ShardMode::kLogical &&
        shards.physical_shape != shards.shape) {
      return UndecidedBuffer(
          "shards in logical mode, of 2025, are padded one by one, and no rule "
          "for their places is known");
    }
    spec.sharding =
        Sharding{shards.shape, shards.core_ranges, shards.orientation,
                 ShardDistribution::kRoundRobin1d, config.memory_layout};
  } else if (config.nd_shard_spec.has_value()) {
    const NdShardSpec& shards = *config.nd_shard_spec;
    spec.sharding = Sharding{shards.shape, shards.core_ranges,
                             shards.orientation, shards.distribution};
  } else if (config.memory_layout.has_value() &&
             (IsSharded(*config.memory_layout) ||
              *config.memory_layout == TensorMemoryLayout::kNdSharded)) {
    return RuleError(
        Rule::kMemoryLayout,
        StrCat("the memory configuration is ", KeywordOf(*config.memory_layout),
               ", but it has no shard"));
  }
  return spec;
}

absl::StatusOr<Buffer> BufferOf(absl::Span<const int64_t> shape,
                                const ElementType& element,
                                const MemoryConfig& config,
                                const ChipDescription& chip) {
  TESSERA_ASSIGN_OR_RETURN(BufferSpec spec,
                           BufferSpecOf(shape, element, config));
  return Buffer::Create(std::move(spec), chip);
}

absl::StatusOr<BufferPlace> PlaceInBuffer(const VerifiedTensor& tensor,
                                          const Buffer& buffer,
                                          absl::Span<const int64_t> index) {
  if (!std::holds_alternative<AlignedTensor>(tensor.text)) {
    return buffer.PlaceOf(index);
  }
  TESSERA_ASSIGN_OR_RETURN(const Placement* placement, PlacementOf(tensor));
  TESSERA_ASSIGN_OR_RETURN(const Location location, placement->Locate(index));
  return buffer.PlaceOf(location.physical());
}

absl::StatusOr<Place> ElementInBuffer(const VerifiedTensor& tensor,
                                      const Buffer& buffer,
                                      const BankPlace& place) {
  TESSERA_ASSIGN_OR_RETURN(Place found, buffer.At(place));
  if (!std::holds_alternative<AlignedTensor>(tensor.text) ||
      found.kind != PositionKind::kElement) {
    return found;
  }
  TESSERA_ASSIGN_OR_RETURN(const Placement* placement, PlacementOf(tensor));
  const Dimensions& shard = placement->geometry().shard;
  Dimensions cell = found.index, offset = found.index;
  for (size_t i = 0; i < shard.size(); ++i) {
    cell[i] /= shard[i];
    offset[i] %= shard[i];
  }
  return placement->At(cell, offset);
}

absl::StatusOr<WrittenSize> WrittenSizeOf(absl::Span<const int64_t> memref,
                                          const ElementType& element,
                                          absl::Span<const int64_t> grid) {
  const auto product = [](absl::Span<const int64_t> sizes,
                          std::optional<int64_t> factor) {
    const std::optional<int64_t> all = CheckedProduct(sizes);
    return all.has_value() && factor.has_value()
               ? CheckedMultiply(*all, *factor)
               : std::nullopt;
  };
  const std::optional<int64_t> per_bank = product(memref, element.bytes());
  const std::optional<int64_t> bytes = product(grid, per_bank);
  if (!bytes.has_value()) return SizeOverflowError("the memory as written");
  return WrittenSize{*per_bank, *bytes};
}

absl::StatusOr<WrittenSize> WrittenSizeOf(const TtnnLayout& layout) {
  return WrittenSizeOf(layout.memref.shape, layout.memref.element, layout.grid);
}

absl::StatusOr<WrittenSize> WrittenSizeOf(const TensorText& tensor) {
  return std::visit([](const auto& form) { return WrittenSizeOfForm(form); },
                    tensor);
}

absl::StatusOr<int64_t> L1BytesOfMemRef(int64_t bytes,
                                        const ElementType& element) {
  ElementType tile = element;
  if (!tile.is_tile()) tile.tile = TileShape{32, 32};
  const std::optional<int64_t> tile_bytes = tile.bytes();
  const std::optional<int64_t> rounded =
      tile_bytes.has_value() && *tile_bytes > 0
          ? CheckedRoundUp(bytes, *tile_bytes)
          : std::nullopt;
  if (!rounded.has_value()) return SizeOverflowError("the memory in L1");
  return *rounded;
}

}  // namespace tessera::tenstorrent
