// Maps the values of threads to the elements of a tile.
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
// A thread/value layout maps (thread, value) to an integral coordinate of the
// tile: row + rows * column.
//
// Definitions: make_tiled_copy of include/cute/atom/copy_atom.hpp,
// make_layout_tv of CuTe's Python package, and TiledMMA of
// include/cute/atom/mma_atom.hpp.

#ifndef TESSERA_CUTE_ALGEBRA_THREAD_VALUE_H_
#define TESSERA_CUTE_ALGEBRA_THREAD_VALUE_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

struct ThreadValueLayout {
  Layout layout;  // from (thread, value) to an integral coordinate of the tile
  IntTuple tile;  // the sizes of the modes of the tile
};

// Returns the thread/value layout of a tile in which every thread has one block
// of values. `threads` maps the coordinate of a block to the number of its
// thread; `values` maps a coordinate in a block to the number of the value. The
// result is the right inverse of RakedProduct(threads, values), with the shape
// (threads, values). Errors: those of RakedProduct, RightInverse and
// Composition.
absl::StatusOr<ThreadValueLayout> MakeThreadValueLayout(
    const Layout& threads, const Layout& values,
    const CompositionOptions& options = {});

// The operands of the instruction C += A * B.
enum class TiledMmaOperand : uint8_t { kA, kB, kC };

// Returns the thread/value layout of one operand of a tiled MMA. Threads are
// numbered from 0.
//
//   - `atom` is the operand's layout in one instruction, from (thread, value)
//     to the coordinate in the operand's tile: M x K for A, N x K for B, M x N
//     for C.
//   - `atom_shape` is (M, N, K) of one instruction, in elements.
//   - `atoms` repeats the instruction along M, N and K; missing modes are 1:0.
//   - `permutation` has a layout, a size or `_` for each of M, N and K; `_`
//     means the size that the instructions cover, and is the default for
//     missing modes.
//   - `atom_threads` maps the threads of `atom` to their numbers, which are
//     0, 1, 2, ... without it. Only the instructions of Volta have gaps.
//
// Errors: kInvalidArgument if `atom` does not have two modes or `atom_shape`
// three, if `atoms` has more than three, or if `permutation` is not a tuple of
// one to three such entries; those of TiledProduct, LogicalDivide, ZippedDivide
// and Composition.
absl::StatusOr<ThreadValueLayout> TiledMmaLayout(
    const Layout& atom, TiledMmaOperand operand, const IntTuple& atom_shape,
    const Layout& atoms,
    const Tiler& permutation = Tiler::Tuple({Tiler::Underscore()}),
    const CompositionOptions& options = {},
    const std::optional<Layout>& atom_threads = std::nullopt);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_THREAD_VALUE_H_
