#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/error.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/service/questions/layouts/layout_source.h"
#include "tessera/service/questions/numbers.h"
#include "tessera/service/questions/place_kind.h"
#include "tessera/viz/operation_panels.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/thread_panels.h"
#include "tessera/viz/thread_picture.h"
#include "tessera/viz/tile_levels.h"

namespace tessera {
namespace {

constexpr int64_t kDefaultWindow = 32;

PictureOptions ToPictureOptions(const MappedLayout& layout,
                                const PictureRequest& question) {
  PictureOptions picture;
  picture.tiles = TileExtents(layout.layout());
  if (question.has_rows()) picture.rows = question.rows();
  if (question.has_columns()) picture.columns = question.columns();
  if (!question.index().empty()) {
    picture.index.emplace(question.index().begin(), question.index().end());
  }
  return picture;
}

// Returns the visible part of the window on an axis of `count` cells. Negative
// numbers stay negative, and are rejected later.
PictureRange Clamp(const CellRange& window, bool has_window, int64_t count) {
  if (!has_window) return {0, std::min(kDefaultWindow, count)};
  const int64_t first = std::min(window.first(), count);
  if (first < 0) return {first, window.count()};
  return {first, std::min(window.count(), count - first)};
}

// Counts at least the rows and at least the columns, so that one is bounded
// even if the other is 0.
int64_t CellsOf(const PictureRange& rows, const PictureRange& columns) {
  const int64_t cells = CheckedMultiply(rows.count, columns.count)
                            .value_or(std::numeric_limits<int64_t>::max());
  return std::max({cells, rows.count, columns.count});
}

class PictureWriter {
 public:
  PictureWriter(const MappedLayout& layout, const Picture& picture,
                PictureResult* result)
      : layout_(layout), picture_(picture), result_(result) {}

  void Write() {
    WriteAxis(picture_.rows, result_->mutable_rows());
    WriteAxis(picture_.columns, result_->mutable_columns());
    SetNumbers(picture_.index, result_->mutable_index());
    for (const TileLevel& level : picture_.levels) {
      PictureLevel& added = *result_->add_levels();
      added.set_rows(level.rows);
      added.set_columns(level.columns);
    }
    for (const Picture::Cell& cell : picture_.cells) WriteCell(cell);
    for (const Picture::Step& step : picture_.path) {
      result_->add_path(step.cell);
    }
    for (const Picture::Place& place : picture_.memory) WritePlace(place);
    for (const Picture::Note& note : picture_.legend) {
      PictureNote& added = *result_->add_legend();
      added.set_subject(ToSubject(note.subject));
      added.set_level(note.level);
      added.set_text(note.text);
    }
    result_->set_elements(picture_.element_count);
    result_->set_position_count(picture_.position_count);
    result_->set_shares_positions(picture_.shares_positions);
  }

 private:
  static void WriteAxis(const Picture::Axis& from, PictureAxis* to) {
    if (from.dimension.has_value()) to->set_dimension(*from.dimension);
    to->set_bound(from.bound);
    to->set_count(from.count);
    to->set_phase(from.phase);
    to->mutable_window()->set_first(from.window.first);
    to->mutable_window()->set_count(from.window.count);
    SetNumbers(from.coordinates, to->mutable_coordinates());
  }

  void WriteCell(const Picture::Cell& cell) {
    switch (cell.kind) {
      case Picture::CellKind::kElement:
        result_->add_kinds(ELEMENT);
        break;
      case Picture::CellKind::kPadding:
        result_->add_kinds(KindAt(cell.position, PositionKind::kPadding));
        break;
      case Picture::CellKind::kNothing:
        result_->add_kinds(GAP);
        break;
    }
    result_->add_linear_indices(cell.position);
    result_->mutable_tiles()->Add(cell.tiles.begin(), cell.tiles.end());
    result_->add_colors(cell.color);
  }

  void WritePlace(const Picture::Place& place) {
    MemoryPlace& added = *result_->add_memory();
    added.set_linear_index(place.position);
    added.set_kind(KindAt(place.position, place.kind));
    SetNumbers(place.index, added.mutable_index());
    if (place.cell >= 0) added.set_cell(place.cell);
  }

  PlaceKind KindAt(int64_t position, PositionKind kind) const {
    return ToPlaceKind(
        RefineKind(layout_.layout(), layout_.unit(), position, kind));
  }

  static PictureNote::Subject ToSubject(Picture::Note::Subject subject) {
    switch (subject) {
      case Picture::Note::Subject::kAxes:
        return PictureNote::AXES;
      case Picture::Note::Subject::kNumbers:
        return PictureNote::NUMBERS;
      case Picture::Note::Subject::kTiles:
        return PictureNote::TILES;
      case Picture::Note::Subject::kPadding:
        return PictureNote::PADDING;
      case Picture::Note::Subject::kNothing:
        return PictureNote::NOTHING;
      case Picture::Note::Subject::kWindow:
        return PictureNote::WINDOW;
      case Picture::Note::Subject::kSharing:
      case Picture::Note::Subject::kMarks:  // nothing is to be marked
        break;
    }
    return PictureNote::SHARING;
  }

