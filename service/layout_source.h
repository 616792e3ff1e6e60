// File: service/layout_source.h
//
// The layout that a question is about, of whichever family, and the map of
// where its elements lie.
//
//   const ServiceOptions options;
//   FamilyOf("(8,4):(1,8)");                          // LayoutFamily::kCute
//   absl::StatusOr<MappedLayout> layout =
//       ReadMappedLayout("f32[3,5]{1,0:T(2,2)}", ELEMENTS, options);
//   layout->map().LinearIndex({2, 3});                // 17
//   CanonicalText(layout->source());                  // "f32[3,5]{1,0:T(2,2)}"

#ifndef TESSERA_SERVICE_LAYOUT_SOURCE_H_
#define TESSERA_SERVICE_LAYOUT_SOURCE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "proto/layout_service.pb.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/index_map/index_map.h"
#include "tessera/service/service_options.h"
#include "tessera/shape/shape.h"
#include "tessera/tensor_layout/placement.h"
#include "tessera/tensor_layout/verified_tensor.h"

namespace tessera {

enum class LayoutFamily : uint8_t { kXla, kCute, kTensor };

// Tells from how the text begins: a name and '[', a name and '(' (a buffer), or
// such behind opening parentheses, is XLA's, and so are "()" and '{'; "tensor"
// and '#' are Tenstorrent's; all else is CuTe's.
LayoutFamily FamilyOf(absl::string_view text);

using CuteSource = absl::variant<cute::Layout, cute::ComposedLayout>;
using LayoutSource =
    absl::variant<Shape, CuteSource, tensor_layout::VerifiedTensor>;

// The layout itself, or the inner one of a composed layout.
const cute::Layout& InnerLayout(const CuteSource& source);

// Reads a layout of any family. Shapes may be tuples and have their types in
// upper case, and tensors break rules.
// Errors: those of the family's reader, with their place; kResourceExhausted
// for text_bytes, axes and, of tuples, index_entries.
absl::StatusOr<LayoutSource> ReadLayoutSource(absl::string_view text,
                                              const ServiceOptions& options);

// The parts of it, for one family at a time. Errors: as above.
absl::StatusOr<Shape> ReadShape(absl::string_view text,
                                const ServiceOptions& options);
absl::StatusOr<CuteSource> ReadCuteSource(absl::string_view text,
                                          const ServiceOptions& options);
absl::StatusOr<tensor_layout::VerifiedTensor> ReadTensor(
    absl::string_view text, const ServiceOptions& options);

std::string CanonicalText(const LayoutSource& source);

// A layout with the map of its elements.
class MappedLayout {
 public:
  // Errors: those of ToIndexMap of the family; kFailedPrecondition for a tensor
  // that breaks a rule; kInvalidArgument, in the field "units", for units other
  // than elements of anything but an XLA array.
  static absl::StatusOr<MappedLayout> Create(LayoutSource source,
                                             PositionUnits units);

  const LayoutSource& source() const { return source_; }
  const IndexMap& map() const { return map_; }
  // Null if it is no array of XLA's, no tensor.
  const Shape* shape() const { return absl::get_if<Shape>(&source_); }
  const tensor_layout::Placement* placement() const;

 private:
  MappedLayout(LayoutSource source, IndexMap map)
      : source_(std::move(source)), map_(std::move(map)) {}

  LayoutSource source_;
  IndexMap map_;
};

// Reads and maps it. Errors: as both.
absl::StatusOr<MappedLayout> ReadMappedLayout(absl::string_view text,
                                              PositionUnits units,
                                              const ServiceOptions& options);

// Returns how many indices of the map `entries` coordinates are, which of rank
// 0 is one. Errors: kInvalidArgument if they are no whole number;
// kResourceExhausted for index_entries.
absl::StatusOr<int64_t> CountIndices(const IndexMap& map, int64_t entries,
                                     const ServiceOptions& options);

}  // namespace tessera

#endif  // TESSERA_SERVICE_LAYOUT_SOURCE_H_
