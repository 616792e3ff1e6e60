// A file that a command writes completely or not at all.
//
//   if (!WriteOutputFile("page.html", html, console)) return false;
//
// The contents go to a new file in the same folder,
// `.page.html.tessera-XXXXXX.tmp`, which replaces page.html once it is complete
// and on the disk. So a full disk, an error or a signal leaves page.html as it
// was and no other file. Only SIGKILL or a power cut can leave the temporary
// file.
//
// The new file has the permissions of the old one, and its owner and group
// where the system allows that; access control lists and the like are not kept.
// A symbolic link stays, and the file that it leads to is replaced. Other hard
// links keep the old contents: writing through them would destroy these before
// the new contents are complete.
//
// Some outputs are written directly, without a new file:
// - pipes, devices and files in /proc, such as /dev/stdout and /dev/fd/N,
//   because a process that holds them open would not see a new file;
// - a file that can be written but not replaced, because its folder is not
//   writable or because it is mounted into a container by itself. It would be
//   wrong to refuse such a file.

#ifndef TESSERA_CLI_FILES_OUTPUT_FILE_H_
#define TESSERA_CLI_FILES_OUTPUT_FILE_H_

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

// Device and inode.
using FileIdentity = std::pair<uint64_t, uint64_t>;

// Returns the identity of the file `name`, or of standard input if that is `-`;
// nullopt unless it is a regular file. Relative names start at
// console->working_directory.
std::optional<FileIdentity> IdentityOf(const std::string& name,
                                       const Console* console);

// At most one exists at a time: see fatal_signals.h.
class OutputFile {
 public:
  // Opens the file `name`, or standard output if that is `-`. Relative names
  // start at console->working_directory. If it is a pipe, waits for a reader.
  // Does not change the file yet.
  //
  // Errors: kInvalidArgument if it is the file `input`; kUnavailable, with the
  // message of the system.
  static absl::StatusOr<std::unique_ptr<OutputFile>> Open(
      const std::string& name, const std::optional<FileIdentity>& input,
      Console* console);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Returns the descriptor of the temporary file, which is empty and open to
  // read and write; -1 if the output is written directly.
  int temporary() const { return temporary_; }

  // Call either Write or Commit, once, at the end. Errors: kUnavailable. Errors
  // of standard output appear in the state of console->out after a flush.
  //
  // Writes the whole contents of the file.
  absl::Status Write(std::string_view contents);
  // Replaces the file by the temporary file, which the caller has filled.
  absl::Status Commit();

 private:
  explicit OutputFile(Console* console) : console_(console) {}

  // `old` describes target_; null if there is none.
  absl::Status MakeTemporary(const std::string& path, const struct stat* old);
  absl::Status CopyToTarget() const;

  Console* const console_;
  bool is_stdout_ = false;
  int target_ = -1;     // the existing file
  int temporary_ = -1;  // its replacement
  std::string temporary_path_;
  std::string replaced_path_;
};

// Writes `text` to the file `name`, or to standard output if that is `-`.
// Returns false, after a message, if it cannot be written or is the file
// `input`.
bool WriteOutputFile(const std::string& name, std::string_view text,
                     Console* console,
                     const std::optional<FileIdentity>& input = std::nullopt);
// Like the function above, but the file must not be any of `inputs`.
bool WriteOutputFile(const std::string& name, std::string_view text,
                     Console* console, absl::Span<const std::string> inputs);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_FILES_OUTPUT_FILE_H_
