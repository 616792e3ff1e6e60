// The forms for maps whose digits are mostly powers of two: all such digits of
// a dimension are scattered into the position, or gathered from it, at once.

#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "tessera/index_map/gather_bits.h"
#include "tessera/index_map/index_map.h"

namespace tessera {
namespace {

bool IsPowerOfTwo(int64_t value) { return (value & (value - 1)) == 0; }

}  // namespace

// -- Forward -----------------------------------------------------------------

void IndexMap::ScatterBits() {
  scattered_bits_.assign(bounds_.size(), {});
  // Of the digit scattered last; stride 0 if none can follow it.
  int64_t last_divisor = 1, last_stride = 0;
  for (const Term& term : terms_) {
    if (term.source >= rank()) continue;
    ScatteredBits& bits = scattered_bits_[term.source];
    if (term.divisor == 1) {
      bits = {std::numeric_limits<uint64_t>::max(), term.coefficient};
      last_divisor = 1;
      last_stride = static_cast<int64_t>(term.coefficient);
      continue;
    }
    if (bits.mask != 0 && last_stride > 0 && IsPowerOfTwo(term.divisor)) {
      // A term changes the stride: what the digit before would go on to add is
      // taken off.
      const int64_t modulus = term.divisor / last_divisor;
      const int64_t stride = static_cast<int64_t>(
          term.coefficient + static_cast<uint64_t>(last_stride) * modulus);
      if (stride > 0 && stride % last_stride == 0 &&
          stride / last_stride >= modulus &&
          IsPowerOfTwo(stride / last_stride)) {
        const uint64_t last_bit = last_stride / bits.weight;
        const uint64_t bit = stride / bits.weight;
        // The major-most digit goes on without end.
        bits.mask = (bits.mask & (last_bit * modulus - 1)) | -bit;
        last_divisor = term.divisor;
        last_stride = stride;
        continue;
      }
    }
    last_stride = 0;
    divide_terms_.push_back({FastDivider(term.divisor),
                             static_cast<uint32_t>(term.source),
                             term.coefficient});
  }
}

template <int kRank, IndexMap::Computed kComputed>
TESSERA_GATHERS_BITS int64_t
IndexMap::ScatteringLinearIndex(const IndexMap& map, const int64_t* x) {
  const size_t rank = kRank == kAnyNumber ? map.bounds_.size() : kRank;
  const ScatteredBits* const bits = map.scattered_bits_.data();
  uint64_t sum = map.forward_base_;
#pragma GCC unroll 6
  for (size_t i = 0; i < rank; ++i) {
    sum += ScatterBitsUnder(bits[i].mask, x[i]) * bits[i].weight;
  }
  for (const DivideTerm& term : map.divide_terms_) {
    sum += static_cast<uint64_t>(term.divider.Divide(x[term.source])) *
           term.coefficient;
  }
  if constexpr (kComputed == Computed::kOneSum) {
    const uint64_t* const weights = map.sum_weights_.data();
    uint64_t value = map.computed_sources_.front().offset;
#pragma GCC unroll 6
    for (size_t i = 0; i < rank; ++i) {
      value += static_cast<uint64_t>(x[i]) * weights[i];
    }
    for (const DivideTerm& term : map.computed_terms_) {
      sum += static_cast<uint64_t>(
                 term.divider.Divide(static_cast<int64_t>(value))) *
             term.coefficient;
    }
  } else if constexpr (kComputed == Computed::kAnything) {
    sum += map.SumOfComputed(x);
  }
  return static_cast<int64_t>(sum);
}

template <IndexMap::Computed kComputed>
IndexMap::LinearIndexForm IndexMap::ScatteringFormFor(size_t rank) {
  static constexpr LinearIndexForm kForms[] = {
      ScatteringLinearIndex<0, kComputed>, ScatteringLinearIndex<1, kComputed>,
      ScatteringLinearIndex<2, kComputed>, ScatteringLinearIndex<3, kComputed>,
      ScatteringLinearIndex<4, kComputed>, ScatteringLinearIndex<5, kComputed>,
      ScatteringLinearIndex<6, kComputed>};
  return rank < std::size(kForms)
             ? kForms[rank]
             : ScatteringLinearIndex<kAnyNumber, kComputed>;
}

IndexMap::LinearIndexForm IndexMap::ScatteringForm() const {
  const size_t rank = bounds_.size();
  if (computed_sources_.empty()) {
    return ScatteringFormFor<Computed::kNothing>(rank);
  }
  if (!sum_weights_.empty()) return ScatteringFormFor<Computed::kOneSum>(rank);
  return ScatteringLinearIndex<kAnyNumber, Computed::kAnything>;
}

// -- Inverse -----------------------------------------------------------------

void IndexMap::GatherBits() {
  gathered_bits_.assign(bounds_.size(), {});
  loose_digits_.clear();
  std::vector<bool> loose(digits_.size());
  // From the minor-most digit up, so that the bits of a dimension come in
  // order.
  for (size_t i = digits_.size(); i-- > 0;) {
    const Digit& digit = digits_[i];
    GatheredBits& bits = gathered_bits_[digit.source];
    const bool is_major_most = i == 0;
    const int64_t next_divisor = bits.weight << __builtin_popcountll(bits.mask);
    const bool continues = bits.mask == 0 || next_divisor == digit.divisor;
    if (continues && IsPowerOfTwo(digit.stride) &&
        IsPowerOfTwo(digit.divisor) &&
        (is_major_most || IsPowerOfTwo(digit.modulus))) {
      // What stands above the major-most digit is 0.
      const uint64_t values = is_major_most
                                  ? std::numeric_limits<uint64_t>::max()
                                  : static_cast<uint64_t>(digit.modulus) - 1;
      if (bits.mask == 0) bits.weight = static_cast<uint64_t>(digit.divisor);
      bits.mask |= values * static_cast<uint64_t>(digit.stride);
    } else {
      loose[i] = true;
    }
  }
  for (size_t i = 0; i < digits_.size(); ++i) {
    if (!loose[i]) continue;
    const Digit& digit = digits_[i];
    if (i > 0 && !loose[i - 1]) {
      loose_digits_.push_back({FastDivider(digits_[i - 1].stride), 0, 0, 0});
    }
    loose_digits_.push_back({FastDivider(digit.stride),
                             i == 0 ? 0 : static_cast<uint64_t>(digit.modulus),
                             static_cast<uint64_t>(digit.divisor),
                             static_cast<uint32_t>(digit.source)});
  }
}

template <int kRank>
TESSERA_GATHERS_BITS PositionKind IndexMap::GatheringMultidimensionalIndex(
    const IndexMap& map, int64_t linear_index, int64_t* x) {
  if (linear_index >= map.tail_begin_) return PositionKind::kTail;
  const size_t rank = kRank == kAnyNumber ? map.bounds_.size() : kRank;
  const uint64_t position = static_cast<uint64_t>(linear_index);
  const GatheredBits* const bits = map.gathered_bits_.data();
#pragma GCC unroll 6
  for (size_t i = 0; i < rank; ++i) {
    x[i] = GatherBitsUnder(bits[i].mask, position) * bits[i].weight;
  }
  uint64_t more_major = 0;
  for (const LooseDigit& digit : map.loose_digits_) {
    const uint64_t quotient = digit.by_stride.Divide(linear_index);
    x[digit.source] += (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  return map.IsWithinBounds(x) ? PositionKind::kElement
                               : PositionKind::kPadding;
}

IndexMap::MultidimensionalIndexForm IndexMap::GatheringForm(size_t rank) {
  static constexpr MultidimensionalIndexForm kForms[] = {
      GatheringMultidimensionalIndex<0>, GatheringMultidimensionalIndex<1>,
      GatheringMultidimensionalIndex<2>, GatheringMultidimensionalIndex<3>,
      GatheringMultidimensionalIndex<4>, GatheringMultidimensionalIndex<5>,
      GatheringMultidimensionalIndex<6>};
  return rank < std::size(kForms) ? kForms[rank]
                                  : GatheringMultidimensionalIndex<kAnyNumber>;
}

}  // namespace tessera
