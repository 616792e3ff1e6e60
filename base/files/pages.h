// Pages of memory, of a file or of their own.
//
//   absl::StatusOr<Pages> pages = Pages::Zeroed(4096);
//   pages->bytes()[0] = 1;

#ifndef TESSERA_BASE_FILES_PAGES_H_
#define TESSERA_BASE_FILES_PAGES_H_

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tessera {

// Owns pages and releases them.
class Pages {
 public:
  // Returns `size` bytes of zeros. Errors: kResourceExhausted if there is not
  // enough memory.
  static absl::StatusOr<Pages> Zeroed(int64_t size);
  // Maps the first `size` bytes of a file. Errors: kUnavailable, with the
  // message of the system.
  static absl::StatusOr<Pages> OfFile(int descriptor, int64_t size,
                                      bool writable);

  Pages() = default;
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        file_(std::exchange(other.file_, -1)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~Pages();

  absl::Span<uint8_t> bytes() const {
    return absl::MakeSpan(data_, static_cast<size_t>(size_));
  }
  // Returns whether the file, if these are pages of one, still has all of them.
  // What it has lost of its last page reads as zeros.
  bool IsWhole() const;

 private:
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  int file_ = -1;
};

}  // namespace tessera

#endif  // TESSERA_BASE_FILES_PAGES_H_
