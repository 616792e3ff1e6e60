#include "tessera/hlo/reader/byte_index.h"

#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace tessera {
namespace hlo_internal {
namespace {

TEST(ByteIndex, TheExampleOfTheHeader) {
  ByteIndex index("name = f32[2]");
  EXPECT_EQ(index.Find<ByteIndex::kNameEnd>(0), 4);
  EXPECT_EQ((index.Find<ByteIndex::kBracket, ByteIndex::kQuote>(4)), 10);
  EXPECT_EQ(index.Find<ByteIndex::kQuote>(0), 13);
}

bool IsOneOf(std::string_view bytes, char byte) {
  return bytes.find(byte) != std::string_view::npos;
}

bool IsOf(ByteIndex::Class c, char byte) {
  switch (c) {
    case ByteIndex::kNameEnd:
      return std::string_view(
                 "abcdefghijklmnopqrstuvwxyz"
                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
                 .find(byte) == std::string_view::npos;
    case ByteIndex::kBracket:
      return IsOneOf("()[]{}", byte);
    case ByteIndex::kBrace:
      return IsOneOf("{}", byte);
    case ByteIndex::kQuote:
      return byte == '"';
    case ByteIndex::kApostropheOrSlash:
      return IsOneOf("'/", byte);
    case ByteIndex::kBackslashOrLineBreak:
      return IsOneOf("\\\n", byte);
    case ByteIndex::kSpace:
      return byte == ' ';
  }
  return false;
}

size_t SlowFind(std::string_view text, ByteIndex::Class c, size_t offset) {
  while (offset < text.size() && !IsOf(c, text[offset])) ++offset;
  return offset;
}

size_t Find(ByteIndex* index, ByteIndex::Class c, size_t offset) {
  switch (c) {
    case ByteIndex::kNameEnd:
      return index->Find<ByteIndex::kNameEnd>(offset);
    case ByteIndex::kBracket:
      return index->Find<ByteIndex::kBracket>(offset);
    case ByteIndex::kBrace:
      return index->Find<ByteIndex::kBrace>(offset);
    case ByteIndex::kQuote:
      return index->Find<ByteIndex::kQuote>(offset);
    case ByteIndex::kApostropheOrSlash:
      return index->Find<ByteIndex::kApostropheOrSlash>(offset);
    case ByteIndex::kBackslashOrLineBreak:
      return index->Find<ByteIndex::kBackslashOrLineBreak>(offset);
    case ByteIndex::kSpace:
      return index->Find<ByteIndex::kSpace>(offset);
  }
  return 0;
}

constexpr ByteIndex::Class kAllClasses[] = {ByteIndex::kNameEnd,
                                            ByteIndex::kBracket,
                                            ByteIndex::kBrace,
                                            ByteIndex::kQuote,
                                            ByteIndex::kApostropheOrSlash,
                                            ByteIndex::kBackslashOrLineBreak,
                                            ByteIndex::kSpace};

TEST(ByteIndex, EveryByteIsOfItsClasses) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    ByteIndex index(text);
    for (ByteIndex::Class c : kAllClasses) {
      EXPECT_EQ(Find(&index, c, 0), SlowFind(text, c, 0)) << byte << " " << c;
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
          const size_t found = Find(&index, c, at);
          ASSERT_EQ(found, SlowFind(text, c, at));
          at = found + 1;
        }
        for (int i = 0; i < 50; ++i) {
          const size_t offset = random() % (size + 1);
          ASSERT_EQ(Find(&index, c, offset), SlowFind(text, c, offset));
        }
      }
    }
  }
}

TEST(CountLineBreaks, OfTextsOfAnyLength) {
  EXPECT_EQ(CountLineBreaks(""), 0);
  std::string text;
  int64_t want = 0;
  for (int i = 0; i < 300; ++i) {
    text.push_back(i % 7 == 0 ? '\n' : 'a');
    want += i % 7 == 0;
    ASSERT_EQ(CountLineBreaks(text), want);
  }
}

TEST(ByteIndex, EmptyText) {
  EXPECT_EQ(ByteIndex(std::string_view()).Find<ByteIndex::kQuote>(0), 0);
}

}  // namespace
}  // namespace hlo_internal
}  // namespace tessera
