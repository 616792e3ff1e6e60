// Writes untrusted bytes into HLO text such that they cannot be read as
// anything else.
//
//   IsHloWord("all-gather.1");         // true
//   ToHloWord("a, b");                 // "a__b"
//   std::string text;
//   AppendHloString("say \"hi\"", &text);
//   text;                              // "\"say \\\"hi\\\"\""
//   IsHloDictionary("{\"a\":{}}");     // true
//   IsHloDictionary("{}, b={");        // false

#ifndef TESSERA_HLO_PROTO_HLO_WORDS_H_
#define TESSERA_HLO_PROTO_HLO_WORDS_H_

#include <string>
#include <string_view>

namespace tessera {
namespace hlo_internal {

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

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_PROTO_HLO_WORDS_H_
