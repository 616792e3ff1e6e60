// Compiled once for every kind of vector that a processor may have.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index_map/sum_program.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
//
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "tessera/index_map/sum_program.h"
#include "tessera/math/fast_divider.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr uint64_t kLow32 = 0xFFFFFFFF;

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

// Arithmetic on lanes of 64 bits; modulo 2^32 if kNarrow, the upper bits being
// of no account.
template <bool kNarrow>
struct Lanes64 {
  using T = uint64_t;
  static constexpr bool kMasks = kNarrow;

  template <class D, class V>
  static HWY_INLINE V Multiply(D d, V value, V factor) {
    if constexpr (kNarrow) {
      return MultiplyLow32(d, value, factor);
    } else {
      return value * factor;
    }
  }
  template <class D, class V>
  static HWY_INLINE V MultiplyAndShift(D d, V value, V multiplier, int shift) {
    return hn::ShiftRightSame(MultiplyLow32(d, value, multiplier), shift);
  }
  // By halves of 32 bits, as on paper.
  template <class D, class V>
  static HWY_INLINE V MultiplyHighAndShift(D d, V value, V multiplier,
                                           int shift) {
    const V a = hn::Add(value, value);
    const V a_high = hn::ShiftRight<32>(a);
    const V b_high = hn::ShiftRight<32>(multiplier);
    const V low = MultiplyLow32(d, a, multiplier);
    const V middle =
        hn::Add(MultiplyLow32(d, a_high, multiplier), hn::ShiftRight<32>(low));
    const V other = hn::Add(MultiplyLow32(d, a, b_high),
                            hn::And(middle, hn::Set(d, kLow32)));
    const V high =
        hn::Add(MultiplyLow32(d, a_high, b_high),
                hn::Add(hn::ShiftRight<32>(middle), hn::ShiftRight<32>(other)));
    return hn::ShiftRightSame(high, shift);
  }
};

// The same on lanes of 32 bits.
struct Lanes32 {
  using T = uint32_t;
  static constexpr bool kMasks = false;

  template <class D, class V>
  static HWY_INLINE V Multiply(D, V value, V factor) {
    return value * factor;
  }
  template <class D, class V>
  static HWY_INLINE V MultiplyAndShift(D d, V value, V multiplier, int shift) {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(d, static_cast<uint32_t>((uint64_t{hn::GetLane(value)} *
                                             hn::GetLane(multiplier)) >>
                                            shift));
#else
    const hn::RepartitionToWide<D> d64;
    const auto even = hn::ShiftRightSame(hn::MulEven(value, multiplier), shift);
    const V odd_value =
        hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, value)));
    const auto odd =
        hn::ShiftRightSame(hn::MulEven(odd_value, multiplier), shift);
    return hn::BitCast(d, hn::Or(even, hn::ShiftLeft<32>(odd)));
#endif
  }
  // No narrow program has such terms.
  template <class D, class V>
  static HWY_INLINE V MultiplyHighAndShift(D, V value, V, int) {
    return value;
  }
};

// Runs a program for kVectors vectors at a time, whose sums stay in registers.
template <class Arithmetic, int kVectors>
class Group {
 public:
  using T = typename Arithmetic::T;

  explicit Group(const SumProgram& program) : program_(program) {}

  // How many numbers are a group.
  size_t size() const { return kVectors * hn::Lanes(d_); }

  // Of the numbers from `begin` on. False, with nothing done, if it checks and
  // an input is outside its bounds.
  template <bool kChecks>
  bool Run(const T* const* inputs, T* const* outputs, uint8_t* kinds,
           size_t begin) {
    const size_t input_count = program_.inputs();
    for (size_t i = 0; i < input_count; ++i) values_[i] = inputs[i] + begin;
    if (kChecks && !InputsAreGood()) return false;
    const T* const first = values_[0];
    if (program_.input_swizzle().mask != 0) {
      Swizzle(program_.input_swizzle(), first, scratch_[0]);
      values_[0] = scratch_[0];
    }
    if (kinds != nullptr) std::fill_n(failed_, size(), 0);
    size_t term = 0, value = input_count;
    for (const SumProgram::Sum& sum : program_.sums()) {
      T* const to = sum.output == SumProgram::kScratch
                        ? scratch_[value]
                        : outputs[sum.output] + begin;
      Compute(sum, term, to);
      term = sum.terms_end;
      values_[value++] = to;
    }
    if (program_.output_swizzle().mask != 0) {
      T* const last = outputs[program_.sums().back().output] + begin;
      Swizzle(program_.output_swizzle(), last, last);
    }
    if (kinds != nullptr) WriteKinds(first, kinds + begin);
    return true;
  }

 private:
  static constexpr size_t kVectorBytes = 64;
  static constexpr size_t kMaxSize = kVectors * kVectorBytes / sizeof(T);
  static constexpr int kSignBit = sizeof(T) * 8 - 1;
  using D = hn::CappedTag<T, kVectorBytes / sizeof(T)>;
  using V = hn::Vec<D>;

