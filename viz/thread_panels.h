// Makes the panels of a text: the name of an atom, a printed atom, or a layout.
//
//   const std::vector<ThreadPanel> panels =
//       *ThreadPanelsOf("SM80_16x8x16_F32F16F16F32_TN", {});
//   panels.size();       // 3: A, B and C
//   panels[0].columns;   // 16
//   ThreadPanelsOf("((4,8),(2,2)):((32,1),(16,8))", {})->front().rows;   // 16
//
// Texts are those of cute/calculator/calculator.h and cute/atoms/atom.h.

#ifndef TESSERA_VIZ_THREAD_PANELS_H_
#define TESSERA_VIZ_THREAD_PANELS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/viz/thread_picture.h"

namespace tessera {

// A layout of memory, with the bytes of an element; 0 if the text does not have
// them.
struct MemoryOfThreads {
  cute::ComposedLayout layout;
  int64_t bytes = 0;
};

// Returns the layout of memory in a text. Errors: those of the calculator;
// kInvalidArgument if the value is not a layout.
absl::StatusOr<MemoryOfThreads> ParseMemoryOfThreads(std::string_view text);

struct ThreadPanelOptions {
  // The rows and columns of the tile. By default those of `memory`, or
  // SquarestTile. Not for atoms.
  std::optional<std::array<int64_t, 2>> tile;
  // The memory that threads access.
  std::optional<MemoryOfThreads> memory;
};

// Returns the panels A, B and C of an MMA atom or of a printed one, or the
// source and destination of a copy atom; otherwise the single panel of a layout
// (thread, value) -> coordinate. Errors: those of the calculator, of FindAtom
// and of MmaShapeOf; kInvalidArgument if the value is not a layout, or if
// options are given that an atom does not accept.
absl::StatusOr<std::vector<ThreadPanel>> ThreadPanelsOf(
    std::string_view text, const ThreadPanelOptions& options);

// Returns the panel of a layout of memory without threads: the first mode runs
// down, the others across.
ThreadPanel MemoryPanelOf(const MemoryOfThreads& memory);

}  // namespace tessera

#endif  // TESSERA_VIZ_THREAD_PANELS_H_
