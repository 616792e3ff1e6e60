// Messages to JSON.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/reflection.h"
#include "nlohmann/json.hpp"
#include "tessera/service/json.h"
#include "tessera/service/json_map.h"
#include "tessera/service/utf8.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// The entries of a map by their keys, integers by their value.
std::vector<const Message*> SortedEntries(const Message& message,
                                          const FieldDescriptor* field) {
  const Reflection& reflection = *message.GetReflection();
  const FieldDescriptor* const key = field->message_type()->map_key();
  std::vector<const Message*> entries;
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    entries.push_back(&reflection.GetRepeatedMessage(message, field, i));
  }
  const auto sort = [&](auto get) {
    std::sort(entries.begin(), entries.end(),
              [&](const Message* a, const Message* b) {
                const Reflection& reflection = *a->GetReflection();
                return (reflection.*get)(*a, key) < (reflection.*get)(*b, key);
              });
  };
  if (key->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
    sort(&Reflection::GetInt64);
  } else {
    sort(&Reflection::GetString);
  }
  return entries;
}

// A message or a map that is being written: which of its fields or entries,
// which value of that.
struct Open {
  explicit Open(const Message* message)
      : message(message), reflection(message->GetReflection()) {}

  const Message* message;
  const Reflection* reflection;  // looking it up takes longer than using it
  std::vector<const FieldDescriptor*> fields;  // of a message
  bool is_map = false;
  std::vector<const Message*> entries;  // of a map
  size_t field = 0;
  int value = 0;
};

Open BeginMap(const Message& message, const FieldDescriptor* field) {
  Open open(&message);
  open.is_map = true;
  open.entries = SortedEntries(message, field);
  return open;
}

Open Begin(const Message& message, JsonFields fields) {
  const Descriptor& type = *message.GetDescriptor();
  if (fields != JsonFields::kProto3 && IsJsonMap(type)) {
    return BeginMap(message, type.field(0));
  }
  Open open(&message);
  if (fields == JsonFields::kPresent) {
    open.reflection->ListFields(message, &open.fields);
    return open;
  }
  open.fields.reserve(type.field_count());
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor* const field = type.field(i);
    const bool is_left_out_if_absent =
        fields == JsonFields::kProto3
            ? field->has_presence()
            : field->real_containing_oneof() != nullptr;
    if (is_left_out_if_absent && !open.reflection->HasField(message, field)) {
      continue;
    }
    open.fields.push_back(field);
  }
  const auto is_before = [](const FieldDescriptor* a,
                            const FieldDescriptor* b) {
    return a->number() < b->number();
  };
  // Nearly always they are declared in that order.
  if (!std::is_sorted(open.fields.begin(), open.fields.end(), is_before)) {
    std::sort(open.fields.begin(), open.fields.end(), is_before);
  }
  return open;
}

// Value `i` of a repeated field, or the one of another.
template <typename Repeated, typename Single>
auto Get(const Message& message, const Reflection& reflection,
         const FieldDescriptor* field, int i, Repeated repeated,
         Single single) {
  return field->is_repeated() ? (reflection.*repeated)(message, field, i)
                              : (reflection.*single)(message, field);
}

// Whether a string in JSON has these bytes as they are.
bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isprint(c) && c != '"' && c != '\\';
  });
}

void AppendQuoted(const std::string& text, std::string* out) {
  if (IsPlain(text)) {
    absl::StrAppend(out, "\"", text, "\"");
    return;
  }
  out->append(nlohmann::json(ToUtf8(text)).dump());
}

const std::string& StringOf(const Message& message,
                            const Reflection& reflection,
                            const FieldDescriptor* field, int i,
                            std::string* scratch) {
  return field->is_repeated()
             ? reflection.GetRepeatedStringReference(message, field, i, scratch)
             : reflection.GetStringReference(message, field, scratch);
}

// A number, or the name that proto3 has for what JSON has no digits for.
std::string DoubleText(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return nlohmann::json(value).dump();
}

// The name, or the number of a value that came over the wire and has no name.
void AppendEnum(const EnumDescriptor* type, int number, std::string* out) {
  const EnumValueDescriptor* const value = type->FindValueByNumber(number);
  if (value == nullptr) {
    absl::StrAppend(out, number);
  } else {
    absl::StrAppend(out, "\"", value->name(), "\"");
  }
}

// The quotes of a 64-bit integer.
const char* Quote(JsonFields fields) {
  return fields == JsonFields::kProto3 ? "\"" : "";
}

