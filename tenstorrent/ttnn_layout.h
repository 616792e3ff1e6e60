// The layout attribute and the memory configuration of TTNN's tensors, as data.
//
//   const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(R"(
//       #dram = #ttnn.buffer_type<dram>
//       tensor<6x15x10xbf16, #ttnn.ttnn_layout<
//           (d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>,
//           memref<6x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>)");
//   tensor->layout.memref.shape;                   // {6, 1}
//   tensor->layout.memref.buffer_type;             // BufferType::kDram
//   KeywordOf(*tensor->layout.memory_layout);      // "interleaved"
//   tensor->ToString();
//       // "tensor<6x15x10xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 +
//       // d1, d2), <1x1>, memref<6x1x!ttcore.tile<32x32, bf16>,
//       // #ttnn.buffer_type<dram>>, <interleaved>>>"
//
//   ParseMemoryConfig(
//       "#l1 = #ttnn.buffer_type<l1>\n"
//       "#ttnn.memory_config<#l1, <height_sharded>, #ttnn.shard_spec<"
//       "<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, <row_major>>>")
//       ->ToString();
//       // "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>,
//       // #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>,
//       // <row_major>>>"
//
// The parts are stored as written, right or wrong: ranges may overlap. tensor.h
// reads them.
//
//   layout        = '#ttnn.ttnn_layout' '<' map ',' grid ','
//                   ['mesh' '=' mesh ','] memref {',' property} '>'
//   memref        = 'memref' '<' {size 'x'} element ',' [identity map ',']
//                   buffer '>'
//   buffer        = '#ttnn.buffer_type' '<' ('dram' | 'l1' | 'system_memory' |
//                   'l1_small' | 'trace') '>'
//   property      = memory layout | 'exactGrid' '=' bool
//                 | 'ignorePhysicalLayout' '=' bool | 'core_ranges' '=' ranges
//   memory layout = '#ttnn.tensor_memory_layout' '<' ('interleaved' | ... |
//                   'nd_sharded') '>'
//   mesh          = '#ttcore.tensor_mesh' '<' string '>'
//   ranges        = '#ttnn.core_range_set' '<' ['[' range {',' range} ']'] '>'
//   range         = '#ttnn.core_range' '<' core ',' core '>'
//   core          = '(' number ',' number ')'       // x, y
//   config        = '#ttnn.memory_config' '<' buffer [',' memory layout]
//                   [',' (spec | nd spec)] '>'
//   spec          = '#ttnn.shard_spec' '<' ranges ',' shape ',' orientation
//                   [',' mode [',' shape]] '>'
//   nd spec       = '#ttnn.nd_shard_spec' '<' ranges ',' shape ',' orientation
//                   ',' distribution '>'
//   shape         = '#ttnn.shape' '<' [sizes] '>'
//   orientation   = '#ttnn.shard_orientation' '<' ('row_major' | 'col_major')
//                   '>'
//   distribution  = '#ttnn.shard_distribution_strategy' '<'
//                   ('round_robin_1d' | 'grid_2d') '>'
//   mode          = '#ttnn.shard_mode' '<' ('physical' | 'logical') '>'
//   nd layout     = '#ttnn.ttnn_nd_layout' '<' grid ',' memref ',' memory layout
//                   [',' orientation] [',' distribution] '>'
//
// Maps, grids, sizes, elements, aliases and tensors are those of
// metal_layout.h, with the same limits, and memory layouts are its keywords.
// The name of a nested attribute may be left out, <l1> or <[...]>, except where
// the grammar of the memref requires it. The properties come in any order, each
// at most once (TTNNDialect.cpp, parseTTNNLayoutTail).
//
// In the texts of 2024-11 a memory layout is a bare keyword.
//
// Cores are (x, y), as in this dialect of tt-mlir. #ttcore.core_range<(y,x),
// (y,x)> may replace a range; it has its own order.
//
// Errors are those of metal_layout.h; also kResourceExhausted for more than
// 1024 core ranges.

