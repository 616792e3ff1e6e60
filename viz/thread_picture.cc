#include "tessera/viz/thread_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/access/bank_conflicts.h"
#include "tessera/cute/layout_function.h"
#include "tessera/viz/picture.h"

namespace tessera {
namespace {

using Cell = ThreadPicture::Cell;

constexpr int64_t kBanks = 32;
constexpr int64_t kWordBytes = 4;
// In GMMA 128 threads share each of up to 2^14 elements of B.
constexpr int64_t kMaxHeldElements = int64_t{1} << 21;

int64_t WordOf(int64_t offset, int64_t bytes) { return (offset * bytes) >> 2; }

// The weights of the lines before the coordinates of an axis whose leaves have
// these sizes: the number of leaves that begin anew.
std::vector<int> LinesOf(absl::Span<const int64_t> sizes, int64_t extent) {
  std::vector<int> lines(extent + 1);
  int64_t block = 1;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    block *= sizes[i];
    if (block == 1) continue;
    for (int64_t at = block; at < extent; at += block) ++lines[at];
  }
  return lines;
}

// Returns the part of the outermost mode that the coordinate is in.
int64_t OutermostPart(absl::Span<const int64_t> sizes, int64_t coordinate) {
  int64_t block = 1;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) block *= sizes[i];
  return coordinate / block;
}

class PanelMaker {
 public:
  PanelMaker(const ThreadPanel& from, ThreadColor color,
             const ThreadPictureOptions& options, ThreadPicture* picture)
      : from_(from), color_(color), options_(options), picture_(picture) {}

  absl::StatusOr<ThreadPicture::Panel> Make() {
    TESSERA_RETURN_IF_ERROR(Check());
    panel_.title = from_.title;
    panel_.row_name = from_.row_name;
    panel_.column_name = from_.column_name;
    panel_.rows = from_.rows;
    panel_.columns = from_.columns;
    panel_.place_row = from_.place_row;
    panel_.place_column = from_.place_column;
    panel_.is_operand = from_.is_operand;
    panel_.is_result = from_.is_result;
    panel_.has_threads = from_.threads.has_value();
    panel_.cells.resize(from_.rows * from_.columns);
    if (from_.memory.has_value()) PlaceInMemory();
    if (from_.threads.has_value()) TESSERA_RETURN_IF_ERROR(PlaceThreads());
    panel_.row_lines = LinesOf(row_sizes_, from_.rows);
    panel_.column_lines = LinesOf(column_sizes_, from_.columns);
    for (int64_t row = 0; row < from_.rows; ++row) {
      for (int64_t column = 0; column < from_.columns; ++column) {
        const int64_t coordinate = row + from_.rows * column;
        Cell& cell = CellAt(coordinate);
        cell.color = from_.colors.empty() ? ColorOf(cell, row, column)
                                          : from_.colors[coordinate];
      }
    }
    picture_->has_own_colors |= !from_.colors.empty();
    if (from_.is_transposed) Transpose();
    return std::move(panel_);
  }

