// Writes the values of a proto into HLO text: literals, numbers, and untrusted
// bytes such that they cannot be read as anything else.
//
//   hlo_proto::LiteralProto literal;
//   literal.mutable_shape()->set_element_type(S32);
//   literal.add_s32s(42);
//   LiteralText(literal.SerializeAsString(), literal.shape());   // "42"
//   IsHloWord("all-gather.1");         // true
//   ToHloWord("a, b");                 // "a__b"
//   std::string text;
//   AppendHloString("say \"hi\"", &text);
//   text;                              // "\"say \\\"hi\\\"\""
//   IsHloDictionary("{\"a\":{}}");     // true
//   IsHloDictionary("{}, b={");        // false

#ifndef TESSERA_HLO_PROTO_VALUE_TEXT_H_
#define TESSERA_HLO_PROTO_VALUE_TEXT_H_

#include <string>
#include <string_view>

#include "tessera/layout/layout.h"

namespace tessera::hlo_internal {

// Returns the text between the parentheses of constant(...) for a LiteralProto.
// `shape` is the valid shape of the constant. As in XLA's dumps, more than 10
// elements are printed as "{...}". So are literals of tuples, of complex types,
// of types with less than a byte, of floating-point types with 8 bits or less,
// and literals with another number of elements than the shape.
std::string LiteralText(std::string_view literal, const ShapeProto& shape);

// Returns the shortest decimal number that reads as `value`.
std::string ShortestText(float value);
std::string ShortestText(double value);

// Whether `text` is a name, an opcode or the value of an enum: a letter or '_',
// then letters, digits and "_.-".
bool IsHloWord(std::string_view text);

// Returns `text` with '_' for each byte that a word cannot have; "_" for "".
std::string ToHloWord(std::string_view text);

// Appends `text` in double quotes, with C's escapes.
void AppendHloString(std::string_view text, std::string* out);

// Whether `text` is one pair of braces, with others inside and strings closed:
// a value of backend_config that does not need quotes.
bool IsHloDictionary(std::string_view text);

}  // namespace tessera::hlo_internal

#endif  // TESSERA_HLO_PROTO_VALUE_TEXT_H_
