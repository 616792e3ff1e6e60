// File: cute/static_algebra.h
//
// Coalesce, composition and complement of layouts known as the program is
// compiled: constants from constants.
//
//   constexpr StaticLayout kA = ParseStaticLayout("(6,2):(8,2)");
//   constexpr StaticLayout kB = ParseStaticLayout("(4,3):(3,1)");
//   constexpr StaticLayout kR = Composition(kA, kB);  // ((2,2),3):((24,2),8)
//   constexpr StaticLayout kC = Complement(ParseStaticLayout("4:2"), 24);
//                                                     // (2,3):(1,8)
//   constexpr StaticLayout kS =
//       Coalesce(ParseStaticLayout("(2,(1,6)):(1,(6,2))"));  // 12:1
//
// What has no sound answer does not compile; a question comes first:
//
//   static_assert(!CanCompose(ParseStaticLayout("(8,8):(8,1)"),
//                             ParseStaticLayout("4:3")), "");
//
// Arithmetic past int64_t does not compile either.

#ifndef TESSERA_CUTE_STATIC_ALGEBRA_H_
#define TESSERA_CUTE_STATIC_ALGEBRA_H_

#include <array>
#include <cstdint>

#include "tessera/cute/static_layout.h"

namespace tessera {
namespace cute {

namespace internal {

// Return null, or why there is no answer.
constexpr const char* Compose(const StaticLayout& a, const StaticLayout& b,
                              StaticLayout* composition);
constexpr const char* ComplementInto(const StaticLayout& layout,
                                     int64_t cotarget,
                                     StaticLayout* complement);

// The leaves with sizes of 1 dropped and neighbours that continue one another
// merged. With `keep_end`, values past the size stay as well, which takes the
// last leaf even if its size is 1; there is then at least one leaf.
constexpr StaticLayout::Leaves MergedLeaves(const StaticLayout& layout,
                                            bool keep_end);

// A tuple of the leaves; an integer if there is but one, 1:0 if there is none.
constexpr StaticLayout Flat(StaticLayout::Leaves leaves);

}  // namespace internal

// The layout of the same values at the indices below its size that has the
// fewest leaves, none nested: size-1 modes drop out, and s0:d0, s1:d1 merge if
// d1 = s0 * d0. 1:0 if nothing is left.
constexpr StaticLayout Coalesce(const StaticLayout& layout) {
  return internal::Flat(internal::MergedLeaves(layout, /*keep_end=*/false));
}

// R with R(c) = a(b(c)) for all coordinates c of `b`: `b` with each leaf
// replaced by a sub-layout of as many elements. `a` goes on past its size.
//
// The rule refuses wherever a carry between modes of `a` or a size that does
// not divide would make a value wrong. It never answers wrongly; in rare cases,
// nearly all of them runs of two elements, it refuses what is a layout.
constexpr StaticLayout Composition(const StaticLayout& a,
                                   const StaticLayout& b) {
  StaticLayout composition;
  internal::RefuseFor(internal::Compose(a, b, &composition));
  return composition;
}

// Whether Composition(a, b) compiles.
constexpr bool CanCompose(const StaticLayout& a, const StaticLayout& b) {
  StaticLayout composition;
  return internal::Compose(a, b, &composition) == nullptr;
}

// The rest of `layout`, its repetitions up to `cotarget`: increasing values, of
// which none but 0 is a value of `layout`; a sum of one value of each comes
// about in one way only. Strides of 0 and modes of size 1 count as nothing.
// Each other stride must be at least size * stride of the next smaller one, so
// (2,2):(2,3) is refused, and so is a negative one. Precondition: cotarget > 0.
constexpr StaticLayout Complement(const StaticLayout& layout,
                                  int64_t cotarget) {
  StaticLayout complement;
  internal::RefuseFor(internal::ComplementInto(layout, cotarget, &complement));
  return complement;
}

// Whether Complement(layout, cotarget) compiles.
constexpr bool CanComplement(const StaticLayout& layout, int64_t cotarget) {
  StaticLayout complement;
  return internal::ComplementInto(layout, cotarget, &complement) == nullptr;
}

// Implementation only below.

namespace internal {

constexpr StaticLayout::Leaves MergedLeaves(const StaticLayout& layout,
                                            bool keep_end) {
  StaticLayout::Leaves merged;
  for (int i = 0; i < layout.leaf_count(); ++i) {
    const StaticLayout::Leaf& leaf = layout.leaf(i);
    const bool last = i + 1 == layout.leaf_count();
    if (leaf.shape == 1 && !(keep_end && last)) continue;
    StaticLayout::Leaf* const previous =
        merged.count == 0 ? nullptr : &merged.leaf[merged.count - 1];
    if (previous != nullptr &&
        leaf.stride == previous->shape * previous->stride) {
      previous->shape *= leaf.shape;
    } else {
      merged.Add(leaf);
    }
  }
  return merged;
}

constexpr StaticLayout Flat(StaticLayout::Leaves leaves) {
  if (leaves.count == 0) return StaticLayout();
  const int depth = leaves.count > 1 ? 1 : 0;
  for (int i = 0; i < leaves.count; ++i) {
    leaves.leaf[i].depth = depth;
    leaves.leaf[i].join = i + 1 < leaves.count ? depth : 0;
  }
  return StaticLayout(leaves);
}

// Walks `leaf` of the inner layout through the modes of the outer one, `a`,
// which are merged and whose last goes on for ever. The parts into which that
// cuts it go to `parts`, and to `digits` the largest digit that it puts into
// each mode.
constexpr const char* ComposeLeaf(
    const StaticLayout::Leaves& a, const StaticLayout::Leaf& leaf,
    StaticLayout::Leaves* parts,
    std::array<int64_t, StaticLayout::kMaxLeaves>* digits) {
  StaticLayout::Leaf part;
  if (leaf.shape == 1 || leaf.stride == 0) {
    part.shape = leaf.shape;
    parts->Add(part);
    return nullptr;
  }
  const int last = a.count - 1;
  int64_t size = leaf.shape;
  int64_t step = leaf.stride;
  if (step < 0 && last > 0) {
    return "a negative stride leads out of a layout of several modes";
  }
  int mode = 0;
  for (; mode < last && step >= a.leaf[mode].shape; ++mode) {
    if (step % a.leaf[mode].shape != 0) {
      return "a stride is not divisible by the sizes that it steps over";
    }
    step /= a.leaf[mode].shape;
  }
  for (;; ++mode) {
    part.stride = step * a.leaf[mode].stride;
    if (mode == last || (size - 1) * step < a.leaf[mode].shape) break;
    if (a.leaf[mode].shape % step != 0) {
      return "a run goes on past a size that its stride does not divide";
    }
    part.shape = a.leaf[mode].shape / step;
    if (size % part.shape != 0) {
      return "a size is not divisible by what a mode contributes to its run";
    }
    parts->Add(part);
    (*digits)[mode] += (part.shape - 1) * step;
    size /= part.shape;
    step = 1;
  }
  part.shape = size;
  parts->Add(part);
  (*digits)[mode] += (size - 1) * step;
  return nullptr;
}

constexpr const char* Compose(const StaticLayout& a, const StaticLayout& b,
                              StaticLayout* composition) {
  const StaticLayout::Leaves outer = MergedLeaves(a, /*keep_end=*/true);
  std::array<int64_t, StaticLayout::kMaxLeaves> digits = {};
  StaticLayout::Leaves leaves;
  for (int i = 0; i < b.leaf_count(); ++i) {
    const StaticLayout::Leaf& leaf = b.leaf(i);
    StaticLayout::Leaves parts;
    if (const char* why = ComposeLeaf(outer, leaf, &parts, &digits)) return why;
    const int depth = parts.count > 1 ? leaf.depth + 1 : leaf.depth;
    for (int k = 0; k < parts.count; ++k) {
      parts.leaf[k].depth = depth;
      parts.leaf[k].join = k + 1 < parts.count ? depth : leaf.join;
      if (!leaves.Add(parts.leaf[k])) return "more than 32 leaves";
    }
  }
  // A digit too large would carry into the next mode.
  for (int mode = 0; mode + 1 < outer.count; ++mode) {
    if (digits[mode] >= outer.leaf[mode].shape) {
      return "two modes together overflow a mode of the outer layout";
    }
  }
  *composition = StaticLayout(leaves);
  return nullptr;
}

constexpr const char* ComplementInto(const StaticLayout& layout,
                                     int64_t cotarget,
                                     StaticLayout* complement) {
  if (cotarget < 1) return "a complement's cotarget is below 1";
  StaticLayout::Leaves used;  // by stride
  for (int i = 0; i < layout.leaf_count(); ++i) {
    const StaticLayout::Leaf& leaf = layout.leaf(i);
    if (leaf.shape == 1 || leaf.stride == 0) continue;
    if (leaf.stride < 0) return "a negative stride has no complement";
    used.Add(leaf);
    for (int k = used.count - 1; k > 0 && used.leaf[k - 1].stride > leaf.stride;
         --k) {
      used.leaf[k] = used.leaf[k - 1];
      used.leaf[k - 1] = leaf;
    }
  }
  StaticLayout::Leaves rest;
  int64_t extent = 1;
  StaticLayout::Leaf gap;
  for (int i = 0; i < used.count; ++i) {
    if (used.leaf[i].stride < extent) {
      return "a stride is below the extent of the smaller ones";
    }
    gap.shape = used.leaf[i].stride / extent;
    gap.stride = extent;
    if (!rest.Add(gap)) return "more than 32 leaves";
    extent = used.leaf[i].shape * used.leaf[i].stride;
  }
  gap.shape = cotarget / extent + (cotarget % extent != 0 ? 1 : 0);
  gap.stride = extent;
  if (!rest.Add(gap)) return "more than 32 leaves";
  *complement = Coalesce(StaticLayout(rest));
  return nullptr;
}

}  // namespace internal

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_STATIC_ALGEBRA_H_
