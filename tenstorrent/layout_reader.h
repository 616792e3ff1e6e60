// File: tenstorrent/layout_reader.h
//
// Reads the attributes of tt-mlir's layouts, and the aliases before them.
//
//   LayoutReader reader(
//       "#l1_ = #tt.memory_space<l1>\n"
//       "#tt.metal_layout<(d0) -> (d0), undef, <2>, memref<4xf32, #l1_>>");
//   Attribute attribute;
//   MetalLayout layout;
//   const char* begin;
//   reader.ReadAliases();                                       // true
//   reader.ReadSubject("a layout", &attribute, &begin);         // true
//   reader.TakeValue("a layout", begin, attribute, &layout);    // true
//   reader.ReadEnd();                                           // true
//
// Private to tenstorrent/: the grammar behind metal_layout_parser.h,
// aligned_layout_parser.h and ttnn_layout_parser.h. An attribute is read into
// an Attribute, which shares its value, so that an alias of an alias costs
// nothing however large the value is. Where few bytes of text stand for many in
// memory, as the alias of a large map does or map(1024), a budget ends what
// would multiply in a long text.

#ifndef TESSERA_TENSTORRENT_LAYOUT_READER_H_
#define TESSERA_TENSTORRENT_LAYOUT_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/variant.h"
#include "tessera/tenstorrent/affine_map.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/attribute_reader.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/ttnn_layout.h"
#include "tessera/text/mlir_cursor.h"

namespace tessera {
namespace tenstorrent {

// #tt.grid<2x4>
struct Grid {
  Dimensions sizes;
  // Whether there are maps to cores behind them, which are not kept.
  bool has_maps = false;
};

// #ttnn.shape<32x128>
struct ShapeAttribute {
  Dimensions sizes;
};

// #ttcore.tensor_mesh<"mesh">
struct TensorMesh {
  std::string name;
};

// One that layouts have no use for, such as the description of a device.
struct OtherAttribute {};

template <typename Value>
using Shared = std::shared_ptr<const Value>;

// An attribute that an alias can stand for.
using Attribute =
    absl::variant<Shared<AffineMap>, Shared<Grid>, Shared<MemorySpace>,
                  Shared<MetalLayout>, Shared<AlignedLayout>,
                  Shared<BufferType>, Shared<TensorMemoryLayout>,
                  Shared<TensorMesh>, Shared<CoreRange>, Shared<CoreRanges>,
                  Shared<ShapeAttribute>, Shared<ShardOrientation>,
                  Shared<ShardMode>, Shared<ShardSpec>, Shared<MemoryConfig>,
                  Shared<TtnnLayout>, Shared<OtherAttribute>>;

class LayoutReader : public AttributeReader {
 public:
  using AttributeReader::AttributeReader;

  // Reads alias lines up to what is none.
  bool ReadAliases();

  // Reads the attribute that the text is about: the one that comes next or, at
  // the end of the text, that of the last alias. `*begin` is where it stands.
  // `what` is expected, for errors.
  bool ReadSubject(absl::string_view what, Attribute* attribute,
                   const char** begin);

  // Reads any attribute, written out or an alias.
  bool ReadAttribute(absl::string_view what, Attribute* attribute);

  // Reads a tensor up to the '>'.
  bool ReadTensor(absl::string_view what, Dimensions* shape,
                  ElementType* element, Attribute* attribute,
                  const char** begin);

  // The value, if the attribute at `begin` is a `Value`.
  template <typename Value>
  bool TakeValue(absl::string_view what, const char* begin,
                 const Attribute& attribute, Value* value) {
    const auto* const shared = absl::get_if<Shared<Value>>(&attribute);
    if (shared == nullptr) return FailKind(what, begin, attribute);
    *value = **shared;
    return true;
  }

  // Fails because the attribute at `begin` is not what is expected.
  bool FailKind(absl::string_view what, const char* begin,
                const Attribute& attribute);

  bool ReadEnd();

 private:
  template <typename Value>
  using BodyReader = bool (LayoutReader::*)(Value*);

  // The position in Attribute of what has this name, or a larger number.
  static size_t KindNamed(absl::string_view name);
  template <typename Value>
  static size_t KindOf() {
    return Attribute(Shared<Value>()).index();
  }

  // Reads what stands behind the '=' of an alias.
  bool ReadAliasValue(Attribute* attribute);

  // The attribute of `alias`, "#layout", a part of the text; null after an
  // error.
  const Attribute* FindAlias(absl::string_view alias);
  // The attribute that comes next if that is an alias, or null.
  const Attribute* PeekAlias();

