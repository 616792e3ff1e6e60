#include "tessera/base/files/file_bytes.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

using ::testing::StartsWith;

std::string Gzipped(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
                         Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef*>(&out[0]);
  stream.avail_out = out.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string FileWith(std::string_view contents) {
  static int number = 0;
  const std::string name =
      absl::StrCat(testing::TempDir(), "/file_bytes_", number++);
  std::ofstream(name, std::ios::binary) << contents;
  return name;
}

// What OfDescriptor makes of a pipe that brings `contents`, which fit into it.
absl::StatusOr<FileBytes> ThroughPipe(std::string_view contents,
                                      const FileOptions& options = {}) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_EQ(write(ends[1], contents.data(), contents.size()), contents.size());
  close(ends[1]);
  absl::StatusOr<FileBytes> file = FileBytes::OfDescriptor(ends[0], options);
  close(ends[0]);
  return file;
}

// Text that gzip packs well.
std::string Lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) absl::StrAppend(&text, "line ", i, "\n");
  return text;
}

TEST(FileBytes, EveryWayIn) {
  const std::string lines = Lines(200);
  for (const std::string& text : {std::string(), std::string("x"), lines}) {
    EXPECT_EQ(FileBytes::Open(FileWith(text))->text(), text);
    EXPECT_EQ(FileBytes::Open(FileWith(Gzipped(text)))->text(), text);
    EXPECT_EQ(ThroughPipe(text)->text(), text);
    EXPECT_EQ(ThroughPipe(Gzipped(text))->text(), text);
    std::istringstream in(text), packed(Gzipped(text));
    EXPECT_EQ(FileBytes::OfStream(&in)->text(), text);
    EXPECT_EQ(FileBytes::OfStream(&packed)->text(), text);
    EXPECT_EQ(FileBytes::OfText(text).text(), text);
  }
  EXPECT_EQ(FileBytes().text(), "");
  EXPECT_EQ(FileBytes().bytes().size(), 0);
}

TEST(FileBytes, Moved) {
  FileBytes mapped = *FileBytes::Open(FileWith("mapped"));
  FileBytes held = FileBytes::OfText("held");
  std::swap(mapped, held);
  EXPECT_EQ(mapped.text(), "held");
  EXPECT_EQ(held.text(), "mapped");
}

TEST(FileBytes, FromWhereTheDescriptorStands) {
  const int descriptor = open(FileWith("abcdef").c_str(), O_RDONLY);
  ASSERT_EQ(lseek(descriptor, 2, SEEK_SET), 2);
  EXPECT_EQ(FileBytes::OfDescriptor(descriptor)->text(), "cdef");
  ASSERT_EQ(lseek(descriptor, 10, SEEK_SET), 10);
  EXPECT_EQ(FileBytes::OfDescriptor(descriptor)->text(), "");
  close(descriptor);
}

TEST(FileBytes, FilesThatDoNotKnowTheirSize) {
  EXPECT_TRUE(tessera::StartsWith(FileBytes::Open("/proc/self/status")->text(),
                                  "Name"));
}

// As gunzip has it.
TEST(FileBytes, SeveralMembersAreOneText) {
  const std::string text = Lines(1000);
  const std::string packed = Gzipped(text.substr(0, 3000)) +
                             Gzipped(text.substr(3000)) + "\x1Ftrailing";
  EXPECT_EQ(FileBytes::Open(FileWith(packed))->text(), text);
}

TEST(FileBytes, PackedBytesStayPackedIfAsked) {
  FileOptions options;
  options.unpack_gzip = false;
  const std::string packed = Gzipped("text");
  EXPECT_EQ(FileBytes::Open(FileWith(packed), options)->text(), packed);
}

