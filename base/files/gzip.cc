#include "tessera/base/files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B";

absl::Status NoMemory() {
  return absl::ResourceExhaustedError(
      "there is not enough memory to decompress it");
}

}  // namespace

bool IsGzip(std::string_view bytes) { return StartsWith(bytes, kGzipMagic); }

absl::Status Unpack(std::string_view packed, int64_t limit,
                    const std::function<void(int64_t, int64_t)>& progress,
                    std::string* unpacked) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) {
    return NoMemory();
  }
  const absl::Cleanup end = [&stream] { inflateEnd(&stream); };
  constexpr size_t kBlock = size_t{1} << 18;
  const std::unique_ptr<char[]> block(new char[kBlock]);
  size_t done = 0;
  while (static_cast<int64_t>(unpacked->size()) <= limit) {
    const std::string_view rest = packed.substr(done);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
    // zlib counts in 32 bits.
    const size_t taken = std::min(rest.size(), kBlock);
    stream.avail_in = taken;
    stream.next_out = reinterpret_cast<Bytef*>(block.get());
    const uint64_t left = limit - unpacked->size() + 1;
    const size_t most = std::min<uint64_t>(kBlock, left);
    stream.avail_out = most;
    const int result = inflate(&stream, Z_NO_FLUSH);
    done += taken - stream.avail_in;
    const size_t got = most - stream.avail_out;
    unpacked->append(block.get(), got);
    if (progress) progress(done, unpacked->size());
    if (result == Z_STREAM_END) {
      if (!IsGzip(packed.substr(done))) break;
      inflateReset(&stream);
    } else if (result == Z_MEM_ERROR) {
      return NoMemory();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return absl::DataLossError(absl::StrCat(
          "the gzip data is corrupt",
          stream.msg == nullptr ? "" : absl::StrCat(": ", stream.msg)));
    } else if (got == 0 && done == packed.size()) {
      return absl::DataLossError("the gzip data ends too early");
    }
  }
  return absl::OkStatus();
}

}  // namespace tessera
