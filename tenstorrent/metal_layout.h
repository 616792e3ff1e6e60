// File: tenstorrent/metal_layout.h
//
// tt-mlir's tensor layout attribute of the tensor-layout document, as data.
//
//   const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(R"(
//       tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>,
//                                          memref<18x32xf32,
//                                                 #tt.memory_space<l1>>>>)");
//   tensor->shape;                           // {53, 63}
//   tensor->layout.grid;                     // {3, 2}
//   tensor->layout.memref.shape;             // {18, 32}
//   tensor->ToString();                      // the text again
//
// These are the parts that the text has, right or wrong: what the rules make of
// them is in geometry.h, whether they agree with the rules in verification.h.
// The reader is metal_layout_parser.h.

#ifndef TESSERA_TENSTORRENT_METAL_LAYOUT_H_
#define TESSERA_TENSTORRENT_METAL_LAYOUT_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/tenstorrent/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/text/text_writer.h"

namespace tessera {
namespace tenstorrent {

// What padding is filled with. It never changes a shape.
enum class OobValue : uint8_t { kUndef, kZero, kOne, kInf, kNegInf };

// The names are the document's, the keywords the text's: system, mmio, dram,
// l1, and dst (added in 2025).
enum class MemorySpace : uint8_t {
  kSystem,
  kSystemMMIO,
  kDeviceDRAM,
  kDeviceL1,
  kRegisterDst,
};

// How the shards of a tensor lie on the cores: the fifth property that the
// attribute had from 2024-09 to 2025-02 (c75811beed to 3af502714f), and the
// memory layout of TTNN.
enum class TensorMemoryLayout : uint8_t {
  kNone,
  kInterleaved,
  kSingleBank,
  kHeightSharded,
  kWidthSharded,
  kBlockSharded,
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

absl::string_view KeywordOf(OobValue value);
absl::string_view KeywordOf(MemorySpace space);
absl::string_view KeywordOf(TensorMemoryLayout layout);
// The value with that keyword, or nullopt.
absl::optional<OobValue> OobValueOf(absl::string_view keyword);
absl::optional<MemorySpace> MemorySpaceOf(absl::string_view keyword);
absl::optional<TensorMemoryLayout> TensorMemoryLayoutOf(
    absl::string_view keyword);

// The memory of one shard.
struct MemRef {
  Dimensions shape;  // in elements of `element`
  ElementType element;
  MemorySpace memory_space = MemorySpace::kDeviceL1;

  // "memref<2x2x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  friend bool operator==(const MemRef& a, const MemRef& b) {
    return std::tie(a.shape, a.element, a.memory_space) ==
           std::tie(b.shape, b.element, b.memory_space);
  }
  friend bool operator!=(const MemRef& a, const MemRef& b) { return !(a == b); }
};

// #tt.metal_layout<linear, oob_value, <grid>, memref>
struct MetalLayout {
  AffineMap linear;  // from the tensor's dimensions to physical positions
  OobValue oob_value = OobValue::kUndef;
  Dimensions grid;
  MemRef memref;
  absl::optional<TensorMemoryLayout> memory_layout = absl::nullopt;

  // In the document's form: "#tt.metal_layout<(d0, d1) -> (d0, d1), undef,
  // <3x2>, memref<18x32xf32, #tt.memory_space<l1>>>"; the memory layout, if
  // there is one, comes last: ", interleaved>".
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  friend bool operator==(const MetalLayout& a, const MetalLayout& b) {
    return std::tie(a.linear, a.oob_value, a.grid, a.memref, a.memory_layout) ==
           std::tie(b.linear, b.oob_value, b.grid, b.memref, b.memory_layout);
  }
  friend bool operator!=(const MetalLayout& a, const MetalLayout& b) {
    return !(a == b);
  }
};

// tensor<shape x element, layout>
struct MetalTensor {
  Dimensions shape;
  // The tensor's own, a scalar in every text of tt-mlir. The memref may hold
  // another type: an f32 tensor that is stored in bfp_bf8 tiles.
  ElementType element;
  MetalLayout layout;

  // "tensor<53x63xf32, #tt.metal_layout<...>>"
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  friend bool operator==(const MetalTensor& a, const MetalTensor& b) {
    return std::tie(a.shape, a.element, a.layout) ==
           std::tie(b.shape, b.element, b.layout);
  }
  friend bool operator!=(const MetalTensor& a, const MetalTensor& b) {
    return !(a == b);
  }
};

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_METAL_LAYOUT_H_
