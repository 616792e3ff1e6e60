#include "tessera/base/text/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

TEST(Diagnostic, PointsAtItsPlace) {
  absl::Status status =
      DiagnosticError("f32[3,5]{1,0:T(2,)}", 17,
                      "in tile: expected a dimension or '*', found ')'");
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "1:18: in tile: expected a dimension or '*', found ')'\n"
                       "  f32[3,5]{1,0:T(2,)}\n"
                       "                   ^"));

  std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  ASSERT_TRUE(diagnostic.has_value());
  EXPECT_EQ(diagnostic->line, 1);
  EXPECT_EQ(diagnostic->column, 18);
  EXPECT_EQ(diagnostic->offset, 17);
  EXPECT_EQ(diagnostic->caret, 17);
  EXPECT_EQ(diagnostic->message,
            "in tile: expected a dimension or '*', found ')'");
  EXPECT_EQ(diagnostic->excerpt, "f32[3,5]{1,0:T(2,)}");
  EXPECT_EQ(diagnostic->ToString(), status.message());
}

// What is wrong with a whole file stands on no line.
TEST(Diagnostic, OfNoLineTheMessageAlone) {
  Diagnostic diagnostic;
  diagnostic.line = 0;
  diagnostic.column = 0;
  diagnostic.message = "the text has no HLO module";
  EXPECT_EQ(diagnostic.ToString(), diagnostic.message);
  const absl::Status status = DiagnosticStatus(diagnostic);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               "the text has no HLO module"));
  ASSERT_TRUE(DiagnosticOf(status).has_value());
  EXPECT_EQ(DiagnosticOf(status)->line, 0);
}

TEST(Diagnostic, TakesTheCodeAndHasNoneWithoutPayload) {
  const absl::Status status =
      DiagnosticError("((", 1, "deep", absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_TRUE(DiagnosticOf(status).has_value());
  EXPECT_FALSE(DiagnosticOf(absl::OkStatus()).has_value());
  EXPECT_FALSE(
      DiagnosticOf(absl::InvalidArgumentError("1:1: x\n  y\n  ^")).has_value());
}

TEST(Diagnostic, Positions) {
  struct Case {
    std::string_view text;
    int64_t offset;
    std::string_view want;
  };
  for (const Case& c : {
           Case{"", 0, "1:1: m\n  \n  ^"},
           Case{"", 7, "1:1: m\n  \n  ^"},
           Case{"ab", -1, "1:1: m\n  ab\n  ^"},
           Case{"ab", 2, "1:3: m\n  ab\n    ^"},
           Case{"ab", 3, "1:3: m\n  ab\n    ^"},
           // A line feed belongs to the line that it ends.
           Case{"ab\ncd\nef", 2, "1:3: m\n  ab\n    ^"},
           Case{"ab\ncd\nef", 3, "2:1: m\n  cd\n  ^"},
           Case{"ab\ncd\nef", 7, "3:2: m\n  ef\n   ^"},
           Case{"ab\n", 3, "2:1: m\n  \n  ^"},
           Case{"\n\nx", 2, "3:1: m\n  x\n  ^"},
           // So does a carriage return before it; alone it ends nothing.
           Case{"ab\r\ncd", 1, "1:2: m\n  ab\n   ^"},
           Case{"ab\r\ncd", 3, "1:4: m\n  ab\n    ^"},
           Case{"ab\rcd", 3, "1:4: m\n  ab cd\n     ^"},
       }) {
    EXPECT_EQ(MakeDiagnostic(c.text, c.offset, "m").ToString(), c.want)
        << c.text << " at " << c.offset;
  }
}

TEST(Diagnostic, BytesThatATerminalWouldObeyAreReplaced) {
  const std::string text("a\tb\x1B[2J\0\x7F\xC2\x9B\xFF\xC3\xA4z", 15);
  const Diagnostic diagnostic = MakeDiagnostic(text, 14, "\x1B\nm\xE4");
  EXPECT_EQ(diagnostic.excerpt, "a b?[2J???????z");
  EXPECT_EQ(diagnostic.message, "? m?");
}

std::string Line(std::string_view head, int64_t middle, std::string_view tail) {
  return absl::StrCat(AbslView(head), std::string(middle, 'x'), AbslView(tail));
}

TEST(Diagnostic, LongLinesAreCutAroundThePlace) {
  const std::string text = absl::StrCat("first\n", Line("a", 998, "z\nlast"));
  struct Case {
    std::string_view name;
    int64_t offset;  // in the line
    std::string excerpt;
    int64_t caret;
  };
  for (const Case& c :
       {Case{"start", 0, Line("a", 156, "..."), 0},
        Case{"near the start", 80, Line("a", 156, "..."), 80},
        Case{"just cut", 81, Line("...", 154, "..."), 80},
        Case{"middle", 500, Line("...", 154, "..."), 80},
        Case{"near the end", 930, Line("...", 156, "z"), 90},
        Case{"last byte", 999, Line("...", 156, "z"), 159},
        Case{"end of the line", 1000, Line("...", 156, "z"), 160}}) {
    const Diagnostic diagnostic = MakeDiagnostic(text, 6 + c.offset, "m");
    EXPECT_EQ(diagnostic.excerpt, c.excerpt) << c.name;
    EXPECT_EQ(diagnostic.caret, c.caret) << c.name;
    EXPECT_EQ(diagnostic.line, 2) << c.name;
    EXPECT_EQ(diagnostic.column, c.offset + 1) << c.name;
  }
  const std::string just_fits = Line("a", 158, "z");
  EXPECT_EQ(MakeDiagnostic(just_fits, 100, "m").excerpt, just_fits);
}

TEST(Diagnostic, AnyBytesSurviveThePayload) {
  std::string every_byte;
  for (int c = 0; c < 256; ++c) every_byte.push_back(static_cast<char>(c));
  for (int64_t offset = 0; offset <= 256; ++offset) {
    const Diagnostic want = MakeDiagnostic(every_byte, offset, every_byte);
    const std::optional<Diagnostic> got =
        DiagnosticOf(DiagnosticError(every_byte, offset, every_byte));
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->offset, want.offset);
    EXPECT_EQ(got->line, want.line);
    EXPECT_EQ(got->column, want.column);
    EXPECT_EQ(got->caret, want.caret);
    EXPECT_EQ(got->message, want.message);
    EXPECT_EQ(got->excerpt, want.excerpt);
  }
}

TEST(Diagnostic, ForeignPayloadsUnderOurNameAreRefused) {
  for (const std::string_view payload :
       {"", "1", "1 2 3 4 5", "1 2 3 4 5 1234", "x 2 3 4 0 ", "1 2 3 -4 0 ",
        "1 2 3 1 0 ", "99999999999999999999 2 3 4 0 "}) {
    absl::Status status = absl::InvalidArgumentError("m");
    status.SetPayload("type.googleapis.com/tessera.Diagnostic",
                      absl::Cord(AbslView(payload)));
    EXPECT_FALSE(DiagnosticOf(status).has_value()) << payload;
  }
}

}  // namespace
}  // namespace tessera
