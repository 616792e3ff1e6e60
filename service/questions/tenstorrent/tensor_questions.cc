#include "tessera/service/questions/tenstorrent/tensor_questions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/place_kind.h"
#include "tessera/service/questions/tenstorrent/finding.h"
#include "tessera/service/questions/tenstorrent/tensor_buffer.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/buffer/layout_buffer.h"
#include "tessera/tenstorrent/buffer/runtime_text.h"
#include "tessera/tenstorrent/derive/derivation.h"
#include "tessera/tenstorrent/derive/ttnn_shape.h"
#include "tessera/tenstorrent/element_type_parser.h"

namespace tessera {
namespace {

using tenstorrent::DerivationOptions;
using tenstorrent::Placement;

// -- Derive ------------------------------------------------------------------

// Reads the value of a keyword, if there is one.
template <typename Enum>
absl::Status TakeKeyword(std::string_view field, const std::string& keyword,
                         std::optional<Enum> value, Enum* result) {
  if (keyword.empty()) return absl::OkStatus();
  if (!value.has_value()) {
    return InvalidField(field, "'", keyword, "' is not one of the keywords");
  }
  *result = *value;
  return absl::OkStatus();
}

absl::Status TakeIntervals(const DeriveRequest& question,
                           DerivationOptions* derivation) {
  const int size = question.collapse_intervals_size();
  if (size % 2 != 0 || (size > 0 && question.no_collapse())) {
    return InvalidField("collapse_intervals",
                        size % 2 != 0
                            ? absl::StrCat(size, " bounds do not make pairs")
                            : "intervals are given, but no_collapse is set");
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

// Returns `status`, of entry `i` of a list, with its number if there are more.
absl::Status AtNumber(std::string_view field, std::string_view noun, int64_t i,
                      int64_t count, const absl::Status& status) {
  const std::string number =
      count == 1 ? "" : StrCat(noun, " number ", i, ": ");
  return InField(field, absl::Status(status.code(),
                                     absl::StrCat(number, status.message())));
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
    return InvalidField("tile_shape",
                        "tile_shape has a height and a width, not ",
                        tile.size(), " entries");
  }
  if (!tile.empty()) terms.tile_shape = {tile[0], tile[1]};
  if (question.pad() && !question.strides().empty()) {
    return InvalidField("strides", "strides are given, but pad is set");
  }
  terms.strides.assign(question.strides().begin(), question.strides().end());
  if (question.pad()) {
    TESSERA_ASSIGN_OR_RETURN(terms.strides, tenstorrent::TilePaddedStrides(
                                                terms.shape, terms.tile_shape));
  }
  return terms;
}

// Returns the parts of a ttnn tensor. Those in the question replace those of
// its text.
absl::StatusOr<tenstorrent::RuntimeTensor> ToRuntimeTensor(
    const TtnnRequest& question) {
  tenstorrent::RuntimeTensor tensor;
  if (!question.text().empty()) {
    absl::StatusOr<tenstorrent::RuntimeTensor> read =
        tenstorrent::ParseRuntimeTensor(question.text());
    if (!read.ok()) return InField("text", read.status());
    tensor = *std::move(read);
  }
  if (!question.shape().empty()) {
    tensor.padded_shape.reset();
    tensor.shape.emplace(question.shape().begin(), question.shape().end());
  }
  if (!question.data_type().empty()) {
    tensor.data_type = tenstorrent::RuntimeDataTypeOf(question.data_type());
    if (!tensor.data_type.has_value()) {
      return InvalidField(
          "data_type", "'", question.data_type(),
          "' is not a data type of ttnn; these are ",
          absl::StrJoin(tenstorrent::RuntimeDataTypeNames(), ", "));
    }
  }
  if (!question.layout().empty()) {
    tensor.is_tiled = tenstorrent::RuntimeIsTiled(question.layout());
    if (!tensor.is_tiled.has_value()) {
      return InvalidField("layout", "'", question.layout(),
                          "' is not tile or row_major");
    }
  }
  if (!question.tile_shape().empty()) {
    if (question.tile_shape_size() != 2) {
      return InvalidField("tile_shape",
                          "tile_shape has a height and a width, "
                          "not ",
                          question.tile_shape_size(), " entries");
    }
    tensor.tile =
        tenstorrent::TileShape{question.tile_shape(0), question.tile_shape(1)};
  }
  if (!question.memory_config().empty()) {
    absl::StatusOr<tenstorrent::MemoryConfig> read =
        tenstorrent::ParseRuntimeMemoryConfig(question.memory_config());
    if (!read.ok()) return InField("memory_config", read.status());
    tensor.memory_config = *std::move(read);
  }
  return tensor;
}

// Fills in the memory that a ttnn tensor takes on a card.
absl::Status AnswerTtnnBuffer(const ServiceOptions& options,
                              const TtnnRequest& question, TtnnResult* result) {
  if (!question.strides().empty() || !question.shard_shape().empty() ||
      question.pad()) {
    return InvalidField("shard_shape",
                        "a tensor of a data type has no strides, and its shard "
                        "is in its memory configuration");
  }
  for (const auto& [field, text] :
       {std::pair("text", &question.text()),
        std::pair("memory_config", &question.memory_config())}) {
    const absl::Status status = CheckTextBytes(options, *text);
    if (!status.ok()) return InField(field, status);
  }
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::RuntimeTensor tensor,
                           ToRuntimeTensor(question));
  if (!tensor.shape.has_value()) {
    return InvalidField("shape", "there is no shape");
  }
  absl::Status status = CheckAxes(options, tensor.shape->size());
  if (!status.ok()) return InField("shape", status);
  if (!tensor.data_type.has_value()) {
    return InvalidField("data_type", "there is no data type");
  }
  if (!tensor.is_tiled.has_value()) {
    return InvalidField("layout", "there is no layout, tile or row_major");
  }
  if (!*tensor.is_tiled && tenstorrent::IsBlockFloat(*tensor.data_type)) {
    return InvalidField("layout", "a tensor of block floats, such as ",
                        question.data_type().empty()
                            ? TileKeyword(*tensor.data_type)
                            : question.data_type(),
                        ", has the layout tile, not row_major");
  }
  tenstorrent::ElementType element{*tensor.data_type};
  if (*tensor.is_tiled) {
    element.tile = tensor.tile.value_or(tenstorrent::TileShape());
  }
  // The default of ttnn.
  tenstorrent::MemoryConfig config;
  config.memory_layout = tenstorrent::TensorMemoryLayout::kInterleaved;
  if (tensor.memory_config.has_value()) config = *tensor.memory_config;
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::ChipDescription chip,
                           ToChip(question.card(), config.buffer_type));
  TESSERA_ASSIGN_OR_RETURN(
      tenstorrent::BufferSpec spec,
      tenstorrent::BufferSpecOf(*tensor.shape, element, config));
  if (tensor.padded_shape.has_value()) spec.padded_shape = *tensor.padded_shape;
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::Buffer buffer,
                           tenstorrent::Buffer::Create(std::move(spec), chip));