  const MappedLayout& layout_;
  const Picture& picture_;
  PictureResult* result_;
};

absl::StatusOr<std::optional<ThreadColor>> ColorOf(
    const DrawingRequest& drawing) {
  switch (drawing.color()) {
    case DrawingRequest::AUTOMATIC:
      return std::nullopt;
    case DrawingRequest::BY_THREAD:
      return ThreadColor::kThread;
    case DrawingRequest::BY_VALUE:
      return ThreadColor::kValue;
    case DrawingRequest::BY_BANK:
      return ThreadColor::kBank;
    case DrawingRequest::BY_MODE:
      return ThreadColor::kMode;
    case DrawingRequest::BY_OFFSET:
      return ThreadColor::kOffset;
    default:
      return InvalidField("color", "unknown color ", drawing.color());
  }
}

absl::StatusOr<MemoryOfThreads> MemoryOf(const DrawingRequest& drawing,
                                         const std::string& text) {
  TESSERA_ASSIGN_OR_RETURN(MemoryOfThreads memory, ParseMemoryOfThreads(text));
  if (drawing.bytes() != 0) memory.bytes = drawing.bytes();
  return memory;
}

absl::StatusOr<std::vector<ThreadPanel>> PanelsOf(const DrawingRequest& drawing,
                                                  const std::string& layout) {
  switch (drawing.shows()) {
    case DrawingRequest::THREADS:
      break;
    case DrawingRequest::MEMORY: {
      const absl::StatusOr<MemoryOfThreads> memory = MemoryOf(drawing, layout);
      if (!memory.ok()) return InField("layout", memory.status());
      return std::vector<ThreadPanel>{MemoryPanelOf(*memory)};
    }
    case DrawingRequest::OPERATIONS: {
      auto panels = OperationPanelsOf(layout);
      if (!panels.ok()) return InField("layout", panels.status());
      return panels;
    }
    default:
      return InvalidField("shows", "cannot show ", drawing.shows());
  }
  ThreadPanelOptions options;
  if (!drawing.memory().empty()) {
    absl::StatusOr<MemoryOfThreads> memory =
        MemoryOf(drawing, drawing.memory());
    if (!memory.ok()) return InField("memory", memory.status());
    options.memory = *std::move(memory);
  }
  if (!drawing.tile().empty()) {
    if (drawing.tile_size() != 2) {
      return InvalidField("tile", "expected rows and columns, found ",
                          drawing.tile_size(), " numbers");
    }
    options.tile = std::array<int64_t, 2>{drawing.tile(0), drawing.tile(1)};
  }
  auto panels = ThreadPanelsOf(layout, options);
  if (!panels.ok()) return InField("layout", panels.status());
  return panels;
}

absl::Status AnswerDrawing(const ServiceOptions& options,
                           const std::string& layout,
                           const DrawingRequest& drawing,
                           DrawingResult* result) {
  for (const std::string* text : {&layout, &drawing.memory()}) {
    TESSERA_RETURN_IF_ERROR(CheckLimit("expression_bytes", "bytes",
                                       text->size(), options.expression_bytes));
  }
  TESSERA_ASSIGN_OR_RETURN(const std::vector<ThreadPanel> panels,
                           PanelsOf(drawing, layout));
  int64_t cells = 0;
  for (const ThreadPanel& panel : panels) {
    bool is_saturated = false;
    SaturatingAdd(
        std::max<int64_t>(0, CellsOf({0, panel.rows}, {0, panel.columns})),
        &cells, &is_saturated);
  }
  TESSERA_RETURN_IF_ERROR(
      CheckLimit("picture_cells", "cells", cells, options.picture_cells));
  ThreadPictureOptions style;
  TESSERA_ASSIGN_OR_RETURN(style.color, ColorOf(drawing));
  if (drawing.has_thread()) style.thread = drawing.thread();
  TESSERA_ASSIGN_OR_RETURN(const ThreadPicture picture,
                           MakeThreadPicture(panels, style));
  std::optional<int64_t> width;
  if (drawing.has_width()) width = drawing.width();
  result->set_svg(RenderSvg(picture, layout, width));
  return absl::OkStatus();
}

}  // namespace

absl::Status AnswerPicture(const ServiceOptions& options,
                           const PictureRequest& question,
                           PictureResult* result) {
  if (question.has_drawing()) {
    return InField("drawing",
                   AnswerDrawing(options, question.layout(), question.drawing(),
                                 result->mutable_drawing()));
  }
  const absl::StatusOr<MappedLayout> layout =
      ReadMappedLayout(question.layout(), ELEMENTS, options, question.target());
  if (!layout.ok()) return InField("layout", layout.status());

  // Determines the number of cells.
  PictureOptions asked = ToPictureOptions(*layout, question);
  asked.max_rows = 1;
  asked.max_columns = 1;
  TESSERA_ASSIGN_OR_RETURN(Picture picture, MakePicture(layout->map(), asked));

  asked.row_window = Clamp(question.row_window(), question.has_row_window(),
                           picture.rows.count);
  asked.column_window =
      Clamp(question.column_window(), question.has_column_window(),
            picture.columns.count);
  TESSERA_RETURN_IF_ERROR(CheckLimit(
      "picture_cells", "cells",
      CellsOf(*asked.row_window, *asked.column_window), options.picture_cells));
  if (question.has_memory()) {
    const absl::Status status =
        CheckLimit("picture_cells", "positions", question.memory().count(),
                   options.picture_cells);
    if (!status.ok()) return InField("memory", status);
    asked.memory =
        PictureRange{question.memory().first(), question.memory().count()};
  }
  TESSERA_ASSIGN_OR_RETURN(picture, MakePicture(layout->map(), asked));
  PictureWriter(*layout, picture, result).Write();
  return absl::OkStatus();
}

}  // namespace tessera