  // The sign bit of each says whether `value` is negative or exceeds `last`.
  static HWY_INLINE V Outside(V value, V last) {
    return hn::Or(value, hn::Sub(last, value));
  }

  HWY_INLINE bool InputsAreGood() const {
    V outside = hn::Zero(d_);
    for (size_t i = 0; i < program_.inputs(); ++i) {
      const V last = hn::Set(d_, static_cast<T>(program_.end(i) - 1));
      for (int v = 0; v < kVectors; ++v) {
        const V value = hn::LoadU(d_, values_[i] + v * hn::Lanes(d_));
        outside = hn::Or(outside, Outside(value, last));
      }
    }
    const hn::RebindToSigned<D> signed_d;
    return hn::AllFalse(
        signed_d, hn::Lt(hn::BitCast(signed_d, outside), hn::Zero(signed_d)));
  }

  HWY_INLINE void Swizzle(const SumProgram::Swizzle& swizzle, const T* from,
                          T* to) const {
    const V mask = hn::Set(d_, static_cast<T>(swizzle.mask));
    for (int v = 0; v < kVectors; ++v) {
      const V value = hn::LoadU(d_, from + v * hn::Lanes(d_));
      const V taken = hn::And(value, mask);
      const V moved = swizzle.shift > 0
                          ? hn::ShiftRightSame(taken, swizzle.shift)
                          : hn::ShiftLeftSame(taken, -swizzle.shift);
      hn::StoreU(hn::Xor(value, moved), d_, to + v * hn::Lanes(d_));
    }
  }

  HWY_INLINE void Compute(const SumProgram::Sum& sum, size_t term, T* to) {
    const size_t lanes = hn::Lanes(d_);
    V sums[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::Set(d_, static_cast<T>(sum.offset));
    }
    for (; term < sum.terms_end; ++term) {
      const SumProgram::Term& t = program_.terms()[term];
      const T* const from = values_[t.value];
      const V coefficient = hn::Set(d_, static_cast<T>(t.coefficient));
      const auto add = [&](auto quotient) HWY_ATTR {
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          sums[v] = hn::Add(
              sums[v],
              Arithmetic::Multiply(
                  d_, quotient(hn::LoadU(d_, from + v * lanes)), coefficient));
        }
      };
      const int shift = t.shift, shift_after = t.shift_after;
      const V multiplier = hn::Set(d_, static_cast<T>(t.multiplier));
      switch (t.kind) {
        case SumProgram::Term::Kind::kShift:
          if (shift == 0) {
            add([](V value) HWY_ATTR { return value; });
          } else {
            add([shift](V value)
                    HWY_ATTR { return hn::ShiftRightSame(value, shift); });
          }
          break;
        case SumProgram::Term::Kind::kMultiply:
          add([&](V value) HWY_ATTR {
            return Arithmetic::MultiplyAndShift(
                d_, hn::ShiftRightSame(value, shift), multiplier, shift_after);
          });
          break;
        case SumProgram::Term::Kind::kMultiplyHigh:
          add([&](V value) HWY_ATTR {
            return Arithmetic::MultiplyHighAndShift(
                d_, hn::ShiftRightSame(value, shift), multiplier, shift_after);
          });
          break;
      }
    }
    if constexpr (Arithmetic::kMasks) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        sums[v] = hn::And(sums[v], hn::Set(d_, static_cast<T>(kLow32)));
      }
    }
    if (sum.is_checked) {
      const V last = hn::Set(d_, static_cast<T>(sum.last));
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        T* const failed = failed_ + v * lanes;
        hn::Store(hn::Or(hn::Load(d_, failed), Outside(sums[v], last)), d_,
                  failed);
      }
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      hn::StoreU(sums[v], d_, to + v * lanes);
    }
  }

  HWY_INLINE void WriteKinds(const T* positions, uint8_t* kinds) const {
    const size_t lanes = hn::Lanes(d_);
    const V last = hn::Set(d_, static_cast<T>(program_.tail_begin() - 1));
    for (int v = 0; v < kVectors; ++v) {
      const V past_tail = hn::ShiftRight<kSignBit>(
          Outside(hn::LoadU(d_, positions + v * lanes), last));
      const V kind =
          hn::Or(hn::ShiftRight<kSignBit>(hn::Load(d_, failed_ + v * lanes)),
                 hn::Or(past_tail, hn::Add(past_tail, past_tail)));
#if HWY_TARGET == HWY_SCALAR
      kinds[v] = static_cast<uint8_t>(hn::GetLane(kind));
#else
      const hn::Rebind<uint8_t, D> d8;
      hn::StoreU(hn::TruncateTo(d8, kind), d8, kinds + v * lanes);
#endif
    }
  }

  const SumProgram& program_;
  const D d_;
  const T* values_[SumProgram::kMaxValues];
  HWY_ALIGN T scratch_[SumProgram::kMaxValues][kMaxSize];
  HWY_ALIGN T failed_[kMaxSize];
};