  SetNumbers(*tensor.shape, result->mutable_shape());
  if (element.is_tile()) {
    SetNumbers({element.tile->height, element.tile->width},
               result->mutable_tile_shape());
  }
  result->set_layout(element.is_tile() ? "tile" : "row_major");
  result->set_data_type(std::string(element.is_tile()
                                        ? TileKeyword(element.data_type)
                                        : ScalarKeyword(element.data_type)));
  result->set_memory_config(config.ToString());
  FillTensorBuffer(buffer, question.card(), result->mutable_buffer());
  AddShardCores(buffer, result->mutable_buffer());
  const int64_t rank = tensor.shape->size();
  const int64_t count = rank == 0 ? 0 : question.indices_size() / rank;
  if (rank == 0 ? question.indices_size() > 0
                : question.indices_size() % rank != 0) {
    return InvalidField("indices", question.indices_size(),
                        " entries do not make indices of ", rank);
  }
  status = CheckTableRows(options, count);
  if (!status.ok()) return InField("indices", status);
  std::optional<int64_t> base;
  if (question.has_base()) base = question.base();
  const absl::Span<const int64_t> indices = question.indices();
  for (int64_t i = 0; i < count; ++i) {
    const absl::StatusOr<tenstorrent::BufferPlace> place =
        buffer.PlaceOf(indices.subspan(i * rank, rank));
    if (!place.ok()) {
      return AtNumber("indices", "index", i, count, place.status());
    }
    TESSERA_RETURN_IF_ERROR(
        FillBufferLocation(*place, base, result->add_locations()));
  }
  return absl::OkStatus();
}

// -- Locate and classify -----------------------------------------------------

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

// Returns the buffer, or nullopt if no rule determines it. Errors: those about
// the card.
absl::StatusOr<std::optional<tenstorrent::Buffer>> BufferIfKnown(
    const tenstorrent::VerifiedTensor& tensor, const CardChoice& card) {
  TESSERA_ASSIGN_OR_RETURN(const tenstorrent::ChipDescription chip,
                           ToChip(card, TypeOfBuffer(tensor)));
  absl::StatusOr<tenstorrent::Buffer> buffer = BufferOf(tensor, chip);
  if (!buffer.ok()) return std::optional<tenstorrent::Buffer>();
  return std::make_optional(*std::move(buffer));
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
    return InvalidArgumentError("in_tile has a row and a column, not ",
                                place.in_tile_size(), " entries");
  }
  return placement.AtTile(place.cell(), place.tile(),
                          {place.in_tile(0), place.in_tile(1)});
}

