// Translates sums of digits into steps: bits to shift, digits to multiply, and
// quotients that become separate values.

#include "tessera/index_map/sum_program.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/numeric/bits.h"
#include "tessera/base/math/fast_divider.h"
#include "tessera/index_map/sum_program_kernels.h"

namespace tessera {
namespace {

constexpr int64_t kNarrowEnd = int64_t{1} << 31;

uint32_t TrailingZeros(uint64_t value) { return absl::countr_zero(value); }

}  // namespace

SumProgram::SumProgram(absl::Span<const int64_t> input_ends)
    : inputs_(input_ends.size()),
      tail_begin_(std::numeric_limits<int64_t>::max()) {
  for (const int64_t end : input_ends) AddValue(end, kScratch);
}

uint32_t SumProgram::AddValue(int64_t end, int32_t output) {
  is_narrow_ = is_narrow_ && end <= kNarrowEnd;
  ends_.push_back(end);
  outputs_.push_back(output);
  const bool is_scratch = output == kScratch && ends_.size() > inputs_;
  scratch_places_.push_back(is_scratch ? scratch_values_++ : 0);
  return static_cast<uint32_t>(ends_.size() - 1);
}

// floor(value / divisor) for values below 2^31 is (value * factor) >> shift
// with factor = floor(2^shift / divisor) + 1 and shift = 31 + l, where 2^(l-1)
// < divisor <= 2^l: as in FastDivider, which is for 63 bits. The factor fits 32
// bits because the divisor, below 2^31, is not a power of two.
uint32_t SumProgram::QuotientBy(uint32_t value, int64_t divisor) {
  for (const KnownQuotient& known : quotients_) {
    if (known.value == value && known.divisor == divisor) return known.quotient;
  }
  // Zeros of the divisor are bits of the value that do not matter.
  const uint32_t zeros = TrailingZeros(static_cast<uint64_t>(divisor));
  const int64_t odd = divisor >> zeros;
  const int64_t last = ends_[value] - 1;
  const FastDivider divider(odd);
  Step step = {Step::Kind::kHighQuotient,
               true,
               false,
               static_cast<uint8_t>(divider.shift()),
               1,
               static_cast<uint32_t>(terms_.size()),
               0,
               0};
  uint64_t factor = divider.multiplier();
  if (last >> zeros < kNarrowEnd) {
    const uint32_t shift = 31 + divider.shift();
    factor = (uint64_t{1} << shift) / static_cast<uint64_t>(odd) + 1;
    step.kind = Step::Kind::kQuotient;
    step.shift_after = static_cast<uint8_t>(shift);
  }
  terms_.push_back({value, zeros, 0, factor});
  step.to = AddValue(last / divisor + 1, kScratch);
  steps_.push_back(step);
  quotients_.push_back({value, divisor, step.to});
  return step.to;
}

void SumProgram::BeginSum(uint64_t offset) {
  offset_ = offset;
  sum_.clear();
}

void SumProgram::AddQuotient(uint32_t value, int64_t divisor,
                             uint64_t coefficient) {
  AddDigit(value, divisor, 0, coefficient);
}

void SumProgram::AddDigit(uint32_t value, int64_t divisor, int64_t modulus,
                          uint64_t coefficient) {
  if (coefficient == 0 || divisor >= ends_[value]) return;
  if (modulus != 0 && (ends_[value] - 1) / divisor < modulus) modulus = 0;
  const bool is_cut =
      absl::has_single_bit(static_cast<uint64_t>(divisor)) &&
      (modulus == 0 || absl::has_single_bit(static_cast<uint64_t>(modulus)));
  if (!is_cut && modulus != 0) {
    // The product is below its end, because the digit is not the last of the
    // value.
    AddDigit(value, divisor, 0, coefficient);
    AddDigit(value, divisor * modulus, 0,
             -coefficient * static_cast<uint64_t>(modulus));
    return;
  }
  if (!is_cut) {
    value = QuotientBy(value, divisor);
    divisor = 1;
  }
  // The bits that the digit can have.
  const uint64_t last = static_cast<uint64_t>(
      modulus == 0 ? (ends_[value] - 1) / divisor : modulus - 1);
  const uint64_t mask = ~uint64_t{0} >> absl::countl_zero(last | 1);
  sum_.push_back({value, TrailingZeros(static_cast<uint64_t>(divisor)), mask,
                  coefficient});
}

bool SumProgram::IsOfBits() const {
  uint64_t taken = offset_;
  for (const Term& term : sum_) {
    if (!absl::has_single_bit(term.factor)) continue;
    const uint64_t bits = term.mask * term.factor;
    if (bits / term.factor != term.mask || (taken & bits) != 0) return false;
    taken |= bits;
  }
  return offset_ == 0;
}

void SumProgram::AddPasses(Step::Kind kind, const std::vector<Term>& terms,
                           const Term* factor, uint32_t to, bool* has_begun) {
  for (size_t i = 0; i < terms.size();) {
    const size_t first = terms_.size();
    uint64_t offset = offset_;
    if (*has_begun) {
      offset = 0;
      terms_.push_back({to, 0, ~uint64_t{0}, 1});
    }
    while (i < terms.size() && terms_.size() - first < kMaxTerms) {
      terms_.push_back(terms[i++]);
    }
    const bool is_of_one_value = std::all_of(
        terms_.begin() + static_cast<ptrdiff_t>(first), terms_.end(),
        [&](const Term& term) { return term.value == terms_[first].value; });
    const size_t count = terms_.size() - first;
    const bool has_factor = factor != nullptr && i == terms.size();
    if (has_factor) terms_.push_back(*factor);
    steps_.push_back({kind, is_of_one_value, has_factor, 0,
                      static_cast<uint8_t>(count), static_cast<uint32_t>(first),
                      to, offset});
    *has_begun = true;
  }
}

bool SumProgram::IsLastDigit(const Term& term) const {
  return static_cast<uint64_t>(ends_[term.value] - 1) >> term.shift <=
         term.mask;
}

bool SumProgram::IsScratchValue() const {
  if (sum_.size() != 1 || offset_ != 0) return false;
  const Term& term = sum_.front();
  return term.factor == 1 && term.shift == 0 && term.value >= inputs_ &&
         outputs_[term.value] == kScratch && IsLastDigit(term);
}

uint32_t SumProgram::EndSum(int64_t end, int32_t output) {
  if (IsScratchValue()) {
    const uint32_t value = sum_.front().value;
    outputs_[value] = output;
    return value;
  }
  const bool is_of_bits = IsOfBits();
  std::vector<Term> left, right, multiplied;
  for (const Term& term : sum_) {
    if (!is_of_bits || !absl::has_single_bit(term.factor)) {
      multiplied.push_back(term);
    } else if (TrailingZeros(term.factor) > term.shift) {
      left.push_back(term);
    } else {
      right.push_back(term);
    }
  }
  // Terms without a shift join a pass with a shift.
  if (!left.empty()) {
    const auto unshifted =
        std::stable_partition(right.begin(), right.end(), [](const Term& term) {
          return TrailingZeros(term.factor) < term.shift;
        });
    left.insert(left.end(), unshifted, right.end());
    right.erase(unshifted, right.end());
  }
  // A pass shifts in one direction, and also multiplies one term.
  if (multiplied.empty() && left.size() == 1 && !right.empty()) {
    multiplied.swap(left);
  } else if (multiplied.empty() && right.size() == 1 && !left.empty()) {
    multiplied.swap(right);
  }
  // Bits of the value from `shift` on go to bits from `target` on.
  for (std::vector<Term>* const terms : {&left, &right}) {
    for (Term& term : *terms) {
      const uint32_t target = TrailingZeros(term.factor);
      term.mask *= term.factor;
      term.shift = terms == &left ? target - term.shift : term.shift - target;
    }
  }
  const Term* factor = nullptr;
  std::vector<Term>& last_shifted = right.empty() ? left : right;
  if (multiplied.size() == 1 && !last_shifted.empty() &&
      IsLastDigit(multiplied.front())) {
    factor = &multiplied.front();
  }
  const uint32_t to = AddValue(end, output);
  bool has_begun = false;
  AddPasses(Step::Kind::kOrShiftedLeft, left, right.empty() ? factor : nullptr,
            to, &has_begun);
  AddPasses(Step::Kind::kOrShiftedRight, right, factor, to, &has_begun);
  if (factor == nullptr) {
    AddPasses(Step::Kind::kAddMultiplied, multiplied, nullptr, to, &has_begun);
  }
  if (!has_begun) {
    steps_.push_back(
        {Step::Kind::kAddMultiplied, false, false, 0, 0, 0, to, offset_});
  }
  return to;
}

uint32_t SumProgram::EndCheckedSum(int64_t end, int64_t bound, int32_t output) {
  const uint32_t value = EndSum(end, output);
  checks_.push_back({value, static_cast<uint64_t>(bound) - 1});
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
  return RunSumProgram(*this, reinterpret_cast<const uint64_t* const*>(inputs),
                       reinterpret_cast<uint64_t* const*>(outputs), kinds,
                       count, checks_inputs);
}

template <>
size_t SumProgram::RunFor(const int32_t* const* inputs, int32_t* const* outputs,
                          uint8_t* kinds, size_t count,
                          bool checks_inputs) const {
  return RunSumProgram(*this, reinterpret_cast<const uint32_t* const*>(inputs),
                       reinterpret_cast<uint32_t* const*>(outputs), kinds,
                       count, checks_inputs);
}

}  // namespace tessera
