// What the reader makes of text that is no HLO, or not quite, or cut off.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
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
       "module m\n"
       "computation f\n"
       "end\n"},
      {"a log before the module",
       "I0401 12:00:00.1 42 compiler.cc:7] Compiling module jit_f (\"main\n"
       "(stuff)\nfoo[1] bar\nHloModule m\nf { }",
       "! 1:1 expected a module, a computation or an instruction, found "
       "'I0401'\n"
       "module m\n"
       "computation f\n"
       "end\n"},
      {"no HLO at all",
       "Lorem ipsum dolor sit amet,\nconsectetur (adipiscing) elit.",
       "! 1:1 expected a module, a computation or an instruction, found "
       "'Lorem'\n"},
      {"bytes",
       "\x7f"
       "ELF\x02\x01\x01\n\xff\xfe\x80",
       "! 1:1 expected a module, a computation or an instruction, found byte "
       "0x7f\n"},
      {"module without a name", "HloModule , a=b\nf { }",
       "! 1:11 expected the name of the module, found ','\n"
       "module \n"
       "computation f\n"
       "end\n"},
      {"module attribute that does not close",
       "HloModule m, a=1, b={0,\n\nf {\n  x = f32[] iota()\n}",
       "module m | a=1\n"
       "! 3:3 '{' is not closed before the next instruction\n"
       "computation f\n"
       "x = f32[] iota()\n"
       "end\n"},
      {"module attribute that does not open", "HloModule m, a=1, b=0)\n\nf { }",
       "module m | a=1\n"
       "! 1:22 expected a value, found ')'\n"
       "computation f\n"
       "end\n"},
      {"header without ->", "f (x: f32[]) {\n  x = f32[] iota()\n}\ng { }",
       "! 1:14 expected '->', found '{'\nmodule \ncomputation \nx = f32[] "
       "iota()\n! 3:1 '}' does not close a computation\nend\ncomputation "
       "g\nend\n"},
      {"header without a shape", "f (x: f32[]) -> {\n}\ng { }",
       "! 1:17 expected a shape, found '{'\n! 2:1 '}' does not close a "
       "computation\nmodule \ncomputation g\nend\n"},
      {"header with a bracket left open", "f (x: f32[) -> f32[] {\n}\ng { }",
       "! 1:11 expected ']', found ')'\n! 2:1 '}' does not close a "
       "computation\nmodule \ncomputation g\nend\n"},
      {"header without a body", "ENTRY f (x: f32[]) -> f32[]\ng { }",
       "! 2:1 expected '{', found 'g'\n"
       "module \n"
       "computation g\n"
       "end\n"},
      {"ENTRY without a name", "ENTRY {\n x = f32[] iota()\n}",
       "! 1:7 expected the name of the computation, found '{'\nmodule "
       "\ncomputation \nx = f32[] iota()\n! 3:1 '}' does not close a "
       "computation\nend\n"},
      {"frame table cut short", "HloModule m\nFileNames\n1 \"a\n\nf { }",
       "module m\n"
       "! 3:3 the string has no end\n"
       "computation f\n"
       "end\n"},
      {"frame table with a bracket open",
       "HloModule m\nStackFrames\n1 {a=1\n\nf { }",
       "module m\n"
       "! 3:3 '{' is not closed before the text ends\n"
       "computation f\n"
       "end\n"},
      {"stray closing brace", "f { }\n}\ng { }",
       "module \ncomputation f\nend\n! 2:1 '}' does not close a "
       "computation\ncomputation g\nend\n"},
      {"broken trailer", "f { }, =\ng { }",
       "module \n"
       "computation f\n"
       "end\n"
       "! 1:8 expected an attribute, found '='\n"
       "computation g\n"
       "end\n"},
      {"broken instruction before a brace with a trailer",
       "f {\n  x = f32[] g(\n}, execution_thread=\"t\"\nh { }",
       "module \n"
       "computation f\n"
       "! 3:1 expected an operand, found '}'\n"
       "end | execution_thread=\"t\"\n"
       "computation h\n"
       "end\n"},
      {"comment without an end", "HloModule m\nf { }\n/* g { }",
       "module m\n"
       "computation f\n"
       "end\n"
       "! 3:1 expected a module, a computation or an instruction, found a "
       "comment without an end\n"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Walk(c.text), c.want) << c.name;
}

