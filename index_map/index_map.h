// File: index_map/index_map.h
//
// Where does every element of an array lie, and what lies at every position?
//
// An IndexMap is the one answer to both for every family of layouts: a function
// from multidimensional indices to linear indices, compiled once and asked
// often. It knows integers only; index_util/ makes one from an XLA shape, and
// BatchIndexMap (batch_index_map.h) asks it for many indices at a time.
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
//   IndexMap::Builder builder({3, 5});
//   auto rows = builder.Split(builder.Dimension(0), 2);
//   auto columns = builder.Split(builder.Dimension(1), 2);
//   absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
//       {rows.first, columns.first, rows.second, columns.second});
//
//   map->LinearIndexUnchecked({2, 3});          // 17
//   std::vector<int64_t> index(2);
//   map->MultidimensionalIndex(17, absl::MakeSpan(index));
//                                               // kElement, index == {2, 3}
//   map->MultidimensionalIndex(9, absl::MakeSpan(index));  // kPadding
//
// How it works. A layout is a sum of one-dimensional functions. Every
// coordinate of an index (a *source*) is cut into digits, (x div D) mod M, and
// every digit is multiplied by a stride:
//
//   linear index = base + sum of stride * ((x div D) mod M)
//
// Since (x div D) mod M = (x div D) - M * (x div D*M), this is also a sum of
// *terms*, coefficient * (x div D). The functions x div D, for D from 1 to
// bound - 1, are linearly independent on [0, bound): the terms are a normal
// form. Digits that continue one another merge by themselves, two maps are
// equal exactly when their terms are, and a term costs a shift and a
// multiplication.
//
// What does not fit, `x` being a function of several coordinates (a tile that
// joins dimensions) or a digit of a digit whose divisor does not divide it
// (T(8)(3)), is one more source, whose value is computed from pieces of
// earlier ones. That is the general evaluator: more slowly, but exactly.
//
// A sum of coordinates with any strides (Builder::Sum) is a source too. Its
// terms are pushed down to the dimensions like those of any other wherever that
// is exact. On the way back some of its values may be of no index: gaps.
// A dimension may be part of several sums. It is then read from as few digits
// as make it up, and the others are held against it (`repeats`).
//
// A swizzle (Swizzled) is the last step, on what the sum makes, the base
// included. It is its own inverse, so that the same step comes first on the way
// back:
//
//   linear index = swizzle(base + sum of stride * ((x div D) mod M))
//   swizzle(p) = p ^ ((p & mask) >> shift), or << -shift where shift < 0
//
// Digits, sources, terms and base() are those before the swizzle; positions,
// wherever they are taken or given, are those after it.

#ifndef TESSERA_INDEX_MAP_INDEX_MAP_H_
#define TESSERA_INDEX_MAP_INDEX_MAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/math/fast_divider.h"

namespace tessera {

// What lies at a position.
enum class PositionKind : uint8_t {
  kElement,
  // The digits of the position name an index outside the bounds.
  // IndexMap::FailedBounds says which bounds.
  kPadding,
  // The position lies between those that digits can reach, or its digits make
  // up a sum, or repeat a dimension, as no index does.
  kGap,
  // The position is past everything that digits can reach.
  kTail,
};

class IndexMap {
 public:
  enum class Kind {
    // Every position below tail_begin() is exactly one combination of digits.
    // Every valid XLA layout is of this kind.
    kMixedRadix,
    // No two indices share a position, and digits can be read off a position
    // from the largest stride down, but some positions are gaps.
    kInjective,
    // No inverse is offered: a coordinate is missing from the positions, it is
    // used twice without either use telling all of it, or strides overlap.
    kGeneral,
  };

  // A digit of a source: (value div divisor) mod modulus.
  struct Digit {
    int32_t source = 0;
    int64_t divisor = 1;
    int64_t modulus = 1;  // how many values it takes
    int64_t stride = 0;   // in positions
    // Whether the source is made up without it: derived, and not compared.
    bool repeats = false;

