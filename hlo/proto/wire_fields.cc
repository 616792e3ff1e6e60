#include "tessera/hlo/proto/wire_fields.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera::hlo_internal {

bool WireFields::Fail(size_t at, std::string problem) {
  problem_ = std::move(problem);
  problem_at_ = at;
  at_ = message_.size();
  return false;
}

bool WireFields::ReadLongVarint(uint64_t* value) {
  *value = 0;
  const size_t begin = at_;
  constexpr int kBits = 64;
  for (int shift = 0; shift < kBits; shift += 7) {
    if (at_ == message_.size()) {
      return Fail(at_, "the message breaks off in a number");
    }
    const uint8_t byte = message_[at_++];
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return Fail(begin, "this number has more than 10 bytes");
}

// If the message breaks off, the caller sees the part of the value that is
// there.
void WireFields::TakeBytes(uint64_t size, WireField* field) {
  field->bytes = message_.substr(at_, size);
  const size_t left = field->bytes.size();
  at_ += left;
  if (left == size) return;
  Fail(at_, absl::StrCat("the message breaks off: field ", field->number,
                         " is to have ", size, " bytes and has ", left));
}

bool WireFields::Next(WireField* field) {
  if (at_ == message_.size()) return false;
  const size_t begin = at_;
  uint64_t tag;
  if (!ReadVarint(&tag)) return false;
  constexpr uint64_t kMaxTag = 0xffffffff;
  if (tag > kMaxTag || tag >> 3 == 0) {
    return Fail(begin, "this is not the tag of a field");
  }
  *field = WireField();
  field->number = static_cast<uint32_t>(tag >> 3);
  field->offset = offset_ + at_;
  switch (tag & 7) {
    case 0:
      if (!ReadVarint(&field->integer)) return false;
      field->is_integer = true;
      break;
    case 1:
      TakeBytes(8, field);
      break;
    case 2: {
      uint64_t size;
      if (!ReadVarint(&size)) return false;
      field->is_bytes = true;
      field->offset = offset_ + at_;
      TakeBytes(size, field);
      break;
    }
    case 5:
      TakeBytes(4, field);
      break;
    default:
      return Fail(begin,
                  absl::StrCat("field ", field->number, " has the wire type ",
                               tag & 7, ", which XLA's messages do not have"));
  }
  field->whole = message_.substr(begin, at_ - begin);
  return true;
}

}  // namespace tessera::hlo_internal
