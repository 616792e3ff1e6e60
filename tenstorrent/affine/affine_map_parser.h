// Reads MLIR's text of affine maps.
//
//   ParseAffineMap("(d0, d1) -> (d0 * 32 + d1, d1 floordiv 8)")->ToString();
//       // "(d0, d1) -> (d0 * 32 + d1, d1 floordiv 8)"
//   ParseAffineMap("(i,j)[N]->(N*i-(j mod 4),-1)")->ToString();
//       // "(d0, d1)[s0] -> (d0 * s0 - d1 mod 4, -1)": free names, no blanks
//   ParseAffineMap("affine_map<(d0) -> (d0)>")->ToString();
//       // "(d0) -> (d0)": an attribute
//   ParseAffineMap("() -> ()")->ToString();
//       // "() -> ()": no results
//
//   const std::string_view text = "#tt.metal_layout<(d0) -> (d0), undef>";
//   size_t position = 17;
//   ReadAffineMap(text, &position)->is_identity();   // true
//   position;                                        // 29, at the comma
//
// The grammar:
//
//   map        = '(' [names] ')' ['[' [names] ']'] '->' '(' [expressions] ')'
//   expression = expression ('+' | '-') product | product
//   product    = product ('*' | 'floordiv' | 'ceildiv' | 'mod') operand
//              | operand
//   operand    = '-' operand | '(' expression ')' | name | number
//
// as in mlir/lib/AsmParser/AffineParser.cpp: `-i floordiv 2` divides -i. A name
// is any bare identifier, including mod and floordiv; a number is decimal, or
// hexadecimal after 0x. Comments (/*...*/ and //...) are white space. The
// operations are those of affine_operations.h, so a constant divisor below 1 is
// an error here, where MLIR accepts it.
//
// An error carries a Diagnostic (base/text/diagnostic.h) that points at the
// place: kInvalidArgument; kOutOfRange for a number past 2^63-1, read or
// computed; kResourceExhausted for a map that is larger than AffineMap allows,
// or has more than AffineExpression::kMaxNodes names, numbers and operations in
// its text. One pass; no recursion, however deep the nesting.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_MAP_PARSER_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_MAP_PARSER_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/affine/affine_map.h"

namespace tessera::tenstorrent {

// Reads a whole text; only white space and comments may follow the map.
absl::StatusOr<AffineMap> ParseAffineMap(std::string_view text);

// Reads the map that begins at byte `*position` of `text`, and moves
// `*position` past it. On failure `*position` is unchanged, and the diagnostic
// counts from the start of `text`. Precondition: *position <= text.size().
absl::StatusOr<AffineMap> ReadAffineMap(std::string_view text,
                                        size_t* position);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_MAP_PARSER_H_
