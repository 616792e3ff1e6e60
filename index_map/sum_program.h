// Computes sums of digits and quotients for many numbers at once: the core of
// batches of an IndexMap, forward and inverse.
//
//   // x0 * 128 + (x0 div 8) * 896 + (x1 mod 16), for two arrays.
//   SumProgram program({4096, 128});
//   program.BeginSum(/*offset=*/0);
//   program.AddQuotient(/*value=*/0, /*divisor=*/1, /*coefficient=*/128);
//   program.AddQuotient(0, 8, 896);
//   program.AddDigit(1, 1, /*modulus=*/16, 1);
//   program.EndSum(/*end=*/982928, /*output=*/0);
//   program.Run(x, positions, kinds, count);  // for int64_t or, as it
//                                             // is_narrow(), int32_t
//
// The inputs are the values number 0, 1, ..., every sum is one more. Everything
// is computed modulo 2^64, or modulo 2^32 where no value reaches 2^31: then a
// multiplication is an instruction of any processor. A program is a list of
// steps, each a loop over a group of numbers that stays in the cache; Highway
// picks the vectors.

#ifndef TESSERA_INDEX_MAP_SUM_PROGRAM_H_
#define TESSERA_INDEX_MAP_SUM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace tessera {

class SumProgram {
 public:
  // The most values that a program may have, and that it may have in memory of
  // its own, for it to be run; the least numbers that are worth a run.
  static constexpr size_t kMaxValues = 32;
  static constexpr size_t kMaxScratchValues = 8;
  static constexpr size_t kMinCount = 16;
  static constexpr int32_t kScratch = -1;

  // For inputs from 0 up to `input_ends`, these not included.
  explicit SumProgram(absl::Span<const int64_t> input_ends);

  // One sum after the other: its terms, and where it goes. Its values are below
  // `end`; what exceeds them by mistake of the inputs does no harm but to the
  // results. `output`: the number of an output, or kScratch where only later
  // sums need it. Precondition: divisor > 0; modulus > 0, or 0 for no
  // remainder; the value is an earlier one; end >= 0.
  void BeginSum(uint64_t offset);
  // coefficient * (value div divisor)
  void AddQuotient(uint32_t value, int64_t divisor, uint64_t coefficient);
  // coefficient * ((value div divisor) mod modulus)
  void AddDigit(uint32_t value, int64_t divisor, int64_t modulus,
                uint64_t coefficient);
  // Returns the number of the value.
  uint32_t EndSum(int64_t end, int32_t output);
  // The same for a sum that fails where it exceeds what is below `bound`.
  uint32_t EndCheckedSum(int64_t end, int64_t bound, int32_t output);

  // Swizzles (IndexMap::BitSwizzle) the first input, or the only output.
  void SwizzleInput(uint64_t mask, int32_t shift);
  void SwizzleOutput(uint64_t mask, int32_t shift);
  // From here on the first input is of no use: its kind is 3.
  void set_tail_begin(int64_t tail_begin) { tail_begin_ = tail_begin; }

  bool CanRun() const {
    return ends_.size() <= kMaxValues && scratch_values_ <= kMaxScratchValues;
  }
  // Whether it can run in 32 bits.
  bool is_narrow() const { return is_narrow_; }

  // Runs it for numbers that are known to be within their ends, or returns the
  // first position in a group in which one is not; `count` if there is none.
  // `kinds`, unless null, gets 0, 1 where a checked sum failed, or 3 from
  // tail_begin on. Precondition: count >= kMinCount, CanRun(); an
  // array for every input and output, at least one of each, which do not
  // overlap; for int32_t, is_narrow().
  template <typename Int>
  void Run(const Int* const* inputs, Int* const* outputs, uint8_t* kinds,
           size_t count) const {
    RunFor<Int>(inputs, outputs, kinds, count, /*checks_inputs=*/false);
  }
  template <typename Int>
  size_t RunChecked(const Int* const* inputs, Int* const* outputs,
                    uint8_t* kinds, size_t count) const {
    return RunFor<Int>(inputs, outputs, kinds, count, /*checks_inputs=*/true);
  }

