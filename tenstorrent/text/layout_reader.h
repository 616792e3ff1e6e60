// Reads attributes of tt-mlir's layouts, and the aliases before them. The
// caller lists the attributes; form_attributes.h has those of each form.
//
//   const absl::Span<const AttributeName> forms[] = {MetalAttributes()};
//   LayoutReader reader(
//       "#l1_ = #tt.memory_space<l1>\n"
//       "#tt.metal_layout<(d0) -> (d0), undef, <2>, memref<4xf32, #l1_>>",
//       forms);
//   Attribute attribute;
//   MetalLayout layout;
//   const char* begin;
//   reader.ReadAliases();                                       // true
//   reader.ReadSubject("a layout", &attribute, &begin);         // true
//   reader.TakeValue("a layout", begin, attribute, kMetalLayoutKind, &layout);
//   reader.ReadEnd();                                           // true
//
// An attribute is read into an Attribute, which shares its value, so that an
// alias of an alias costs nothing however large the value is. A few bytes of
// text may need much memory, such as the alias of a large map, or map(1024). A
// budget limits this for long texts.

#ifndef TESSERA_TENSTORRENT_TEXT_LAYOUT_READER_H_
#define TESSERA_TENSTORRENT_TEXT_LAYOUT_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_cursor.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/text/attribute_reader.h"

namespace tessera::tenstorrent {

class LayoutReader;

// A kind of value that an alias can name; there is one for each type.
class AttributeKind {
 public:
  // "a memory space", for errors.
  constexpr std::string_view description() const { return description_; }

  // Reads the text after the name, with the '<' and the '>'.
  virtual bool Read(LayoutReader* reader,
                    std::shared_ptr<const void>* value) const = 0;
  // Returns the number of numbers in a copy, if that is more than the text of
  // its alias.
  virtual int64_t SizeOf(const void* value) const = 0;

 protected:
  constexpr explicit AttributeKind(std::string_view description)
      : description_(description) {}
  ~AttributeKind() = default;

 private:
  std::string_view description_;
};

template <typename Value>
class KindOf final : public AttributeKind {
 public:
  using ReadBodyFunction = bool (*)(LayoutReader* reader, Value* value);
  using SizeFunction = int64_t (*)(const Value& value);

  constexpr KindOf(std::string_view description, ReadBodyFunction read_body,
                   SizeFunction size = nullptr)
      : AttributeKind(description), read_body_(read_body), size_(size) {}

  bool ReadBody(LayoutReader* reader, Value* value) const {
    return read_body_(reader, value);
  }
  bool Read(LayoutReader* reader,
            std::shared_ptr<const void>* value) const override {
    Value read;
    if (!read_body_(reader, &read)) return false;
    *value = std::make_shared<const Value>(std::move(read));
    return true;
  }
  int64_t SizeOf(const void* value) const override {
    return size_ == nullptr ? 0 : size_(*static_cast<const Value*>(value));
  }

 private:
  ReadBodyFunction read_body_;
  SizeFunction size_;
};

struct Attribute {
  const AttributeKind* kind = nullptr;
  std::shared_ptr<const void> value;

  // Returns the value, or null if it is of another kind.
  template <typename Value>
  const Value* As(const KindOf<Value>& wanted) const {
    return kind == &wanted ? static_cast<const Value*>(value.get()) : nullptr;
  }
};

struct AttributeName {
  std::string_view name;  // "#tt.memory_space"
  const AttributeKind* kind;
  // If not empty, the name is of that kind only if the body begins with this
  // keyword.
  std::string_view first_keyword = "";
};

// #tt.grid<2x4>
struct Grid {
  Dimensions sizes;
  // Whether maps to cores follow the sizes; they are not kept.
  bool has_maps = false;
};

extern const KindOf<AffineMap> kAffineMapKind;
extern const KindOf<Grid> kGridKind;

class LayoutReader : public AttributeReader {
 public:
  // For errors.
  static constexpr std::string_view kMapExpected =
      "an affine map such as (d0, d1) -> (d0, d1)";

