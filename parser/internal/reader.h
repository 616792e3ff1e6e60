// The grammar of shapes and layouts, one function per rule.
//
// A function reads its rule at the cursor and returns the cursor after it. If
// the text is at fault, it returns Cursor::Failed(), and status() has the
// reason. Cursors are passed by value so that the compiler can keep them in
// registers (base/text/cursor.h). Values are written to their final place at
// once, because a Shape is expensive to move.

#ifndef TESSERA_PARSER_INTERNAL_READER_H_
#define TESSERA_PARSER_INTERNAL_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tessera/base/text/cursor.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"
#include "tessera/layout/violation.h"
#include "tessera/parser/parse_options.h"
#include "tessera/shape/shape.h"

namespace tessera::parser_internal {

class Reader {
 public:
  // Both must outlive the reader.
  Reader(std::string_view text, const ParseOptions& options)
      : text_(text), options_(options) {}

  // Returns the cursor at the start of the text.
  Cursor start() const { return Cursor(text_); }
  // The error of the last function that returned Cursor::Failed().
  const absl::Status& status() const { return status_; }

  // `*shape` must be as default-constructed.
  Cursor ReadShape(Cursor cursor, Shape* shape);
  Cursor ReadProgramShape(Cursor cursor, ProgramShape* program);
  // Reads "{1,0:T(8,128)}", "{}", and layouts with P(shape). `*parts` must be
  // as default-constructed.
  Cursor ReadLayout(Cursor cursor, Layout::Parts* parts);
  Cursor ReadTile(Cursor cursor, Tile::Dimensions* tile);
  // Fails unless only white space and comments are left after `what`, such as
  // "the shape".
  Cursor ReadEnd(Cursor cursor, std::string_view what) {
    return cursor.AtEnd() ? cursor : FailNoEnd(cursor, what);
  }

  // Fails at the part of the text from `begin` to `end` that causes the
  // violation.
  Cursor FailInvalid(Cursor begin, Cursor end, const Violation& violation);

 private:
  // shape_grammar.cc. The place at which a shape is expected; it determines the
  // alternatives in messages.
  enum class ShapePlace { kOnlyShape, kFirstElement, kLaterElement };
  Cursor ReadTuple(Cursor cursor, Shape* shape);
  // Reads a shape other than a tuple, such as an array or a buffer.
  Cursor ReadLeafShape(Cursor cursor, ShapePlace place, Shape* shape);
  // Reads one that begins at `begin` with `name`. The cursor is after `name`.
  Cursor ReadUnusualLeafShape(Cursor begin, Cursor cursor,
                              std::string_view name, ShapePlace place,
                              Shape* shape);
  Cursor ReadToken(Cursor cursor, Shape token, Shape* shape);
  Cursor ReadBuffer(Cursor cursor, Shape* shape);
  // Reads the rest of an array that begins at `begin`, from its '[' on.
  Cursor ReadArray(Cursor begin, Cursor cursor, PrimitiveType element_type,
                   Shape* shape);
  Cursor CheckValid(Cursor begin, Cursor cursor, const Shape& array);
  // Adds to an array, whose text is from `begin` to the cursor, the layout that
  // ParseOptions::tpu_layouts requests.
  Cursor FillTpuLayout(Cursor begin, Cursor cursor, Shape* array);
  Cursor ReadParameter(Cursor cursor, ProgramShape* program);
  // Returns `name`, in lower case if the options ignore the case.
  std::string LowerCase(std::string_view name) const;
  std::optional<PrimitiveType> ElementType(std::string_view name) const;

  // layout_grammar.cc.
  enum class LayoutPlace { kInShape, kStandalone };
  // Reads the rest of a layout, including its closing bracket `closing`.
  Cursor ReadLayoutBody(Cursor cursor, char closing, LayoutPlace place,
                        Layout::Parts* parts);
  // These four are inlined into ReadLayoutBody, or into one another.
  inline Cursor ReadAnnotations(Cursor cursor, char closing, LayoutPlace place,
                                Layout::Parts* parts);
  inline Cursor ReadTiles(Cursor cursor, Layout::Tiles* tiles);
  inline Cursor ReadOneTile(Cursor cursor, Tile::Dimensions* tile);
  inline Cursor ReadInteger(Cursor cursor, std::string_view context,
                            int64_t* value);
  Cursor ReadSplitConfigs(Cursor cursor, std::vector<SplitConfig>* splits);
  Cursor ReadPhysicalShape(Cursor cursor, Layout::Parts* parts);
  Cursor ReadLevelTypes(Cursor cursor);
  Cursor ReadUnsignedType(Cursor cursor, std::string_view context,
                          PrimitiveType* type);

  // Each of these fails. They are separate functions, so that the functions for
  // rules stay small enough to be kept in registers.
  Cursor Fail(Cursor at, std::string_view message,
              absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  // Fails with "in tile: expected ')', found '}'" at the next token.
  Cursor FailExpected(Cursor cursor, std::string_view context,
                      std::string_view expected, std::string_view hint = "");
  // Like FailExpected, if the next token may be an integer past int64_t.
  Cursor FailNoInteger(Cursor cursor, std::string_view context,
                       std::string_view expected);
  Cursor FailNoShape(Cursor cursor, ShapePlace place);
  Cursor FailNoType(Cursor cursor, std::string_view context,
                    std::string_view expected);
  Cursor FailNoDimension(Cursor cursor, bool is_first);
  Cursor FailNoEnd(Cursor cursor, std::string_view what);
  Cursor FailNestedTooDeep(Cursor cursor);
  Cursor FailNegativeBound(Cursor cursor, int64_t bound);
  Cursor FailLayoutGoesOn(Cursor cursor, char closing,
                          std::string_view expected);
  Cursor FailGivenTwice(Cursor cursor, std::string_view annotation);

  const std::string_view text_;
  const ParseOptions& options_;
  absl::Status status_;
};

}  // namespace tessera::parser_internal

#endif  // TESSERA_PARSER_INTERNAL_READER_H_
