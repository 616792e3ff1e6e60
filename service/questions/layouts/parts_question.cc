#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/xla_data.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/tenstorrent/tensor_questions.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_proto.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera {
namespace {

// The nesting that Protocol Buffers can read, without this message and its
// parents.
constexpr int64_t kDeepest = 90;

// -- XLA ---------------------------------------------------------------------

// JavaScript does not have INT64_MIN, XLA's value for `*`; -1 is read in the
// same way.
void ShortenStars(ShapeProto* shape) {
  for (xla_data_proto::TileProto& tile :
       *shape->mutable_layout()->mutable_tiles()) {
    for (int64_t& entry : *tile.mutable_dimensions()) {
      if (entry < 0) entry = -1;
    }
  }
}

void FillParts(const Shape& shape, PartsResult* result) {
  // The only parts of tuples are their arrays, which have their own texts.
  if (!shape.IsArray()) return;
  ShapeToProto(shape, result->mutable_xla());
  if (result->xla().has_layout()) ShortenStars(result->mutable_xla());
}

absl::StatusOr<std::string> TextOf(const ShapeProto& parts) {
  const absl::StatusOr<Shape> shape = ShapeFromProto(parts);
  if (!shape.ok()) return InField("xla", shape.status());
  return shape->ToString();
}

// -- CuTe --------------------------------------------------------------------

void FillTuple(const cute::IntTuple& tuple, IntTupleParts* parts) {
  if (tuple.is_integer()) {
    parts->set_value(tuple.value());
    return;
  }
  for (const cute::IntTuple& mode : tuple.Modes()) {
    FillTuple(mode, parts->add_modes());
  }
}

void FillParts(const CuteLayout& form, PartsResult* result) {
  const cute::Layout& layout = InnerLayout(form);
  if (layout.has_basis() || layout.depth() > kDeepest) return;
  const auto* composed = std::get_if<cute::ComposedLayout>(&form.form);
  if (composed != nullptr) {
    const auto* swizzle = std::get_if<cute::Swizzle>(&composed->outer());
    if (swizzle == nullptr) return;
    SwizzleParts& parts = *result->mutable_cute()->mutable_swizzle();
    parts.set_bits(swizzle->bits());
    parts.set_base(swizzle->base());
    parts.set_shift(swizzle->shift());
    result->mutable_cute()->set_offset(composed->offset());
  }
  FillTuple(layout.shape(), result->mutable_cute()->mutable_shape());
  FillTuple(layout.stride(), result->mutable_cute()->mutable_stride());
}

// Counts the leaves, to keep them below the limit on axes.
absl::StatusOr<cute::IntTuple> TupleOf(const IntTupleParts& parts,
                                       int64_t depth,
                                       const ServiceOptions& options,
                                       int64_t* leaves) {
  if (depth > kDeepest) {
    return ResourceExhaustedError("tuples are nested deeper than ", kDeepest);
  }
  if (parts.has_value() != parts.modes().empty()) {
    return absl::InvalidArgumentError(
        parts.has_value() ? "an integer has no modes"
                          : "neither a value nor modes are given");
  }
  if (parts.has_value()) {
    TESSERA_RETURN_IF_ERROR(CheckAxes(options, ++*leaves));
    return cute::IntTuple(parts.value());
  }
  std::vector<cute::IntTuple> modes;
  for (const IntTupleParts& mode : parts.modes()) {
    TESSERA_ASSIGN_OR_RETURN(cute::IntTuple tuple,
                             TupleOf(mode, depth + 1, options, leaves));
    modes.push_back(std::move(tuple));
  }
  return cute::IntTuple::Tuple(modes);
}

absl::StatusOr<std::string> TextOf(const CuteParts& parts,
                                   const ServiceOptions& options) {
  int64_t leaves = 0;
  const absl::StatusOr<cute::IntTuple> shape =
      TupleOf(parts.shape(), 0, options, &leaves);
  if (!shape.ok()) return InField("shape", shape.status());
  leaves = 0;
  const absl::StatusOr<cute::IntTuple> stride =
      TupleOf(parts.stride(), 0, options, &leaves);
  if (!stride.ok()) return InField("stride", stride.status());
  absl::StatusOr<cute::Layout> layout = cute::Layout::Create(*shape, *stride);
  if (!layout.ok()) return InField("cute", layout.status());
  if (!parts.has_swizzle()) {
    if (parts.offset() == 0) return layout->ToString();
    return InvalidField("offset", "an offset, ", parts.offset(),
                        ", is given without a swizzle");
  }
  const SwizzleParts& swizzle = parts.swizzle();
  const absl::StatusOr<cute::Swizzle> outer =
      cute::Swizzle::Create(swizzle.bits(), swizzle.base(), swizzle.shift());
  if (!outer.ok()) return InField("swizzle", outer.status());
  return cute::ComposedLayout(*outer, parts.offset(), *std::move(layout))
      .ToString();
}

// -- Tenstorrent -------------------------------------------------------------

// Returns the intervals of neighbouring dimensions that a map joins, each of
// two or more dimensions; nullopt if the map does more than that.
std::optional<std::vector<std::pair<int64_t, int64_t>>> JoinedBy(
    const tenstorrent::AffineMap& map) {
  std::vector<std::pair<int64_t, int64_t>> intervals;
  int64_t next = 0;
  for (int64_t i = 0; i < map.num_results(); ++i) {
    const int64_t begin = next;
    for (int64_t dim = 0; dim < map.num_dims(); ++dim) {
      const std::optional<int64_t> coefficient = map.Coefficient(i, dim);
      if (!coefficient.has_value() || *coefficient < 0) return std::nullopt;
      if (*coefficient == 0) continue;
      if (dim != next) return std::nullopt;
      ++next;
    }
    if (next == begin) return std::nullopt;
    if (next - begin > 1) intervals.push_back({begin, next});
  }
  if (next != map.num_dims()) return std::nullopt;
  return intervals;
}

// Bounds past the middle count from the end, as people write them: 0, -1.
void FillIntervals(const tenstorrent::AffineMap& map, TensorParts* parts) {
  const auto intervals = JoinedBy(map);
  if (!intervals.has_value()) return;
  const int64_t rank = map.num_dims();
  for (const auto& [begin, end] : *intervals) {
    parts->add_collapse_intervals(begin);
    parts->add_collapse_intervals(end < rank ? end - rank : end);
  }
  if (!intervals->empty()) return;
  if (rank > 2) {
    parts->set_no_collapse(true);
    return;
  }
  // The default joins nothing either.
  parts->add_collapse_intervals(0);
  parts->add_collapse_intervals(-1);
}

void FillParts(const tenstorrent::VerifiedTensor& tensor, PartsResult* result) {
  const absl::StatusOr<const tenstorrent::Placement*> placement =
      PlacementOf(tensor);
  if (!placement.ok()) return;
  const tenstorrent::Geometry& geometry = (*placement)->geometry();
  TensorParts& parts = *result->mutable_tensor();
  SetNumbers(geometry.shape, parts.mutable_shape());
  SetNumbers(geometry.grid, parts.mutable_grid());
  const tenstorrent::ElementType& element = geometry.element;
  parts.set_scalar_type(std::string(element.is_tile()
                                        ? TileKeyword(element.data_type)
                                        : ScalarKeyword(element.data_type)));
  if (element.is_tile()) {
    parts.add_tile_shape(element.tile->height);
    parts.add_tile_shape(element.tile->width);
  }
  parts.set_memory_space_name(tensor.memory_space);
  if (tensor.oob_value.has_value()) {
    parts.set_oob_value(std::string(KeywordOf(*tensor.oob_value)));
  }
  const tenstorrent::AffineMap* const map = LinearMapOf(tensor.text);
  if (map != nullptr) FillIntervals(*map, &parts);
}

absl::StatusOr<std::string> TextOf(const TensorParts& parts,
                                   const ServiceOptions& options) {
  DeriveRequest derive;
  *derive.mutable_shape() = parts.shape();
  *derive.mutable_grid() = parts.grid();
  derive.set_element(parts.scalar_type());
  if (!parts.tile_shape().empty()) {
    derive.set_element(absl::StrCat("tile<",
                                    absl::StrJoin(parts.tile_shape(), "x"), ",",
                                    parts.scalar_type(), ">"));
  }
  *derive.mutable_collapse_intervals() = parts.collapse_intervals();
  derive.set_no_collapse(parts.no_collapse());
  *derive.mutable_alignments() = parts.alignments();
  derive.set_memory_space_name(parts.memory_space_name());
  derive.set_oob_value(parts.oob_value());
  DeriveResult derived;
  absl::Status status = AnswerDerive(options, derive, &derived);
  if (!status.ok()) return InField("tensor", std::move(status));
  return derived.tensor();
}

// -- Any family --------------------------------------------------------------

// A family without a message for its parts has only its text.
template <typename OtherLayout>
void FillParts(const OtherLayout&, PartsResult*) {}

// Returns the text of the parts.
absl::StatusOr<std::string> TextOf(const PartsRequest& question,
                                   const ServiceOptions& options) {
  switch (question.source_case()) {
    case PartsRequest::kXla:
      return TextOf(question.xla());
    case PartsRequest::kCute:
      return TextOf(question.cute(), options);
    case PartsRequest::kTensor:
      return TextOf(question.tensor(), options);
    default:
      return question.layout();
  }
}

}  // namespace

absl::Status AnswerParts(const ServiceOptions& options,
                         const PartsRequest& question, PartsResult* result) {
  TESSERA_ASSIGN_OR_RETURN(const std::string text, TextOf(question, options));
  const absl::StatusOr<AnyLayout> layout = ReadLayout(text, options);
  if (!layout.ok()) return InField("layout", layout.status());
  result->set_canonical(ToString(*layout));
  layout->Visit([&](const auto& form) { FillParts(form, result); });
  return absl::OkStatus();
}

}  // namespace tessera
