#include "tessera/service/questions/tensor_questions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/finding.h"
#include "tessera/service/questions/layout_source.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/place_kind.h"
#include "tessera/tenstorrent/derive/derivation.h"
#include "tessera/tenstorrent/derive/ttnn_shape.h"
#include "tessera/tenstorrent/element_type_parser.h"

namespace tessera {
namespace {

using tenstorrent::DerivationOptions;
using tenstorrent::Placement;

// -- Derive ------------------------------------------------------------------

// Takes in the value of a keyword, if there is one.
template <typename Enum>
absl::Status TakeKeyword(std::string_view field, const std::string& keyword,
                         std::optional<Enum> value, Enum* result) {
  if (keyword.empty()) return absl::OkStatus();
  if (!value.has_value()) {
    return InField(field, absl::InvalidArgumentError(absl::StrCat(
                              "'", keyword, "' is not one of the keywords")));
  }
  *result = *value;
  return absl::OkStatus();
}

absl::Status TakeIntervals(const DeriveRequest& question,
                           DerivationOptions* derivation) {
  const int size = question.collapse_intervals_size();
  if (size % 2 != 0 || (size > 0 && question.no_collapse())) {
    return InField(
        "collapse_intervals",
        absl::InvalidArgumentError(
            size % 2 != 0 ? absl::StrCat(size, " bounds do not make pairs")
                          : "there are intervals, and no_collapse is set"));
  }
  if (size > 0 || question.no_collapse()) {
    derivation->collapse_intervals.clear();
  }
  for (int i = 0; i < size; i += 2) {
    derivation->collapse_intervals.push_back(
        {question.collapse_intervals(i), question.collapse_intervals(i + 1)});
  }
  return absl::OkStatus();
}

absl::StatusOr<DerivationOptions> ToDerivationOptions(
    const DeriveRequest& question) {
  DerivationOptions derivation;
  TESSERA_RETURN_IF_ERROR(TakeIntervals(question, &derivation));
  TESSERA_RETURN_IF_ERROR(
      TakeKeyword("memory_space_name", question.memory_space_name(),
                  tenstorrent::MemorySpaceOf(question.memory_space_name()),
                  &derivation.memory_space));
  TESSERA_RETURN_IF_ERROR(TakeKeyword(
      "oob_value", question.oob_value(),
      tenstorrent::OobValueOf(question.oob_value()), &derivation.oob_value));
  if (question.reference_2024()) {
    derivation.collapse_rule = tenstorrent::CollapseRule::kReference2024;
  }
  derivation.alignments.assign(question.alignments().begin(),
                               question.alignments().end());
  return derivation;
}

// -- TTNN --------------------------------------------------------------------

absl::StatusOr<tenstorrent::TtnnTerms> ToTtnnTerms(
    const TtnnRequest& question) {
  tenstorrent::TtnnTerms terms;
  terms.shape.assign(question.shape().begin(), question.shape().end());
  terms.shard_shape.assign(question.shard_shape().begin(),
                           question.shard_shape().end());
  const absl::Span<const int64_t> tile = question.tile_shape();
  if (!tile.empty() && tile.size() != 2) {
    return InField("tile_shape",
                   absl::InvalidArgumentError(
                       absl::StrCat("tile_shape has a height and a width, not ",
                                    tile.size(), " entries")));
  }
  if (!tile.empty()) terms.tile_shape = {tile[0], tile[1]};
  if (question.pad() && !question.strides().empty()) {
    return InField("strides", absl::InvalidArgumentError(
                                  "there are strides, and pad is set"));
  }
  terms.strides.assign(question.strides().begin(), question.strides().end());
  if (question.pad()) {
    TESSERA_ASSIGN_OR_RETURN(terms.strides, tenstorrent::TilePaddedStrides(
                                                terms.shape, terms.tile_shape));
  }
  return terms;
}

// -- Locate and classify -----------------------------------------------------

// Returns `status`, of entry `i` of a list, with its number if there are more.
absl::Status AtNumber(std::string_view field, std::string_view noun, int64_t i,
                      int64_t count, const absl::Status& status) {
  const std::string number =
      count == 1 ? "" : absl::StrCat(AbslView(noun), " number ", i, ": ");
  return InField(field, absl::Status(status.code(),
                                     absl::StrCat(number, status.message())));
}

void FillLocation(const tenstorrent::Location& from, bool is_tiled,
                  TensorLocation* to) {
  SetNumbers(from.physical(), to->mutable_physical());
  SetNumbers(from.cell(), to->mutable_cell());
  SetNumbers(from.offset(), to->mutable_offset());
  if (is_tiled) {
    SetNumbers(from.tile(), to->mutable_tile());
    const tenstorrent::InTile scalar = from.in_tile();
    const tenstorrent::InFace face = from.in_face();
    TileLocation& in_tile = *to->mutable_in_tile();
    in_tile.set_row(scalar.row);
    in_tile.set_column(scalar.column);
    in_tile.set_face(face.face);
    in_tile.set_face_row(face.row);
    in_tile.set_face_column(face.column);
    in_tile.set_position(face.position);
  }
  to->set_linear_in_shard(from.linear_in_shard());
  to->set_byte(from.byte());
  to->set_bit(from.bit());
  if (from.exponent_byte().has_value()) {
    to->set_exponent_byte(*from.exponent_byte());
  }
}

absl::StatusOr<tenstorrent::Place> At(const Placement& placement,
                                      const TensorPlace& place) {
  if (place.tile().empty() && place.in_tile().empty()) {
    return placement.At(place.cell(), place.offset());
  }
  if (!place.offset().empty()) {
    return absl::InvalidArgumentError(
        "a place is given by its offset or by its tile, not by both");
  }
  if (place.in_tile_size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("in_tile has a row and a column, not ",
                     place.in_tile_size(), " entries"));
  }
  return placement.AtTile(place.cell(), place.tile(),
                          {place.in_tile(0), place.in_tile(1)});
}

}  // namespace

