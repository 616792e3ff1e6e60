#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/index_map.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/place_kind.h"

namespace tessera {
namespace {

// Resizes a list of the message to `size` entries, and returns them.
absl::Span<int64_t> Resize(google::protobuf::RepeatedField<int64_t>* list,
                           int64_t size) {
  list->Resize(size, 0);
  return absl::MakeSpan(list->mutable_data(), size);
}

// A map that is prepared for batches takes longer to make than a single answer.
absl::Status LinearIndices(const IndexMap& map,
                           absl::Span<const int64_t> indices,
                           absl::Span<int64_t> linear_indices) {
  if (linear_indices.size() != 1) {
    return BatchIndexMap(map).LinearIndicesOfRows(indices, linear_indices);
  }
  const absl::StatusOr<int64_t> linear_index = map.LinearIndex(indices);
  if (linear_index.ok()) linear_indices[0] = *linear_index;
  return linear_index.status();
}

absl::Status MultidimensionalIndices(const IndexMap& map,
                                     absl::Span<const int64_t> linear_indices,
                                     absl::Span<int64_t> indices,
                                     absl::Span<PositionKind> kinds) {
  if (linear_indices.size() != 1) {
    return BatchIndexMap(map).MultidimensionalIndicesAsRows(linear_indices,
                                                            indices, kinds);
  }
  const absl::StatusOr<PositionKind> kind =
      map.MultidimensionalIndex(linear_indices[0], indices);
  if (kind.ok()) kinds[0] = *kind;
  return kind.status();
}

absl::Status FillFailedBounds(const IndexMap& map, int64_t linear_index,
                              FailedBounds* to) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<IndexMap::FailedBound> failed,
                           map.FailedBounds(linear_index));
  for (const IndexMap::FailedBound& bound : failed) {
    FailedBound& added = *to->add_bounds();
    SetNumbers(bound.dimensions, added.mutable_dimensions());
    added.set_value(bound.value);
    added.set_bound(bound.bound);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AnswerLinearize(const ServiceOptions& options,
                             const LinearizeRequest& question,
                             LinearizeResult* result) {
  const absl::StatusOr<MappedLayout> layout = ReadMappedLayout(
      question.layout(), question.units(), options, question.target());
  if (!layout.ok()) return InField("layout", layout.status());
  return AnswerLinearize(options, *layout, question, result);
}

absl::Status AnswerLinearize(const ServiceOptions& options,
                             const MappedLayout& layout,
                             const LinearizeRequest& question,
                             LinearizeResult* result) {
  const absl::StatusOr<int64_t> count =
      CountIndices(layout.map(), question.indices_size(), options);
  if (!count.ok()) return InField("indices", count.status());
  return InField(
      "indices",
      LinearIndices(layout.map(), question.indices(),
                    Resize(result->mutable_linear_indices(), *count)));
}

absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result) {
  const absl::StatusOr<MappedLayout> layout = ReadMappedLayout(
      question.layout(), question.units(), options, question.target());
  if (!layout.ok()) return InField("layout", layout.status());
  return AnswerDelinearize(options, *layout, question, result);
}

absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const MappedLayout& layout,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result) {
  const IndexMap& map = layout.map();
  const int64_t rank = map.rank();
  const int64_t count = question.linear_indices_size();
  // The length of the longer of the input and output lists.
  const std::optional<int64_t> entries =
      CheckedMultiply(count, std::max<int64_t>(rank, 1));
  absl::Status status = CheckIndexEntries(
      options, entries.value_or(std::numeric_limits<int64_t>::max()));
  if (!status.ok()) return InField("linear_indices", status);

  absl::InlinedVector<PositionKind, 1> kinds(count);
  const absl::Span<int64_t> indices =
      Resize(result->mutable_indices(), *entries * (rank > 0));
  status = MultidimensionalIndices(map, question.linear_indices(), indices,
                                   absl::MakeSpan(kinds));
  if (!status.ok()) return InField("linear_indices", status);
  result->set_rank(rank);
  result->mutable_kinds()->Reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    if (kinds[i] != PositionKind::kElement) {
      const absl::Span<int64_t> index = indices.subspan(i * rank, rank);
      std::fill(index.begin(), index.end(), 0);
    }
    result->add_kinds(ToPlaceKind(RefineKind(
        layout.layout(), layout.unit(), question.linear_indices(i), kinds[i])));
    if (!question.explain_padding()) continue;
    status = FillFailedBounds(map, question.linear_indices(i),
                              result->add_failed_bounds());
    if (!status.ok()) return InField("linear_indices", status);
  }
  return absl::OkStatus();
}

}  // namespace tessera
