// Draws a cell for each element of a tile, with the thread that holds it, the
// bank that it is in, and the threads that collide.
//
//   #include "tessera/cute/parse.h"
//
//   // The accumulator of mma.m16n8k16: (thread, value) -> (m, n).
//   ThreadPanel panel;
//   panel.rows = 16;
//   panel.columns = 8;
//   panel.threads = *cute::ParseLayout("((4,8),(2,2)):((32,1),(16,8))");
//   const ThreadPicture picture = *MakeThreadPicture({panel}, {});
//   picture.panels[0].At(1, 2).holders[0].thread;   // 5
//   picture.panels[0].At(1, 3).holders[0].value;    // 1
//   RenderSvg(picture, "C");    // "<svg ..."
//   RenderText(picture, {});    // "..."
//
// In the SVG document the text of cell (1,3) of the first panel is an element
// <text data-at="1,3" data-thread="5" data-value="1">, and the title of the
// cell lists all of its holders: "(1,3): T5 V1", or "T0-T3 V1" for four threads
// that share it.

#ifndef TESSERA_VIZ_THREAD_PICTURE_H_
#define TESSERA_VIZ_THREAD_PICTURE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/viz/text_picture.h"

namespace tessera {

// A tile to draw.
struct ThreadPanel {
  std::string title;
  std::string row_name, column_name;  // "m"; may be empty
  int64_t rows = 1;
  int64_t columns = 1;
  // Maps (thread, value), or (thread), to row + rows * column. Without it,
  // cells show their offsets in memory.
  std::optional<cute::Layout> threads;
  // Maps row + rows * column to the offset of the element in shared memory.
  // Then the bytes of an element; 0 if not known.
  std::optional<cute::ComposedLayout> memory;
  int64_t bytes = 0;
  // The colours of the cells, by row + rows * column, in [0, kColors); -1 for
  // none. If it is empty, the picture's options determine the meaning of
  // colours.
  std::vector<int> colors;
  // Whether rows run across and columns down.
  bool is_transposed = false;
  // The place in the grid of panels, as a row and a column.
  int place_row = 0;
  int place_column = 0;
  // Whether the panel is an operand or the result of an operation, and whether
  // it is the result.
  bool is_operand = false;
  bool is_result = false;
};

enum class ThreadColor : uint8_t {
  kThread,
  kValue,
  kBank,    // banks of the same 16 bytes share a colour
  kMode,    // the outermost modes of memory
  kOffset,  // the offset in memory, modulo kColors
};

struct ThreadPictureOptions {
  // By default kThread. For panels without threads kMode, or kOffset if no mode
  // of their memory has modes of its own.
  std::optional<ThreadColor> color;
  // The thread whose cells are highlighted.
  std::optional<int64_t> thread;
};

struct ThreadPicture {
  static constexpr int kColors = 8;

  struct Holder {
    int64_t thread = 0;
    int64_t value = 0;
  };
  struct Cell {
    absl::InlinedVector<Holder, 1> holders;  // by value and thread
    std::optional<int64_t> offset;           // in memory
    std::optional<int64_t> bank;
    int color = -1;  // -1: none
    bool is_lit = false;
    // Whether its word is in the bank of Worst() of cute/access/.
    bool collides = false;
  };
  struct Panel {
    std::string title;
    std::string row_name, column_name;
    int64_t rows = 0;  // as drawn
    int64_t columns = 0;
    std::vector<Cell> cells;  // row by row
    // The weight of the line before each row and column, and after the last: 0,
    // or the level of the modes that begin there.
    std::vector<int> row_lines, column_lines;
    bool has_threads = false;
    int place_row = 0;
    int place_column = 0;
    bool is_operand = false;
    bool is_result = false;

    const Cell& At(int64_t row, int64_t column) const {
      return cells[row * columns + column];
    }
  };

  std::vector<Panel> panels;
  ThreadColor color = ThreadColor::kThread;
  bool has_lit = false;
  bool has_values = false;      // whether a thread holds more than one
  bool has_own_colors = false;  // those of ThreadPanel::colors
  std::vector<std::string> legend;
};

// Returns the picture of the panels. Errors: kInvalidArgument if a layout has
// strides of basis elements, if a colour needs a part that a panel lacks, if
// `colors` has another size than the tile, or if `thread` holds nothing;
// kOutOfRange if a coordinate is outside of its tile, or a tile outside of
// `memory`; kResourceExhausted past kMaxPictureCells cells, or 2^20 elements of
// threads; errors of BankConflictsOf.
absl::StatusOr<ThreadPicture> MakeThreadPicture(
    absl::Span<const ThreadPanel> panels, const ThreadPictureOptions& options);

// Returns the rows and columns of the tile that has this many elements and is
// the nearest to a square, with no fewer rows than columns.
std::array<int64_t, 2> SquarestTile(int64_t size);

// Returns M, N and K of an instruction that multiplies matrices, from its
// layouts (thread, value) -> m + M * k, n + N * k and m + M * n, which reach
// the ends of their tiles. Errors: kInvalidArgument if the tiles are not those
// of one M, N and K.
absl::StatusOr<std::array<int64_t, 3>> MmaShapeOf(const cute::Layout& a,
                                                  const cute::Layout& b,
                                                  const cute::Layout& c);

// Returns "32 threads x 4 values" for a layout from (thread, value), and
// "32 threads" if each has a single value.
std::string TextOfThreads(const cute::Layout& threads);

// Returns the panels A, B and C of such an instruction: A is left of C, and B
// above it, so that a row of A and a column of B meet in their element of C.
std::vector<ThreadPanel> MmaPanels(const std::array<int64_t, 3>& shape,
                                   const cute::Layout& a, const cute::Layout& b,
                                   const cute::Layout& c);

// Returns an SVG document with this title, which ends with a line break. Panels
// are at their places. If these are wider than `width` pixels, the panels
// follow one another in lines of this width, and a panel that is wider by
// itself is cut into blocks of columns, one below another.
std::string RenderSvg(const ThreadPicture& picture, std::string_view title,
                      std::optional<int64_t> width = std::nullopt);

// Returns lines for a terminal. Panels of one row are next to each other if all
// of them fit; otherwise each is below the one before it, at its own width.
// Only `color` and `columns` of `style` matter.
std::string RenderText(const ThreadPicture& picture, const TextStyle& style);

}  // namespace tessera

#endif  // TESSERA_VIZ_THREAD_PICTURE_H_
