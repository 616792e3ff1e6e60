#include "tessera/cli/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tessera/cli/files/system_error.h"
#include "tessera/cli/output/message.h"

namespace tessera {
namespace cli {
namespace {

absl::StatusOr<std::string> ReadStream(std::istream* in) {
  std::string contents;
  char buffer[1 << 16];
  // Not by stream buffer iterators: an error of the buffer (standard input is
  // closed, or a folder) is an exception, which only the stream's own functions
  // turn into its state.
  while (in->good()) {
    in->read(buffer, sizeof(buffer));
    contents.append(buffer, in->gcount());
  }
  if (in->bad()) return absl::UnavailableError("cannot be read");
  return contents;
}

// The size of a regular file, or -1.
int64_t SizeOf(int descriptor) {
  struct stat status = {};
  const bool is_regular =
      fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  return is_regular ? status.st_size : -1;
}

}  // namespace

absl::StatusOr<std::unique_ptr<InputFile>> InputFile::Open(
    const std::string& name, Console* console) {
  std::unique_ptr<InputFile> file(new InputFile(name, console));
  const absl::Status status =
      file->is_stdin_ ? file->FromStdin() : file->FromFile(name);
  if (!status.ok()) return status;
  file->progress_ = std::make_unique<Progress>(
      file->is_stdin_ ? std::string(kStdinName) : name,
      file->descriptor_ < 0 ? 0 : SizeOf(file->descriptor_), console);
  file->StartOver();
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0 && !is_stdin_) close(descriptor_);
}

absl::Status InputFile::FromStdin() {
  descriptor_ = console_->in_descriptor;
  if (descriptor_ >= 0) {
    start_ = lseek(descriptor_, 0, SEEK_CUR);
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> contents = ReadStream(console_->in);
  if (!contents.ok()) return contents.status();
  memory_ = *std::move(contents);
  return absl::OkStatus();
}

absl::Status InputFile::FromFile(const std::string& name) {
  descriptor_ = open(console_->PathOf(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return SystemError("cannot be read", errno);
  start_ = lseek(descriptor_, 0, SEEK_CUR);
  return absl::OkStatus();
}

void InputFile::StartOver() {
  source_ = descriptor_ >= 0 ? MakeByteSource(descriptor_)
                             : MakeByteSource(absl::string_view(memory_));
}

bool InputFile::Rewind() {
  if (descriptor_ >= 0 &&
      (start_ < 0 || lseek(descriptor_, start_, SEEK_SET) != start_)) {
    return false;
  }
  StartOver();
  return true;
}

absl::StatusOr<size_t> InputFile::Read(char* data, size_t size) {
  absl::StatusOr<size_t> got = source_->Read(data, size);
  if (got.ok()) {
    progress_->Update(source_->bytes_consumed());
  } else if (is_stdin_ && absl::IsUnavailable(got.status())) {
    return absl::UnavailableError("cannot be read");
  }
  return got;
}

absl::StatusOr<std::string> ReadInputFile(const std::string& name,
                                          Console* console) {
  absl::StatusOr<std::unique_ptr<InputFile>> file =
      InputFile::Open(name, console);
  if (!file.ok()) return file.status();
  return ReadAll(file->get());
}

}  // namespace cli
}  // namespace tessera
