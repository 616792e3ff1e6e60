// Maps each element of an array to its position in memory, and each position to
// its element or padding.
//
// An IndexMap does both for every family of layouts: it is a function from
// multidimensional indices to linear indices, compiled at the first call for
// many calls. It knows only integers; index_util/ makes one from an XLA shape,
// and BatchIndexMap (batch_index_map.h) evaluates it for many indices at a
// time.
//
// Example: 3 x 5 elements in tiles of 2 x 2. Each cell shows the linear index
// of an element; dots are padding (9 of the 24 positions).
//
//     0  1 |  4  5 |  8  .
//     2  3 |  6  7 | 10  .
//    ------+-------+------
//    12 13 | 16 17 | 20  .
//     .  . |  .  . |  .  .
//
// In code:
//
//   #include "tessera/index_map/index_map_builder.h"
//
//   IndexMap::Builder builder({3, 5});
//   auto rows = builder.Split(builder.Dimension(0), 2);
//   auto columns = builder.Split(builder.Dimension(1), 2);
//   absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
//       {rows.first, columns.first, rows.second, columns.second});
//
//   map->LinearIndexUnchecked({2, 3});                      // 17
//   std::vector<int64_t> index(2);
//   map->MultidimensionalIndex(17, absl::MakeSpan(index));
//                                                 // PositionKind::kElement
//   index;                                                  // {2, 3}
//   map->MultidimensionalIndex(9, absl::MakeSpan(index));
//                                                 // PositionKind::kPadding
//   map->ToString();
//       // "[3,5] -> [0,24): 12*(i0 div 2) + 4*(i1 div 2) + 2*(i0 mod 2) +
//       // (i1 mod 2)"
//
// An IndexMap is a handle to an immutable representation that its copies share:
// copies are cheap, and any thread may call it. A map that was moved from may
// only be assigned to or destroyed.
//
// How it works. A layout is a sum of one-dimensional functions. Every
// coordinate of an index is cut into digits, (x div D) mod M, and every digit
// is multiplied by a stride:
//
//   linear index = base + sum of stride * ((x div D) mod M)
//
// index_map/map_structure.h describes the normal form of this sum.
//
// Some layouts do not fit that form directly. A coordinate may be a function of
// several dimensions (a tile that joins dimensions), or a digit of a digit
// whose divisor does not divide it (T(8)(3)). Such a coordinate is an
// additional *source*, computed from pieces of earlier sources. The general
// evaluator does this: it is slower, but exact.
//
// A sum of coordinates with any strides (Builder::Sum) is a source too. Its
// terms are pushed down to the dimensions wherever that is exact. In the
// inverse, values that no index produces are gaps. A dimension may be part of
// several sums: the inverse reads only as many digits as determine it, and
// compares the others with it (`repeats`).
//
// A swizzle (Swizzled) is the last step. It is its own inverse, so the inverse
// applies it first:
//
//   linear index = swizzle(base + sum of stride * ((x div D) mod M))
//   swizzle(p) = p ^ ((p & mask) >> shift), or << -shift where shift < 0
//
// Digits, sources, terms and base() describe the map before the swizzle;
// positions are those after it.

#ifndef TESSERA_INDEX_MAP_INDEX_MAP_H_
#define TESSERA_INDEX_MAP_INDEX_MAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/value_type.h"
#include "tessera/index_map/internal/compiled_map.h"
#include "tessera/index_map/map_structure.h"

namespace tessera {

class IndexMap {
 public:
  using Kind = MapStructure::Kind;
  using Digit = MapStructure::Digit;
  using Piece = MapStructure::Piece;
  using Source = MapStructure::Source;
  using Term = MapStructure::Term;
  using BitSwizzle = MapStructure::BitSwizzle;

  // The padding of a group of dimensions. A group is nearly always one
  // dimension; dimensions that a tile joins are padded together; a tile with
  // more dimensions than the array adds a group without any dimension.
  struct DimensionPadding {
    std::vector<int64_t> dimensions;
    int64_t bound = 1;   // the product of the dimensions' bounds
    int64_t padded = 1;  // the number of values of the group's digits
  };

  // A coordinate, recovered from a position, that is outside its bound.
  struct FailedBound {
    std::vector<int64_t> dimensions;  // whose coordinate it is; may be empty
    int64_t value = 0;
    int64_t bound = 0;
    // The Coordinate::source of the coordinate in the builder; below rank(),
    // the number of the dimension.
    int32_t source = 0;
  };

