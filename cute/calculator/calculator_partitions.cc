#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/divide.h"
#include "tessera/cute/algebra/partition.h"
#include "tessera/cute/algebra/thread_value.h"
#include "tessera/cute/atoms/atom.h"
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

// Returns whether the tile at `coordinate`, or one of them, reaches past the
// end of the mode.
bool ReachesPastTheEnd(const RaggedMode& ragged, const IntTuple& coordinate) {
  // (in the tile, tile).
  const Layout in_tile = ragged.coordinates.Mode(0);
  const Layout tiles = ragged.coordinates.Mode(1);
  IntTuple tile = coordinate;
  if (ragged.mode.size() == 1 && !tile.is_integer()) {
    if (ragged.mode[0] >= tile.rank()) return true;
    tile = tile.Mode(ragged.mode[0]);
  } else if (!ragged.mode.empty()) {
    return true;
  }
  if (HasUnderscore(tile)) return true;
  const absl::StatusOr<int64_t> begin = Crd2Idx(tile, tiles);
  int64_t last;
  return !begin.ok() ||
         __builtin_add_overflow(*begin, in_tile.cosize() - 1, &last) ||
         last >= ragged.size;
}

// Adds a note if tiles that `coordinate` selects reach past the end.
void NoteRagged(Arguments& a, const Layout& layout, const Tiler& tiler,
                const IntTuple& coordinate) {
  const auto ragged = RaggedModes(layout, tiler);
  if (!ragged.ok()) return;
  for (const RaggedMode& mode : *ragged) {
    if (!ReachesPastTheEnd(mode, coordinate)) continue;
    a.Note(1, absl::StrCat("tiles reach past the end; there are elements only "
                           "where ",
                           mode.ToString()));
  }
}

// Adds notes if the tile at `coordinate` is outside the layout, or partly so.
void NoteTile(Arguments& a, const Layout& layout, const Tiler& tiler,
              const IntTuple& coordinate, const Layout& tiled) {
  const IntTuple tiles = tiled.Mode(1).shape();
  IntTuple at = coordinate;
  if (!at.is_integer() && !tiles.is_integer() && at.rank() < tiles.rank()) {
    std::vector<IntTuple> modes = at.Modes();
    modes.resize(tiles.rank(), IntTuple(IntTuple::kUnderscore));
    at = IntTuple::Tuple(modes);
  }
  const absl::StatusOr<bool> is_within = IsWithin(at, tiles);
  if (is_within.ok() && !*is_within) {
    NoteOutside(a, 2, coordinate, tiles, "the tiles");
  } else if (tiled.size() != layout.size()) {
    NoteRagged(a, layout, tiler, at);
  }
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
  absl::StatusOr<LayoutPart> part =
      LocalTile(layout, tiler, coordinate, a.options());
  if (part.ok()) NoteTile(a, layout, tiler, coordinate, part->tiled);
  return PartOf(a, std::move(part));
}

ValueOr LocalPartitionOf(Arguments& a) {
  const Layout layout = TakeData(a);
  Layout tile = a.TakeLayout(1);
  const int64_t index = a.TakeInteger(2);
  if (a.count() == 4) {
    TESSERA_ASSIGN_OR_RETURN(tile, Dice(a.TakeIntTuple(3), tile));
  }
  if (!a.status().ok()) return a.status();
  absl::StatusOr<LayoutPart> part =
      LocalPartition(layout, tile, index, a.options());
  if (!part.ok()) return part.status();
  // C++ takes each coordinate of the thread modulo the size.
  const absl::StatusOr<IntTuple> coordinate = Idx2Crd(index, tile);
  const absl::StatusOr<int64_t> thread =
      coordinate.ok() ? Crd2Idx(*coordinate, tile)
                      : absl::StatusOr<int64_t>(coordinate.status());
  if (thread.ok() && *thread != index) {
    a.Note(2, absl::StrCat(index, " is not a value of ", tile.ToString(),
                           "; the part is that of thread ", *thread));
  }
  return PartOf(a, std::move(part));
}

// Returns (thread, value) -> coordinate in the tile, with a note that gives the
// shape of the tile.
ValueOr WithTile(Arguments& a, absl::StatusOr<ThreadValueLayout> result) {
  if (!result.ok()) return result.status();
  a.Note(0, absl::StrCat("from (thread, value) to the coordinate in a tile ",
                         result->tile.ToString()));
  return ToValue(std::move(result->layout));
}

std::string_view NameOf(TiledMmaOperand operand) {
  return operand == TiledMmaOperand::kA   ? "A"
         : operand == TiledMmaOperand::kB ? "B"
                                          : "C";
}

// Takes the threads and values from argument `first` on.
ValueOr ThreadValueOf(Arguments& a, size_t first = 0) {
  const Layout threads = a.TakeLayout(first);
  const Layout values =
      a.count() == first + 2 ? a.TakeLayout(first + 1) : Layout();
  if (!a.status().ok()) return a.status();
  return WithTile(a, MakeThreadValueLayout(threads, values, a.options()));
}

