// The batched calls of IndexMap. A structure of arrays is taken term by term
// over a block that stays in the cache, so that the inner loops vectorise.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tessera/index_map/index_map.h"

namespace tessera {
namespace {

constexpr size_t kBlock = 1024;

absl::Status AtIndex(size_t number, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("index number ", number, ": ",
                                                  status.message()));
}

absl::Status SizesDiffer(absl::string_view what, size_t size, size_t wanted) {
  return absl::InvalidArgumentError(absl::StrCat(
      "there is room for ", size, " ", what, ", but ", wanted, " are needed"));
}

}  // namespace

void IndexMap::LinearIndicesUnchecked(
    absl::Span<const int64_t* const> coordinates,
    absl::Span<int64_t> linear_indices) const {
  if (!computed_sources_.empty()) {
    absl::InlinedVector<int64_t, 6> index(rank());
    for (size_t i = 0; i < linear_indices.size(); ++i) {
      for (int64_t d = 0; d < rank(); ++d) index[d] = coordinates[d][i];
      linear_indices[i] = LinearIndexUnchecked(index);
    }
    return;
  }
  for (size_t begin = 0; begin < linear_indices.size(); begin += kBlock) {
    const size_t count = std::min(kBlock, linear_indices.size() - begin);
    int64_t* const out = linear_indices.data() + begin;
    std::fill_n(out, count, forward_base_);
    for (size_t d = 0; d < scattered_bits_.size(); ++d) {
      AddScattered(scattered_bits_[d], coordinates[d] + begin, count, out);
    }
    for (const ShiftTerm& term : shift_terms_) {
      const int64_t* const x = coordinates[term.source] + begin;
      for (size_t i = 0; i < count; ++i) {
        out[i] +=
            (static_cast<uint64_t>(x[i]) >> term.shift) * term.coefficient;
      }
    }
    for (const DivideTerm& term : divide_terms_) {
      const int64_t* const x = coordinates[term.source] + begin;
      for (size_t i = 0; i < count; ++i) {
        out[i] +=
            static_cast<uint64_t>(term.divider.Divide(x[i])) * term.coefficient;
      }
    }
    if (is_swizzled()) {
      for (size_t i = 0; i < count; ++i) out[i] = swizzle_.Apply(out[i]);
    }
  }
}

void IndexMap::LinearIndicesOfRowsUnchecked(
    absl::Span<const int64_t> indices,
    absl::Span<int64_t> linear_indices) const {
  for (size_t i = 0; i < linear_indices.size(); ++i) {
    linear_indices[i] =
        LinearIndexUnchecked(indices.subspan(i * rank(), rank()));
  }
}

absl::Status IndexMap::LinearIndices(
    absl::Span<const int64_t* const> coordinates,
    absl::Span<int64_t> linear_indices) const {
  if (coordinates.size() != bounds_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are coordinates of ", coordinates.size(),
                     " dimensions but the array has ", bounds_.size()));
  }
  absl::InlinedVector<int64_t, 6> index(rank());
  for (size_t i = 0; i < linear_indices.size(); ++i) {
    for (int64_t d = 0; d < rank(); ++d) index[d] = coordinates[d][i];
    if (absl::Status status = CheckIndex(index); !status.ok()) {
      return AtIndex(i, status);
    }
  }
  LinearIndicesUnchecked(coordinates, linear_indices);
  return absl::OkStatus();
}

absl::Status IndexMap::LinearIndicesOfRows(
    absl::Span<const int64_t> indices,
    absl::Span<int64_t> linear_indices) const {
  if (indices.size() != linear_indices.size() * rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat(indices.size(), " entries are not ", linear_indices.size(),
                     " indices of ", rank(), " dimensions"));
  }
  for (size_t i = 0; i < linear_indices.size(); ++i) {
    absl::Status status = CheckIndex(indices.subspan(i * rank(), rank()));
    if (!status.ok()) return AtIndex(i, status);
  }
  LinearIndicesOfRowsUnchecked(indices, linear_indices);
  return absl::OkStatus();
}

absl::Status IndexMap::MultidimensionalIndices(
    absl::Span<const int64_t> linear_indices,
    absl::Span<int64_t* const> coordinates,
    absl::Span<PositionKind> kinds) const {
  if (coordinates.size() != bounds_.size()) {
    return SizesDiffer("dimensions", coordinates.size(), bounds_.size());
  }
  if (kinds.size() != linear_indices.size()) {
    return SizesDiffer("kinds", kinds.size(), linear_indices.size());
  }
  absl::InlinedVector<int64_t, 6> index(rank());
  for (size_t i = 0; i < linear_indices.size(); ++i) {
    absl::Status status = CheckInverse(linear_indices[i]);
    if (!status.ok()) return AtIndex(i, status);
    kinds[i] = MultidimensionalIndexUnchecked(linear_indices[i],
                                              absl::MakeSpan(index));
    for (int64_t d = 0; d < rank(); ++d) coordinates[d][i] = index[d];
  }
  return absl::OkStatus();
}

absl::Status IndexMap::MultidimensionalIndicesAsRows(
    absl::Span<const int64_t> linear_indices, absl::Span<int64_t> indices,
    absl::Span<PositionKind> kinds) const {
  if (indices.size() != linear_indices.size() * rank()) {
    return SizesDiffer("index entries", indices.size(),
                       linear_indices.size() * rank());
  }
  if (kinds.size() != linear_indices.size()) {
    return SizesDiffer("kinds", kinds.size(), linear_indices.size());
  }
  for (size_t i = 0; i < linear_indices.size(); ++i) {
    absl::Status status = CheckInverse(linear_indices[i]);
    if (!status.ok()) return AtIndex(i, status);
    kinds[i] = MultidimensionalIndexUnchecked(
        linear_indices[i], indices.subspan(i * rank(), rank()));
  }
  return absl::OkStatus();
}

}  // namespace tessera
