// The steps of a program, on vectors. Compiled once for every kind of vector
// that a processor may have.

// The additional instructions of these targets are not needed here, and take
// long to compile.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index_map/sum_program_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
//
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "tessera/index_map/sum_program.h"
#include "tessera/index_map/sum_program_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr uint64_t kLow32 = 0xFFFFFFFF;

// Shifts all lanes by the same number of bits. If the target can shift each
// lane by its own number, that instruction is faster.
#if HWY_TARGET <= HWY_AVX2
template <class D>
using Shift = hn::Vec<D>;
template <class D>
HWY_INLINE Shift<D> ShiftOf(D d, uint32_t bits) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(bits));
}
template <class V>
HWY_INLINE V ShiftLeftBy(V value, V bits) {
  return value << bits;
}
template <class V>
HWY_INLINE V ShiftRightBy(V value, V bits) {
  return value >> bits;
}
#else
template <class D>
using Shift = int;
template <class D>
HWY_INLINE Shift<D> ShiftOf(D, uint32_t bits) {
  return static_cast<int>(bits);
}
template <class V>
HWY_INLINE V ShiftLeftBy(V value, int bits) {
  return hn::ShiftLeftSame(value, bits);
}
template <class V>
HWY_INLINE V ShiftRightBy(V value, int bits) {
  return hn::ShiftRightSame(value, bits);
}
#endif

// The product of the lower 32 bits of each lane of 64.
template <class D, class V>
HWY_INLINE V MultiplyLow32(D d, V a, V b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, (hn::GetLane(a) & kLow32) * (hn::GetLane(b) & kLow32));
#else
  const hn::RepartitionToNarrow<D> d32;
  return hn::BitCast(d, hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b)));
#endif
}

// Arithmetic on lanes of 64 bits; modulo 2^32 if kNarrow, in which case the
// upper bits do not matter.
template <bool kNarrow>
struct Lanes64 {
  using T = uint64_t;
  using D = hn::CappedTag<T, 8>;
  using V = hn::Vec<D>;
  static constexpr bool kMasks = kNarrow;

  static HWY_INLINE V Multiply(D d, V value, V factor) {
    if constexpr (kNarrow) {
      return MultiplyLow32(d, value, factor);
    } else {
      return value * factor;
    }
  }

  // (value * factor) >> shift, the product being below 2^64.
  class Quotient {
   public:
    Quotient(D d, uint64_t factor, uint32_t shift)
        : factor_(hn::Set(d, factor)), shift_(ShiftOf(d, shift)) {}
    HWY_INLINE V operator()(D d, V value) const {
      return ShiftRightBy(MultiplyLow32(d, value, factor_), shift_);
    }

   private:
    V factor_;
    Shift<D> shift_;
  };

  // The same with the upper half of the 128 bits of twice the product, computed
  // from halves of 32 bits by long multiplication.
  class HighQuotient {
   public:
    HighQuotient(D d, uint64_t factor, uint32_t shift)
        : low_factor_(hn::Set(d, factor)),
          high_factor_(hn::Set(d, factor >> 32)),
          shift_(ShiftOf(d, shift)) {}
    HWY_INLINE V operator()(D d, V value) const {
      const V doubled = hn::Add(value, value);
      const V high_value = hn::ShiftRight<32>(doubled);
      const V low = MultiplyLow32(d, doubled, low_factor_);
      const V middle = hn::Add(MultiplyLow32(d, high_value, low_factor_),
                               hn::ShiftRight<32>(low));
      const V other = hn::Add(MultiplyLow32(d, doubled, high_factor_),
                              hn::And(middle, hn::Set(d, kLow32)));
      const V carried =
          hn::Add(hn::ShiftRight<32>(middle), hn::ShiftRight<32>(other));
      return ShiftRightBy(
          hn::Add(MultiplyLow32(d, high_value, high_factor_), carried), shift_);
    }

   private:
    V low_factor_;
    V high_factor_;
    Shift<D> shift_;
  };
};

