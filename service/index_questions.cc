#include "tessera/service/index_questions.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/math/checked_arithmetic.h"
#include "tessera/service/error.h"
#include "tessera/service/layout_source.h"
#include "tessera/service/place_kind.h"

namespace tessera {
namespace {

// A list of the message, made to have `size` entries.
absl::Span<int64_t> Resize(google::protobuf::RepeatedField<int64_t>* list,
                           int64_t size) {
  list->Resize(size, 0);
  return absl::MakeSpan(list->mutable_data(), size);
}

}  // namespace

absl::Status AnswerLinearize(const ServiceOptions& options,
                             const LinearizeRequest& question,
                             LinearizeResult* result) {
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout(question.layout(), question.units(), options);
  if (!layout.ok()) return InField("layout", layout.status());
  const absl::StatusOr<int64_t> count =
      CountIndices(layout->map(), question.indices_size(), options);
  if (!count.ok()) return InField("indices", count.status());
  return InField("indices",
                 BatchIndexMap(layout->map())
                     .LinearIndicesOfRows(
                         question.indices(),
                         Resize(result->mutable_linear_indices(), *count)));
}

absl::Status AnswerDelinearize(const ServiceOptions& options,
                               const DelinearizeRequest& question,
                               DelinearizeResult* result) {
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout(question.layout(), question.units(), options);
  if (!layout.ok()) return InField("layout", layout.status());
  const int64_t rank = layout->map().rank();
  const int64_t count = question.linear_indices_size();
  // As long as the longer of the two lists that go in and out.
  const absl::optional<int64_t> entries =
      CheckedMultiply(count, std::max<int64_t>(rank, 1));
  absl::Status status = CheckIndexEntries(
      options, entries.value_or(std::numeric_limits<int64_t>::max()));
  if (!status.ok()) return InField("linear_indices", status);

  std::vector<PositionKind> kinds(count);
  const absl::Span<int64_t> indices =
      Resize(result->mutable_indices(), *entries * (rank > 0));
  status = BatchIndexMap(layout->map())
               .MultidimensionalIndicesAsRows(question.linear_indices(),
                                              indices, absl::MakeSpan(kinds));
  if (!status.ok()) return InField("linear_indices", status);
  result->set_rank(rank);
  result->mutable_kinds()->Reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    PlaceKind kind = ToPlaceKind(kinds[i]);
    if (kind != ELEMENT) {
      const absl::Span<int64_t> index = indices.subspan(i * rank, rank);
      std::fill(index.begin(), index.end(), 0);
      if (layout->placement() != nullptr) {
        kind = ToPlaceKind(
            layout->placement()->At(question.linear_indices(i)).contents);
      }
    }
    result->add_kinds(kind);
  }
  return absl::OkStatus();
}

}  // namespace tessera
