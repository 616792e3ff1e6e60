// File: cli/mapped_file.h
//
// Files of plain bytes as memory: one to read from, one to write to.
//
//   absl::StatusOr<MappedInput> in = MappedInput::Open("a.bin", 1024, console);
//   absl::StatusOr<MappedOutput> out =
//       MappedOutput::Create("b.bin", 2048, *in, console);
//   Move(in->bytes(), out->bytes());
//   absl::Status status = out->Finish();
//
// Regular files are mapped, so that their size costs no memory; what cannot be
// mapped, as pipes, is read into memory and written from it. Nothing is
// unpacked.
//
// A file that others cut short while it is mapped ends the process where it is
// touched: see fatal_signals.h.

#ifndef TESSERA_CLI_MAPPED_FILE_H_
#define TESSERA_CLI_MAPPED_FILE_H_

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
#include "tessera/cli/console.h"
#include "tessera/cli/output_file.h"

namespace tessera {

// Pages of memory, given back in the end.
class Pages {
 public:
  // Zeros. Errors: kResourceExhausted if there is not as much memory.
  static absl::StatusOr<Pages> Zeroed(int64_t size);
  // The first `size` bytes of a file. Errors: kUnavailable, with what the
  // system says.
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
  // Whether the file, if they are those of one, still has all of them. What it
  // has lost of its last page reads as zeros.
  bool IsWhole() const;

 private:
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  int file_ = -1;
};

class MappedInput {
 public:
  // The file `name`, or standard input where it is `-`. Relative names start at
  // console->working_directory. Of what cannot be mapped, `limit` bytes are
  // read and no more.
  //
  // Errors: kUnavailable, with what the system says, but not of standard input.
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
  // Whether there is more than bytes(), past the limit.
  bool is_cut() const { return is_cut_; }
  // Whether bytes() are still what was opened: false if the file was cut short.
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
  // `size` bytes, all zero, that the file `name` shall hold, or standard output
  // where it is `-`. The file is as it was until Finish().
  //
  // Errors: those of OutputFile::Open, which knows `input` from it;
  // kResourceExhausted if there is not as much memory.
  static absl::StatusOr<MappedOutput> Create(const std::string& name,
                                             int64_t size,
                                             const MappedInput& input,
                                             Console* console);

  absl::Span<uint8_t> bytes() const { return pages_.bytes(); }

  // Makes bytes() what the file holds. Errors: those of OutputFile::Write.
  absl::Status Finish();

 private:
  MappedOutput(std::unique_ptr<OutputFile> file, Pages pages)
      : file_(std::move(file)), pages_(std::move(pages)) {}

  std::unique_ptr<OutputFile> file_;
  Pages pages_;
};

}  // namespace tessera

#endif  // TESSERA_CLI_MAPPED_FILE_H_