// The same on lanes of 32 bits.
struct Lanes32 {
  using T = uint32_t;
  using D = hn::CappedTag<T, 16>;
  using V = hn::Vec<D>;
  static constexpr bool kMasks = false;

  static HWY_INLINE V Multiply(D, V value, V factor) { return value * factor; }

#if HWY_TARGET == HWY_SCALAR
  class Quotient {
   public:
    Quotient(D, uint64_t factor, uint32_t shift)
        : factor_(factor), shift_(shift) {}
    HWY_INLINE V operator()(D d, V value) const {
      return hn::Set(
          d, static_cast<uint32_t>((hn::GetLane(value) * factor_) >> shift_));
    }

   private:
    uint64_t factor_;
    uint32_t shift_;
  };
#else
  // The products take 64 bits: those of the even lanes and those of the odd.
  class Quotient {
   public:
    // shift >= 32, because no divisor is 1 or 2.
    Quotient(D d, uint64_t factor, uint32_t shift)
        : factor_(hn::Set(d, static_cast<uint32_t>(factor))),
          even_shift_(ShiftOf(D64(), shift)),
          odd_shift_(ShiftOf(D64(), shift - 32)) {}
    HWY_INLINE V operator()(D d, V value) const {
      const auto even = ShiftRightBy(hn::MulEven(value, factor_), even_shift_);
      const V odd_value =
          hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(D64(), value)));
      const auto odd =
          ShiftRightBy(hn::MulEven(odd_value, factor_), odd_shift_);
      return hn::BitCast(d,
                         hn::Or(even, hn::And(odd, hn::Set(D64(), ~kLow32))));
    }

   private:
    using D64 = hn::RepartitionToWide<D>;
    V factor_;
    Shift<D64> even_shift_;
    Shift<D64> odd_shift_;
  };
#endif

  // Narrow programs do not have such steps.
  using HighQuotient = Quotient;
};

// Runs a program for a group of numbers, step by step.
template <class Arithmetic>
class Group {
 public:
  using T = typename Arithmetic::T;
  using Step = SumProgram::Step;
  using Term = SumProgram::Term;

  // The most numbers of a group.
  static constexpr size_t kSize = (sizeof(T) == 4 ? 8192 : 4096) / sizeof(T);

  explicit Group(const SumProgram& program) : program_(program) {}

  // The number of numbers in a vector.
  size_t lanes() const { return hn::Lanes(d_); }

  // Runs for `size` numbers from `begin` on, a multiple of lanes(). If it
  // checks and an input is outside its bounds, returns false without a result.
  template <bool kChecks>
  bool Run(const T* const* inputs, T* const* outputs, uint8_t* kinds,
           size_t begin, size_t size) {
    size_ = size;
    const size_t input_count = program_.inputs();
    for (size_t i = 0; i < input_count; ++i) values_[i] = inputs[i] + begin;
    if (kChecks && !InputsAreGood()) return false;
    const T* const first = values_[0];
    if (program_.input_swizzle().mask != 0) {
      Swizzle(program_.input_swizzle(), first, scratch_[0]);
      values_[0] = scratch_[0];
    }
    for (const Step& step : program_.steps()) {
      const int32_t output = program_.output(step.to);
      T* const to = output == SumProgram::kScratch
                        ? scratch_[program_.scratch_place(step.to)]
                        : outputs[output] + begin;
      values_[step.to] = to;
      Compute(step, to);
    }
    if (program_.output_swizzle().mask != 0) {
      T* const to = outputs[0] + begin;
      Swizzle(program_.output_swizzle(), to, to);
    }
    if (kinds != nullptr) WriteKinds(first, kinds + begin);
    return true;
  }

 private:
  static constexpr int kSignBit = sizeof(T) * 8 - 1;
  using D = typename Arithmetic::D;
  using V = typename Arithmetic::V;

  // The sign bit of each lane is set if `value` is negative or exceeds `last`.
  static HWY_INLINE V Outside(V value, V last) {
    return hn::Or(value, hn::Sub(last, value));
  }

