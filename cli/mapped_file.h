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
// Regular files are mapped, so that their size costs no memory; pipes, standard
// input and output, and devices are read into memory and written from it.
// Nothing is unpacked.
//
// A file must not be cut short by others while it is mapped: what was mapped
// and is no more ends the process.

#ifndef TESSERA_CLI_MAPPED_FILE_H_
#define TESSERA_CLI_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/cli/console.h"

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
        size_(std::exchange(other.size_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Pages();

  absl::Span<uint8_t> bytes() const {
    return absl::MakeSpan(data_, static_cast<size_t>(size_));
  }

 private:
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
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

 private:
  friend class MappedOutput;

  Pages pages_;
  size_t offset_ = 0;  // of the first byte in pages_
  bool is_mapped_ = false;
  std::string memory_;  // where nothing is mapped
  bool is_cut_ = false;
  // Which file it is, if it is a regular one.
  absl::optional<std::pair<uint64_t, uint64_t>> identity_;
};

class MappedOutput {
 public:
  // Makes the file `name` one of `size` bytes, all zero, or stands for standard
  // output where it is `-`. What was in the file is lost.
  //
  // Errors: kInvalidArgument if the file is that of `input`, which is left as
  // it is; kUnavailable, with what the system says; kResourceExhausted if there
  // is not as much memory.
  static absl::StatusOr<MappedOutput> Create(const std::string& name,
                                             int64_t size,
                                             const MappedInput& input,
                                             Console* console);

  MappedOutput(MappedOutput&& other) noexcept
      : pages_(std::move(other.pages_)),
        console_(other.console_),
        descriptor_(std::exchange(other.descriptor_, -1)),
        is_written_(other.is_written_) {}
  MappedOutput& operator=(MappedOutput&&) = delete;
  ~MappedOutput();

  absl::Span<uint8_t> bytes() const { return pages_.bytes(); }

  // Writes what is not mapped. Errors: kUnavailable; those of standard output
  // are the state of console->out.
  absl::Status Finish();

 private:
  explicit MappedOutput(Console* console) : console_(console) {}

  Pages pages_;
  Console* console_;
  int descriptor_ = -1;  // of what cannot be mapped, less standard output
  bool is_written_ = true;
};

}  // namespace tessera

#endif  // TESSERA_CLI_MAPPED_FILE_H_