    friend bool operator==(const Digit& a, const Digit& b) {
      return a.Key() == b.Key();
    }
    template <typename H>
    friend H AbslHashValue(H h, const Digit& digit) {
      return H::combine(std::move(h), digit.Key());
    }

   private:
    std::tuple<int32_t, int64_t, int64_t, int64_t> Key() const {
      return std::make_tuple(source, divisor, modulus, stride);
    }
  };

  // A digit of an earlier source, as it contributes to a later one.
  struct Piece {
    int32_t source = 0;
    int64_t divisor = 1;
    int64_t modulus = 0;  // 0: no remainder is taken
    int64_t multiplier = 1;
    // As Digit::repeats, of the earlier source.
    bool repeats = false;

    friend bool operator==(const Piece& a, const Piece& b) {
      return a.Key() == b.Key();
    }
    template <typename H>
    friend H AbslHashValue(H h, const Piece& piece) {
      return H::combine(std::move(h), piece.Key());
    }

   private:
    std::tuple<int32_t, int64_t, int64_t, int64_t> Key() const {
      return std::make_tuple(source, divisor, modulus, multiplier);
    }
  };

  // A coordinate with values in [0, bound). The first rank() sources are the
  // dimensions of the index and have no pieces. A later source is `offset` plus
  // the sum of multiplier * piece, the multipliers falling. Where each exceeds
  // what the pieces after it can add up to, the pieces can be read off again.
  // Without any piece it is a constant, such as the 0 that a tile of more
  // dimensions than the array puts in front.
  struct Source {
    int64_t bound = 1;
    absl::InlinedVector<Piece, 2> pieces;
    int64_t offset = 0;
    // The Coordinate::source by which the builder knew it. Not compared.
    int32_t name = 0;

    friend bool operator==(const Source& a, const Source& b) {
      return a.bound == b.bound && a.pieces == b.pieces && a.offset == b.offset;
    }
    template <typename H>
    friend H AbslHashValue(H h, const Source& source) {
      return H::combine(std::move(h), source.bound, source.pieces,
                        source.offset);
    }
  };

  // coefficient * (source div divisor); see the head of this file.
  struct Term {
    int32_t source = 0;
    int64_t divisor = 1;
    uint64_t coefficient = 0;  // modulo 2^64: may stand for a negative number

    friend bool operator==(const Term& a, const Term& b) {
      return a.source == b.source && a.divisor == b.divisor &&
             a.coefficient == b.coefficient;
    }
    friend bool operator!=(const Term& a, const Term& b) { return !(a == b); }
  };

  // How much of a group of dimensions is padding. Nearly always a group is one
  // dimension; dimensions that a tile joins are padded together; a group
  // without any dimension is what a tile of more dimensions than the array
  // puts in front.
  struct DimensionPadding {
    std::vector<int64_t> dimensions;
    int64_t bound = 1;   // the product of the dimensions' bounds
    int64_t padded = 1;  // what the digits of the group can count
  };

  // A recovered coordinate that is not within its bound.
  struct FailedBound {
    std::vector<int64_t> dimensions;  // whose coordinate it is; may be empty
    int64_t value = 0;
    int64_t bound = 0;
    // The Coordinate::source by which the builder knew the coordinate: the
    // number of the dimension below rank().
    int32_t source = 0;
  };

  // p ^ ((p & mask()) >> shift), or << -shift where `shift` is negative: `bits`
  // bits of a position are added, modulo 2 each, to as many others at a
  // distance of |shift|, `base` being the lowest bit of both. This is CuTe's
  // Swizzle<bits, base, shift>. Without bits, nothing changes.
  struct BitSwizzle {
    int32_t bits = 0;
    int32_t base = 0;
    int32_t shift = 0;

