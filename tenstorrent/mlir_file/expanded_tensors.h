// Replaces the aliases of a file in tensors.
//
//   #include "tessera/tenstorrent/tensor.h"
//
//   const std::string file =
//       "#dram = #ttnn.buffer_type<dram>\n"
//       "#layout = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>,\n"
//       "    memref<1x64xf32, #dram>, <interleaved>>\n"
//       "func.func @f(%0: tensor<64xf32, #layout>) { return }\n";
//   const std::string text =
//       ExpandedTensors(file, "tensor<64xf32, #layout>")[0];
//   ReadTensorText(text).ok();               // true
//   TensorsOfLine(file, 4).size();           // 1

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_EXPANDED_TENSORS_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_EXPANDED_TENSORS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tenstorrent {

// Returns the distinct tensors with layouts of `text`, in order, with the
// aliases that `file` defines replaced. Names that `file` does not define are
// kept.
std::vector<std::string> ExpandedTensors(std::string_view file,
                                         std::string_view text);

// Returns the distinct tensors with layouts that begin in that line of a file,
// counted from 1, with the aliases defined above replaced. Empty if there is no
// such line.
std::vector<std::string> TensorsOfLine(std::string_view file, int64_t line);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_EXPANDED_TENSORS_H_
