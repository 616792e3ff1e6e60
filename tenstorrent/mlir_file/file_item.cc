#include "tessera/tenstorrent/mlir_file/file_item.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/mlir_file/device_memref.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera::tenstorrent {
namespace {

// A file may have many maps whose coefficients do not decide a rule.
constexpr int64_t kEvaluations = int64_t{1} << 16;

std::string SizesText(const Dimensions& sizes) {
  return absl::StrJoin(sizes, "x");
}

// Returns the bytes of `count` scalars of that type, with their share of the
// other bytes of a tile; rounded down.
int64_t BytesOfScalars(int64_t count, const ElementType& element) {
  const TileShape tile = element.tile_or_unit();
  const absl::int128 bytes =
      absl::int128(count) * element.bytes().value_or(0) /
      std::max<absl::int128>(1, absl::int128(tile.height) * tile.width);
  return static_cast<int64_t>(bytes);
}

void SetPadding(const VerifiedTensor& tensor, const ElementType& element,
                const Dimensions& shape, ItemSizes* sizes) {
  const Verification& verification = tensor.verification;
  const Placement* const placement =
      verification.placement.has_value() ? &*verification.placement
      : verification.view.has_value()    ? &*verification.view
                                         : nullptr;
  if (placement != nullptr) {
    const PlaceCounts& counts = placement->counts();
    const ElementType& type = placement->geometry().element;
    sizes->data = BytesOfScalars(counts.elements, type);
    sizes->tile_padding = BytesOfScalars(counts.tile, type);
    sizes->grid_padding = BytesOfScalars(counts.grid, type);
    sizes->gaps = BytesOfScalars(counts.gap, type);
  } else if (const std::optional<int64_t> count = CheckedProduct(shape)) {
    sizes->data = BytesOfScalars(*count, element);
    sizes->tile_padding = std::max<int64_t>(0, sizes->content - *sizes->data);
  }
  // A text with a wrong memref may take less than its elements.
  sizes->page_padding = std::max<int64_t>(
      0, sizes->taken - sizes->data.value_or(sizes->content) -
             sizes->tile_padding - sizes->grid_padding - sizes->gaps);
}

// Copies the sizes that the allocator takes for a buffer.
void TakeSizes(const BufferSizes& found, ItemSizes* sizes) {
  sizes->content_per_bank = found.content_per_bank;
  sizes->content = found.content_bytes;
  sizes->taken_per_bank = found.taken_per_bank;
  sizes->taken = found.taken_bytes;
  sizes->pages = found.pages;
  sizes->page = found.page_bytes;
  sizes->banks_in_use = found.banks_in_use;
}

// The only source of the sizes of a tensor.
std::optional<ItemSizes> SizesOfTensor(const VerifiedTensor& tensor,
                                       const ElementType& element,
                                       const Dimensions& shape, int64_t cells,
                                       MemorySpace space,
                                       const CardMemory& card) {
  ItemSizes sizes;
  const absl::StatusOr<WrittenSize> written = WrittenSizeOf(tensor.text);
  if (written.ok()) sizes.written_per_bank = written->bytes_per_bank;
  const absl::StatusOr<Buffer> buffer = BufferOf(tensor, card.chip);
  if (buffer.ok()) {
    TakeSizes(buffer->sizes(), &sizes);
  } else if (written.ok()) {
    sizes.content_per_bank = written->bytes_per_bank;
    sizes.content = written->bytes;
    sizes.banks_in_use = cells;
    sizes.taken_per_bank = written->bytes_per_bank;
    if (space == MemorySpace::kDeviceL1) {
      const absl::StatusOr<int64_t> rounded =
          L1BytesOfMemRef(written->bytes_per_bank, element);
      if (!rounded.ok()) return std::nullopt;
      sizes.taken_per_bank = *rounded;
    }
    const std::optional<int64_t> taken =
        CheckedMultiply(sizes.taken_per_bank, cells);
    if (!taken.has_value()) return std::nullopt;
    sizes.taken = *taken;
  } else {
    return std::nullopt;
  }
  SetPadding(tensor, element, shape, &sizes);
  return sizes;
}

std::string_view BufferKeyword(MemorySpace space) {
  return space == MemorySpace::kSystem ? "system_memory" : KeywordOf(space);
}

void SetSpace(MemorySpace space, FileItem* item) {
  item->space = space;
  item->memory = std::string(BufferKeyword(space));
}

void SetLayoutFacts(const TtnnLayout& layout, FileItem* item) {
  item->form = "ttnn_layout";
  SetSpace(MemorySpaceHolding(layout.memref.buffer_type), item);
  item->memory = std::string(KeywordOf(layout.memref.buffer_type));
  if (layout.memory_layout.has_value()) {
    item->memory_layout = std::string(KeywordOf(*layout.memory_layout));
    item->is_sharded = IsSharded(*layout.memory_layout);
  }
  item->element = layout.memref.element.ToString("ttcore");
  item->grid = SizesText(layout.grid);
}

void SetLayoutFacts(const TtnnNdLayout& layout, FileItem* item) {
  item->form = "ttnn_nd_layout";
  SetSpace(MemorySpaceHolding(layout.memref.buffer_type), item);
  item->memory_layout = std::string(KeywordOf(layout.memory_layout));
  item->is_sharded = layout.memory_layout != TensorMemoryLayout::kInterleaved;
  item->element = layout.memref.element.ToString("ttcore");
  item->grid = SizesText(layout.grid);
}

void SetLayoutFacts(const AlignedLayout& layout, FileItem* item) {
  item->form = "metal_layout";
  SetSpace(layout.memory_space.value_or(MemorySpace::kSystem), item);
  if (layout.memory_layout.has_value()) {
    item->memory_layout = std::string(KeywordOf(*layout.memory_layout));
  }
  item->is_sharded =
      layout.memory_layout != AlignedMemoryLayout::kInterleaved &&
      item->space != MemorySpace::kSystem;
  item->shape = SizesText(layout.logical_shape);
}

void SetLayoutFacts(const MetalLayout& layout, FileItem* item) {
  item->form = "metal_layout";
  SetSpace(layout.memref.memory_space, item);
  if (layout.memory_layout.has_value()) {
    item->memory_layout = std::string(KeywordOf(*layout.memory_layout));
  }
  item->is_sharded = layout.memory_layout.has_value()
                         ? IsSharded(*layout.memory_layout)
                         : item->space == MemorySpace::kDeviceL1;
  item->element = layout.memref.element.ToString("ttcore");
  item->grid = SizesText(layout.grid);
}

int64_t CellsOf(const Dimensions& grid) {
  return CheckedProduct(grid).value_or(0);
}

// Sets the written sizes of a layout without its tensor.
void SetWrittenSizes(const absl::StatusOr<WrittenSize>& written, int64_t cells,
                     FileItem* item) {
  // An interleaved tensor is allocated by its shape.
  if (!written.ok() || !item->is_sharded) return;
  ItemSizes sizes;
  sizes.written_per_bank = written->bytes_per_bank;
  sizes.content_per_bank = written->bytes_per_bank;
  sizes.content = written->bytes;
  sizes.taken_per_bank = written->bytes_per_bank;
  sizes.taken = written->bytes;
  sizes.banks_in_use = cells;
  item->sizes = sizes;
}

void ReadLayoutItem(FileItem* item) {
  if (StrContains(item->text, "ttnn_nd_layout")) {
    const absl::StatusOr<TtnnNdLayout> layout = ParseTtnnNdLayout(item->text);
    item->status = layout.status();
    if (!layout.ok()) return;
    SetLayoutFacts(*layout, item);
    return SetWrittenSizes(WrittenSizeOf(layout->memref.shape,
                                         layout->memref.element, layout->grid),
                           CellsOf(layout->grid), item);
  }
  if (StrContains(item->text, "ttnn_layout")) {
    const absl::StatusOr<TtnnLayout> layout = ParseTtnnLayout(item->text);
    item->status = layout.status();
    if (!layout.ok()) return;
    SetLayoutFacts(*layout, item);
    return SetWrittenSizes(WrittenSizeOf(*layout), CellsOf(layout->grid), item);
  }
  if (StrContains(item->text, "logical_shape")) {
    const absl::StatusOr<AlignedLayout> layout = ParseAlignedLayout(item->text);
    item->status = layout.status();
    if (layout.ok()) SetLayoutFacts(*layout, item);
    return;
  }
  const absl::StatusOr<MetalLayout> layout = ParseMetalLayout(item->text);
  item->status = layout.status();
  if (!layout.ok()) return;
  SetLayoutFacts(*layout, item);
  SetWrittenSizes(
      WrittenSizeOf(layout->memref.shape, layout->memref.element, layout->grid),
      CellsOf(layout->grid), item);
}

void ReadNdTensorItem(const CardMemory& card, FileItem* item) {
  const absl::StatusOr<TtnnNdTensor> tensor = ParseTtnnNdTensor(item->text);
  item->status = tensor.status();
  if (!tensor.ok()) return;
  const TtnnNdLayout& layout = tensor->layout;
  SetLayoutFacts(layout, item);
  item->shape = SizesText(tensor->shape);
  BufferSpec spec;
  spec.shape = tensor->shape;
  spec.element = layout.memref.element;
  spec.buffer_type = layout.memref.buffer_type;
  if (item->is_sharded) {
    // The layout has no cores: a shard is on each cell of its grid.
    spec.sharding.emplace();
    spec.sharding->shard = layout.memref.shape;
    Dimensions& shard = spec.sharding->shard;
    const TileShape tile = spec.element.tile_or_unit();
    const int64_t tiles[] = {tile.height, tile.width};
    for (int64_t i = 0; i < 2 && spec.element.is_tile(); ++i) {
      const int64_t dimension = static_cast<int64_t>(shard.size()) - 2 + i;
      if (dimension < 0) continue;
      shard[dimension] =
          CheckedMultiply(shard[dimension], tiles[i]).value_or(0);
    }
    spec.sharding->orientation =
        layout.orientation.value_or(ShardOrientation::kRowMajor);
  }
  const absl::StatusOr<Buffer> buffer = Buffer::Create(spec, card.chip);
  if (!buffer.ok()) {
    Verification verification;
    AddError(buffer.status(), &verification);
    item->errors = std::move(verification.errors);
    return;
  }
  const absl::StatusOr<WrittenSize> written =
      WrittenSizeOf(layout.memref.shape, layout.memref.element, layout.grid);
  ItemSizes sizes;
  if (written.ok()) sizes.written_per_bank = written->bytes_per_bank;
  TakeSizes(buffer->sizes(), &sizes);
  item->sizes = sizes;
}

const ElementType& MemoryElement(const TtnnTensor& tensor) {
  return tensor.layout.memref.element;
}
const ElementType& MemoryElement(const MetalTensor& tensor) {
  return tensor.layout.memref.element;
}
const ElementType& MemoryElement(const AlignedTensor& tensor) {
  return tensor.element;
}

Dimensions GridOf(const TtnnTensor& tensor) { return tensor.layout.grid; }
Dimensions GridOf(const MetalTensor& tensor) { return tensor.layout.grid; }
Dimensions GridOf(const AlignedTensor& tensor) {
  return Dimensions(tensor.shape.begin(),
                    tensor.shape.begin() + tensor.shape.size() / 2);
}

Dimensions ElementsOf(const TtnnTensor& tensor) { return tensor.shape; }
Dimensions ElementsOf(const MetalTensor& tensor) { return tensor.shape; }
Dimensions ElementsOf(const AlignedTensor& tensor) {
  return tensor.layout.logical_shape;
}

void ReadTensorItem(const CardMemory& card, FileItem* item) {
  if (StrContains(item->text, "ttnn_nd_layout")) {
    return ReadNdTensorItem(card, item);
  }
  VerificationOptions options;
  options.evaluation_limit = kEvaluations;
  options.l1_bytes = card.l1_bank_bytes;
  if (!card.is_assumed) options.worker_grid = card.worker_grid;
  absl::StatusOr<VerifiedTensor> tensor =
      ReadVerifiedTensor(item->text, options);
  item->status = tensor.status();
  if (!tensor.ok()) return;
  std::visit(
      [&](const auto& form) {
        SetLayoutFacts(form.layout, item);
        const ElementType& element = MemoryElement(form);
        const Dimensions grid = GridOf(form);
        const Dimensions shape = ElementsOf(form);
        item->element = element.ToString("ttcore");
        item->grid = SizesText(grid);
        item->shape = SizesText(shape);
        item->sizes = SizesOfTensor(*tensor, element, shape, CellsOf(grid),
                                    item->space, card);
      },
      tensor->text);
  item->errors = std::move(tensor->verification.errors);
  item->warnings = std::move(tensor->verification.warnings);
}

void ReadMemRefItem(FileItem* item) {
  const absl::StatusOr<DeviceMemRef> memref = ParseDeviceMemRef(item->text);
  item->status = memref.status();
  if (!memref.ok()) return;
  item->form = std::string(NameOf(memref->kind));
  if (memref->memory_space.has_value()) SetSpace(*memref->memory_space, item);
  item->is_sharded = memref->kind == DeviceMemRef::kShard;
  item->element = memref->element.ToString("ttcore");
  item->grid = SizesText(GridOfMemRef(*memref));
  item->shape = SizesText(ShardOfMemRef(*memref));
  const std::optional<int64_t> per_core = BytesPerCore(*memref);
  const std::optional<int64_t> all = BytesOfAll(*memref);
  if (!HasMemory(*memref) || !per_core.has_value() || !all.has_value()) return;
  ItemSizes sizes;
  sizes.written_per_bank = *per_core;
  sizes.content_per_bank = *per_core;
  sizes.content = *all;
  sizes.taken_per_bank = *per_core;
  sizes.banks_in_use = std::max<int64_t>(1, CellsOf(GridOfMemRef(*memref)));
  if (item->space == MemorySpace::kDeviceL1) {
    const absl::StatusOr<int64_t> rounded =
        L1BytesOfMemRef(*per_core, memref->element);
    if (!rounded.ok()) return;
    sizes.taken_per_bank = *rounded;
  }
  const std::optional<int64_t> taken =
      CheckedMultiply(sizes.taken_per_bank, sizes.banks_in_use);
  if (!taken.has_value()) return;
  sizes.taken = *taken;
  sizes.page_padding = sizes.taken - sizes.content;
  item->sizes = sizes;
}

}  // namespace

std::string_view NameOf(FileItem::Kind kind) {
  constexpr std::string_view kNames[] = {"tensor", "layout", "memref"};
  return kNames[kind];
}

FileItem ReadFileItem(FileItem::Kind kind, std::string_view text,
                      const CardMemory& card) {
  FileItem item;
  item.kind = kind;
  item.text = std::string(text);
  switch (kind) {
    case FileItem::kTensor:
      ReadTensorItem(card, &item);
      break;
    case FileItem::kLayout:
      ReadLayoutItem(&item);
      break;
    case FileItem::kMemRef:
      ReadMemRefItem(&item);
      break;
  }
  return item;
}

}  // namespace tessera::tenstorrent
