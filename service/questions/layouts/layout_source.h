// Reads the layout of a question, of any family, within the limits of the
// service, and makes the map of its elements.
//
//   const ServiceOptions options;
//   absl::StatusOr<MappedLayout> layout =
//       ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
//   layout->map().LinearIndex({2, 3});   // 17
//   ToString(layout->layout());          // "f32[3,5]{1,0:T(2,2)}"

#ifndef TESSERA_SERVICE_QUESTIONS_LAYOUTS_LAYOUT_SOURCE_H_
#define TESSERA_SERVICE_QUESTIONS_LAYOUTS_LAYOUT_SOURCE_H_

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/layout_questions.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/parser/parse_options.h"
#include "tessera/service/service_options.h"
#include "tessera/shape/shape.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera {

// Reads a layout of any family. Shapes are read by the options `shape`, and may
// be tuples and have types in upper case; CuTe layouts may be expressions up to
// expression_bytes; tensors may break rules. `notes`, if it is not null, gets
// the notes about an expression. Errors: those of ParseAnyLayout, with their
// place; if the text is not a layout, an error that names its kind
// (RefusalOfLayout); kResourceExhausted for text_bytes, axes and, for tuples,
// index_entries.
absl::StatusOr<AnyLayout> ReadLayout(std::string_view text,
                                     const ServiceOptions& options,
                                     const ParseOptions& shape = {},
                                     std::vector<Diagnostic>* notes = nullptr);

// Sets the options for shapes of the device of that name:
// ParseOptions::tpu_layouts for "tpu" or one of its generations; "" for no
// device. Errors: kInvalidArgument for another name, in the field "target".
absl::Status SetLayoutTarget(std::string_view target, ParseOptions* shape);

// Reads a text as a tensor, whatever its beginning. Errors: as above.
absl::StatusOr<tenstorrent::VerifiedTensor> ReadTensor(
    std::string_view text, const ServiceOptions& options);

// A layout with the map of its elements.
class MappedLayout {
 public:
  // `text` is the text that the layout was read from. Errors: those of
  // ToIndexMap, with their place in it; of CheckUnit, in the field "units".
  static absl::StatusOr<MappedLayout> Create(std::string_view text,
                                             AnyLayout layout,
                                             PositionUnits units);

  const AnyLayout& layout() const { return layout_; }
  const IndexMap& map() const { return map_; }
  // Returns the unit of the map's positions.
  PositionUnit unit() const { return unit_; }
  // Null if the layout is not an XLA shape.
  const Shape* shape() const { return layout_.As<Shape>(); }

 private:
  MappedLayout(AnyLayout layout, PositionUnit unit, IndexMap map)
      : layout_(std::move(layout)), unit_(unit), map_(std::move(map)) {}

  AnyLayout layout_;
  PositionUnit unit_;
  IndexMap map_;
};

// Reads a layout for a target and makes its map. Errors: those of ReadLayout,
// of SetLayoutTarget and of MappedLayout::Create.
absl::StatusOr<MappedLayout> ReadMappedLayout(std::string_view text,
                                              PositionUnits units,
                                              const ServiceOptions& options,
                                              std::string_view target = "");

// Returns `status`, the reason why `layout`, read from `text`, does not have a
// map, with a place: the first `?` of a shape with an unbounded dimension, or
// else the beginning of the text.
absl::Status WithPlaceInLayout(std::string_view text, const AnyLayout& layout,
                               const absl::Status& status);

// Returns the number of indices of the map that `entries` coordinates form; 1
// if the rank is 0. Errors: kInvalidArgument if they do not make a whole number
// of indices; kResourceExhausted for index_entries.
absl::StatusOr<int64_t> CountIndices(const IndexMap& map, int64_t entries,
                                     const ServiceOptions& options);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_LAYOUTS_LAYOUT_SOURCE_H_
