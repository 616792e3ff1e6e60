// File: layout/text_writer.h
//
// How do the value types print themselves without paying for each character?
//
// A TextWriter collects pieces in a buffer on the stack and appends them to its
// string in large strides; the last stride when it is destroyed.
//
//   std::string out;
//   {
//     TextWriter writer(&out);
//     writer.Char('(');
//     writer.Int(-8);
//     writer.Text(",128)");
//   }
//   // out == "(-8,128)"

#ifndef TESSERA_LAYOUT_TEXT_WRITER_H_
#define TESSERA_LAYOUT_TEXT_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tessera {

class TextWriter {
 public:
  // `*out` is appended to, and must outlive the writer.
  explicit TextWriter(std::string* out) : out_(out) {}
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;
  ~TextWriter() { Flush(); }

  void Char(char c) {
    Reserve(1);
    buffer_[size_++] = c;
  }

  void Text(absl::string_view text) {
    if (text.size() > kCapacity) {
      Flush();
      out_->append(text.data(), text.size());
      return;
    }
    Reserve(text.size());
    std::memcpy(buffer_ + size_, text.data(), text.size());
    size_ += text.size();
  }

  // In decimal.
  void Int(int64_t value);

  // In decimal, commas between.
  void Ints(absl::Span<const int64_t> values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) Char(',');
      Int(values[i]);
    }
  }

 private:
  static constexpr size_t kCapacity = 256;
  static constexpr size_t kLongestInt = 20;  // INT64_MIN with its sign

  void Reserve(size_t size) {
    if (size > kCapacity - size_) Flush();
  }

  void Flush() {
    out_->append(buffer_, size_);
    size_ = 0;
  }

  std::string* out_;
  size_t size_ = 0;
  char buffer_[kCapacity];
};

inline void TextWriter::Int(int64_t value) {
  Reserve(kLongestInt);
  // Most numbers in a layout have one digit.
  if (value >= 0 && value < 10) {
    buffer_[size_++] = static_cast<char>('0' + value);
    return;
  }
  uint64_t magnitude = static_cast<uint64_t>(value);
  if (value < 0) {
    buffer_[size_++] = '-';
    magnitude = -magnitude;
  }
  char digits[kLongestInt];
  size_t first = kLongestInt;
  for (; magnitude >= 10; magnitude /= 10) {
    digits[--first] = static_cast<char>('0' + magnitude % 10);
  }
  digits[--first] = static_cast<char>('0' + magnitude);
  std::memcpy(buffer_ + size_, digits + first, kLongestInt - first);
  size_ += kLongestInt - first;
}

}  // namespace tessera

#endif  // TESSERA_LAYOUT_TEXT_WRITER_H_
