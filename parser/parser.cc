#include "tessera/parser/parser.h"

#include <optional>
#include <string_view>
#include <utility>

#include "tessera/base/text/cursor.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/layout/violation.h"
#include "tessera/parser/internal/reader.h"

namespace tessera {

absl::StatusOr<Shape> ParseShape(std::string_view text,
                                 const ParseOptions& options) {
  // Read into place: a Shape is expensive to move.
  absl::StatusOr<Shape> shape(absl::in_place);
  parser_internal::Reader reader(text, options);
  Cursor cursor = reader.ReadShape(reader.start(), &*shape);
  if (!cursor.failed()) cursor = reader.ReadEnd(cursor, "the shape");
  if (cursor.failed()) shape = reader.status();
  return shape;
}

absl::StatusOr<Shape> ConsumeShape(std::string_view* text,
                                   const ParseOptions& options) {
  absl::StatusOr<Shape> shape(absl::in_place);
  parser_internal::Reader reader(*text, options);
  const Cursor cursor = reader.ReadShape(reader.start(), &*shape);
  if (cursor.failed()) {
    shape = reader.status();
  } else {
    text->remove_prefix(cursor.position() - reader.start().position());
  }
  return shape;
}

absl::StatusOr<Layout> ParseLayout(std::string_view text,
                                   const ParseOptions& options) {
  parser_internal::Reader reader(text, options);
  Layout::Parts parts;
  Cursor cursor = reader.ReadLayout(reader.start(), &parts);
  if (!cursor.failed()) cursor = reader.ReadEnd(cursor, "the layout");
  if (cursor.failed()) return reader.status();
  Layout layout(std::move(parts));
  if (const std::optional<Violation> violation = FindLayoutViolation(layout)) {
    reader.FailInvalid(reader.start(), cursor, *violation);
    return reader.status();
  }
  return layout;
}

absl::StatusOr<Tile> ParseTile(std::string_view text) {
  const ParseOptions options;
  parser_internal::Reader reader(text, options);
  Tile::Dimensions dimensions;
  Cursor cursor = reader.ReadTile(reader.start(), &dimensions);
  if (!cursor.failed()) cursor = reader.ReadEnd(cursor, "the tile");
  if (cursor.failed()) return reader.status();
  Tile tile(std::move(dimensions));
  if (const std::optional<Violation> violation =
          FindLayoutViolation(Layout().WithTiles({tile}))) {
    reader.FailInvalid(reader.start(), cursor, *violation);
    return reader.status();
  }
  return tile;
}

absl::StatusOr<ProgramShape> ParseProgramShape(std::string_view text,
                                               const ParseOptions& options) {
  absl::StatusOr<ProgramShape> program(absl::in_place);
  parser_internal::Reader reader(text, options);
  Cursor cursor = reader.ReadProgramShape(reader.start(), &*program);
  if (!cursor.failed()) cursor = reader.ReadEnd(cursor, "the program shape");
  if (cursor.failed()) program = reader.status();
  return program;
}

}  // namespace tessera
