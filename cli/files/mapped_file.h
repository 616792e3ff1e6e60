// File: cli/files/mapped_file.h
//
// Files of plain bytes as memory: one to read from, one to write to.
//
//   absl::StatusOr<MappedInput> in = MappedInput::Open("a.bin", 1024, console);
//   absl::StatusOr<MappedOutput> out =
//       MappedOutput::Create("b.bin", 2048, *in, console);
//   Move(in->bytes(), out->bytes());
//   absl::Status status = out->Finish();
//
// Regular files are mapped, so that their size costs no memory. What cannot be
// mapped, such as a pipe, is read into memory and written from it. Nothing is
// decompressed.
//
// If another process cuts a file short while it is mapped, touching the missing
// part ends this process: see fatal_signals.h.

#ifndef TESSERA_CLI_FILES_MAPPED_FILE_H_
#define TESSERA_CLI_FILES_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/output/console.h"

namespace tessera {
namespace cli {

// Pages of memory. The destructor releases them.
class Pages {
 public:
  // Pages of zeros. Errors: kResourceExhausted if there is not enough memory.
  static absl::StatusOr<Pages> Zeroed(int64_t size);
  // The first `size` bytes of a file. Errors: kUnavailable, with the message of
  // the system.
  static absl::StatusOr<Pages> OfFile(int descriptor, int64_t size,
                                      bool writable);

  Pages() = default;
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        file_(std::exchange(other.file_, -1)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~Pages();

  absl::Span<uint8_t> bytes() const {
    return absl::MakeSpan(data_, static_cast<size_t>(size_));
  }
  // Returns whether the file, if these are pages of one, still has all of them.
  // What it has lost of its last page reads as zeros.
  bool IsWhole() const;

 private:
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  int file_ = -1;
};

class MappedInput {
 public:
  // Opens the file `name`, or standard input if that is `-`. Relative names
  // start at console->working_directory. Reads at most `limit` bytes of what
  // cannot be mapped.
  //
  // Errors: kUnavailable, with the message of the system, except for standard
  // input.
  static absl::StatusOr<MappedInput> Open(const std::string& name,
                                          int64_t limit, Console* console);

  absl::Span<const uint8_t> bytes() const {
    if (is_mapped_) return pages_.bytes().subspan(offset_);
    return absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(memory_.data()),
                               memory_.size());
  }
  absl::string_view text() const {
    const absl::Span<const uint8_t> all = bytes();
    return absl::string_view(reinterpret_cast<const char*>(all.data()),
                             all.size());
  }
  // Returns whether the input exceeds the limit and bytes() are only a part.
  bool is_cut() const { return is_cut_; }
  // Returns whether bytes() are still what was opened; false if the file was
  // cut short.
  bool IsWhole() const { return pages_.IsWhole(); }

 private:
  friend class MappedOutput;

  Pages pages_;
  size_t offset_ = 0;  // of the first byte in pages_
  bool is_mapped_ = false;
  std::string memory_;  // where nothing is mapped
  bool is_cut_ = false;
  absl::optional<FileIdentity> identity_;  // if it is a regular file
};

class MappedOutput {
 public:
  // Makes `size` bytes, all zero, that become the file `name`, or are written
  // to standard output if that is `-`. The file stays as it was until Finish().
  //
  // Errors: those of OutputFile::Open, which knows `input` from it;
  // kResourceExhausted if there is not enough memory.
  static absl::StatusOr<MappedOutput> Create(const std::string& name,
                                             int64_t size,
                                             const MappedInput& input,
                                             Console* console);

  absl::Span<uint8_t> bytes() const { return pages_.bytes(); }

  // Makes bytes() the contents of the file. Errors: those of OutputFile::Write.
  absl::Status Finish();

 private:
  MappedOutput(std::unique_ptr<OutputFile> file, Pages pages)
      : file_(std::move(file)), pages_(std::move(pages)) {}

  std::unique_ptr<OutputFile> file_;
  Pages pages_;
};

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_FILES_MAPPED_FILE_H_
