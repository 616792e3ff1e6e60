// In which ways one buffer can be read as another: what FindBitcasts says of
// pairs of random layouts, against a comparison of all positions under every
// permutation of the dimensions.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/shape/shape.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/literal_evaluator.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

#ifdef TESSERA_SANITIZER
constexpr int kSamples = 2000;
#else
constexpr int kSamples = 40000;
#endif

using Dimensions = std::vector<int64_t>;

struct Literal {
  explicit Literal(LiteralLayout the_layout)
      : layout(std::move(the_layout)), array(EvaluateLiterally(layout)) {}

  LiteralLayout layout;
  LiteralArray array;
};

bool HasElements(const LiteralLayout& layout) {
  return std::find(layout.bounds.begin(), layout.bounds.end(), 0) ==
         layout.bounds.end();
}

// Whether each element of `from`, at index i, lies where `to` has it, at the
// index whose entry k is i[dimensions[k]].
bool IsTranspose(const Literal& from, const Literal& to,
                 const Dimensions& dimensions) {
  Dimensions bounds;
  for (const int64_t d : dimensions) bounds.push_back(from.layout.bounds[d]);
  if (bounds != to.layout.bounds) return false;
  if (!HasElements(to.layout)) return true;
  Dimensions from_index(dimensions.size());
  Dimensions to_index(dimensions.size());
  do {
    for (size_t k = 0; k < dimensions.size(); ++k) {
      from_index[dimensions[k]] = to_index[k];
    }
    if (from.array.PositionOf(from_index) != to.array.PositionOf(to_index)) {
      return false;
    }
  } while (NextIndex(bounds, &to_index));
  return true;
}

bool HasTranspose(const Literal& from, const Literal& to) {
  if (from.layout.rank() != to.layout.rank()) return false;
  Dimensions dimensions(from.layout.rank());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  do {
    if (IsTranspose(from, to, dimensions)) return true;
  } while (std::next_permutation(dimensions.begin(), dimensions.end()));
  return false;
}

Dimensions RandomPermutation(int64_t rank, RandomBits* random) {
  Dimensions dimensions(rank);
  std::iota(dimensions.begin(), dimensions.end(), 0);
  std::shuffle(dimensions.begin(), dimensions.end(), *random);
  return dimensions;
}

// The same buffer with other names for the dimensions.
LiteralLayout Transposed(const LiteralLayout& layout,
                         const Dimensions& dimensions) {
  LiteralLayout result = layout;
  Dimensions new_name(layout.rank());
  for (int64_t k = 0; k < layout.rank(); ++k) {
    result.bounds[k] = layout.bounds[dimensions[k]];
    new_name[dimensions[k]] = k;
  }
  for (int64_t& d : result.minor_to_major) d = new_name[d];
  return result;
}

LiteralLayout InOrderOfMemory(const LiteralLayout& layout) {
  return Transposed(layout, Dimensions(layout.minor_to_major.rbegin(),
                                       layout.minor_to_major.rend()));
}

LiteralLayout Variant(const LiteralLayout& layout, RandomBits* random) {
  switch (Uniform(0, 6, random)) {
    case 0:
      return Transposed(layout, RandomPermutation(layout.rank(), random));
    case 1:
      return RewrittenLayout(
          Transposed(layout, RandomPermutation(layout.rank(), random)), random);
    case 2: {
      LiteralLayout other = layout;
      other.minor_to_major = RandomPermutation(layout.rank(), random);
      return other;
    }
    case 3: {
      LiteralLayout other = layout;
      std::shuffle(other.bounds.begin(), other.bounds.end(), *random);
      return other;
    }
    case 4:
      return RewrittenLayout(layout, random);
    case 5:
      return ReshapedLayout(layout, random);
    default: {
      const LiteralLayout reshaped = ReshapedLayout(
          Transposed(layout, RandomPermutation(layout.rank(), random)), random);
      return Transposed(reshaped, RandomPermutation(reshaped.rank(), random));
    }
  }
}