  // If a name is listed twice, the first entry that fits counts. `text` and
  // `names` must outlive the reader.
  LayoutReader(std::string_view text,
               absl::Span<const absl::Span<const AttributeName>> names)
      : AttributeReader(text), names_(names) {}

  // Reads all alias lines that come next.
  bool ReadAliases();

  // Reads the main attribute of the text: the next attribute or, at the end of
  // the text, that of the last alias. Sets `*begin` to its place. `what` names
  // the expected attribute in errors.
  bool ReadSubject(std::string_view what, Attribute* attribute,
                   const char** begin);

  // Reads any attribute, written out or an alias.
  bool ReadAttribute(std::string_view what, Attribute* attribute);

  // Reads a tensor up to the '>'.
  bool ReadTensor(std::string_view what, Dimensions* shape,
                  ElementType* element, Attribute* attribute,
                  const char** begin);

  // Sets the value, if the attribute at `begin` is of that kind.
  template <typename Value>
  bool TakeValue(std::string_view what, const char* begin,
                 const Attribute& attribute, const KindOf<Value>& kind,
                 Value* value) {
    const Value* const found = attribute.As(kind);
    if (found == nullptr) return FailKind(what, begin, attribute);
    *value = *found;
    return true;
  }

  // Fails because the attribute at `begin` is not the expected one.
  bool FailKind(std::string_view what, const char* begin,
                const Attribute& attribute);

  bool ReadEnd();

  // -- For the readers of bodies ----------------------------------------------

  // Reads an attribute of that kind, or its alias. The body of another kind is
  // not read, which limits the nesting of attributes.
  template <typename Value>
  bool ReadPart(std::string_view what, const KindOf<Value>& kind,
                Value* value) {
    const MlirCursor before = cursor();
    const char* const begin = position();
    const std::string_view name = cursor().TakePrefixedIdentifier('#');
    if (KindNamed(name) == &kind) return kind.ReadBody(this, value);
    if (name.empty() || StrContains(name, '.')) {
      cursor() = before;
      return FailExpected(what);
    }
    const Attribute* const attribute = FindAlias(name);
    return attribute != nullptr && Spend(*attribute) &&
           TakeValue(what, begin, *attribute, kind, value);
  }
  // Like the function above, but the name of the attribute may be omitted.
  template <typename Value>
  bool ReadPartOrBody(std::string_view what, const KindOf<Value>& kind,
                      Value* value) {
    if (MlirCursor(cursor()).Take('<')) return kind.ReadBody(this, value);
    return ReadPart(what, kind, value);
  }

  template <typename Enum, size_t n>
  bool ReadKeywordBody(std::string_view what, const Enum (&values)[n],
                       Enum* value) {
    return Expect('<') && ReadKeyword(what, values, value) && Expect('>');
  }

  // Returns whether an attribute of that kind, or its alias, comes next.
  bool At(const AttributeKind& kind);

  // Reads an affine map, written out or an alias.
  bool ReadMap(AffineMap* map);
  bool ReadGrid(Grid* grid);
  // Reads the ',' after the element type of a memref and, if there is one, its
  // own map with the ','. `what` is the expected token after it.
  bool ReadMemRefMap(std::string_view what, size_t rank);

  // Accounts for numbers that are stored without being written out.
  bool Spend(int64_t size);
  bool Spend(const AffineMap& map);

 private:
  // Returns the kind with this name, which was just read, or null.
  const AttributeKind* KindNamed(std::string_view name);

  // Reads the value after the '=' of an alias.
  bool ReadAliasValue(Attribute* attribute);

  // Returns the attribute of `alias`, such as "#layout", a part of the text;
  // null after an error.
  const Attribute* FindAlias(std::string_view alias);
  // Returns the next attribute if it is an alias, or null.
  const Attribute* PeekAlias();

  bool Spend(const Attribute& attribute);

  absl::Span<const absl::Span<const AttributeName>> names_;
  TextMap<std::string_view, Attribute> aliases_;
  std::string_view last_alias_;
  const char* last_value_ = nullptr;
  int64_t num_spent_ = 0;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_TEXT_LAYOUT_READER_H_
