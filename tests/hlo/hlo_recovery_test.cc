// What the reader makes of text that is no HLO, or not quite, or cut off.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_reader.h"
#include "tests/hlo/walk.h"

namespace tessera {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* want;
};

TEST(HloRecovery, OutsideComputations) {
  const Case kCases[] = {
      {"lit lines",
       "# RUN: hlo-opt %s | FileCheck %s\n# it's {\nHloModule m\nf { }",
       ""},
      {"a log before the module",
       "I0401 12:00:00.1 42 compiler.cc:7] Compiling module jit_f (\"main\n"
       "(stuff)\nfoo[1] bar\nHloModule m\nf { }",
       ""},
      {"no HLO at all", "Lorem ipsum dolor sit amet,\nconsectetur (adipiscing) elit.",
       ""},
      {"bytes", "\x7f" "ELF\x02\x01\x01\n\xff\xfe\x80", ""},
      {"module without a name", "HloModule , a=b\nf { }", ""},
      {"module attribute that does not close",
       "HloModule m, a=1, b={0,\n\nf {\n  x = f32[] iota()\n}", ""},
      {"module attribute that does not open", "HloModule m, a=1, b=0)\n\nf { }", ""},
      {"header without ->", "f (x: f32[]) {\n  x = f32[] iota()\n}\ng { }", ""},
      {"header without a shape", "f (x: f32[]) -> {\n}\ng { }", ""},
      {"header with a bracket left open", "f (x: f32[) -> f32[] {\n}\ng { }", ""},
      {"header without a body", "ENTRY f (x: f32[]) -> f32[]\ng { }", ""},
      {"ENTRY without a name", "ENTRY {\n x = f32[] iota()\n}", ""},
      {"frame table cut short", "HloModule m\nFileNames\n1 \"a\n\nf { }", ""},
      {"frame table with a bracket open",
       "HloModule m\nStackFrames\n1 {a=1\n\nf { }", ""},
      {"stray closing brace", "f { }\n}\ng { }", ""},
      {"broken trailer", "f { }, =\ng { }", ""},
      {"comment without an end", "HloModule m\nf { }\n/* g { }", ""},
  };
  for (const Case& c : kCases) EXPECT_EQ(Walk(c.text), c.want) << c.name;
}

TEST(HloRecovery, InComputations) {
  // Put between two instructions, `a` and `z`.
  const Case kCases[] = {
      {"no name", "  = f32[] f()", ""},
      {"no = ", "  x f32[] f()", ""},
      {"nothing behind =", "  x =", ""},
      {"no opcode", "  x = f32[]", ""},
      {"no parenthesis", "  x = f32[] f", ""},
      {"ROOT alone", "  ROOT", ""},
      {"junk", "  ### !", ""},
      {"junk with a quote", "  don't", ""},
      {"number for a shape", "  x = 5", ""},
      {"unknown type", "  x = f99[2]{0} f(a)", ""},
      {"bad layout", "  x = f32[2]{1} f(a)", ""},
      {"bad layout in a tuple", "  x = (f32[2], f32[2]{0:T(2,)}) f(a)", ""},
      {"bracket of the shape open", "  x = f32[2 f(a)", ""},
      {"layout open", "  x = f32[2]{0 f(a)", ""},
      {"parenthesis open", "  x = f32[] f(a", ""},
      {"parenthesis open in %-names", "  %x = f32[] f(%a", ""},
      {"parenthesis open in a literal", "  x = f32[] constant({1,2}", ""},
      {"brace open in a literal", "  x = f32[] constant({1,2)", ""},
      {"parenthesis open in a nested operand", "  x = f32[] f(g(a)", ""},
      {"operands without a comma", "  x = f32[] f(a b)", ""},
      {"empty operand", "  x = f32[] f(a,,b)", ""},
      {"comma before the parenthesis", "  x = f32[] f(a,)", ""},
      {"# without an index", "  x = f32[] f(a#)", ""},
      {"# with a name", "  x = f32[] f(a#b)", ""},
      {"no attribute behind the comma", "  x = f32[] f(a), 5", ""},
      {"word behind the comma", "  x = f32[] f(a), five", ""},
      {"brace open in a value", "  x = f32[] f(a), k={1,{2}", ""},
      {"brace open in a value, %-names", "  %x = f32[] f(%a), k={%b", ""},
      {"brackets crossed", "  x = f32[] f(a), k={(1})", ""},
      {"bracket too many", "  x = f32[] f(a), k=(1))", ""},
      {"brace open in a dictionary", "  x = f32[] f(a), backend_config={\"k\":{}", ""},
      {"closing quote missing", "  x = f32[] f(a), k=\"v", ""},
      {"closing quote missing, another string below",
       "  x = f32[] f(a), k={l=\"v}\n  y = f32[] f(a), k={l=\"v\"}", ""},
      {"opening quote missing",
       "  x = f32[] f(a), k={l=/path\"}\n  y = f32[] f(a), k={l=\"v\"}", ""},
      {"quote missing in a dictionary",
       "  x = f32[] f(a), backend_config={\"k:1}\n"
       "  y = f32[] f(a), backend_config={\"k\":1}", ""},
      {"backslash", "  x = f32[] f(a), k={\\}", ""},
      {"backslash, no braces", "  x = f32[] f(a), k=\\", ""},
      {"comment without an end", "  x = f32[] f(a), k=1 /* ", ""},
      {"comment without an end in brackets", "  x = f32[] f(/* a)", ""},
      {"closing brace missing before a computation", "  x = f32[] f(a)\n%g (y: f32[]) -> f32[] {", ""},
      {"closing brace missing behind a bare value", "  x = f32[] f(a), k=v\ng {", ""},
      {"closing brace missing before ENTRY", "ENTRY g {", ""},
      {"closing brace missing before a module", "HloModule n\ng {", ""},
      {"a closing brace too many", "}", ""},
      {"broken instruction in an inline computation",
       "  x = f32[] f(a), to_apply={\n    p = f32[] g(\n    q = f32[] h()\n  }, k=v", ""},
      {"instruction broken behind an inline computation",
       "  x = f32[] f(a), to_apply={\n    p = f32[] g()\n  }, k={(}", ""},
      {"inline computation open", "  x = f32[] f(a), to_apply={\n    p = f32[] g()", ""},
      {"broken instruction among sound ones on a line",
       "  x = f32[] f(a, y = f32[] g() w = f32[] h()", ""},
  };
  for (const Case& c : kCases) {
    const std::string walk =
        Walk(absl::StrCat("HloModule m\ne {\n  a = f32[] iota()\n", c.text, "\n  z = f32[] iota()\n}\n"));
    EXPECT_EQ(walk, c.want) << c.name;
  }
}

}  // namespace
}  // namespace tessera