  // Reads an attribute that is a `Value`, or its alias. The body of another
  // kind is not read, so that attributes do not nest at will.
  template <typename Value>
  bool ReadPart(absl::string_view what, BodyReader<Value> read_body,
                Value* value) {
    const MlirCursor before = cursor();
    const char* const begin = position();
    const absl::string_view name = cursor().TakePrefixedIdentifier('#');
    if (KindNamed(name) == KindOf<Value>()) return (this->*read_body)(value);
    if (name.empty() || absl::StrContains(name, '.')) {
      cursor() = before;
      return FailExpected(what);
    }
    const Attribute* const attribute = FindAlias(name);
    return attribute != nullptr && Spend(*attribute) &&
           TakeValue(what, begin, *attribute, value);
  }
  // The same where the name of the attribute may be left out.
  template <typename Value>
  bool ReadPartOrBody(absl::string_view what, BodyReader<Value> read_body,
                      Value* value) {
    if (MlirCursor(cursor()).Take('<')) return (this->*read_body)(value);
    return ReadPart(what, read_body, value);
  }
  template <typename Value>
  bool ReadShared(BodyReader<Value> read_body, Attribute* attribute) {
    Value value;
    if (!(this->*read_body)(&value)) return false;
    *attribute = std::make_shared<const Value>(std::move(value));
    return true;
  }

  // Account for numbers that are stored without being written out.
  bool Spend(const Attribute& attribute);
  bool Spend(int64_t size);

  // With the '<' and the '>'.
  bool ReadGridBody(Grid* grid);
  bool ReadMemorySpaceBody(MemorySpace* space);
  bool ReadMetalLayoutBody(MetalLayout* layout);
  bool ReadAlignedLayoutBody(AlignedLayout* layout);
  bool ReadBufferTypeBody(BufferType* type);
  bool ReadTensorMemoryLayoutBody(TensorMemoryLayout* layout);
  bool ReadTensorMeshBody(TensorMesh* mesh);
  bool ReadCoreRangeBody(CoreRange* range);
  bool ReadCoreRangesBody(CoreRanges* ranges);
  bool ReadShapeBody(ShapeAttribute* shape);
  bool ReadShardOrientationBody(ShardOrientation* orientation);
  bool ReadShardModeBody(ShardMode* mode);
  bool ReadShardSpecBody(ShardSpec* spec);
  bool ReadMemoryConfigBody(MemoryConfig* config);
  bool ReadTtnnLayoutBody(TtnnLayout* layout);

  template <typename Enum, size_t n>
  bool ReadKeywordBody(absl::string_view what, const Enum (&values)[n],
                       Enum* value) {
    return Expect('<') && ReadKeyword(what, values, value) && Expect('>');
  }

  bool AtAlignedLayoutBody();
  bool ReadIntervals(AlignedLayout::Intervals* intervals);
  // Reads "tensor<2x2xi64>".
  bool ReadIntervalsType(int64_t* size);
  // Reads "[0, 2]".
  bool ReadInterval(AlignedLayout::Interval* interval);
  bool ReadIndexMap(AffineMap* map);

  bool ReadMap(AffineMap* map);
  bool ReadGrid(Grid* grid);
  bool ReadMemRef(MemRef* memref);
  // Reads the ',' after the element type and, if there is one, the memref's own
  // map with its ','. `what` is expected then.
  bool ReadMemRefMap(absl::string_view what, size_t rank);

  bool ReadTtnnMemRef(TtnnMemRef* memref);
  // Reads what stands behind the ',' after a memref.
  bool ReadTtnnProperty(TtnnLayout* layout, absl::optional<bool>* exact_grid,
                        absl::optional<bool>* ignore_physical_layout);
  bool ReadBool(bool* value);
  bool ReadTensorMemoryLayout(absl::optional<TensorMemoryLayout>* layout);
  bool ReadCoreRanges(CoreRanges* ranges);
  bool ReadShape(Dimensions* sizes);
  // Reads "(0,7)".
  bool ReadCore(CoreCoordinate* core);
  bool AtShardSpec();

  absl::flat_hash_map<absl::string_view, Attribute> aliases_;
  absl::string_view last_alias_;
  const char* last_value_ = nullptr;
  int64_t num_spent_ = 0;
};

// Reads a text that is one attribute, a `Layout`.
template <typename Layout>
absl::StatusOr<Layout> ParseAttributeText(absl::string_view text,
                                          absl::string_view what) {
  LayoutReader reader(text);
  Attribute attribute;
  const char* begin;
  Layout layout;
  if (!reader.ReadAliases() || !reader.ReadSubject(what, &attribute, &begin) ||
      !reader.TakeValue(what, begin, attribute, &layout) || !reader.ReadEnd()) {
    return reader.status();
  }
  return layout;
}

// Reads a text that is one tensor with such an attribute.
template <typename Tensor>
absl::StatusOr<Tensor> ParseTensorText(absl::string_view text,
                                       absl::string_view what) {
  LayoutReader reader(text);
  Tensor tensor;
  Attribute attribute;
  const char* begin;
  if (!reader.ReadAliases() ||
      !reader.ReadTensor(what, &tensor.shape, &tensor.element, &attribute,
                         &begin) ||
      !reader.TakeValue(what, begin, attribute, &tensor.layout) ||
      !reader.Expect('>') || !reader.ReadEnd()) {
    return reader.status();
  }
  return tensor;
}

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_LAYOUT_READER_H_
