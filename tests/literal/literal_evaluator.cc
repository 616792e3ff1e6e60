#include "tessera/tests/literal/literal_evaluator.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tessera {
namespace {

struct Axis {
  int64_t bound = 1;
  // The logical dimensions that this axis is a piece of, as bits; none for an
  // axis that rank padding inserted.
  uint32_t dimensions = 0;
};

// An array of labels. The cells stand in row-major order of the axes, so a
// reshape writes new axes and leaves the cells alone.
struct LabelledArray {
  std::vector<Axis> axes;
  std::vector<LiteralCell> cells;
};

int64_t Product(const std::vector<int64_t>& factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) product *= factor;
  return product;
}

std::vector<int64_t> BoundsOf(const std::vector<Axis>& axes) {
  std::vector<int64_t> bounds;
  for (const Axis& axis : axes) bounds.push_back(axis.bound);
  return bounds;
}

int64_t RowMajorPlace(const std::vector<int64_t>& bounds,
                      const std::vector<int64_t>& index) {
  int64_t place = 0;
  for (size_t i = 0; i < bounds.size(); ++i) {
    place = place * bounds[i] + index[i];
  }
  return place;
}

// The array whose axis i is the given one's axis order[i].
LabelledArray Transpose(const LabelledArray& array,
                        const std::vector<int64_t>& order) {
  LabelledArray result;
  for (const int64_t axis : order) result.axes.push_back(array.axes[axis]);
  if (array.cells.empty()) return result;

  const std::vector<int64_t> source_bounds = BoundsOf(array.axes);
  const std::vector<int64_t> bounds = BoundsOf(result.axes);
  std::vector<int64_t> source(order.size(), 0);
  std::vector<int64_t> index(order.size(), 0);
  result.cells.reserve(array.cells.size());
  do {
    for (size_t i = 0; i < order.size(); ++i) source[order[i]] = index[i];
    result.cells.push_back(array.cells[RowMajorPlace(source_bounds, source)]);
  } while (NextIndex(bounds, &index));
  return result;
}

// Pads one axis at its end to a multiple of `multiple`. In the dimensions that
// the axis is no piece of, a padding cell is where its neighbours along the
// axis are, and beyond the bound there if they are.
LabelledArray PadAxis(LabelledArray array, int64_t axis, int64_t multiple) {
  const int64_t bound = array.axes[axis].bound;
  int64_t padded = bound;
  while (padded % multiple != 0) ++padded;
  if (padded == bound) return array;

  LabelledArray result;
  result.axes = array.axes;
  result.axes[axis].bound = padded;

  const std::vector<int64_t> bounds = BoundsOf(array.axes);
  const int64_t more_major = Product({bounds.begin(), bounds.begin() + axis});
  const int64_t more_minor = Product({bounds.begin() + axis + 1, bounds.end()});
  result.cells.reserve(more_major * padded * more_minor);
  for (int64_t major = 0; major < more_major; ++major) {
    for (int64_t i = 0; i < padded; ++i) {
      for (int64_t minor = 0; minor < more_minor; ++minor) {
        const bool inside = i < bound;
        LiteralCell cell =
            array
                .cells[(major * bound + (inside ? i : 0)) * more_minor + minor];
        if (!inside) {
          cell.kind = LiteralCell::Kind::kTilePadding;
          cell.element = 0;
          cell.exceeded |= array.axes[axis].dimensions;
        }
        result.cells.push_back(cell);
      }
    }
  }
  return result;
}

// One axis for two neighbours, named as LiteralCell::exceeded says.
Axis Joined(const Axis& major, const Axis& minor) {
  Axis joined;
  joined.bound = major.bound * minor.bound;
  if (major.bound == 1 && minor.bound == 1) {
    joined.dimensions =
        minor.dimensions != 0 ? minor.dimensions : major.dimensions;
  } else {
    if (major.bound != 1) joined.dimensions |= major.dimensions;
    if (minor.bound != 1) joined.dimensions |= minor.dimensions;
  }
  return joined;
}

