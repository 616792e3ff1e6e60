// Finds the layouts of a file, the memory that they take, the rules that they
// break, and the tensors that fill L1.
//
//   const LayoutFile file = ReadLayoutFile(R"(
//     #l1 = #ttnn.buffer_type<l1>
//     #layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>,
//         memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>,
//         core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
//     func.func @f(%0: tensor<32x64xbf16, #layout>)
//         -> tensor<32x64xbf16, #layout> {
//       %1 = "ttnn.relu"(%0) : (tensor<32x64xbf16, #layout>)
//                              -> tensor<32x64xbf16, #layout>
//       return %1 : tensor<32x64xbf16, #layout>
//     })");
//   file.items.size();                       // 2: a layout and a tensor
//   file.items[1].uses;                      // 5
//   file.functions[0].l1.peak;               // 8192: %0 and %1
//
// The text may be a file of MLIR, parts of one, a log, or any text with such
// types in it; mlir_tokens.h has the rules. Nothing else of MLIR is parsed.
//
// - An alias has the value of the last definition above it. `// -----` does
//   not end a scope here: tt-mlir's own files use names of earlier parts.
// - #dram, #l1 and #system_memory without a definition have their usual
//   meaning, with an entry in `notes`. Other names without a definition are in
//   `undefined`.
// - Tensors with other encodings, such as #ttnn.trace_id, do not count, nor do
//   tensors without an encoding or memrefs without a memory space.
//
// Takes memory for each distinct text and for the operations of one function.
// Short forms expand to at most kMaxExpanded bytes in all.

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_LAYOUT_FILE_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_LAYOUT_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/tenstorrent/mlir_file/card_memory.h"
#include "tessera/tenstorrent/mlir_file/file_item.h"
#include "tessera/tenstorrent/mlir_file/function_memory.h"

namespace tessera::tenstorrent {

// A name without a definition.
struct UndefinedName {
  std::string name;  // "#layout3"
  int64_t uses = 0;
  FilePlace first;
};

struct LayoutFile {
  static constexpr int64_t kMaxExpanded = int64_t{1} << 28;
  // The most functions. Those with the largest peaks are kept.
  static constexpr size_t kMaxFunctions = 256;

  CardMemory card;
  // The items, in the order in which they are first written.
  std::vector<FileItem> items;
  // The functions, in the order of the file.
  std::vector<FunctionMemory> functions;
  // Functions beyond kMaxFunctions.
  int64_t functions_left_out = 0;
  OperationCounts counts;
  std::vector<UndefinedName> undefined;
  // "#dram has no definition: read as #ttnn.buffer_type<dram>"
  std::vector<std::string> notes;

  // Returns how many places of the text have a tensor with a layout, a layout
  // that is written out, or a memref.
  int64_t Uses(FileItem::Kind kind) const;
};

LayoutFile ReadLayoutFile(std::string_view text,
                          const CardOptions& options = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_LAYOUT_FILE_H_
