// How the dimensions of one array are ordered and tiled in memory: everything
// between the braces of bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}.
//
//   Layout::Parts parts;
//   parts.minor_to_major = {3, 2, 0, 1};
//   parts.tiles = {Tile({8, 128}), Tile({2, 1})};
//   parts.memory_space = 1;
//   Layout layout(parts);
//   layout.ToString();                // "{3,2,0,1:T(8,128)(2,1)S(1)}"
//   layout.WithTiles({}).ToString();  // "{3,2,0,1:S(1)}"
//
// A Layout is a plain value: any combination of parts can be held, compared
// and printed. ValidateLayout (layout/validate_layout.h) checks whether it is a
// valid layout of given dimensions.

#ifndef TESSERA_LAYOUT_LAYOUT_H_
#define TESSERA_LAYOUT_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile.h"

namespace tessera {

// Messages of proto/xla_data.proto, declared here only. layout_proto.h and
// shape/shape_proto.h include their headers, so code without messages does not
// pay for them.
namespace xla_data_proto {
class LayoutProto;
class ShapeProto;
}  // namespace xla_data_proto
using LayoutProto = xla_data_proto::LayoutProto;
using ShapeProto = xla_data_proto::ShapeProto;

// SC(d:i,j): physical dimension d (0 is the major-most, whatever its logical
// number) is cut at i and j into three pieces, for allocation only: no element
// moves.
struct SplitConfig {
  int64_t dimension = 0;
  absl::InlinedVector<int64_t, 2> split_indices;

  friend bool operator==(const SplitConfig& a, const SplitConfig& b) {
    return a.dimension == b.dimension && a.split_indices == b.split_indices;
  }
  friend bool operator!=(const SplitConfig& a, const SplitConfig& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const SplitConfig& split) {
    return H::combine(std::move(h), split.dimension, split.split_indices);
  }
};

// P(shape): the shape that XLA's sparse layouts, dropped in 2025, stored with a
// layout. No valid layout of an array has one; a Layout can still hold,
// compare, print and convert it. The interface is here and its only
// implementation in shape/physical_shape.h, because shapes contain layouts and
// not the reverse.
class PhysicalShape {
 public:
  virtual ~PhysicalShape() = default;
  virtual std::string ToString() const = 0;
  virtual ShapeProto ToProto() const = 0;
  virtual bool Equals(const PhysicalShape& other) const = 0;
};

class Layout {
 public:
  using MinorToMajor = absl::InlinedVector<int64_t, 6>;
  using Tiles = absl::InlinedVector<Tile, 3>;

  // The parts, named as in XLA's LayoutProto. Each has the value that applies
  // if the text does not mention it.
  struct Parts {
    MinorToMajor minor_to_major;
    Tiles tiles;                                     // T, first applied first
    int64_t tail_padding_alignment_in_elements = 1;  // L, in elements
    PrimitiveType index_primitive_type = PRIMITIVE_TYPE_INVALID;    // #
    PrimitiveType pointer_primitive_type = PRIMITIVE_TYPE_INVALID;  // *
    int64_t element_size_in_bits = 0;        // E; 0: the type's own ByteWidth
    int64_t memory_space = 0;                // S
    std::vector<SplitConfig> split_configs;  // SC
    std::shared_ptr<const PhysicalShape> physical_shape;  // P
    int64_t dynamic_shape_metadata_prefix_bytes = 0;      // M, in bytes
  };

  // Creates the layout of a scalar.
  Layout() {}
  explicit Layout(Parts parts) : parts_(std::move(parts)) {}
  // Creates an untiled layout with that order of dimensions.
  explicit Layout(MinorToMajor minor_to_major) {
    parts_.minor_to_major = std::move(minor_to_major);
  }

  const Parts& parts() const { return parts_; }

