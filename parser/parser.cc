#include "tessera/parser/parser.h"

#include <utility>

#include "tessera/parser/reader.h"

namespace tessera {

absl::StatusOr<Shape> ParseShape(absl::string_view text,
                                 const ParseOptions& options) {
  absl::StatusOr<Shape> shape(absl::in_place);
  Reader reader(text, options);
  Cursor cursor = reader.ReadShape(reader.start(), &*shape);
  if (!cursor.failed()) cursor = reader.ReadEnd(cursor, "the shape");
  if (cursor.failed()) shape = reader.status();
  return shape;
}

absl::StatusOr<Shape> ConsumeShape(absl::string_view* text,
                                   const ParseOptions& options) {
  absl::StatusOr<Shape> shape(absl::in_place);
  Reader reader(*text, options);
  const Cursor cursor = reader.ReadShape(reader.start(), &*shape);
  if (cursor.failed()) {
    shape = reader.status();
  } else {
    text->remove_prefix(cursor.position() - reader.start().position());
  }
  return shape;
}

}  // namespace tessera
