#include "tessera/cli/input_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace {

absl::Status SystemError() {
  return absl::UnknownError(
      absl::StrCat("cannot be read: ", std::strerror(errno)));
}

absl::StatusOr<std::string> ReadStdin(std::istream* in) {
  std::string contents;
  char buffer[1 << 16];
  // Not by stream buffer iterators: an error of the buffer (standard input is
  // closed, or a folder) is an exception, which only the stream's own functions
  // turn into its state.
  while (in->good()) {
    in->read(buffer, sizeof(buffer));
    contents.append(buffer, in->gcount());
  }
  if (in->bad()) return absl::UnknownError("cannot be read");
  return contents;
}

}  // namespace

absl::StatusOr<std::string> ReadInputFile(const std::string& name,
                                          Console* console) {
  if (name == kStdinArgument) return ReadStdin(console->in);
  const bool is_relative =
      !console->working_directory.empty() && !absl::StartsWith(name, "/");
  const std::string path =
      is_relative ? absl::StrCat(console->working_directory, "/", name) : name;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return SystemError();
  std::string contents;
  char buffer[1 << 16];
  while (size_t size = std::fread(buffer, 1, sizeof(buffer), file.get())) {
    contents.append(buffer, size);
  }
  if (std::ferror(file.get())) return SystemError();
  return contents;
}

}  // namespace tessera
