// Finds the tensors of a file that take N bytes. This explains "Out of Memory"
// messages of the runtime, which have sizes but no names.
//
//   const absl::StatusOr<MemoryRequest> request = ParseOutOfMemory(
//       "Out of Memory: Not enough space to allocate 4096 B L1 buffer across "
//       "64 banks, where each bank needs to store 2048 B, but bank size is "
//       "1393312 B");
//   request->bytes;                          // 4096
//   *request->banks;                         // 64
//   *request->bytes_per_bank;                // 2048
//
//   const FileItem item = ReadFileItem(
//       FileItem::kTensor,
//       "tensor<32x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
//       "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
//       "<interleaved>>>",
//       CardMemoryOf(""));
//   FindBySize({item}, *request).size();     // 1
//
// The runtime allocates the padded size of a tensor, without the alignment of
// pages, and each bank stores ceil(pages / banks) pages.

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_SIZE_SEARCH_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_SIZE_SEARCH_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/mlir_file/file_item.h"

namespace tessera::tenstorrent {

struct MemoryRequest {
  int64_t bytes = 0;
  std::optional<MemorySpace> space;
  std::optional<int64_t> banks;
  std::optional<int64_t> bytes_per_bank;
  std::optional<int64_t> bank_bytes;
};

// Reads the first message of that form in a text. Errors: kInvalidArgument if
// there is none.
absl::StatusOr<MemoryRequest> ParseOutOfMemory(std::string_view text);

struct SizeMatch {
  // The part of the item that has that size.
  enum What : uint8_t {
    kEachBank,   // all that the message has
    kInAll,      // the size in all banks; not that of a bank
    kTaken,      // with the alignment of pages, in all banks
    kPerBank,    // the size of one bank
    kOtherSpace  // the size in all banks, in another memory
  };
  int64_t item = 0;
  What what = kEachBank;
};

// "in all banks"
std::string_view NameOf(SizeMatch::What what);

// Returns the tensors and memrefs with that size, the best matches first, in
// the order of the file. If one is kEachBank, returns only those that are.
std::vector<SizeMatch> FindBySize(absl::Span<const FileItem> items,
                                  const MemoryRequest& request);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_SIZE_SEARCH_H_
