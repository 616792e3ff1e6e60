// Checks the literal of a constant against its shape.
//
//   const Shape shape = *ParseShape("u8[2]");
//   FindObjectionToLiteral("{1, 2}", shape);              // nullopt
//   FindObjectionToLiteral("{1, 2, 3}", shape)->message;
//       // "the array has 2 elements, but the literal gives more"
//   FindObjectionToLiteral("{1, 300}", shape)->message;
//       // "300 does not fit into u8"
//   FindObjectionToLiteral("{...}", shape);               // nullopt: left out
//
// The rules are those of xla/hlo/parser/hlo_parser.cc (ParseLiteral), including
// everything that they accept: commas anywhere in an array, one number for a
// whole array, no elements for a whole tuple.

#ifndef TESSERA_HLO_STRICT_LITERAL_RULES_H_
#define TESSERA_HLO_STRICT_LITERAL_RULES_H_

#include <optional>
#include <string_view>

#include "tessera/hlo/strict/hlo_objection.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {

// `literal` is the text between the parentheses of `constant(...)`. Takes time
// linear in the literal, independent of the size of the shape.
std::optional<HloObjection> FindObjectionToLiteral(std::string_view literal,
                                                   const Shape& shape);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_LITERAL_RULES_H_