TEST(FindBitcastsDifferential, AgreesWithTheLiteralEvaluator) {
  RandomBits random(TestSeed());
  RandomLayoutOptions few;
  few.max_rank = 5;
  few.max_bound = 4;
  few.max_positions = 400;
  RandomLayoutOptions many = few;
  many.max_bound = 24;
  int64_t reshapes = 0, transposes = 0, moved = 0, both = 0, neither = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const Literal from(
        RandomLayout(Uniform(0, 2, &random) == 0 ? many : few, &random));
    LiteralLayout variant = Variant(from.layout, &random);
    if (!FitsInto(2000, variant)) continue;
    const Literal to(std::move(variant));
    SCOPED_TRACE(
        absl::StrCat(from.layout.ToString(), " -> ", to.layout.ToString()));
    const absl::StatusOr<Bitcasts> found =
        FindBitcasts(ToShape(from.layout), ToShape(to.layout));
    ASSERT_THAT(found, IsOk());
    if (from.array.positions.size() != to.array.positions.size()) {
      ASSERT_EQ(found->obstacle,
                absl::StrCat(from.array.positions.size(), " and ",
                             to.array.positions.size(), " elements"));
      continue;
    }
    ASSERT_EQ(found->obstacle, "");
    const bool as_reshape = from.array.positions == to.array.positions;
    const bool as_transpose = HasTranspose(from, to);
    ASSERT_EQ(found->as_reshape, as_reshape);
    ASSERT_EQ(found->as_transpose, as_transpose);
    ASSERT_EQ(found->is_bitcast, as_reshape || as_transpose);
    reshapes += as_reshape;
    if (as_transpose) {
      ++transposes;
      moved +=
          !std::is_sorted(found->dimensions.begin(), found->dimensions.end());
      ASSERT_TRUE(IsTranspose(from, to, found->dimensions))
          << absl::StrJoin(found->dimensions, ",");
      // Asked for, it is confirmed.
      BitcastOptions options;
      options.dimensions = found->dimensions;
      const absl::StatusOr<Bitcasts> asked =
          FindBitcasts(ToShape(from.layout), ToShape(to.layout), options);
      ASSERT_THAT(asked, IsOk());
      ASSERT_EQ(asked->as_transpose, true);
      ASSERT_EQ(asked->as_reshape.has_value(), from.layout.rank() == 0);
    }
    const bool is_untiled =
        from.layout.tiles.empty() && to.layout.tiles.empty();
    ASSERT_EQ(
        found->steps.has_value(),
        !as_reshape && !as_transpose &&
            (is_untiled ||
             EvaluateLiterally(InOrderOfMemory(from.layout)).positions ==
                 EvaluateLiterally(InOrderOfMemory(to.layout)).positions));
    if (!as_reshape && !as_transpose) ++neither;
    if (!found->steps.has_value()) continue;
    ++both;
    const BitcastSteps& steps = *found->steps;
    const Literal transposed(InOrderOfMemory(from.layout));
    const Literal reshaped(InOrderOfMemory(to.layout));
    ASSERT_EQ(steps.transposed, ToShape(transposed.layout));
    ASSERT_EQ(steps.reshaped, ToShape(reshaped.layout));
    ASSERT_TRUE(IsTranspose(from, transposed, steps.first_dimensions));
    ASSERT_EQ(transposed.array.positions, reshaped.array.positions);
    ASSERT_TRUE(IsTranspose(reshaped, to, steps.last_dimensions));
  }
  EXPECT_GT(reshapes, kSamples / 10);
  EXPECT_GT(transposes, kSamples / 10);
  EXPECT_GT(moved, kSamples / 20);
  EXPECT_GT(neither, kSamples / 10);
  EXPECT_GT(both, kSamples / 50);
}

// Where XLA's rule has a permutation for untiled arrays, so have we, and one
// that it accepts, unless every dimension may stay as it is.
TEST(FindBitcastsDifferential, FindsWhatXlaAccepts) {
  RandomBits random(TestSeed());
  int64_t accepted = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    LiteralLayout from;
    for (int64_t i = Uniform(0, 4, &random); i > 0; --i) {
      from.bounds.push_back(Uniform(1, 3, &random));
    }
    from.minor_to_major = RandomPermutation(from.rank(), &random);
    LiteralLayout to =
        Transposed(from, RandomPermutation(from.rank(), &random));
    if (Uniform(0, 2, &random) == 0) {
      to.minor_to_major = RandomPermutation(to.rank(), &random);
    }
    const Shape a = ToShape(from), b = ToShape(to);
    bool has_transpose = false;
    Dimensions dimensions(from.rank());
    std::iota(dimensions.begin(), dimensions.end(), 0);
    do {
      const absl::StatusOr<bool> is_bitcast =
          TransposeIsBitcast(a, b, dimensions);
      has_transpose = has_transpose || (is_bitcast.ok() && *is_bitcast);
    } while (std::next_permutation(dimensions.begin(), dimensions.end()));
    if (!has_transpose) continue;
    ++accepted;
    SCOPED_TRACE(absl::StrCat(a.ToString(), " -> ", b.ToString()));
    const Bitcasts found = *FindBitcasts(a, b);
    ASSERT_EQ(found.as_transpose, true);
    if (std::is_sorted(found.dimensions.begin(), found.dimensions.end())) {
      continue;
    }
    ASSERT_EQ(*TransposeIsBitcast(a, b, found.dimensions), true)
        << absl::StrJoin(found.dimensions, ",");
  }
  EXPECT_GT(accepted, kSamples / 3);
}

}  // namespace
}  // namespace tessera
