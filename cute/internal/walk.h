// Walks all offsets of a layout in the order of its coordinates, step by step,
// and finds the least and the greatest.
//
//   std::vector<int64_t> offsets;
//   for (LayoutWalk walk(*ParseLayout("(2,2):(3,1)")); !walk.AtEnd();
//        walk.Next()) {
//     offsets.push_back(walk.offset());
//   }                                      // 0, 3, 1, 4
//
// A step takes one addition, and one more if a mode wraps. It does not divide
// or multiply.

#ifndef TESSERA_CUTE_INTERNAL_WALK_H_
#define TESSERA_CUTE_INTERNAL_WALK_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

class LayoutWalk {
 public:
  // Begins at coordinate 0. Precondition: !layout.has_basis().
  explicit LayoutWalk(const Layout& layout);

  bool AtEnd() const { return coordinate_ == size_; }
  // The integral coordinate.
  int64_t coordinate() const { return coordinate_; }
  // Precondition: !AtEnd().
  int64_t offset() const { return static_cast<int64_t>(offset_); }

  // Precondition: !AtEnd().
  void Next() {
    ++coordinate_;
    for (Mode& mode : modes_) {
      offset_ += mode.step;
      if (++mode.position < mode.size) return;
      mode.position = 0;
    }
  }

 private:
  struct Mode {
    int64_t size;
    // Added when all modes before it wrap, in addition to their own steps.
    // Modulo 2^64, because intermediate values may be outside the range of
    // offsets.
    uint64_t step;
    int64_t position;
  };

  absl::InlinedVector<Mode, 8> modes_;
  int64_t size_;
  int64_t coordinate_ = 0;
  uint64_t offset_ = 0;
};

// The offsets of a layout lie in [least, greatest]: least <= 0 <= greatest.
struct OffsetRange {
  int64_t least = 0;
  int64_t greatest = 0;
};

// Precondition: !layout.has_basis(). Neither end exceeds int64_t, as the cosize
// does not.
OffsetRange OffsetRangeOf(const Layout& layout);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_WALK_H_
