// Repeats a layout: places copies of a block at the offsets of another layout.
//
//   #include "tessera/cute/parse.h"
//
//   LogicalProduct(*ParseLayout("(2,2):(4,1)"), *ParseLayout("6:1"))
//       ->ToString();   // "((2,2),(2,3)):((4,1),(2,8))"
//
//   const Layout block = *ParseLayout("(2,5):(5,1)");
//   const Layout tiles = *ParseLayout("(3,4):(1,3)");
//   // Blocks side by side, and interleaved.
//   BlockedProduct(block, tiles)->ToString();
//       // "((2,3),(5,4)):((5,10),(1,30))"
//   RakedProduct(block, tiles)->ToString();
//       // "((3,2),(4,5)):((10,5),(30,1))"
//
// Definition (02_layout_algebra.md): A * B = (A, Complement(A, size(A) *
// cosize(B)) o B), and by mode with a tiler; the other forms arrange the same
// modes differently (cute/internal/pair_arrangement.h). Blocked and raked
// products pair the modes of both: mode i of the result is (A_i, B_i), or (B_i,
// A_i).
//
// Laws, for R = LogicalProduct(A, B) with a layout B: R has rank 2; mode 0 is
// A; Compatible(B, mode 1); and tiles overlap only where two coordinates of B
// share an offset: the offsets A(i) + mode 1(j) are as distinct as those of
// A(i) and of B(j).
//
// Where the implementations differ:
// - 5:3 * (2,2):(1,2) is (5,(2,2)):(3,(1,2)) in C++ and cutegen, whose fourth
//   tile begins inside the first. We refuse it, as pycute does.
// - The complement is taken without a bound, as in cutegen: the documented
//   bound may be too small for all tiles, as in (2,2):(2,7) * 3:1, where it
//   would place the third tile inside the first.
// - A size-n tiler in a product by mode is n:1; pycute divides by it.
// - blocked_product has not coalesced its modes since CUTLASS 3.8; the
//   documentation says otherwise. CuTe's Python package coalesces those of
//   raked_product. If the first of a pair is an integral layout, all of the
//   other is its partner, as in C++: 1:1 * ((4,2)):((1,4)) is
//   ((1,((4,2)))):((1,((1,4)))).

#ifndef TESSERA_CUTE_ALGEBRA_PRODUCT_H_
#define TESSERA_CUTE_ALGEBRA_PRODUCT_H_

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

// Errors: those of Complement of A and of the composition with B;
// kInvalidArgument if the tiler has more modes than A.
absl::StatusOr<Layout> LogicalProduct(const Layout& layout, const Tiler& tiler,
                                      const CompositionOptions& options = {});
absl::StatusOr<Layout> ZippedProduct(const Layout& layout, const Tiler& tiler,
                                     const CompositionOptions& options = {});
absl::StatusOr<Layout> TiledProduct(const Layout& layout, const Tiler& tiler,
                                    const CompositionOptions& options = {});
absl::StatusOr<Layout> FlatProduct(const Layout& layout, const Tiler& tiler,
                                   const CompositionOptions& options = {});

// The layout of lower rank gets modes 1:0 at its end. Errors: as above.
absl::StatusOr<Layout> BlockedProduct(const Layout& block, const Layout& tiler,
                                      const CompositionOptions& options = {});
absl::StatusOr<Layout> RakedProduct(const Layout& block, const Layout& tiler,
                                    const CompositionOptions& options = {});

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_PRODUCT_H_
