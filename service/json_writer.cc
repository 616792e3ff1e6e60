// Messages to JSON.

#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "nlohmann/json.hpp"
#include "tessera/service/json.h"

namespace tessera {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// A message that is being written: which of its fields, which value of that.
struct Open {
  const Message* message;
  std::vector<const FieldDescriptor*> fields;
  size_t field = 0;
  int value = 0;
};

Open Begin(const Message& message) {
  Open open{&message, {}};
  message.GetReflection()->ListFields(message, &open.fields);
  return open;
}

// Value `i` of a repeated field, or the one of another.
template <typename Repeated, typename Single>
auto Get(const Message& message, const FieldDescriptor* field, int i,
         Repeated repeated, Single single) {
  const Reflection& reflection = *message.GetReflection();
  return field->is_repeated() ? (reflection.*repeated)(message, field, i)
                              : (reflection.*single)(message, field);
}

std::string Quoted(const std::string& text) {
  using Json = nlohmann::json;
  return Json(text).dump(/*indent=*/-1, /*indent_char=*/' ',
                         /*ensure_ascii=*/false,
                         Json::error_handler_t::replace);
}

void AppendScalar(const Message& message, const FieldDescriptor* field, int i,
                  std::string* out) {
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      absl::StrAppend(out, Get(message, field, i, &Reflection::GetRepeatedInt32,
                               &Reflection::GetInt32));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      absl::StrAppend(out, Get(message, field, i, &Reflection::GetRepeatedInt64,
                               &Reflection::GetInt64));
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      absl::StrAppend(out, Get(message, field, i, &Reflection::GetRepeatedBool,
                               &Reflection::GetBool)
                               ? "true"
                               : "false");
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      absl::StrAppend(out, "\"",
                      Get(message, field, i, &Reflection::GetRepeatedEnum,
                          &Reflection::GetEnum)
                          ->name(),
                      "\"");
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      absl::StrAppend(
          out, Quoted(Get(message, field, i, &Reflection::GetRepeatedString,
                          &Reflection::GetString)));
      break;
    default:
      break;
  }
}

}  // namespace

std::string ProtoToJson(const Message& message) {
  std::string out = "{";
  std::vector<Open> open = {Begin(message)};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.field == top.fields.size()) {
      out.push_back('}');
      open.pop_back();
      continue;
    }
    const Message& parent = *top.message;
    const Reflection& reflection = *parent.GetReflection();
    const FieldDescriptor* field = top.fields[top.field];
    const bool is_repeated = field->is_repeated();
    const int values = is_repeated ? reflection.FieldSize(parent, field) : 1;
    if (top.value == 0) {
      absl::StrAppend(&out, top.field > 0 ? ",\"" : "\"", field->name(),
                      is_repeated ? "\":[" : "\":");
    }
    if (top.value == values) {
      if (is_repeated) out.push_back(']');
      ++top.field;
      top.value = 0;
      continue;
    }
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      for (; top.value < values; ++top.value) {
        if (top.value > 0) out.push_back(',');
        AppendScalar(parent, field, top.value, &out);
      }
      continue;
    }
    const int value = top.value++;
    if (value > 0) out.push_back(',');
    out.push_back('{');
    // `top` is not valid beyond this.
    open.push_back(
        Begin(is_repeated ? reflection.GetRepeatedMessage(parent, field, value)
                          : reflection.GetMessage(parent, field)));
  }
  return out;
}

}  // namespace tessera