  // -- What the kernels read -------------------------------------------------

  // A term of a pass: bits of a value, brought to where they belong, or times a
  // factor.
  struct Term {
    uint32_t value;
    uint32_t shift;
    uint64_t mask;
    uint64_t factor;
  };
  struct Step {
    enum class Kind : uint8_t {
      kOrShiftedLeft,   // to = all of (value << shift) & mask, none overlapping
      kOrShiftedRight,  // to = all of (value >> shift) & mask
      // to = offset + sum of ((value >> shift) & mask) * factor
      kAddMultiplied,
      // to = ((value >> shift) * factor) >> shift_after, the product below 2^64
      kQuotient,
      // The same of the upper half of the 128 bits of twice the product.
      kHighQuotient,
    };
    Kind kind;
    bool is_of_one_value;
    // Whether one more term follows: (value >> shift) * factor, to be added.
    bool has_factor;
    uint8_t shift_after;
    uint8_t term_count;  // at most kMaxTerms; of quotients, 1
    uint32_t first_term;
    uint32_t to;  // the value
    uint64_t offset;
  };
  static constexpr int kMaxTerms = 5;
  // A value that fails where it exceeds `last`.
  struct Check {
    uint32_t value;
    uint64_t last;
  };
  // Swizzle (IndexMap::BitSwizzle); without mask there is none.
  struct Swizzle {
    uint64_t mask = 0;
    int32_t shift = 0;
  };

  size_t inputs() const { return inputs_; }
  absl::Span<const Step> steps() const { return steps_; }
  const Term& term(size_t number) const { return terms_[number]; }
  // Which output a value is, or kScratch.
  int32_t output(size_t value) const { return outputs_[value]; }
  // Where among the scratch values it is, if it is one of them; the first place
  // is for the first input, swizzled.
  size_t scratch_place(size_t value) const { return scratch_places_[value]; }
  int64_t end(size_t value) const { return ends_[value]; }
  int64_t tail_begin() const { return tail_begin_; }
  absl::Span<const Check> checks() const { return checks_; }
  const Swizzle& input_swizzle() const { return input_swizzle_; }
  const Swizzle& output_swizzle() const { return output_swizzle_; }

 private:
  template <typename Int>
  size_t RunFor(const Int* const* inputs, Int* const* outputs, uint8_t* kinds,
                size_t count, bool checks_inputs) const;

  // A new value; its number.
  uint32_t AddValue(int64_t end, int32_t output);
  // The value that is `value` div `divisor`, which is not a power of two.
  uint32_t QuotientBy(uint32_t value, int64_t divisor);
  // Whether the terms of the sum are bits that do not overlap.
  bool IsOfBits() const;
  // Whether the value has no bits above those of the term.
  bool IsLastDigit(const Term& term) const;
  // Whether the sum is nothing but a value that goes nowhere else.
  bool IsScratchValue() const;
  // Adds to `to`, unless it has not begun, what the terms are, and with the
  // last of them `factor`, unless null.
  void AddPasses(Step::Kind kind, const std::vector<Term>& terms,
                 const Term* factor, uint32_t to, bool* has_begun);

  struct KnownQuotient {
    uint32_t value;
    int64_t divisor;
    uint32_t quotient;
  };

  size_t inputs_;
  std::vector<int64_t> ends_;           // of every value
  std::vector<int32_t> outputs_;        // of every value; of inputs, kScratch
  std::vector<size_t> scratch_places_;  // of every value
  size_t scratch_values_ = 1;
  std::vector<Term> terms_;
  std::vector<Step> steps_;
  std::vector<KnownQuotient> quotients_;
  // Of the sum that has begun.
  uint64_t offset_ = 0;
  std::vector<Term> sum_;
  int64_t tail_begin_;
  bool is_narrow_ = true;
  std::vector<Check> checks_;
  Swizzle input_swizzle_;
  Swizzle output_swizzle_;
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_SUM_PROGRAM_H_
