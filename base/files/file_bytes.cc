#include "tessera/base/files/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/files/gzip.h"
#include "tessera/base/files/pages.h"
#include "tessera/base/files/system_error.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 18;

}  // namespace

absl::StatusOr<FileBytes> FileBytes::Open(const std::string& name,
                                          const FileOptions& options) {
  const int descriptor = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError("cannot be read", errno);
  const absl::Cleanup end = [descriptor] { close(descriptor); };
  return OfDescriptor(descriptor, options);
}

absl::StatusOr<FileBytes> FileBytes::OfDescriptor(int descriptor,
                                                  const FileOptions& options) {
  FileBytes file;
  // For example, files of /proc do not report their size.
  if (!file.Map(descriptor).ok()) {
    const absl::Status status = file.ReadDescriptor(descriptor, options);
    if (!status.ok()) return status;
  }
  const absl::Status status = file.Finish(options);
  if (!status.ok()) return status;
  return file;
}

absl::StatusOr<FileBytes> FileBytes::OfStream(std::istream* in,
                                              const FileOptions& options) {
  FileBytes file;
  absl::Status status = file.ReadStream(in, options);
  if (status.ok()) status = file.Finish(options);
  if (!status.ok()) return status;
  return file;
}

FileBytes FileBytes::OfText(std::string text) {
  FileBytes file;
  file.memory_ = std::move(text);
  return file;
}

absl::Status FileBytes::Map(int descriptor) {
  struct stat status = {};
  const int64_t start = lseek(descriptor, 0, SEEK_CUR);
  if (start < 0 || fstat(descriptor, &status) != 0 ||
      !S_ISREG(status.st_mode) || start >= status.st_size) {
    return absl::UnavailableError("cannot be mapped");
  }
  absl::StatusOr<Pages> pages =
      Pages::OfFile(descriptor, status.st_size, /*writable=*/false);
  if (!pages.ok()) return pages.status();
  pages_ = *std::move(pages);
  offset_ = static_cast<size_t>(start);
  is_mapped_ = true;
  return absl::OkStatus();
}

// These read one byte more than the limit, so that Finish can detect further
// bytes.

absl::Status FileBytes::ReadDescriptor(int descriptor,
                                       const FileOptions& options) {
  const std::unique_ptr<char[]> block(new char[kBlockBytes]);
  while (static_cast<int64_t>(memory_.size()) <= options.memory_limit) {
    const uint64_t left = options.memory_limit - memory_.size() + 1;
    const ssize_t got =
        read(descriptor, block.get(), std::min<uint64_t>(kBlockBytes, left));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError("cannot be read", errno);
    if (got == 0) break;
    memory_.append(block.get(), static_cast<size_t>(got));
    if (options.progress) options.progress(memory_.size(), memory_.size());
  }
  return absl::OkStatus();
}

absl::Status FileBytes::ReadStream(std::istream* in,
                                   const FileOptions& options) {
  const std::unique_ptr<char[]> block(new char[kBlockBytes]);
  // Does not use stream buffer iterators: an error of the buffer is an
  // exception, and only the stream's own functions convert it to the stream's
  // state.
  while (in->good() &&
         static_cast<int64_t>(memory_.size()) <= options.memory_limit) {
    const uint64_t left = options.memory_limit - memory_.size() + 1;
    in->read(block.get(), static_cast<std::streamsize>(
                              std::min<uint64_t>(kBlockBytes, left)));
    memory_.append(block.get(), static_cast<size_t>(in->gcount()));
    if (options.progress) options.progress(memory_.size(), memory_.size());
  }
  if (in->bad()) return absl::UnavailableError("cannot be read");
  return absl::OkStatus();
}

absl::Status FileBytes::Finish(const FileOptions& options) {
  absl::Status status = CheckLimit(options, "");
  if (!status.ok() || is_cut_ || !options.unpack_gzip || !IsGzip(text())) {
    return status;
  }
  std::string unpacked;
  status = Unpack(text(), options.memory_limit, options.progress, &unpacked);
  if (!status.ok()) return status;
  const std::string from =
      absl::StrCat(" when its ", text().size(), " bytes are decompressed");
  *this = OfText(std::move(unpacked));
  return CheckLimit(options, from);
}

absl::Status FileBytes::CheckLimit(const FileOptions& options,
                                   std::string_view when) {
  if (is_mapped_ ||
      static_cast<int64_t>(memory_.size()) <= options.memory_limit) {
    return absl::OkStatus();
  }
  if (!options.cut_at_limit) {
    return ResourceExhaustedError("takes more than the limit of ",
                                  options.memory_limit, " bytes of memory",
                                  when);
  }
  memory_.resize(options.memory_limit);
  is_cut_ = true;
  return absl::OkStatus();
}

}  // namespace tessera
