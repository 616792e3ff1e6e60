#include "tessera/report/text/percent.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

// The parts per million, or what is wrong.
std::string Read(std::string_view text) {
  int64_t ppm = -7;
  const std::string wrong = ReadPercent(text, &ppm);
  if (wrong.empty()) return absl::StrCat(ppm);
  EXPECT_EQ(ppm, -7) << text;
  return wrong;
}

TEST(Percent, Example) {
  EXPECT_EQ(Read("2.5%"), "25000");
  EXPECT_EQ(Read("5"), "50000");
  EXPECT_EQ(Read("-1%"), "-1% is not from 0% to 922337203685477%");
}

TEST(Percent, Numbers) {
  EXPECT_EQ(Read("0"), "0");
  EXPECT_EQ(Read("0%"), "0");
  EXPECT_EQ(Read("-0%"), "0");
  EXPECT_EQ(Read("+5 %"), "50000");
  EXPECT_EQ(Read(" .5% "), "5000");
  EXPECT_EQ(Read("1e2%"), "1000000");
  EXPECT_EQ(Read("0.29%"), "2900");
  EXPECT_EQ(Read("1.00019%"), "10001");
  EXPECT_EQ(Read("0.00009"), "0");
  EXPECT_EQ(Read("922337203685477.5807"), "9223372036854775807");
}

TEST(Percent, OutOfRange) {
  for (const char* text : {"-1", "-0.1%", "922337203685477.5808", "1e99%"}) {
    EXPECT_EQ(Read(text),
              absl::StrCat(text, " is not from 0% to 922337203685477%"));
  }
}

TEST(Percent, WhatIsNotAPercentage) {
  for (const char* text :
       {"", "%", "x", "5%%", "5 percent", "nan", "inf", "5,5%", "0x5", "--5"}) {
    EXPECT_EQ(Read(text),
              absl::StrCat(text, " is not a percentage, such as 5% or 2.5%"));
  }
}

}  // namespace
}  // namespace tessera
