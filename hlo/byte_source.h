// File: hlo/byte_source.h
//
// Where do the bytes of a dump come from? From a file descriptor, a pipe or
// memory, compressed by gzip or not.
//
//   auto source = MakeByteSource(open("dump.txt.gz", O_RDONLY));
//   std::string text = *ReadAll(source.get());
//
// Whether the bytes are gzip's is told by the first two, 0x1F 0x8B, which no
// text begins with. Several gzip members behind one another are one text, as
// gunzip has it.

#ifndef TESSERA_HLO_BYTE_SOURCE_H_
#define TESSERA_HLO_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tessera {

// Whether `bytes` begins as gzip's do.
bool IsGzip(absl::string_view bytes);

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Reads at most `size` bytes to `data` and returns how many: 0 at the end
  // only. Errors: kUnavailable if the operating system will not, kDataLoss if
  // compressed bytes are broken or end too early.
  virtual absl::StatusOr<size_t> Read(char* data, size_t size) = 0;

  // How many bytes were taken from the file itself, compressed or not: for
  // showing progress.
  virtual int64_t bytes_consumed() const = 0;
};

// From a file descriptor, which stays the caller's, or from memory that
// outlives the source. Both look for gzip.
std::unique_ptr<ByteSource> MakeByteSource(int file_descriptor);
std::unique_ptr<ByteSource> MakeByteSource(absl::string_view bytes);

// All that is left of `source`. Errors: those of Read.
absl::StatusOr<std::string> ReadAll(ByteSource* source);

}  // namespace tessera

#endif  // TESSERA_HLO_BYTE_SOURCE_H_
