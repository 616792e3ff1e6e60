// Converts a protocol buffer message to JSON and back. Fields have the
// message's own names, enums are names, and every integer is a number. Reads
// all of proto3's JSON, and writes it if asked to:
//
//   ProtoToJson(shape_proto);
//   // {"element_type":"F32","dimensions":[2,3]}
//   ProtoToJson(linearize_result, JsonFields::kAll);   // {"linear_indices":[]}
//   ProtoToJson(linearize_result, JsonFields::kProto3);   // 64 bits as strings
//   ShapeProto read;
//   JsonToProto(R"({"dimensions":[9223372036854775807]})", &read);   // OK
//   JsonToProto(R"({"dimensions":[2,"three"]})", &read);
//   // 1:18: dimensions[1]: 'three' is not an integer
//
// Protocol Buffers' own reader also accepts kPresent and kAll, with one
// exception: a message whose only field is a map is written as that map. Unlike
// these functions, those of Protocol Buffers recurse, and their errors do not
// have a place.

#ifndef TESSERA_SERVICE_JSON_H_
#define TESSERA_SERVICE_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "google/protobuf/message.h"

namespace tessera {

// Messages nested deeper than this are not read.
inline constexpr int kJsonNestingLimit = 100;

struct JsonLimits {
  // The most messages in a text, at any depth. Two bytes of text may become a
  // message of a hundred bytes.
  int64_t json_messages = int64_t{1} << 20;
};

enum class JsonFields {
  // Omits fields that have their default value, as the proto3 text format does.
  kPresent,
  // Writes every field, so that the reader of an answer need not know the
  // defaults: 0, false, "" and [] too, and null for an optional field or a
  // message that is absent. Of a oneof, writes only the member that is set.
  kAll,
  // Writes what Protocol Buffers' own reader accepts: 64-bit integers as
  // strings, and a message whose only field is a map as an object with that
  // field. Omits optional fields and messages that are absent, and writes all
  // others.
  kProto3,
};

// Returns the message as JSON on one line. A map is an object whose keys are
// sorted, integers by value; a message whose only field is a map is written as
// that map, except by kProto3. Does not recurse, however deep the message is
// nested. Replaces bytes of strings that are not UTF-8 as ToUtf8 does
// (service/utf8.h).
//
// Precondition: every field is an integer, a double, a bool, an enum, a string
// or a message, a repeated one of these, or a map from strings or int64 to one
// of these.
std::string ProtoToJson(const google::protobuf::Message& message,
                        JsonFields fields = JsonFields::kPresent);

// Reads a whole text into `message`, which must be empty.
//
// Accepts what proto3's JSON mapping does: field names in lowerCamelCase, too;
// integers as strings, and with a fraction of zeros or an exponent; fractions
// as strings, with NaN, Infinity and -Infinity; enums by number; and null for
// every field, which leaves it at its default, but not for an entry of a list
// or map.
//
// Precondition: maps are from int64 to messages.
//
// Errors, with their place and the path of the field: kInvalidArgument for text
// that is not JSON or not UTF-8, for a field that the message does not have or
// that is given twice, for a second member of a oneof and for a value of
// another type; kOutOfRange for an integer that does not fit its field;
// kResourceExhausted if kJsonNestingLimit or a given limit is exceeded, with
// its name. The fields before the error have been read.
absl::Status JsonToProto(std::string_view json,
                         google::protobuf::Message* message,
                         const JsonLimits& limits = {});

}  // namespace tessera

#endif  // TESSERA_SERVICE_JSON_H_
