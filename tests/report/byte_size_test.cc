#include "tessera/report/text/byte_size.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/report/text/units.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// The bytes, or what is wrong.
std::string Read(std::string_view text, const ByteRange& range = {}) {
  int64_t bytes = -7;
  const std::string wrong = ReadByteSize(text, range, &bytes);
  if (wrong.empty()) return absl::StrCat(bytes);
  EXPECT_EQ(bytes, -7) << text;
  return wrong;
}

TEST(ByteSize, Example) {
  int64_t bytes = 0;
  const ByteRange any;
  EXPECT_EQ(ReadByteSize("10MiB", any, &bytes), "");
  EXPECT_EQ(bytes, 10485760);
  EXPECT_EQ(ReadByteSize("80.0 GiB", any, &bytes), "");
  EXPECT_EQ(bytes, 85899345920);
  EXPECT_EQ(ReadByteSize("-1", any, &bytes),
            "-1 is not from 0 to 9223372036854775807 bytes");
}

TEST(ByteSize, Units) {
  struct Unit {
    const char* name;
    int64_t bytes;
  };
  for (const Unit& unit : {Unit{"", 1},
                           {"B", 1},
                           {"K", int64_t{1} << 10},
                           {"KiB", int64_t{1} << 10},
                           {"KB", 1'000},
                           {"M", int64_t{1} << 20},
                           {"MiB", int64_t{1} << 20},
                           {"MB", 1'000'000},
                           {"G", int64_t{1} << 30},
                           {"GiB", int64_t{1} << 30},
                           {"GB", 1'000'000'000},
                           {"T", int64_t{1} << 40},
                           {"TiB", int64_t{1} << 40},
                           {"TB", 1'000'000'000'000},
                           {"P", int64_t{1} << 50},
                           {"PiB", int64_t{1} << 50},
                           {"PB", 1'000'000'000'000'000},
                           {"EiB", int64_t{1} << 60},
                           {"EB", 1'000'000'000'000'000'000}}) {
    EXPECT_EQ(Read(absl::StrCat("7", unit.name)), absl::StrCat(7 * unit.bytes));
    EXPECT_EQ(Read(absl::StrCat("0.5", unit.name)),
              absl::StrCat(unit.bytes / 2));
    EXPECT_EQ(Read(absl::StrCat("1e0 ", unit.name)), absl::StrCat(unit.bytes));
  }
  EXPECT_EQ(Read("10mib"), "10485760");
  EXPECT_EQ(Read("10m"), "10485760");
  EXPECT_EQ(Read("10Mb"), "10000000");
  EXPECT_EQ(Read("1e2k"), "102400");
}

TEST(ByteSize, Numbers) {
  EXPECT_EQ(Read("0"), "0");
  EXPECT_EQ(Read("4096"), "4096");
  EXPECT_EQ(Read("1e9"), "1000000000");
  EXPECT_EQ(Read("1E+9"), "1000000000");
  EXPECT_EQ(Read("2.5e-1K"), "256");
  EXPECT_EQ(Read("1.5GiB"), "1610612736");
  EXPECT_EQ(Read(".5K"), "512");
  EXPECT_EQ(Read("5.K"), "5120");
  EXPECT_EQ(Read("007"), "7");
  EXPECT_EQ(Read("+7"), "7");
  EXPECT_EQ(Read(" 7 "), "7");
  EXPECT_EQ(Read("-0"), "0");
}

// A double has 53 bits.
TEST(ByteSize, IsExact) {
  EXPECT_EQ(Read("9007199254740993"), "9007199254740993");
  EXPECT_EQ(Read("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(Read("9223372036854775.807KB"), "9223372036854775807");
  EXPECT_EQ(Read("9.223372036854775807e18"), "9223372036854775807");
  EXPECT_EQ(Read("7.999999999999999999EiB"), "9223372036854775806");
  // 1 + 2^-60, which is one byte more than 2^60, and the next digit below it.
  const std::string digits =
      "1.000000000000000000867361737988403547205962240695953369140625";
  EXPECT_EQ(Read(digits + "EiB"), "1152921504606846977");
  EXPECT_EQ(Read("1.00000000000000000086736173798840354720596224069595336914062"
                 "4EiB"),
            "1152921504606846976");
}

TEST(ByteSize, FractionsOfAByteAreDropped) {
  EXPECT_EQ(Read("1.9"), "1");
  EXPECT_EQ(Read("0.9"), "0");
  EXPECT_EQ(Read("0.1K"), "102");
  EXPECT_EQ(Read("1e-1"), "0");
  EXPECT_EQ(Read("1e-18EiB"), "1");
  EXPECT_EQ(Read("1e-19EiB"), "0");
}

TEST(ByteSize, ManyDigits) {
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(Read(zeros + "7" + "." + zeros + "1"), "7");
  EXPECT_EQ(Read(absl::StrCat("0.", zeros, "7e1000001")), "7");
  EXPECT_EQ(Read(absl::StrCat("7", zeros, "e-1000000")), "7");
  EXPECT_EQ(Read(absl::StrCat("7e", zeros, "1")), "70");
  EXPECT_EQ(Read("0e99999999999999999999"), "0");
  EXPECT_EQ(Read("1e-99999999999999999999EiB"), "0");
}

TEST(ByteSize, OutOfRange) {
  const std::string rule = " is not from 0 to 9223372036854775807 bytes";
  for (const char* text :
       {"9223372036854775808", "9223372036854775807.5e1", "8EiB", "9.3EB",
        "1e19", "1e99999999999999999999", "99999999999999999999EiB", "-1",
        "-0.1", "-1KiB", "-1e99999999999999999999"}) {
    EXPECT_EQ(Read(text), text + rule);
  }
  EXPECT_EQ(Read("1e19B", {1, 5}), "1e19B is not from 1 to 5 bytes");
  EXPECT_EQ(Read("0", {1, 5}), "0 is not from 1 to 5 bytes");
  EXPECT_EQ(Read("0.9", {1, 5}), "0.9 is not from 1 to 5 bytes");
  EXPECT_EQ(Read("6", {1, 5}), "6 is not from 1 to 5 bytes");
  EXPECT_EQ(Read("5", {1, 5}), "5");
}

TEST(ByteSize, WhatIsNotANumberOfBytes) {
  for (const char* text :
       {"",     " ",    "B",   "KiB",   "many", "nan",    "NaN",
        "inf",  "-inf", "1E",  "1e",    "1e+",  "1e5.",   "1.2.3",
        "1,5G", "0x10", "--1", "+-1",   "- 1",  "1 000",  "1_000",
        "1Ki",  "1iB",  "1X",  "1Kb s", "1KK",  "1 K iB", "1ZiB",
        "1bit", ".",    "-",   "e9",    "1e+K"}) {
    EXPECT_EQ(Read(text),
              absl::StrCat(text,
                           " is not a number of bytes, such as 4096, 1e9, "
                           "10MiB, 10M (the same) or 10MB"));
  }
  EXPECT_THAT(Read(std::string_view("1\0", 2)),
              HasSubstr("is not a number of bytes"));
}

// What Tessera prints is an option's value. It has one decimal.
TEST(ByteSize, ReadsWhatHumanBytesPrints) {
  for (int bit = 0; bit < 63; ++bit) {
    const int64_t bytes = int64_t{1} << bit;
    EXPECT_EQ(Read(HumanBytes(bytes)), absl::StrCat(bytes));
  }
  EXPECT_EQ(Read(HumanBytes(1331)), "1331");
  EXPECT_EQ(Read(HumanBytes(1023)), "1023");
  EXPECT_THAT(Read(HumanBytes(kMax)), HasSubstr("8.00 EiB is not from 0 to"));
}

}  // namespace
}  // namespace tessera