absl::Status AnswerDerive(const ServiceOptions& options,
                          const DeriveRequest& question, DeriveResult* result) {
  absl::Status status = CheckTextBytes(options, question.element());
  if (!status.ok()) return InField("element", status);
  status = CheckAxes(options, question.shape_size() + question.grid_size() +
                                  question.collapse_intervals_size() +
                                  question.alignments_size());
  if (!status.ok()) return InField("shape", status);
  tenstorrent::ElementType element;
  if (!question.element().empty()) {
    const absl::StatusOr<tenstorrent::ElementType> read =
        tenstorrent::ParseElementType(question.element());
    if (!read.ok()) return InField("element", read.status());
    element = *read;
  }
  TESSERA_ASSIGN_OR_RETURN(const DerivationOptions derivation,
                           ToDerivationOptions(question));
  TESSERA_ASSIGN_OR_RETURN(
      const tenstorrent::MetalTensor tensor,
      tenstorrent::DeriveMetalTensor(question.shape(), element, question.grid(),
                                     derivation));
  result->set_layout(tensor.layout.ToString());
  result->set_tensor(tensor.ToString());
  result->set_map(tensor.layout.linear.ToString());
  result->set_memref(tensor.layout.memref.ToString());
  return absl::OkStatus();
}

absl::Status AnswerTtnn(const ServiceOptions& options,
                        const TtnnRequest& question, TtnnResult* result) {
  const absl::Status status = CheckAxes(
      options, question.shape_size() + question.strides_size() +
                   question.shard_shape_size() + question.tile_shape_size());
  if (!status.ok()) return InField("shape", status);
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::TtnnTerms terms,
                           ToTtnnTerms(question));
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::TtnnShape shape,
                           tenstorrent::DeriveTtnnShape(terms));
  SetNumbers(shape.terms.shape, result->mutable_shape());
  SetNumbers(shape.terms.strides, result->mutable_strides());
  result->set_rows(shape.rows);
  result->set_width(shape.width);
  SetNumbers(shape.terms.shard_shape, result->mutable_shard_shape());
  SetNumbers({shape.terms.tile_shape.height, shape.terms.tile_shape.width},
             result->mutable_tile_shape());
  SetNumbers(shape.physical_shard_shape,
             result->mutable_physical_shard_shape());
  SetNumbers(shape.grid_shape, result->mutable_grid_shape());
  SetNumbers(shape.physical_shape, result->mutable_physical_shape());
  SetNumbers(shape.allocated_shape, result->mutable_allocated_shape());
  result->set_layout(shape.is_row_major() ? "row_major" : "tile");
  result->set_map(shape.linear.ToString());
  return absl::OkStatus();
}