 private:
  absl::Status Check() const {
    const std::optional<int64_t> cells =
        CheckedMultiply(from_.rows, from_.columns);
    if (from_.rows < 1 || from_.columns < 1) {
      return InvalidArgumentError("a tile of ", from_.rows, " x ",
                                  from_.columns, " has no cells");
    }
    if (!cells.has_value() || *cells > kMaxPictureCells) {
      return ResourceExhaustedError("a picture has at most ", kMaxPictureCells,
                                    " cells, and a tile of ", from_.rows, " x ",
                                    from_.columns, " has more");
    }
    if (!from_.threads.has_value() && !from_.memory.has_value()) {
      return absl::InvalidArgumentError(
          "a panel has neither threads nor memory");
    }
    if (!from_.colors.empty() &&
        from_.colors.size() != static_cast<size_t>(*cells)) {
      return InvalidArgumentError("a tile of ", from_.rows, " x ",
                                  from_.columns, " has ", *cells,
                                  " colors, not ", from_.colors.size());
    }
    if (color_ == ThreadColor::kBank &&
        (!from_.memory.has_value() || from_.bytes == 0)) {
      return absl::InvalidArgumentError(
          "banks need a layout of memory and the bytes of an element");
    }
    if ((color_ == ThreadColor::kMode || color_ == ThreadColor::kOffset) &&
        !from_.memory.has_value()) {
      return absl::InvalidArgumentError(
          "modes and offsets need a layout of memory");
    }
    if ((color_ == ThreadColor::kThread || color_ == ThreadColor::kValue) &&
        !from_.threads.has_value()) {
      return absl::InvalidArgumentError(
          "threads and values need a layout of threads");
    }
    if (!from_.memory.has_value()) return absl::OkStatus();
    if (*cells > from_.memory->size()) {
      return OutOfRangeError("a tile of ", from_.rows, " x ", from_.columns,
                             " does not fit into ", from_.memory->ToString(),
                             ", of size ", from_.memory->size());
    }
    // Checks the layout at all cells, with one thread.
    const cute::Layout all = *cute::Layout::Create(
        {1, *cells}, cute::IntTuple::Flat(std::vector<int64_t>{0, 1}));
    return cute::BankConflictsOf(*from_.memory, all,
                                 std::max<int64_t>(from_.bytes, 1))
        .status();
  }

  Cell& CellAt(int64_t coordinate) {
    return panel_.cells[coordinate % from_.rows * from_.columns +
                        coordinate / from_.rows];
  }

  void PlaceInMemory() {
    const cute::Layout& layout = from_.memory->layout();
    const cute::LayoutFunction function(layout);
    const int64_t cells = from_.rows * from_.columns;
    for (int64_t coordinate = 0; coordinate < cells; ++coordinate) {
      Cell& cell = CellAt(coordinate);
      cell.offset = from_.memory->Apply(function(coordinate));
      if (from_.bytes == 0) continue;
      cell.bank = WordOf(*cell.offset, from_.bytes) & (kBanks - 1);
    }
    // Rows are mode 0, columns the others.
    if (layout.rank() == 0 || layout.Mode(0).size() != from_.rows) return;
    for (int64_t mode = 0; mode < layout.rank(); ++mode) {
      const cute::Layout part = layout.Mode(mode);
      for (const cute::Layout::Leaf& leaf : part.leaves()) {
        (mode == 0 ? row_sizes_ : column_sizes_).push_back(leaf.size);
      }
    }
  }

  absl::Status PlaceThreads() {
    const cute::Layout& threads = *from_.threads;
    if (threads.has_basis() || threads.rank() < 1 || threads.rank() > 2) {
      return InvalidArgumentError(
          "expected a layout of shape (thread, value) or "
          "(thread), found ",
          threads.ToString());
    }
    if (threads.size() > kMaxHeldElements) {
      return ResourceExhaustedError("threads hold at most ", kMaxHeldElements,
                                    " elements of a picture, and these hold ",
                                    threads.size());
    }
    const cute::LayoutFunction function(threads);
    const int64_t count = threads.Mode(0).size();
    const auto cells = static_cast<int64_t>(panel_.cells.size());
    for (int64_t i = 0; i < threads.size(); ++i) {
      const int64_t index = function(i);
      if (index < 0 || index >= cells) {
        return OutOfRangeError("thread ", i % count, " holds coordinate ",
                               index, ", which is outside the tile of ",
                               from_.rows, " x ", from_.columns);
      }
      Cell& cell = CellAt(index);
      cell.holders.push_back({i % count, i / count});
      if (options_.thread == i % count) {
        cell.is_lit = picture_->has_lit = true;
      }
    }
    picture_->has_values |= threads.size() > count;
    return from_.bytes > 0 && from_.memory.has_value() ? FindCollisions()
                                                       : absl::OkStatus();
  }

