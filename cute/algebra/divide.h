// Cuts a layout into tiles: which elements are in a tile, and where the tiles
// lie.
//
//   #include "tessera/cute/parse.h"
//
//   LogicalDivide(*ParseLayout("(4,2,3):(2,1,8)"), *ParseLayout("4:2"))
//       ->ToString();   // "((2,2),(2,3)):((4,1),(2,8))"
//
//   const Layout a = *ParseLayout("(9,(4,8)):(59,(13,1))");
//   const Tiler tiler = *ParseTiler("<3:3, (2,4):(1,8)>");
//   LogicalDivide(a, tiler)->ToString();
//       // "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"
//   ZippedDivide(a, tiler)->ToString();
//       // "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"
//
// Definition (02_layout_algebra.md): A / B = A o (B, Complement(B, size(A))),
// and by mode with a tiler. Modes of A past those of the tiler are kept. The
// other three arrange the same modes differently
// (cute/internal/pair_arrangement.h).
//
// Laws, for R = LogicalDivide(A, B) with a layout B: R has rank 2; mode 0 is
// Composition(A, B), so Compatible(B, mode 0). With any tiler, mode 0 of
// ZippedDivide(A, T) is Composition(A, T).
//
// If B does not divide A, the tiles reach past the end of A:
// LogicalDivide(48:1, 32:1) is (32,2):(1,32), of size 64. RaggedModes reports
// this, with the condition that the caller must test. A mode of size 1 at the
// end of A determines the values past that end, and with them there may be no
// layout, as for (1000,1):(1,0) by 128:1. This does not concern any element, so
// A is then used without its modes of size 1, here and in the laws:
// (128,8):(1,128), as in C++.
//
// Where the implementations differ: C++ pads each mode of A to a multiple of
// the tiler if necessary, which makes (3,5):(7,100) / 2:1
// (2,(2,5)):(7,(14,100)). That follows neither the formula nor the elements of
// A; cutegen pads in another way. We compute the formula or refuse, as pycute
// does. `_` in a zipped tiler gives a tile of 1:0 in that mode, as in pycute.
// C++ compiles it only for modes of rank 2, and takes the first of the two for
// the tile, although `_` does not divide the mode.

#ifndef TESSERA_CUTE_ALGEBRA_DIVIDE_H_
#define TESSERA_CUTE_ALGEBRA_DIVIDE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

// Errors: those of Composition and of Complement, except that several elements
// of B may share an offset; kInvalidArgument if the tiler has more modes than
// the layout.
absl::StatusOr<Layout> LogicalDivide(const Layout& layout, const Tiler& tiler,
                                     const CompositionOptions& options = {});
absl::StatusOr<Layout> ZippedDivide(const Layout& layout, const Tiler& tiler,
                                    const CompositionOptions& options = {});
absl::StatusOr<Layout> TiledDivide(const Layout& layout, const Tiler& tiler,
                                   const CompositionOptions& options = {});
absl::StatusOr<Layout> FlatDivide(const Layout& layout, const Tiler& tiler,
                                  const CompositionOptions& options = {});

// A mode whose tiles reach past its end.
struct RaggedMode {
  std::vector<int64_t> mode;  // empty for a layout as the tiler
  // (B, Complement(B, size)): from the coordinate (in the tile, of the tile) to
  // the integral coordinate in the mode of the layout. There is an element only
  // if coordinates(c) < size.
  Layout coordinates;
  int64_t size;

  // "mode 0: (32,2):(1,32) at (in tile, tile) < 48".
  std::string ToString() const;
};

// Returns the modes in which LogicalDivide(layout, tiler) is ragged; empty if
// the tiler divides the layout. Errors: those of Complement.
absl::StatusOr<std::vector<RaggedMode>> RaggedModes(const Layout& layout,
                                                    const Tiler& tiler);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_DIVIDE_H_
