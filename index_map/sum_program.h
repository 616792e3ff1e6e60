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
// The values are numbered: the inputs are 0, 1, ..., and every sum is one more.
// Everything is computed modulo 2^64, or modulo 2^32 if no value reaches 2^31,
// because every processor has an instruction for that multiplication. A program
// is a list of steps, each a loop over a group of numbers that stays in the
// cache; Highway picks the vectors.

#ifndef TESSERA_INDEX_MAP_SUM_PROGRAM_H_
#define TESSERA_INDEX_MAP_SUM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace tessera {

class SumProgram {
 public:
  // The limits for running a program: the most values, the most values in its
  // own memory, and the fewest numbers that make a run worthwhile.
  static constexpr size_t kMaxValues = 32;
  static constexpr size_t kMaxScratchValues = 8;
  static constexpr size_t kMinCount = 16;
  static constexpr int32_t kScratch = -1;

  // Creates a program for inputs in [0, input_ends[i]).
  explicit SumProgram(absl::Span<const int64_t> input_ends);

  // Add one sum after the other: its terms, and its destination. Its values are
  // below `end`; larger ones, caused by wrong inputs, affect only the results.
  // `output`: the number of an output, or kScratch if only later sums need it.
  // Precondition: divisor > 0; modulus > 0, or 0 for no remainder; the value is
  // an earlier one; end >= 0.
  void BeginSum(uint64_t offset);
  // coefficient * (value div divisor)
  void AddQuotient(uint32_t value, int64_t divisor, uint64_t coefficient);
  // coefficient * ((value div divisor) mod modulus)
  void AddDigit(uint32_t value, int64_t divisor, int64_t modulus,
                uint64_t coefficient);
  // Returns the number of the value.
  uint32_t EndSum(int64_t end, int32_t output);
  // Like EndSum, but the sum fails for values that are not below `bound`.
  uint32_t EndCheckedSum(int64_t end, int64_t bound, int32_t output);

  // Swizzles (IndexMap::BitSwizzle) the first input, or the only output.
  void SwizzleInput(uint64_t mask, int32_t shift);
  void SwizzleOutput(uint64_t mask, int32_t shift);
  // First inputs from here on are in the tail: their kind is 3.
  void set_tail_begin(int64_t tail_begin) { tail_begin_ = tail_begin; }

  bool CanRun() const {
    return ends_.size() <= kMaxValues && scratch_values_ <= kMaxScratchValues;
  }
  // Whether the program can run in 32 bits.
  bool is_narrow() const { return is_narrow_; }

  // Run executes the program for numbers that are known to be below their ends.
  // RunChecked returns the first position with a number that is not; `count` if
  // there is none. `kinds`, unless null, receives 0, 1 if a checked sum failed,
  // or 3 from tail_begin on. Precondition: count >= kMinCount, CanRun(); an
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

  // A term of a pass: bits of a value, shifted to their place, or times a
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
      // The same with the upper half of the 128 bits of twice the product.
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
  // A value that fails if it exceeds `last`.
  struct Check {
    uint32_t value;
    uint64_t last;
  };
  // A swizzle (IndexMap::BitSwizzle); none if the mask is 0.
  struct Swizzle {
    uint64_t mask = 0;
    int32_t shift = 0;
  };

  size_t inputs() const { return inputs_; }
  absl::Span<const Step> steps() const { return steps_; }
  const Term& term(size_t number) const { return terms_[number]; }
  // Returns the number of the output that a value is, or kScratch.
  int32_t output(size_t value) const { return outputs_[value]; }
  // Returns the place of a value among the scratch values, if it is one of
  // them. The first place is for the first input, swizzled.
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

  // Adds a new value and returns its number.
  uint32_t AddValue(int64_t end, int32_t output);
  // Returns the number of the value `value` div `divisor`. Precondition: the
  // divisor is not a power of two.
  uint32_t QuotientBy(uint32_t value, int64_t divisor);
  // Returns whether the terms of the sum are bits that do not overlap.
  bool IsOfBits() const;
  // Returns whether the value has no bits above those of the term.
  bool IsLastDigit(const Term& term) const;
  // Returns whether the sum is only a value that is not used elsewhere.
  bool IsScratchValue() const;
  // Adds the terms to `to`, or sets `to` if it has not begun. The last pass
  // also adds `factor`, unless it is null.
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
  // The offset and the terms of the current sum.
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
