#include "tessera/hlo/hlo_printer.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

HloDump Parsed(std::string_view text) {
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

TEST(PrintHlo, FrameTablesOfALog) {
  const std::string text = R"(HloModule m

FileNames
1 "a
  .py"
StackFrames
1 {file_location_id=1 parent_frame_id=1}

f {
  ROOT x = f32[] iota()
}
)";
  std::string logged;
  for (std::string_view line : SplitViews(text, '\n')) {
    const bool is_in_string = tessera::StartsWith(line, "  .py");
    absl::StrAppend(&logged, is_in_string ? "" : "I0521 12:04:45.8 1 f.cc:9] ",
                    AbslView(line), "\n");
  }
  EXPECT_EQ(PrintHlo(Parsed(logged)), text);
}

// As XLA prints them: xla/literal.cc, DenseArrayToStringHelper.
TEST(PrintHlo, CommentsInLiterals) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case kCases[] = {
      {"c = f32[2,0,4,3]{3,2,1,0} constant({ { }, { } })",
       "c = f32[2,0,4,3]{3,2,1,0} constant({ { /*i0=0*/ }, { /*i0=1*/ } })"},
      {"c = f32[2,1,2,1] constant({ { { {1}, {2} } }, { { {3}, {4} } } })",
       "c = f32[2,1,2,1] constant({ { /*i0=0*/ { /*i1=0*/ {1}, {2} } }, "
       "{ /*i0=1*/ { /*i1=0*/ {3}, {4} } } })"},
      {"c = s8[1,1,2,1,2] constant({{{{{1,2}},{{3,4}}}}})",
       "c = s8[1,1,2,1,2] constant({{ /*i0=0*/ { /*i1=0*/ { /*i2=0*/ {1,2}},"
       "{ /*i2=1*/ {3,4}}}}})"},
      {"c = c64[1,1,1,1] constant({/*i0=9*/\n {/**/{{(1, -2)}}\n }})",
       "c = c64[1,1,1,1] constant({{ /*i0=0*/ { /*i1=0*/ {(1, -2)}} }})"},
      // Fewer dimensions, and literals that are cut short.
      {"c = f32[1,1,1] constant({ { {1} } })",
       "c = f32[1,1,1] constant({ { {1} } })"},
      {"c = f32[2,3,4,5] constant({...})", "c = f32[2,3,4,5] constant({...})"},
      // Each array of a tuple has its own.
      {"c = (f32[], s8[1,1,1,1], (s8[1], s8[1,1,2,1])) constant(( 1, "
       "{{{{1}}}}, ( {2}, {{{{1}, {2}}}} ) ))",
       "c = (f32[], s8[1,1,1,1], (s8[1], s8[1,1,2,1])) constant(( 1, "
       "{{ /*i0=0*/ { /*i1=0*/ {1}}}}, "
       "( {2}, {{ /*i0=0*/ { /*i1=0*/ {1}, {2}}}} ) ))"},
      // One that does not fit its shape stays as far as it does not.
      {"c = s8[1,1,1,1] constant({{{{{1}}}}})",
       "c = s8[1,1,1,1] constant({{ /*i0=0*/ { /*i1=0*/ {{1}}}}})"},
      {"c = s8[1,1,1,1] constant({1}, {{{{2}}}})",
       "c = s8[1,1,1,1] constant({1}, {{{{2}}}})"},
      // In a computation written inline.
      {"m = f32[] map(), to_apply={ c = s8[1,1,1,1] constant({{{{1}}}}) }, a=1",
       "m = f32[] map(), to_apply={ c = s8[1,1,1,1] constant({{ /*i0=0*/ "
       "{ /*i1=0*/ {1}}}}) }, a=1"},
  };
  for (const Case& c : kCases) {
    const std::string want = absl::StrCat(c.want, "\n");
    EXPECT_EQ(PrintHlo(Parsed(c.text)), want);
    EXPECT_EQ(PrintHlo(Parsed(want)), want);
    HloPrintOptions options;
    options.print_metadata = false;
    EXPECT_EQ(PrintHlo(Parsed(c.text), options), want);
  }
}

TEST(PrintedComments, Example) {
  // Three: level 0, and both indices of level 1.
  EXPECT_EQ(PrintHlo(Parsed("c = s32[1,2,1,1] constant({{{{1}},{{2}}}})")),
            "c = s32[1,2,1,1] constant({{ /*i0=0*/ { /*i1=0*/ {1}},"
            "{ /*i1=1*/ {2}}}})\n");
}

// On one line: what looks for a line break at every brace looks too far.
TEST(PrintHlo, CommentsInALongLiteralTakeLinearTime) {
  std::string row = "{ /*i0=0*/ ";
  for (int i = 0; i < 200000; ++i) {
    absl::StrAppend(&row, i == 0 ? "" : ", ", "{ /*i1=", i, "*/ {1} }");
  }
  const std::string text =
      absl::StrCat("c = s8[1,200000,1,1] constant({ ", row, " } })\n");
  EXPECT_EQ(PrintHlo(Parsed(text)), text);
}

