#include "tessera/tenstorrent/location.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/internal/memory_digits.h"

namespace tessera::tenstorrent {
namespace {

Dimensions Read(const std::vector<MemoryDigit>& digits, int64_t number) {
  Dimensions coordinates(digits.size());
  for (size_t i = 0; i < digits.size(); ++i) {
    coordinates[i] = digits[i].Of(number);
  }
  return coordinates;
}

}  // namespace

Location Location::in_view() const {
  if (digits_->of_view == nullptr) return *this;
  int64_t number = 0;
  digits_->to_storage.MultidimensionalIndexUnchecked(
      number_, absl::MakeSpan(&number, 1));
  return Location(number, digits_->of_view.get());
}

Dimensions Location::physical() const {
  if (digits_->of_view != nullptr) return in_view().physical();
  Dimensions physical = offset();
  for (size_t i = 0; i < physical.size(); ++i) {
    physical[i] += digits_->cell[i].Of(number_) * digits_->shard[i];
  }
  return physical;
}

Dimensions Location::cell() const { return Read(digits_->cell, number_); }

Dimensions Location::offset() const {
  Dimensions offset = tile();
  if (digits_->element.is_tile()) {
    const TileShape& shape = *digits_->element.tile;
    const InTile within = in_tile();
    int64_t* const last = &offset[offset.size() - 2];
    last[0] = last[0] * shape.height + within.row;
    last[1] = last[1] * shape.width + within.column;
  }
  return offset;
}

Dimensions Location::tile() const { return Read(digits_->tile, number_); }

InTile Location::in_tile() const {
  const TileShape face = FaceShape(digits_->element.tile_or_unit());
  return {
      digits_->face_row.Of(number_) * face.height + digits_->row.Of(number_),
      digits_->face_column.Of(number_) * face.width +
          digits_->column.Of(number_)};
}

InFace Location::in_face() const {
  return {digits_->face.Of(number_), digits_->row.Of(number_),
          digits_->column.Of(number_), digits_->position.Of(number_)};
}

int64_t Location::linear_in_shard() const {
  const TileShape shape = digits_->element.tile_or_unit();
  const InTile within = in_tile();
  return (digits_->tile_number.Of(number_) * shape.height + within.row) *
             shape.width +
         within.column;
}

int64_t Location::byte() const {
  // Only block floats have elements that are not whole bytes.
  if (digits_->exponent_bytes == 0) {
    return digits_->in_shard.RestOf(number_) * digits_->element_bytes;
  }
  return digits_->tile_number.Of(number_) * digits_->bytes_per_tile +
         digits_->exponent_bytes +
         digits_->position.Of(number_) * digits_->element_bits / 8;
}

int64_t Location::bit() const {
  return digits_->position.Of(number_) * digits_->element_bits % 8;
}

std::optional<int64_t> Location::exponent_byte() const {
  constexpr int64_t kSharers = 16;
  if (digits_->exponent_bytes == 0) return std::nullopt;
  return digits_->tile_number.Of(number_) * digits_->bytes_per_tile +
         digits_->position.Of(number_) / kSharers;
}

}  // namespace tessera::tenstorrent
