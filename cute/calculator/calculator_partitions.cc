#include <cstdint>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/partition.h"
#include "tessera/cute/algebra/thread_value.h"
#include "tessera/cute/calculator/calculator_function.h"
#include "tessera/cute/coordinates.h"

namespace tessera::cute {
namespace {

using Arguments = CalculatorArguments;

// Takes argument 0, or its inner layout if it is a composed layout.
Layout TakeData(Arguments& a) {
  if (const auto* composed = std::get_if<ComposedLayout>(&a.value(0))) {
    return composed->layout();
  }
  return a.TakeLayout(0);
}

// Returns the part of argument 0, with a note about its beginning, which is the
// offset of a composed layout.
ValueOr PartOf(Arguments& a, absl::StatusOr<LayoutPart> part) {
  if (!part.ok()) return part.status();
  const auto* composed = std::get_if<ComposedLayout>(&a.value(0));
  if (composed != nullptr && part->offset.is_integer()) {
    int64_t offset;
    if (__builtin_add_overflow(composed->offset(), part->offset.value(),
                               &offset)) {
      return absl::OutOfRangeError("the offset exceeds int64_t");
    }
    return ToValue(
        ComposedLayout(composed->outer(), offset, std::move(part->layout)));
  }
  if (part->offset != IntTuple(0)) {
    a.Note(0,
           absl::StrCat("the part begins at ",
                        part->offset.is_integer() ? "offset " : "coordinate ",
                        part->offset.ToString()));
  }
  return ToValue(std::move(part->layout));
}

ValueOr LocalTileOf(Arguments& a) {
  const Layout layout = TakeData(a);
  Tiler tiler = a.TakeTiler(1);
  IntTuple coordinate = a.TakeIntTuple(2);
  if (a.count() == 4) {
    const IntTuple projection = a.TakeIntTuple(3);
    if (!a.status().ok()) return a.status();
    TESSERA_ASSIGN_OR_RETURN(tiler, Project(projection, tiler));
    TESSERA_ASSIGN_OR_RETURN(coordinate, Dice(projection, coordinate));
  }
  if (!a.status().ok()) return a.status();
  return PartOf(a, LocalTile(layout, tiler, coordinate, a.options()));
}

ValueOr LocalPartitionOf(Arguments& a) {
  const Layout layout = TakeData(a);
  Layout tile = a.TakeLayout(1);
  const int64_t index = a.TakeInteger(2);
  if (a.count() == 4) {
    TESSERA_ASSIGN_OR_RETURN(tile, Dice(a.TakeIntTuple(3), tile));
  }
  if (!a.status().ok()) return a.status();
  return PartOf(a, LocalPartition(layout, tile, index, a.options()));
}

// Returns (thread, value) -> coordinate in the tile, with a note that gives the
// shape of the tile.
ValueOr WithTile(Arguments& a, absl::StatusOr<ThreadValueLayout> result) {
  if (!result.ok()) return result.status();
  a.Note(0, absl::StrCat("from (thread, value) to the coordinate in a tile ",
                         result->tile.ToString()));
  return ToValue(std::move(result->layout));
}

ValueOr ThreadValueOf(Arguments& a) {
  const Layout threads = a.TakeLayout(0);
  const Layout values = a.count() == 2 ? a.TakeLayout(1) : Layout();
  if (!a.status().ok()) return a.status();
  return WithTile(a, MakeThreadValueLayout(threads, values, a.options()));
}

ValueOr TiledMmaOf(Arguments& a, TiledMmaOperand operand) {
  const Layout atom = a.TakeLayout(0);
  const IntTuple atom_shape = a.TakeNumbers(1);
  const Layout atoms = a.TakeLayout(2);
  const Tiler permutation =
      a.count() == 4 ? a.TakeTiler(3) : Tiler::Tuple({Tiler::Underscore()});
  if (!a.status().ok()) return a.status();
  return WithTile(a, TiledMmaLayout(atom, operand, atom_shape, atoms,
                                    permutation, a.options()));
}

}  // namespace

absl::Span<const CalculatorFunction> PartitionFunctions() {
  static constexpr CalculatorFunction kFunctions[] = {
      {"local_tile", "A, tiler, coordinate[, projection]", 3, 4, false,
       LocalTileOf},
      {"local_partition", "A, threads, thread[, projection]", 3, 4, false,
       LocalPartitionOf},
      {"make_layout_tv", "threads[, values]", 1, 2, false, ThreadValueOf},
      {"make_tiled_copy", "threads[, values]", 1, 2, false, ThreadValueOf},
      {"make_tiled_mma_A", "A_TV, (M,N,K), atoms[, permutation]", 3, 4, false,
       [](Arguments& a) { return TiledMmaOf(a, TiledMmaOperand::kA); }},
      {"make_tiled_mma_B", "B_TV, (M,N,K), atoms[, permutation]", 3, 4, false,
       [](Arguments& a) { return TiledMmaOf(a, TiledMmaOperand::kB); }},
      {"make_tiled_mma", "C_TV, (M,N,K), atoms[, permutation]", 3, 4, false,
       [](Arguments& a) { return TiledMmaOf(a, TiledMmaOperand::kC); }},
  };
  return kFunctions;
}

}  // namespace tessera::cute