  absl::Status FindCollisions() {
    TESSERA_ASSIGN_OR_RETURN(
        const cute::BankConflicts conflicts,
        cute::BankConflictsOf(*from_.memory, *from_.threads, from_.bytes));
    picture_->legend.push_back(conflicts.ToString());
    for (const cute::BankConflicts::Collision& worst : conflicts.Worst()) {
      for (Cell& cell : panel_.cells) {
        const int64_t word = WordOf(*cell.offset, from_.bytes);
        const int64_t last = WordOf(*cell.offset, from_.bytes) +
                             std::max<int64_t>(from_.bytes / kWordBytes, 1) - 1;
        if (worst.word < word || worst.word > last) continue;
        cell.collides |= std::any_of(
            cell.holders.begin(), cell.holders.end(),
            [&](const auto& holder) { return holder.thread == worst.thread; });
      }
    }
    return absl::OkStatus();
  }

  int ColorOf(const Cell& cell, int64_t row, int64_t column) const {
    constexpr int64_t kColors = ThreadPicture::kColors;
    switch (color_) {
      case ThreadColor::kBank:
        return static_cast<int>(*cell.bank / (kBanks / kColors));
      case ThreadColor::kMode:
        return static_cast<int>((OutermostPart(row_sizes_, row) +
                                 3 * OutermostPart(column_sizes_, column)) %
                                kColors);
      case ThreadColor::kOffset:
        return static_cast<int>(*cell.offset & (kColors - 1));
      case ThreadColor::kThread:
      case ThreadColor::kValue:
        break;
    }
    if (cell.holders.empty()) return -1;
    const ThreadPicture::Holder& holder = cell.holders[0];
    return static_cast<int>(
        (color_ == ThreadColor::kThread ? holder.thread : holder.value) %
        kColors);
  }

  void Transpose() {
    std::vector<Cell> cells;
    for (int64_t column = 0; column < panel_.columns; ++column) {
      for (int64_t row = 0; row < panel_.rows; ++row) {
        cells.push_back(std::move(panel_.cells[row * panel_.columns + column]));
      }
    }
    panel_.cells = std::move(cells);
    std::swap(panel_.rows, panel_.columns);
    std::swap(panel_.row_lines, panel_.column_lines);
    std::swap(panel_.row_name, panel_.column_name);
  }

  const ThreadPanel& from_;
  const ThreadColor color_;
  const ThreadPictureOptions& options_;
  ThreadPicture* picture_;
  ThreadPicture::Panel panel_;
  // The sizes of the leaves of the modes in memory.
  std::vector<int64_t> row_sizes_, column_sizes_;
};

void AddLegend(const ThreadPictureOptions& options, ThreadPicture* picture) {
  std::vector<std::string>& legend = picture->legend;
  const bool has_threads =
      std::any_of(picture->panels.begin(), picture->panels.end(),
                  [](const auto& panel) { return panel.has_threads; });
  const bool collides = std::any_of(
      picture->panels.begin(), picture->panels.end(), [](const auto& panel) {
        return std::any_of(panel.cells.begin(), panel.cells.end(),
                           [](const Cell& cell) { return cell.collides; });
      });
  if (collides) {
    legend.push_back("Outlined cells are the words that collide in that bank.");
  }
  if (has_threads) {
    legend.push_back(picture->has_values
                         ? "T5 V1: value 1 of thread 5 is in this cell."
                         : "T5: thread 5 has this cell.");
  } else if (picture->has_own_colors) {
    legend.push_back(
        "Numbers are the values of the layouts. Cells that belong together "
        "have the same color, and those without a color are not in the "
        "result.");
  } else {
    legend.push_back("Numbers are offsets in memory, in elements.");
  }
  const bool has_modes = std::any_of(
      picture->panels.begin(), picture->panels.end(), [](const auto& panel) {
        const auto is_line = [](int weight) { return weight > 0; };
        return std::any_of(panel.row_lines.begin(), panel.row_lines.end(),
                           is_line) ||
               std::any_of(panel.column_lines.begin(), panel.column_lines.end(),
                           is_line);
      });
  if (has_modes) {
    legend.push_back(
        "Lines are where a mode of the layout begins anew, thick ones where "
        "the "
        "outermost mode goes on.");
  }
  if (picture->has_lit) {
    legend.push_back(
        absl::StrCat("The cells of thread ", *options.thread, " stand out."));
  }
}

