// The tensor layout attribute of tt-mlir's tensor-layout document, as data.
//
//   const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(R"(
//       tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>,
//                                          memref<18x32xf32,
//                                                 #tt.memory_space<l1>>>>)");
//   tensor->shape;                           // {53, 63}
//   tensor->layout.grid;                     // {3, 2}
//   tensor->layout.memref.shape;             // {18, 32}
//   tensor->ToString();
//       // "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef,
//       // <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>"
//
//   // With an alias for a part, and a layout without a tensor.
//   ParseMetalTensor(
//       "#l1_ = #tt.memory_space<l1>\n"
//       "#layout = #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>,\n"
//       "                           memref<8x150xf32, #l1_>>\n"
//       "tensor<8x300xf32, #layout>")->layout.memref.shape;   // {8, 150}
//   ParseMetalLayout("#tt.metal_layout<(d0) -> (d0), undef, <2>, "
//                    "memref<4xf32, #tt.memory_space<l1>>>")->grid;   // {2}
//
// The parts are stored as written, right or wrong: geometry.h applies the rules
// to them, and verification.h checks whether they follow the rules. tensor.h
// reads them. The grammar:
//
//   text     = {alias} (layout | tensor)
//   alias    = '#' name '=' (layout | space | grid with its name | map | other)
//   tensor   = 'tensor' '<' {size 'x'} element ',' layout '>'
//   layout   = '#tt.metal_layout' '<' map ',' oob ',' grid ',' memref
//              [',' memory layout] '>'
//   map      = an affine map (affine/affine_map_parser.h), bare or
//              affine_map<...>
//   oob      = 'undef' | 'zero' | 'one' | 'inf' | 'neginf'
//   grid     = ['#tt.grid'] '<' [sizes] {',' [name '='] map} '>'
//   memref   = 'memref' '<' {size 'x'} element ',' [identity map ','] space '>'
//   space    = '#tt.memory_space' '<' ('system' | 'mmio' | 'dram' | 'l1' |
//              'dst') '>'
//   element  = 'f32' | 'bf16' | ... | '!tt.tile' '<' size 'x' size ',' type '>'
//   sizes    = size {'x' size}
//   memory layout = 'none' | 'none_layout' | 'interleaved' | 'single_bank' |
//                   'height_sharded' | 'width_sharded' | 'block_sharded'
//
// The rules are those of tt-mlir between f3f3f0ec33 (2024-11) and c60496c369
// (2025-06), and of the MLIR that it was built with:
//
//   * #tt.layout, the earlier name, may replace #tt.metal_layout, and the
//     dialect's later name ttcore may replace tt everywhere. The document's
//     names are printed.
//   * White space and comments may appear anywhere, also in lists of sizes: 32
//     x 32. In such a list 0x10 is 0 by 10.
//   * An alias that is defined above may replace any attribute. A text for
//     ParseMetalLayout may end with the alias of the layout. Aliases of other
//     attributes and of locations are skipped up to their closing bracket,
//     since tt-mlir's files contain them.
//   * The maps of a grid are read and dropped: they map a cell of the grid to a
//     core of a device, and do not change the cells. The text has one map
//     without a name or, later, virt_to_physical_map and physical_to_virt_map.
//   * A memref may have a map of its own if that is the identity, the default.
//     Any other map, and strided<...>, is not supported.
//   * A tile has two sizes, each at least 1, and a data type: the document's
//     "!tt.tile<32x32>" is not a tile.
//   * A size is in the range from 0 to 2^63-1. A dynamic size, '?', is refused,
//     because it does not have a layout.
//
// An error carries a Diagnostic (base/text/diagnostic.h) that points at the
// place: kInvalidArgument; kOutOfRange for a number past 2^63-1; kUnimplemented
// for the memrefs named above; kResourceExhausted for more than 1024 sizes in a
// list, for an affine map beyond its limits, or if the short forms in the text,
// such as aliases, expand to more than 2^22 numbers in all. One pass; no
// recursion.

#ifndef TESSERA_TENSTORRENT_METAL_LAYOUT_H_
#define TESSERA_TENSTORRENT_METAL_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"