  int64_t rank() const { return parts_.minor_to_major.size(); }
  absl::Span<const int64_t> minor_to_major() const {
    return parts_.minor_to_major;
  }
  int64_t minor_to_major(int64_t i) const { return parts_.minor_to_major[i]; }
  absl::Span<const Tile> tiles() const { return parts_.tiles; }
  int64_t tail_padding_alignment_in_elements() const {
    return parts_.tail_padding_alignment_in_elements;
  }
  PrimitiveType index_primitive_type() const {
    return parts_.index_primitive_type;
  }
  PrimitiveType pointer_primitive_type() const {
    return parts_.pointer_primitive_type;
  }
  int64_t element_size_in_bits() const { return parts_.element_size_in_bits; }
  int64_t memory_space() const { return parts_.memory_space; }
  absl::Span<const SplitConfig> split_configs() const {
    return parts_.split_configs;
  }
  const PhysicalShape* physical_shape() const {
    return parts_.physical_shape.get();
  }
  int64_t dynamic_shape_metadata_prefix_bytes() const {
    return parts_.dynamic_shape_metadata_prefix_bytes;
  }

  // Return copies with one part replaced.
  Layout WithMinorToMajor(MinorToMajor minor_to_major) const;
  Layout WithTiles(Tiles tiles) const;
  Layout WithElementSizeInBits(int64_t element_size_in_bits) const;
  Layout WithMemorySpace(int64_t memory_space) const;

  // Returns XLA's canonical text, with braces, parts in XLA's order, and
  // without the parts that have their default value: "{1,0:T(8,128)(2,1)S(1)}",
  // "{:T(128)}", "{}".
  std::string ToString() const;
  void AppendTo(std::string* out) const;
  void WriteTo(TextWriter* writer) const;

  // Equality that can ignore parts, like XLA's Layout::Equal:
  //
  //   Layout::Equal().IgnoreTiles().IgnoreMemorySpace()(a, b)
  class Equal;

  // Compares all parts, including the metadata prefix M (which XLA forgets).
  friend bool operator==(const Layout& a, const Layout& b);
  friend bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }

  // Leaves out physical_shape, which no valid layout has; equal layouts still
  // have equal hashes.
  template <typename H>
  friend H AbslHashValue(H h, const Layout& layout) {
    const Parts& p = layout.parts_;
    return H::combine(std::move(h), p.minor_to_major, p.tiles,
                      p.tail_padding_alignment_in_elements,
                      static_cast<int>(p.index_primitive_type),
                      static_cast<int>(p.pointer_primitive_type),
                      p.element_size_in_bits, p.memory_space, p.split_configs,
                      p.dynamic_shape_metadata_prefix_bytes);
  }

 private:
  // Fills the parts in place (shape/array_builder.h).
  friend class ArrayBuilder;

  Parts parts_;
};

// Also declared outside the class: g++ does not export a friend of a shared
// library that is declared only in the class.
bool operator==(const Layout& a, const Layout& b);

class Layout::Equal {
 public:
  Equal& IgnoreTiles();
  Equal& IgnoreTailPaddingAlignmentInElements();
  Equal& IgnoreIndexPrimitiveType();
  Equal& IgnorePointerPrimitiveType();
  Equal& IgnoreElementSize();
  Equal& IgnoreMemorySpace();
  Equal& IgnoreSplitConfigs();
  Equal& IgnorePhysicalShape();
  Equal& IgnoreDynamicShapeMetadataPrefix();  // not among XLA's: see operator==
  // Ignores everything but the order of the dimensions.
  Equal& MinorToMajorOnly();

  bool operator()(const Layout& a, const Layout& b) const;

 private:
  bool ignore_tiles_ = false;
  bool ignore_tail_padding_alignment_in_elements_ = false;
  bool ignore_index_primitive_type_ = false;
  bool ignore_pointer_primitive_type_ = false;
  bool ignore_element_size_ = false;
  bool ignore_memory_space_ = false;
  bool ignore_split_configs_ = false;
  bool ignore_physical_shape_ = false;
  bool ignore_dynamic_shape_metadata_prefix_ = false;
};

}  // namespace tessera

TESSERA_DECLARE_VALUE(tessera, Layout);

#endif  // TESSERA_LAYOUT_LAYOUT_H_
