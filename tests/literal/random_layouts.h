// Which layouts shall a test try? All the small ones, and many random ones.
//
//   SmallLayouts family;          // rank 3 at most, bounds 0 to 4, one tile
//   ForEachSmallLayout(family, /*part=*/0, /*parts=*/8, check);
//
//   RandomBits random(TestSeed());
//   check(RandomLayout(RandomLayoutOptions(), &random));
//   check(RandomLayout(LargeLayoutOptions(), &random));
//
// A run is repeated by the seed that it printed:
//
//   ./bazelw test --test_env=TESSERA_TEST_SEED=17 //tests/...

#ifndef TESSERA_TESTS_LITERAL_RANDOM_LAYOUTS_H_
#define TESSERA_TESTS_LITERAL_RANDOM_LAYOUTS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "absl/functional/function_ref.h"
#include "tessera/tests/literal/literal_evaluator.h"

namespace tessera {

// All layouts of every rank up to max_rank, all bounds from 0 to max_bound, all
// permutations, and exactly `tile_levels` tiles of rank 1 to max_tile_rank
// whose entries come from tile_entries (`*` never last).
struct SmallLayouts {
  int64_t max_rank = 3;
  int64_t max_bound = 4;
  int64_t tile_levels = 1;
  int64_t max_tile_rank = 4;
  std::vector<int64_t> tile_entries = {1, 2, 3, 4, LiteralLayout::kCombine};
};

// Calls `visit` with every layout of the family whose number leaves the
// remainder `part` when divided by `parts`, so that the work can be shared out.
// Returns how many those were.
int64_t ForEachSmallLayout(const SmallLayouts& family, int64_t part,
                           int64_t parts,
                           absl::FunctionRef<void(const LiteralLayout&)> visit);

using RandomBits = std::mt19937_64;

// TESSERA_TEST_SEED from the environment, or 1. Prints it.
uint64_t TestSeed();

// From `low` to `high`, both included. Precondition: low <= high.
int64_t Uniform(int64_t low, int64_t high, RandomBits* random);

// The ranges that RandomLayout draws from. Bounds of 0 and 1, `*`, tiles that
// divide their dimension, tiles that stand over, powers of two throughout, and
// the tiles of real devices, such as T(8,128)(2,1), are all frequent; the last
// whatever max_tile_entry says.
struct RandomLayoutOptions {
  int64_t max_rank = 6;
  int64_t max_bound = 24;
  int64_t max_tile_levels = 3;
  int64_t max_tile_rank = 5;
  int64_t max_tile_entry = 8;
  int64_t max_tail_padding_alignment = 64;
  // Of the physical array, tail padding included.
  int64_t max_positions = 5000;
};

// Bounds up to 2^40 and up to 2^63 - 1 positions: not for the literal
// evaluator.
RandomLayoutOptions LargeLayoutOptions();

LiteralLayout RandomLayout(const RandomLayoutOptions& options,
                           RandomBits* random);

// A layout of the same bounds, written differently: with a tile more, an entry
// more, other dimensions of bound 1 in front. Such changes often leave every
// element where it was, and sometimes do not.
LiteralLayout RewrittenLayout(LiteralLayout layout, RandomBits* random);

// A layout of as many elements: with a dimension of bound 1 more, one dimension
// made into two, or all made into one. Again every element, by its number in
// row-major order, often but not always stays where it was.
LiteralLayout ReshapedLayout(LiteralLayout layout, RandomBits* random);

// Whether `layout` takes `max_positions` positions at most, tail padding left
// aside.
bool FitsInto(int64_t max_positions, const LiteralLayout& layout);

}  // namespace tessera

#endif  // TESSERA_TESTS_LITERAL_RANDOM_LAYOUTS_H_
