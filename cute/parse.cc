#include "tessera/cute/parse.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "tessera/cute/internal/term_reader.h"

namespace tessera::cute {
namespace {

bool ReadWholeLayout(TermReader* reader, Layout* layout) {
  if (!reader->ReadNested()) return false;
  absl::StatusOr<Layout> read =
      reader->TakeLayoutOrShape(/*allow_bare_shape=*/false);
  if (!read.ok()) return false;
  *layout = *std::move(read);
  return true;
}

bool ReadOuter(TermReader* reader, ComposedLayout::Outer* outer) {
  if (reader->AtSwizzle()) {
    Swizzle swizzle;
    if (!reader->ReadSwizzle(&swizzle)) return false;
    *outer = swizzle;
    return true;
  }
  Layout layout;
  if (!ReadWholeLayout(reader, &layout)) return false;
  *outer = std::move(layout);
  return true;
}

bool ReadComposed(TermReader* reader, ComposedLayout* composed) {
  ComposedLayout::Outer outer;
  int64_t offset;
  Layout layout;
  // ComposedLayout<Swizzle<2,0,3>,_0,Layout<...>>{} has commas in place of the
  // signs.
  const char close = reader->TakeComposedWord();
  const auto take_sign = [&] {
    return close == '\0'
               ? reader->TakeCompositionSign() || reader->FailExpected("'o'")
               : reader->TakeMark(',') || reader->FailExpected("','");
  };
  if (!ReadOuter(reader, &outer) || !take_sign() ||
      !reader->ReadOffset(&offset) || !take_sign() ||
      !ReadWholeLayout(reader, &layout)) {
    return false;
  }
  if (close != '\0' && !reader->TakeMark(close)) {
    return reader->FailExpected(close == '>' ? "'>'" : "')'");
  }
  *composed = ComposedLayout(std::move(outer), offset, std::move(layout));
  return true;
}

}  // namespace

absl::StatusOr<IntTuple> ParseIntTuple(std::string_view text) {
  TermReader reader(text, 0);
  if (!reader.ReadNested() || !reader.ReadEnd("int tuple")) {
    return reader.status();
  }
  if (!reader.is_int_tuple()) {
    reader.Fail(text.data(), "expected an int tuple, found a layout or tiler");
    return reader.status();
  }
  return reader.TakeIntTuple();
}

absl::StatusOr<Layout> ParseLayout(std::string_view text,
                                   const ParseOptions& options) {
  TermReader reader(text, 0);
  if (!reader.ReadNested()) return reader.status();
  const bool is_complete = reader.is_layout() || options.allow_bare_shape;
  if (is_complete && !reader.ReadEnd("layout")) return reader.status();
  return reader.TakeLayoutOrShape(options.allow_bare_shape);
}

absl::StatusOr<Tiler> ParseTiler(std::string_view text) {
  TermReader reader(text, 0);
  Tiler tiler;
  if (!reader.ReadNested() || !reader.ReadEnd("tiler") ||
      !reader.TakeTiler(&tiler)) {
    return reader.status();
  }
  return tiler;
}

absl::StatusOr<Swizzle> ParseSwizzle(std::string_view text) {
  TermReader reader(text, 0);
  Swizzle swizzle;
  if (!reader.AtSwizzle()) {
    reader.FailExpected("a swizzle such as Sw<2,0,3>");
    return reader.status();
  }
  if (!reader.ReadSwizzle(&swizzle) || !reader.ReadEnd("swizzle")) {
    return reader.status();
  }
  return swizzle;
}

absl::StatusOr<ComposedLayout> ParseComposedLayout(std::string_view text) {
  TermReader reader(text, 0);
  ComposedLayout composed;
  if (!ReadComposed(&reader, &composed) || !reader.ReadEnd("layout")) {
    return reader.status();
  }
  return composed;
}

absl::StatusOr<Term> ReadTerm(std::string_view text, size_t* position,
                              bool* stopped_at_expression) {
  TermReader reader(text, std::min(*position, text.size()));
  const auto refuse = [&] {
    if (stopped_at_expression != nullptr) {
      *stopped_at_expression = reader.stopped_at_expression();
    }
    return reader.status();
  };
  absl::StatusOr<Term> term{Term()};
  if (reader.AtSwizzle()) {
    Swizzle swizzle;
    if (!reader.ReadSwizzle(&swizzle)) return refuse();
    *term = swizzle;
  } else {
    if (!reader.ReadNested()) return refuse();
    if (reader.is_layout()) {
      *term = *reader.TakeLayout();
    } else if (reader.is_int_tuple()) {
      *term = reader.TakeIntTuple();
    } else {
      Tiler tiler;
      if (!reader.TakeTiler(&tiler)) return refuse();
      *term = std::move(tiler);
    }
  }
  *position = reader.position() - text.data();
  return term;
}

absl::StatusOr<Layout> ReadBasis(std::string_view text, size_t* position) {
  TermReader reader(text, std::min(*position, text.size()));
  if (!reader.ReadBasis()) return reader.status();
  *position = reader.position() - text.data();
  return reader.TakeLayout();
}

}  // namespace tessera::cute
