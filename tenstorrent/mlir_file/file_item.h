// A tensor, a layout or a memref of a file: the memory that it takes, and the
// rules that it breaks.
//
//   const FileItem item = ReadFileItem(
//       FileItem::kTensor,
//       "tensor<32x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
//       "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
//       "<interleaved>>>",
//       CardMemoryOf(""));
//   item.form;                               // "ttnn_layout"
//   item.memory_layout;                      // "interleaved"
//   item.sizes->taken_per_bank;              // 2048: a tile
//   item.errors.size();                      // 0

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_FILE_ITEM_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_FILE_ITEM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/mlir_file/card_memory.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera::tenstorrent {

// A byte of a file.
struct FilePlace {
  int64_t offset = 0;  // from 0
  int64_t line = 1;
  int64_t column = 1;  // in bytes
};

// Sizes in bytes. Those without "per_bank" are sums over all banks or cores.
struct ItemSizes {
  // The bytes of the memref in the text; absent without one.
  std::optional<int64_t> written_per_bank;
  // The bytes without the alignment of pages.
  int64_t content_per_bank = 0;
  int64_t content = 0;
  // The bytes that the allocator takes. These fill a bank.
  int64_t taken_per_bank = 0;
  int64_t taken = 0;
  // Absent if the layout does not determine pages.
  std::optional<int64_t> pages;
  std::optional<int64_t> page;
  int64_t banks_in_use = 0;
  // The bytes of the elements in `taken`, if they are known.
  std::optional<int64_t> data;
  int64_t tile_padding = 0;
  int64_t grid_padding = 0;
  int64_t gaps = 0;
  int64_t page_padding = 0;
};

struct FileItem {
  enum Kind : uint8_t { kTensor, kLayout, kMemRef };

  Kind kind = kTensor;
  std::string text;  // with aliases replaced
  // The name of the layout without its dialect: "ttnn_layout", "shard".
  std::string form;
  // The place and the spelling of its first occurrence.
  FilePlace first;
  std::string first_text;
  // The number of times that it is written out, and that it is written as an
  // alias. A tensor whose layout is an alias counts as written out.
  int64_t uses = 0;
  int64_t alias_uses = 0;

  // The error that prevents reading the text, with its place in `text`; OK if
  // it is read.
  absl::Status status;
  // "l1", "dram", "system_memory"; "" if it has none.
  std::string memory;
  MemorySpace space = MemorySpace::kSystem;
  // "interleaved", "height_sharded", "sharded"; "" if it has none.
  std::string memory_layout;
  std::string element;
  std::string shape;  // "32x64"
  std::string grid;   // "8x8"
  bool is_sharded = false;
  // Absent for a layout alone that does not determine them, for sizes of '?'
  // and for views.
  std::optional<ItemSizes> sizes;
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
};

// "tensor", "layout", "memref"
std::string_view NameOf(FileItem::Kind kind);

// Reads `text`, which has no aliases. Never fails: `status` has the error.
FileItem ReadFileItem(FileItem::Kind kind, std::string_view text,
                      const CardMemory& card);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_FILE_ITEM_H_
