// One value for a layout of any family: an XLA shape, a CuTe layout, a
// Tenstorrent tensor or a strided array.
//
//   const absl::StatusOr<AnyLayout> layout =
//       ParseAnyLayout("F32[3,5]{1,0:T(2,2)}");
//   ToString(*layout);                          // "f32[3,5]{1,0:T(2,2)}"
//   ToIndexMap(*layout)->LinearIndex({2, 3});   // 17
//   ToIndexMap(*layout, PositionUnit::kBytes)->LinearIndex({2, 3});   // 68
//   TileExtents(*layout);                       // {{2, 2}}
//   ElementBits(*ParseAnyLayout("gmem_ptr[16b](0x1000) o (8,64):(64,1)"));
//                                               // 16
//
// FamilyOf (any_layout/layout_family.h) determines the family from the start of
// the text. For features of a single family, take its alternative of the
// variant.

#ifndef TESSERA_ANY_LAYOUT_ANY_LAYOUT_H_
#define TESSERA_ANY_LAYOUT_ANY_LAYOUT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_kind.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parse_options.h"
#include "tessera/shape/shape.h"
#include "tessera/strided/strided_array.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/verification.h"

namespace tessera {

// A layout of CuTe, with the size of its elements if the text has it.
struct CuteLayout {
  CuteLayout() = default;
  // Not explicit: either form can be passed where a layout is expected.
  CuteLayout(cute::Layout layout)  // NOLINT
      : form(std::move(layout)) {}
  CuteLayout(cute::ComposedLayout layout)  // NOLINT
      : form(std::move(layout)) {}

  std::variant<cute::Layout, cute::ComposedLayout> form;
  // The bits of an element, as in smem_ptr[16b](...) and half_t; 0 if the text
  // does not have them.
  int64_t element_bits = 0;
};

// A layout of one of the families. A shape that is a tuple, and a tensor that
// breaks rules, do not have an IndexMap.
class AnyLayout {
 public:
  explicit AnyLayout(Shape shape) : form_(std::move(shape)) {}
  explicit AnyLayout(CuteLayout layout) : form_(std::move(layout)) {}
  explicit AnyLayout(tenstorrent::VerifiedTensor tensor)
      : form_(std::move(tensor)) {}
  explicit AnyLayout(StridedArray array) : form_(std::move(array)) {}

  LayoutFamily family() const { return kLayoutFamilies[form_.index()]; }

  // Returns the layout as a Shape, a CuteLayout, a VerifiedTensor or a
  // StridedArray, or nullptr if it is of another family.
  template <typename Form>
  const Form* As() const {
    return std::get_if<Form>(&form_);
  }

  // Calls `visit` with the layout as one of these four; returns its result.
  template <typename Visitor>
  auto Visit(Visitor&& visit) const {
    return std::visit(std::forward<Visitor>(visit), form_);
  }

 private:
  // The alternatives are in the order of kLayoutFamilies.
  std::variant<Shape, CuteLayout, tenstorrent::VerifiedTensor, StridedArray>
      form_;
};

// Returns the layout itself, or the inner layout of a composed layout.
const cute::Layout& InnerLayout(const CuteLayout& layout);

struct AnyLayoutOptions {
  // The parse options for shapes that people type: these may have upper-case
  // type names.
  AnyLayoutOptions() { shape.upper_case_types = true; }