#ifndef TESSERA_TENSTORRENT_TTNN_LAYOUT_H_
#define TESSERA_TENSTORRENT_TTNN_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {

// The place of the memory: dram, l1, system_memory, l1_small, trace.
enum class BufferType : uint8_t {
  kDram,
  kL1,
  kSystemMemory,
  kL1Small,
  kTrace,
};

// The order in which shards go to cores: row_major, col_major.
enum class ShardOrientation : uint8_t { kRowMajor, kColMajor };

// The distribution of shards to cores: round_robin_1d, in turn, or grid_2d, by
// row and column.
enum class ShardDistribution : uint8_t { kRoundRobin1d, kGrid2d };

// Whether the shape of a shard is that of its storage or of its elements:
// physical, logical. In texts of 2025.
enum class ShardMode : uint8_t { kPhysical, kLogical };

inline constexpr BufferType kBufferTypes[] = {
    BufferType::kDram, BufferType::kL1, BufferType::kSystemMemory,
    BufferType::kL1Small, BufferType::kTrace};
inline constexpr ShardOrientation kShardOrientations[] = {
    ShardOrientation::kRowMajor, ShardOrientation::kColMajor};
inline constexpr ShardDistribution kShardDistributions[] = {
    ShardDistribution::kRoundRobin1d, ShardDistribution::kGrid2d};
inline constexpr ShardMode kShardModes[] = {ShardMode::kPhysical,
                                            ShardMode::kLogical};

// The memory space without reserved parts: L1 for l1_small, DRAM for trace.
BufferType WholeBufferOf(BufferType type);
// Returns whether it is height, width or block sharded: the tensor is then cut
// as a matrix.
bool IsSharded(TensorMemoryLayout layout);

std::string_view KeywordOf(BufferType type);
std::string_view KeywordOf(ShardOrientation orientation);
std::string_view KeywordOf(ShardDistribution distribution);
std::string_view KeywordOf(ShardMode mode);
// Returns the value with that keyword, or nullopt.
std::optional<BufferType> BufferTypeOf(std::string_view keyword);
std::optional<ShardOrientation> ShardOrientationOf(std::string_view keyword);
std::optional<ShardDistribution> ShardDistributionOf(std::string_view keyword);
std::optional<ShardMode> ShardModeOf(std::string_view keyword);

// A core of a chip. #ttnn.core_range writes (x, y), like this; the core_range
// of #ttcore writes (y, x), rows by columns, like grids.
struct CoreCoordinate {
  int64_t x = 0;
  int64_t y = 0;

  TESSERA_VALUE_BY(CoreCoordinate, x, y)
};

// A rectangle of cores, both corners included.
struct CoreRange {
  CoreCoordinate start;
  CoreCoordinate end;

  // "#ttnn.core_range<(0,0), (7,7)>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(CoreRange, start, end)
};

using CoreRanges = absl::InlinedVector<CoreRange, 1>;

// The memory of one shard.
struct TtnnMemRef {
  Dimensions shape;  // in elements of `element`
  ElementType element;
  BufferType buffer_type = BufferType::kDram;

  // "memref<6x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(TtnnMemRef, shape, element, buffer_type)
};

// #ttnn.ttnn_layout<linear, <grid>, memref, <memory layout>, ...>
struct TtnnLayout {
  AffineMap linear;  // from the tensor's dimensions to physical positions
  Dimensions grid;   // of cores, rows by columns
  // The name of the mesh of devices.
  std::optional<std::string> mesh = std::nullopt;
  TtnnMemRef memref;
  // Absent in system memory.
  std::optional<TensorMemoryLayout> memory_layout = std::nullopt;
  // exactGrid: use the grid unchanged.
  bool exact_grid = false;
  // ignorePhysicalLayout: sharded, but the shards are not known yet.
  bool ignore_physical_layout = false;
  // The cores of a sharded tensor.
  std::optional<CoreRanges> core_ranges = std::nullopt;
  // Whether exactGrid, or maps in the grid, show that the text is older than
  // core ranges, which were added on 2026-05-06 (0ca2e3d257). A property of the
  // text, not of the layout: neither printed nor compared.
  bool precedes_core_ranges = false;

