#include "tessera/cute/algebra/thread_value.h"

#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/inverse.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/modes.h"

namespace tessera::cute {
namespace {

// The tilers of M, N and K.
absl::StatusOr<std::vector<Tiler>> PermutationsOf(const Tiler& permutation) {
  std::vector<Tiler> tilers;
  bool is_flat = true;
  if (!permutation.is_layout() && !permutation.is_underscore()) {
    for (int64_t i = 0; i < permutation.rank(); ++i) {
      tilers.push_back(permutation.Mode(i));
      is_flat &= tilers.back().is_layout() || tilers.back().is_underscore();
    }
  }
  if (!is_flat || tilers.empty() || tilers.size() > 3) {
    return InvalidArgumentError(
        "the permutation ", permutation.ToString(),
        " does not have a layout, a size or '_' for each of M, N "
        "and K");
  }
  tilers.resize(3, Tiler::Underscore());
  return tilers;
}

// n:1.
Tiler OfSize(int64_t size) { return *Tiler::OfShape(IntTuple(size)); }

// The modes among M, N and K that are the rows and the columns of an operand's
// tile.
struct OperandModes {
  int row;
  int column;
};

OperandModes ModesOf(TiledMmaOperand operand) {
  switch (operand) {
    case TiledMmaOperand::kA:
      return {0, 2};
    case TiledMmaOperand::kB:
      return {1, 2};
    case TiledMmaOperand::kC:
      break;
  }
  return {0, 1};
}

}  // namespace

absl::StatusOr<ThreadValueLayout> MakeThreadValueLayout(
    const Layout& threads, const Layout& values,
    const CompositionOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const Layout tile,
                           RakedProduct(threads, values, options));
  TESSERA_ASSIGN_OR_RETURN(const Layout inverse, RightInverse(tile));
  TESSERA_ASSIGN_OR_RETURN(
      const Layout by_number,
      Layout::ColumnMajor({threads.size(), values.size()}));
  ThreadValueLayout result;
  TESSERA_ASSIGN_OR_RETURN(result.layout,
                           Composition(inverse, by_number, options));
  std::vector<IntTuple> sizes;
  for (const Layout& mode : tile.Modes()) sizes.emplace_back(mode.size());
  result.tile = IntTuple::Tuple(sizes);
  return result;
}

absl::StatusOr<ThreadValueLayout> TiledMmaLayout(
    const Layout& atom, TiledMmaOperand operand, const IntTuple& atom_shape,
    const Layout& atoms, const Tiler& permutation,
    const CompositionOptions& options,
    const std::optional<Layout>& atom_threads) {
  if (atom_shape.is_integer() || atom_shape.rank() != 3) {
    return InvalidArgumentError("the shape of the atom ", atom_shape.ToString(),
                                " does not have the three modes M, N, K");
  }
  TESSERA_ASSIGN_OR_RETURN(const Layout atoms_mnk, AppendToRank(atoms, 3));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<Tiler> permutations,
                           PermutationsOf(permutation));
  TESSERA_RETURN_IF_ERROR(Size(atom_shape).status());
  if (atom.rank() != 2) {
    return InvalidArgumentError(atom.ToString(),
                                " does not have the modes thread and value");
  }
  // (threads of the atom, M, N, K) -> thread.
  TESSERA_ASSIGN_OR_RETURN(
      const Layout threads,
      TiledProduct(atom_threads.value_or(
                       *Layout::ColumnMajor(IntTuple(atom.Mode(0).size()))),
                   atoms_mnk, options));
  const OperandModes modes = ModesOf(operand);
  std::vector<Tiler> tiles;
  std::vector<Tiler> atom_tiles;
  std::vector<Tiler> thread_tiles;
  std::vector<IntTuple> sizes;
  for (const int mode : {modes.row, modes.column}) {
    const int64_t atom_size = *Size(atom_shape.Mode(mode));
    const int64_t count = threads.Mode(mode + 1).size();
    const Tiler tile = permutations[mode].is_underscore()
                           ? OfSize(atom_size * count)
                           : permutations[mode];
    tiles.push_back(tile);
    atom_tiles.push_back(OfSize(atom_size));
    thread_tiles.push_back(OfSize(count));
    sizes.emplace_back(tile.layout().size());
  }
  ThreadValueLayout result;
  result.tile = IntTuple::Tuple(sizes);
  TESSERA_ASSIGN_OR_RETURN(const Layout tile, Layout::ColumnMajor(result.tile));
  TESSERA_ASSIGN_OR_RETURN(const Layout permuted,
                           LogicalDivide(tile, Tiler::Tuple(tiles), options));
  // ((rows, columns) of the atom, rest).
  TESSERA_ASSIGN_OR_RETURN(
      const Layout by_atom,
      ZippedDivide(permuted, Tiler::Tuple(atom_tiles), options));
  // ((thread, value), rest).
  TESSERA_ASSIGN_OR_RETURN(
      const Layout within,
      Composition(by_atom, Tiler::Tuple({atom, Tiler::Underscore()}), options));
  TESSERA_ASSIGN_OR_RETURN(
      Layout rest,
      ZippedDivide(within.Mode(1), Tiler::Tuple(thread_tiles), options));
  Layout thread_rest = rest.Mode(0);
  if (operand != TiledMmaOperand::kC) {
    // Threads along the dimension that the operand lacks share its elements.
    const int64_t m = threads.Mode(1).size();
    const int64_t n = threads.Mode(2).size();
    TESSERA_ASSIGN_OR_RETURN(
        const Layout shared,
        Layout::Create({m, n}, operand == TiledMmaOperand::kA
                                   ? IntTuple({1, 0})
                                   : IntTuple({0, 1})));
    TESSERA_ASSIGN_OR_RETURN(
        thread_rest,
        Composition(thread_rest, Tiler::Tuple({shared, Tiler::Underscore()}),
                    options));
  }
  TESSERA_ASSIGN_OR_RETURN(
      const Layout by_place,
      Layout::Concatenate({within.Mode(0).Mode(0), thread_rest}));
  TESSERA_ASSIGN_OR_RETURN(
      const Layout values,
      Layout::Concatenate({within.Mode(0).Mode(1), rest.Mode(1)}));
  TESSERA_ASSIGN_OR_RETURN(const Layout parts,
                           Layout::Concatenate({by_place, values}));
  // thread -> (thread of the atom, M, N, K); repeated threads add 0.
  TESSERA_ASSIGN_OR_RETURN(const Layout repeats, Complement(threads));
  TESSERA_ASSIGN_OR_RETURN(const Layout all_threads,
                           Layout::Concatenate({threads, repeats}));
  TESSERA_ASSIGN_OR_RETURN(const Layout place_of, RightInverse(all_threads));
  TESSERA_ASSIGN_OR_RETURN(const Layout places,
                           Layout::Create({threads.size(), 1}, {1, 0}));
  TESSERA_ASSIGN_OR_RETURN(const Layout by_thread,
                           Composition(places, place_of, options));
  TESSERA_ASSIGN_OR_RETURN(
      result.layout,
      Composition(parts, Tiler::Tuple({by_thread, Tiler::Underscore()}),
                  options));
  return result;
}

}  // namespace tessera::cute