  HWY_INLINE bool InputsAreGood() const {
    V outside = hn::Zero(d_);
    for (size_t i = 0; i < program_.inputs(); ++i) {
      outside =
          AnyOutside(values_[i],
                     hn::Set(d_, static_cast<T>(program_.end(i) - 1)), outside);
    }
    return IsNowhereNegative(outside);
  }

  HWY_INLINE void Swizzle(const SumProgram::Swizzle& swizzle, const T* from,
                          T* to) const {
    const V mask = hn::Set(d_, static_cast<T>(swizzle.mask));
    for (size_t n = 0; n < size_; n += hn::Lanes(d_)) {
      const V value = hn::LoadU(d_, from + n);
      const V taken = hn::And(value, mask);
      const V moved = swizzle.shift > 0
                          ? hn::ShiftRightSame(taken, swizzle.shift)
                          : hn::ShiftLeftSame(taken, -swizzle.shift);
      hn::StoreU(hn::Xor(value, moved), d_, to + n);
    }
  }

  void Compute(const Step& step, T* to) const {
    switch (step.kind) {
      case Step::Kind::kOrShiftedLeft:
        return Pass<Step::Kind::kOrShiftedLeft>(step, to);
      case Step::Kind::kOrShiftedRight:
        return Pass<Step::Kind::kOrShiftedRight>(step, to);
      case Step::Kind::kAddMultiplied:
        return Pass<Step::Kind::kAddMultiplied>(step, to);
      case Step::Kind::kQuotient:
        return Divide<typename Arithmetic::Quotient>(step, to);
      case Step::Kind::kHighQuotient:
        return Divide<typename Arithmetic::HighQuotient>(step, to);
    }
  }

  template <class Quotient>
  HWY_INLINE void Divide(const Step& step, T* to) const {
    const Term& term = program_.term(step.first_term);
    const T* const from = values_[term.value];
    const Quotient quotient(d_, term.factor, step.shift_after);
    const Shift<D> shift = ShiftOf(d_, term.shift);
    const size_t size = size_;
#pragma GCC unroll 2
    for (size_t n = 0; n < size; n += hn::Lanes(d_)) {
      const V value = ShiftRightBy(hn::LoadU(d_, from + n), shift);
      hn::StoreU(quotient(d_, value), d_, to + n);
    }
  }

  template <Step::Kind kKind>
  void Pass(const Step& step, T* to) const {
    if constexpr (kKind != Step::Kind::kAddMultiplied) {
      if (step.has_factor) return PassOfKind<kKind, true>(step, to);
    }
    PassOfKind<kKind, false>(step, to);
  }

  template <Step::Kind kKind, bool kFactor>
  void PassOfKind(const Step& step, T* to) const {
    switch (step.term_count) {
      case 0:
        return PassOf<kKind, kFactor, 0, false>(step, to);
      case 1:
        return PassOf<kKind, kFactor, 1, true>(step, to);
      case 2:
        return PassOfTerms<kKind, kFactor, 2>(step, to);
      case 3:
        return PassOfTerms<kKind, kFactor, 3>(step, to);
      case 4:
        return PassOfTerms<kKind, kFactor, 4>(step, to);
      default:
        return PassOfTerms<kKind, kFactor, SumProgram::kMaxTerms>(step, to);
    }
  }

  template <Step::Kind kKind, bool kFactor, int kTerms>
  HWY_INLINE void PassOfTerms(const Step& step, T* to) const {
    if (step.is_of_one_value) {
      PassOf<kKind, kFactor, kTerms, true>(step, to);
    } else {
      PassOf<kKind, kFactor, kTerms, false>(step, to);
    }
  }

