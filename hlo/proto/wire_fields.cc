#include "tessera/hlo/proto/wire_fields.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tessera {
namespace hlo_internal {

bool WireFields::Fail(size_t at, std::string problem) {
  problem_ = std::move(problem);
  problem_at_ = at;
  at_ = message_.size();
  return false;
}

bool WireFields::ReadVarint(uint64_t* value) {
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
  const auto take_bytes = [&](uint64_t size) {
    const size_t left = message_.size() - at_;
    if (size > left) {
      const size_t at = at_;
      field->bytes = message_.substr(at);
      field->whole = message_.substr(begin);
      Fail(message_.size(),
           absl::StrCat("the message breaks off: field ", field->number,
                        " is to have ", size, " bytes and has ",
                        message_.size() - at));
      return;
    }
    field->bytes = message_.substr(at_, size);
    at_ += size;
    field->whole = message_.substr(begin, at_ - begin);
  };
  switch (tag & 7) {
    case 0:
      if (!ReadVarint(&field->integer)) return false;
      field->is_integer = true;
      field->whole = message_.substr(begin, at_ - begin);
      return true;
    case 1:
      take_bytes(8);
      return true;
    case 2: {
      uint64_t size;
      if (!ReadVarint(&size)) return false;
      field->is_bytes = true;
      field->offset = offset_ + at_;
      take_bytes(size);
      return true;
    }
    case 5:
      take_bytes(4);
      return true;
    default:
      return Fail(begin,
                  absl::StrCat("field ", field->number, " has the wire type ",
                               tag & 7, ", which XLA's messages do not have"));
  }
}

}  // namespace hlo_internal
}  // namespace tessera
