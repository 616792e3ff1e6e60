// One level of tiling: the (8,128) of T(8,128)(2,1).
//
// A tile of k entries cuts the k minor-most entries of the bounds it is applied
// to: for the first tile these are the physical dimensions; for each later
// tile, the expanded bounds after the tile before it. An entry written `*`
// joins its dimension with the next more minor one before anything is cut.
//
//   Tile({8, 128}).ToString();                        // "(8,128)"
//   Tile({Tile::kCombineDimension, 2}).ToString();    // "(*,2)"

#ifndef TESSERA_LAYOUT_TILE_H_
#define TESSERA_LAYOUT_TILE_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"

namespace tessera {

class Tile {
 public:
  // The value of an entry written `*`, the same as in XLA's code. XLA's public
  // documentation uses -1, which the proto conversion also reads.
  static constexpr int64_t kCombineDimension =
      std::numeric_limits<int64_t>::min();

  using Dimensions = absl::InlinedVector<int64_t, 2>;

  // Creates an empty tile, which no valid layout has.
  Tile() = default;
  // Creates a tile from its entries, major to minor. Accepts any value;
  // ValidateLayout checks them.
  explicit Tile(Dimensions dimensions) : dimensions_(std::move(dimensions)) {}
  Tile(std::initializer_list<int64_t> dimensions) : dimensions_(dimensions) {}

  absl::Span<const int64_t> dimensions() const { return dimensions_; }
  int64_t dimension(int64_t i) const { return dimensions_[i]; }

  // "(8,128)", "(*,*,2,*,3)".
  std::string ToString() const;
  void WriteTo(TextWriter* writer) const;

  friend bool operator==(const Tile& a, const Tile& b) {
    return a.dimensions_ == b.dimensions_;
  }
  friend bool operator!=(const Tile& a, const Tile& b) { return !(a == b); }

  template <typename H>
  friend H AbslHashValue(H h, const Tile& tile) {
    return H::combine(std::move(h), tile.dimensions_);
  }

 private:
  friend class ArrayBuilder;

  Dimensions dimensions_;
};

}  // namespace tessera

TESSERA_DECLARE_VALUE(tessera, Tile);

#endif  // TESSERA_LAYOUT_TILE_H_
