// Finds how much memory the card of a file has.
//
//   CardOptions options;
//   options.architecture = Architecture::kBlackhole;
//   const CardMemory card = CardMemoryOf("", options);
//   card.chip.dram_channels;                 // 8
//   card.source;                             // "blackhole"
//
//   // A system description in the file takes precedence.
//   CardMemoryOf(
//       "#system_desc = #ttcore.system_desc<[{role = host}], [{arch = "
//       "<wormhole_b0>, grid = 8x8, l1_size = 1499136, num_dram_channels = 12, "
//       "dram_channel_size = 1073741824, l1_unreserved_base = 103712}], [0]>")
//       .l1_bank_bytes;                      // 1395424

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_CARD_MEMORY_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_CARD_MEMORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {

struct CardOptions {
  std::optional<Architecture> architecture;
  // The bytes that the allocator can give from a bank of L1.
  std::optional<int64_t> l1_bank_bytes;
  // The number of banks over which tensors are interleaved in L1. At least 1.
  std::optional<int64_t> l1_banks;
};

struct CardMemory {
  // Banks of L1 are its cores; those of CardOptions::l1_banks are in one row.
  ChipDescription chip;
  Dimensions worker_grid;  // rows and columns
  // The bytes that the allocator can give from a bank.
  int64_t l1_bank_bytes = 0;
  int64_t dram_bank_bytes = 0;
  // The source of the numbers: "#ttcore.system_desc in line 3", "wormhole_b0",
  // "wormhole_b0, assumed".
  std::string source;
  // Whether the card is assumed, because nothing determines it.
  bool is_assumed = false;

  // Returns 0 for memory that is not on the card.
  int64_t BankBytes(MemorySpace space) const;
};

// Returns the memory of the card that `options` name, else of the first
// #ttcore.system_desc in `text` outside of comments, else of a Wormhole. Sizes
// in `options` take precedence over all others.
//
// The bytes of a bank are the size of L1 without what firmware and kernels
// reserve, l1_size - l1_unreserved_base. If no description has them, they are
// those of ttnn 0.81.1 on an n150 or p150: versions and cards differ.
CardMemory CardMemoryOf(std::string_view text, const CardOptions& options = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_CARD_MEMORY_H_
