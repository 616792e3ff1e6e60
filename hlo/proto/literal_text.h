// Prints a constant's LiteralProto as the text between the parentheses of
// constant(...).
//
//   hlo_proto::LiteralProto literal;
//   literal.mutable_shape()->set_element_type(S32);
//   literal.add_s32s(42);
//   LiteralText(literal.SerializeAsString(), literal.shape());   // "42"

#ifndef TESSERA_HLO_PROTO_LITERAL_TEXT_H_
#define TESSERA_HLO_PROTO_LITERAL_TEXT_H_

#include <string>
#include <string_view>

#include "tessera/layout/layout.h"

namespace tessera {
namespace hlo_internal {

// `shape` is the valid shape of the constant. As in XLA's dumps, more than 10
// elements are printed as "{...}". So are literals of tuples, of complex types,
// of types with less than a byte, of floating-point types with 8 bits or less,
// and literals with another number of elements than the shape.
std::string LiteralText(std::string_view literal, const ShapeProto& shape);

// Returns the shortest decimal number that reads as `value`.
std::string ShortestText(float value);
std::string ShortestText(double value);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_LITERAL_TEXT_H_