// Before every fifth element, as XLA prints them.
TEST(PrintHlo, CommentsInLists) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case kCases[] = {
      {R"(HloModule m, entry_computation_layout={(s8[], s8[], s8[], s8[], s8[],
          s8[])->(s8[], s8[], s8[], s8[], s8[], s8[])}
ENTRY %e (a: (s8[], s8[], s8[], s8[], s8[], s8[]), b: s8[], c: s8[], d: s8[],
    e: s8[], f: s8[]) -> (s8[], s8[], s8[], s8[], s8[], s8[]) {
  %a = (s8[], s8[], s8[], s8[], s8[], s8[]) parameter(0)
  %b = s8[]{:T(4,4,4,4,4,4, 4)} parameter(1)
  ROOT %t = (s8[], s8[], s8[], s8[], s8[], s8[]) tuple(%b, %b, s8[] %b, %b, %b, %b), sharding={{replicated}, {devices=[1, 1]0}, {replicated}, {replicated}, {replicated}, {replicated}}, metadata={op_name="(a, b, c, d, e, f"}
}
)",
       R"(HloModule m, entry_computation_layout={(s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[])->(s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[])}

ENTRY %e (a: (s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[]), b: s8[], c: s8[], d: s8[], e: s8[], f: s8[]) -> (s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[]) {
  %a = (s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[]) parameter(0)
  %b = s8[]{:T(4,4,4,4,4,4, 4)} parameter(1)
  ROOT %t = (s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[]) tuple(%b, %b, s8[] %b, %b, %b, /*index=5*/%b), sharding={{replicated}, {devices=[1, 1]0}, {replicated}, {replicated}, {replicated}, /*index=5*/{replicated}}, metadata={op_name="(a, b, c, d, e, f"}
}
)"},
      // Nested ones, and those that are there.
      {"x = ((s8[], s8[]), (s8[], s8[], s8[], s8[], s8[], s8[]), s8[], s8[], "
       "s8[], /*index=5*/s8[]) call(s8[] add(%a, %b, %c, %d, %e, /*x*/ %f))\n",
       "x = ((s8[], s8[]), (s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[]), "
       "s8[], s8[], s8[], /*index=5*/s8[]) call(s8[] add(%a, %b, %c, %d, %e, "
       "/*index=5*/%f))\n"},
      {"x = token[] outfeed(a, b), sharding={{a}, {b}, {c}, {d}, {e}, {f}}\n",
       "x = token[] outfeed(a, b), sharding={{a}, {b}, {c}, {d}, {e}, "
       "/*index=5*/{f}}\n"},
      // The short form has none before operands.
      {"x = s8[] call(a, b, c, d, e, f, add(a, b, c, d, e, f))\n",
       "x = s8[] call(a, b, c, d, e, f, add(a, b, c, d, e, f))\n"},
      {"x = s8[] call(a, b, c, d, e, /*index=5*/f)\n",
       "x = s8[] call(a, b, c, d, e, /*index=5*/f)\n"},
      // Nor had the layouts of older versions, which have no blanks.
      {"HloModule m, entry_computation_layout={(s8[],s8[],s8[],s8[],s8[],s8[])"
       "->s8[]}\n",
       "HloModule m, entry_computation_layout={(s8[],s8[],s8[],s8[],s8[],s8[])"
       "->s8[]}\n"},
      {"f32[2] call(f32[2], f32[2], f32[2], f32[2], f32[2], f32[2])\n",
       "f32[2] call(f32[2], f32[2], f32[2], f32[2], f32[2], "
       "/*index=5*/f32[2])\n"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(PrintHlo(Parsed(c.text)), c.want);
    EXPECT_EQ(PrintHlo(Parsed(c.want)), c.want);
  }
}

// The text without white space and without comments other than /*index=N*/,
// strings apart: what printing must keep. Written without the reader.
std::string Essence(std::string_view text) {
  std::string essence;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    size_t size = 1;
    bool keep = true;
    if (tessera::StartsWith(rest, "//") ||
        (rest[0] == '#' && (i == 0 || text[i - 1] == '\n'))) {
      size = std::min(rest.find('\n'), rest.size());
      keep = false;
    } else if (tessera::StartsWith(rest, "/*")) {
      size = std::min(rest.find("*/"), rest.size() - 2) + 2;
      keep = tessera::StartsWith(rest, "/*index=");
    } else if (rest[0] == '"' || rest[0] == '\'') {
      while (size < rest.size() && rest[size] != rest[0]) {
        size += rest[size] == '\\' ? 2 : 1;
      }
      ++size;
    } else {
      keep =
          std::string_view(" \t\r\n").find(rest[0]) == std::string_view::npos;
    }
    if (keep) absl::StrAppend(&essence, AbslView(rest.substr(0, size)));
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
