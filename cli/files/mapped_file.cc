#include "tessera/cli/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <istream>

#include "absl/strings/str_cat.h"
#include "tessera/cli/files/system_error.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/progress.h"

namespace tessera {
namespace cli {
namespace {

constexpr size_t kReadBytes = size_t{1} << 16;

// An open file, which is closed in the end unless it is kept.
struct Descriptor {
  explicit Descriptor(int number, bool is_kept = false)
      : number(number), is_kept(is_kept) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0 && !is_kept) close(number);
  }
  const int number;
  bool is_kept;
};

// Appends up to `limit` bytes and one more, by which the caller sees that there
// are more.
absl::Status ReadDescriptor(int descriptor, int64_t limit, Progress* progress,
                            std::string* memory) {
  const size_t most = static_cast<size_t>(limit) + 1;
  char buffer[kReadBytes];
  while (memory->size() < most) {
    const ssize_t got =
        read(descriptor, buffer, std::min(kReadBytes, most - memory->size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("cannot be read", errno);
    if (got == 0) break;
    memory->append(buffer, static_cast<size_t>(got));
    progress->Update(static_cast<int64_t>(memory->size()));
  }
  return absl::OkStatus();
}

absl::Status ReadStream(std::istream* in, int64_t limit, std::string* memory) {
  const size_t most = static_cast<size_t>(limit) + 1;
  char buffer[kReadBytes];
  while (in->good() && memory->size() < most) {
    in->read(buffer, static_cast<std::streamsize>(
                         std::min(kReadBytes, most - memory->size())));
    memory->append(buffer, static_cast<size_t>(in->gcount()));
  }
  if (in->bad()) return absl::UnavailableError("cannot be read");
  return absl::OkStatus();
}

// The pages of a file that is empty.
absl::StatusOr<Pages> PagesOfNewFile(int descriptor, int64_t size) {
  if (ftruncate(descriptor, size) != 0) {
    return SystemError("cannot be written", errno);
  }
  // A full disk is an error here, and the end of the process later.
  int error = 0;
  if (size > 0) {
    do {
      error = posix_fallocate(descriptor, 0, size);
    } while (error == EINTR);
  }
  if (error != 0) return SystemError("cannot be written", error);
  return Pages::OfFile(descriptor, size, /*writable=*/true);
}

}  // namespace

// -- Pages -------------------------------------------------------------------

absl::StatusOr<Pages> Pages::Zeroed(int64_t size) {
  Pages pages;
  if (size == 0) return pages;
  void* const data = mmap(nullptr, static_cast<size_t>(size),
                          PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          /*fd=*/-1, /*offset=*/0);
  if (data == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there is no memory for ", size, " bytes"));
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

// -- Input -------------------------------------------------------------------

absl::StatusOr<MappedInput> MappedInput::Open(const std::string& name,
                                              int64_t limit, Console* console) {
  MappedInput input;
  const bool is_stdin = name == kStdinArgument;
  if (is_stdin && console->in_descriptor < 0) {
    const absl::Status status = ReadStream(console->in, limit, &input.memory_);
    if (!status.ok()) return status;
  } else {
    const Descriptor file(
        is_stdin ? console->in_descriptor
                 : open(console->PathOf(name).c_str(), O_RDONLY | O_CLOEXEC),
        /*is_kept=*/is_stdin);
    if (file.number < 0) return SystemError("cannot be read", errno);
    struct stat status = {};
    const int64_t start = lseek(file.number, 0, SEEK_CUR);
    if (fstat(file.number, &status) == 0 && S_ISREG(status.st_mode)) {
      input.identity_ = FileIdentity(status.st_dev, status.st_ino);
      if (start >= 0 && start < status.st_size) {
        absl::StatusOr<Pages> pages =
            Pages::OfFile(file.number, status.st_size, /*writable=*/false);
        if (pages.ok()) {
          input.pages_ = *std::move(pages);
          input.offset_ = static_cast<size_t>(start);
          input.is_mapped_ = true;
          return input;
        }
      }
    }
    // Also where a file cannot be mapped, or does not know its size, as those
    // of /proc.
    Progress progress(is_stdin ? std::string(kStdinName) : name, -1, console);
    const absl::Status read =
        ReadDescriptor(file.number, limit, &progress, &input.memory_);
    if (!read.ok()) {
      return is_stdin ? absl::UnavailableError("cannot be read") : read;
    }
  }
  if (static_cast<int64_t>(input.memory_.size()) > limit) {
    input.memory_.pop_back();
    input.is_cut_ = true;
  }
  return input;
}

// -- Output ------------------------------------------------------------------

absl::StatusOr<MappedOutput> MappedOutput::Create(const std::string& name,
                                                  int64_t size,
                                                  const MappedInput& input,
                                                  Console* console) {
  absl::StatusOr<std::unique_ptr<OutputFile>> file =
      OutputFile::Open(name, input.identity_, console);
  if (!file.ok()) return file.status();
  const int temporary = (*file)->temporary();
  absl::StatusOr<Pages> pages =
      temporary >= 0 ? PagesOfNewFile(temporary, size) : Pages::Zeroed(size);
  if (!pages.ok()) return pages.status();
  return MappedOutput(*std::move(file), *std::move(pages));
}

absl::Status MappedOutput::Finish() {
  if (file_->temporary() >= 0) return file_->Commit();
  const absl::Span<const uint8_t> all = bytes();
  return file_->Write(
      absl::string_view(reinterpret_cast<const char*>(all.data()), all.size()));
}

}  // namespace cli
}  // namespace tessera
