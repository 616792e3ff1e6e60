#include "tessera/service/message_type.h"

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "tessera/service/json_map.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

bool IsStringOrMessage(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_STRING ||
         field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

// Returns whether a value may hold strings. Nested messages are assumed to.
bool MayHoldStrings(const FieldDescriptor& field) {
  const Descriptor* const type = field.message_type();
  if (type == nullptr) return IsStringOrMessage(field);
  for (int i = 0; i < type->field_count(); ++i) {
    if (IsStringOrMessage(*type->field(i))) return true;
  }
  return false;
}

MessageType Found(const Descriptor& type) {
  MessageType found;
  found.is_json_map = IsJsonMap(type);
  found.fields.reserve(type.field_count());
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    found.fields.push_back(
        {&field, field.cpp_type(), field.is_repeated(), field.is_map(),
         field.has_presence(), field.real_containing_oneof() != nullptr,
         MayHoldStrings(field), absl::StrCat("\"", field.name(), "\":")});
  }
  std::sort(found.fields.begin(), found.fields.end(),
            [](const MessageField& a, const MessageField& b) {
              return a.field->number() < b.field->number();
            });
  return found;
}

}  // namespace

const MessageType& TypeOf(const google::protobuf::Message& message) {
  thread_local absl::flat_hash_map<const Descriptor*,
                                   std::unique_ptr<const MessageType>>
      types;
  const Descriptor* const type = message.GetDescriptor();
  const auto place = types.find(type);
  if (place != types.end()) return *place->second;
  return *types.emplace(type, std::make_unique<MessageType>(Found(*type)))
              .first->second;
}

}  // namespace tessera
