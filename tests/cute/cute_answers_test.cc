// What CuTe's C++ headers answered to random questions, and what the calculator
// answers. data/README.md says how the answers were recorded.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator.h"
#include "tessera/cute/parse.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

// The layout without the strides of modes of size 1.
std::string WithoutUnitStrides(std::string_view text) {
  const size_t inner = text.rfind(' ');
  const size_t begin = inner == std::string_view::npos ? 0 : inner + 1;
  const absl::StatusOr<Layout> layout = ParseLayout(text.substr(begin));
  if (!layout.ok()) return std::string(text);
  Layout::Leaves leaves = layout->leaves();
  for (Layout::Leaf& leaf : leaves) {
    if (leaf.size == 1) leaf = Layout::Leaf();
  }
  return absl::StrCat(
      AbslView(text.substr(0, begin)),
      Layout::Builder(layout->profile().nodes(), leaves).Build()->ToString());
}

struct Counts {
  int64_t answered = 0;
  int64_t refused_by_both = 0;
  int64_t answered_by_us_alone = 0;
  int64_t unit_strides_differ = 0;
  int64_t broken_by_cpp = 0;
};

TEST(CuteAnswers, AreThoseOfCpp) {
  const absl::StatusOr<FileBytes> file =
      FileBytes::Open("tests/cute/data/cute_answers.tsv.gz");
  ASSERT_THAT(file, IsOk());
  Counts counts;
  std::set<std::string> operations;
  int64_t rows = 0;
  int64_t wrong = 0;
  for (const std::string_view row :
       SplitViews(file->text(), '\n', absl::SkipEmpty())) {
    const std::vector<std::string_view> cells = SplitViews(row, '\t');
    ASSERT_GE(cells.size(), 2) << row;
    ++rows;
    const std::string_view answer = cells[1];
    operations.emplace(cells[0].substr(0, cells[0].find_first_of("(<")));
    const absl::StatusOr<CalculatorResult> result =
        Calculator().Evaluate(cells[0]);
    const std::string ours =
        result.ok() ? ToString(result->value)
                    : absl::StrCat("refused: ", result.status().message());
    if (answer == "refused") {
      ++(result.ok() ? counts.answered_by_us_alone : counts.refused_by_both);
      continue;
    }
    if (cells.size() == 3) {
      // C++ answers with what breaks the definition.
      ++counts.broken_by_cpp;
      if (ours == answer && ++wrong <= 10) ADD_FAILURE() << row;
      continue;
    }
    ++counts.answered;
    if (ours == answer) continue;
    if (WithoutUnitStrides(ours) == WithoutUnitStrides(answer)) {
      ++counts.unit_strides_differ;
    } else if (++wrong <= 10) {
      ADD_FAILURE() << row << "; found " << ours;
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(rows, 5000);
  EXPECT_GE(operations.size(), 45);
  EXPECT_GE(counts.answered, 4900);
  // Less than 1 %.
  EXPECT_LT(100 * counts.unit_strides_differ, counts.answered);
  // The questions are such that most have an answer.
  EXPECT_LT(counts.refused_by_both, counts.answered / 5);
  EXPECT_LT(counts.broken_by_cpp, counts.answered / 50);
}

}  // namespace
}  // namespace tessera::cute