    // The bits that are taken.
    uint64_t mask() const {
      return ((uint64_t{1} << bits) - 1) << (base + (shift > 0 ? shift : 0));
    }
    // The bits from end() on are neither taken nor added to.
    int32_t end() const { return base + bits + (shift > 0 ? shift : -shift); }
    // Law: Apply(Apply(p)) == p.
    // Precondition: what Swizzled asks for; position >= 0.
    int64_t Apply(int64_t position) const {
      const uint64_t p = static_cast<uint64_t>(position);
      const uint64_t taken = p & mask();
      return static_cast<int64_t>(
          p ^ (shift > 0 ? taken >> shift : taken << -shift));
    }

    friend bool operator==(const BitSwizzle& a, const BitSwizzle& b) {
      return a.Key() == b.Key();
    }
    friend bool operator!=(const BitSwizzle& a, const BitSwizzle& b) {
      return !(a == b);
    }
    template <typename H>
    friend H AbslHashValue(H h, const BitSwizzle& swizzle) {
      return H::combine(std::move(h), swizzle.Key());
    }

   private:
    std::tuple<int32_t, int32_t, int32_t> Key() const {
      return std::make_tuple(bits, base, shift);
    }
  };

  class Builder;

  // The map of a rank-0 array: one element, at position 0.
  IndexMap() { Compile(); }

  int64_t rank() const { return bounds_.size(); }
  absl::Span<const int64_t> bounds() const { return bounds_; }
  Kind kind() const { return kind_; }

  // How many elements there are: the product of the bounds.
  int64_t element_count() const { return element_count_; }
  // How many positions there are, padding, gaps and tail included.
  int64_t position_count() const { return position_count_; }
  // Where the tail begins; position_count() if there is none.
  int64_t tail_begin() const { return tail_begin_; }
  // The position where every digit is 0, before the swizzle: that of index 0
  // unless a sum has an offset.
  int64_t base() const { return base_; }
  // The swizzle, less what does nothing in this map; see Swizzled.
  const BitSwizzle& swizzle() const { return swizzle_; }
  bool is_swizzled() const { return swizzle_.bits != 0; }

  // The structure, for code that computes on it. Digits stand by falling
  // stride; those with one value are left out, and those that continue one
  // another are one.
  absl::Span<const Digit> digits() const { return digits_; }
  absl::Span<const Source> sources() const { return sources_; }
  // Sorted by source, then divisor: the normal form of the function.
  absl::Span<const Term> terms() const { return terms_; }
  // What they are added to, modulo 2^64: base() and the offsets of sums whose
  // terms are those of their summands.
  uint64_t constant() const { return forward_base_; }
  // Whether the function is a sum of functions of single dimensions, so that
  // no term is of a source past rank(). No swizzled map is.
  bool is_separable() const {
    return computed_sources_.empty() && !is_swizzled();
  }

  // -- Forward: index to linear index ----------------------------------------

  // Returns the linear index of the element at `index`.
  //
  // Errors: kInvalidArgument if `index` does not have rank() entries,
  // kOutOfRange if one lies outside its bound.
  absl::StatusOr<int64_t> LinearIndex(absl::Span<const int64_t> index) const;

  // The same for an index known to be good.
  // Precondition: `index` has rank() entries, each within its bound.
  int64_t LinearIndexUnchecked(absl::Span<const int64_t> index) const {
    return linear_index_(*this, index.data());
  }

  // -- Inverse: linear index to index ----------------------------------------

  // Says what lies at `linear_index` and, for an element, writes its index.
  // For anything else the contents of `index` are unspecified.
  //
  // Errors: kOutOfRange if `linear_index` is outside [0, position_count()),
  // kInvalidArgument if `index` does not have rank() entries,
  // kFailedPrecondition if kind() is kGeneral.
  //
  // Law: LinearIndex(i) == p  <=>  MultidimensionalIndex(p) is kElement and i.
  absl::StatusOr<PositionKind> MultidimensionalIndex(
      int64_t linear_index, absl::Span<int64_t> index) const;

  // The same where all three conditions are known to hold.
  PositionKind MultidimensionalIndexUnchecked(int64_t linear_index,
                                              absl::Span<int64_t> index) const {
    return multidimensional_index_(*this, linear_index, index.data());
  }