  ParseOptions shape;  // of XLA
  // Whether a CuTe text may also call functions and bind names
  // (cute/calculator/calculator.h). Its value is a layout.
  bool cute_expressions = false;
  tenstorrent::VerificationOptions verification;
  // If set, is called after the text is read and before any work that grows
  // with the number of axes. Its error is returned. Axes are the dimensions of
  // an array plus the entries of its tiles (for a tuple, those of the leaf with
  // the most); the leaves of a CuTe layout; the dimensions and results of a
  // Tenstorrent tensor's map; the dimensions of a strided array.
  std::function<absl::Status(int64_t axes)> check_axes;
};

// Reads a layout of the family that FamilyOf returns, or of the given family.
// `notes`, if not null, receives the calculator's notes.
//
// Errors: those of the family's reader (ParseShape, cute::ParseLayout,
// cute::ParseComposedLayout or cute::Calculator, tenstorrent::ReadTensorText,
// ParseStridedArray); those of check_axes; kInvalidArgument if the value of an
// expression is not a layout. A tensor that breaks rules is not an error here.
absl::StatusOr<AnyLayout> ParseAnyLayout(
    std::string_view text, const AnyLayoutOptions& options = {},
    std::vector<Diagnostic>* notes = nullptr);
absl::StatusOr<AnyLayout> ParseAnyLayout(
    std::string_view text, LayoutFamily family,
    const AnyLayoutOptions& options = {},
    std::vector<Diagnostic>* notes = nullptr);

// Returns the canonical text, which reads as the same layout. For a CuTe
// layout, the text does not have the size of an element.
std::string ToString(const AnyLayout& layout);

// Checks the layout by the rules of its family. Parsing does this for all
// families but Tenstorrent's, whose tensors may break rules; a layout made in
// code may break any rule. Errors: those of ValidateShape and
// ValidateStridedArray; for a tensor kFailedPrecondition, with the first broken
// rule.
absl::Status Validate(const AnyLayout& layout);

// Checks that positions of such a layout can be counted in `unit`. Errors:
// kInvalidArgument for bytes and bits of a CuTe layout whose text does not have
// the size of an element.
absl::Status CheckUnit(const AnyLayout& layout, PositionUnit unit);

// Returns the map from the index of an element to its position. Errors: those
// of CheckUnit; those of ToIndexMap of the family; kFailedPrecondition for a
// tensor that breaks a rule.
absl::StatusOr<IndexMap> ToIndexMap(
    const AnyLayout& layout, PositionUnit unit = PositionUnit::kElements);

// The positions of whole elements: the element at position p of `map` takes
// `size` positions from PositionOf(p) on. ToIndexMap(layout, unit) maps only an
// element's first byte or bit; the rest are gaps.
struct ElementPositions {
  int64_t PositionOf(int64_t position) const { return begin + position * size; }

  IndexMap map;
  int64_t begin = 0;  // of position 0: after a metadata prefix
  int64_t size = 1;
};

// Returns the places of whole elements, in positions of `unit`. Errors: those
// of ToIndexMap(layout, unit).
absl::StatusOr<ElementPositions> ToElementPositions(const AnyLayout& layout,
                                                    PositionUnit unit);

// Returns a finer kind for `position`, given the `kind` that ToIndexMap(layout,
// unit) returns there. The result is `kind`, except for a tensor, which
// distinguishes tile padding from grid padding. Precondition: that map exists
// and has the position.
PositionKind RefineKind(const AnyLayout& layout, PositionUnit unit,
                        int64_t position, PositionKind kind);

// Returns the tiles of the layout, outermost first, each as its extent along
// every dimension of the map; nullopt if no tile is a box, or if ToIndexMap
// refuses the layout.
std::optional<std::vector<std::vector<int64_t>>> TileExtents(
    const AnyLayout& layout);

// Returns the bits of memory of an element; nullopt if the text does not have
// them, if the layout is not of an array, and for a tensor that breaks a rule.
std::optional<int64_t> ElementBits(const AnyLayout& layout);

// Returns the ways in which the buffer of `from` can be read as `to`, where
// each is an XLA array or a strided array:
//
//   FindBitcasts(*ParseAnyLayout("int64[2,2] strides (8, 16) bytes"),
//                *ParseAnyLayout("s64[2,2]{0,1}"));   // as a reshape
//
// Returns nullopt for other layouts: a CuTe layout does not have an element
// size, and a Tenstorrent tensor lies in the memories of several cores. Between
// families the default memory spaces count as equal, and `steps` are not
// searched.
//
// Precondition: ToIndexMap accepts both layouts. Errors: those of FindBitcasts
// (index_util/bitcast.h).
absl::StatusOr<std::optional<Bitcasts>> FindBitcasts(
    const AnyLayout& from, const AnyLayout& to,
    const BitcastOptions& options = {});

// Returns the XLA array of the same elements: an XLA shape itself, and for
// other families the row-major array of the same type and bounds, with elements
// of ElementBits. A layout without a type, such as CuTe's, gets `type`.
//
// Errors: those of ToIndexMap; kInvalidArgument if neither the layout nor the
// caller gives a type; kUnimplemented if XLA does not have such elements.
absl::StatusOr<Shape> ToArrayShape(
    const AnyLayout& layout, std::optional<PrimitiveType> type = std::nullopt);

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_ANY_LAYOUT_H_