ThreadColor DefaultColor(const ThreadPanel& panel) {
  if (panel.threads.has_value()) return ThreadColor::kThread;
  // Without nested modes, each cell would have its own colour.
  return panel.memory.has_value() && panel.memory->layout().depth() < 2
             ? ThreadColor::kOffset
             : ThreadColor::kMode;
}

// Returns the root of a square; nullopt if it is not a square.
std::optional<int64_t> SquareRoot(int64_t square) {
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root * root == square ? std::optional<int64_t>(root) : std::nullopt;
}

}  // namespace

absl::StatusOr<ThreadPicture> MakeThreadPicture(
    absl::Span<const ThreadPanel> panels, const ThreadPictureOptions& options) {
  ThreadPicture picture;
  for (const ThreadPanel& panel : panels) {
    picture.color = options.color.value_or(DefaultColor(panel));
    TESSERA_ASSIGN_OR_RETURN(
        ThreadPicture::Panel made,
        PanelMaker(panel, picture.color, options, &picture).Make());
    picture.panels.push_back(std::move(made));
  }
  if (options.thread.has_value() && !picture.has_lit) {
    return InvalidArgumentError("thread ", *options.thread,
                                " holds no element");
  }
  AddLegend(options, &picture);
  return picture;
}

std::array<int64_t, 2> SquarestTile(int64_t size) {
  int64_t columns = 1;
  // Larger tiles are not drawn.
  if (size > kMaxPictureCells) return {size, 1};
  for (int64_t i = 1; i * i <= size; ++i) {
    if (size % i == 0) columns = i;
  }
  return {size / columns, columns};
}

absl::StatusOr<std::array<int64_t, 3>> MmaShapeOf(const cute::Layout& a,
                                                  const cute::Layout& b,
                                                  const cute::Layout& c) {
  const int64_t mk = a.cosize(), nk = b.cosize(), mn = c.cosize();
  // The square of M, from the sizes of the three tiles.
  const std::optional<int64_t> product = CheckedMultiply(mk, mn);
  const std::optional<int64_t> m =
      product.has_value() && nk > 0 && *product % nk == 0
          ? SquareRoot(*product / nk)
          : std::nullopt;
  if (!m.has_value() || *m == 0 || mn % *m != 0 || mk % *m != 0 ||
      mn / *m * (mk / *m) != nk) {
    return InvalidArgumentError(
        "tiles of ", mk, ", ", nk, " and ", mn,
        " elements are not M x K, N x K and M x N for any M, N and K");
  }
  return std::array<int64_t, 3>{*m, mn / *m, mk / *m};
}

std::string TextOfThreads(const cute::Layout& threads) {
  const int64_t count = threads.rank() < 1 ? 1 : threads.Mode(0).size();
  const int64_t values = threads.size() / std::max<int64_t>(count, 1);
  const auto counted = [](int64_t number, std::string_view what) {
    return StrCat(number, " ", what, number == 1 ? "" : "s");
  };
  return values == 1 ? counted(count, "thread")
                     : absl::StrCat(counted(count, "thread"), " x ",
                                    counted(values, "value"));
}

std::vector<ThreadPanel> MmaPanels(const std::array<int64_t, 3>& shape,
                                   const cute::Layout& a, const cute::Layout& b,
                                   const cute::Layout& c) {
  const auto [m, n, k] = shape;
  const auto panel = [](const char* name, const char* row_name,
                        const char* column_name, int64_t rows, int64_t columns,
                        const cute::Layout& threads) {
    ThreadPanel panel;
    panel.title =
        absl::StrCat(name, ", ", rows, " x ", columns, ", ",
                     TextOfThreads(threads), ": ", threads.ToString());
    panel.row_name = row_name;
    panel.column_name = column_name;
    panel.rows = rows;
    panel.columns = columns;
    panel.threads = threads;
    return panel;
  };
  std::vector<ThreadPanel> panels = {panel("A", "m", "k", m, k, a),
                                     panel("B", "n", "k", n, k, b),
                                     panel("C", "m", "n", m, n, c)};
  panels[0].place_row = panels[2].place_row = 1;
  panels[1].place_column = panels[2].place_column = 1;
  panels[1].is_transposed = true;
  return panels;
}

}  // namespace tessera
