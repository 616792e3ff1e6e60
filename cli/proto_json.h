// File: cli/proto_json.h
//
// A protocol buffer message as JSON, with the message's own field names and
// every integer a number:
//
//   {"element_type":"F32","dimensions":[2,3],"layout":{"minor_to_major":[1,0]}}
//
// Protocol Buffers' own JSON, MessageToJsonString, writes 64-bit integers as
// strings.

#ifndef TESSERA_CLI_PROTO_JSON_H_
#define TESSERA_CLI_PROTO_JSON_H_

#include <string>

#include "google/protobuf/message.h"

namespace tessera {

// Fields that are at their default are left out. Does not recurse, however deep
// the message is nested.
//
// Precondition: every field is an integer, a bool, an enum or a message, or
// repeats one of these.
std::string ProtoToJson(const google::protobuf::Message& message);

}  // namespace tessera

#endif  // TESSERA_CLI_PROTO_JSON_H_
