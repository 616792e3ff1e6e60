// File: cli/message_line.h
//
// A message of the service as `--format=json` prints it.
//
//   LinearizeResult result;
//   result.add_linear_indices(17);
//   MessageLine(&result);  // "{\"linear_indices\":[17]}\n"

#ifndef TESSERA_CLI_MESSAGE_LINE_H_
#define TESSERA_CLI_MESSAGE_LINE_H_

#include <string>

#include "google/protobuf/message.h"
#include "tessera/service/json.h"
#include "tessera/service/utf8.h"

namespace tessera {

// Returns the line that the service sends over every transport. Makes strings
// UTF-8 as LayoutService::Answer does.
inline std::string MessageLine(google::protobuf::Message* message) {
  MakeUtf8(message);
  return ProtoToJson(*message, JsonFields::kAll) + "\n";
}

}  // namespace tessera

#endif  // TESSERA_CLI_MESSAGE_LINE_H_