  class Builder;

  // Creates the map of a rank-0 array: one element, at position 0.
  IndexMap();

  int64_t rank() const { return structure_->rank(); }
  absl::Span<const int64_t> bounds() const { return structure_->bounds; }
  // Whether the map has an inverse: kMixedRadix and kInjective maps have one,
  // kGeneral maps do not (map_structure.h).
  Kind kind() const { return structure_->kind; }

  // The number of elements: the product of the bounds.
  int64_t element_count() const { return structure_->element_count; }
  // The number of positions, including padding, gaps and tail.
  int64_t position_count() const { return structure_->position_count; }
  // The position at which the tail begins; position_count() without a tail.
  int64_t tail_begin() const { return structure_->tail_begin; }
  // The position where every digit is 0, before the swizzle: that of index 0
  // unless a sum has an offset.
  int64_t base() const { return structure_->base; }
  // The swizzle, reduced to the bits that matter in this map; see Swizzled.
  const BitSwizzle& swizzle() const { return structure_->swizzle; }
  bool is_swizzled() const { return structure_->swizzle.bits != 0; }

  // The parts of the map (map_structure.h), for code that computes with them.
  const MapStructure& structure() const { return *structure_; }
  // The digits by decreasing absolute stride. Digits with one value are left
  // out, and digits that continue one another are merged.
  absl::Span<const Digit> digits() const { return structure_->digits; }
  absl::Span<const Source> sources() const { return structure_->sources; }
  // The normal form of the function, sorted by source, then divisor.
  absl::Span<const Term> terms() const { return structure_->terms; }
  // The constant that the terms are added to, modulo 2^64.
  uint64_t constant() const { return structure_->constant; }
  // The sources past rank() that the terms need, in increasing order. They are
  // computed at each call.
  absl::Span<const int32_t> computed_sources() const {
    return structure_->computed_sources;
  }
  // Whether the function is a sum of functions of single dimensions, so no term
  // uses a source past rank(). False for swizzled maps.
  bool is_separable() const {
    return structure_->computed_sources.empty() && !is_swizzled();
  }

  // -- Forward: index to linear index ----------------------------------------

  // Returns the linear index of the element at `index`.
  //
  // Errors: kInvalidArgument if `index` does not have rank() entries,
  // kOutOfRange if an entry is outside its bound.
  absl::StatusOr<int64_t> LinearIndex(absl::Span<const int64_t> index) const {
    if (ABSL_PREDICT_FALSE(!IsWithinBounds(index))) return IndexError(index);
    return LinearIndexUnchecked(index);
  }

  // Like LinearIndex, but without checks. Precondition: `index` has rank()
  // entries, each within its bound.
  int64_t LinearIndexUnchecked(absl::Span<const int64_t> index) const {
    return structure_->LinearIndex(index.data());
  }

  // -- Inverse: linear index to index ----------------------------------------

  // Returns the kind of `linear_index` and, for an element, writes its index.
  // For anything else the contents of `index` are unspecified.
  //
  // Errors: kOutOfRange if `linear_index` is outside [0, position_count()),
  // kInvalidArgument if `index` does not have rank() entries,
  // kFailedPrecondition if kind() is kGeneral.
  //
  // Law: LinearIndex(i) == p  <=>  MultidimensionalIndex(p) is kElement and i.
  absl::StatusOr<PositionKind> MultidimensionalIndex(
      int64_t linear_index, absl::Span<int64_t> index) const {
    if (ABSL_PREDICT_FALSE(!HasInverseAt(linear_index) ||
                           index.size() != structure_->bounds.size())) {
      return InverseError(linear_index, index.size());
    }
    return MultidimensionalIndexUnchecked(linear_index, index);
  }

  // Like MultidimensionalIndex, but without checks. Precondition: none of these
  // errors occurs.
  PositionKind MultidimensionalIndexUnchecked(int64_t linear_index,
                                              absl::Span<int64_t> index) const {
    return structure_->MultidimensionalIndex(linear_index, index.data());
  }

  // Returns the bounds that fail at `linear_index`, in the order in which the
  // builder made the coordinates. Empty for an element, a gap or the tail.
  // Errors: those of MultidimensionalIndex.
  absl::StatusOr<std::vector<FailedBound>> FailedBounds(
      int64_t linear_index) const;

