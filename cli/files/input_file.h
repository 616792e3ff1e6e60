// File: cli/files/input_file.h
//
// The bytes of a file argument, decompressed if the file is gzip.
//
//   absl::StatusOr<std::unique_ptr<InputFile>> file =
//       InputFile::Open("dump.txt.gz", console);
//   std::string text = *ReadAll(file->get());

#ifndef TESSERA_CLI_FILES_INPUT_FILE_H_
#define TESSERA_CLI_FILES_INPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/progress.h"
#include "tessera/hlo/byte_source.h"

namespace tessera {
namespace cli {

// Shows progress while it is read.
class InputFile : public ByteSource {
 public:
  // Opens the file `name`, or standard input if that is `-`. Relative names
  // start at console->working_directory. Errors, here and when reading, have
  // the message of the system, except for standard input.
  static absl::StatusOr<std::unique_ptr<InputFile>> Open(
      const std::string& name, Console* console);
  ~InputFile() override;

  absl::StatusOr<size_t> Read(char* data, size_t size) override;
  int64_t bytes_consumed() const override { return source_->bytes_consumed(); }

  // Goes back to where the reading began. Returns false if that is not
  // possible, as on a pipe.
  bool Rewind();

 private:
  InputFile(const std::string& name, Console* console)
      : is_stdin_(name == kStdinArgument), console_(console) {}

  absl::Status FromStdin();
  absl::Status FromFile(const std::string& name);
  void StartOver();

  const bool is_stdin_;
  Console* const console_;
  int descriptor_ = -1;  // -1 where the bytes are in memory
  int64_t start_ = 0;    // of a descriptor that can seek, else -1
  std::string memory_;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<Progress> progress_;
};

// Returns all that the file `name` holds.
absl::StatusOr<std::string> ReadInputFile(const std::string& name,
                                          Console* console);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_FILES_INPUT_FILE_H_
