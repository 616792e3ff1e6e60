#include "tessera/cli/files/output_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/files/system_error.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cli/output/fatal_signals.h"
#include "tessera/cli/output/message.h"

namespace tessera::cli {
namespace {

constexpr mode_t kPermissions = 0777;

absl::Status CannotBeWritten(int error) {
  return SystemError("cannot be written", error);
}

// Whether an error is about replacing a file, and not about its contents.
bool IsRefusal(int error) {
  return error == EACCES || error == EPERM || error == EROFS ||
         error == EBUSY || error == EXDEV;
}

absl::Status WriteAll(int file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t put = write(file, contents.data(), contents.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return CannotBeWritten(errno);
    contents.remove_prefix(static_cast<size_t>(put));
  }
  return absl::OkStatus();
}

// Pipes and devices have no length.
absl::Status EmptyIfRegular(int file) {
  if (ftruncate(file, 0) == 0 || errno == EINVAL) return absl::OkStatus();
  return CannotBeWritten(errno);
}

// Whether the path is in /proc, whose links are open files and not names.
bool IsInProc(const std::string& path) {
  const int file = open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  struct statfs system = {};
  const bool is_proc =
      fstatfs(file, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
  close(file);
  return is_proc;
}

// Returns the part up to its last slash; "" for a bare name.
std::string_view FolderOf(const std::string& path) {
  return std::string_view(path).substr(0, path.rfind('/') + 1);
}

// Returns the name, which may not exist, that `path` leads to through links;
// nullopt if it is an open file.
std::optional<std::string> NameBehindLinks(std::string path) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  for (int i = 0; i < kMostLinks; ++i) {
    if (IsInProc(path)) return std::nullopt;
    char link[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), link, sizeof(link));
    if (size < 0) return path;
    const std::string_view to(link, static_cast<size_t>(size));
    path = StartsWith(to, "/") ? std::string(to) : StrCat(FolderOf(path), to);
  }
  return std::nullopt;
}

// Returns a new name each time. It is hidden from `ls` and `*`, and contains
// the name of this program.
std::string TemporaryPath(const std::string& path) {
  const std::string_view folder = FolderOf(path);
  // Names have up to 255 bytes.
  constexpr size_t kMostOfName = 200;
  const std::string_view name =
      std::string_view(path).substr(folder.size(), kMostOfName);
  uint32_t number = 0;
  (void)!getentropy(&number, sizeof(number));
  return StrCat(folder, ".", name, ".tessera-",
                absl::Hex(number & 0xffffff, absl::kZeroPad6), ".tmp");
}

}  // namespace

std::optional<FileIdentity> IdentityOf(const std::string& name,
                                       const Console* console) {
  struct stat status = {};
  const int failed = name == kStdinArgument
                         ? fstat(console->in_descriptor, &status)
                         : stat(console->PathOf(name).c_str(), &status);
  if (failed != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity(status.st_dev, status.st_ino);
}

absl::StatusOr<std::unique_ptr<OutputFile>> OutputFile::Open(
    const std::string& name, const std::optional<FileIdentity>& input,
    Console* console) {
  std::unique_ptr<OutputFile> file(new OutputFile(console));
  file->is_stdout_ = name == kStdinArgument;
  if (file->is_stdout_) return file;
  const std::string path = console->PathOf(name);
  // This detects files that may not be written although they could be replaced.
  file->target_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file->target_ < 0) {
    if (errno != ENOENT) return CannotBeWritten(errno);
    TESSERA_RETURN_IF_ERROR(file->MakeTemporary(path, nullptr));
    return file;
  }
  struct stat old = {};
  if (fstat(file->target_, &old) != 0) return CannotBeWritten(errno);
  if (!S_ISREG(old.st_mode)) return file;
  if (input == FileIdentity(old.st_dev, old.st_ino)) {
    return absl::InvalidArgumentError("is both input and output");
  }
  TESSERA_RETURN_IF_ERROR(file->MakeTemporary(path, &old));
  return file;
}