  template <Step::Kind kKind, bool kFactor, int kTerms, bool kOneValue>
  HWY_INLINE void PassOf(const Step& step, T* to) const {
    constexpr int kRoom = kTerms + 1;
    constexpr bool kAdds = kKind == Step::Kind::kAddMultiplied;
    const T* from[kRoom];
    Shift<D> shifts[kRoom];
    V masks[kRoom], factors[kRoom];
    for (int i = 0; i < kTerms + kFactor; ++i) {
      const Term& term = program_.term(step.first_term + i);
      from[i] = values_[term.value];
      shifts[i] = ShiftOf(d_, term.shift);
      masks[i] = hn::Set(d_, static_cast<T>(term.mask));
      factors[i] = hn::Set(d_, static_cast<T>(term.factor));
    }
    const V offset = hn::Set(d_, static_cast<T>(step.offset));
    const V wrap = hn::Set(d_, static_cast<T>(kLow32));
    const auto multiplied = [&](V value, int i) HWY_ATTR {
      const V digit = hn::And(ShiftRightBy(value, shifts[i]), masks[i]);
      return Arithmetic::Multiply(d_, digit, factors[i]);
    };
    const size_t size = size_;
#pragma GCC unroll 2
    for (size_t n = 0; n < size; n += hn::Lanes(d_)) {
      V sum = offset;
      V one_value = offset;
      if constexpr (kOneValue) one_value = hn::LoadU(d_, from[0] + n);
#pragma GCC unroll 8
      for (int i = 0; i < kTerms; ++i) {
        const V value = kOneValue ? one_value : hn::LoadU(d_, from[i] + n);
        if constexpr (kAdds) {
          sum = hn::Add(sum, multiplied(value, i));
        } else {
          const V shifted = kKind == Step::Kind::kOrShiftedLeft
                                ? ShiftLeftBy(value, shifts[i])
                                : ShiftRightBy(value, shifts[i]);
          sum = hn::Or(sum, hn::And(shifted, masks[i]));
        }
      }
      if constexpr (kFactor) {
        const V value =
            ShiftRightBy(hn::LoadU(d_, from[kTerms] + n), shifts[kTerms]);
        sum = hn::Add(sum, Arithmetic::Multiply(d_, value, factors[kTerms]));
      }
      // Factors and offsets may represent negative numbers.
      if constexpr ((kAdds || kFactor) && Arithmetic::kMasks) {
        sum = hn::And(sum, wrap);
      }
      hn::StoreU(sum, d_, to + n);
    }
  }

  void WriteKinds(const T* positions, uint8_t* kinds) const {
    const size_t size = size_;
    const V tail_last = hn::Set(d_, static_cast<T>(program_.tail_begin() - 1));
    const bool has_tail = program_.tail_begin() < program_.end(0);
    // Most groups contain only elements.
    V outside = hn::Zero(d_);
    if (has_tail) outside = AnyOutside(positions, tail_last, outside);
    for (const SumProgram::Check& check : program_.checks()) {
      outside = AnyOutside(values_[check.value],
                           hn::Set(d_, static_cast<T>(check.last)), outside);
    }
    std::fill_n(kinds, size, uint8_t{0});
    if (IsNowhereNegative(outside)) return;
    for (const SumProgram::Check& check : program_.checks()) {
      OrKinds(values_[check.value], hn::Set(d_, static_cast<T>(check.last)), 1,
              kinds);
    }
    if (has_tail) OrKinds(positions, tail_last, 3, kinds);
  }

  // Returns `outside` with the sign bit set in each lane whose value is
  // outside.
  HWY_INLINE V AnyOutside(const T* values, V last, V outside) const {
    const size_t size = size_;
#pragma GCC unroll 2
    for (size_t n = 0; n < size; n += hn::Lanes(d_)) {
      outside = hn::Or(outside, Outside(hn::LoadU(d_, values + n), last));
    }
    return outside;
  }

  HWY_INLINE bool IsNowhereNegative(V values) const {
    const hn::RebindToSigned<D> signed_d;
    return hn::AllFalse(
        signed_d, hn::Lt(hn::BitCast(signed_d, values), hn::Zero(signed_d)));
  }

