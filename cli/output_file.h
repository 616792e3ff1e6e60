// File: cli/output_file.h
//
// A file that a command writes: the whole of it, or nothing.
//
//   if (!WriteOutputFile("page.html", html, console)) return false;
//
// What is written goes to a new file beside it,
// `.page.html.tessera-XXXXXX.tmp`, which takes the place of page.html when it
// is complete and on the disk. So a full disk, an error or a signal leaves
// page.html as it was, and nothing beside it; only SIGKILL or a power cut can
// leave the temporary file.
//
// The new file has the permissions of the old one, and its owner and group
// where the system allows that; access control lists and the like are not kept.
// A symbolic link stays, and the file that it leads to is replaced. Other hard
// links keep what they had: to write through them would give up the old
// contents before the new ones are complete.
//
// Written through, as the writing goes, are
// - pipes, devices, and what /proc has, as /dev/stdout and /dev/fd/N: who holds
//   them open would not see a new file;
// - a file that may be written but not replaced, as in a folder that is not
//   writable, or where it alone is mounted into a container: to refuse it would
//   take away what works.

#ifndef TESSERA_CLI_OUTPUT_FILE_H_
#define TESSERA_CLI_OUTPUT_FILE_H_

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/cli/console.h"

namespace tessera {

// Device and inode.
using FileIdentity = std::pair<uint64_t, uint64_t>;

// That of the file `name`, or of standard input where it is `-`; nullopt unless
// it is a regular file. Relative names start at console->working_directory.
absl::optional<FileIdentity> IdentityOf(const std::string& name,
                                        const Console* console);

// One at a time: see fatal_signals.h.
class OutputFile {
 public:
  // The file `name`, or standard output where it is `-`. Relative names start
  // at console->working_directory. Waits for who reads, where it is a pipe.
  // Nothing is lost yet.
  //
  // Errors: kInvalidArgument if it is the file `input`; kUnavailable, with what
  // the system says.
  static absl::StatusOr<std::unique_ptr<OutputFile>> Open(
      const std::string& name, const absl::optional<FileIdentity>& input,
      Console* console);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // The temporary file, which is empty and open to read and write; -1 where the
  // output is written through.
  int temporary() const { return temporary_; }

  // Either of these once, and last. Errors: kUnavailable; those of standard
  // output are the state of console->out.
  //
  // Writes all that the file shall hold.
  absl::Status Write(absl::string_view contents);
  // Puts the temporary file, which its user has filled, in its place.
  absl::Status Commit();

 private:
  explicit OutputFile(Console* console) : console_(console) {}

  // `old` is about target_; null if there is none.
  absl::Status MakeTemporary(const std::string& path, const struct stat* old);
  absl::Status CopyToTarget() const;

  Console* const console_;
  bool is_stdout_ = false;
  int target_ = -1;     // what is there already
  int temporary_ = -1;  // what takes its place
  std::string temporary_path_;
  std::string replaced_path_;
};

// Writes `text` to the file `name`, or to standard output where that is `-`.
// Returns false, after a message, where it cannot be written or is the file
// `input`.
bool WriteOutputFile(const std::string& name, absl::string_view text,
                     Console* console,
                     const absl::optional<FileIdentity>& input = absl::nullopt);

}  // namespace tessera

#endif  // TESSERA_CLI_OUTPUT_FILE_H_
