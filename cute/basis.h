// Basis elements, the unit vectors of a coordinate space: the `@0` of the
// stride 2@0.
//
// A layout whose strides are multiples of basis elements yields coordinates
// instead of offsets: (3,4):(1@1,1@0) takes (i,j) to (j,i). A nested coordinate
// has nested basis elements, written innermost first as C++ prints E<0,1>:
// 1@1@0 counts mode 1 of mode 0.
//
//   Basis basis = *Basis().Within(1)->Within(0);
//   basis.ToString();  // "@1@0"
//   basis.mode(0);     // 0, the outermost
//   basis.depth();     // 2

#ifndef TESSERA_CUTE_BASIS_H_
#define TESSERA_CUTE_BASIS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "tessera/base/text/value_type.h"

namespace tessera::cute {

class Basis {
 public:
  // The limits: modes 0 to 254, nested eight deep.
  static constexpr int64_t kMaxMode = 254;
  static constexpr int kMaxDepth = 8;

  // Creates the empty basis element, the unit of plain offsets.
  constexpr Basis() = default;

  // Returns this basis element in mode `mode` of a larger coordinate, or
  // nullopt if that exceeds the limits.
  std::optional<Basis> Within(int64_t mode) const {
    if (mode < 0 || mode > kMaxMode || depth() == kMaxDepth) {
      return std::nullopt;
    }
    Basis result;
    result.packed_ = packed_ << 8 | static_cast<uint64_t>(mode + 1);
    return result;
  }

  bool is_none() const { return packed_ == 0; }
  int depth() const {
    int depth = 0;
    for (uint64_t rest = packed_; rest != 0; rest >>= 8) ++depth;
    return depth;
  }
  // The mode at nesting level `level`, 0 being the outermost.
  // Precondition: 0 <= level < depth().
  int64_t mode(int level) const {
    return static_cast<int64_t>(packed_ >> (8 * level) & 255) - 1;
  }

  // Returns the outermost `levels` levels, a coordinate that contains this
  // one's. Precondition: 0 <= levels <= depth().
  Basis Outermost(int levels) const {
    Basis result;
    if (levels > 0)
      result.packed_ = packed_ & (~uint64_t{0} >> (64 - 8 * levels));
    return result;
  }

  // "@1@0"; "" for the empty basis element.
  std::string ToString() const;

  friend bool operator==(Basis a, Basis b) { return a.packed_ == b.packed_; }
  friend bool operator!=(Basis a, Basis b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, Basis basis) {
    return H::combine(std::move(h), basis.packed_);
  }

 private:
  // Eight bits per level, with the outermost level lowest: its mode plus one.
  uint64_t packed_ = 0;
};

}  // namespace tessera::cute

TESSERA_DECLARE_VALUE(tessera::cute, Basis);

#endif  // TESSERA_CUTE_BASIS_H_