  // Returns the bounds that fail at `linear_index`, in the order in which the
  // builder made the coordinates: none for an element, a gap or the tail.
  // Errors: as MultidimensionalIndex.
  absl::StatusOr<std::vector<FailedBound>> FailedBounds(
      int64_t linear_index) const;

  // -- Sizes and units -------------------------------------------------------

  // Says who pays for padding: one entry for each dimension or group of joined
  // dimensions, in the order of their first dimension, those of no dimension
  // last. For kMixedRadix the product of `padded` is tail_begin().
  std::vector<DimensionPadding> PaddingByDimension() const;

  // Returns the map in smaller units: every position times `factor` (say, from
  // elements to the bytes that one takes), after `offset` units. The positions
  // in between are gaps. A swizzle moves up with the bits of the positions.
  //
  // Errors: kOutOfRange if position_count() * factor + offset exceeds 2^63-1;
  // kUnimplemented if the map is swizzled, unless `factor` is a power of two
  // and `offset` leaves less than `factor` when divided by factor *
  // 2^swizzle().end(): what comes of it would not be a sum that is swizzled.
  // Precondition: factor > 0, offset >= 0.
  absl::StatusOr<IndexMap> Scaled(int64_t factor, int64_t offset) const;

  // Returns the map with every position swizzled: CuTe's Swizzle<bits, base,
  // shift> after this map.
  //
  //   // 8 x 8, row major: the number of the row is added to the column's.
  //   map.Swizzled({/*bits=*/3, /*base=*/0, /*shift=*/3})
  //       ->LinearIndexUnchecked({5, 1});  // 5*8 + (1 ^ 5) = 44
  //
  // swizzle() keeps of the bits those from the lowest to the highest that a
  // position of digits can have, nothing if there is none: then the map stays
  // as it is. tail_begin() becomes the largest of what that makes of the
  // positions below it, plus one; position_count() grows to there if it has to.
  // Positions below tail_begin() that were past the digits are gaps.
  //
  // Errors: kInvalidArgument if `bits` or `base` is negative or |shift| less
  // than `bits`; kOutOfRange if end() is past bit 63 or a position past 2^63-2;
  // kUnimplemented if the map is_swizzled() already and `bits` is not 0.
  absl::StatusOr<IndexMap> Swizzled(const BitSwizzle& swizzle) const;

  // The function in words, for people:
  // "[3,5] -> [0,24): 12*(i0 div 2) + 2*(i0 mod 2) + 4*(i1 div 2) + (i1 mod
  // 2)".
  std::string ToString() const;

  // Whether both are built alike: the same bounds, digits, sources, base,
  // swizzle and counts. Maps that are built differently may still be the same
  // function: SameFunction (index_map/same_function.h) tells.
  friend bool operator==(const IndexMap& a, const IndexMap& b) {
    return a.bounds_ == b.bounds_ && a.sources_ == b.sources_ &&
           a.digits_ == b.digits_ && a.base_ == b.base_ &&
           a.swizzle_ == b.swizzle_ && a.tail_begin_ == b.tail_begin_ &&
           a.position_count_ == b.position_count_;
  }
  friend bool operator!=(const IndexMap& a, const IndexMap& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const IndexMap& map) {
    return H::combine(std::move(h), map.bounds_, map.sources_, map.digits_,
                      map.base_, map.swizzle_, map.tail_begin_,
                      map.position_count_);
  }

 private:
  // Lets tests reach the forms that this processor, or this map, passes over.
  friend class IndexMapTestPeer;

  // A form of the forward or of the inverse function, made for some numbers of
  // dimensions or terms. `x` has rank() entries.
  using LinearIndexForm = int64_t (*)(const IndexMap& map, const int64_t* x);
  using MultidimensionalIndexForm = PositionKind (*)(const IndexMap& map,
                                                     int64_t linear_index,
                                                     int64_t* x);
  // Stands for a number of dimensions or terms that no form was made for.
  static constexpr int kAnyNumber = -1;

