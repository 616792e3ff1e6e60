// File: index_map/sum_program.h
//
// Sums of quotients, computed for many numbers at once: what a batch of an
// IndexMap comes down to, forward and inverse.
//
//   // x0 * 128 + (x0 div 8) * 896 + x1, for two arrays of coordinates.
//   SumProgram program({4096, 128});
//   program.BeginSum(/*offset=*/0);
//   program.AddTerm(/*value=*/0, /*divisor=*/1, /*coefficient=*/128);
//   program.AddTerm(0, 8, 896);
//   program.AddTerm(1, 1, 1);
//   program.EndSum(/*end=*/524288, /*output=*/0);
//   program.Run(x, positions, count);   // for int64_t or, as it is_narrow(),
//                                       // int32_t
//
// The inputs are the values number 0, 1, ..., every sum is one more. Everything
// is computed modulo 2^64, or modulo 2^32 where no value reaches 2^31: then a
// multiplication is an instruction of any processor. Highway picks the vectors
// of this one.

#ifndef TESSERA_INDEX_MAP_SUM_PROGRAM_H_
#define TESSERA_INDEX_MAP_SUM_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace tessera {

class SumProgram {
 public:
  // The most values that a program may have; the least numbers that are worth
  // a run, and that Run takes.
  static constexpr size_t kMaxValues = 40;
  static constexpr size_t kMinCount = 16;

  // How a quotient is taken of a value.
  struct Term {
    enum class Kind : uint8_t {
      kShift,     // value >> shift
      kMultiply,  // ((value >> shift) * multiplier) >> shift_after, below 2^64
      kMultiplyHigh,  // the same, of the upper half of 128 bits of the product
                      // with twice the value
    };
    Kind kind;
    uint8_t shift;
    uint8_t shift_after;
    uint32_t value;
    uint64_t multiplier;
    uint64_t coefficient;
  };
  struct Sum {
    uint64_t offset;
    size_t terms_end;
    int32_t output;   // kScratch if only later sums need it
    bool is_checked;  // whether it fails where it exceeds `last`
    uint64_t last;
  };
  static constexpr int32_t kScratch = -1;

  // For inputs from 0 up to `input_ends`, these not included.
  explicit SumProgram(absl::Span<const int64_t> input_ends);

  // One sum after the other: its terms, coefficient * (value div divisor), and
  // where it goes. Its values are below `end`; what exceeds them by mistake of
  // the inputs does no harm but to the results. `output`: the number of an
  // output, or kScratch. Precondition: divisor > 0; the value is an earlier
  // one; end >= 0.
  void BeginSum(uint64_t offset);
  void AddTerm(uint32_t value, int64_t divisor, uint64_t coefficient);
  // Returns the number of the value.
  uint32_t EndSum(int64_t end, int32_t output);
  // The same for a sum that fails where it exceeds what is below `bound`.
  uint32_t EndCheckedSum(int64_t end, int64_t bound, int32_t output);

  // Swizzles (IndexMap::BitSwizzle) the first input, or the last sum.
  void SwizzleInput(uint64_t mask, int32_t shift);
  void SwizzleOutput(uint64_t mask, int32_t shift);
  // From here on the first input is of no use: its kind is 3.
  void set_tail_begin(int64_t tail_begin) { tail_begin_ = tail_begin; }

  size_t values() const { return ends_.size(); }
  // Whether it can run in 32 bits.
  bool is_narrow() const { return is_narrow_; }

  // Runs it for numbers that are known to be within their ends, or returns the
  // first position in a group in which one is not; `count` if there is none.
  // `kinds`, unless null, gets 0, 1 where a checked sum failed, or 3 from
  // tail_begin on. Precondition: count >= kMinCount, values() <= kMaxValues; an
  // array for every input and output, which do not overlap; for int32_t,
  // is_narrow().
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

  // What the kernels read.
  absl::Span<const Term> terms() const { return terms_; }
  absl::Span<const Sum> sums() const { return sums_; }
  size_t inputs() const { return inputs_; }
  int64_t end(size_t value) const { return ends_[value]; }
  int64_t tail_begin() const { return tail_begin_; }
  struct Swizzle {
    uint64_t mask = 0;  // 0: none
    int32_t shift = 0;
  };
  const Swizzle& input_swizzle() const { return input_swizzle_; }
  const Swizzle& output_swizzle() const { return output_swizzle_; }

 private:
  template <typename Int>
  size_t RunFor(const Int* const* inputs, Int* const* outputs, uint8_t* kinds,
                size_t count, bool checks_inputs) const;

  size_t inputs_;
  std::vector<int64_t> ends_;  // of every value
  std::vector<Term> terms_;
  std::vector<Sum> sums_;
  uint64_t offset_ = 0;  // of the sum that has begun
  int64_t tail_begin_;
  bool is_narrow_ = true;
  Swizzle input_swizzle_;
  Swizzle output_swizzle_;
};

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_SUM_PROGRAM_H_
