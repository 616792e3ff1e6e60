// Converts responses to UTF-8, whatever bytes the names in a request have.
// Protocol Buffers and JSON require UTF-8.
//
//   IsUtf8("m\xC3\xA9tre");     // true
//   ToUtf8("caf\xE9");          // "caf\xEF\xBF\xBD": U+FFFD for the bad byte

#ifndef TESSERA_SERVICE_UTF8_H_
#define TESSERA_SERVICE_UTF8_H_

#include <string>
#include <string_view>

#include "google/protobuf/message.h"

namespace tessera {

// Returns whether `text` is UTF-8 as the Unicode standard defines it: no
// surrogates, no overlong forms, nothing above U+10FFFF.
bool IsUtf8(std::string_view text);

// Returns `text` with U+FFFD for every byte that is not part of a character.
std::string ToUtf8(std::string_view text);

// Applies ToUtf8 to every string in `message` and in the messages within it.
// Precondition: the type bounds the nesting of messages.
void MakeUtf8(google::protobuf::Message* message);

}  // namespace tessera

#endif  // TESSERA_SERVICE_UTF8_H_
