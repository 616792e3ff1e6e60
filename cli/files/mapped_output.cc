#include "tessera/cli/files/mapped_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/files/system_error.h"
#include "tessera/base/math/status_macros.h"

namespace tessera::cli {
namespace {

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

absl::StatusOr<MappedOutput> MappedOutput::Create(
    const std::string& name, int64_t size,
    const std::optional<FileIdentity>& input, Console* console) {
  TESSERA_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file,
                           OutputFile::Open(name, input, console));
  const int temporary = file->temporary();
  TESSERA_ASSIGN_OR_RETURN(Pages pages, temporary >= 0
                                            ? PagesOfNewFile(temporary, size)
                                            : Pages::Zeroed(size));
  return MappedOutput(std::move(file), std::move(pages), console);
}

absl::Status MappedOutput::Finish() {
  if (file_->temporary() >= 0) return file_->Commit();
  const absl::Span<const uint8_t> all = bytes();
  const absl::Status status = file_->Write(
      std::string_view(reinterpret_cast<const char*>(all.data()), all.size()));
  console_->out->flush();
  if (!status.ok() || console_->out->good()) return status;
  return absl::UnavailableError("does not take the whole array");
}

}  // namespace tessera::cli
