// Which CuTe layouts, pairs and tilers shall a test try?
//
//   RandomBits random(TestSeed());
//   RandomCuteOptions options;
//   LiteralLayout layout = RandomCuteLayout(options, &random);
//   layout.ToString();                       // "(3,(1,4)):(4,(0,1))", say
//   LiteralPair pair = RelatedPair(options, &random);
//   LayoutExists(pair.a, pair.b);            // more often than not
//   pair = UnrelatedPair(options, &random);
//   LayoutExists(pair.a, pair.b);            // as it may be
//   RandomTiler(layout, options, &random).ToString();  // "<3:1,_>", say
//
// Everything comes from the seed, which TestSeed() prints.

#ifndef TESSERA_TESTS_CUTE_RANDOM_CUTE_LAYOUTS_H_
#define TESSERA_TESTS_CUTE_RANDOM_CUTE_LAYOUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera::cute {

struct RandomCuteOptions {
  int64_t max_depth = 3;  // 0: only integers such as 4:2
  int64_t max_leaves = 8;
  int64_t max_leaf_size = 12;
  int64_t max_size = 4096;  // of a layout, and of both layouts of a pair
  bool negative_strides = false;
};

// Size-1 modes and modes of rank 1 are frequent. Strides are, one style to a
// layout: any small numbers; zeros and ones; compact, in order or permuted;
// compact with gaps; multiples of few numbers, so that values coincide. A
// stride here and there is 0 in any style. With negative_strides a third of the
// layouts has some.
LiteralLayout RandomCuteLayout(const RandomCuteOptions& options,
                               RandomBits* random);

// Two layouts to be composed, `a` after `b`.
struct LiteralPair {
  LiteralLayout a;
  LiteralLayout b;
};

// Sizes and strides of `b` are made from the sizes of `a`: products of some,
// their divisors, multiples, and runs that end inside a mode. Half of the time
// the modes of `b` use distinct digits of an index into `a`, half of the time
// they may get in one another's way. One leaf in four is off by a little.
// Where `a` is asked beyond its size it goes on.
LiteralPair RelatedPair(const RandomCuteOptions& options, RandomBits* random);

LiteralPair UnrelatedPair(const RandomCuteOptions& options, RandomBits* random);

// What takes a layout apart mode by mode.
struct LiteralTiler {
  enum class Kind {
    kLayout,
    kSize,   // 8, which means 8:1
    kKeep,   // _
    kTuple,  // one tiler for each of the layout's first modes
  };

  Kind kind = Kind::kKeep;
  LiteralLayout layout;             // of kLayout
  int64_t size = 1;                 // of kSize
  std::vector<LiteralTiler> modes;  // of kTuple, at least one

  std::string ToString() const;  // "<3:4,8,_,<2:1,(2,2):(4,1)>>"
};

// For a layout by mode: a tuple of at most as many tilers as `layout` has
// modes, nested where it is nested; for an integer a layout, a size or `_`.
// Most of its parts divide the mode they are for; some are too large or related
// to nothing.
LiteralTiler RandomTiler(const LiteralLayout& layout,
                         const RandomCuteOptions& options, RandomBits* random);

}  // namespace tessera::cute

#endif  // TESSERA_TESTS_CUTE_RANDOM_CUTE_LAYOUTS_H_
