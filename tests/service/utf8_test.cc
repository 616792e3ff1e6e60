#include "tessera/service/utf8.h"

#include <string>

#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"

namespace tessera {
namespace {

TEST(Utf8, Example) {
  EXPECT_TRUE(IsUtf8("m\xC3\xA9tre"));
  EXPECT_EQ(ToUtf8("caf\xE9"), "caf\xEF\xBF\xBD");
}

// By the definition: every code point, encoded by hand.
TEST(Utf8, EveryCodePointAndNoSurrogate) {
  for (uint32_t c = 0; c < 0x110000; ++c) {
    std::string text;
    if (c < 0x80) {
      text = {static_cast<char>(c)};
    } else if (c < 0x800) {
      text = {static_cast<char>(0xC0 | c >> 6),
              static_cast<char>(0x80 | (c & 0x3F))};
    } else if (c < 0x10000) {
      text = {static_cast<char>(0xE0 | c >> 12),
              static_cast<char>(0x80 | (c >> 6 & 0x3F)),
              static_cast<char>(0x80 | (c & 0x3F))};
    } else {
      text = {static_cast<char>(0xF0 | c >> 18),
              static_cast<char>(0x80 | (c >> 12 & 0x3F)),
              static_cast<char>(0x80 | (c >> 6 & 0x3F)),
              static_cast<char>(0x80 | (c & 0x3F))};
    }
    const bool is_surrogate = c >= 0xD800 && c < 0xE000;
    ASSERT_EQ(IsUtf8(text), !is_surrogate) << c;
    if (!is_surrogate) {
      ASSERT_EQ(ToUtf8(text), text) << c;
    }
  }
}

TEST(Utf8, WhatIsNone) {
  for (const char* text :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE2\x82",
        "\xF0\x9F\x92", "\xE2\x28\xA1", "a\xC3(b"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
    EXPECT_TRUE(IsUtf8(ToUtf8(text))) << text;
  }
  EXPECT_EQ(ToUtf8("\xE2\x82x"), "\xEF\xBF\xBD\xEF\xBF\xBDx");
}

TEST(Utf8, ReachesEveryString) {
  Response response;
  response.set_id("\xFF");
  response.mutable_evaluate()->add_coordinates("good");
  response.mutable_evaluate()->add_coordinates("b\xFF");
  response.mutable_evaluate()->add_notes()->mutable_position()->set_excerpt(
      "\xFE");
  MakeUtf8(&response);
  EXPECT_EQ(response.id(), "\xEF\xBF\xBD");
  EXPECT_EQ(response.evaluate().coordinates(0), "good");
  EXPECT_EQ(response.evaluate().coordinates(1), "b\xEF\xBF\xBD");
  EXPECT_EQ(response.evaluate().notes(0).position().excerpt(), "\xEF\xBF\xBD");
}

TEST(Utf8, ReachesTheValuesOfMaps) {
  SpacePeaks peaks;
  (*peaks.mutable_spaces())[7].set_peak_instruction("b\xFF");
  MakeUtf8(&peaks);
  EXPECT_EQ(peaks.spaces().at(7).peak_instruction(), "b\xEF\xBF\xBD");
}

}  // namespace
}  // namespace tessera