// Whole groups, then single vectors, the last of them reaching back over what
// is done already.
template <class Arithmetic, bool kChecks>
size_t RunGroups(const SumProgram& program,
                 const typename Arithmetic::T* const* inputs,
                 typename Arithmetic::T* const* outputs, uint8_t* kinds,
                 size_t count) {
#if HWY_TARGET <= HWY_AVX3
  constexpr int kVectors = 16;
#else
  constexpr int kVectors = 8;
#endif
  size_t begin = 0;
  Group<Arithmetic, kVectors> group(program);
  for (; begin + group.size() <= count; begin += group.size()) {
    if (!group.template Run<kChecks>(inputs, outputs, kinds, begin)) {
      return begin;
    }
  }
  Group<Arithmetic, 1> vector(program);
  while (begin < count) {
    begin = std::min(begin, count - vector.size());
    if (!vector.template Run<kChecks>(inputs, outputs, kinds, begin)) {
      return begin;
    }
    begin += vector.size();
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

namespace {

constexpr int64_t kNarrowEnd = int64_t{1} << 31;

// floor(value / divisor) for values below 2^31 is (value * multiplier) >> shift
// with multiplier = floor(2^shift / divisor) + 1 and shift = 31 + l, where
// 2^(l-1) < divisor <= 2^l: as in FastDivider, which is about 63 bits. The
// multiplier fits 32 bits as the divisor, below 2^31, is no power of two.
SumProgram::Term NarrowQuotient(int64_t divisor) {
  int log = 0;
  while ((int64_t{1} << log) < divisor) ++log;
  const int shift = 31 + log;
  return {SumProgram::Term::Kind::kMultiply,
          0,
          static_cast<uint8_t>(shift),
          0,
          (uint64_t{1} << shift) / static_cast<uint64_t>(divisor) + 1,
          0};
}

}  // namespace

SumProgram::SumProgram(absl::Span<const int64_t> input_ends)
    : inputs_(input_ends.size()),
      ends_(input_ends.begin(), input_ends.end()),
      tail_begin_(std::numeric_limits<int64_t>::max()) {
  for (const int64_t end : ends_) is_narrow_ = is_narrow_ && end <= kNarrowEnd;
}

void SumProgram::BeginSum(uint64_t offset) { offset_ = offset; }

void SumProgram::AddTerm(uint32_t value, int64_t divisor,
                         uint64_t coefficient) {
  const int64_t end = ends_[value];
  if (coefficient == 0 || divisor >= end) return;
  const int power = __builtin_ctzll(static_cast<uint64_t>(divisor));
  const int64_t odd = divisor >> power;
  Term term = {Term::Kind::kShift, 0, 0, 0, 0, 0};
  if (odd != 1 && (end - 1) >> power < kNarrowEnd) {
    term = NarrowQuotient(odd);
  } else if (odd != 1) {
    const FastDivider divider(odd);
    term = {
        Term::Kind::kMultiplyHigh, 0, static_cast<uint8_t>(divider.shift()), 0,
        divider.multiplier(),      0};
  }
  term.shift = static_cast<uint8_t>(power);
  term.value = value;
  term.coefficient = coefficient;
  terms_.push_back(term);
}

uint32_t SumProgram::EndSum(int64_t end, int32_t output) {
  is_narrow_ = is_narrow_ && end <= kNarrowEnd;
  sums_.push_back({offset_, terms_.size(), output, false, 0});
  ends_.push_back(end);
  return static_cast<uint32_t>(ends_.size() - 1);
}

uint32_t SumProgram::EndCheckedSum(int64_t end, int64_t bound, int32_t output) {
  const uint32_t value = EndSum(end, output);
  sums_.back().is_checked = true;
  sums_.back().last = static_cast<uint64_t>(bound) - 1;
  return value;
}

void SumProgram::SwizzleInput(uint64_t mask, int32_t shift) {
  input_swizzle_ = {mask, shift};
}

void SumProgram::SwizzleOutput(uint64_t mask, int32_t shift) {
  output_swizzle_ = {mask, shift};
}

template <>
size_t SumProgram::RunFor(const int64_t* const* inputs, int64_t* const* outputs,
                          uint8_t* kinds, size_t count,
                          bool checks_inputs) const {
  return HWY_DYNAMIC_DISPATCH(Run64)(
      *this, reinterpret_cast<const uint64_t* const*>(inputs),
      reinterpret_cast<uint64_t* const*>(outputs), kinds, count, checks_inputs);
}

template <>
size_t SumProgram::RunFor(const int32_t* const* inputs, int32_t* const* outputs,
                          uint8_t* kinds, size_t count,
                          bool checks_inputs) const {
  return HWY_DYNAMIC_DISPATCH(Run32)(
      *this, reinterpret_cast<const uint32_t* const*>(inputs),
      reinterpret_cast<uint32_t* const*>(outputs), kinds, count, checks_inputs);
}

}  // namespace tessera
#endif  // HWY_ONCE
