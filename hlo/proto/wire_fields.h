// Walks the fields of a serialised message.
//
//   WireFields fields("\x08\x05\x12\x02hi", 0);
//   WireField field;
//   fields.Next(&field);   // true: field.number is 1, field.integer is 5
//   fields.Next(&field);   // true: field.number is 2, field.bytes is "hi"
//   fields.Next(&field);   // false
//   fields.problem();      // "": nothing is wrong with it
//
// Protocol Buffers reads a message as a whole or fails. This class walks the
// fields of one level and copies nothing. It reports where bytes break off or
// are not a message; earlier fields are read nevertheless.

#ifndef TESSERA_HLO_PROTO_WIRE_FIELDS_H_
#define TESSERA_HLO_PROTO_WIRE_FIELDS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::hlo_internal {

struct WireField {
  uint32_t number = 0;
  // Whether the value is `integer`.
  bool is_integer = false;
  uint64_t integer = 0;
  // Whether the value is `bytes`: a string, a message, packed numbers.
  bool is_bytes = false;
  // The value; if the message breaks off, the part of it that is there.
  std::string_view bytes;
  // The offset of the value's first byte in the file.
  int64_t offset = 0;
  // The whole field, with its tag.
  std::string_view whole;
};

// Appends the values of a repeated integer, packed or not.
template <typename Integers>
void AppendIntegers(const WireField& field, Integers* integers) {
  if (field.is_integer) {
    integers->push_back(static_cast<int64_t>(field.integer));
    return;
  }
  // Packed: seven bits of an integer per byte, the lowest first.
  uint64_t value = 0;
  int shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    integers->push_back(static_cast<int64_t>(value));
    value = 0;
    shift = 0;
  }
}

class WireFields {
 public:
  // `message` begins at byte `offset` of the file.
  WireFields(std::string_view message, int64_t offset)
      : message_(message), offset_(offset) {}

  bool Next(WireField* field);

  // The reason why Next returned false; "" at the end of the message.
  const std::string& problem() const { return problem_; }
  // The offset of the problem in the file.
  int64_t problem_offset() const { return offset_ + problem_at_; }

 private:
  // Nearly all tags and sizes have one or two bytes.
  bool ReadVarint(uint64_t* value) {
    const auto byte = [this](size_t at) -> uint64_t {
      return at < message_.size() ? static_cast<unsigned char>(message_[at])
                                  : 0x80;
    };
    const uint64_t low = byte(at_);
    if (low < 0x80) {
      *value = low;
      ++at_;
      return true;
    }
    const uint64_t high = byte(at_ + 1);
    if (high >= 0x80) return ReadLongVarint(value);
    *value = (low & 0x7f) | high << 7;
    at_ += 2;
    return true;
  }
  bool ReadLongVarint(uint64_t* value);
  void TakeBytes(uint64_t size, WireField* field);
  bool Fail(size_t at, std::string problem);

  std::string_view message_;
  int64_t offset_;
  size_t at_ = 0;
  std::string problem_;
  size_t problem_at_ = 0;
};

// Calls `visit` for each message in the field `number` of a message. Returns
// its fields, for the problem with them.
template <typename Visit>
WireFields ForEachMessage(const WireField& message, uint32_t number,
                          Visit visit) {
  WireFields fields(message.bytes, message.offset);
  for (WireField field; fields.Next(&field);) {
    if (field.number == number && field.is_bytes) visit(field);
  }
  return fields;
}

}  // namespace tessera::hlo_internal

#endif  // TESSERA_HLO_PROTO_WIRE_FIELDS_H_
