// File: service/utf8.h
//
// Responses are UTF-8 whatever the names in a request are made of: protocol
// buffers and JSON take nothing else.
//
//   IsUtf8("m\xC3\xA9tre");     // true
//   ToUtf8("caf\xE9");          // "caf\xEF\xBF\xBD": U+FFFD for the bad byte

#ifndef TESSERA_SERVICE_UTF8_H_
#define TESSERA_SERVICE_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace tessera {

// Whether `text` is UTF-8 as the Unicode standard has it: no surrogates, no
// overlong forms, nothing past U+10FFFF.
bool IsUtf8(absl::string_view text);

// Returns `text` with U+FFFD for every byte that is part of no character.
std::string ToUtf8(absl::string_view text);

// Does that to every string in `message`, down to messages within messages.
// Precondition: these are nested a bounded number of levels deep by their type.
void MakeUtf8(google::protobuf::Message* message);

}  // namespace tessera

#endif  // TESSERA_SERVICE_UTF8_H_