  HWY_INLINE void OrKinds(const T* values, V last, uint8_t kind,
                          uint8_t* kinds) const {
    const size_t size = size_;
    for (size_t n = 0; n < size; n += hn::Lanes(d_)) {
      const V failed =
          hn::ShiftRight<kSignBit>(Outside(hn::LoadU(d_, values + n), last));
#if HWY_TARGET == HWY_SCALAR
      kinds[n] |= static_cast<uint8_t>(hn::GetLane(failed) * kind);
#else
      const hn::Rebind<uint8_t, D> d8;
      const auto bytes =
          hn::TruncateTo(d8, hn::And(hn::Sub(hn::Zero(d_), failed),
                                     hn::Set(d_, static_cast<T>(kind))));
      hn::StoreU(hn::Or(hn::LoadU(d8, kinds + n), bytes), d8, kinds + n);
#endif
    }
  }

  const SumProgram& program_;
  const D d_;
  size_t size_ = 0;
  const T* values_[SumProgram::kMaxValues];
  HWY_ALIGN T scratch_[SumProgram::kMaxScratchValues][kSize];
};

// Groups of whole vectors. The last vector overlaps the ones before it. The
// second vector also does if that aligns it to a cache line, because a vector
// across two lines is written at half the speed.
template <class Arithmetic, bool kChecks>
size_t RunGroups(const SumProgram& program,
                 const typename Arithmetic::T* const* inputs,
                 typename Arithmetic::T* const* outputs, uint8_t* kinds,
                 size_t count) {
  Group<Arithmetic> group(program);
  const size_t lanes = group.lanes();
  constexpr uintptr_t kLine = 64;
  const uintptr_t past_line = reinterpret_cast<uintptr_t>(outputs[0]) % kLine;
  const size_t head =
      past_line == 0 ? 0 : (kLine - past_line) / sizeof(typename Arithmetic::T);
  for (size_t begin = 0, size = 0; begin < count; begin += size) {
    size = std::min(group.kSize, count - begin) / lanes * lanes;
    if (size == 0) {
      size = lanes;
      begin = count - lanes;
    }
    const bool reaches_line =
        begin == 0 && head > 0 && head <= lanes && count >= head + lanes;
    if (reaches_line) size = lanes;
    if (!group.template Run<kChecks>(inputs, outputs, kinds, begin, size)) {
      return begin;
    }
    if (reaches_line) size = head;
  }
  return count;
}

template <class Arithmetic>
size_t RunArithmetic(const SumProgram& program,
                     const typename Arithmetic::T* const* inputs,
                     typename Arithmetic::T* const* outputs, uint8_t* kinds,
                     size_t count, bool checks_inputs) {
  return checks_inputs ? RunGroups<Arithmetic, true>(program, inputs, outputs,
                                                     kinds, count)
                       : RunGroups<Arithmetic, false>(program, inputs, outputs,
                                                      kinds, count);
}

size_t Run64(const SumProgram& program, const uint64_t* const* inputs,
             uint64_t* const* outputs, uint8_t* kinds, size_t count,
             bool checks_inputs) {
  return program.is_narrow()
             ? RunArithmetic<Lanes64<true>>(program, inputs, outputs, kinds,
                                            count, checks_inputs)
             : RunArithmetic<Lanes64<false>>(program, inputs, outputs, kinds,
                                             count, checks_inputs);
}

size_t Run32(const SumProgram& program, const uint32_t* const* inputs,
             uint32_t* const* outputs, uint8_t* kinds, size_t count,
             bool checks_inputs) {
  return RunArithmetic<Lanes32>(program, inputs, outputs, kinds, count,
                                checks_inputs);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(Run64);
HWY_EXPORT(Run32);

size_t RunSumProgram(const SumProgram& program, const uint64_t* const* inputs,
                     uint64_t* const* outputs, uint8_t* kinds, size_t count,
                     bool checks_inputs) {
  return HWY_DYNAMIC_DISPATCH(Run64)(program, inputs, outputs, kinds, count,
                                     checks_inputs);
}

size_t RunSumProgram(const SumProgram& program, const uint32_t* const* inputs,
                     uint32_t* const* outputs, uint8_t* kinds, size_t count,
                     bool checks_inputs) {
  return HWY_DYNAMIC_DISPATCH(Run32)(program, inputs, outputs, kinds, count,
                                     checks_inputs);
}

}  // namespace tessera
#endif  // HWY_ONCE
