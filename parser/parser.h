// Reads the text of shapes, layouts, tiles and program shapes as XLA prints it.
//
//   absl::StatusOr<Shape> shape =
//       ParseShape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}");
//   shape->ToString();
//       // "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}"
//
// In addition to the texts of XLA's own parser, this one reads angle brackets
// in place of a layout's braces, annotations in any order, and the texts that
// parser/parse_options.h allows. It rejects everything that the validator
// refuses, where XLA's parser accepts it, wraps it or aborts. Both kinds of
// comment, /*...*/ and //..., and white space may appear between any two
// tokens. The rules are those of xla/hlo/parser (hlo_lexer.cc, hlo_parser.cc).
//
// Errors are kInvalidArgument, or kResourceExhausted for nesting beyond the
// limit; each carries a Diagnostic (base/text/diagnostic.h). Text is read in
// one pass, and a second time only to find the part that breaks a rule. Nothing
// recurses on the machine stack, and allocations are in proportion to the
// length of the text.

#ifndef TESSERA_PARSER_PARSER_H_
#define TESSERA_PARSER_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"
#include "tessera/parser/parse_options.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Reads a whole text as one shape; only white space and comments may follow.
// The result is valid (ValidateShape).
absl::StatusOr<Shape> ParseShape(std::string_view text,
                                 const ParseOptions& options = {});

// Reads the longest shape at the start of `*text` and advances `*text` past it,
// for readers of larger texts. On failure `*text` is unchanged, and the
// diagnostic counts lines and columns from its start.
absl::StatusOr<Shape> ConsumeShape(std::string_view* text,
                                   const ParseOptions& options = {});

// Reads a whole text as a layout with its brackets: "{1,0:T(8,128)}", "{}",
// and, here only, P(shape). Since the dimensions are unknown, only rules that
// need none are checked (FindLayoutViolation with one argument).
absl::StatusOr<Layout> ParseLayout(std::string_view text,
                                   const ParseOptions& options = {});

// Reads "(8,128)" or "(*,2)". The result is valid in a layout.
absl::StatusOr<Tile> ParseTile(std::string_view text);

// Reads "(x: f32[2], %y: s32[]) -> f32[2]", with or without layouts. A '%' does
// not become part of the name. Parameters without a name are an error.
absl::StatusOr<ProgramShape> ParseProgramShape(
    std::string_view text, const ParseOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_PARSER_PARSER_H_
