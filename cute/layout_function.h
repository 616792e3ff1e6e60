// A layout prepared for many evaluations: computes offsets without divisions.
//
//   #include "tessera/cute/parse.h"
//
//   LayoutFunction function(*ParseLayout("((3,5),(7,2)):((1,40),(5,300))"));
//   function.At(4, 9);       // 351: mode 0 at 4, mode 1 at 9
//   function.At({4, 9});     // 351: the same for any rank
//   function(139);           // 351: an integral coordinate
//
// A mode is a sum of terms, coefficient * (x div divisor): since x mod s is x -
// s * (x div s), the remainders of a layout cancel against the next quotient,
// and modes that merge have no term. A quotient is a multiplication and a shift
// (base/math/fast_divider.h).

#ifndef TESSERA_CUTE_LAYOUT_FUNCTION_H_
#define TESSERA_CUTE_LAYOUT_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/math/fast_divider.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

class LayoutFunction {
 public:
  // Precondition: !layout.has_basis().
  explicit LayoutFunction(const Layout& layout);

  int64_t rank() const { return slopes_.size(); }

  // Returns the offset at an integral coordinate. Precondition here and below:
  // no coordinate is negative. Past the size an offset that exceeds int64_t is
  // modulo 2^64.
  int64_t operator()(int64_t coordinate) const {
    uint64_t offset = whole_slope_ * static_cast<uint64_t>(coordinate);
    for (const Term& term : whole_terms_) {
      offset += term.coefficient * term.divider.Divide(coordinate);
    }
    return static_cast<int64_t>(offset);
  }

  // Returns the offset at one integral coordinate for each top-level mode.
  // Precondition: there are rank() coordinates.
  int64_t At(absl::Span<const int64_t> coordinates) const {
    uint64_t offset = 0;
    for (size_t i = 0; i < slopes_.size(); ++i) {
      offset += slopes_[i] * static_cast<uint64_t>(coordinates[i]);
    }
    for (const Term& term : terms_) {
      offset += term.coefficient * term.divider.Divide(coordinates[term.mode]);
    }
    return static_cast<int64_t>(offset);
  }
  int64_t At(std::initializer_list<int64_t> coordinates) const {
    return At(absl::MakeConstSpan(coordinates.begin(), coordinates.size()));
  }
  // Precondition: rank() == 2.
  int64_t At(int64_t i, int64_t j) const {
    const int64_t coordinates[] = {i, j};
    uint64_t offset = slopes_[0] * static_cast<uint64_t>(i) +
                      slopes_[1] * static_cast<uint64_t>(j);
    for (const Term& term : terms_) {
      offset += term.coefficient * term.divider.Divide(coordinates[term.mode]);
    }
    return static_cast<int64_t>(offset);
  }

 private:
  // All arithmetic is modulo 2^64; coefficients may represent negative numbers.
  struct Term {
    FastDivider divider;
    uint64_t coefficient;
    size_t mode;
  };
  using Terms = absl::InlinedVector<Term, 8>;

  // Appends the terms of leaves [begin, end) for the coordinate of `mode`, and
  // returns its slope, the coefficient of x itself.
  static uint64_t AppendTerms(const Layout& layout, size_t begin, size_t end,
                              size_t mode, Terms* terms);

  absl::InlinedVector<uint64_t, 8> slopes_;  // of each top-level mode
  Terms terms_;
  uint64_t whole_slope_ = 0;
  Terms whole_terms_;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_LAYOUT_FUNCTION_H_
