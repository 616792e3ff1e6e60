#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/python/core/bindings.h"
#include "tessera/python/core/casters.h"
#include "tessera/python/core/errors.h"
#include "tessera/python/core/layout_handle.h"
#include "tessera/viz/layout_picture.h"
#include "tessera/viz/operation_panels.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/picture_style.h"
#include "tessera/viz/svg_picture.h"
#include "tessera/viz/text_picture.h"
#include "tessera/viz/thread_panels.h"
#include "tessera/viz/thread_picture.h"

namespace tessera::python {
namespace {

using Range = std::optional<std::pair<int64_t, int64_t>>;

// The content of a drawing. Its style is chosen later.
struct Drawing {
  IndexMap map;
  PictureOptions options;
  std::string title;
  CellText text = CellText::kPositions;
  bool path = false;
};

// The elements of each thread, or the effects of operations.
struct ThreadDrawing {
  ThreadPicture picture;
  std::string title;
  std::optional<int64_t> width;
};

}  // namespace

template <>
inline constexpr bool kIsConstructed<Drawing> = true;
template <>
inline constexpr bool kIsConstructed<ThreadDrawing> = true;

namespace {

// [begin, end) as a range of cells.
std::optional<PictureRange> CellsOf(const char* name, const Range& range) {
  if (!range.has_value()) return std::nullopt;
  if (range->first < 0 || range->second < range->first) {
    Throw(InvalidArgumentError(name, ": expected 0 <= begin <= end, found ",
                               range->first, " and ", range->second));
  }
  return PictureRange{range->first, range->second - range->first};
}

CellText CellTextNamed(const std::string& name) {
  if (name == "positions") return CellText::kPositions;
  if (name == "indices") return CellText::kIndices;
  if (name == "none") return CellText::kNothing;
  Throw(InvalidArgumentError(
      "cells: expected positions, indices or none, found ", name));
}

Drawing MakeDrawing(
    const LayoutHandle& layout, const std::optional<int64_t>& rows,
    const std::optional<int64_t>& columns,
    const std::optional<std::vector<int64_t>>& at, const Range& row_window,
    const Range& column_window, const Range& memory,
    const std::optional<std::vector<std::vector<int64_t>>>& tiles,
    const LayoutHandle* mark, py::handle unit, const std::string& cells,
    bool path) {
  Drawing drawing;
  const PositionUnit positions = UnitOf(unit);
  if (positions == PositionUnit::kBits) {
    Throw(absl::InvalidArgumentError("unit: pictures show elements or bytes"));
  }
  drawing.map = layout.map(positions);
  drawing.title = layout.text();
  drawing.options = PictureOptionsFor(layout.layout(), drawing.map, positions);
  PictureOptions& options = drawing.options;
  if (rows.has_value() || columns.has_value()) {
    options.rows = rows;
    options.columns = columns;
  }
  options.index = at;
  options.row_window = CellsOf("row_window", row_window);
  options.column_window = CellsOf("column_window", column_window);
  options.memory = CellsOf("memory", memory);
  if (tiles.has_value()) options.tiles = tiles;
  if (mark != nullptr) {
    options.marks = mark->map(positions);
    options.marks_name = mark->text();
  }
  drawing.text = CellTextNamed(cells);
  drawing.path = path;
  // Errors of the options are reported now.
  ThrowIfError(MakePicture(drawing.map, options).status());
  return drawing;
}

py::str ToSvg(const Drawing& drawing) {
  SvgStyle style;
  style.title = drawing.title;
  style.text = drawing.text;
  style.path = drawing.path;
  return Text(RenderSvg(ValueOrThrow(MakePicture(drawing.map, drawing.options)),
                        style));
}

py::str ToText(const Drawing& drawing, bool unicode, bool color,
               int64_t columns) {
  TextStyle style;
  style.unicode = unicode;
  style.color = color;
  style.text = drawing.text;
  style.path = drawing.path;
  style.columns = columns;
  return Text(absl::StrCat(drawing.title, "\n\n",
                           RenderText(ValueOrThrow(MakeFittingPicture(
                                          drawing.map, drawing.options, style)),
                                      style)));
}

ThreadColor ThreadColorNamed(const std::string& name) {
  if (name == "thread") return ThreadColor::kThread;
  if (name == "value") return ThreadColor::kValue;
  if (name == "bank") return ThreadColor::kBank;
  if (name == "mode") return ThreadColor::kMode;
  if (name == "offset") return ThreadColor::kOffset;
  Throw(InvalidArgumentError(
      "color: expected thread, value, bank, mode or offset, found ", name));
}

ThreadDrawing MakeThreadDrawing(
    const std::string& threads,
    const std::optional<std::pair<int64_t, int64_t>>& tile,
    const std::optional<std::string>& memory, int64_t element_bytes,
    const std::optional<std::string>& color,
    const std::optional<int64_t>& thread, const std::optional<int64_t>& width) {
  ThreadPanelOptions panels;
  if (tile.has_value()) panels.tile = {tile->first, tile->second};
  if (memory.has_value()) {
    panels.memory = ValueOrThrow(ParseMemoryOfThreads(*memory));
    if (element_bytes != 0) panels.memory->bytes = element_bytes;
  }
  ThreadPictureOptions options;
  if (color.has_value()) options.color = ThreadColorNamed(*color);
  options.thread = thread;
  ThreadDrawing drawing;
  drawing.picture = ValueOrThrow(MakeThreadPicture(
      ValueOrThrow(ThreadPanelsOf(threads, panels)), options));
  drawing.title =
      memory.has_value() ? absl::StrCat(threads, " in ", *memory) : threads;
  drawing.width = width;
  return drawing;
}

ThreadDrawing MakeOperationDrawing(const std::string& expression,
                                   const std::optional<int64_t>& width) {
  ThreadDrawing drawing;
  drawing.picture = ValueOrThrow(
      MakeThreadPicture(ValueOrThrow(OperationPanelsOf(expression)), {}));
  drawing.title = expression;
  drawing.width = width;
  return drawing;
}

}  // namespace

void BindPictures(py::module_* module) {
  py::class_<ThreadDrawing>(*module, "ThreadDrawing")
      .def(py::init(&MakeThreadDrawing), py::arg("threads"), py::arg("tile"),
           py::arg("memory"), py::arg("element_bytes"), py::arg("color"),
           py::arg("thread"), py::arg("width"))
      .def_static("of_operations", &MakeOperationDrawing, py::arg("expression"),
                  py::arg("width"))
      .def("to_svg",
           [](const ThreadDrawing& drawing) {
             return Text(
                 RenderSvg(drawing.picture, drawing.title, drawing.width));
           })
      .def(
          "to_text",
          [](const ThreadDrawing& drawing, bool unicode, bool color,
             int64_t columns) {
            TextStyle style;
            style.unicode = unicode;
            style.color = color;
            style.columns = columns;
            return Text(absl::StrCat(drawing.title, "\n\n",
                                     RenderText(drawing.picture, style)));
          },
          py::arg("unicode"), py::arg("color"), py::arg("columns"));
  py::class_<Drawing>(*module, "Drawing")
      .def(py::init(&MakeDrawing), py::arg("layout"), py::arg("rows"),
           py::arg("columns"), py::arg("at"), py::arg("row_window"),
           py::arg("column_window"), py::arg("memory"), py::arg("tiles"),
           py::arg("mark"), py::arg("unit"), py::arg("cells"), py::arg("path"))
      .def("to_svg", &ToSvg)
      .def("to_text", &ToText, py::arg("unicode"), py::arg("color"),
           py::arg("columns"));
}

}  // namespace tessera::python
