// File: hlo/strict/shape_spelling.h
//
// Would XLA read this shape as it is spelt?
//
//   FindObjectionToSpelling("f32[8]{0:T(8)S(1)}");             // nullopt
//   FindObjectionToSpelling("f32[8]{0:S(1)T(8)}")->message;
//       // "T stands behind S; XLA reads D T L # * E S SC P M, in this
//       // order"
//
// The reader of shapes (parser/parser.h) takes more than XLA does: annotations
// in any order, angle brackets in place of braces, and, where it is lenient,
// upper-case types and `{}` behind any array.

#ifndef TESSERA_HLO_STRICT_SHAPE_SPELLING_H_
#define TESSERA_HLO_STRICT_SHAPE_SPELLING_H_

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/strict/hlo_objection.h"

namespace tessera {
namespace hlo_internal {

// Precondition: ParseShape reads `text` with the lenient option.
absl::optional<HloObjection> FindObjectionToSpelling(absl::string_view text);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_SHAPE_SPELLING_H_
