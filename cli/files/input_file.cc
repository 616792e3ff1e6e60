#include "tessera/cli/files/input_file.h"

#include <sys/stat.h>

#include <cstdint>

#include "absl/status/status.h"
#include "tessera/cli/output/message.h"
#include "tessera/cli/output/progress.h"

namespace tessera::cli {
namespace {

// The size of a regular file in bytes, or -1.
int64_t SizeOf(const std::string& path) {
  struct stat status = {};
  const bool is_regular =
      stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return is_regular ? status.st_size : -1;
}

}  // namespace

absl::StatusOr<FileBytes> OpenInputFile(const std::string& name,
                                        FileOptions options, Console* console) {
  const bool is_stdin = name == kStdinArgument;
  const std::string path = is_stdin ? "" : console->PathOf(name);
  Progress progress(is_stdin ? std::string(kStdinName) : name,
                    is_stdin ? -1 : SizeOf(path), console);
  options.progress = [&progress](int64_t done, int64_t unpacked) {
    progress.Update(done, unpacked);
  };
  if (!is_stdin) return FileBytes::Open(path, options);
  absl::StatusOr<FileBytes> file =
      console->in_descriptor < 0
          ? FileBytes::OfStream(console->in, options)
          : FileBytes::OfDescriptor(console->in_descriptor, options);
  if (absl::IsUnavailable(file.status())) {
    return absl::UnavailableError("cannot be read");
  }
  return file;
}

}  // namespace tessera::cli