TEST(HloRecovery, InComputations) {
  // Put between two instructions, `a` and `z`.
  const Case kCases[] = {
      {"no name", "  = f32[] f()",
       "! 4:3 expected an instruction or '}', found '='\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"no name behind ROOT", "  ROOT = f32[] f()",
       "! 4:8 expected the name of an instruction, found '='\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"no equals sign", "  x f32[] f()",
       "! 4:3 expected an instruction or '}', found 'x'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"nothing behind =", "  x =",
       "! 4:6 expected a shape or an opcode, found the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"no opcode", "  x = f32[]",
       "! 4:12 expected an opcode, found the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"no parenthesis", "  x = f32[] f",
       "! 4:14 expected '(' after the opcode, found the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"ROOT alone", "  ROOT",
       "ROOT z = f32[] iota()\n"
       "end\n"},
      {"junk", "  ### !",
       "! 4:3 expected an instruction or '}', found '#'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"junk before an empty line", "  ### !\n\n}\n{",
       "! 4:3 expected an instruction or '}', found '#'\nend\n! 7:1 expected a "
       "module, a computation or an instruction, found '{'\ncomputation \nz = "
       "f32[] iota()\n! 9:1 '}' does not close a computation\nend\n"},
      {"junk with a quote", "  don't",
       "! 4:3 expected an instruction or '}', found 'don'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"number for a shape", "  x = 5",
       "! 4:7 expected a shape or an opcode, found '5'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"unknown type", "  x = f99[2]{0} f(a)",
       "! 4:7 in shape: expected a type or '(', found 'f99'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"bad layout", "  x = f32[2]{1} f(a)",
       "! 4:14 minor_to_major[0] = 1 is outside [0, 1)\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"bad layout in a tuple", "  x = (f32[2], f32[2]{0:T(2,)}) f(a)",
       "! 4:29 in tile: expected a dimension or '*', found ')'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"bracket of the shape open", "  x = f32[2 f(a)",
       "! 4:10 '[' is not closed before the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"layout open", "  x = f32[2]{0 f(a)",
       "! 4:13 '{' is not closed before the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"parenthesis open", "  x = f32[] f(a",
       "! 4:16 expected ',' or ')', found the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"parenthesis open in %-names", "  %x = f32[] f(%a",
       "! 4:18 expected ',' or ')', found the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"parenthesis open in a literal", "  x = f32[] constant({1,2}",
       "! 4:21 '(' is not closed before the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"brace open in a literal", "  x = f32[] constant({1,2)",
       "! 4:26 expected '}', found ')'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"parenthesis open in a nested operand", "  x = f32[] f(g(a)",
       "! 4:19 expected ',' or ')', found the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"operands without a comma", "  x = f32[] f(a b)",
       "! 4:17 expected ',' or ')', found 'b'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"empty operand", "  x = f32[] f(a,,b)",
       "! 4:17 expected an operand, found ','\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"comma before the parenthesis", "  x = f32[] f(a,)",
       "! 4:17 expected an operand, found ')'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"# without an index", "  x = f32[] f(a#)",
       "! 4:17 expected an index after '#', found ')'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"# with a name", "  x = f32[] f(a#b)",
       "! 4:17 expected an index after '#', found 'b'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"no attribute behind the comma", "  x = f32[] f(a), 5",
       "! 4:19 expected an attribute, found '5'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"word behind the comma", "  x = f32[] f(a), five",
       "! 4:19 expected an attribute, found 'five'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"brace open in a value", "  x = f32[] f(a), k={1,{2}",
       "! 4:21 '{' is not closed before the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"brace open in a value, %-names", "  %x = f32[] f(%a), k={%b",
       "! 4:23 '{' is not closed before the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"brackets crossed", "  x = f32[] f(a), k={(1})",
       "! 4:24 expected ')', found '}'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"bracket too many", "  x = f32[] f(a), k=(1))",
       "! 4:24 expected a value, found ')'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"brace open in a dictionary",
       "  x = f32[] f(a), backend_config={\"k\":{}",
       "! 4:34 '{' is not closed before the next instruction\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"closing quote missing", "  x = f32[] f(a), k=\"v",
       "! 4:21 the string has no end\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"closing quote missing, another string below",
       "  x = f32[] f(a), k={l=\"v}\n  y = f32[] f(a), k={l=\"v\"}",
       "! 4:24 the string has no end\n"
       "y = f32[] f(a) | k={l=\"v\"}\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"opening quote missing",
       "  x = f32[] f(a), k={l=/path\"}\n  y = f32[] f(a), k={l=\"v\"}",
       "! 4:29 the string has no end\n"
       "y = f32[] f(a) | k={l=\"v\"}\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"quote missing in a dictionary",
       "  x = f32[] f(a), backend_config={\"k:1}\n"
       "  y = f32[] f(a), backend_config={\"k\":1}",
       "! 4:35 the string has no end\n"
       "y = f32[] f(a) | backend_config={\"k\":1}\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"broken before a dictionary over several lines",
       "  x = f32[] f(a,), frontend_attributes={k={\n\"l\":\"v\"\n}}, m={}\n"
       "  y = f32[] f(a)",
       "! 4:17 expected an operand, found ')'\n"
       "y = f32[] f(a)\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"backslash", "  x = f32[] f(a), k={\\}",
       "! 4:22 '\\' outside a string\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"backslash, no braces", "  x = f32[] f(a), k=\\",
       "! 4:21 expected a value, found '\\'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"comment without an end behind a value", "  x = f32[] f(a), k=1 /* ",
       "! 4:23 the comment has no end\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"comment without an end among operands", "  x = f32[] f(/* a)",
       "! 4:15 expected an operand, found a comment without an end\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"closing brace missing before a computation",
       "  x = f32[] f(a)\n%g (y: f32[]) -> f32[] {",
       "x = f32[] f(a)\n"
       "! 4:17 the computation 'e' is not closed before the next item begins\n"
       "end\n"
       "computation g (y: f32[]) -> f32[]\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"closing brace missing behind a bare value",
       "  x = f32[] f(a), k=v\ng {",
       "x = f32[] f(a) | k=v\n"
       "! 4:22 the computation 'e' is not closed before the next item begins\n"
       "end\n"
       "computation g\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"closing brace missing before ENTRY", "ENTRY g {",
       "! 3:19 the computation 'e' is not closed before the next item begins\n"
       "end\n"
       "computation ENTRY g\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"closing brace missing before a module", "HloModule n\ng {",
       "! 3:19 the computation 'e' is not closed before the next item begins\n"
       "end\n"
       "module n\n"
       "computation g\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"a closing brace too many", "}",
       "end\ncomputation \nz = f32[] iota()\n! 6:1 '}' does not close a "
       "computation\nend\n"},
      {"broken instruction in an inline computation",
       "  x = f32[] f(a), to_apply={\n    p = f32[] g(\n    q = f32[] h()\n  "
       "}, k=v",
       "computation in x.to_apply\n"
       "! 5:17 expected an operand, found the next instruction\n"
       "q = f32[] h()\n"
       "end\n"
       "x = f32[] f(a) | to_apply={\n"
       "    p = f32[] g(\n"
       "    q = f32[] h()\n"
       "  } | k=v\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"instruction broken behind an inline computation",
       "  x = f32[] f(a), to_apply={\n    p = f32[] g()\n  }, k={(}",
       "computation in x.to_apply\n"
       "p = f32[] g()\n"
       "end\n"
       "! 6:10 expected ')', found '}'\n"
       "z = f32[] iota()\n"
       "end\n"},
      {"inline computation open",
       "  x = f32[] f(a), to_apply={\n    p = f32[] g()",
       "computation in x.to_apply\n"
       "p = f32[] g()\n"
       "z = f32[] iota()\n"
       "end\n"
       "x = f32[] f(a) | to_apply={\n"
       "    p = f32[] g()\n"
       "  z = f32[] iota()\n"
       "}\n"
       "! 7:2 the computation 'e' is not closed before the text ends\n"
       "end\n"},
      {"broken instruction among sound ones on a line",
       "  x = f32[] f(a, y = f32[] g() w = f32[] h()",
       "! 4:17 expected an operand, found the next instruction\n"
       "y = f32[] g()\n"
       "w = f32[] h()\n"
       "z = f32[] iota()\n"
       "end\n"},
  };
  for (const Case& c : kCases) {
    const std::string walk =
        Walk(absl::StrCat("HloModule m\ne {\n  a = f32[] iota()\n", c.text,
                          "\n  z = f32[] iota()\n}\n"));
    std::string_view rest = walk;
    EXPECT_TRUE(tessera::ConsumePrefix(
        &rest, "module m\ncomputation e\na = f32[] iota()\n"))
        << walk;
    EXPECT_EQ(std::string(rest), c.want) << c.name;
  }
}

std::string Repeat(std::string_view text) {
#ifdef TESSERA_SANITIZER
  constexpr size_t kSize = 20'000;
#else
  constexpr size_t kSize = 200'000;
#endif
  std::string repeated;
  while (repeated.size() < kSize) absl::StrAppend(&repeated, AbslView(text));
  return repeated;
}

// Were time to grow with the square of the length, this would not end.
TEST(HloRecovery, LongTextsTakeLinearTime) {
  for (const char* text : {
           "(",
           "{",
           "}",
           "[",
           "\"",
           "\"\n",
           "'\n\"\n",
           "\\\"\n",
           "/*",
           "/*\n",
           "//",
           "a",
           "%",
           "=",
           "a = ",
           "a = f32[] f(",
           "a = f32[] f(\n",
           "a = f32[] f(b ",
           "a = f32[] f(), ",
           "a = f32[] f(), k=",
           "a = f32[] f(), k={",
           "a = f32[] f(), k={\n",
           "a = f32[] f(), k={ %b = ",
           "a = f32[] f(), k=\"\n",
           "a = f32[] f(), k='\n",
           "a = f32[] f(), k=/*\n",
           "a = f32[] f(), k={\"\\\"\n",
           "a = f32[] f(), backend_config={\n",
           "a = f32[] f(), backend_config={\"\n",
           "a = f32[] f(), k={ b = f32[] g() } ",
           "a = f32[] f(), k={ { b = f32[] g() ",
           "a = f32[] f(), k=b (",
           "a = f32[] f(), k=b c () ",
           "a = f32[] f() k=b, c, d\n",
           "a = f32[",
           "a = (f32[], ",
           "a = f99[] f()\n",
           "a = f32[] constant({",
           "HloModule m, k={\n",
           "HloModule m, k=\"\n",
           "f {",
           "f {\n",
           "f (x: ",
           "f (x: f32[]) -> ",
           "f (x: f32[]) -> f32[] { ",
           "f { }, k={\n",
           "ENTRY ",
           "ROOT ",
           "FileNames 1 \"a\n",
           "1 ",
           "k=v, ",
       }) {
    SCOPED_TRACE(text);
    Walk(Repeat(text));
    // Before something sound, far away.
    const std::string walk =
        Walk(absl::StrCat("f {\n", Repeat(text), "\nz = f32[] iota()\n"));
    EXPECT_NE(walk.find("!"), walk.npos) << text;
  }
}

TEST(HloRecovery, NestingIsLimited) {
  for (const char open : {'(', '[', '{'}) {
    EXPECT_EQ(Walk(absl::StrCat("a = f32[] constant(", std::string(8192, open),
                                "\nb = f32[] f()")),
              "! 1:8211 brackets nested deeper than 8192\n"
              "module \ncomputation \nb = f32[] f()\nend\n");
  }
  std::string inline_computations;
  for (int i = 0; i < 8193; ++i) {
    absl::StrAppend(&inline_computations, "a = f(), k={");
  }
  const std::string walk = Walk(inline_computations);
  EXPECT_NE(walk.find("! 1:98316 brackets nested deeper than 8192\n"),
            walk.npos);
}

// A lost quote costs what stands up to the next quote, however many are lost.
TEST(HloRecovery, ManyLostQuotes) {
  std::string text = "f {\n";
  for (int i = 0; i < 8; ++i) {
    absl::StrAppend(&text, " l", i, " = f32[] g(), metadata={op_name=\"abc}\n",
                    " m", i, " = f32[] g(), metadata={op_name=\"abc\"}\n");
  }
  for (int i = 0; i < 1000; ++i)
    absl::StrAppend(&text, " a", i, " = f32[] g()\n");
  absl::StrAppend(&text, "}\n");
  HloShapeTable shapes;
  HloHandler handler;
  EXPECT_GE(ReadHlo(text, &shapes, &handler).instructions, 1000);
}

// Tabs part the words, and no blank says where a shape ends.
TEST(HloRecovery, TabsForBlanks) {
  std::string text = "f\t{";
  for (int i = 0; i < 50000; ++i) {
    absl::StrAppend(&text, "\t%a", i, "\t=\tf32[2]{0}\tg()");
  }
  absl::StrAppend(&text, "\t}");
  HloShapeTable shapes;
  HloHandler handler;
  const HloCounts counts = ReadHlo(text, &shapes, &handler);
  EXPECT_EQ(counts.instructions, 50000);
  EXPECT_EQ(counts.diagnostics, 0);
}

}  // namespace
}  // namespace tessera