// Whether the place is a byte on a card.
bool IsOnCard(const TensorPlace& place) {
  return place.has_bank() || place.has_core() || place.has_page() ||
         place.has_byte();
}

absl::StatusOr<tenstorrent::Place> OnCard(
    const tenstorrent::VerifiedTensor& tensor,
    const tenstorrent::Buffer& buffer, const TensorPlace& place) {
  if (!place.cell().empty() || !place.offset().empty() ||
      !place.tile().empty() || !place.in_tile().empty()) {
    return absl::InvalidArgumentError(
        "a place is in a cell or on a card, not both");
  }
  if (place.has_bank() + place.has_core() + place.has_page() > 1) {
    return absl::InvalidArgumentError(
        "a byte is in a bank, on a core or in a page; only one is named");
  }
  tenstorrent::BankPlace in_bank;
  if (place.has_bank()) in_bank.bank = place.bank();
  if (place.has_page()) in_bank.page = place.page();
  if (place.has_core()) {
    in_bank.core =
        tenstorrent::CoreCoordinate{place.core().x(), place.core().y()};
  }
  in_bank.byte = place.byte();
  in_bank.bit = place.bit();
  return tenstorrent::ElementInBuffer(tensor, buffer, in_bank);
}

// Returns the memref in the dialect of `text`, which the tensor was read from.
std::string MemRefText(const tenstorrent::VerifiedTensor& tensor,
                       const tenstorrent::MemRef& memref,
                       std::string_view text) {
  if (const auto* ttnn = std::get_if<tenstorrent::TtnnTensor>(&tensor.text)) {
    return tenstorrent::TtnnMemRef{memref.shape, memref.element,
                                   ttnn->layout.memref.buffer_type}
        .ToString();
  }
  const std::string printed = memref.ToString();
  return text.find("#tt.") != std::string_view::npos
             ? printed
             : absl::StrReplaceAll(
                   printed, {{"!tt.tile", "!ttcore.tile"},
                             {"#tt.memory_space", "#ttcore.memory_space"}});
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
  if (!question.data_type().empty() || !question.memory_config().empty() ||
      !question.text().empty()) {
    return AnswerTtnnBuffer(options, question, result);
  }
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
    result->set_memref(
        MemRefText(*tensor, *verification.memref, question.tensor()));
  }
  TESSERA_ASSIGN_OR_RETURN(const std::optional<tenstorrent::Buffer> buffer,
                           BufferIfKnown(*tensor, question.card()));
  if (buffer.has_value()) {
    FillTensorBuffer(*buffer, question.card(), result->mutable_buffer());
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
  std::optional<int64_t> base;
  if (question.has_base()) base = question.base();
  TESSERA_ASSIGN_OR_RETURN(const std::optional<tenstorrent::Buffer> buffer,
                           BufferIfKnown(tensor, question.card()));
  for (int64_t i = 0; i < *count; ++i) {
    const absl::Span<const int64_t> index = indices.subspan(i * rank, rank);
    const absl::StatusOr<tenstorrent::Location> location =
        placement.Locate(index);
    if (!location.ok()) {
      return AtNumber("indices", "index", i, *count, location.status());
    }
    TensorLocation& added = *result->add_locations();
    FillLocation(*location, placement.geometry().element.is_tile(), &added);
    if (buffer.has_value()) {
      TESSERA_ASSIGN_OR_RETURN(
          const tenstorrent::BufferPlace place,
          tenstorrent::PlaceInBuffer(tensor, *buffer, index));
      TESSERA_RETURN_IF_ERROR(
          FillBufferLocation(place, base, added.mutable_on_card()));
      continue;
    }
    BufferLocation on_card;
    TESSERA_ASSIGN_OR_RETURN(
        const bool is_known,
        FillLocationOf2024(tensor, *location, base, &on_card));
    if (is_known) *added.mutable_on_card() = std::move(on_card);
  }
  if (buffer.has_value()) {
    FillTensorBuffer(*buffer, question.card(), result->mutable_buffer());
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
  std::optional<tenstorrent::Buffer> buffer;
  if (std::any_of(question.places().begin(), question.places().end(),
                  IsOnCard)) {
    TESSERA_ASSIGN_OR_RETURN(buffer, BufferOnCard(tensor, question.card()));
  }
  for (int i = 0; i < count; ++i) {
    const absl::StatusOr<tenstorrent::Place> place =
        IsOnCard(question.places(i))
            ? OnCard(tensor, *buffer, question.places(i))
            : At(placement, question.places(i));
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