namespace tessera::tenstorrent {

// The value of padding. It never changes a shape.
enum class OobValue : uint8_t { kUndef, kZero, kOne, kInf, kNegInf };

// The names are the document's; the keywords in texts are system, mmio, dram,
// l1, and dst (added in 2025).
enum class MemorySpace : uint8_t {
  kSystem,
  kSystemMMIO,
  kDeviceDRAM,
  kDeviceL1,
  kRegisterDst,
};

// The arrangement of a tensor's shards on the cores. It is the memory layout of
// TTNN, and was the fifth property of the attribute from 2024-09 to 2025-02
// (c75811beed to 3af502714f).
enum class TensorMemoryLayout : uint8_t {
  kNone,
  kInterleaved,
  kSingleBank,
  kHeightSharded,
  kWidthSharded,
  kBlockSharded,
  kNdSharded,  // only of TTNN, since 2025-12
};

inline constexpr OobValue kOobValues[] = {OobValue::kUndef, OobValue::kZero,
                                          OobValue::kOne, OobValue::kInf,
                                          OobValue::kNegInf};
inline constexpr MemorySpace kMemorySpaces[] = {
    MemorySpace::kSystem, MemorySpace::kSystemMMIO, MemorySpace::kDeviceDRAM,
    MemorySpace::kDeviceL1, MemorySpace::kRegisterDst};
inline constexpr TensorMemoryLayout kTensorMemoryLayouts[] = {
    TensorMemoryLayout::kNone,         TensorMemoryLayout::kInterleaved,
    TensorMemoryLayout::kSingleBank,   TensorMemoryLayout::kHeightSharded,
    TensorMemoryLayout::kWidthSharded, TensorMemoryLayout::kBlockSharded};
inline constexpr TensorMemoryLayout kTtnnMemoryLayouts[] = {
    TensorMemoryLayout::kNone,         TensorMemoryLayout::kInterleaved,
    TensorMemoryLayout::kSingleBank,   TensorMemoryLayout::kHeightSharded,
    TensorMemoryLayout::kWidthSharded, TensorMemoryLayout::kBlockSharded,
    TensorMemoryLayout::kNdSharded};

std::string_view KeywordOf(OobValue value);
std::string_view KeywordOf(MemorySpace space);
std::string_view KeywordOf(TensorMemoryLayout layout);
// Returns the value with that keyword, or nullopt.
std::optional<OobValue> OobValueOf(std::string_view keyword);
std::optional<MemorySpace> MemorySpaceOf(std::string_view keyword);
std::optional<TensorMemoryLayout> TensorMemoryLayoutOf(
    std::string_view keyword);

// The memory of one shard.
struct MemRef {
  Dimensions shape;  // in elements of `element`
  ElementType element;
  MemorySpace memory_space = MemorySpace::kDeviceL1;

  // "memref<2x2x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(MemRef, shape, element, memory_space)
};

// #tt.metal_layout<linear, oob_value, <grid>, memref>
struct MetalLayout {
  AffineMap linear;  // from the tensor's dimensions to physical positions
  OobValue oob_value = OobValue::kUndef;
  Dimensions grid;
  MemRef memref;
  std::optional<TensorMemoryLayout> memory_layout = std::nullopt;

  // In the document's form: "#tt.metal_layout<(d0, d1) -> (d0, d1), undef,
  // <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>"; the memory layout, if
  // set, comes last: ", interleaved>".
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(MetalLayout, linear, oob_value, grid, memref, memory_layout)
};

// tensor<shape x element, layout>
struct MetalTensor {
  Dimensions shape;
  // The tensor's own element type, a scalar in every text of tt-mlir. The
  // memref may hold another type, as when an f32 tensor is stored in bfp_bf8
  // tiles.
  ElementType element;
  MetalLayout layout;

  // "tensor<53x63xf32, #tt.metal_layout<...>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(MetalTensor, shape, element, layout)
};

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, MemRef);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, MetalLayout);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, MetalTensor);

#endif  // TESSERA_TENSTORRENT_METAL_LAYOUT_H_