absl::Status AnswerCheck(const ServiceOptions& options,
                         const CheckRequest& question, CheckResult* result) {
  const absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
      ReadTensor(question.tensor(), options);
  if (!tensor.ok()) return InField("tensor", tensor.status());
  const tenstorrent::Verification& verification = tensor->verification;
  result->set_ok(verification.ok());
  result->set_tensor(ToString(tensor->text));
  AddFindings(verification.errors, result->mutable_errors());
  AddFindings(verification.warnings, result->mutable_warnings());
  if (verification.memref.has_value()) {
    result->set_memref(verification.memref->ToString());
  }
  return absl::OkStatus();
}

absl::StatusOr<tenstorrent::VerifiedTensor> ReadPlacedTensor(
    std::string_view text, const ServiceOptions& options) {
  absl::StatusOr<tenstorrent::VerifiedTensor> tensor =
      ReadTensor(text, options);
  if (!tensor.ok()) return InField("tensor", tensor.status());
  const absl::Status status = PlacementOf(*tensor).status();
  if (status.ok()) return tensor;
  const int64_t begin = Cursor(text).NextToken().data() - text.data();
  return InField("tensor", AtOffset(text, begin, status));
}

absl::Status AnswerLocate(const ServiceOptions& options,
                          const LocateRequest& question, LocateResult* result) {
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::VerifiedTensor tensor,
                           ReadPlacedTensor(question.tensor(), options));
  return AnswerLocate(options, tensor, question, result);
}

absl::Status AnswerLocate(const ServiceOptions& options,
                          const tenstorrent::VerifiedTensor& tensor,
                          const LocateRequest& question, LocateResult* result) {
  const Placement& placement = *tensor.verification.placement;
  const absl::StatusOr<int64_t> count =
      CountIndices(placement.map(), question.indices_size(), options);
  if (!count.ok()) return InField("indices", count.status());
  const absl::Status status = CheckTableRows(options, *count);
  if (!status.ok()) return InField("indices", status);
  const absl::Span<const int64_t> indices = question.indices();
  const int64_t rank = placement.map().rank();
  for (int64_t i = 0; i < *count; ++i) {
    const absl::StatusOr<tenstorrent::Location> location =
        placement.Locate(indices.subspan(i * rank, rank));
    if (!location.ok()) {
      return AtNumber("indices", "index", i, *count, location.status());
    }
    FillLocation(*location, placement.geometry().element.is_tile(),
                 result->add_locations());
  }
  AddFindings(LocationWarnings(tensor.verification),
              result->mutable_warnings());
  return absl::OkStatus();
}

absl::Status AnswerClassify(const ServiceOptions& options,
                            const ClassifyRequest& question,
                            ClassifyResult* result) {
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::VerifiedTensor tensor,
                           ReadPlacedTensor(question.tensor(), options));
  const Placement& placement = *tensor.verification.placement;
  const int count = question.places_size();
  const absl::Status status = CheckTableRows(options, count);
  if (!status.ok()) return InField("places", status);
  const int64_t rank = placement.map().rank();
  result->set_rank(rank);
  for (int i = 0; i < count; ++i) {
    const absl::StatusOr<tenstorrent::Place> place =
        At(placement, question.places(i));
    if (!place.ok()) {
      return AtNumber("places", "place", i, count, place.status());
    }
    result->add_kinds(ToPlaceKind(place->kind));
    tenstorrent::Dimensions index = place->index;
    index.resize(rank, 0);
    result->mutable_indices()->Add(index.begin(), index.end());
  }
  if (tensor.oob_value.has_value()) {
    result->set_oob_value(std::string(KeywordOf(*tensor.oob_value)));
  }
  AddFindings(LocationWarnings(tensor.verification),
              result->mutable_warnings());
  return absl::OkStatus();
}

}  // namespace tessera
