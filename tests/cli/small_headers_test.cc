// The examples of headers that hold a function or two.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/files/system_error.h"
#include "tessera/cli/files/input_file.h"
#include "tessera/cli/files/mapped_output.h"
#include "tessera/cli/files/output_file.h"
#include "tessera/cli/layout/index_option.h"
#include "tessera/cli/layout/layout_argument.h"
#include "tessera/cli/layout/tensor_description.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/fact.h"
#include "tessera/cli/output/fatal_signals.h"
#include "tessera/report/hlo/reserved_text.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/decimal.h"
#include "tessera/report/text/json_line.h"
#include "tessera/service/questions/layouts/layout_questions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cli {
namespace {

std::string FileOf(const char* name) {
  return absl::StrCat(testing::TempDir(), "/", name);
}

std::string ContentsOf(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

TEST(Fact, Example) {
  std::string out;
  AppendFact("grid", "3x2", /*name_width=*/8, Display(), &out);
  EXPECT_EQ(out, "grid    3x2\n");
  EXPECT_EQ(FactsToText({{"grid", "3x2"}}, /*name_width=*/8, Display()), out);
}

TEST(IndexOption, Example) {
  std::optional<std::vector<int64_t>> begin;
  EXPECT_EQ(ReadIndexInto(&begin)("5,37"), "");
  EXPECT_EQ(begin, std::vector<int64_t>({5, 37}));
  EXPECT_EQ(ReadIndexInto(&begin)("5;37"), "5;37 is not of the form I,J,...");
}

TEST(SystemError, Example) {
  EXPECT_EQ(SystemError("cannot be read", ENOENT).ToString(),
            "UNAVAILABLE: cannot be read: No such file or directory");
}

// What signals do is in output_file_test.
TEST(FatalSignals, Example) {
  const std::string temporary = FileOf(".out.tmp"), out = FileOf("out");
  const int file = CreateTemporaryFile(temporary, 0666);
  ASSERT_GE(file, 0);
  EXPECT_EQ(CreateTemporaryFile(temporary, 0666), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(write(file, "x", 1), 1);
  close(file);
  EXPECT_EQ(rename(temporary.c_str(), out.c_str()), 0);
  ForgetTemporaryFile();
  EXPECT_EQ(ContentsOf(out), "x");
}

// As LayoutService::Answer makes strings UTF-8.
TEST(JsonLine, BytesThatAreNoUtf8AreReplaced) {
  Request request;
  request.set_id("\xE2\x82");
  EXPECT_EQ(JsonLineOf(request), "{\"id\":\"\uFFFD\uFFFD\"}\n");
}

TEST(SortedByKey, Example) {
  SpacePeaks peaks;
  for (const int64_t number : {5, 0, 10, 1}) {
    (*peaks.mutable_spaces())[number].set_peak_bytes(100 * number);
  }
  std::string printed;
  for (const auto& [number, space] : SortedByKey(peaks.spaces())) {
    absl::StrAppend(&printed, number, ":", space->peak_bytes(), " ");
  }
  EXPECT_EQ(printed, "0:0 1:100 5:500 10:1000 ");
}

TEST(ReservedBytesText, Example) {
  EXPECT_EQ(ReservedBytesText({7168, std::nullopt}), "7.00 KiB");
  EXPECT_EQ(ReservedBytesText({7168, 8192}), "8.00 KiB by XLA");
}

TEST(OutputFile, Example) {
  std::ostringstream out, err;
  Console console;
  console.out = &out;
  console.err = &err;
  const std::string name = FileOf("page.html");
  EXPECT_TRUE(WriteOutputFile(name, "<!DOCTYPE html>", &console));
  EXPECT_EQ(ContentsOf(name), "<!DOCTYPE html>");
  EXPECT_FALSE(WriteOutputFile(FileOf("missing/page.html"), "", &console));
  EXPECT_NE(err.str(), "");
  EXPECT_TRUE(IdentityOf(name, &console).has_value());
  EXPECT_FALSE(IdentityOf(FileOf("missing"), &console).has_value());
  EXPECT_FALSE(IdentityOf("-", &console).has_value());
}

TEST(MappedOutput, Example) {
  std::ostringstream out, err;
  Console console;
  console.out = &out;
  console.err = &err;
  std::ofstream(FileOf("a.bin"), std::ios::binary) << "abcd";
  const absl::StatusOr<FileBytes> in =
      OpenInputFile(FileOf("a.bin"), {}, &console);
  ASSERT_THAT(in, IsOk());
  EXPECT_EQ(in->text(), "abcd");
  {
    absl::StatusOr<MappedOutput> copy = MappedOutput::Create(
        FileOf("b.bin"), 4, IdentityOf(FileOf("a.bin"), &console), &console);
    ASSERT_THAT(copy, IsOk());
    std::reverse_copy(in->bytes().begin(), in->bytes().end(),
                      copy->bytes().begin());
    ASSERT_THAT(copy->Finish(), IsOk());
  }
  EXPECT_EQ(ContentsOf(FileOf("b.bin")), "dcba");
}

TEST(JsonLine, Example) {
  LinearizeResult result;
  result.add_linear_indices(17);
  EXPECT_EQ(JsonLineOf(result), "{\"linear_indices\":[17]}\n");
  EXPECT_EQ(ErrorLineOf(absl::InvalidArgumentError("bad"), /*line=*/3),
            "{\"error\":{\"code\":\"INVALID_ARGUMENT\",\"message\":\"bad\","
            "\"field\":\"\",\"position\":null}}\n");
}

TEST(LayoutArgument, Example) {
  Console console;
  const std::optional<MappedLayout> layout = ReadLayoutArgument(
      "F32[3,5]{1,0:T(2,2)}", {"layout"}, OutputFormat::kText, &console);
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(*layout->map().LinearIndex({2, 3}), 17);
}

TEST(TensorDescription, Example) {
  DescribeRequest question;
  question.set_layout(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<18x32xf32, #tt.memory_space<l1>>>>");
  DescribeResult result;
  ASSERT_THAT(AnswerDescribe({}, question, &result), IsOk());
  EXPECT_THAT(
      TensorDescriptionToLine(result.tensor()),
      ::testing::StartsWith(
          "shape 53x63; extent 53x63; grid 3x2, grid first, then tiles; "));
}

TEST(Decimal, Example) {
  std::string_view text = "2.5MiB";
  const std::optional<Decimal> number = TakeDecimal(&text);
  ASSERT_TRUE(number.has_value());
  EXPECT_EQ(text, "MiB");
  EXPECT_EQ(ProductRoundedDown(*number, 1 << 20), 2621440);
}

}  // namespace
}  // namespace tessera::cli
