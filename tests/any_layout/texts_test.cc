// Texts of all families and near-misses, each with its family and what it is
// read as: data/texts.txt. Everything that takes a layout of any family must
// say the same.
//
// When answers change for a good reason, write the file anew and read the
// difference:
//
//   TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/any_layout:tests
//   git diff tests/any_layout/data

#include "tests/any_layout/texts.h"

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/layout_service.pb.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/any_layout/layout_family.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/service/layout_service.h"
#include "tessera/tests/status_matchers.h"
#include "tests/cli/run.h"
#include "tests/golden_file.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<AnyLayout> ReadAsDraw(const std::string& text) {
  AnyLayoutOptions options;
  options.cute_expressions = true;
  return ParseAnyLayout(text, options);
}

// What is wrong, with its place if it has one: "1:4: expected ..."; no excerpt.
struct Problem {
  explicit Problem(const absl::Status& status)
      : message(std::string(status.message())) {
    if (const std::optional<Diagnostic> diagnostic = DiagnosticOf(status)) {
      message = diagnostic->message;
      place = absl::StrCat(diagnostic->line, ":", diagnostic->column, ": ");
    }
  }

  std::string place;
  std::string message;
};

std::string AnswerOf(const absl::StatusOr<AnyLayout>& layout) {
  if (layout.ok()) return absl::StrCat("= ", ToString(*layout));
  const Problem problem(layout.status());
  return absl::StrCat("! ", problem.place, problem.message);
}

TEST(Texts, AreReadAsRecorded) {
  std::string recorded, actual;
  TextRow row;
  for (const std::string& line : TextLines()) {
    absl::StrAppend(&recorded, line, "\n");
    if (ReadTextRow(line, &row)) {
      EXPECT_EQ(NameOf(FamilyOf(row.text)), row.family) << row.text;
      const std::string answer = AnswerOf(ParseAnyLayout(row.text));
      const std::string drawn = AnswerOf(ReadAsDraw(row.text));
      absl::StrAppend(&actual, line, "\n", answer, "\n");
      if (drawn != answer) absl::StrAppend(&actual, "draw", drawn, "\n");
    } else if (line.empty() || line[0] == '#') {
      absl::StrAppend(&actual, line, "\n");
    }
  }
  if (const std::string update = FileToUpdate(kTextsFile); !update.empty()) {
    std::ofstream(update) << actual;
    return;
  }
  EXPECT_EQ(actual, recorded);
}

TEST(Texts, CanonicalOnesReadTheSameAgain) {
  for (const TextRow& row : TextRows()) {
    const absl::StatusOr<AnyLayout> layout = ReadAsDraw(row.text);
    if (!layout.ok()) continue;
    const std::string canonical = ToString(*layout);
    EXPECT_EQ(NameOf(FamilyOf(canonical)), row.family) << canonical;
    const absl::StatusOr<AnyLayout> again = ParseAnyLayout(canonical);
    ASSERT_THAT(again, IsOk()) << canonical;
    EXPECT_EQ(ToString(*again), canonical);
  }
}

std::string_view FamilyIn(const DescribeResult& result) {
  switch (result.description_case()) {
    case DescribeResult::kXla:
      return "xla";
    case DescribeResult::kCute:
      return "cute";
    case DescribeResult::kTensor:
      return "tt";
    case DescribeResult::kStrided:
      return "strided";
    default:
      return "";
  }
}

TEST(Texts, AreTheSameToTheService) {
  const LayoutService service;
  for (const TextRow& row : TextRows()) {
    Request request;
    request.mutable_describe()->set_layout(row.text);
    const Response response = service.Answer(request);
    const absl::StatusOr<AnyLayout> layout = ReadAsDraw(row.text);
    if (layout.ok()) {
      EXPECT_EQ(FamilyIn(response.describe()), row.family) << row.text;
      EXPECT_EQ(response.describe().canonical(), ToString(*layout));
    } else {
      EXPECT_EQ(response.error().message(), Problem(layout.status()).message);
      EXPECT_EQ(response.error().field(), "layout") << row.text;
    }
  }
}

TEST(Texts, AreTheSameToDraw) {
  for (const TextRow& row : TextRows()) {
    const cli::Outcome drawn = cli::RunCommand({"draw", "--", row.text});
    for (const LayoutFamily family : kLayoutFamilies) {
      const cli::Outcome as = cli::RunCommand(
          {"draw", absl::StrCat("--family=", AbslView(NameOf(family))), "--",
           row.text});
      const bool is_same = as.out == drawn.out && as.err == drawn.err;
      EXPECT_EQ(is_same, NameOf(family) == row.family)
          << NameOf(family) << ": " << row.text;
    }
    const absl::StatusOr<AnyLayout> layout = ReadAsDraw(row.text);
    if (!layout.ok()) {
      EXPECT_EQ(drawn.exit_code, 1) << row.text;
      const Problem problem(layout.status());
      EXPECT_THAT(drawn.err, HasSubstr(absl::StrCat(problem.place, "error: ",
                                                    problem.message, "\n")));
    } else if (ToIndexMap(*layout).ok()) {
      EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
    }
  }
}

}  // namespace
}  // namespace tessera
