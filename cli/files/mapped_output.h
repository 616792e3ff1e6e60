// An output file that is written to as memory.
//
//   absl::StatusOr<MappedOutput> out =
//       MappedOutput::Create("b.bin", 2048, IdentityOf("a.bin", console),
//                            console);
//   Move(in, out->bytes());
//   absl::Status status = out->Finish();
//
// A regular file is mapped, so that its size costs no memory. An output that
// cannot be mapped, such as a pipe, is written from memory.

#ifndef TESSERA_CLI_FILES_MAPPED_OUTPUT_H_
#define TESSERA_CLI_FILES_MAPPED_OUTPUT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/files/pages.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

class MappedOutput {
 public:
  // Makes `size` bytes, all zero, that become the file `name`, or are written
  // to standard output if that is `-`. The file is unchanged until Finish().
  //
  // Errors: those of OutputFile::Open, which gets `input`; kResourceExhausted
  // if there is not enough memory.
  static absl::StatusOr<MappedOutput> Create(
      const std::string& name, int64_t size,
      const std::optional<FileIdentity>& input, Console* console);

  absl::Span<uint8_t> bytes() const { return pages_.bytes(); }

  // Makes bytes() the contents of the file. Errors: those of OutputFile::Write;
  // kUnavailable if standard output does not accept all of it, because a part
  // of an array is useless, unlike the first lines of a text.
  absl::Status Finish();

 private:
  MappedOutput(std::unique_ptr<OutputFile> file, Pages pages, Console* console)
      : file_(std::move(file)), pages_(std::move(pages)), console_(console) {}

  std::unique_ptr<OutputFile> file_;
  Pages pages_;
  Console* console_;
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_FILES_MAPPED_OUTPUT_H_
