#include "tessera/cli/relayout/npy_file.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A file of version 1.0 with that header and no more.
std::string File(const std::string& literal, char major = 1, char minor = 0) {
  std::string file = "\x93NUMPY";
  file += major;
  file += minor;
  for (size_t i = 0; i < (major == 1 ? 2u : 4u); ++i) {
    file += static_cast<char>(literal.size() >> (8 * i) & 0xff);
  }
  return file + literal;
}

constexpr char kPlain[] =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }";

TEST(ReadNpyHeader, Example) {
  NpyHeader written;
  written.descr = "<f4";
  written.shape = {3, 5};
  const std::string bytes = NpyHeaderBytes(written);
  const absl::StatusOr<NpyHeader> header = ReadNpyHeader(bytes);
  ASSERT_THAT(header, IsOk());
  EXPECT_EQ(header->descr, "<f4");
  EXPECT_FALSE(header->fortran_order);
  EXPECT_THAT(header->shape, ElementsAre(3, 5));
  EXPECT_EQ(header->data_begin, 128);
}

// As numpy.save wrote it.
TEST(NpyHeaderBytes, AreThoseOfNumpy) {
  NpyHeader header;
  header.descr = "<f4";
  header.shape = {3, 5};
  EXPECT_EQ(NpyHeaderBytes(header),
            absl::StrCat(std::string("\x93NUMPY\1\0v\0", 10), kPlain,
                         std::string(58, ' '), "\n"));
}

TEST(NpyHeaderBytes, AreReadBack) {
  const std::vector<int64_t> shapes[] = {
      {}, {0}, {7}, {1, 2, 3}, {int64_t{1} << 62}, std::vector<int64_t>(30000)};
  for (const std::vector<int64_t>& shape : shapes) {
    for (const bool fortran_order : {false, true}) {
      NpyHeader header;
      header.descr = "|u1";
      header.fortran_order = fortran_order;
      header.shape = shape;
      const std::string bytes = NpyHeaderBytes(header);
      EXPECT_EQ(bytes.size() % 64, 0u);
      EXPECT_EQ(bytes.back(), '\n');
      const absl::StatusOr<NpyHeader> read = ReadNpyHeader(bytes);
      if (bytes.size() > kMaxNpyHeaderBytes) {
        EXPECT_EQ(bytes[6], 2) << "more than version 1 can hold";
        EXPECT_THAT(read, StatusIs(absl::StatusCode::kResourceExhausted));
        continue;
      }
      ASSERT_THAT(read, IsOk());
      EXPECT_EQ(read->descr, "|u1");
      EXPECT_EQ(read->fortran_order, fortran_order);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->data_begin, static_cast<int64_t>(bytes.size()));
    }
  }
}

TEST(ReadNpyHeader, ReadsEveryVersionAndSpelling) {
  const std::string good[] = {
      File(kPlain, 1),
      File(kPlain, 2),
      File(kPlain, 3),
      File(kPlain) + "elements",
      File(absl::StrCat(kPlain, "     \n")),
      File("{'shape':(3,5),'fortran_order':False,'descr':'<f4'}"),
      File("{\"descr\": \"<f4\", \"fortran_order\": False,\n\"shape\": "
           "(3, 5,),}"),
  };
  for (const std::string& file : good) {
    const absl::StatusOr<NpyHeader> header = ReadNpyHeader(file);
    ASSERT_THAT(header, IsOk()) << "\n" << file;
    EXPECT_EQ(header->descr, "<f4");
    EXPECT_FALSE(header->fortran_order);
    EXPECT_THAT(header->shape, ElementsAre(3, 5));
  }
}

struct BadHeader {
  std::string file;
  absl::StatusCode code;
  const char* message;
};

std::string WithShape(const std::string& shape) {
  return File(absl::StrCat(
      "{'descr': '<f4', 'fortran_order': False, 'shape': ", shape, ", }"));
}

