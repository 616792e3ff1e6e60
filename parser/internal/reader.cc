#include "tessera/parser/internal/reader.h"

#include <cstdint>
#include <string_view>

#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/parser/internal/part_location.h"

namespace tessera::parser_internal {

Cursor Reader::Fail(Cursor at, std::string_view message,
                    absl::StatusCode code) {
  at.SkipBlanks();
  status_ =
      DiagnosticError(text_, at.position() - start().position(), message, code);
  return Cursor::Failed();
}

Cursor Reader::FailExpected(Cursor cursor, std::string_view context,
                            std::string_view expected, std::string_view hint) {
  return Fail(cursor, StrCat(context, ": expected ", expected, ", found ",
                             cursor.DescribeNextToken(),
                             hint.empty() ? "" : "; ", hint));
}

Cursor Reader::FailNoInteger(Cursor cursor, std::string_view context,
                             std::string_view expected) {
  const std::string_view token = cursor.NextToken();
  const bool is_integer =
      cursor.AtInteger() &&
      token.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!is_integer) return FailExpected(cursor, context, expected);
  return Fail(cursor, StrCat(context, ": ", cursor.DescribeNextToken(),
                             token[0] == '-'
                                 ? " is below the limit -9223372036854775808"
                                 : " is above the limit 9223372036854775807"));
}

Cursor Reader::FailNoEnd(Cursor cursor, std::string_view what) {
  std::string_view hint;
  Cursor inside = cursor;
  if (inside.Take('{')) {
    if (inside.Take('}') && !options_.lenient) {
      hint = "{} after an array is read only with the lenient option";
    } else if (inside.AtInteger() || inside.Take(':')) {
      hint = "only an array has a layout, and only one";
    } else {
      hint = "a layout begins with a dimension number or ':'";
    }
  }
  return FailExpected(cursor, StrCat("after ", what), "end of text", hint);
}

Cursor Reader::FailInvalid(Cursor begin, Cursor end,
                           const Violation& violation) {
  const std::string_view read(begin.position(),
                              end.position() - begin.position());
  const int64_t place = PartLocation(read, violation);
  return Fail(
      Cursor(text_.substr(begin.position() - start().position() + place)),
      violation.message);
}

}  // namespace tessera::parser_internal