TEST(FileBytes, BrokenGzip) {
  const std::string packed = Gzipped(Lines(1000));
  EXPECT_EQ(FileBytes::Open(FileWith(packed.substr(0, packed.size() / 2)))
                .status()
                .ToString(),
            "DATA_LOSS: the gzip data ends too early");
  EXPECT_EQ(FileBytes::Open(FileWith("\x1F\x8B")).status().ToString(),
            "DATA_LOSS: the gzip data ends too early");
  std::string broken = packed;
  broken[packed.size() / 2] ^= 0x55;
  EXPECT_THAT(FileBytes::Open(FileWith(broken)).status().ToString(),
              StartsWith("DATA_LOSS: the gzip data is corrupt"));
}

TEST(FileBytes, WhatCannotBeRead) {
  EXPECT_EQ(FileBytes::Open("/missing").status().ToString(),
            "UNAVAILABLE: cannot be read: No such file or directory");
  EXPECT_EQ(FileBytes::Open("/").status().ToString(),
            "UNAVAILABLE: cannot be read: Is a directory");
}

TEST(FileBytes, Limit) {
  const std::string text = Lines(100);
  const std::string packed = Gzipped(text);
  FileOptions options;
  options.memory_limit = text.size();
  EXPECT_EQ(FileBytes::Open(FileWith(packed), options)->text(), text);
  EXPECT_EQ(ThroughPipe(text, options)->text(), text);
  EXPECT_FALSE(ThroughPipe(text, options)->is_cut());
  options.memory_limit = text.size() - 1;
  // What is mapped takes no memory.
  EXPECT_EQ(FileBytes::Open(FileWith(text), options)->text(), text);
  EXPECT_EQ(FileBytes::Open(FileWith(packed), options).status().ToString(),
            absl::StrCat("RESOURCE_EXHAUSTED: takes more than the limit of ",
                         text.size() - 1, " bytes of memory when its ",
                         packed.size(), " bytes are decompressed"));
  EXPECT_EQ(ThroughPipe(text, options).status().ToString(),
            absl::StrCat("RESOURCE_EXHAUSTED: takes more than the limit of ",
                         text.size() - 1, " bytes of memory"));
  options.cut_at_limit = true;
  const absl::StatusOr<FileBytes> cut = ThroughPipe(text, options);
  EXPECT_TRUE(cut->is_cut());
  EXPECT_EQ(cut->text(), text.substr(0, text.size() - 1));
  EXPECT_EQ(FileBytes::Open(FileWith(packed), options)->text(), cut->text());
  // Packed bytes that are cut cannot be unpacked.
  options.memory_limit = packed.size() - 1;
  EXPECT_EQ(ThroughPipe(packed, options)->text(),
            packed.substr(0, packed.size() - 1));
  options.memory_limit = 0;
  EXPECT_EQ(ThroughPipe(text, options)->text(), "");
}

TEST(FileBytes, TellsItsProgress) {
  std::vector<int64_t> told_done, told_unpacked;
  FileOptions options;
  options.progress = [&](int64_t done, int64_t unpacked) {
    told_done.push_back(done);
    told_unpacked.push_back(unpacked);
  };
  const std::string text = Lines(200000);
  const std::string packed = Gzipped(text);
  ASSERT_TRUE(FileBytes::Open(FileWith(packed), options).ok());
  ASSERT_GT(told_done.size(), 1);
  EXPECT_TRUE(std::is_sorted(told_done.begin(), told_done.end()));
  EXPECT_TRUE(std::is_sorted(told_unpacked.begin(), told_unpacked.end()));
  EXPECT_EQ(told_done.back(), packed.size());
  EXPECT_EQ(told_unpacked.back(), text.size());
  told_done.clear();
  told_unpacked.clear();
  ASSERT_TRUE(ThroughPipe("text", options).ok());
  EXPECT_EQ(told_done, std::vector<int64_t>({4}));
  EXPECT_EQ(told_unpacked, told_done);
}

TEST(FileBytes, SaysThatAFileWasCutShort) {
  const std::string name = FileWith("abcd");
  const absl::StatusOr<FileBytes> file = FileBytes::Open(name);
  EXPECT_TRUE(file->IsWhole());
  ASSERT_EQ(truncate(name.c_str(), 2), 0);
  EXPECT_FALSE(file->IsWhole());
}

}  // namespace
}  // namespace tessera
