// What an affine map means, read straight off its text, and random texts to
// ask that of.
//
//   *LiteralValue("(d0 - 5) floordiv s0 * 2", {3}, {4});   // -2
//
//   RandomBits random(TestSeed());
//   RandomAffineMap map(RandomAffineOptions(), &random);
//   map.text;                  // "(d0, d1) -> (-d1 floordiv 4 + 3, d0)"
//   map.results;               // {"-d1 floordiv 4 + 3", "d0"}

#ifndef TESSERA_TESTS_TENSTORRENT_LITERAL_AFFINE_H_
#define TESSERA_TESTS_TENSTORRENT_LITERAL_AFFINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera::tenstorrent {

// The value of an expression in d0, d1, ... and s0, s1, ..., computed while it
// is read, by recursive descent and without simplification. Nullopt if a
// divisor is below 1. Precondition: the text is well formed, and all values
// are small.
std::optional<int64_t> LiteralValue(std::string_view expression,
                                    absl::Span<const int64_t> indices,
                                    absl::Span<const int64_t> symbols = {});

struct RandomAffineOptions {
  int64_t max_dims = 3;
  int64_t max_symbols = 2;
  int64_t max_results = 3;
  // Of operations, one within the other.
  int64_t max_depth = 5;
  // Whether floordiv, ceildiv and mod occur.
  bool with_divisions = true;
};

// Divisors are positive constants, or positive for positive symbols.
struct RandomAffineMap {
  RandomAffineMap(const RandomAffineOptions& options, RandomBits* random);

  int64_t num_dims;
  int64_t num_symbols;
  std::vector<std::string> results;
  std::string text;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TESTS_TENSTORRENT_LITERAL_AFFINE_H_
