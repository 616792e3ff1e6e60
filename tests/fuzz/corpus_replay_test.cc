// The fuzzers' properties over the files of tests/fuzz/corpus, for machines
// without a fuzzer. A file that once broke a property joins the corpus, and so
// this test.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tests/fuzz/assignment_text.h"
#include "tests/fuzz/cute_text.h"
#include "tests/fuzz/hlo_proto.h"
#include "tests/fuzz/hlo_text.h"
#include "tests/fuzz/memory_config_text.h"
#include "tests/fuzz/pasted_text.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/request_text.h"
#include "tests/fuzz/shape_text.h"
#include "tests/fuzz/strided_text.h"
#include "tests/fuzz/tenstorrent_text.h"
#include "tests/fuzz/tt_file_text.h"

namespace tessera {
namespace {

struct Corpus {
  std::string folder;
  Property property;
};

void PrintTo(const Corpus& corpus, std::ostream* out) { *out << corpus.folder; }

class CorpusReplay : public testing::TestWithParam<Corpus> {};

TEST_P(CorpusReplay, EveryFileKeepsTheProperty) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           "tests/fuzz/corpus/" + GetParam().folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file),
                           std::istreambuf_iterator<char>()};
    EXPECT_EQ(GetParam().property(text), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Fuzz, CorpusReplay,
    testing::Values(Corpus{"assignment", AssignmentTextProblem},
                    Corpus{"cute", CuteTextProblem},
                    Corpus{"hlo", HloTextProblem},
                    Corpus{"hlo_proto", HloProtoProblem},
                    Corpus{"layout", LayoutTextProblem},
                    Corpus{"memory_config", MemoryConfigTextProblem},
                    Corpus{"pasted", PastedTextProblem},
                    Corpus{"request", RequestTextProblem},
                    Corpus{"shape", ShapeTextProblem},
                    Corpus{"strided", StridedTextProblem},
                    Corpus{"tenstorrent", TenstorrentTextProblem},
                    Corpus{"tt_file", TtFileTextProblem}),
    [](const testing::TestParamInfo<Corpus>& info) {
      return info.param.folder;
    });

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