// Fails unless the threads and values of the copy are a multiple of those of
// the atom in argument 0, as TiledCopy of C++ requires.
void CheckAtomFits(Arguments& a, const Layout& copy) {
  const auto& atom = std::get<Atom>(a.value(0));
  const absl::StatusOr<Layout> reference = LayoutOf(atom, "Ref");
  if (!reference.ok()) {
    a.FailExpected(0, "a copy atom");
    return;
  }
  // The layouts of an operation without a type count bits.
  if (atom.element_bits == 1 || copy.rank() != 2) return;
  for (const int mode : {0, 1}) {
    const int64_t needs = reference->Mode(mode).size();
    const int64_t has = copy.Mode(mode).size();
    if (has % needs == 0) continue;
    const std::string_view what = mode == 0 ? " threads" : " values per thread";
    a.Fail(0, absl::StrCat(Describe(a.value(0)), " needs a multiple of ", needs,
                           AbslView(what), "; the copy has ", has));
    return;
  }
}

// The layouts of C++: make_tiled_copy(atom, threads, values). With a tile in
// place of the values, those of the CuTe DSL.
ValueOr TiledCopyOf(Arguments& a) {
  if (!a.Is<Atom>(0)) {
    if (a.count() == 3) a.FailExpected(0, "a copy atom");
    return ThreadValueOf(a);
  }
  if (a.count() == 1) {
    a.Fail("expected the layouts of threads and values after the atom");
  }
  if (!a.status().ok()) return a.status();
  const bool has_tile = a.count() == 3 && (a.Is<IntTuple>(2) || a.Is<Tiler>(2));
  ValueOr result =
      has_tile ? ToValue(a.TakeLayout(1)) : ThreadValueOf(a, /*first=*/1);
  if (has_tile) {
    a.Note(1, absl::StrCat("from (thread, value) to the coordinate in a tile ",
                           ToString(a.value(2))));
  }
  if (result.ok()) CheckAtomFits(a, std::get<Layout>(*result));
  return result;
}

ValueOr TiledMmaOf(Arguments& a, TiledMmaOperand operand) {
  // The arguments of C++ begin with the atom. Otherwise its layout and shape
  // come first.
  const bool has_atom = a.Is<Atom>(0);
  const size_t atoms_at = has_atom ? 1 : 2;
  if (has_atom ? a.count() > 3 : a.count() < 3) {
    a.Fail(0,
           "expected make_tiled_mma(atom[, atoms[, permutation]]), with an "
           "atom such as SM80_16x8x16_F32F16F16F32_TN, or its layout, its "
           "shape and the layout of the atoms");
    return a.status();
  }
  std::optional<Layout> threads;
  Layout layout;
  IntTuple shape;
  if (has_atom) {
    const auto& atom = std::get<Atom>(a.value(0));
    if (!atom.shape.has_value()) a.FailExpected(0, "an MMA atom");
    if (!a.status().ok()) return a.status();
    TESSERA_ASSIGN_OR_RETURN(layout, LayoutOf(atom, NameOf(operand)));
    shape = *atom.shape;
    threads = atom.threads;
  } else {
    layout = a.TakeLayout(0);
    shape = a.TakeNumbers(1);
  }
  Layout atoms;
  if (a.count() > atoms_at) {
    // The DSL writes a shape.
    const auto* tuple = std::get_if<IntTuple>(&a.value(atoms_at));
    if (has_atom && tuple != nullptr && !HasUnderscore(*tuple)) {
      TESSERA_ASSIGN_OR_RETURN(atoms, Layout::ColumnMajor(*tuple));
    } else {
      atoms = a.TakeLayout(atoms_at);
    }
  }
  const Tiler permutation = a.count() == atoms_at + 2
                                ? a.TakeTiler(atoms_at + 1)
                                : Tiler::Tuple({Tiler::Underscore()});
  if (!a.status().ok()) return a.status();
  return WithTile(a, TiledMmaLayout(layout, operand, shape, atoms, permutation,
                                    a.options(), threads));
}

}  // namespace

absl::Span<const CalculatorFunction> PartitionFunctions() {
  static constexpr CalculatorFunction kFunctions[] = {
      {"local_tile", "A, tiler, coordinate[, projection]", 3, 4, false,
       LocalTileOf},
      {"local_partition", "A, threads, thread[, projection]", 3, 4, false,
       LocalPartitionOf},
      {"make_layout_tv", "threads[, values]", 1, 2, false,
       [](Arguments& a) { return ThreadValueOf(a); }},
      {"make_tiled_copy", "[atom, ]threads[, values]", 1, 3, false,
       TiledCopyOf},
      {"make_tiled_copy_tv", "atom, threads[, values]", 2, 3, false,
       TiledCopyOf},
      {"make_tiled_mma_A", "atom[, atoms[, permutation]]", 1, 4, false,
       [](Arguments& a) { return TiledMmaOf(a, TiledMmaOperand::kA); }},
      {"make_tiled_mma_B", "atom[, atoms[, permutation]]", 1, 4, false,
       [](Arguments& a) { return TiledMmaOf(a, TiledMmaOperand::kB); }},
      {"make_tiled_mma", "atom[, atoms[, permutation]]", 1, 4, false,
       [](Arguments& a) { return TiledMmaOf(a, TiledMmaOperand::kC); }},
  };
  return kFunctions;
}

}  // namespace tessera::cute
