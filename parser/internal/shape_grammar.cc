// The rules for shapes: arrays, tuples, buffers, tokens, program shapes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/foreign_type_name.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/parser/internal/reader.h"
#include "tessera/shape/array_builder.h"
#include "tessera/shape/tpu_layout.h"
#include "tessera/shape/validate_shape.h"

namespace tessera::parser_internal {
namespace {

// Moves past the bracket that opens a layout and returns the one that closes
// it, or '\0' if none opens here.
inline char TakeOpeningBracket(Cursor* cursor) {
  if (cursor->Take('{')) return '}';
  if (cursor->Take('<')) return '>';
  return '\0';
}

// Returns whether the opening bracket before the cursor opens a layout.
// Otherwise it may belong to the text around a shape, such as the body of a
// computation.
inline bool AtLayoutBody(Cursor cursor) {
  return cursor.AtInteger() || cursor.Take(':');
}

}  // namespace

Cursor Reader::ReadShape(Cursor cursor, Shape* shape) {
  if (Cursor(cursor).Take('(')) return ReadTuple(cursor, shape);
  return ReadLeafShape(cursor, ShapePlace::kOnlyShape, shape);
}

Cursor Reader::ReadTuple(Cursor cursor, Shape* shape) {
  // The elements of every open tuple, the outermost first, and for each such
  // tuple the beginning of its own elements.
  std::vector<Shape> elements;
  elements.reserve(8);
  absl::InlinedVector<size_t, 8> begins;
  const auto close_innermost = [&elements, &begins] {
    const auto begin = elements.begin() + begins.back();
    Shape tuple = Shape::Tuple(
        std::vector<Shape>(std::make_move_iterator(begin),
                           std::make_move_iterator(elements.end())));
    elements.erase(begin, elements.end());
    elements.push_back(std::move(tuple));
    begins.pop_back();
  };
  ShapePlace place = ShapePlace::kFirstElement;
  do {
    const Cursor begin = cursor;
    if (cursor.Take('(')) {
      if (static_cast<int64_t>(begins.size()) >= options_.nesting_limit) {
        return FailNestedTooDeep(begin);
      }
      begins.push_back(elements.size());
      place = ShapePlace::kFirstElement;
      if (!cursor.Take(')')) continue;
      close_innermost();
    } else {
      elements.emplace_back();
      cursor = ReadLeafShape(cursor, place, &elements.back());
      if (cursor.failed()) return cursor;
    }
    place = ShapePlace::kLaterElement;
    while (!begins.empty() && cursor.Take(')')) close_innermost();
    if (!begins.empty() && !cursor.Take(',')) {
      return FailExpected(cursor, "in tuple", "',' or ')'");
    }
  } while (!begins.empty());
  *shape = std::move(elements.front());
  return cursor;
}

Cursor Reader::ReadLeafShape(Cursor cursor, ShapePlace place, Shape* shape) {
  cursor.SkipBlanks();
  const Cursor begin = cursor;
  const std::string_view name = cursor.TakeIdentifier();
  const std::optional<PrimitiveType> type = PrimitiveTypeFromName(name);
  if (ABSL_PREDICT_TRUE(type.has_value())) {
    return ReadArray(begin, cursor, *type, shape);
  }
  return ReadUnusualLeafShape(begin, cursor, name, place, shape);
}

Cursor Reader::ReadUnusualLeafShape(Cursor begin, Cursor cursor,
                                    std::string_view name, ShapePlace place,
                                    Shape* shape) {
  if (name == "b") return ReadBuffer(cursor, shape);
  const std::string lower_case_name = LowerCase(name);
  if (lower_case_name == "token") {
    return ReadToken(cursor, Shape::Token(), shape);
  }
  if (lower_case_name == "opaque") {
    return ReadToken(cursor, Shape::Opaque(), shape);
  }
  if (const std::optional<PrimitiveType> type = ElementType(name)) {
    return ReadArray(begin, cursor, *type, shape);
  }
  return FailNoShape(begin, place);
}

std::string Reader::LowerCase(std::string_view name) const {
  std::string lower_case_name(name);
  // All letters or none: Bf16 is unchanged, and so does not name a type.
  if ((options_.lenient || options_.upper_case_types) &&
      std::none_of(name.begin(), name.end(), absl::ascii_islower)) {
    absl::AsciiStrToLower(&lower_case_name);
  }
  return lower_case_name;
}

std::optional<PrimitiveType> Reader::ElementType(std::string_view name) const {
  return PrimitiveTypeFromName(LowerCase(name));
}

Cursor Reader::ReadToken(Cursor cursor, Shape token, Shape* shape) {
  if (!cursor.Take('[')) return FailExpected(cursor, "in shape", "'['");
  if (!cursor.Take(']')) return FailExpected(cursor, "in shape", "']'");
  Cursor inside = cursor;
  if (TakeOpeningBracket(&inside) != '\0' && AtLayoutBody(inside)) {
    return Fail(cursor,
                absl::StrCat("in shape: ", token.ToString(), " has no layout"));
  }
  *shape = std::move(token);
  return cursor;
}

Cursor Reader::ReadBuffer(Cursor cursor, Shape* shape) {
  constexpr std::string_view kContext = "in buffer";
  if (!cursor.Take('(')) return FailExpected(cursor, kContext, "'('");
  cursor.SkipBlanks();
  const Cursor begin = cursor;
  const std::optional<PrimitiveType> type =
      ElementType(cursor.TakeIdentifier());
  if (!type.has_value()) return FailNoType(begin, kContext, "an array");
  Shape array;
  cursor = ReadArray(begin, cursor, *type, &array);
  if (cursor.failed()) return cursor;
  if (!cursor.Take(')')) return FailExpected(cursor, kContext, "')'");
  *shape = Shape::Buffer(std::move(array));
  return cursor;
}

Cursor Reader::ReadArray(Cursor begin, Cursor cursor,
                         PrimitiveType element_type, Shape* shape) {
  ArrayBuilder builder(element_type, shape);
  if (!cursor.Take('[')) return FailExpected(cursor, "in shape", "'['");
  if (!cursor.Take(']')) {
    do {
      int64_t size;
      if (ABSL_PREDICT_TRUE(cursor.TakeInteger(&size))) {
        builder.AddDimension(size);
      } else if (cursor.TakePair('<', '=')) {
        const Cursor bound = cursor;
        if (!cursor.TakeInteger(&size)) {
          return FailNoInteger(cursor, "in dimensions", "a bound after '<='");
        }
        // The least int64_t would be taken for kUnboundedSize.
        if (size < 0) return FailNegativeBound(bound, size);
        builder.AddDynamicDimension(size);
      } else if (cursor.Take('?')) {
        builder.AddDynamicDimension(Shape::kUnboundedSize);
      } else {
        return FailNoDimension(cursor, shape->rank() == 0);
      }
    } while (cursor.Take(','));
    if (!cursor.Take(']')) {
      return FailExpected(cursor, "in dimensions", "',' or ']'");
    }
  }

  Cursor inside = cursor;
  const char closing = TakeOpeningBracket(&inside);
  if (closing != '\0' && AtLayoutBody(inside)) {
    cursor = ReadLayoutBody(inside, closing, LayoutPlace::kInShape,
                            builder.AddLayout());
    if (cursor.failed()) return cursor;
  } else {
    if (closing != '\0' && options_.lenient && inside.Take(closing)) {
      cursor = inside;
    }
    if (options_.fill_missing_layouts && !options_.tpu_layouts) {
      builder.AddDefaultLayout();
    }
  }
  if (ABSL_PREDICT_FALSE(options_.tpu_layouts)) {
    return FillTpuLayout(begin, cursor, shape);
  }
  if (ABSL_PREDICT_TRUE(
          shape->has_layout() &&
          IsPlainlyValid(shape->layout(), element_type, shape->dimensions()))) {
    return cursor;
  }
  return CheckValid(begin, cursor, *shape);
}

Cursor Reader::CheckValid(Cursor begin, Cursor cursor, const Shape& array) {
  const std::optional<Violation> violation = FindShapeViolation(array);
  if (!violation.has_value()) return cursor;
  return FailInvalid(begin, cursor, *violation);
}

Cursor Reader::FillTpuLayout(Cursor begin, Cursor cursor, Shape* array) {
  cursor = CheckValid(begin, cursor, *array);
  if (cursor.failed()) return cursor;
  absl::StatusOr<Shape> filled = WithTpuLayouts(*array);
  if (!filled.ok()) {
    return Fail(begin, StdView(filled.status().message()),
                filled.status().code());
  }
  *array = *std::move(filled);
  return cursor;
}

Cursor Reader::ReadProgramShape(Cursor cursor, ProgramShape* program) {
  constexpr std::string_view kContext = "in program shape";
  if (!cursor.Take('(')) return FailExpected(cursor, kContext, "'('");
  if (!cursor.Take(')')) {
    do {
      cursor = ReadParameter(cursor, program);
      if (cursor.failed()) return cursor;
    } while (cursor.Take(','));
    if (!cursor.Take(')')) return FailExpected(cursor, kContext, "',' or ')'");
  }
  if (!cursor.TakePair('-', '>')) {
    return FailExpected(cursor, kContext, "'->'");
  }
  return ReadShape(cursor, &program->result);
}

Cursor Reader::ReadParameter(Cursor cursor, ProgramShape* program) {
  constexpr std::string_view kContext = "in program shape";
  const Cursor begin = cursor;
  const bool has_percent = cursor.Take('%');
  const char* after_percent = cursor.position();
  const std::string_view name = cursor.TakeIdentifier();
  if (name.empty() || (has_percent && name.data() != after_percent)) {
    return FailExpected(begin, kContext, "a parameter name");
  }
  if (!cursor.Take(':')) return FailExpected(cursor, kContext, "':'");
  program->parameter_names.emplace_back(name);
  program->parameters.emplace_back();
  return ReadShape(cursor, &program->parameters.back());
}

Cursor Reader::FailNestedTooDeep(Cursor cursor) {
  return Fail(cursor,
              absl::StrCat("in tuple: nested deeper than the limit of ",
                           options_.nesting_limit),
              absl::StatusCode::kResourceExhausted);
}

Cursor Reader::FailNegativeBound(Cursor cursor, int64_t bound) {
  return Fail(cursor,
              absl::StrCat("in dimensions: the bound ", bound, " is negative"));
}

Cursor Reader::FailNoDimension(Cursor cursor, bool is_first) {
  return FailNoInteger(
      cursor, "in dimensions",
      is_first ? "a size, '?', '<=' or ']'" : "a size, '?' or '<='");
}

Cursor Reader::FailNoShape(Cursor cursor, ShapePlace place) {
  switch (place) {
    case ShapePlace::kFirstElement:
      return FailNoType(cursor, "in tuple", "a type, '(' or ')'");
    case ShapePlace::kLaterElement:
      return FailNoType(cursor, "in tuple", "a type or '('");
    case ShapePlace::kOnlyShape:
      break;
  }
  return FailNoType(cursor, "in shape", "a type or '('");
}

Cursor Reader::FailNoType(Cursor cursor, std::string_view context,
                          std::string_view expected) {
  const std::string name =
      absl::AsciiStrToLower(AbslView(Cursor(cursor).TakeIdentifier()));
  std::string hint;
  if (PrimitiveTypeFromName(name).has_value()) {
    hint = "type names are lower case";
  } else if (const auto type = PrimitiveTypeFromForeignName(name)) {
    hint = StrCat("XLA calls it ", PrimitiveTypeName(*type));
  }
  return FailExpected(cursor, context, expected, hint);
}

}  // namespace tessera::parser_internal
