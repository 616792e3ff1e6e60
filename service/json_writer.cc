// Writes messages as JSON.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/reflection.h"
#include "nlohmann/json.hpp"
#include "tessera/service/json.h"
#include "tessera/service/message_type.h"
#include "tessera/service/utf8.h"

namespace tessera {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Returns the entries of a map by their keys, integers by their value.
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

// A message or a map that is being written, with its current field or entry and
// the current value of that.
struct Open {
  const Message* message;
  const Reflection* reflection;  // looking it up takes longer than using it
  const MessageType* type;       // null for a map
  std::vector<const Message*> entries;  // of a map
  size_t field = 0;
  int value = 0;
};

Open BeginMap(const Message& message, const FieldDescriptor* field) {
  return {&message, message.GetReflection(), nullptr,
          SortedEntries(message, field)};
}

Open Begin(const Message& message, JsonFields fields) {
  const MessageType& type = TypeOf(message);
  if (fields != JsonFields::kProto3 && type.is_json_map) {
    return BeginMap(message, type.fields[0].field);
  }
  return {&message, message.GetReflection(), &type, {}};
}

// Returns value `i` of a repeated field, or the value of another field.
template <typename Repeated, typename Single>
auto Get(const Message& message, const Reflection& reflection,
         const FieldDescriptor* field, int i, Repeated repeated,
         Single single) {
  return field->is_repeated() ? (reflection.*repeated)(message, field, i)
                              : (reflection.*single)(message, field);
}

// Returns whether a JSON string contains these bytes unescaped.
bool IsPlain(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x80 * kOnes;
  // Marks every byte that equals `byte`; after a match, others may be marked
  // too.
  const auto marks_of = [](uint64_t word, uint8_t byte) {
    const uint64_t difference = word ^ (kOnes * byte);
    return (difference - kOnes) & ~difference;
  };
  uint64_t marked = 0;
  for (uint64_t word; text.size() >= sizeof(word);
       text.remove_prefix(sizeof(word))) {
    std::memcpy(&word, text.data(), sizeof(word));
    const uint64_t below_space = (word - kOnes * ' ') & ~word;
    marked |= word | below_space | marks_of(word, '"') | marks_of(word, '\\') |
              marks_of(word, 0x7F);
  }
  return (marked & kHighBits) == 0 &&
         std::all_of(text.begin(), text.end(), [](char c) {
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

// Returns a number, or proto3's name for a number without digits in JSON.
std::string DoubleText(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return nlohmann::json(value).dump();
}

// Appends the name, or the number of a value from the wire that does not have a
// name.
void AppendEnum(const EnumDescriptor* type, int number, std::string* out) {
  const EnumValueDescriptor* const value = type->FindValueByNumber(number);
  if (value == nullptr) {
    absl::StrAppend(out, number);
  } else {
    absl::StrAppend(out, "\"", value->name(), "\"");
  }
}

// Appends a 64-bit integer, in quotes if proto3 uses them.
void AppendInteger(int64_t value, JsonFields fields, std::string* out) {
  // A sign and 19 digits between two quotes.
  char text[22];
  char* end = text;
  const bool is_quoted = fields == JsonFields::kProto3;
  if (is_quoted) *end++ = '"';
  end = std::to_chars(end, std::end(text), value).ptr;
  if (is_quoted) *end++ = '"';
  out->append(text, end);
}

// The descriptor looks up its type under a lock at each call.
void AppendScalar(const Message& message, const Reflection& reflection,
                  const FieldDescriptor* field, FieldDescriptor::CppType type,
                  int i, JsonFields fields, std::string* out) {
  switch (type) {
    case FieldDescriptor::CPPTYPE_INT32:
      absl::StrAppend(
          out, Get(message, reflection, field, i, &Reflection::GetRepeatedInt32,
                   &Reflection::GetInt32));
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      AppendInteger(Get(message, reflection, field, i,
                        &Reflection::GetRepeatedInt64, &Reflection::GetInt64),
                    fields, out);
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

// Whether the field is written; `values` is how many values it has.
bool IsWritten(const Open& open, const MessageField& field, int values,
               JsonFields fields) {
  if (fields != JsonFields::kPresent && !field.has_presence) return true;
  if (field.is_repeated) return values > 0;
  if (fields == JsonFields::kAll && !field.is_in_oneof) return true;
  return open.reflection->HasField(*open.message, field.field);
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
    const bool is_map = top.type == nullptr;
    if (top.field == (is_map ? top.entries.size() : top.type->fields.size())) {
      out.push_back('}');
      open.pop_back();
      continue;
    }
    if (is_map) {
      const Message& entry = *top.entries[top.field];
      const Descriptor& type = *entry.GetDescriptor();
      const Reflection& reflection = *entry.GetReflection();
      out.append(top.field++ > 0 ? "," : "");
      std::string key;
      // A key has its quotes below.
      const FieldDescriptor::CppType key_type = type.map_key()->cpp_type();
      AppendScalar(entry, reflection, type.map_key(), key_type, 0,
                   JsonFields::kPresent, &key);
      const bool is_quoted = key_type == FieldDescriptor::CPPTYPE_STRING;
      absl::StrAppend(&out, is_quoted ? "" : "\"", key,
                      is_quoted ? ":" : "\":");
      const FieldDescriptor::CppType value_type = type.map_value()->cpp_type();
      if (value_type != FieldDescriptor::CPPTYPE_MESSAGE) {
        AppendScalar(entry, reflection, type.map_value(), value_type, 0, fields,
                     &out);
        continue;
      }
      out.push_back('{');
      // `top` is not valid beyond this.
      open.push_back(
          Begin(reflection.GetMessage(entry, type.map_value()), fields));
      continue;
    }
    const Message& parent = *top.message;
    const Reflection& reflection = *top.reflection;
    const MessageField& type = top.type->fields[top.field];
    const FieldDescriptor* const field = type.field;
    const int values =
        type.is_repeated ? reflection.FieldSize(parent, field) : 1;
    if (top.value == 0) {
      if (!IsWritten(top, type, values, fields)) {
        ++top.field;
        continue;
      }
      if (out.back() != '{') out.push_back(',');
      out.append(type.key);
      if (type.is_map) {
        out.push_back('{');
        ++top.field;
        // `top` is not valid beyond this.
        open.push_back(BeginMap(parent, field));
        continue;
      }
      if (type.has_presence && !reflection.HasField(parent, field)) {
        out.append("null");
        ++top.field;
        continue;
      }
      if (type.is_repeated) out.push_back('[');
    }
    if (type.cpp_type == FieldDescriptor::CPPTYPE_MESSAGE &&
        top.value < values) {
      const int value = top.value++;
      out.append(value > 0 ? ",{" : "{");
      // `top` is not valid beyond this.
      open.push_back(Begin(
          type.is_repeated ? reflection.GetRepeatedMessage(parent, field, value)
                           : reflection.GetMessage(parent, field),
          fields));
      continue;
    }
    // Many at once; the setup is not worthwhile for a few.
    constexpr int kMany = 8;
    if (values > kMany && type.cpp_type == FieldDescriptor::CPPTYPE_INT64) {
      for (const int64_t value :
           reflection.GetRepeatedFieldRef<int64_t>(parent, field)) {
        AppendInteger(value, fields, &out);
        out.push_back(',');
      }
      out.pop_back();
      top.value = values;
    }
    for (; top.value < values; ++top.value) {
      if (top.value > 0) out.push_back(',');
      AppendScalar(parent, reflection, field, type.cpp_type, top.value, fields,
                   &out);
    }
    if (type.is_repeated) out.push_back(']');
    ++top.field;
    top.value = 0;
  }
  return out;
}

}  // namespace tessera
