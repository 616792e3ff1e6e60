// Decompresses gzip bytes.
//
//   std::string text;
//   absl::Status status = Unpack(packed, /*limit=*/1 << 30, {}, &text);

#ifndef TESSERA_BASE_FILES_GZIP_H_
#define TESSERA_BASE_FILES_GZIP_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace tessera {

// Returns whether `bytes` begins like a gzip file: with 0x1F 0x8B, which is not
// the beginning of any text.
bool IsGzip(std::string_view bytes);

// Appends the decompressed contents of `packed` to `unpacked`, but at most
// `limit` + 1 bytes: the extra byte shows the caller that there are more.
// Several members are one text, and bytes after the last member are ignored, as
// in gunzip. `progress`, if set, receives the number of bytes of `packed` that
// are done, and the size of `unpacked`.
//
// Errors: kDataLoss if the bytes are broken or end too early;
// kResourceExhausted if there is not enough memory to decompress it.
absl::Status Unpack(std::string_view packed, int64_t limit,
                    const std::function<void(int64_t, int64_t)>& progress,
                    std::string* unpacked);

}  // namespace tessera

#endif  // TESSERA_BASE_FILES_GZIP_H_
