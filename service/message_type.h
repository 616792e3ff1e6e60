// Keeps the facts about message types that every walk over messages needs.
//
// They are found once per thread, because reflection takes most of the time of
// a small answer.
//
//   const MessageType& type = TypeOf(message);
//   for (const MessageField& field : type.fields) ...

#ifndef TESSERA_SERVICE_MESSAGE_TYPE_H_
#define TESSERA_SERVICE_MESSAGE_TYPE_H_

#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace tessera {

struct MessageField {
  const google::protobuf::FieldDescriptor* field;
  google::protobuf::FieldDescriptor::CppType cpp_type;
  bool is_repeated;
  bool is_map;
  bool has_presence;
  bool is_in_oneof;       // other than that of an optional field
  bool may_hold_strings;  // itself, or in its messages
  std::string key;        // `"name":`, as JSON has it
};

struct MessageType {
  bool is_json_map;                  // IsJsonMap
  std::vector<MessageField> fields;  // by their numbers
};

// Precondition: the type is compiled into the program, and so outlives the
// thread.
const MessageType& TypeOf(const google::protobuf::Message& message);

}  // namespace tessera

#endif  // TESSERA_SERVICE_MESSAGE_TYPE_H_
