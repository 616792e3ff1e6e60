// Describes, in messages, the memory that a tensor takes on a card, and the
// places of its elements there.
//
//   CardChoice card;
//   card.set_architecture("blackhole");
//   const absl::StatusOr<tenstorrent::ChipDescription> chip =
//       ToChip(card, tenstorrent::BufferType::kDram);
//   chip->dram_channels;                     // 8
//   const absl::StatusOr<tenstorrent::Buffer> buffer =
//       tenstorrent::Buffer::Create({{64, 64}, {tenstorrent::DataType::kF32}},
//                                   *chip);
//   TensorBuffer message;
//   FillTensorBuffer(*buffer, card, &message);
//   message.taken_bytes_per_bank();          // 2048: eight rows of 256

#ifndef TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TENSOR_BUFFER_H_
#define TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TENSOR_BUFFER_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/layout_questions.pb.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera {

// Returns the memory that the tensor is in: DRAM or L1.
tenstorrent::BufferType TypeOfBuffer(const tenstorrent::VerifiedTensor& tensor);

// Returns the chip of a card, whose banks are for buffers of `type`. Errors:
// kInvalidArgument, in the field "card", for an unknown architecture and for
// less than one bank.
absl::StatusOr<tenstorrent::ChipDescription> ToChip(
    const CardChoice& card, tenstorrent::BufferType type);

// Returns the buffer of a tensor on that card. Errors: those of ToChip and of
// tenstorrent::BufferOf.
absl::StatusOr<tenstorrent::Buffer> BufferOnCard(
    const tenstorrent::VerifiedTensor& tensor, const CardChoice& card);

// Fills all fields except the cores of the shards.
void FillTensorBuffer(const tenstorrent::Buffer& buffer, const CardChoice& card,
                      TensorBuffer* message);

// Adds the cores of at most 4096 shards.
void AddShardCores(const tenstorrent::Buffer& buffer, TensorBuffer* message);

// Fills the place of an element. Errors: kOutOfRange if the address exceeds
// 2^63-1, kInvalidArgument if `base` is negative; both in the field "base".
absl::Status FillBufferLocation(const tenstorrent::BufferPlace& place,
                                std::optional<int64_t> base,
                                BufferLocation* message);

// Fills the place of a tensor of the form of 2024, by tt-mlir's own rule, if it
// is in DRAM. Returns whether it is. Errors: as above.
absl::StatusOr<bool> FillLocationOf2024(
    const tenstorrent::VerifiedTensor& tensor,
    const tenstorrent::Location& location, std::optional<int64_t> base,
    BufferLocation* message);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_TENSTORRENT_TENSOR_BUFFER_H_