void AppendScalar(const Message& message, const Reflection& reflection,
                  const FieldDescriptor* field, int i, JsonFields fields,
                  std::string* out) {
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      absl::StrAppend(
          out, Get(message, reflection, field, i, &Reflection::GetRepeatedInt32,
                   &Reflection::GetInt32));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      absl::StrAppend(out, Quote(fields),
                      Get(message, reflection, field, i,
                          &Reflection::GetRepeatedInt64, &Reflection::GetInt64),
                      Quote(fields));
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      absl::StrAppend(
          out, Get(message, reflection, field, i, &Reflection::GetRepeatedBool,
                   &Reflection::GetBool)
                   ? "true"
                   : "false");
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      AppendEnum(
          field->enum_type(),
          Get(message, reflection, field, i, &Reflection::GetRepeatedEnumValue,
              &Reflection::GetEnumValue),
          out);
      break;
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string scratch;
      AppendQuoted(StringOf(message, reflection, field, i, &scratch), out);
      break;
    }
    case FieldDescriptor::CPPTYPE_DOUBLE:
      out->append(DoubleText(Get(message, reflection, field, i,
                                 &Reflection::GetRepeatedDouble,
                                 &Reflection::GetDouble)));
      break;
    default:
      break;
  }
}

bool IsAbsent(const Open& open, const FieldDescriptor* field) {
  return field->has_presence() &&
         !open.reflection->HasField(*open.message, field);
}

}  // namespace

std::string ProtoToJson(const Message& message, JsonFields fields) {
  // An answer about one layout fits, and is not copied while it grows.
  constexpr size_t kUsualBytes = 1024;
  std::string out;
  out.reserve(kUsualBytes);
  out.push_back('{');
  std::vector<Open> open;
  open.reserve(4);
  open.push_back(Begin(message, fields));
  while (!open.empty()) {
    Open& top = open.back();
    if (top.is_map && top.field < top.entries.size()) {
      const Message& entry = *top.entries[top.field];
      const Descriptor& type = *entry.GetDescriptor();
      const Reflection& reflection = *entry.GetReflection();
      out.append(top.field++ > 0 ? "," : "");
      std::string key;
      // A key has its quotes below.
      AppendScalar(entry, reflection, type.map_key(), 0, JsonFields::kPresent,
                   &key);
      const bool is_quoted =
          type.map_key()->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
      absl::StrAppend(&out, is_quoted ? "" : "\"", key,
                      is_quoted ? ":" : "\":");
      if (type.map_value()->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
        AppendScalar(entry, reflection, type.map_value(), 0, fields, &out);
        continue;
      }
      out.push_back('{');
      // `top` is not valid beyond this.
      open.push_back(
          Begin(reflection.GetMessage(entry, type.map_value()), fields));
      continue;
    }
    if (top.is_map || top.field == top.fields.size()) {
      out.push_back('}');
      open.pop_back();
      continue;
    }
    const Message& parent = *top.message;
    const Reflection& reflection = *top.reflection;
    const FieldDescriptor* field = top.fields[top.field];
    if (field->is_map()) {
      absl::StrAppend(&out, top.field++ > 0 ? ",\"" : "\"", field->name(),
                      "\":{");
      // `top` is not valid beyond this.
      open.push_back(BeginMap(parent, field));
      continue;
    }
    if (IsAbsent(top, field)) {
      absl::StrAppend(&out, top.field++ > 0 ? ",\"" : "\"", field->name(),
                      "\":null");
      continue;
    }
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
    // Many at once; a few are not worth the setting up.
    constexpr int kMany = 8;
    if (values > kMany && is_repeated &&
        field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
      const bool is_proto3 = fields == JsonFields::kProto3;
      absl::StrAppend(
          &out, Quote(fields),
          absl::StrJoin(reflection.GetRepeatedFieldRef<int64_t>(parent, field),
                        is_proto3 ? "\",\"" : ","),
          Quote(fields));
      top.value = values;
      continue;
    }
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      for (; top.value < values; ++top.value) {
        if (top.value > 0) out.push_back(',');
        AppendScalar(parent, reflection, field, top.value, fields, &out);
      }
      continue;
    }
    const int value = top.value++;
    if (value > 0) out.push_back(',');
    out.push_back('{');
    // `top` is not valid beyond this.
    open.push_back(
        Begin(is_repeated ? reflection.GetRepeatedMessage(parent, field, value)
                          : reflection.GetMessage(parent, field),
              fields));
  }
  return out;
}

}  // namespace tessera
