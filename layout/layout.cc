#include "tessera/layout/layout.h"

#include <ostream>
#include <string_view>

#include "absl/hash/hash.h"
#include "tessera/base/text/value_type.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace {

// Puts the colon before the first annotation that is printed.
class AnnotationWriter {
 public:
  explicit AnnotationWriter(TextWriter* writer) : writer_(writer) {}

  void Begin(std::string_view name) {
    if (!any_) writer_->Char(':');
    any_ = true;
    writer_->Text(name);
  }

  void Int(std::string_view name, int64_t value) {
    Begin(name);
    writer_->Char('(');
    writer_->Int(value);
    writer_->Char(')');
  }

  void Type(std::string_view name, PrimitiveType type) {
    Begin(name);
    writer_->Char('(');
    writer_->Text(IsIntegralType(type) ? PrimitiveTypeName(type) : "invalid");
    writer_->Char(')');
  }

 private:
  TextWriter* writer_;
  bool any_ = false;
};

bool SamePhysicalShape(const PhysicalShape* a, const PhysicalShape* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a == b || a->Equals(*b);
}

}  // namespace

Layout Layout::WithMinorToMajor(MinorToMajor minor_to_major) const {
  Layout result = *this;
  result.parts_.minor_to_major = std::move(minor_to_major);
  return result;
}

Layout Layout::WithTiles(Tiles tiles) const {
  Layout result = *this;
  result.parts_.tiles = std::move(tiles);
  return result;
}

Layout Layout::WithElementSizeInBits(int64_t element_size_in_bits) const {
  Layout result = *this;
  result.parts_.element_size_in_bits = element_size_in_bits;
  return result;
}

Layout Layout::WithMemorySpace(int64_t memory_space) const {
  Layout result = *this;
  result.parts_.memory_space = memory_space;
  return result;
}

std::string Layout::ToString() const {
  std::string out;
  AppendTo(&out);
  return out;
}

void Layout::AppendTo(std::string* out) const {
  TextWriter writer(out);
  WriteTo(&writer);
}

void Layout::WriteTo(TextWriter* writer) const {
  const Parts& p = parts_;
  writer->Char('{');
  writer->Ints(p.minor_to_major);

  AnnotationWriter annotations(writer);
  if (!p.tiles.empty()) {
    annotations.Begin("T");
    for (const Tile& tile : p.tiles) tile.WriteTo(writer);
  }
  if (p.tail_padding_alignment_in_elements != 1) {
    annotations.Int("L", p.tail_padding_alignment_in_elements);
  }
  if (p.index_primitive_type != PRIMITIVE_TYPE_INVALID) {
    annotations.Type("#", p.index_primitive_type);
  }
  if (p.pointer_primitive_type != PRIMITIVE_TYPE_INVALID) {
    annotations.Type("*", p.pointer_primitive_type);
  }
  if (p.element_size_in_bits != 0) {
    annotations.Int("E", p.element_size_in_bits);
  }
  if (p.memory_space != 0) annotations.Int("S", p.memory_space);
  if (!p.split_configs.empty()) {
    annotations.Begin("SC");
    for (const SplitConfig& split : p.split_configs) {
      writer->Char('(');
      writer->Int(split.dimension);
      writer->Char(':');
      writer->Ints(split.split_indices);
      writer->Char(')');
    }
  }
  if (p.physical_shape != nullptr) {
    annotations.Begin("P");
    writer->Char('(');
    writer->Text(p.physical_shape->ToString());
    writer->Char(')');
  }
  if (p.dynamic_shape_metadata_prefix_bytes > 0) {
    annotations.Int("M", p.dynamic_shape_metadata_prefix_bytes);
  }
  writer->Char('}');
}

bool operator==(const Layout& a, const Layout& b) {
  return Layout::Equal()(a, b);
}

Layout::Equal& Layout::Equal::IgnoreTiles() {
  ignore_tiles_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnoreTailPaddingAlignmentInElements() {
  ignore_tail_padding_alignment_in_elements_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnoreIndexPrimitiveType() {
  ignore_index_primitive_type_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnorePointerPrimitiveType() {
  ignore_pointer_primitive_type_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnoreElementSize() {
  ignore_element_size_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnoreMemorySpace() {
  ignore_memory_space_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnoreSplitConfigs() {
  ignore_split_configs_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnorePhysicalShape() {
  ignore_physical_shape_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::IgnoreDynamicShapeMetadataPrefix() {
  ignore_dynamic_shape_metadata_prefix_ = true;
  return *this;
}

Layout::Equal& Layout::Equal::MinorToMajorOnly() {
  return IgnoreTiles()
      .IgnoreTailPaddingAlignmentInElements()
      .IgnoreIndexPrimitiveType()
      .IgnorePointerPrimitiveType()
      .IgnoreElementSize()
      .IgnoreMemorySpace()
      .IgnoreSplitConfigs()
      .IgnorePhysicalShape()
      .IgnoreDynamicShapeMetadataPrefix();
}

bool Layout::Equal::operator()(const Layout& a, const Layout& b) const {
  const Parts& p = a.parts();
  const Parts& q = b.parts();
  return p.minor_to_major == q.minor_to_major &&
         (ignore_tiles_ || p.tiles == q.tiles) &&
         (ignore_tail_padding_alignment_in_elements_ ||
          p.tail_padding_alignment_in_elements ==
              q.tail_padding_alignment_in_elements) &&
         (ignore_index_primitive_type_ ||
          p.index_primitive_type == q.index_primitive_type) &&
         (ignore_pointer_primitive_type_ ||
          p.pointer_primitive_type == q.pointer_primitive_type) &&
         (ignore_element_size_ ||
          p.element_size_in_bits == q.element_size_in_bits) &&
         (ignore_memory_space_ || p.memory_space == q.memory_space) &&
         (ignore_split_configs_ || p.split_configs == q.split_configs) &&
         (ignore_physical_shape_ ||
          SamePhysicalShape(p.physical_shape.get(), q.physical_shape.get())) &&
         (ignore_dynamic_shape_metadata_prefix_ ||
          p.dynamic_shape_metadata_prefix_bytes ==
              q.dynamic_shape_metadata_prefix_bytes);
}

}  // namespace tessera

TESSERA_DEFINE_VALUE(tessera, Layout)