  struct ShiftTerm {
    uint32_t source;
    uint32_t shift;
    uint64_t coefficient;
  };
  struct DivideTerm {
    FastDivider divider;
    uint32_t source;
    uint64_t coefficient;
  };
  // A source past rank() that terms need, as the forward function computes it:
  // from its pieces, and then its terms, each the next in their list.
  struct ComputedSource {
    uint64_t offset;
    uint32_t pieces;
    uint32_t terms;
  };
  struct ComputedPiece {
    FastDivider divider;
    FastDivider by_modulus;
    uint64_t modulus;  // 0: no remainder is taken
    uint64_t multiplier;
    // Of a dimension, or rank() plus the number of a computed source.
    uint32_t source;
    bool is_whole;  // neither divided nor reduced
  };
  // A digit as the inverse reads it.
  struct InverseDigit {
    FastDivider by_stride;
    uint64_t modulus;
    uint64_t stride;
    uint64_t divisor;
    uint32_t source;
  };
  struct BoundCheck {
    uint32_t source;
    uint64_t bound;
  };
  // The minor-most digits of one dimension whose divisors are powers of two and
  // whose strides are `weight` times powers of two, all at once: the bits of
  // the coordinate, put under `mask` in order, times `weight`.
  struct ScatteredBits {
    uint64_t mask = 0;
    uint64_t weight = 0;
  };
  // The digits of one dimension whose strides, divisors and moduli are powers
  // of two, all at once: they are the bits of the position under `mask`, in
  // order, times `weight`.
  struct GatheredBits {
    uint64_t mask = 0;
    uint64_t weight = 0;
  };
  // Any other digit, by falling stride: the quotient by its stride, less
  // `modulus` times the quotient that stands before it in the list, is the
  // digit. Where the next larger stride is of no loose digit, an entry of
  // divisor 0 supplies the quotient.
  struct LooseDigit {
    FastDivider by_stride;
    uint64_t modulus;  // 0 for the major-most digit, which needs no remainder
    uint64_t divisor;
    uint32_t source;
  };

  // Takes out the sources past rank() that no digit is made of.
  void DropUnusedSources();
  // Derives everything below "Derived" from what stands above it, for this
  // processor, or for one that CanGatherBits or not.
  void Compile();
  void CompileFor(bool can_gather_bits);
  // The same for the map before its swizzle.
  void CompileDigitsFor(bool can_gather_bits);
  // Also says which digits and pieces repeat what others say.
  Kind ClassifyKind();
  // Also sets forward_base_.
  std::vector<Term> NormalForm();

  // Derives computed_sources_, and their pieces and terms.
  void ListComputedSources();
  // Sorts the terms of dimensions into scattered_bits_ and divide_terms_.
  void ScatterBits();
  // Sorts the digits into gathered_bits_ and loose_digits_.
  void GatherBits();

  // The forward function in four forms: by instructions that scatter bits, for
  // processors that have them; by one shift a term, straight on; by a loop over
  // terms; and with the sources past rank() computed first.
  // What is computed beside the terms of dimensions: nothing, one sum of
  // dimensions, or whatever there is.
  enum class Computed { kNothing, kOneSum, kAnything };
  LinearIndexForm ScatteringForm() const;
  template <Computed kComputed>
  static LinearIndexForm ScatteringFormFor(size_t rank);
  template <int kRank, Computed kComputed>
  static int64_t ScatteringLinearIndex(const IndexMap& map, const int64_t* x);
  static LinearIndexForm ShiftingForm(size_t terms);
  template <int kTerms>
  static int64_t ShiftingLinearIndex(const IndexMap& map, const int64_t* x);
  static int64_t SumOfTerms(const IndexMap& map, const int64_t* x);
  static int64_t GeneralLinearIndex(const IndexMap& map, const int64_t* x);
  // What the terms of computed sources add.
  uint64_t SumOfComputed(const int64_t* x) const;

