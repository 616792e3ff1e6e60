#include "tessera/cli/output/message.h"

#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace tessera::cli {
namespace {

std::string Printed(const TextSource& source, const absl::Status& status,
                    int columns = kUnlimitedColumns) {
  std::ostringstream err;
  Console console;
  console.err = &err;
  console.err_display.columns = columns;
  PrintError(source, status, &console);
  return err.str();
}

TEST(Message, NamesDoNotCommandTheTerminal) {
  EXPECT_EQ(Printed({"a\x1b[31m\nb\xC2\x9Bm\xC3\xA9.txt"},
                    absl::UnknownError("beside x\r.txt\n  as well")),
            "a?[31m?b?m\xC3\xA9.txt: error: beside x?.txt\n  as well\n");
}

TEST(Message, Example) {
  EXPECT_EQ(Printed({kArgumentName},
                    DiagnosticError("f32[3,5]{1,0:T(2,)}", 17,
                                    "in tile: expected a dimension or '*', "
                                    "found ')'")),
            "<argument>:1:18: error: in tile: expected a dimension or '*', "
            "found ')'\n"
            "  f32[3,5]{1,0:T(2,)}\n"
            "                   ^\n");
  EXPECT_EQ(
      Printed({kStdinName, 7},
              DiagnosticError("2,x", 2, "expected an integer, found 'x'")),
      "<stdin>:7:3: error: expected an integer, found 'x'\n"
      "  2,x\n"
      "    ^\n");
  EXPECT_EQ(
      Printed({"dump.txt"}, absl::UnknownError("No such file or directory")),
      "dump.txt: error: No such file or directory\n");
}

TEST(Message, ALineWithoutAPlaceInIt) {
  EXPECT_EQ(Printed({kStdinName, 7}, absl::OutOfRangeError("too large")),
            "<stdin>:7: error: too large\n");
}

TEST(Message, EveryErrorAboutATextHasAPlace) {
  const absl::Status error = absl::OutOfRangeError("too large");
  EXPECT_EQ(Printed({"f"}, WithPlace(" /**/ 99", error)),
            "f:1:7: error: too large\n   /**/ 99\n        ^\n");
  EXPECT_EQ(WithPlace("99", error).code(), error.code());
  // One that it has already is kept.
  const absl::Status placed = DiagnosticError("ab", 1, "odd");
  EXPECT_EQ(WithPlace("ab", placed), placed);
  EXPECT_EQ(DiagnosticOf(WithPlace("", error))->offset, 0);
  EXPECT_EQ(DiagnosticOf(WithPlace("  ", error))->offset, 0);
}

TEST(Message, EmptyLines) {
  EXPECT_EQ(Printed({"f"}, DiagnosticError("a\n", 2, "breaks off")),
            "f:2:1: error: breaks off\n  \n  ^\n");
  EXPECT_EQ(Printed({"f"}, DiagnosticError("", 0, "is empty")),
            "f:1:1: error: is empty\n  \n  ^\n");
}

TEST(Message, ExcerptsFitTheTerminal) {
  const std::string text = "abcdefghijklmnopqrstuvwxyz0123456789";
  auto excerpt = [&](int offset) {
    const std::string message =
        Printed({"f"}, DiagnosticError(text, offset, "odd"), 22);
    return message.substr(message.find('\n') + 1);
  };
  EXPECT_EQ(excerpt(0), "  abcdefghijklmnopq...\n  ^\n");
  EXPECT_EQ(excerpt(15), "  ...ijklmnopqrstuv...\n            ^\n");
  EXPECT_EQ(excerpt(35), "  ...tuvwxyz0123456789\n                     ^\n");
}

}  // namespace
}  // namespace tessera::cli
