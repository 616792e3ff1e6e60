// File: cute/constexpr/static_algebra.h
//
// Coalesce, composition and complement of layouts known as the program is
// compiled: constants from constants.
//
//   static constexpr StaticLayout kA = ParseStaticLayout("(6,2):(8,2)");
//   static constexpr StaticLayout kB = ParseStaticLayout("(4,3):(3,1)");
//   static constexpr StaticLayout kR = Composition(kA, kB);
//   static_assert(FixedLayout<kR>()(3, 2) == 42, "");
//   kR.ToString();                   // "((2,2),3):((24,2),8)"
//
//   constexpr StaticLayout kC = Complement(ParseStaticLayout("4:2"), 24);
//   kC.ToString();                   // "(2,3):(1,8)"
//   constexpr StaticLayout kS =
//       Coalesce(ParseStaticLayout("(2,(1,6)):(1,(6,2))"));
//   kS.ToString();                   // "12:1"
//
//   // What cannot be composed would not compile.
//   static_assert(!CanCompose(ParseStaticLayout("(8,8):(8,1)"),
//                             ParseStaticLayout("4:3")), "");
//
// What has no sound answer does not compile; CanCompose and the like ask first.
// A result whose size or cosize exceeds int64_t is no sound answer either: the
// questions say false. Where these functions answer, those at run time (cute/
// coalesce.h, composition.h, complement.h) answer the same.

#ifndef TESSERA_CUTE_CONSTEXPR_STATIC_ALGEBRA_H_
#define TESSERA_CUTE_CONSTEXPR_STATIC_ALGEBRA_H_

#include <array>
#include <cstdint>
#include <limits>

#include "tessera/cute/constexpr/static_layout.h"

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
    if (leaf.size == 1 && !(keep_end && last)) continue;
    StaticLayout::Leaf* const previous =
        merged.count == 0 ? nullptr : &merged.leaf[merged.count - 1];
    int64_t end = 0;
    if (previous != nullptr &&
        !__builtin_mul_overflow(previous->size, previous->stride, &end) &&
        leaf.stride == end) {
      // A part of the layout's size, which fits.
      previous->size *= leaf.size;
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

// What a leaf of size 1 becomes: its stride is that of the first step it would
// make, and 0 where that is within no mode, or exceeds int64_t.
constexpr StaticLayout::Leaf UnitLeaf(const StaticLayout::Leaves& a,
                                      int64_t stride) {
  StaticLayout::Leaf unit;
  const int last = a.count - 1;
  int mode = 0;
  for (; mode < last && stride >= a.leaf[mode].size; ++mode) {
    if (stride % a.leaf[mode].size != 0) return unit;
    stride /= a.leaf[mode].size;
  }
  int64_t product = 0;
  if ((stride < 0 && last > 0) ||
      __builtin_mul_overflow(stride, a.leaf[mode].stride, &product) ||
      product == std::numeric_limits<int64_t>::min()) {
    return unit;
  }
  unit.stride = product;
  return unit;
}

// Walks `leaf` of the inner layout through the modes of the outer one, `a`,
// which are merged and whose last goes on for ever. The parts into which that
// cuts it go to `parts`, and to `digits` the largest digit that it puts into
// each mode.
constexpr const char* ComposeLeaf(
    const StaticLayout::Leaves& a, const StaticLayout::Leaf& leaf,
    StaticLayout::Leaves* parts,
    std::array<int64_t, StaticLayout::kMaxLeaves>* digits) {
  if (leaf.size == 1) {
    parts->Add(UnitLeaf(a, leaf.stride));
    return nullptr;
  }
  StaticLayout::Leaf part;
  if (leaf.stride == 0) {
    part.size = leaf.size;
    parts->Add(part);
    return nullptr;
  }
  const int last = a.count - 1;
  int64_t size = leaf.size;
  int64_t step = leaf.stride;
  if (step < 0 && last > 0) {
    return "a negative stride leads out of a layout of several modes";
  }
  int mode = 0;
  for (; mode < last && step >= a.leaf[mode].size; ++mode) {
    if (step % a.leaf[mode].size != 0) {
      return "a stride is not divisible by the sizes that it steps over";
    }
    step /= a.leaf[mode].size;
  }
  // (size - 1) * step is within the cosize of the inner layout, and so is what
  // the digits sum up to; only the strides can be too large.
  for (;; ++mode) {
    if (__builtin_mul_overflow(step, a.leaf[mode].stride, &part.stride)) {
      return "a stride or an extent does not fit into 63 bits";
    }
    if (mode == last || (size - 1) * step < a.leaf[mode].size) break;
    if (a.leaf[mode].size % step != 0) {
      return "a run goes on past a size that its stride does not divide";
    }
    part.size = a.leaf[mode].size / step;
    if (size % part.size != 0) {
      return "a size is not divisible by what a mode contributes to its run";
    }
    parts->Add(part);
    (*digits)[mode] += (part.size - 1) * step;
    size /= part.size;
    step = 1;
  }
  part.size = size;
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
    if (digits[mode] >= outer.leaf[mode].size) {
      return "two modes together overflow a mode of the outer layout";
    }
  }
  if (const char* why = CheckReach(leaves)) return why;
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
    if (leaf.size == 1 || leaf.stride == 0) continue;
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
    gap.size = used.leaf[i].stride / extent;
    gap.stride = extent;
    if (gap.size > 1 && !rest.Add(gap)) return "more than 32 leaves";
    if (__builtin_mul_overflow(used.leaf[i].size, used.leaf[i].stride,
                               &extent)) {
      // Nothing lies past the extent of the last leaf.
      extent = std::numeric_limits<int64_t>::max();
    }
  }
  gap.size = cotarget / extent + (cotarget % extent != 0 ? 1 : 0);
  gap.stride = extent;
  if (!rest.Add(gap)) return "more than 32 leaves";
  if (const char* why = CheckReach(rest)) return why;
  *complement = Coalesce(StaticLayout(rest));
  return nullptr;
}

}  // namespace internal

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_CONSTEXPR_STATIC_ALGEBRA_H_