  // All bits that a position of digits can have before the swizzle; where
  // digits carry into one another, perhaps more.
  uint64_t PossibleBits() const;
  // The forms of a swizzled map: the swizzle after or before the form of the
  // map without it.
  static int64_t SwizzledLinearIndex(const IndexMap& map, const int64_t* x);
  static PositionKind SwizzledMultidimensionalIndex(const IndexMap& map,
                                                    int64_t linear_index,
                                                    int64_t* x);

  absl::Status CheckIndex(absl::Span<const int64_t> index) const;
  absl::Status CheckInverse(int64_t linear_index) const;
  // The inverse in three forms: by instructions that gather bits, for
  // processors that have them; by one division a digit; and for any map with
  // an inverse.
  static MultidimensionalIndexForm GatheringForm(size_t rank);
  template <int kRank>
  static PositionKind GatheringMultidimensionalIndex(const IndexMap& map,
                                                     int64_t linear_index,
                                                     int64_t* x);
  static PositionKind PortableMultidimensionalIndex(const IndexMap& map,
                                                    int64_t linear_index,
                                                    int64_t* x);
  static PositionKind GeneralMultidimensionalIndex(const IndexMap& map,
                                                   int64_t linear_index,
                                                   int64_t* x);
  // Of an index whose every entry is at least 0.
  bool IsWithinBounds(const int64_t* x) const {
    for (const BoundCheck& check : bound_checks_) {
      if (static_cast<uint64_t>(x[check.source]) >= check.bound) return false;
    }
    return true;
  }
  // Reads the digits of a position before the swizzle into the sources that
  // they belong to; false if it is a gap. `values` must be zero.
  bool ReadDigits(int64_t linear_index, absl::Span<int64_t> values) const;
  // Adds to earlier sources what `value`, of a source past rank() and within
  // its bound, is made of; false if no index makes it.
  static bool ReadPieces(const Source& source, int64_t value,
                         absl::Span<int64_t> values);
  // For every source, the dimensions that it is made of.
  std::vector<std::vector<int64_t>> DimensionsOfSources() const;

  absl::InlinedVector<int64_t, 6> bounds_;
  std::vector<Source> sources_;
  std::vector<Digit> digits_;
  int64_t base_ = 0;
  BitSwizzle swizzle_;
  int64_t tail_begin_ = 1;
  int64_t position_count_ = 1;

  // Derived.
  Kind kind_ = Kind::kMixedRadix;
  int64_t element_count_ = 1;
  bool has_repeats_ = false;
  std::vector<Term> terms_;
  // What the terms are added to: base_, and the offsets of sums that were
  // pushed down.
  uint64_t forward_base_ = 0;
  LinearIndexForm linear_index_ = nullptr;
  MultidimensionalIndexForm multidimensional_index_ = nullptr;
  // The forms of the map before its swizzle.
  LinearIndexForm unswizzled_linear_index_ = nullptr;
  MultidimensionalIndexForm unswizzled_multidimensional_index_ = nullptr;
  // The terms, in three parts: of each dimension, unless there are no
  // instructions for it, what can be scattered; of the rest, the terms whose
  // divisor is a power of two; and all others.
  std::vector<ScatteredBits> scattered_bits_;
  std::vector<ShiftTerm> shift_terms_;
  std::vector<DivideTerm> divide_terms_;
  // The sources past rank() that terms need, in order.
  std::vector<ComputedSource> computed_sources_;
  std::vector<ComputedPiece> computed_pieces_;
  std::vector<DivideTerm> computed_terms_;
  // Where the only one of them is a sum of dimensions: a factor for each of
  // these. Empty otherwise.
  std::vector<uint64_t> sum_weights_;
  std::vector<InverseDigit> inverse_digits_;
  std::vector<GatheredBits> gathered_bits_;  // one for each dimension
  std::vector<LooseDigit> loose_digits_;
  // The dimensions that digits can carry past their bound.
  std::vector<BoundCheck> bound_checks_;
};

// Builds an IndexMap by cutting and joining coordinates. Coordinates belong to
// the builder that made them. Errors are kept, and reported by Build.
class IndexMap::Builder {
 public:
  // (source div divisor) mod modulus, with values in [0, bound).
  struct Coordinate {
    int32_t source = 0;
    int64_t divisor = 1;
    int64_t modulus = 0;  // 0: no remainder is taken
    int64_t bound = 1;
  };