  // "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4xf32,
  // #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges =
  // <[#ttnn.core_range<(0,0), (7,7)>]>>", in the order of tt-mlir's printer.
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(TtnnLayout, linear, grid, mesh, memref, memory_layout,
                   exact_grid, ignore_physical_layout, core_ranges)
};

// tensor<shape x element, layout>
struct TtnnTensor {
  Dimensions shape;
  ElementType element;
  TtnnLayout layout;

  // "tensor<6x15x10xbf16, #ttnn.ttnn_layout<...>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(TtnnTensor, shape, element, layout)
};

// #ttnn.shard_spec<<core ranges>, <shape>, <orientation>>
struct ShardSpec {
  CoreRanges core_ranges;
  Dimensions shape;  // in scalars
  ShardOrientation orientation = ShardOrientation::kRowMajor;
  // In texts of 2025. The physical shape appears only after a mode.
  std::optional<ShardMode> mode = std::nullopt;
  std::optional<Dimensions> physical_shape = std::nullopt;

  // "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>,
  // <row_major>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(ShardSpec, core_ranges, shape, orientation, mode,
                   physical_shape)
};

// #ttnn.nd_shard_spec<<core ranges>, <shape>, <orientation>, <distribution>>
struct NdShardSpec {
  CoreRanges core_ranges;
  Dimensions shape;  // in scalars
  ShardOrientation orientation = ShardOrientation::kRowMajor;
  ShardDistribution distribution = ShardDistribution::kRoundRobin1d;

  // "#ttnn.nd_shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <1x32x64>,
  // <row_major>, <round_robin_1d>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(NdShardSpec, core_ranges, shape, orientation, distribution)
};

// #ttnn.ttnn_nd_layout<<grid>, memref, <memory layout>, ...>, whose shards have
// as many dimensions as the tensor.
struct TtnnNdLayout {
  Dimensions grid;
  TtnnMemRef memref;  // one shard
  TensorMemoryLayout memory_layout = TensorMemoryLayout::kInterleaved;
  std::optional<ShardOrientation> orientation = std::nullopt;
  std::optional<ShardDistribution> distribution = std::nullopt;

  // "#ttnn.ttnn_nd_layout<<1x1>, memref<...>, <block_sharded>, <row_major>,
  // <grid_2d>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(TtnnNdLayout, grid, memref, memory_layout, orientation,
                   distribution)
};

// tensor<shape x element, ND layout>
struct TtnnNdTensor {
  Dimensions shape;
  ElementType element;
  TtnnNdLayout layout;

  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(TtnnNdTensor, shape, element, layout)
};

// #ttnn.memory_config<#l1, <memory layout>, #ttnn.shard_spec<...>>
struct MemoryConfig {
  BufferType buffer_type = BufferType::kDram;
  std::optional<TensorMemoryLayout> memory_layout = std::nullopt;
  std::optional<ShardSpec> shard_spec = std::nullopt;
  // Texts of the runtime may have both. The memory layout then belongs to the
  // shard_spec.
  std::optional<NdShardSpec> nd_shard_spec = std::nullopt;

  // "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(MemoryConfig, buffer_type, memory_layout, shard_spec,
                   nd_shard_spec)
};

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, CoreRange);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, TtnnMemRef);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, TtnnLayout);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, TtnnTensor);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, ShardSpec);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, NdShardSpec);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, TtnnNdLayout);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, TtnnNdTensor);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, MemoryConfig);

#endif  // TESSERA_TENSTORRENT_TTNN_LAYOUT_H_
