#include "tessera/hlo/byte_source.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace {

constexpr absl::string_view kGzipMagic = "\x1F\x8B";

class DescriptorSource : public ByteSource {
 public:
  explicit DescriptorSource(int descriptor) : descriptor_(descriptor) {}

  absl::StatusOr<size_t> Read(char* data, size_t size) override {
    while (true) {
      const ssize_t got = ::read(descriptor_, data, size);
      if (got >= 0) {
        consumed_ += got;
        return static_cast<size_t>(got);
      }
      if (errno != EINTR) {
        return absl::UnavailableError(
            absl::StrCat("cannot be read: ", std::strerror(errno)));
      }
    }
  }
  int64_t bytes_consumed() const override { return consumed_; }

 private:
  const int descriptor_;
  int64_t consumed_ = 0;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(absl::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<size_t> Read(char* data, size_t size) override {
    size = std::min(size, bytes_.size() - consumed_);
    std::copy_n(bytes_.data() + consumed_, size, data);
    consumed_ += size;
    return size;
  }
  int64_t bytes_consumed() const override { return consumed_; }

 private:
  const absl::string_view bytes_;
  size_t consumed_ = 0;
};

// Passes on what another source gives, unpacked if it is gzip's.
class UnpackingSource : public ByteSource {
 public:
  explicit UnpackingSource(std::unique_ptr<ByteSource> packed)
      : packed_(std::move(packed)) {}
  ~UnpackingSource() override {
    if (state_ == State::kGzip) inflateEnd(&stream_);
  }

  absl::StatusOr<size_t> Read(char* data, size_t size) override {
    if (state_ == State::kUnknown) {
      const absl::Status status = Begin();
      if (!status.ok()) return status;
    }
    if (state_ == State::kGzip) return Unpack(data, size);
    if (held_.empty()) return packed_->Read(data, size);
    size = std::min(size, held_.size());
    std::copy_n(held_.data(), size, data);
    held_.remove_prefix(size);
    return size;
  }
  int64_t bytes_consumed() const override {
    return packed_->bytes_consumed() - held_.size();
  }

 private:
  enum class State { kUnknown, kPlain, kGzip };

  // Reads the first bytes, on which everything depends.
  absl::Status Begin() {
    buffer_.resize(kBufferSize);
    size_t size = 0;
    while (size < kGzipMagic.size()) {
      absl::StatusOr<size_t> got =
          packed_->Read(buffer_.data() + size, buffer_.size() - size);
      if (!got.ok()) return got.status();
      if (*got == 0) break;
      size += *got;
    }
    held_ = absl::string_view(buffer_.data(), size);
    state_ = State::kPlain;
    if (!IsGzip(held_)) return absl::OkStatus();
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      return absl::ResourceExhaustedError("no memory to unpack with");
    }
    state_ = State::kGzip;
    return absl::OkStatus();
  }

  absl::StatusOr<size_t> Unpack(char* data, size_t size) {
    // zlib counts in 32 bits.
    size = std::min(size, kBufferSize);
    while (true) {
      if (held_.empty() && !at_end_) {
        absl::StatusOr<size_t> got =
            packed_->Read(buffer_.data(), buffer_.size());
        if (!got.ok()) return got.status();
        held_ = absl::string_view(buffer_.data(), *got);
        at_end_ = *got == 0;
      }
      if (between_members_) {
        // What gunzip calls trailing garbage is left alone, as it does.
        if (held_.empty() || held_[0] != kGzipMagic[0]) return 0;
        inflateReset(&stream_);
        between_members_ = false;
      }
      stream_.next_in =
          reinterpret_cast<Bytef*>(const_cast<char*>(held_.data()));
      stream_.avail_in = held_.size();
      stream_.next_out = reinterpret_cast<Bytef*>(data);
      stream_.avail_out = size;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      held_.remove_prefix(held_.size() - stream_.avail_in);
      between_members_ = result == Z_STREAM_END;
      const size_t got = size - stream_.avail_out;
      if (got > 0) return got;
      if (result == Z_STREAM_END) continue;
      if (at_end_) {
        return absl::DataLossError("the gzip data ends too early");
      }
      if (result != Z_OK && result != Z_BUF_ERROR) {
        return absl::DataLossError(absl::StrCat(
            "the gzip data is broken",
            stream_.msg == nullptr ? "" : absl::StrCat(": ", stream_.msg)));
      }
    }
  }

  static constexpr size_t kBufferSize = 256 * 1024;

  const std::unique_ptr<ByteSource> packed_;
  State state_ = State::kUnknown;
  std::vector<char> buffer_;
  absl::string_view held_;  // of buffer_, not passed on yet
  bool at_end_ = false;
  bool between_members_ = false;
  z_stream stream_ = {};
};

}  // namespace

bool IsGzip(absl::string_view bytes) {
  return absl::StartsWith(bytes, kGzipMagic);
}

std::unique_ptr<ByteSource> MakeByteSource(int file_descriptor) {
  return std::make_unique<UnpackingSource>(
      std::make_unique<DescriptorSource>(file_descriptor));
}

std::unique_ptr<ByteSource> MakeByteSource(absl::string_view bytes) {
  return std::make_unique<UnpackingSource>(
      std::make_unique<MemorySource>(bytes));
}

absl::StatusOr<std::string> ReadAll(ByteSource* source) {
  std::string text;
  size_t size = 0;
  while (true) {
    constexpr size_t kLeast = 64 * 1024;
    if (text.size() - size < kLeast) {
      text.resize(std::max(2 * text.size(), 2 * kLeast));
    }
    absl::StatusOr<size_t> got = source->Read(&text[size], text.size() - size);
    if (!got.ok()) return got.status();
    if (*got == 0) break;
    size += *got;
  }
  text.resize(size);
  return text;
}

}  // namespace tessera
