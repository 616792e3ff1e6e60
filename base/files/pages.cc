#include "tessera/base/files/pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tessera/base/files/system_error.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

absl::StatusOr<Pages> Pages::Zeroed(int64_t size) {
  Pages pages;
  if (size == 0) return pages;
  void* const data = mmap(nullptr, static_cast<size_t>(size),
                          PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          /*fd=*/-1, /*offset=*/0);
  if (data == MAP_FAILED) {
    return ResourceExhaustedError("there is not enough memory for ", size,
                                  " bytes");
  }
  pages.data_ = static_cast<uint8_t*>(data);
  pages.size_ = size;
  return pages;
}

absl::StatusOr<Pages> Pages::OfFile(int descriptor, int64_t size,
                                    bool writable) {
  Pages pages;
  if (size == 0) return pages;
  void* const data = mmap(nullptr, static_cast<size_t>(size),
                          writable ? PROT_READ | PROT_WRITE : PROT_READ,
                          MAP_SHARED, descriptor, /*offset=*/0);
  if (data == MAP_FAILED) return SystemError("cannot be mapped", errno);
  pages.data_ = static_cast<uint8_t*>(data);
  pages.size_ = size;
  pages.file_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return pages;
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(size_));
  if (file_ >= 0) close(file_);
}

bool Pages::IsWhole() const {
  struct stat status = {};
  return file_ < 0 || fstat(file_, &status) != 0 || status.st_size >= size_;
}

}  // namespace tessera
