// The bytes of a file, decompressed if it is a gzip file.
//
//   absl::StatusOr<FileBytes> file = FileBytes::Open("/dev/null");
//   file->text();                                  // ""
//   FileBytes::Open("/no/such/dump.txt.gz").status();
//       // UNAVAILABLE: cannot be read: No such file or directory
//
// ParseHlo (hlo/parse_hlo.h) takes one and keeps it open.
//
// A regular file is mapped and takes no memory of its own: the system can drop
// its pages at any time. A file that cannot be mapped, such as a pipe, is read
// into memory, and a compressed file is decompressed into memory.
//
// If another process truncates a file while it is mapped, reading the missing
// part raises SIGBUS.

#ifndef TESSERA_BASE_FILES_FILE_BYTES_H_
#define TESSERA_BASE_FILES_FILE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/files/pages.h"

namespace tessera {

struct FileOptions {
  // The most bytes that are read or decompressed into memory. Mapped bytes do
  // not count. Not negative.
  int64_t memory_limit = std::numeric_limits<int64_t>::max();
  // Whether to cut a longer file at the limit, so that FileBytes::is_cut() is
  // true. Otherwise it is an error.
  bool cut_at_limit = false;
  // Whether to decompress bytes that begin like a gzip file.
  bool unpack_gzip = true;
  // If set, is called while the file is read or decompressed, with the number
  // of bytes of the file that are done and the number of decompressed bytes.
  std::function<void(int64_t done, int64_t unpacked)> progress;
};

class FileBytes {
 public:
  // Creates an object without bytes.
  FileBytes() = default;

  // Opens the file `name`.
  //
  // Errors, also of OfDescriptor and OfStream: kUnavailable if the file cannot
  // be read, with the system's message if there is one; kResourceExhausted if
  // it exceeds the limit; kDataLoss if compressed bytes are corrupt or end too
  // early.
  static absl::StatusOr<FileBytes> Open(const std::string& name,
                                        const FileOptions& options = {});
  // Reads an open file from its current offset to its end. The caller still
  // owns the descriptor, whose offset afterwards is unspecified.
  static absl::StatusOr<FileBytes> OfDescriptor(
      int descriptor, const FileOptions& options = {});
  // Reads the rest of a stream.
  static absl::StatusOr<FileBytes> OfStream(std::istream* in,
                                            const FileOptions& options = {});
  // Returns an object that holds `text`.
  static FileBytes OfText(std::string text);

  FileBytes(FileBytes&&) = default;
  FileBytes& operator=(FileBytes&&) = default;

  // Views are valid until the object is moved or destroyed.
  std::string_view text() const {
    if (!is_mapped_) return memory_;
    const absl::Span<const uint8_t> mapped = pages_.bytes().subspan(offset_);
    return std::string_view(reinterpret_cast<const char*>(mapped.data()),
                            mapped.size());
  }
  absl::Span<const uint8_t> bytes() const {
    return absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(text().data()),
                               text().size());
  }
  // Returns whether the file has more bytes than the limit.
  bool is_cut() const { return is_cut_; }
  // Returns false if the file was truncated after it was opened.
  bool IsWhole() const { return pages_.IsWhole(); }

 private:
  absl::Status Map(int descriptor);
  absl::Status ReadDescriptor(int descriptor, const FileOptions& options);
  absl::Status ReadStream(std::istream* in, const FileOptions& options);
  // Unpacks the bytes that were read or mapped.
  absl::Status Finish(const FileOptions& options);
  // `when` ends the message with the purpose of the memory.
  absl::Status CheckLimit(const FileOptions& options, std::string_view when);

  Pages pages_;
  size_t offset_ = 0;  // of the first byte in pages_
  bool is_mapped_ = false;
  std::string memory_;  // where nothing is mapped
  bool is_cut_ = false;
};

}  // namespace tessera

#endif  // TESSERA_BASE_FILES_FILE_BYTES_H_
