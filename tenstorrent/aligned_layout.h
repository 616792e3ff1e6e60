// tt-mlir's tensor layout attribute since 2025-06 (c60496c369), as data: a
// logical shape, the alignments of its dimensions, and which of them collapse
// into one.
//
//   const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(R"(
//       #layout = #ttcore.metal_layout<
//           logical_shape = 2x33x128, dim_alignments = 1x32x32,
//           collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>,
//           l1, sharded>
//       tensor<4x4x1x1x!ttcore.tile<32x32, f32>, #layout>)");
//   tensor->shape;                           // {4, 4, 1, 1}: grid, then shard
//   tensor->layout.logical_shape;            // {2, 33, 128}
//   tensor->layout.collapsed_intervals;      // {{0, 2}, {2, 3}}
//   tensor->ToString();
//       // "tensor<4x4x1x1x!ttcore.tile<32x32, f32>,
//       // #ttcore.metal_layout<logical_shape = 2x33x128, ... l1, sharded>>"
//
// The shape of the tensor is that of its storage; the logical one is in the
// attribute. The parts are stored as written, right or wrong: intervals may
// overlap or lie outside the rank, and there may be fewer alignments than
// dimensions. tensor.h reads them.
//
//   layout    = '#ttcore.metal_layout' '<'
//               'logical_shape' '=' [sizes] ',' 'dim_alignments' '=' [sizes]
//               ','
//               ('collapsed_intervals' | 'collapse_dims') '=' intervals
//               [',' oob] [',' memory space] [',' ('interleaved' | 'sharded')]
//               [',' ('index_map' | 'view_affine_map') '='
//               ('map' '(' number ')' | map)] '>'
//   intervals = 'dense' '<' [integer | '[' pair {',' pair} ']'] '>' ':'
//               'tensor' '<' size 'x' '2' 'x' 'i64' '>'
//   pair      = '[' integer ',' integer ']'
//
// Aliases, tensors, sizes, elements, maps and keywords are those of
// metal_layout.h, with the same limits. Every form that the attribute has had
// is read: the years of its parts are given below; collapse_dims is from its
// first six days, and view_affine_map is an earlier name of index_map. dense<0>
// means as many zeros as the type has, and map(4) the identity of four
// dimensions.
//
// Errors are those of metal_layout.h; also kResourceExhausted for more than
// 1024 intervals or dimensions in map(...).

#ifndef TESSERA_TENSTORRENT_ALIGNED_LAYOUT_H_
#define TESSERA_TENSTORRENT_ALIGNED_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {

// The memory layout of the tensor's shards: TensorMemoryLayout of
// TTCoreOpsEnums.td, in the attribute since 2025-09-30. (metal_layout.h has
// TTNN's.)
enum class AlignedMemoryLayout : uint8_t { kInterleaved, kSharded };

inline constexpr AlignedMemoryLayout kAlignedMemoryLayouts[] = {
    AlignedMemoryLayout::kInterleaved, AlignedMemoryLayout::kSharded};

std::string_view KeywordOf(AlignedMemoryLayout layout);
// Returns the value with that keyword, or nullopt.
std::optional<AlignedMemoryLayout> AlignedMemoryLayoutOf(
    std::string_view keyword);

// #ttcore.metal_layout<logical_shape = ..., ...>
struct AlignedLayout {
  // First dimension and end (exclusive); negative numbers count from the rank.
  using Interval = std::pair<int64_t, int64_t>;
  using Intervals = absl::InlinedVector<Interval, 4>;

  Dimensions logical_shape;
  Dimensions dim_alignments;
  Intervals collapsed_intervals;
  // In every text until 2026-05 (b1883766ed).
  std::optional<OobValue> oob_value = std::nullopt;
  // Absent for the default, system, in texts until 2025-11.
  std::optional<MemorySpace> memory_space = std::nullopt;
  std::optional<AlignedMemoryLayout> memory_layout = std::nullopt;
  // In texts from 2025-08 to 2026-02.
  std::optional<AffineMap> index_map = std::nullopt;

  // "#ttcore.metal_layout<logical_shape = 2x33x128, dim_alignments = 1x32x32,
  // collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>, l1,
  // sharded>": the newest form, plus any older parts that are set. As MLIR
  // prints, equal numbers become dense<0>, and an identity map is map(4).
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(AlignedLayout, logical_shape, dim_alignments,
                   collapsed_intervals, oob_value, memory_space, memory_layout,
                   index_map)
};

// tensor<shape x element, layout>
struct AlignedTensor {
  Dimensions shape;  // those of the grid, then those of a shard
  ElementType element;
  AlignedLayout layout;

  // "tensor<4x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<...>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  TESSERA_VALUE_BY(AlignedTensor, shape, element, layout)
};

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, AlignedLayout);
TESSERA_DECLARE_VALUE(tessera::tenstorrent, AlignedTensor);

#endif  // TESSERA_TENSTORRENT_ALIGNED_LAYOUT_H_