  struct StridedCoordinate {
    Coordinate coordinate;
    int64_t stride = 0;
  };

  // For indices within these bounds.
  explicit Builder(absl::Span<const int64_t> bounds);

  // The coordinate of dimension `i` of the index.
  Coordinate Dimension(int64_t i) const;

  // A coordinate that is always 0 and can be split like any other.
  Coordinate Unit();

  // major * minor.bound + minor.
  Coordinate Join(const Coordinate& major, const Coordinate& minor);

  // offset + the sum of stride * coordinate, with values in [0, bound) for the
  // largest of them plus 1: a coordinate with a source of its own, also where
  // it is just one of `coordinates`. These are read off it again, and what no
  // index makes is a gap, if every stride exceeds what the smaller ones add up
  // to within the bounds of their coordinates; kind() is kGeneral otherwise.
  // Strides of 0 add nothing. `limit` bounds the coordinate as well: it says
  // what the bounds of coordinates that depend on one another do not.
  // Precondition: limit > 0, and no index makes a value of `limit` or more.
  //
  //   // Rows of 8, each 32 after the one before: (i, j) -> 32*i + j.
  //   builder.Sum({{builder.Dimension(0), 32}, {builder.Dimension(1), 1}});
  //
  // Errors, from Build: kInvalidArgument if a stride or the offset is negative;
  // kOutOfRange if, by the bounds of the coordinates, a value could exceed
  // 2^63-2.
  Coordinate Sum(absl::Span<const StridedCoordinate> coordinates,
                 int64_t offset = 0,
                 int64_t limit = std::numeric_limits<int64_t>::max());

  // The coordinate with room for values up to `bound`, where it counts less:
  // positions for these are padding. Precondition: no remainder was taken (of
  // Dimension, Unit or Sum, or a quotient by Split of such), and the coordinate
  // is not split again.
  static Coordinate Widen(Coordinate coordinate, int64_t bound) {
    coordinate.bound = std::max(coordinate.bound, bound);
    return coordinate;
  }

  // (coordinate div divisor, coordinate mod divisor). Their bounds are
  // ceil(coordinate.bound / divisor) and divisor. Precondition: divisor > 0.
  std::pair<Coordinate, Coordinate> Split(const Coordinate& coordinate,
                                          int64_t divisor);

  // The linear index is the row-major position among `axes` (major to minor);
  // the number of positions is rounded up to a multiple of `alignment` > 0.
  // Where there are no elements there are no positions either.
  //
  // Errors: kInvalidArgument if a bound is negative; kOutOfRange if the product
  // of the bounds, of the axes' bounds, or of bounds that were joined, exceeds
  // 2^63-1.
  absl::StatusOr<IndexMap> BuildRowMajor(absl::Span<const Coordinate> axes,
                                         int64_t alignment = 1) &&;

  // The linear index is base + the sum of stride * coordinate. Strides may be
  // zero or negative and positions may repeat; kind() then says kGeneral.
  //
  // Errors: as above, and kOutOfRange if a position is outside [0, 2^63-1).
  absl::StatusOr<IndexMap> BuildStrided(
      absl::Span<const StridedCoordinate> coordinates, int64_t base = 0) &&;

 private:
  void KeepError(absl::Status status);
  Coordinate WholeSource(int32_t source) const;
  Coordinate AddSource(IndexMap::Source source);
  // Whether `source` is made of nothing but Unit.
  bool IsConstant(int32_t source) const;
  // The map without digits and positions, or the first error.
  absl::StatusOr<IndexMap> Begin() &&;

  absl::InlinedVector<int64_t, 6> bounds_;
  std::vector<IndexMap::Source> sources_;
  std::vector<bool> is_constant_;  // of the sources past the dimensions
  absl::Status status_;
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_INDEX_MAP_H_
