#include "tessera/service/questions/tenstorrent/tensor_buffer.h"

#include <optional>
#include <string>
#include <variant>

#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/derive/device.h"

namespace tessera {
namespace {

using tenstorrent::Architecture;
using tenstorrent::BufferType;

// Returns the architecture of the card; nullopt if it is unknown.
std::optional<Architecture> ArchitectureOfCard(const CardChoice& card) {
  return card.architecture().empty()
             ? Architecture::kWormholeB0
             : tenstorrent::ArchitectureOf(card.architecture());
}

absl::Status CheckBase(std::optional<int64_t> base) {
  if (!base.has_value() || *base >= 0) return absl::OkStatus();
  return InvalidField("base", "base = ", *base, " is negative");
}

// Sets the address, if there is a base.
absl::Status SetAddress(std::optional<int64_t> base, BufferLocation* message) {
  TESSERA_RETURN_IF_ERROR(CheckBase(base));
  if (!base.has_value()) return absl::OkStatus();
  const std::optional<int64_t> address = CheckedAdd(*base, message->offset());
  if (!address.has_value()) {
    return InField("base", absl::OutOfRangeError("the address exceeds 2^63-1"));
  }
  message->set_address(*address);
  return absl::OkStatus();
}

}  // namespace

BufferType TypeOfBuffer(const tenstorrent::VerifiedTensor& tensor) {
  return tensor.memory_space == "dram" || tensor.memory_space == "trace"
             ? BufferType::kDram
             : BufferType::kL1;
}

absl::StatusOr<tenstorrent::ChipDescription> ToChip(const CardChoice& card,
                                                    BufferType type) {
  const std::optional<Architecture> architecture = ArchitectureOfCard(card);
  if (!architecture.has_value()) {
    return InvalidField("card", "'", card.architecture(),
                        "' is not wormhole_b0 or blackhole");
  }
  tenstorrent::ChipDescription chip = tenstorrent::UsualChip(*architecture);
  if (!card.has_banks()) return chip;
  if (card.banks() < 1) {
    return InvalidField("card", "banks = ", card.banks(),
                        "; a card has at least 1");
  }
  if (WholeBufferOf(type) == BufferType::kDram) {
    chip.dram_channels = card.banks();
  } else {
    chip.grid_rows = 1;
    chip.grid_columns = card.banks();
  }
  return chip;
}

absl::StatusOr<tenstorrent::Buffer> BufferOnCard(
    const tenstorrent::VerifiedTensor& tensor, const CardChoice& card) {
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::ChipDescription chip,
                           ToChip(card, TypeOfBuffer(tensor)));
  return BufferOf(tensor, chip);
}

void FillTensorBuffer(const tenstorrent::Buffer& buffer, const CardChoice& card,
                      TensorBuffer* message) {
  const tenstorrent::BufferSizes& sizes = buffer.sizes();
  const bool is_sharded = buffer.spec().sharding.has_value();
  const bool is_on_card =
      buffer.spec().buffer_type != BufferType::kSystemMemory;
  message->set_architecture(std::string(tenstorrent::KeywordOf(
      ArchitectureOfCard(card).value_or(Architecture::kWormholeB0))));
  message->set_banks(buffer.banks());
  message->set_has_usual_banks(!is_sharded && is_on_card && !card.has_banks());
  message->set_is_sharded(is_sharded);
  SetNumbers(buffer.padded_shape(), message->mutable_padded_shape());
  message->set_page_bytes(sizes.page_bytes);
  message->set_aligned_page_bytes(sizes.aligned_page_bytes);
  message->set_pages(sizes.pages);
  message->set_pages_per_bank(sizes.pages_per_bank);
  message->set_banks_in_use(sizes.banks_in_use);
  message->set_content_bytes(sizes.content_bytes);
  message->set_content_bytes_per_bank(sizes.content_per_bank);
  message->set_taken_bytes(sizes.taken_bytes);
  message->set_taken_bytes_per_bank(sizes.taken_per_bank);
  SetNumbers(buffer.shard_grid(), message->mutable_shard_grid());
  if (!is_sharded) return;
  ShardSizes& shard = *message->mutable_shard();
  SetNumbers(buffer.spec().sharding->shard, shard.mutable_shape());
  shard.set_pages(sizes.pages_per_shard);
  shard.set_content_bytes(sizes.content_per_shard);
  shard.set_taken_bytes(sizes.taken_per_shard);
}

void AddShardCores(const tenstorrent::Buffer& buffer, TensorBuffer* message) {
  constexpr int64_t kListedShards = 4096;
  if (!buffer.spec().sharding.has_value()) return;
  int64_t shards = 1;
  for (const int64_t size : buffer.shard_grid()) shards *= size;
  if (shards > kListedShards) return;
  for (int64_t shard = 0; shard < shards; ++shard) {
    const auto core = buffer.CoreOfShard(shard);
    if (!core.has_value()) return;
    CoreLocation& added = *message->add_shard_cores();
    added.set_x(core->x);
    added.set_y(core->y);
  }
}

absl::Status FillBufferLocation(const tenstorrent::BufferPlace& place,
                                std::optional<int64_t> base,
                                BufferLocation* message) {
  message->set_rule("ttnn");
  message->set_page(place.page.number);
  if (place.page.bank.has_value()) message->set_bank(*place.page.bank);
  if (place.page.core.has_value()) {
    message->mutable_core()->set_x(place.page.core->x);
    message->mutable_core()->set_y(place.page.core->y);
  }
  if (place.page.shard.has_value()) message->set_shard(*place.page.shard);
  message->set_byte_in_page(place.byte);
  message->set_offset(place.offset());
  if (place.exponent_byte.has_value()) {
    message->set_exponent_offset(place.page.offset + *place.exponent_byte);
  }
  return SetAddress(base, message);
}

absl::StatusOr<bool> FillLocationOf2024(
    const tenstorrent::VerifiedTensor& tensor,
    const tenstorrent::Location& location, std::optional<int64_t> base,
    BufferLocation* message) {
  const auto* metal = std::get_if<tenstorrent::MetalTensor>(&tensor.text);
  if (metal == nullptr || metal->layout.memref.memory_space !=
                              tenstorrent::MemorySpace::kDeviceDRAM) {
    return false;
  }
  const tenstorrent::Geometry& geometry =
      tensor.verification.placement->geometry();
  TESSERA_ASSIGN_OR_RETURN(
      const int64_t flat,
      tenstorrent::DramByteOf(geometry.grid, location.cell(),
                              geometry.bytes_per_shard, location.byte()));
  const tenstorrent::DramInterleaving dram;
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::DramAddress address,
                           tenstorrent::DramAddressOf(flat, dram));
  message->set_rule("tt-mlir 2024");
  message->set_page(address.page);
  message->set_bank(address.bank);
  message->set_byte_in_page(flat % dram.page_bytes);
  message->set_offset(address.address);
  TESSERA_RETURN_IF_ERROR(SetAddress(base, message));
  return true;
}

}  // namespace tessera