TEST(ReadNpyHeader, RefusesWhatIsNone) {
  constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;
  constexpr absl::StatusCode kUnknown = absl::StatusCode::kUnimplemented;
  constexpr absl::StatusCode kTooMuch = absl::StatusCode::kResourceExhausted;
  const BadHeader bad[] = {
      {"", kBad, "does not begin with \\x93NUMPY"},
      {"NUMPY", kBad, "does not begin with \\x93NUMPY"},
      {"\x93NUMPY", kBad, "the file ends within the .npy header, after 6"},
      {std::string("\x93NUMPY\1\0\1", 9), kBad, "ends within"},
      {std::string("\x93NUMPY\2\0\1\0\0", 11), kBad, "ends within"},
      {std::string("\x93NUMPY\1\0\x76\0{", 11), kBad, "ends within"},
      {File(kPlain, 0), kUnknown, "is of .npy version 0.0"},
      {File(kPlain, 4), kUnknown, "is of .npy version 4.0"},
      {File(kPlain, 1, 1), kUnknown, "is of .npy version 1.1"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), kTooMuch,
       "has a .npy header of 4294967307 bytes"},
      {std::string("\x93NUMPY\1\0\xff\xff", 10), kTooMuch, "65545 bytes"},
      {File(""), kBad, "at byte 10: expected '{'"},
      {File("   "), kBad, "at byte 13: expected '{'"},
      {File("{"), kBad, "expected a string"},
      {File("{}"), kBad, "are needed"},
      {File("{'descr': '<f4'}"), kBad, "are needed"},
      {File("{'descr': '<f4', 'fortran_order': False}"), kBad, "are needed"},
      {File("['descr']"), kBad, "expected '{'"},
      {File("{'descr' '<f4'}"), kBad, "at byte 19: expected ':'"},
      {File("{'descr': '<f4', 'descr': '<f4'}"), kBad,
       "at byte 27: a key is given twice"},
      {File("{'Descr': '<f4'}"), kBad, "expected 'descr', 'fortran_order'"},
      {File("{'descr': <f4}"), kBad, "expected a string"},
      {File("{'descr': '<f4}"), kBad, "expected '''"},
      {File("{'descr': '<f4\""), kBad, "expected '''"},
      {File("{'descr': '\\x41'}"), kBad, "expected a string of a few plain"},
      {File(std::string("{'descr': '\0'}", 14)), kBad, "plain characters"},
      {File("{'descr': '\xff'}"), kBad, "expected a string of a few plain"},
      {File(absl::StrCat("{'descr': '", std::string(5000, 'f'), "'}")), kBad,
       "expected a string of a few plain"},
      {File("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}"),
       kUnknown, "structured element types"},
      {File("{'fortran_order': false}"), kBad, "expected True or False"},
      {File("{'fortran_order': 0}"), kBad, "expected True or False"},
      {File("{'fortran_order': Tru"), kBad, "expected True or False"},
      {File("{'fortran_order': Falsehood}"), kBad, "expected '}'"},
      {WithShape("3"), kBad, "expected '('"},
      {WithShape("(3)"), kBad, "expected ','"},
      {WithShape("(3 5)"), kBad, "expected ','"},
      {WithShape("(,)"), kBad, "expected a dimension"},
      {WithShape("(3,,5)"), kBad, "expected a dimension"},
      {WithShape("(-3, 5)"), kBad, "expected a dimension"},
      {WithShape("(03, 5)"), kBad, "a number begins with 0"},
      {WithShape("(3.0, 5)"), kBad, "expected ','"},
      {WithShape("(3L, 5L)"), kBad, "expected ','"},
      {WithShape("(9223372036854775808, 5)"), absl::StatusCode::kOutOfRange,
       "a dimension exceeds 2^63-1"},
      {WithShape(absl::StrCat("(", std::string(5000, '9'), ", 5)")),
       absl::StatusCode::kOutOfRange, "a dimension exceeds 2^63-1"},
      {WithShape(std::string(60000, '(')), kBad, "expected a dimension"},
      {WithShape("(3, 5"), kBad, "expected"},
      {File(absl::StrCat(kPlain, "x")), kBad, "expected the end"},
      {File(absl::StrCat(kPlain, kPlain)), kBad, "expected the end"},
      {File(absl::StrCat(kPlain, std::string(1, '\0'))), kBad,
       "expected the end"},
  };
  for (const BadHeader& each : bad) {
    const absl::StatusOr<NpyHeader> header = ReadNpyHeader(each.file);
    ASSERT_FALSE(header.ok()) << each.file;
    EXPECT_THAT(header, StatusIs(each.code, HasSubstr(each.message)))
        << each.file.substr(0, 100);
  }
}

// Whatever the bytes, an answer: every file that ends early, and every byte
// replaced by any other.
TEST(ReadNpyHeader, NeverReadsPastTheEnd) {
  const std::string file = File(kPlain);
  for (size_t size = 0; size < file.size(); ++size) {
    // A copy of its own size, so that the sanitizers see what is read past it.
    const std::vector<char> part(file.begin(), file.begin() + size);
    EXPECT_FALSE(
        ReadNpyHeader(std::string_view(part.data(), part.size())).ok());
  }
  for (size_t i = 0; i < file.size(); ++i) {
    for (int c = 0; c < 256; ++c) {
      std::vector<char> changed(file.begin(), file.end());
      changed[i] = static_cast<char>(c);
      (void)ReadNpyHeader(std::string_view(changed.data(), changed.size()))
          .ok();
    }
  }
}

TEST(NpyDescrs, AreOfTheSizeOfTheType) {
  EXPECT_EQ(NpyDescrs(BF16)[0], "<u2");
  EXPECT_THAT(NpyDescrs(BF16), ::testing::Contains("<V2"));
  for (int number = 0; number < PrimitiveType_ARRAYSIZE; ++number) {
    const PrimitiveType type = static_cast<PrimitiveType>(number);
    EXPECT_EQ(NpyDescrs(type).empty(), !IsArrayType(type)) << number;
    for (const std::string_view descr : NpyDescrs(type)) {
      const std::string_view size = descr.substr(descr.find_first_of("1248"));
      EXPECT_EQ(size, absl::StrCat(ByteWidth(type))) << number;
    }
  }
}

}  // namespace
}  // namespace tessera::cli
