#include "tessera/cli/relayout_array.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/cli/argument_error.h"
#include "tessera/cli/layout_argument.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"
#include "tessera/cli/tt_tensor.h"
#include "tessera/convert/xla_tenstorrent.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/relayout/shape_relayout.h"
#include "tessera/tenstorrent/to_index_map.h"

namespace tessera {
namespace {

absl::StatusOr<RelayoutArray> ArrayOf(
    const tenstorrent::VerifiedTensor& tensor) {
  const tenstorrent::Placement& placement = *tensor.verification.placement;
  // Elements that can be moved are of a type that XLA has too.
  if (const absl::Status status = StorageBits(placement).status();
      !status.ok()) {
    return status;
  }
  const tenstorrent::Geometry& geometry = placement.geometry();
  Layout::MinorToMajor order;
  for (size_t i = geometry.shape.size(); i-- > 0;) {
    order.push_back(static_cast<int64_t>(i));
  }
  RelayoutArray array;
  array.shape = Shape::Array(
      *XlaTypeOf(geometry.element.data_type),
      Shape::Dimensions(geometry.shape.begin(), geometry.shape.end()),
      Layout(std::move(order)));
  array.text = ToString(tensor.text);
  array.map = placement.map();
  return array;
}

absl::optional<RelayoutArray> ReadTensor(const std::string& text,
                                         Console* console) {
  const absl::optional<tenstorrent::VerifiedTensor> tensor =
      ReadTtTensorArgument(text, console);
  if (!tensor.has_value()) return absl::nullopt;
  absl::StatusOr<RelayoutArray> array = ArrayOf(*tensor);
  if (!array.ok()) {
    PrintError({kArgumentName}, WithPlace(text, array.status()), console);
    return absl::nullopt;
  }
  for (const tenstorrent::Finding& warning :
       LocationWarnings(tensor->verification)) {
    PrintNote({kArgumentName}, FindingText(warning), console);
  }
  return *std::move(array);
}

}  // namespace

absl::StatusOr<RelayoutArray> RelayoutArrayOf(const Shape& shape) {
  absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  if (!map.ok()) return map.status();
  return RelayoutArray{shape, shape.ToString(), *std::move(map)};
}

absl::optional<RelayoutArray> ReadRelayoutArray(const std::string& text,
                                                const ParseOptions& options,
                                                Console* console) {
  if (FamilyOf(text) == LayoutFamily::kTenstorrent) {
    return ReadTensor(text, console);
  }
  const absl::optional<MappedLayout> array = ReadLayoutArgument(
      text, {"layout", options.lenient}, OutputFormat::kText, console);
  if (!array.has_value()) return absl::nullopt;
  if (array->shape() == nullptr) {
    PrintArgumentError(
        text,
        absl::InvalidArgumentError(
            "this is a CuTe layout, and a relayout moves XLA arrays and "
            "Tenstorrent tensors; 'tessera compare' tells what it would cost"),
        console);
    return absl::nullopt;
  }
  return RelayoutArray{*array->shape(), array->shape()->ToString(),
                       array->map()};
}

absl::StatusOr<RelayoutPlan> PlanRelayout(const RelayoutArray& from,
                                          const RelayoutArray& to,
                                          const RelayoutOptions& options) {
  if (absl::Status status = CheckRelayout(from.shape, to.shape, options);
      !status.ok()) {
    return status;
  }
  return RelayoutPlan::Create(from.map, to.map, StorageBits(from.shape),
                              options);
}

}  // namespace tessera
