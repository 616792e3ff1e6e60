// An IndexMap that is prepared for batches of many indices.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   const BatchIndexMap batches(map);
//
//   // A structure of arrays: one array per dimension.
//   const std::vector<int64_t> rows = {0, 2, 1}, columns = {0, 3, 4};
//   std::vector<int64_t> linear_indices(3);
//   batches.LinearIndices({rows.data(), columns.data()},
//                         absl::MakeSpan(linear_indices));   // OK
//   linear_indices;   // {0, 17, 10}
//
// Every function exists for 64 bits and for 32 bits, which computes twice as
// many indices at a time. Sums of quotients are computed with vectors
// (sum_program.h) and checked as they are read. Inverses of maps that are not
// mixed radix use single calls instead. Indices are passed as a structure of
// arrays, with one pointer per dimension, or as rows of rank() entries.

#ifndef TESSERA_INDEX_MAP_BATCH_INDEX_MAP_H_
#define TESSERA_INDEX_MAP_BATCH_INDEX_MAP_H_

#include <cstdint>
#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/sum_program.h"

namespace tessera {

class BatchIndexMap {
 public:
  explicit BatchIndexMap(IndexMap map);

  const IndexMap& map() const { return map_; }
  // Returns whether every position fits 32 bits: position_count() <= 2^31.
  bool fits_32_bits() const { return map_.position_count() <= kMax32; }

  // -- Forward: indices to linear indices ------------------------------------

  // `coordinates` holds one pointer per dimension, each to as many coordinates
  // as `linear_indices` has entries; `indices` holds rank() entries for each.
  // Output arrays must not overlap with other arrays.
  //
  // Errors: kInvalidArgument if the sizes do not match; kOutOfRange if an index
  // is outside the bounds (the message has the number of the first), or, in the
  // 32-bit form, if positions do not fit 32 bits. The results are then
  // unspecified.
  absl::Status LinearIndices(absl::Span<const int64_t* const> coordinates,
                             absl::Span<int64_t> linear_indices) const;
  absl::Status LinearIndices(absl::Span<const int32_t* const> coordinates,
                             absl::Span<int32_t> linear_indices) const;
  absl::Status LinearIndicesOfRows(absl::Span<const int64_t> indices,
                                   absl::Span<int64_t> linear_indices) const;
  absl::Status LinearIndicesOfRows(absl::Span<const int32_t> indices,
                                   absl::Span<int32_t> linear_indices) const;

  // Like LinearIndices, but without checks. Precondition: every index is within
  // the bounds and the sizes match; for 32 bits, fits_32_bits().
  void LinearIndicesUnchecked(absl::Span<const int64_t* const> coordinates,
                              absl::Span<int64_t> linear_indices) const;
  void LinearIndicesUnchecked(absl::Span<const int32_t* const> coordinates,
                              absl::Span<int32_t> linear_indices) const;
  void LinearIndicesOfRowsUnchecked(absl::Span<const int64_t> indices,
                                    absl::Span<int64_t> linear_indices) const;
  void LinearIndicesOfRowsUnchecked(absl::Span<const int32_t> indices,
                                    absl::Span<int32_t> linear_indices) const;

  // -- Inverse: linear indices to indices ------------------------------------

  // Writes the kind of each position to `kinds`, and the index of each element
  // to one array per dimension or to rows. For positions without an element,
  // the index is unspecified.
  //
  // Errors: those of IndexMap::MultidimensionalIndex, with the number of the
  // first bad linear index, and as above. The results are then unspecified.
  absl::Status MultidimensionalIndices(absl::Span<const int64_t> linear_indices,
                                       absl::Span<int64_t* const> coordinates,
                                       absl::Span<PositionKind> kinds) const;
  absl::Status MultidimensionalIndices(absl::Span<const int32_t> linear_indices,
                                       absl::Span<int32_t* const> coordinates,
                                       absl::Span<PositionKind> kinds) const;
  absl::Status MultidimensionalIndicesAsRows(
      absl::Span<const int64_t> linear_indices, absl::Span<int64_t> indices,
      absl::Span<PositionKind> kinds) const;
  absl::Status MultidimensionalIndicesAsRows(
      absl::Span<const int32_t> linear_indices, absl::Span<int32_t> indices,
      absl::Span<PositionKind> kinds) const;

  // Like MultidimensionalIndices, but without checks. Precondition: none of
  // these errors occurs.
  void MultidimensionalIndicesUnchecked(
      absl::Span<const int64_t> linear_indices,
      absl::Span<int64_t* const> coordinates,
      absl::Span<PositionKind> kinds) const;
  void MultidimensionalIndicesUnchecked(
      absl::Span<const int32_t> linear_indices,
      absl::Span<int32_t* const> coordinates,
      absl::Span<PositionKind> kinds) const;

 private:
  static constexpr int64_t kMax32 =
      int64_t{std::numeric_limits<int32_t>::max()} + 1;

  template <typename Int>
  absl::Status CheckWidth() const;
  template <typename Int>
  absl::Status CheckInverse(absl::Span<const Int> linear_indices,
                            size_t kinds) const;
  // Returns the reason why a linear index has no answer.
  absl::Status InverseError(size_t number, int64_t linear_index) const;

  // Each returns the number of the first index that is bad, or `count`.
  template <bool kChecks, typename Int>
  size_t Forward(absl::Span<const Int* const> coordinates, Int* linear_indices,
                 size_t count) const;
  template <bool kChecks, typename Int>
  size_t ForwardRows(const Int* indices, Int* linear_indices,
                     size_t count) const;
  template <bool kChecks, typename Int>
  size_t Inverse(const Int* linear_indices, absl::Span<Int* const> coordinates,
                 PositionKind* kinds, size_t count) const;
  template <typename Int>
  size_t InverseRows(const Int* linear_indices, Int* indices,
                     PositionKind* kinds, size_t count) const;

  template <typename Int>
  absl::Status CheckedLinearIndices(absl::Span<const Int* const> coordinates,
                                    absl::Span<Int> linear_indices) const;
  template <typename Int>
  absl::Status CheckedLinearIndicesOfRows(absl::Span<const Int> indices,
                                          absl::Span<Int> linear_indices) const;
  template <typename Int>
  absl::Status CheckedMultidimensionalIndices(
      absl::Span<const Int> linear_indices, absl::Span<Int* const> coordinates,
      absl::Span<PositionKind> kinds) const;
  template <typename Int>
  absl::Status CheckedMultidimensionalIndicesAsRows(
      absl::Span<const Int> linear_indices, absl::Span<Int> indices,
      absl::Span<PositionKind> kinds) const;

  IndexMap map_;
  // Nullopt if single calls are used instead.
  std::optional<SumProgram> forward_;
  std::optional<SumProgram> inverse_;
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_BATCH_INDEX_MAP_H_