OutputFile::~OutputFile() {
  if (target_ >= 0) close(target_);
  if (temporary_ < 0) return;
  close(temporary_);
  if (temporary_path_.empty()) return;
  unlink(temporary_path_.c_str());
  ForgetTemporaryFile();
}

absl::Status OutputFile::MakeTemporary(const std::string& path,
                                       const struct stat* old) {
  const std::optional<std::string> replaced = NameBehindLinks(path);
  if (!replaced.has_value()) return absl::OkStatus();
  replaced_path_ = *replaced;
  const mode_t mode = old != nullptr ? old->st_mode & kPermissions : 0666;
  constexpr int kTries = 100;
  for (int i = 0; temporary_ < 0 && i < kTries; ++i) {
    temporary_path_ = TemporaryPath(replaced_path_);
    temporary_ = CreateTemporaryFile(temporary_path_, mode);
    if (temporary_ < 0 && errno != EEXIST) break;
  }
  if (temporary_ < 0) {
    const bool is_written_through = old != nullptr && IsRefusal(errno);
    return is_written_through ? absl::OkStatus() : CannotBeWritten(errno);
  }
  if (old == nullptr) return absl::OkStatus();
  // Only root can change the owner; any member of a group can set the group.
  if (fchown(temporary_, old->st_uid, old->st_gid) != 0) {
    (void)!fchown(temporary_, -1, old->st_gid);
  }
  // Restores the bits that the umask cleared.
  if (fchmod(temporary_, mode) != 0) return CannotBeWritten(errno);
  return absl::OkStatus();
}

absl::Status OutputFile::Write(std::string_view contents) {
  if (is_stdout_) {
    console_->out->write(contents.data(),
                         static_cast<std::streamsize>(contents.size()));
    return absl::OkStatus();
  }
  if (temporary_ >= 0) {
    const absl::Status status = WriteAll(temporary_, contents);
    return status.ok() ? Commit() : status;
  }
  const absl::Status status = EmptyIfRegular(target_);
  return status.ok() ? WriteAll(target_, contents) : status;
}

absl::Status OutputFile::Commit() {
  // Else the name could reach the disk before the contents do.
  if (fdatasync(temporary_) != 0) return CannotBeWritten(errno);
  if (rename(temporary_path_.c_str(), replaced_path_.c_str()) != 0) {
    const bool is_written_through = target_ >= 0 && IsRefusal(errno);
    return is_written_through ? CopyToTarget() : CannotBeWritten(errno);
  }
  temporary_path_.clear();
  ForgetTemporaryFile();
  return absl::OkStatus();
}

absl::Status OutputFile::CopyToTarget() const {
  TESSERA_RETURN_IF_ERROR(EmptyIfRegular(target_));
  off_t offset = 0;
  ssize_t put = 0;
  do {
    constexpr size_t kBytes = size_t{1} << 24;
    put = sendfile(target_, temporary_, &offset, kBytes);
  } while (put > 0 || (put < 0 && errno == EINTR));
  return put == 0 ? absl::OkStatus() : CannotBeWritten(errno);
}

bool WriteOutputFile(const std::string& name, std::string_view text,
                     Console* console,
                     const std::optional<FileIdentity>& input) {
  const absl::StatusOr<std::unique_ptr<OutputFile>> file =
      OutputFile::Open(name, input, console);
  const absl::Status status = file.ok() ? (*file)->Write(text) : file.status();
  if (status.ok()) return true;
  return PrintError({name}, status, console);
}

bool WriteOutputFile(const std::string& name, std::string_view text,
                     Console* console, absl::Span<const std::string> inputs) {
  std::optional<FileIdentity> input;
  for (const std::string& each : inputs) {
    input = IdentityOf(each, console);
    // The input that the output would destroy.
    if (input.has_value() && input == IdentityOf(name, console)) break;
  }
  return WriteOutputFile(name, text, console, input);
}

}  // namespace tessera::cli
