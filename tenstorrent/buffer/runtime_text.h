// Reads the texts of tensors and memory configurations that Tenstorrent's
// runtime prints and Python programs contain.
//
//   const absl::StatusOr<MemoryConfig> config = ParseRuntimeMemoryConfig(
//       "MemoryConfig(memory_layout=TensorMemoryLayout::HEIGHT_SHARDED,"
//       "buffer_type=BufferType::L1,shard_spec=ShardSpec("
//       "grid={[(x=0,y=0) - (x=7,y=0)]},shape={32, 64},"
//       "orientation=ShardOrientation::ROW_MAJOR))");
//   config->ToString();
//       // "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>,
//       // #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x64>,
//       // <row_major>>>"
//
//   const absl::StatusOr<RuntimeTensor> tensor = ParseRuntimeTensor(
//       "ttnn.Tensor([[0.5, 1.0]], shape=Shape([1, 2]), "
//       "dtype=DataType::BFLOAT16, layout=Layout::ROW_MAJOR)");
//   tensor->shape->size();                   // 2
//   *tensor->data_type;                      // DataType::kBF16
//   *tensor->is_tiled;                       // false
//
// These texts are read:
//
// - MemoryConfig(...) as ttnn prints it, with std::nullopt; with
//   ShardSpec(grid={[(x=0,y=0) - (x=7,y=0)]},shape={32, 64},...); and, since
//   2025, with ShardSpec{grid=[{"start":{"x":0,"y":0},...}], shape=[32, 64],
//   ...} and nd_shard_spec, where each range but the last lacks a brace;
// - its JSON, {"buffer_type":1,"memory_layout":2,...};
// - the same in Python: ttnn.MemoryConfig(ttnn.TensorMemoryLayout.X,
//   ttnn.BufferType.L1, ttnn.ShardSpec(...)), by position or by name, and the
//   names ttnn.DRAM_MEMORY_CONFIG and ttnn.L1_MEMORY_CONFIG;
// - tt-mlir's #ttnn.memory_config<...> (ttnn_layout.h);
// - TensorSpec(logical_shape=..., tensor_layout=...), ttnn.TensorSpec(...);
// - ttnn.Tensor(...), or only its end from "shape=" on. The older
//   Shape([2, 1[32], 64, 64]) and [77 + 19, 40 + 24] have padded sizes, too.
//
// Commas may be semicolons, as in the CSV files of the profiler.
//
// Errors carry a Diagnostic (base/text/diagnostic.h) that points at the place:
// kInvalidArgument; kOutOfRange for a number past 2^63-1; kUnimplemented for
// parts whose rules are not known (per_core_allocation); kResourceExhausted for
// more than 64 nested brackets, 2^16 values or 1024 core ranges. One pass; no
// recursion without bound.

#ifndef TESSERA_TENSTORRENT_BUFFER_RUNTIME_TEXT_H_
#define TESSERA_TENSTORRENT_BUFFER_RUNTIME_TEXT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera::tenstorrent {

// Returns the type with a name of the runtime, "BFLOAT8_B", "bfloat8_b" or
// "ttnn.DataType.BFLOAT8_B", or with a keyword of tt-mlir, "bfp_bf8"; nullopt
// if there is none.
std::optional<DataType> RuntimeDataTypeOf(std::string_view word);
// Returns the names of the runtime, in lower case: "bfloat16", "float32", ...
std::vector<std::string> RuntimeDataTypeNames();

// Returns whether a tensor with a layout of this name is tiled: true for
// "TILE", "tile", "ttnn.TILE_LAYOUT" and "Layout::TILE", false for the same
// names of ROW_MAJOR; nullopt for other names.
std::optional<bool> RuntimeIsTiled(std::string_view word);

// The parts of a tensor that a text has.
struct RuntimeTensor {
  std::optional<Dimensions> shape;
  // The padded sizes, if the text has them, as those of 2024 do.
  std::optional<Dimensions> padded_shape;
  std::optional<DataType> data_type;
  std::optional<bool> is_tiled;
  std::optional<TileShape> tile;
  std::optional<MemoryConfig> memory_config;
};

absl::StatusOr<MemoryConfig> ParseRuntimeMemoryConfig(std::string_view text);

// Errors: also kInvalidArgument if the text has no shape.
absl::StatusOr<RuntimeTensor> ParseRuntimeTensor(std::string_view text);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_BUFFER_RUNTIME_TEXT_H_
