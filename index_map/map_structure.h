// The structure of an IndexMap as plain data, for code that computes on it.
//
// Every coordinate of an index (a *source*) is cut into digits, and every digit
// is multiplied by a stride:
//
//   linear index = base + sum of stride * ((x div divisor) mod modulus)
//
// `digits` has these in the order in which the inverse reads them off a
// position, by decreasing stride. `terms` has the same function in the form
// that the forward direction computes, source by source. Since
//
//   (x div D) mod M = (x div D) - M * (x div D*M),
//
// a sum of digits is also a sum of *terms*, coefficient * (x div D). The
// functions x div D, for D from 1 to bound - 1, are linearly independent on
// [0, bound): the terms are a normal form. Adjacent digits merge
// automatically, and two maps are equal exactly when their terms are.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h: digits
//   // i0 div 2, i1 div 2, i0 mod 2 and i1 mod 2, of strides 12, 4, 2 and 1.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   map.digits().size();         // 4
//   map.digits()[0].divisor;     // 2
//   map.digits()[0].stride;      // 12
//
//   // 2*i0 + 8*(i0 div 2) + i1 + 2*(i1 div 2).
//   map.terms().size();          // 4
//   map.terms()[1].divisor;      // 2
//   map.terms()[1].coefficient;  // 8

#ifndef TESSERA_INDEX_MAP_MAP_STRUCTURE_H_
#define TESSERA_INDEX_MAP_MAP_STRUCTURE_H_

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "tessera/index_map/position_kind.h"

namespace tessera {

struct MapStructure {
  enum class Kind : uint8_t {
    // Every position below tail_begin is exactly one combination of digits.
    // Every valid XLA layout has this kind.
    kMixedRadix,
    // No two indices share a position, and digits can be read off a position
    // from the largest stride down, but some positions are gaps, or some
    // strides are negative.
    kInjective,
    // No inverse is offered: a coordinate is missing from the positions, it is
    // used twice without either use determining it, or strides overlap.
    kGeneral,
  };

  // A digit of a source: (value div divisor) mod modulus.
  struct Digit {
    int32_t source = 0;
    // Whether the source is determined without this digit. Derived, so not
    // compared.
    bool repeats = false;
    int64_t divisor = 1;
    int64_t modulus = 1;  // how many values it takes
    int64_t stride = 0;   // in positions

    // The absolute value of the stride, by which the digit is read off a
    // position. Positions are read from `lowest` up; if the stride is negative,
    // the lowest position holds the largest digit, so the value read is
    // reflected.
    uint64_t unit() const {
      const uint64_t positions = static_cast<uint64_t>(stride);
      return stride < 0 ? -positions : positions;
    }
    int64_t Reflected(int64_t value) const {
      return stride < 0 ? modulus - 1 - value : value;
    }

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

  // A digit of an earlier source that contributes to a later one.
  struct Piece {
    int32_t source = 0;
    // Like Digit::repeats, for the earlier source.
    bool repeats = false;
    int64_t divisor = 1;
    int64_t modulus = 0;  // 0: no remainder is taken
    int64_t multiplier = 1;

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

  // A coordinate with values in [0, bound). The first sources, one per
  // dimension, have no pieces. A later source is `offset` plus the sum of
  // multiplier * piece, by decreasing multiplier. If each multiplier exceeds
  // the largest sum of the pieces after it, the pieces can be read off again. A
  // later source without pieces is a constant, such as the 0 that a tile with
  // more dimensions than the array prepends.
  struct Source {
    int64_t bound = 1;
    std::vector<Piece> pieces;
    int64_t offset = 0;
    // The Coordinate::source in the builder. Not compared.
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

  // coefficient * (source div divisor). The terms of a source, by increasing
  // divisor, are digits as well: this one counts from `divisor` up to where the
  // next begins, and each count is `stride` positions,
  //
  //   stride * ((source div divisor) mod modulus)
  //
  // without the remainder if `modulus` is 0. This is the case for the last term
  // of a source, and for a term whose divisor does not divide the next: the
  // next term then starts over, and its stride is its coefficient.
  struct Term {
    int32_t source = 0;
    int64_t divisor = 1;
    uint64_t coefficient = 0;  // modulo 2^64: may represent a negative number
    // Both follow from the divisors and coefficients. Not compared.
    int64_t modulus = 0;
    int64_t stride = 0;

    friend bool operator==(const Term& a, const Term& b) {
      return a.source == b.source && a.divisor == b.divisor &&
             a.coefficient == b.coefficient;
    }
    friend bool operator!=(const Term& a, const Term& b) { return !(a == b); }
  };

  // p ^ ((p & mask()) >> shift), or << -shift if `shift` is negative: `bits`
  // bits of a position are XORed into as many others at a distance of |shift|,
  // `base` being the lowest bit of both. This is CuTe's Swizzle<bits, base,
  // shift>. Without bits, nothing changes.
  struct BitSwizzle {
    int32_t bits = 0;
    int32_t base = 0;
    int32_t shift = 0;

    // The bits that are read.
    uint64_t mask() const {
      return ((uint64_t{1} << bits) - 1) << (base + (shift > 0 ? shift : 0));
    }
    // The bits from end() on are neither read nor changed.
    int32_t end() const { return base + bits + (shift > 0 ? shift : -shift); }
    // Law: Apply(Apply(p)) == p. Precondition: the conditions of
    // IndexMap::Swizzled; position >= 0.
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

  // -- Set by the builder ------------------------------------------------

  absl::InlinedVector<int64_t, 6> bounds;
  absl::InlinedVector<Source, 4> sources;
  absl::InlinedVector<Digit, 8> digits;
  int64_t base = 0;
  BitSwizzle swizzle;
  int64_t tail_begin = 1;
  int64_t position_count = 1;

  // -- Derived --------------------------------------------------

  Kind kind = Kind::kMixedRadix;
  // The lowest position that digits can make up: `base`, unless strides are
  // negative.
  int64_t lowest = 0;
  // Whether a digit or piece repeats others.
  bool has_repeats = false;
  int64_t element_count = 1;
  absl::InlinedVector<Term, 8> terms;  // sorted by source, then divisor
  // The constant that the terms are added to, modulo 2^64: `base`, and the
  // offsets of sums whose terms are those of their summands.
  uint64_t constant = 0;
  // The sources past the dimensions that the terms need, in increasing order.
  // They are computed at each call.
  absl::InlinedVector<int32_t, 4> computed_sources;

  int64_t rank() const { return static_cast<int64_t>(bounds.size()); }
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_MAP_STRUCTURE_H_
