// Appends text to a string quickly: the writer that the value types print with.
//
// A TextWriter collects pieces in a buffer on the stack and appends them to its
// string in large blocks; the last block when it is destroyed.
//
//   std::string out;
//   {
//     TextWriter writer(&out);
//     writer.Char('(');
//     writer.Int(-8);
//     writer.Text(",128)");
//   }
//   out;   // "(-8,128)"

#ifndef TESSERA_BASE_TEXT_TEXT_WRITER_H_
#define TESSERA_BASE_TEXT_TEXT_WRITER_H_

// shape/shape.h and layout/layout.h include this header before others of ours.
#if __cplusplus < 201703L
#error "Tessera needs C++17: -std=c++17, or --cxxopt=-std=c++17 in .bazelrc"
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "absl/types/span.h"

namespace tessera {

class TextWriter {
 public:
  // The writer appends to `*out`, which must outlive it.
  explicit TextWriter(std::string* out) : out_(out) {}
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;
  // Does not flush if memory has run out, because Flush() would throw again.
  ~TextWriter() noexcept(false) {
    if (std::uncaught_exceptions() == 0) Flush();
  }

  void Char(char c) {
    Reserve(1);
    *end_++ = c;
  }

  void Text(std::string_view text) {
    if (text.size() > kCapacity) {
      Flush();
      out_->append(text.data(), text.size());
      return;
    }
    Reserve(text.size());
    std::memcpy(end_, text.data(), text.size());
    end_ += text.size();
  }

  // Writes the number in decimal.
  void Int(int64_t value) {
    Reserve(kLongestInt);
    if (value >= 0) {
      end_ = PutMagnitude(end_, static_cast<uint64_t>(value));
    } else {
      *end_ = '-';
      end_ = PutMagnitude(end_ + 1, -static_cast<uint64_t>(value));
    }
  }

  // Writes the numbers in decimal, separated by commas.
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
    if (size > static_cast<size_t>(buffer_ + kCapacity - end_)) Flush();
  }

  void Flush() {
    out_->append(buffer_, end_ - buffer_);
    end_ = buffer_;
  }

  // Writes four digits at a time: with one division per digit, printing a shape
  // would spend most of its time here. Recurses one level per four digits.
  static char* PutMagnitude(char* p, uint64_t magnitude) {
    if (magnitude >= 10000) {
      p = PutMagnitude(p, magnitude / 10000);
      const uint32_t rest = static_cast<uint32_t>(magnitude % 10000);
      return PutPair(PutPair(p, rest / 100), rest % 100);
    }
    const uint32_t small = static_cast<uint32_t>(magnitude);
    if (small < 10) return PutDigit(p, small);
    if (small < 100) return PutPair(p, small);
    p = small < 1000 ? PutDigit(p, small / 100) : PutPair(p, small / 100);
    return PutPair(p, small % 100);
  }

  static char* PutPair(char* p, uint32_t value) {
    return PutDigit(PutDigit(p, value / 10), value % 10);
  }

  static char* PutDigit(char* p, uint32_t value) {
    *p = static_cast<char>('0' + value);
    return p + 1;
  }

  std::string* out_;
  char* end_ = buffer_;
  char buffer_[kCapacity];
};

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_TEXT_WRITER_H_