LabelledArray ApplyTile(LabelledArray array, std::vector<int64_t> tile) {
  // Reshape: leading axes of bound 1 until the tile has one for each entry.
  while (array.axes.size() < tile.size()) {
    array.axes.insert(array.axes.begin(), Axis());
  }
  // The tile's entries stand for the minor-most axes.
  const size_t first = array.axes.size() - tile.size();

  // Reshape: each `*` joins its axis with the next.
  for (size_t i = 0; i < tile.size();) {
    if (tile[i] != LiteralLayout::kCombine) {
      ++i;
      continue;
    }
    array.axes[first + i + 1] =
        Joined(array.axes[first + i], array.axes[first + i + 1]);
    array.axes.erase(array.axes.begin() + first + i);
    tile.erase(tile.begin() + i);
  }

  // Pad.
  for (size_t i = 0; i < tile.size(); ++i) {
    array = PadAxis(std::move(array), first + i, tile[i]);
  }

  // Reshape: d becomes d / t, t.
  std::vector<Axis> axes(array.axes.begin(), array.axes.begin() + first);
  for (size_t i = 0; i < tile.size(); ++i) {
    const Axis whole = array.axes[first + i];
    axes.push_back({whole.bound / tile[i], whole.dimensions});
    axes.push_back({tile[i], whole.dimensions});
  }
  array.axes = std::move(axes);

  // Transpose: the t's go to the minor end.
  std::vector<int64_t> order;
  for (size_t i = 0; i < first; ++i) order.push_back(i);
  for (size_t i = 0; i < tile.size(); ++i) order.push_back(first + 2 * i);
  for (size_t i = 0; i < tile.size(); ++i) order.push_back(first + 2 * i + 1);
  return Transpose(array, order);
}

}  // namespace

std::string LiteralLayout::ToString() const {
  std::string layout = absl::StrJoin(minor_to_major, ",");
  if (!tiles.empty() || tail_padding_alignment != 1) layout += ':';
  if (!tiles.empty()) layout += 'T';
  for (const std::vector<int64_t>& tile : tiles) {
    const auto append_entry = [](std::string* out, int64_t entry) {
      absl::StrAppend(out, entry == kCombine ? "*" : absl::StrCat(entry));
    };
    absl::StrAppend(&layout, "(", absl::StrJoin(tile, ",", append_entry), ")");
  }
  if (tail_padding_alignment != 1) {
    absl::StrAppend(&layout, "L(", tail_padding_alignment, ")");
  }
  const std::string array =
      absl::StrCat("s8[", absl::StrJoin(bounds, ","), "]");
  // XLA leaves out the layout of a scalar that says nothing.
  return layout.empty() ? array : absl::StrCat(array, "{", layout, "}");
}

int64_t LiteralArray::PositionOf(const std::vector<int64_t>& index) const {
  return positions[RowMajorPlace(bounds, index)];
}

LiteralArray EvaluateLiterally(const LiteralLayout& layout) {
  LiteralArray result;
  result.bounds = layout.bounds;

  LabelledArray array;
  for (int64_t d = 0; d < layout.rank(); ++d) {
    array.axes.push_back({layout.bounds[d], uint32_t{1} << d});
  }
  const int64_t elements = Product(layout.bounds);
  array.cells.resize(elements);
  for (int64_t i = 0; i < elements; ++i) array.cells[i].element = i;

  // To physical order: major to minor.
  array = Transpose(
      array, {layout.minor_to_major.rbegin(), layout.minor_to_major.rend()});
  result.expanded_bounds.push_back(BoundsOf(array.axes));

  for (const std::vector<int64_t>& tile : layout.tiles) {
    array = ApplyTile(std::move(array), tile);
    result.expanded_bounds.push_back(BoundsOf(array.axes));
  }

  result.cells = std::move(array.cells);
  LiteralCell tail;
  tail.kind = LiteralCell::Kind::kTailPadding;
  while (result.cells.size() % layout.tail_padding_alignment != 0) {
    result.cells.push_back(tail);
  }

  result.positions.resize(elements);
  for (size_t position = 0; position < result.cells.size(); ++position) {
    const LiteralCell& cell = result.cells[position];
    if (cell.kind == LiteralCell::Kind::kElement) {
      result.positions[cell.element] = position;
    }
  }
  return result;
}

bool NextIndex(const std::vector<int64_t>& bounds,
               std::vector<int64_t>* index) {
  for (size_t d = bounds.size(); d-- > 0;) {
    if (++(*index)[d] < bounds[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

}  // namespace tessera
