#include "tessera/viz/thread_panels.h"

#include <map>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/recast.h"
#include "tessera/cute/atoms/atom.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/calculator/printed_block.h"

namespace tessera {
namespace {

absl::StatusOr<cute::CalculatorResult> ValueOfText(std::string_view text) {
  cute::Calculator calculator;
  return calculator.Evaluate(text);
}

absl::Status ExpectedLayout(const cute::CalculatorValue& value) {
  return InvalidArgumentError("expected a layout, found ",
                              cute::Describe(value));
}

// Returns the rows and columns of the tile in memory.
std::array<int64_t, 2> TileOfMemory(const cute::Layout& layout) {
  const int64_t rows = layout.rank() < 2 ? 1 : layout.Mode(0).size();
  return {rows, layout.size() / rows};
}

absl::StatusOr<std::vector<ThreadPanel>> PanelsOfMma(const cute::Atom& atom) {
  std::vector<cute::Layout> parts;
  for (const std::string_view name : {"A", "B", "C"}) {
    TESSERA_ASSIGN_OR_RETURN(cute::Layout part, cute::LayoutOf(atom, name));
    parts.push_back(std::move(part));
  }
  const absl::Span<const int64_t> shape = atom.shape->values();
  return MmaPanels({shape[0], shape[1], shape[2]}, parts[0], parts[1],
                   parts[2]);
}

// The source and the destination. Offsets of a copy are bits or elements. A row
// has 16 bytes, like a row of ldmatrix, or 8 elements.
absl::StatusOr<std::vector<ThreadPanel>> PanelsOfCopy(const cute::Atom& atom) {
  std::vector<ThreadPanel> panels;
  for (const auto& [part, word] :
       {std::pair<std::string_view, const char*>{"Src", "Source"},
        {"Dst", "Destination"}}) {
    TESSERA_ASSIGN_OR_RETURN(cute::Layout layout, cute::LayoutOf(atom, part));
    int64_t bits = atom.element_bits;
    for (const int64_t wide : {16, 8}) {
      if (bits != 1) break;
      const auto recast = cute::Recast(layout, bits, wide);
      if (!recast.ok()) continue;
      layout = *recast;
      bits = wide;
    }
    ThreadPanel panel;
    const int64_t size = layout.cosize();
    const int64_t row = 128 / std::max<int64_t>(bits, 1);
    panel.rows = row > 0 && size % row == 0 ? row : SquarestTile(size)[1];
    panel.columns = size / panel.rows;
    panel.is_transposed = true;
    panel.threads = layout;
    panel.title = absl::StrCat(word, ", ", TextOfThreads(layout), " of ", bits,
                               " bits: ", layout.ToString());
    panel.place_column = static_cast<int>(panels.size());
    panels.push_back(std::move(panel));
  }
  return panels;
}

// Returns A, B and C of a print; empty if it does not have them.
absl::StatusOr<std::vector<ThreadPanel>> PanelsOfPrint(std::string_view text) {
  std::map<std::string_view, cute::Layout> parts;
  for (const cute::LabelledText& line : cute::LabelledTexts(text)) {
    const std::string_view part = cute::AtomPartName(line.label);
    if (part != "A" && part != "B" && part != "C") continue;
    TESSERA_ASSIGN_OR_RETURN(const cute::CalculatorResult result,
                             ValueOfText(line.text));
    const auto* layout = std::get_if<cute::Layout>(&result.value);
    if (layout == nullptr) return ExpectedLayout(result.value);
    parts[part] = *layout;
  }
  if (parts.size() < 3) return std::vector<ThreadPanel>();
  TESSERA_ASSIGN_OR_RETURN(const auto shape,
                           MmaShapeOf(parts["A"], parts["B"], parts["C"]));
  return MmaPanels(shape, parts["A"], parts["B"], parts["C"]);
}

}  // namespace

absl::StatusOr<MemoryOfThreads> ParseMemoryOfThreads(std::string_view text) {
  TESSERA_ASSIGN_OR_RETURN(cute::CalculatorResult result, ValueOfText(text));
  MemoryOfThreads memory;
  memory.bytes = result.element_bits % 8 == 0 ? result.element_bits / 8 : 0;
  if (auto* composed = std::get_if<cute::ComposedLayout>(&result.value)) {
    memory.layout = std::move(*composed);
  } else if (auto* layout = std::get_if<cute::Layout>(&result.value)) {
    memory.layout =
        cute::ComposedLayout(cute::Swizzle(), 0, std::move(*layout));
  } else {
    return ExpectedLayout(result.value);
  }
  return memory;
}

absl::StatusOr<std::vector<ThreadPanel>> ThreadPanelsOf(
    std::string_view text, const ThreadPanelOptions& options) {
  const std::string_view name = StripAsciiWhitespace(text);
  const bool is_atom =
      !name.empty() && cute::AtomNameLength(name) == name.size();
  if (is_atom || cute::MayHaveLabelledTexts(text)) {
    std::vector<ThreadPanel> panels;
    if (is_atom) {
      TESSERA_ASSIGN_OR_RETURN(const cute::Atom atom, cute::FindAtom(name));
      TESSERA_ASSIGN_OR_RETURN(panels, atom.shape.has_value()
                                           ? PanelsOfMma(atom)
                                           : PanelsOfCopy(atom));
    } else {
      TESSERA_ASSIGN_OR_RETURN(panels, PanelsOfPrint(text));
    }
    if (!panels.empty()) {
      if (!options.tile.has_value() && !options.memory.has_value()) {
        return panels;
      }
      return absl::InvalidArgumentError(
          "the tiles of an atom are its own, and it has no memory");
    }
  }
  TESSERA_ASSIGN_OR_RETURN(const cute::CalculatorResult result,
                           ValueOfText(text));
  const auto* layout = std::get_if<cute::Layout>(&result.value);
  if (layout == nullptr) return ExpectedLayout(result.value);
  if (layout->has_basis()) {
    return InvalidArgumentError("the values of ", layout->ToString(),
                                " are coordinates, not the index of a cell");
  }
  ThreadPanel panel;
  panel.threads = *layout;
  std::array<int64_t, 2> tile;
  if (options.memory.has_value()) {
    panel.memory = options.memory->layout;
    panel.bytes = options.memory->bytes;
    tile = TileOfMemory(panel.memory->layout());
  } else {
    tile = SquarestTile(layout->cosize());
  }
  if (options.tile.has_value()) tile = *options.tile;
  panel.rows = tile[0];
  panel.columns = tile[1];
  panel.title = absl::StrCat(panel.rows, " x ", panel.columns, ", ",
                             TextOfThreads(*layout));
  return std::vector<ThreadPanel>{std::move(panel)};
}

ThreadPanel MemoryPanelOf(const MemoryOfThreads& memory) {
  ThreadPanel panel;
  panel.memory = memory.layout;
  panel.bytes = memory.bytes;
  const std::array<int64_t, 2> tile = TileOfMemory(memory.layout.layout());
  panel.rows = tile[0];
  panel.columns = tile[1];
  return panel;
}

}  // namespace tessera
