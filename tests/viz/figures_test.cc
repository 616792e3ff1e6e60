// The figures of two pages of docs/, drawn by the commands that stand there and
// compared with the files in docs/figures. To write these anew:
//
//   TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/viz:tests

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tests/status_matchers.h"
#include "tests/cli/run.h"
#include "tests/golden_file.h"
#include "tests/viz/xml_reader.h"

namespace tessera {
namespace {

// The words of a shell command, of which some are in '...'.
std::vector<std::string> WordsOf(const std::string& command) {
  std::vector<std::string> words;
  const std::vector<std::string> parts = absl::StrSplit(command, '\'');
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i % 2 == 1) {
      words.push_back(parts[i]);
      continue;
    }
    for (const std::string_view word :
         SplitViews(parts[i], ' ', absl::SkipEmpty())) {
      words.emplace_back(word);
    }
  }
  return words;
}

// Draws the figures of a page, and returns how many it has.
int DrawFiguresOf(const std::string& page_name) {
  const std::string page = ContentsOf(page_name);
  int figures = 0;
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(page, '\n'))) {
    if (!tessera::StartsWith(line, "tessera draw ")) continue;
    ++figures;
    std::vector<std::string> words = WordsOf(line);
    const std::string file = words.back();
    EXPECT_TRUE(tessera::StartsWith(file, "docs/figures/")) << line;
    // It is shown.
    EXPECT_TRUE(tessera::StrContains(
        page,
        absl::StrCat("](", AbslView(tessera::StripPrefix(file, "docs/")), ")")))
        << file;
    words.erase(words.begin());
    words.back() = "-";
    const cli::Outcome outcome = cli::RunCommand(words);
    EXPECT_EQ(outcome.exit_code, 0) << line << "\n" << outcome.err;
    EXPECT_THAT(ReadXml(outcome.out), IsOk()) << file;
    if (const std::string update = FileToUpdate(file); !update.empty()) {
      std::ofstream(update) << outcome.out;
    } else {
      EXPECT_EQ(outcome.out, ContentsOf(file)) << line;
    }
  }
  return figures;
}

TEST(Figures, AreWhatTheCommandsDraw) {
  EXPECT_EQ(DrawFiguresOf("docs/pictures.md"), 19);
  EXPECT_EQ(DrawFiguresOf("docs/bank_conflicts.md"), 6);
}

}  // namespace
}  // namespace tessera