  // -- Sizes and units -------------------------------------------------------

  // Returns the padding by dimension: one entry for each dimension or group of
  // joined dimensions, in the order of their first dimension; groups without a
  // dimension come last. For kMixedRadix the product of `padded` is
  // tail_begin().
  std::vector<DimensionPadding> PaddingByDimension() const;

  // Returns the map in smaller units, for example bytes instead of elements:
  // every position times `factor`, plus `offset`. The positions in between are
  // gaps. A swizzle moves up with the bits of the positions.
  //
  // Errors: kOutOfRange if position_count() * factor + offset exceeds 2^63-1;
  // kUnimplemented if the map is swizzled, unless `factor` is a power of two
  // and `offset` modulo factor * 2^swizzle().end() is less than `factor`:
  // otherwise the result is not a swizzled sum. Precondition: factor > 0,
  // offset >= 0.
  absl::StatusOr<IndexMap> Scaled(int64_t factor, int64_t offset) const;

  // Returns the map with every position swizzled: CuTe's Swizzle<bits, base,
  // shift> after this map.
  //
  //   // 8 x 8, row-major: the row number is XORed into the column number.
  //   map.Swizzled({/*bits=*/3, /*base=*/0, /*shift=*/3})
  //       ->LinearIndexUnchecked({5, 1});  // 5*8 + (1 ^ 5) = 44
  //
  // swizzle() is reduced to the bits that positions can have; if none remain,
  // the map is returned unchanged. tail_begin() becomes the largest swizzled
  // position, plus one, of the positions below it; position_count() grows to at
  // least that. Positions below tail_begin() that were past the digits are
  // gaps.
  //
  // Errors: kInvalidArgument if `bits` or `base` is negative, or if |shift| is
  // less than `bits`; kOutOfRange if swizzle.end() exceeds 63 or a position
  // exceeds 2^63-2; kUnimplemented if the map is already swizzled and `bits` is
  // not 0.
  absl::StatusOr<IndexMap> Swizzled(const BitSwizzle& swizzle) const;

  // Returns the function as a formula for people, the largest stride first:
  // "[3,5] -> [0,24): 12*(i0 div 2) + 4*(i1 div 2) + 2*(i0 mod 2) + (i1 mod
  // 2)".
  std::string ToString() const;

  // Whether both have the same structure: the same bounds, digits, sources,
  // base, swizzle and counts. Maps with different structures may still be the
  // same function: see SameFunction (index_map/same_function.h).
  friend bool operator==(const IndexMap& a, const IndexMap& b) {
    return a.structure_ == b.structure_ || a.IsBuiltLike(b);
  }
  friend bool operator!=(const IndexMap& a, const IndexMap& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const IndexMap& map) {
    const MapStructure& s = *map.structure_;
    return H::combine(std::move(h), s.bounds, s.sources, s.digits, s.base,
                      s.swizzle, s.tail_begin, s.position_count);
  }

 private:
  explicit IndexMap(
      std::shared_ptr<const index_map_internal::CompiledMap> structure)
      : structure_(std::move(structure)) {}

  bool IsWithinBounds(absl::Span<const int64_t> index) const {
    // Unrolled, because with so few comparisons the loop itself is half the
    // cost.
    const absl::Span<const int64_t> bounds = structure_->bounds;
    if (index.size() != bounds.size()) return false;
#pragma GCC unroll 4
    for (size_t i = 0; i < index.size(); ++i) {
      if (static_cast<uint64_t>(index[i]) >= static_cast<uint64_t>(bounds[i])) {
        return false;
      }
    }
    return true;
  }
  bool HasInverseAt(int64_t linear_index) const {
    return structure_->kind != Kind::kGeneral &&
           static_cast<uint64_t>(linear_index) <
               static_cast<uint64_t>(structure_->position_count);
  }
  // Returns the reason why there is no answer.
  absl::Status IndexError(absl::Span<const int64_t> index) const;
  absl::Status InverseError(int64_t linear_index, size_t room) const;
  bool IsBuiltLike(const IndexMap& other) const;

  std::shared_ptr<const index_map_internal::CompiledMap> structure_;
};

}  // namespace tessera

TESSERA_DECLARE_VALUE(tessera, IndexMap);

#endif  // TESSERA_INDEX_MAP_INDEX_MAP_H_
