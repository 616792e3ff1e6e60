// File: cute/algebra/thread_value.h
//
// Which elements of a tile do threads and their values name?
//
//   #include "tessera/cute/parse.h"
//
//   // 4 x 8 threads, row-major; each has 2 x 2 values.
//   const ThreadValueLayout copy = *MakeThreadValueLayout(
//       *ParseLayout("(4,8):(8,1)"), *ParseLayout("(2,2):(1,2)"));
//   copy.layout.ToString();   // "((8,4),(2,2)):((16,2),(1,8))"
//   copy.tile.ToString();     // "(8,16)"
//
//   // The accumulator of mma.m16n8k16 by 2 x 2 warps.
//   TiledMmaLayout(*ParseLayout("((4,8),(2,2)):((32,1),(16,8))"),
//                  TiledMmaOperand::kC, {16, 8, 16},
//                  *ParseLayout("(2,2,1):(1,2,0)"))->layout.ToString();
//       // "((4,8,2,2),((2,2),(1,1))):((64,1,16,256),((32,8),(0,0)))"
//
// A thread/value layout takes (thread, value) to the integral coordinate in the
// tile, which counts rows fastest.
//
// Definitions: make_tiled_copy of include/cute/atom/copy_atom.hpp,
// make_layout_tv of CuTe's Python package, and TiledMMA of
// include/cute/atom/mma_atom.hpp.

#ifndef TESSERA_CUTE_ALGEBRA_THREAD_VALUE_H_
#define TESSERA_CUTE_ALGEBRA_THREAD_VALUE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera {
namespace cute {

struct ThreadValueLayout {
  Layout layout;
  IntTuple tile;  // the sizes of the modes of the tile
};

// Returns the layout of `threads`, from coordinates in the tile to thread
// numbers, each with the values that `values` numbers: the right inverse of
// RakedProduct(threads, values), of shape (threads, values). Errors: those of
// these operations.
absl::StatusOr<ThreadValueLayout> MakeThreadValueLayout(
    const Layout& threads, const Layout& values,
    const CompositionOptions& options = {});

enum class TiledMmaOperand : uint8_t { kA, kB, kC };

// Returns the layout of one operand if the layout `atoms`, of shape (M, N, K),
// repeats an instruction of the shape (M, N, K) `atom_shape`. `atom` is the
// operand's layout in the instruction, from (thread, value) to the coordinate
// in its tile: A in M x K, B in N x K, C in M x N. Threads are numbered from 0.
// `permutation` has a layout or a size for each of M, N and K, or `_` for the
// size that the instructions cover; modes that `atoms` or it lack are 1:0 and
// `_`. Errors: kInvalidArgument if the shape does not have three modes or
// another part has more; those of the divides and compositions that compute it.
absl::StatusOr<ThreadValueLayout> TiledMmaLayout(
    const Layout& atom, TiledMmaOperand operand, const IntTuple& atom_shape,
    const Layout& atoms,
    const Tiler& permutation = Tiler::Tuple({Tiler::Underscore()}),
    const CompositionOptions& options = {});

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_THREAD_VALUE_H_
