#include "tessera/tests/cute/random_cute_layouts.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tessera::cute {
namespace {

using Leaves = std::vector<LiteralLayout>;

bool OneIn(int64_t n, RandomBits* random) { return Uniform(1, n, random) == 1; }

template <typename T>
const T& AnyOf(const std::vector<T>& choices, RandomBits* random) {
  return choices[Uniform(0, choices.size() - 1, random)];
}

int64_t RandomDivisor(int64_t n, RandomBits* random) {
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) divisors.push_back(d);
  }
  return AnyOf(divisors, random);
}

// The leaves from `begin` to `end` in a tree of `max_depth` levels at most.
LiteralLayout Nested(const Leaves& leaves, size_t begin, size_t end,
                     int64_t max_depth, RandomBits* random) {
  const int64_t count = end - begin;
  if (max_depth == 0 || (count == 1 && !OneIn(4, random))) return leaves[begin];
  // With one level left a tuple holds integers only.
  const int64_t rank = max_depth == 1 ? count : Uniform(1, count, random);
  std::vector<size_t> ends;
  for (size_t i = begin + 1; i < end; ++i) ends.push_back(i);
  std::shuffle(ends.begin(), ends.end(), *random);
  ends.resize(rank - 1);
  ends.push_back(end);
  std::sort(ends.begin(), ends.end());
  std::vector<LiteralLayout> modes;
  for (const size_t mode_end : ends) {
    modes.push_back(Nested(leaves, begin, mode_end, max_depth - 1, random));
    begin = mode_end;
  }
  return LiteralLayout::Tuple(std::move(modes));
}

LiteralLayout Nested(const Leaves& leaves, const RandomCuteOptions& options,
                     RandomBits* random) {
  return Nested(leaves, 0, leaves.size(), options.max_depth, random);
}

// As many leaves as the options allow, strides 0.
Leaves RandomSizes(const RandomCuteOptions& options, RandomBits* random) {
  const int64_t max_leaves = options.max_depth == 0 ? 1 : options.max_leaves;
  Leaves leaves;
  int64_t left = options.max_size;
  for (int64_t n = Uniform(1, max_leaves, random); n > 0; --n) {
    const int64_t high = std::min(options.max_leaf_size, left);
    const int64_t size = OneIn(6, random) ? 1 : Uniform(1, high, random);
    leaves.push_back(LiteralLayout::Leaf(size, 0));
    left /= size;
  }
  return leaves;
}

// Strides that pile the leaves up in the order given, `gap` times apart.
void PileUp(const std::vector<size_t>& order, int64_t max_gap, Leaves* leaves,
            RandomBits* random) {
  int64_t stride = 1;
  for (const size_t i : order) {
    if (max_gap > 1) {
      // Half of the gaps are whole multiples, so that complements exist.
      stride = OneIn(2, random) ? stride * Uniform(1, max_gap, random)
                                : stride + Uniform(0, max_gap, random);
    }
    (*leaves)[i].stride = stride;
    stride *= (*leaves)[i].shape;
  }
}

void ChooseStrides(const RandomCuteOptions& options, Leaves* leaves,
                   RandomBits* random) {
  std::vector<size_t> order(leaves->size());
  std::iota(order.begin(), order.end(), 0);
  switch (Uniform(0, 6, random)) {
    case 0:
      for (LiteralLayout& leaf : *leaves) leaf.stride = Uniform(0, 20, random);
      break;
    case 1:
      for (LiteralLayout& leaf : *leaves) leaf.stride = Uniform(0, 1, random);
      break;
    case 2:
      PileUp(order, 1, leaves, random);
      break;
    case 3:
      std::shuffle(order.begin(), order.end(), *random);
      PileUp(order, 1, leaves, random);
      break;
    case 4:
      PileUp(order, 3, leaves, random);
      break;
    case 5:
      std::shuffle(order.begin(), order.end(), *random);
      PileUp(order, 3, leaves, random);
      break;
    default: {
      const int64_t unit = Uniform(1, 6, random);
      for (LiteralLayout& leaf : *leaves) {
        leaf.stride = unit * Uniform(1, 3, random);
      }
    }
  }
  if (OneIn(4, random)) {
    for (LiteralLayout& leaf : *leaves) {
      if (OneIn(3, random)) leaf.stride = 0;
    }
  }
  if (options.negative_strides && OneIn(3, random)) {
    for (LiteralLayout& leaf : *leaves) {
      if (OneIn(2, random)) leaf.stride = -leaf.stride;
    }
  }
}

// A leaf that walks through `a`, given by its sizes: it begins at some mode or
// inside it, and ends at some later mode or inside it.
LiteralLayout RelatedLeaf(const std::vector<int64_t>& sizes, int64_t max_size,
                          RandomBits* random) {
  size_t mode = Uniform(0, sizes.size() - 1, random);
  int64_t stride = 1;
  for (size_t i = 0; i < mode; ++i) stride *= sizes[i];
  const int64_t step = RandomDivisor(sizes[mode], random);
  stride *= step;
  int64_t size = sizes[mode] / step;
  while (++mode < sizes.size() && OneIn(2, random)) size *= sizes[mode];
  switch (Uniform(0, 3, random)) {
    case 0:
      break;
    case 1:
      size = Uniform(1, size, random);
      break;
    case 2:
      if (mode == sizes.size()) size *= Uniform(1, 3, random);
      break;
    default:
      size = RandomDivisor(size, random);
  }
  return LiteralLayout::Leaf(std::min(size, max_size), stride);
}

