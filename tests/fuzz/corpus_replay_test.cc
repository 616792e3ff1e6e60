// The fuzzers' properties over the files of tests/fuzz/corpus, for machines
// without a fuzzer. A file that once broke a property joins the corpus, and so
// this test.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tests/fuzz/properties.h"
#include "tests/fuzz/property.h"

namespace tessera {
namespace {

class CorpusReplay : public testing::TestWithParam<std::string> {};

TEST_P(CorpusReplay, EveryFileKeepsTheProperty) {
  const Property property = PropertyOf(GetParam());
  ASSERT_NE(property, nullptr);
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("tests/fuzz/corpus/" + GetParam())) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file),
                           std::istreambuf_iterator<char>()};
    EXPECT_EQ(property(text), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& [name, property] : Properties()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, CorpusReplay, testing::ValuesIn(Names()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return info.param;
                         });

TEST(Properties, HaveNamesOfFolders) {
  EXPECT_EQ(PropertyOf("shapes"), nullptr);
  for (const auto& entry :
       std::filesystem::directory_iterator("tests/fuzz/corpus")) {
    EXPECT_NE(PropertyOf(entry.path().filename().string()), nullptr) << entry;
  }
}

TEST(Property, ProblemWithRefusalSeesEachProblem) {
  EXPECT_TRUE(
      tessera::StartsWith(ProblemWithRefusal(absl::InternalError("x"), "text"),
                          "refused with the wrong code"));
  EXPECT_TRUE(tessera::StartsWith(
      ProblemWithRefusal(absl::InvalidArgumentError("x"), "text"),
      "refused without a diagnostic"));
  EXPECT_EQ(ProblemWithRefusal(DiagnosticError("longer text", 8, "x"), "text"),
            "refused outside the text, at 8");
  EXPECT_EQ(ProblemWithRefusal(DiagnosticError("text", 4, "x"), "text"), "");
  const absl::Status out_of_range =
      DiagnosticError("text", 4, "x", absl::StatusCode::kOutOfRange);
  EXPECT_NE(ProblemWithRefusal(out_of_range, "text"), "");
  EXPECT_EQ(
      ProblemWithRefusal(out_of_range, "text", {absl::StatusCode::kOutOfRange}),
      "");
}

TEST(PropertyDeathTest, AFuzzerDiesWithTheWordsOfTheProperty) {
  const uint8_t byte = 'x';
  EXPECT_EQ(
      FuzzOneInput([](std::string_view) { return std::string(); }, &byte, 1),
      0);
  EXPECT_DEATH(FuzzOneInput(
                   [](std::string_view text) {
                     return "broken by " + std::string(text);
                   },
                   &byte, 1),
               "broken by x");
}

}  // namespace
}  // namespace tessera
