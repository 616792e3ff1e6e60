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

// `shape` is that of the constant, and valid. As in XLA's dumps more than 10
// elements are "{...}"; so are literals of tuples, of types of less than a byte
// or with an exponent of 8 bits or less, complex ones, and those whose elements
// are not as many as the shape says.
std::string LiteralText(std::string_view literal, const ShapeProto& shape);

// The shortest decimal number that reads as `value`.
std::string ShortestText(float value);
std::string ShortestText(double value);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_LITERAL_TEXT_H_