// Leaves that each take a digit of their own of an index into `a`.
Leaves DistinctDigits(const std::vector<int64_t>& sizes, int64_t max_leaves,
                      RandomBits* random) {
  Leaves digits;
  int64_t stride = 1;
  for (const int64_t size : sizes) {
    for (int64_t left = size; left > 1;) {
      const int64_t digit = left == size ? RandomDivisor(left, random) : left;
      digits.push_back(LiteralLayout::Leaf(digit, stride));
      stride *= digit;
      left /= digit;
    }
  }
  Leaves leaves;
  for (const LiteralLayout& digit : digits) {
    // Neighbouring digits may become one, as long as nothing lies between.
    if (!leaves.empty() && OneIn(3, random) &&
        leaves.back().stride * leaves.back().shape == digit.stride) {
      leaves.back().shape *= digit.shape;
    } else if (!OneIn(4, random)) {
      leaves.push_back(digit);
    }
  }
  std::shuffle(leaves.begin(), leaves.end(), *random);
  if (leaves.empty()) leaves.push_back(LiteralLayout::Leaf(1, 0));
  if (static_cast<int64_t>(leaves.size()) > max_leaves) {
    leaves.resize(max_leaves);
  }
  return leaves;
}

// Leaves to the right may only be smaller than they were.
void LimitSize(int64_t max_size, Leaves* leaves) {
  for (LiteralLayout& leaf : *leaves) {
    leaf.shape = std::min(leaf.shape, max_size);
    max_size /= leaf.shape;
  }
}

// Precondition: every size is at least 1.
Leaves RelatedLeaves(const std::vector<int64_t>& sizes, int64_t max_leaves,
                     int64_t max_size, RandomBits* random) {
  Leaves leaves;
  if (OneIn(2, random)) {
    leaves = DistinctDigits(sizes, max_leaves, random);
  } else {
    for (int64_t n = Uniform(1, std::min<int64_t>(max_leaves, 3), random);
         n > 0; --n) {
      leaves.push_back(RelatedLeaf(sizes, max_size, random));
    }
  }
  for (LiteralLayout& leaf : leaves) {
    if (!OneIn(4, random)) continue;
    switch (Uniform(0, 3, random)) {
      case 0:
        leaf.stride = 0;
        break;
      case 1:
        leaf.stride *= Uniform(1, 3, random);
        break;
      case 2:
        leaf.shape = Uniform(1, leaf.shape + 1, random);
        break;
      default:
        ++leaf.stride;
    }
  }
  LimitSize(max_size, &leaves);
  return leaves;
}

std::vector<int64_t> LeafSizes(const LiteralLayout& layout) {
  std::vector<int64_t> sizes;
  for (const LiteralLayout& leaf : layout.Leaves()) sizes.push_back(leaf.shape);
  return sizes;
}

}  // namespace

LiteralLayout RandomCuteLayout(const RandomCuteOptions& options,
                               RandomBits* random) {
  Leaves leaves = RandomSizes(options, random);
  ChooseStrides(options, &leaves, random);
  return Nested(leaves, options, random);
}

LiteralPair RelatedPair(const RandomCuteOptions& options, RandomBits* random) {
  LiteralPair pair;
  pair.a = RandomCuteLayout(options, random);
  const int64_t max_leaves = options.max_depth == 0 ? 1 : options.max_leaves;
  Leaves leaves =
      RelatedLeaves(LeafSizes(pair.a), max_leaves, options.max_size, random);
  if (options.negative_strides && OneIn(6, random)) {
    LiteralLayout& leaf = leaves[Uniform(0, leaves.size() - 1, random)];
    leaf.stride = -leaf.stride;
  }
  pair.b = Nested(leaves, options, random);
  return pair;
}

LiteralPair UnrelatedPair(const RandomCuteOptions& options,
                          RandomBits* random) {
  LiteralPair pair;
  pair.a = RandomCuteLayout(options, random);
  pair.b = RandomCuteLayout(options, random);
  return pair;
}

std::string LiteralTiler::ToString() const {
  switch (kind) {
    case Kind::kLayout:
      return layout.ToString();
    case Kind::kSize:
      return absl::StrCat(size);
    case Kind::kKeep:
      return "_";
    case Kind::kTuple:
      break;
  }
  return absl::StrCat("<",
                      absl::StrJoin(modes, ",",
                                    [](std::string* out, const auto& mode) {
                                      out->append(mode.ToString());
                                    }),
                      ">");
}

LiteralTiler RandomTiler(const LiteralLayout& layout,
                         const RandomCuteOptions& options, RandomBits* random) {
  LiteralTiler tiler;
  if (!layout.is_leaf && !OneIn(3, random)) {
    tiler.kind = LiteralTiler::Kind::kTuple;
    size_t count = layout.modes.size();
    if (OneIn(4, random)) count = Uniform(1, count, random);
    for (size_t i = 0; i < count; ++i) {
      tiler.modes.push_back(RandomTiler(layout.modes[i], options, random));
    }
    return tiler;
  }
  const int64_t size = layout.Size();
  switch (Uniform(0, 4, random)) {
    case 0:
      tiler.kind = LiteralTiler::Kind::kKeep;
      break;
    case 1:
      tiler.kind = LiteralTiler::Kind::kSize;
      tiler.size = OneIn(4, random) ? Uniform(1, size + 1, random)
                                    : RandomDivisor(size, random);
      break;
    default: {
      tiler.kind = LiteralTiler::Kind::kLayout;
      Leaves leaves = RelatedLeaves(LeafSizes(layout), 2, size, random);
      if (OneIn(8, random)) ChooseStrides(options, &leaves, random);
      tiler.layout = Nested(leaves, 0, leaves.size(),
                            std::max<int64_t>(options.max_depth, 1), random);
    }
  }
  return tiler;
}

}  // namespace tessera::cute
