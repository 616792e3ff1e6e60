#include "tessera/service/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "google/protobuf/descriptor.h"
#include "tessera/service/message_type.h"

namespace tessera {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// Returns the number of bytes of the first character of `text`; 0 if it is not
// a character. Precondition: `text` is not empty.
size_t CharacterSize(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  // The range of the second byte excludes overlong forms, surrogates and
  // everything past U+10FFFF.
  size_t size;
  uint8_t low = 0x80, high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    size = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    size = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    size = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < size || byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return size;
}

void MakeUtf8(const FieldDescriptor* field, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  std::string scratch;
  if (!field->is_repeated()) {
    const std::string& text =
        reflection.GetStringReference(*message, field, &scratch);
    if (!IsUtf8(text)) reflection.SetString(message, field, ToUtf8(text));
    return;
  }
  for (int i = 0; i < reflection.FieldSize(*message, field); ++i) {
    const std::string& text =
        reflection.GetRepeatedStringReference(*message, field, i, &scratch);
    if (IsUtf8(text)) continue;
    reflection.SetRepeatedString(message, field, i, ToUtf8(text));
  }
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    // Nearly all text is ASCII, which is checked word by word.
    uint64_t word;
    while (text.size() >= sizeof(word)) {
      std::memcpy(&word, text.data(), sizeof(word));
      if ((word & 0x8080808080808080) != 0) break;
      text.remove_prefix(sizeof(word));
    }
    if (text.empty()) break;
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string ToUtf8(std::string_view text) {
  std::string utf8;
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) {
      utf8 += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      utf8.append(text.data(), size);
      text.remove_prefix(size);
    }
  }
  return utf8;
}

void MakeUtf8(Message* message) {
  const Reflection& reflection = *message->GetReflection();
  for (const MessageField& field : TypeOf(*message).fields) {
    if (!field.may_hold_strings) continue;
    if (!field.is_repeated && !reflection.HasField(*message, field.field)) {
      continue;
    }
    if (field.cpp_type == FieldDescriptor::CPPTYPE_STRING) {
      MakeUtf8(field.field, message);
    } else if (field.is_repeated) {
      for (int j = 0; j < reflection.FieldSize(*message, field.field); ++j) {
        MakeUtf8(reflection.MutableRepeatedMessage(message, field.field, j));
      }
    } else {
      MakeUtf8(reflection.MutableMessage(message, field.field));
    }
  }
}

}  // namespace tessera
