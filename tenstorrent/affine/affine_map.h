// MLIR's affine maps: functions from an index d0, d1, ... and the symbols s0,
// s1, ... to one value for each result.
//
//   #include "tessera/tenstorrent/affine/affine_map_parser.h"
//
//   AffineMap map = *ParseAffineMap("(i, j, k) -> (i * 64 + j, k)");
//   map.ToString();      // "(d0, d1, d2) -> (d0 * 64 + d1, d2)"
//   map.ToString(AffineMap::kWrapped);
//                        // "affine_map<(d0, d1, d2) -> (d0 * 64 + d1, d2)>"
//   map.Evaluate({2, 3, 5});                 // {131, 5}
//   map.Form(0)->coefficients;               // {64, 1, 0}
//   map.ResultsUsing(1);                     // {0}
//
//   AffineMap swap = *AffineMap::Permutation({1, 0});
//   swap.ToString();                         // "(d0, d1) -> (d1, d0)"
//   Compose(swap, map)->ToString();
//                        // "(d0, d1, d2) -> (d2, d0 * 64 + d1)"
//   swap.InversePermutation() == swap;       // true
//
// affine_range.h computes the least and greatest values of a result. Terms and
// meaning are those of https://mlir.llvm.org/docs/Dialects/Affine and of
// mlir/IR/AffineMap.h.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_MAP_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_MAP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/value_type.h"
#include "tessera/tenstorrent/affine/affine_expression.h"

namespace tessera::tenstorrent {

class AffineMap {
 public:
  using Results = absl::InlinedVector<AffineExpression, 2>;
  using Indices = absl::InlinedVector<int64_t, 6>;

  enum Spelling {
    kBare,     // (d0) -> (d0), as inside of the attributes of layouts
    kWrapped,  // affine_map<(d0) -> (d0)>, as an attribute of its own
  };

  // Creates () -> ().
  AffineMap() = default;

  // Errors: kInvalidArgument if a count is negative or a result uses a
  // dimension or symbol past its count; kResourceExhausted if there are more
  // than AffineExpression::kMaxDims dimensions, symbols or results, or the
  // results have more than kMaxNodes operands and operations in all.
  static absl::StatusOr<AffineMap> Create(int64_t num_dims, int64_t num_symbols,
                                          Results results);

  // Creates (d0, ..., dn) -> (d0, ..., dn). Precondition: 0 <= num_dims <=
  // kMaxDims.
  static AffineMap Identity(int64_t num_dims);

  // Creates a map to the last `num_results` dimensions: (d0, d1, d2) -> (d1,
  // d2). Precondition: 0 <= num_results <= num_dims <= kMaxDims.
  static AffineMap MinorIdentity(int64_t num_dims, int64_t num_results);

  // Creates a map whose result i is dimension permutation[i]. Errors:
  // kInvalidArgument if that is not a permutation, kResourceExhausted as for
  // Create.
  static absl::StatusOr<AffineMap> Permutation(
      absl::Span<const int64_t> permutation);

  int64_t num_dims() const { return num_dims_; }
  int64_t num_symbols() const { return num_symbols_; }
  int64_t num_results() const { return results_.size(); }
  absl::Span<const AffineExpression> results() const { return results_; }
  // Precondition: 0 <= i < num_results().
  const AffineExpression& result(int64_t i) const { return results_[i]; }

  // Returns the value of each result. Errors: kInvalidArgument if there are not
  // num_dims() indices and num_symbols() symbols, or a divisor is below 1;
  // kOutOfRange if the result of an operation is outside int64_t.
  absl::StatusOr<Indices> Evaluate(
      absl::Span<const int64_t> indices,
      absl::Span<const int64_t> symbols = {}) const;

  // Like Evaluate, but without checks, for loops: writes values[0] to
  // values[num_results() - 1]. Precondition: Evaluate would succeed.
  void Values(absl::Span<const int64_t> indices,
              absl::Span<const int64_t> symbols, int64_t* values) const {
    for (const AffineExpression& result : results_) {
      *values++ = result.Value(indices, symbols);
    }
  }

  // Returns the linear form of result `i`, or nullopt as AffineExpression::Form
  // does. Precondition: 0 <= i < num_results().
  std::optional<AffineForm> Form(int64_t i) const {
    return results_[i].Form(num_dims_);
  }

  // Returns the coefficient of `dim` in result `i`: 0 if it does not occur
  // there, nullopt if the result does not have a linear form. Preconditions:
  // those of Form, and 0 <= dim < num_dims().
  std::optional<int64_t> Coefficient(int64_t i, int64_t dim) const;

  // Returns the results in which `dim` occurs, in ascending order. If the
  // results are linear and the layout has no gaps, that is one result for each
  // dimension of size 2 or more. Precondition: 0 <= dim < num_dims().
  Indices ResultsUsing(int64_t dim) const;

  // The dimensions that occur in several results, in ascending order.
  Indices RepeatedDims() const;

  // Whether the map has no symbols and equals the result of the function of the
  // same name.
  bool is_identity() const;
  bool is_minor_identity() const;
  // Whether the map has no symbols and as many results as dimensions, and each
  // dimension is exactly one result.
  bool is_permutation() const;

  // Returns the inverse map, if is_permutation().
  std::optional<AffineMap> InversePermutation() const;

  std::string ToString(Spelling spelling = kBare) const;
  void AppendTo(TextWriter* writer) const;

  friend bool operator==(const AffineMap& a, const AffineMap& b) {
    return a.num_dims_ == b.num_dims_ && a.num_symbols_ == b.num_symbols_ &&
           a.results_ == b.results_;
  }
  friend bool operator!=(const AffineMap& a, const AffineMap& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const AffineMap& map) {
    return H::combine(std::move(h), map.num_dims_, map.num_symbols_,
                      map.results_);
  }

 private:
  AffineMap(int64_t num_dims, int64_t num_symbols, Results results)
      : num_dims_(num_dims),
        num_symbols_(num_symbols),
        results_(std::move(results)) {}

  int64_t num_dims_ = 0;
  int64_t num_symbols_ = 0;
  Results results_;
};

// Returns the map x -> outer(inner(x)), simplified again. As in MLIR, its
// symbols are those of `outer`, then those of `inner`. Errors: kInvalidArgument
// if `inner` does not have as many results as `outer` has dimensions; those of
// AffineMap::Create and of Substitute (affine_operations.h).
absl::StatusOr<AffineMap> Compose(const AffineMap& outer,
                                  const AffineMap& inner);

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, AffineMap);

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_MAP_H_
