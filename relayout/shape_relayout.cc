#include "tessera/relayout/shape_relayout.h"

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"

namespace tessera {

absl::Status CheckRelayout(const Shape& from, const Shape& to,
                           const RelayoutOptions& options) {
  const auto both = [&](std::string_view what) {
    return StrCat(from.ToString(), " and ", to.ToString(), what);
  };
  if (from.element_type() != to.element_type()) {
    return absl::InvalidArgumentError(both(" are of different element types"));
  }
  const bool is_whole = options.to_dimensions.empty() && !options.has_box();
  if (is_whole && from.dimensions() != to.dimensions()) {
    return absl::InvalidArgumentError(both(" have different bounds"));
  }
  const int64_t from_bits = StorageBits(from), to_bits = StorageBits(to);
  if (from_bits != to_bits) {
    return UnimplementedError(both(" store elements in different sizes, "),
                              from_bits, " and ", to_bits, " bits");
  }
  for (const Shape* shape : {&from, &to}) {
    if (!shape->has_layout()) {
      return FailedPreconditionError(shape->ToString(), " has no layout");
    }
    if (shape->layout().dynamic_shape_metadata_prefix_bytes() != 0) {
      return UnimplementedError(shape->ToString(),
                                " has a metadata prefix, which is not moved");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RelayoutPlan> PlanRelayout(const Shape& from, const Shape& to,
                                          const RelayoutOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap from_map, ToIndexMap(from));
  TESSERA_ASSIGN_OR_RETURN(const IndexMap to_map, ToIndexMap(to));
  TESSERA_RETURN_IF_ERROR(CheckRelayout(from, to, options));
  return RelayoutPlan::Create(from_map, to_map, StorageBits(from), options);
}

}  // namespace tessera
