#include "tessera/hlo/byte_index.h"

#include <random>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(ByteIndex, TheExampleOfTheHeader) {
  ByteIndex index("name = f32[2]");
  EXPECT_EQ(index.Find(ByteIndex::kNameEnd, 0), 4);
  EXPECT_EQ(index.Find(ByteIndex::kBracketStop, 4), 10);
  EXPECT_EQ(index.Find(ByteIndex::kQuote, 0), 13);
}

bool IsOf(ByteIndex::Class c, char byte) {
  switch (c) {
    case ByteIndex::kNameEnd:
      return absl::string_view(
                 "abcdefghijklmnopqrstuvwxyz"
                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
                 .find(byte) == absl::string_view::npos;
    case ByteIndex::kBracketStop:
      return absl::string_view("()[]{}\"'/\n").find(byte) !=
             absl::string_view::npos;
    case ByteIndex::kDictionaryStop:
      return absl::string_view("{}\"\n").find(byte) != absl::string_view::npos;
    case ByteIndex::kQuote:
      return byte == '"';
  }
  return false;
}

size_t SlowFind(absl::string_view text, ByteIndex::Class c, size_t offset) {
  while (offset < text.size() && !IsOf(c, text[offset])) ++offset;
  return offset;
}

constexpr ByteIndex::Class kAllClasses[] = {
    ByteIndex::kNameEnd, ByteIndex::kBracketStop, ByteIndex::kDictionaryStop,
    ByteIndex::kQuote};

TEST(ByteIndex, EveryByteIsOfItsClasses) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    for (ByteIndex::Class c : kAllClasses) {
      EXPECT_EQ(ByteIndex(text).Find(c, 0), SlowFind(text, c, 0))
          << byte << " " << c;
    }
  }
}

// Texts of every length round the sizes of blocks and windows, forward and at
// random.
TEST(ByteIndex, AgreesWithALoop) {
  std::mt19937 random(1);
  for (size_t size : {0, 1, 63, 64, 65, 127, 2047, 2048, 2049, 9000}) {
    for (int density : {2, 100, 5000}) {
      std::string text(size, 'x');
      for (char& byte : text) {
        if (random() % density == 0) byte = static_cast<char>(random());
      }
      ByteIndex index(text);
      for (ByteIndex::Class c : kAllClasses) {
        size_t at = 0;
        while (at < size) {
          const size_t found = index.Find(c, at);
          ASSERT_EQ(found, SlowFind(text, c, at));
          at = found + 1;
        }
        for (int i = 0; i < 50; ++i) {
          const size_t offset = random() % (size + 1);
          ASSERT_EQ(index.Find(c, offset), SlowFind(text, c, offset));
        }
      }
    }
  }
}

TEST(ByteIndex, EmptyText) {
  EXPECT_EQ(ByteIndex(absl::string_view()).Find(ByteIndex::kQuote, 0), 0);
}

}  // namespace
}  // namespace tessera
