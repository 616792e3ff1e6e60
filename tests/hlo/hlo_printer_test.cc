#include "tessera/hlo/hlo_printer.h"

#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

HloDump Parsed(absl::string_view text) {
  absl::StatusOr<HloDump> dump = ParseHlo(std::string(text));
  EXPECT_TRUE(dump.ok()) << dump.status();
  return *std::move(dump);
}

TEST(PrintHlo, LeavesCommentsOut) {
  const HloDump dump = Parsed(
      "HloModule m  ENTRY e { // the entry\n"
      "ROOT x = f32[] constant(1), metadata={op_name=\"one\"} }");
  EXPECT_EQ(PrintHlo(dump), R"(HloModule m

ENTRY e {
  ROOT x = f32[] constant(1), metadata={op_name="one"}
}
)");
}

TEST(PrintHlo, WhiteSpaceAndComments) {
  const HloDump dump = Parsed(R"(
    // first
    HloModule m, is_scheduled=true /*!*/, replica_count=2
    %f   (x: f32[],
          /*index=1*/ y: f32[]) -> f32[] {
      %x = f32[] parameter(0) /* x */
      ROOT %y = f32[]
        custom-call(%x, /*index=1*/
          %x), custom_call_target="a // b
      /*c*/", called_computations={ /*none*/ }
    } , execution_thread="t"
    ENTRY %g { ROOT %r = f32[] reduce(), to_apply={
        %a = f32[] parameter(0)
        ROOT %b = f32[] negate(%a)
      }, metadata={}
    })");
  EXPECT_EQ(PrintHlo(dump), R"(HloModule m, is_scheduled=true, replica_count=2

%f (x: f32[], /*index=1*/ y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  ROOT %y = f32[] custom-call(%x, /*index=1*/ %x), custom_call_target="a // b
      /*c*/", called_computations={ }
}, execution_thread="t"

ENTRY %g {
  ROOT %r = f32[] reduce(), to_apply={ %a = f32[] parameter(0) ROOT %b = f32[] negate(%a) }, metadata={}
}
)");
}

TEST(PrintHlo, WithoutMetadataOrBackendConfig) {
  const HloDump dump = Parsed(
      "f { ROOT x = f32[] add(a), to_apply=f, metadata={op_name=\"}\"}, "
      "index=1, backend_config={\"a\":{}} }");
  HloPrintOptions options;
  options.print_metadata = false;
  options.print_backend_config = false;
  EXPECT_EQ(PrintHlo(dump, options),
            "f {\n  ROOT x = f32[] add(a), to_apply=f, index=1\n}\n");
  std::string out = "> ";
  AppendHlo(dump.instructions()[0], HloPrintOptions(), &out);
  EXPECT_EQ(out,
            "> ROOT x = f32[] add(a), to_apply=f, metadata={op_name=\"}\"}, "
            "index=1, backend_config={\"a\":{}}");
}

TEST(PrintHlo, InstructionsWithoutAComputation) {
  EXPECT_EQ(PrintHlo(Parsed("x = f32[] add(a)  f32[2] add(f32[2], f32[2])")),
            "x = f32[] add(a)\nf32[2] add(f32[2], f32[2])\n");
  EXPECT_EQ(PrintHlo(Parsed("")), "");
}

TEST(PrintHlo, FrameTables) {
  const HloDump dump = Parsed(R"(HloModule m
FileNames
1 "a.py"

StackFrames
1 {file_location_id=1 parent_frame_id=1}

f {
  x = f32[] add(a)
})");
  EXPECT_EQ(PrintHlo(dump), R"(HloModule m

FileNames
1 "a.py"

StackFrames
1 {file_location_id=1 parent_frame_id=1}

f {
  x = f32[] add(a)
}
)");
}

// The text without white space and without comments other than /*index=N*/,
// strings apart: what printing must keep. Written without the reader.
std::string Essence(absl::string_view text) {
  std::string essence;
  for (size_t i = 0; i < text.size();) {
    const absl::string_view rest = text.substr(i);
    size_t size = 1;
    bool keep = true;
    if (absl::StartsWith(rest, "//") ||
        (rest[0] == '#' && (i == 0 || text[i - 1] == '\n'))) {
      size = std::min(rest.find('\n'), rest.size());
      keep = false;
    } else if (absl::StartsWith(rest, "/*")) {
      size = std::min(rest.find("*/"), rest.size() - 2) + 2;
      keep = absl::StartsWith(rest, "/*index=");
    } else if (rest[0] == '"' || rest[0] == '\'') {
      while (size < rest.size() && rest[size] != rest[0]) {
        size += rest[size] == '\\' ? 2 : 1;
      }
      ++size;
    } else {
      keep =
          absl::string_view(" \t\r\n").find(rest[0]) == absl::string_view::npos;
    }
    if (keep) absl::StrAppend(&essence, rest.substr(0, size));
    i += size;
  }
  return essence;
}

TEST(PrintHlo, GivesEveryDumpAgain) {
  for (const char* file : kDumpFiles) {
    const std::string text = ReadDump(file);
    const HloDump dump = Parsed(text);
    const std::string printed = PrintHlo(dump);
    std::string want = Essence(text);
    // It is cut off behind its last complete instruction.
    if (dump.counts().is_merely_cut_off()) want.push_back('}');
    EXPECT_EQ(Essence(printed), want) << file;
    // And the same again.
    EXPECT_EQ(PrintHlo(Parsed(printed)), printed) << file;
  }
}

}  // namespace
}  // namespace tessera
