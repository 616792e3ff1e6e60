#include "tessera/hlo/hlo_reader.h"

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tests/hlo/walk.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(HloReader, HandsOverEveryInstructionAndCounts) {
  std::ostringstream out;
  class Printer : public HloHandler {
   public:
    explicit Printer(std::ostream& out) : out_(out) {}
    void OnInstruction(const HloInstructionText& instruction) override {
      out_ << instruction.name << " is " << instruction.opcode << " of "
           << instruction.operands.size() << "\n";
    }

   private:
    std::ostream& out_;
  };

  HloShapeTable shapes;
  Printer printer(out);
  HloCounts counts = ReadHlo(R"(
      HloModule m
      ENTRY %main {
        %x = f32[2,3]{1,0} parameter(0)
        ROOT %y = f32[2,3]{1,0} add(%x, %x), metadata={op_name="sum"}
      })",
                             &shapes, &printer);
  EXPECT_EQ(out.str(), "x is parameter of 0\ny is add of 2\n");
  EXPECT_EQ(counts.modules, 1);
  EXPECT_EQ(counts.computations, 1);
  EXPECT_EQ(counts.instructions, 2);
  EXPECT_EQ(counts.roots, 1);
  EXPECT_EQ(counts.operands, 2);
  EXPECT_EQ(counts.diagnostics, 0);
  EXPECT_EQ(shapes.size(), 1);
}

struct Case {
  const char* name;
  const char* text;
  const char* want;
};

TEST(HloReader, ModulesAndComputations) {
  const Case kCases[] = {
      {"nothing", "", ""},
      {"blanks and comments", " \t\r\n// a\n/* b */", ""},
      {"module alone", "HloModule m", "module m\n"},
      {"module name with a colon", "HloModule m:", "module m\n"},
      {"module name with %", "HloModule %m", "module m\n"},
      {"byte order mark", "\xEF\xBB\xBFHloModule m", "module m\n"},
      {"header attributes",
       "HloModule m, is_scheduled=true, replica_count=2\n"
       "f { ROOT x = f32[] parameter(0) }",
       "module m | is_scheduled=true | replica_count=2\n"
       "computation f\nROOT x = f32[] parameter'0'\nend\n"},
      {"bare header value before a computation with parameters",
       "HloModule m, is_scheduled=true\n\nf (x: f32[]) -> f32[] { }",
       "module m | is_scheduled=true\ncomputation f (x: f32[]) -> f32[]\n"
       "end\n"},
      {"glued parameter list",
       "HloModule m, is_scheduled=true\nf(x: f32[]) -> f32[] { }",
       "module m | is_scheduled=true\ncomputation f (x: f32[]) -> f32[]\n"
       "end\n"},
      {"bare header value before ENTRY",
       "HloModule m, is_scheduled=true ENTRY f { }",
       "module m | is_scheduled=true\ncomputation ENTRY f\nend\n"},
      {"bare header value before another module",
       "HloModule m, is_scheduled=true HloModule n",
       "module m | is_scheduled=true\nmodule n\n"},
      {"frame tables",
       "HloModule m\n\nFileNames\n1 \"a b.py\"\n2 \"ENTRY\"\n\n"
       "FunctionNames\n1 \"<module>\"\n\nFileLocations\n"
       "1 {file_name_id=1 function_name_id=1 line=9 column=25}\n\n"
       "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\nf { }",
       "module m\ncomputation f\nend\n"},
      {"emptied frame tables",
       "HloModule m\nFileNames\nFunctionNames\nFileLocations\nStackFrames\n"
       "ENTRY f { }",
       "module m\ncomputation ENTRY f\nend\n"},
      {"header value before a frame table",
       "HloModule m, is_scheduled=true\nFileNames\n1 \"a\"\nf { }",
       "module m | is_scheduled=true\ncomputation f\nend\n"},
      {"no module line", "ENTRY %f (x: f32[]) -> f32[] { }",
       "module \ncomputation ENTRY f (x: f32[]) -> f32[]\nend\n"},
      {"no module line, several computations", "f { } g { } ENTRY h { }",
       "module \ncomputation f\nend\ncomputation g\nend\n"
       "computation ENTRY h\nend\n"},
      {"parameter list without ENTRY, which XLA misreads",
       "%f (x: f32[]) -> f32[] { }",
       "module \ncomputation f (x: f32[]) -> f32[]\nend\n"},
      {"program shape with tuples, layouts and no parameters",
       "%f () -> (f32[2]{0}, (s32[], token[])) { }",
       "module \ncomputation f () -> (f32[2]{0}, (s32[], token[]))\nend\n"},
      {"result with a layout before the body",
       "%f (x: f32[2,3]) -> f32[2,3]{1,0:T(8,128)} { }",
       "module \ncomputation f (x: f32[2,3]) -> f32[2,3]{1,0:T(8,128)}\n"
       "end\n"},
      {"result without a layout before the body",
       "%f (x: f32[2,3]) -> f32[2,3]{ x = f32[] parameter(0) }",
       "module \ncomputation f (x: f32[2,3]) -> f32[2,3]\n"
       "x = f32[] parameter'0'\nend\n"},
      {"unnamed parameters", "%f ((unknown): f32[]) -> f32[] { }",
       "module \ncomputation f ((unknown): f32[]) -> f32[]\nend\n"},
      {"a computation named b", "b (x: f32[]) -> f32[] { }",
       "module \ncomputation b (x: f32[]) -> f32[]\nend\n"},
      {"header over several lines",
       "%f\n(\nx: f32[],\n/*index=1*/ y: s32[]\n)\n->\nf32[]\n{\n}",
       "module \ncomputation f (\nx: f32[],\n/*index=1*/ y: s32[]\n)\n->\n"
       "f32[]\nend\n"},
      {"trailer",
       "HloModule m\nf { }, execution_thread=\"parallel\"\n"
       "g { }, a=b\nENTRY h { }, c={1}",
       "module m\ncomputation f\nend | execution_thread=\"parallel\"\n"
       "computation g\nend | a=b\ncomputation ENTRY h\nend | c={1}\n"},
      {"several modules",
       "HloModule a\nENTRY f { }\n// -----\nHloModule b, x=1\nENTRY f { }",
       "module a\ncomputation ENTRY f\nend\nmodule b | x=1\n"
       "computation ENTRY f\nend\n"},
      {"all on one line",
       "HloModule m ENTRY e { a = f32[] parameter(0) ROOT b = f32[] add(a, a)}",
       "module m\ncomputation ENTRY e\na = f32[] parameter'0'\n"
       "ROOT b = f32[] add(a, a)\nend\n"},
      {"one instruction", "x = f32[2] add(f32[2] a, f32[2] b), k=1",
       "module \ncomputation \nx = f32[2] add(f32[2]:a, f32[2]:b) | k=1\n"
       "end\n"},
      {"one instruction without a name", "f32[2] add(f32[2] %a, f32[2])",
       "module \ncomputation \n = f32[2] add(f32[2]:a, <f32[2]>)\nend\n"},
      {"a tuple without a name", "(f32[2], s32[]) tuple(f32[2] %a, s32[] %b)",
       "module \ncomputation \n"
       " = (f32[2], s32[]) tuple(f32[2]:a, s32[]:b)\nend\n"},
      {"a buffer without a name", "b(f32[2]) pin(f32[2] %a)",
       "module \ncomputation \n = b(f32[2]) pin(f32[2]:a)\nend\n"},
      {"lines cut from a dump",
       "  %x = f32[] parameter(0)\n  ROOT %y = f32[] negate(%x)\n}\n\n"
       "ENTRY f { }",
       "module \ncomputation \nx = f32[] parameter'0'\nROOT y = f32[] "
       "negate(x)\n! 3:1 '}' does not close a computation\nend\ncomputation "
       "ENTRY f\nend\n"},
      {"instructions after a computation",
       "HloModule m\nf { }\nx = f32[] iota()",
       "module m\ncomputation f\nend\ncomputation \nx = f32[] iota()\nend\n"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Walk(c.text), c.want) << c.name;
}

// Of instructions in the entry computation of a module.
std::string WalkInstructions(std::string_view instructions) {
  constexpr std::string_view kBegin = "module m\ncomputation ENTRY e\n";
  constexpr std::string_view kEnd = "end\n";
  std::string walk = Walk(
      absl::StrCat("HloModule m ENTRY e {\n", AbslView(instructions), "\n}"));
  std::string_view lines = walk;
  EXPECT_TRUE(tessera::ConsumePrefix(&lines, kBegin)) << walk;
  EXPECT_TRUE(tessera::ConsumeSuffix(&lines, kEnd)) << walk;
  return std::string(lines);
}

TEST(HloReader, Instructions) {
  const Case kCases[] = {
      {"name with %", "%x.1 = f32[] iota()", "x.1 = f32[] iota()\n"},
      {"name without %", "x-1 = f32[] iota()", "x-1 = f32[] iota()\n"},
      {"name with a colon", "x: = f32[] iota()", "x = f32[] iota()\n"},
      {"name that begins with a digit", "%0 = f32[] iota()",
       "0 = f32[] iota()\n"},
      {"= glued to a name with %", "%x=f32[] iota()", "x = f32[] iota()\n"},
      {"ROOT", "ROOT x = f32[] iota()", "ROOT x = f32[] iota()\n"},
      {"a name that begins with ROOT", "ROOT2 = f32[] iota()",
       "ROOT2 = f32[] iota()\n"},
      {"tokens over lines", "ROOT\nx\n=\nf32\n[\n2\n]\n{\n0\n}\nadd\n(\na\n)",
       "ROOT x = f32\n[\n2\n]\n{\n0\n} add(a)\n"},
      {"comments between tokens",
       "/*1*/x/*2*/=/*3*/f32[2]/*4*/{0}/*5*/add/*6*/(/*7*/a/*8*/)//9",
       "x = f32[2]/*4*/{0} add(a)\n"},
      {"no shape", "x = add(a, b)", "x = add(a, b)\n"},
      {"tuple", "x = (f32[2]{0}, (s32[], token[])) tuple(a, b)",
       "x = (f32[2]{0}, (s32[], token[])) tuple(a, b)\n"},
      {"buffer", "x = b(f32[2]) pin(a)", "x = b(f32[2]) pin(a)\n"},
      {"opcode b with a tuple of shapes inside", "x = b (f32[2]) pin(a)",
       "x = b (f32[2]) pin(a)\n"},
      {"tiled", "x = bf16[8,128]{1,0:T(8,128)(2,1)S(1)} copy(a)",
       "x = bf16[8,128]{1,0:T(8,128)(2,1)S(1)} copy(a)\n"},
      {"dynamic", "x = f32[<=2,?] copy(a)", "x = f32[<=2,?] copy(a)\n"},
      {"scalar with {}, as printed in 2017", "x = f32[]{} copy(a)",
       "x = f32[]{} copy(a)\n"},
      {"unknown opcode", "x = f32[] frobnicate-2(a)",
       "x = f32[] frobnicate-2(a)\n"},
      {"async sugar",
       "s = ((f32[2]), f32[2], s32[]) custom-call-start(f32[2] a), "
       "async_execution_thread=\"t\"",
       "s = ((f32[2]), f32[2], s32[]) custom-call-start(f32[2]:a)"
       " | async_execution_thread=\"t\"\n"},
      {"no operands", "x = u32[] partition-id( /*none*/ )",
       "x = u32[] partition-id'/*none*/'\n"},
      {"operands with shapes", "x = f32[2] add(f32[2]{0} %a, (s32[], f32[]) b)",
       "x = f32[2] add(f32[2]{0}:a, (s32[], f32[]):b)\n"},
      {"operands without", "x = f32[2] add(%a,b)", "x = f32[2] add(a, b)\n"},
      {"operand index comments", "x = f32[2] f(a, /*index=5*/b)",
       "x = f32[2] f(a, b)\n"},
      {"operand named b", "x = f32[2] add(b, b)", "x = f32[2] add(b, b)\n"},
      {"compact get-tuple-element", "x = f32[2] add(%p#0#1, f32[10] %p#12)",
       "x = f32[2] add(p#0#1, f32[10]:p#12)\n"},
      {"nested operand", "x = f32[2] add(negate(%a), f32[2] multiply(a, b))",
       "x = f32[2] add(<negate(%a)>, <f32[2] multiply(a, b)>)\n"},
      {"nested operands in one another", "x = f32[] f(g(h(a, b), c), d)",
       "x = f32[] f(<g(h(a, b), c)>, d)\n"},
      {"operand that is a shape alone", "x = f32[2] f(f32[2], (s32[], f32[]))",
       "x = f32[2] f(<f32[2]>, <(s32[], f32[])>)\n"},
      {"elided operands", "x = f32[2] f(a, ...(+3))",
       "x = f32[2] f(a, <...(+3)>)\n"},
      {"number where operands stand", "x = f32[2] f(-1.5, {1,2})",
       "x = f32[2] f(<-1.5>, <{1,2}>)\n"},
      {"parameter", "x = f32[2] parameter( 12 )", "x = f32[2] parameter'12'\n"},
      {"attributes behind spaced names", "x = f32[] f(a) , index = 0, k=v",
       "x = f32[] f(a) | index=0 | k=v\n"},
      {"comma left behind", "x = f32[] f(a), k=v,\ny = f32[] f(a),",
       "x = f32[] f(a) | k=v\ny = f32[] f(a)\n"},
      {"attribute without a value", "x = f32[] f(a), k=, l=\ny = f32[] f(a)",
       "x = f32[] f(a) | k= | l=\ny = f32[] f(a)\n"},
      {"several computations behind calls=",
       "x = f32[] f(a), calls=%b, %c, k=v",
       "x = f32[] f(a) | calls=%b, %c"
       " | k=v\n"},
      {"inline computation",
       "x = f32[] reduce(a, b), dimensions={0}, to_apply={\n"
       "  p = f32[] parameter(0)\n  ROOT %q=f32[] negate(p), k=v\n}, l=w",
       "computation in x.to_apply\np = f32[] parameter'0'\n"
       "ROOT q = f32[] negate(p) | k=v\nend\n"
       "x = f32[] reduce(a, b) | dimensions={0} | to_apply={\n"
       "  p = f32[] parameter(0)\n  ROOT %q=f32[] negate(p), k=v\n} | l=w\n"},
      {"inline computation whose instruction has no shape",
       "x = f32[] map(a), to_apply={ ROOT q = negate(p) }",
       "computation in x.to_apply\nROOT q = negate(p)\nend\n"
       "x = f32[] map(a) | to_apply={ ROOT q = negate(p) }\n"},
      {"inline computations in a list",
       "x = f32[] conditional(a, b), branch_computations={ { ROOT p = f32[] "
       "f() }, %named, {ROOT q = f32[] g()} }\ny = f32[] h()",
       "computation in x.branch_computations\nROOT p = f32[] f()\nend\n"
       "computation in x.branch_computations\nROOT q = f32[] g()\nend\n"
       "x = f32[] conditional(a, b) | branch_computations={ { ROOT p = f32[] "
       "f() }, %named, {ROOT q = f32[] g()} }\ny = f32[] h()\n"},
      {"inline computation in an inline computation",
       "x = f32[] f(a), calls={ y = f32[] g(b, c), calls={ ROOT z = f32[] h() "
       "}, k=v }",
       "computation in x.calls\ncomputation in y.calls\nROOT z = f32[] h()\n"
       "end\ny = f32[] g(b, c) | calls={ ROOT z = f32[] h() } | k=v\nend\n"
       "x = f32[] f(a) | calls={ y = f32[] g(b, c), calls={ ROOT z = f32[] h() "
       "}, k=v }\n"},
      {"MLIR's attributes are no inline computation",
       "x = f32[] f(a), backend_config={ n = tensor(f32), i = 1 : i32 }",
       "x = f32[] f(a) | backend_config={ n = tensor(f32), i = 1 : i32 }\n"},
      {"# begins no comment", "x = f32[] add(%p#0, %q) // # }",
       "x = f32[] add(p#0, q)\n"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(WalkInstructions(c.text), c.want) << c.name;
  }
}

// Every kind of value in xla/hlo/parser/hlo_parser.cc.
constexpr const char* kValues[] = {
    "true",
    "0",
    "-1",
    "0.001",
    "1e-3",
    R"("foo\"bar")",
    R"("back\\")",
    "'single \"quoted\"'",
    "\"a string\nover lines // no comment /* here\"",
    R"("HloModule n\n ENTRY %e { ROOT %x = f32[] add(%y) }")",
    "\"a module\nENTRY %e {\n  ROOT %x = f32[] add(%y)\n}\n\"",
    "{}",
    "{0,1}",
    "{{0,1},{1,0}}",
    "{ {0,1}, /*index=1*/ {1,0} }",
    "%add.1",
    "add.1",
    "{%a, %b}",
    "b01f_01io->b01f",
    "b?01f_0?1io->b0?1f",
    "{size=3x3 stride=2x2 pad=1_1x-1_1 rhs_reversal=1x0}",
    "0_1_0x2_2",
    "-1_1x0_0",
    "{[0:2], [1:9:3]}",
    "LT",
    "dot_bf16_bf16_f32",
    "f32[2]{0}",
    "f32[2]{0:T(8,128)(2,1)S(1)}",
    "(f32[2]{0}, token[])",
    "{f32[2,3]{1,0}, f32[]}",
    "s32[2]{0} {1, 2}",
    "pred[] true",
    "f32[] -nan(0x7f)",
    "( s32[1]{0} {4}, pred[] true )",
    "{{0}: (1, {}), {1}: (0, {0}, must-alias)}",
    "[2,4]<=[8]",
    "[3,10]<=[6,5]T(1,0)",
    "[3,10] <= [6,5] T(1,0)",
    "mesh['a'=2,'b'=4] {'a'}",
    "mesh['a'=2,'b'=4] {'a':(1)2}",
    "mesh['a'=2,'b'=4], device_ids=(0,2,1,3,4,5,6,7) {'a'}",
    "mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0))",
    "maximal_mesh[device_id=0]",
    "{replicated}",
    "{maximal device=1}",
    "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
    "{devices=[2,2]0,1,2,3 last_tile_dims={manual, replicated} "
    "metadata={op_name=\"}\"}}",
    "{{maximal device=0}, {maximal device=0}}",
    "{mesh['x'=2,'y'=4], [{'x'}, {'y', ?}, {}], replicated={'z'}}",
    "{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}]}",
    "{kind=\"sharding\", entry={replicated}, exit={maximal device=0}}",
    "{op_type=\"a\" op_name=\"b\", source_file=\"c\" source_line=1 "
    "profile_type={1} metadata_payload=\"\"}",
    "{a=\"b\",c.d={n = 1 : i32, t = dense<1> : tensor<i32>}}",
    "{visualizing_index=1,stat-1=33}",
    "{({\"v1\"}, {\"v2\" {0,1}})}",
    "{[synthetic_call]}",
    "{mode=highest}",
    "{tolerance={rtol=0.5, atol=1.0, ulps=2}}",
    "{rhs={sparsity=3x4 dimension=0 stride=1}}",
    "{ {\"a\"} : {\"b\"}, \"HloModule x\nENTRY y {\n}\" }",
    "{ {\"c\"}:({log_mode=default,callback_id=123,partitioned=true}) }",
    "{(f32[8]{0}, /*index=5*/ f32[<=8]{0})->f32[8]{0}}",
    "API_VERSION_TYPED_FFI",
    "a/b",
    "<=4",
    "{un known} [things] (of) | any & kind ! @ $ ~ ` ^ ;",
};

class AttributeCollector : public HloHandler {
 public:
  void OnModule(const HloModuleText& module) override {
    Add(module.attributes);
  }
  void OnInstruction(const HloInstructionText& instruction) override {
    Add(instruction.attributes);
  }
  void OnComputationEnd(const HloComputationText&,
                        absl::Span<const HloAttribute> attributes) override {
    Add(attributes);
  }
  void OnDiagnostic(const Diagnostic& diagnostic) override {
    texts.push_back(diagnostic.ToString());
  }

  std::vector<std::string> texts;

 private:
  void Add(absl::Span<const HloAttribute> attributes) {
    for (const HloAttribute& attribute : attributes) {
      texts.push_back(absl::StrCat(AbslView(attribute.key), "=",
                                   AbslView(attribute.value)));
    }
  }
};

std::vector<std::string> AttributesOf(std::string_view text) {
  HloShapeTable shapes;
  AttributeCollector collector;
  ReadHlo(text, &shapes, &collector);
  return collector.texts;
}

// Each value before everything that can follow it.
TEST(HloReader, AttributeValues) {
  for (const char* value : kValues) {
    const std::string attribute = absl::StrCat("key=", value);
    std::vector<std::string> want(8, attribute);
    want.insert(want.begin() + 1, "next-key=1");
    EXPECT_EQ(AttributesOf(absl::StrReplaceAll(
                  R"(
HloModule m, ATTRIBUTE, next-key=1
f (x: f32[]) -> f32[] {
  %x = f32[] f(), ATTRIBUTE
  %y = (f32[]) f(), ATTRIBUTE /*c*/
  z = f(), ATTRIBUTE // c
  w = f32[] f(), ATTRIBUTE
  ROOT v = f32[] f(), ATTRIBUTE
}, ATTRIBUTE
%g { ROOT %u = f32[] f(), ATTRIBUTE }
HloModule n
                  )",
                  {{"ATTRIBUTE", attribute}})),
              want);
  }
}

TEST(HloReader, LiteralsAreNotOperands) {
  for (const char* literal : {
           "42",
           "-inf",
           "nan(0x7f)",
           "{}",
           "{...}",
           "{1, 2}",
           "{ { 0, 1 }, { 2, 3 } }",
           "{ /*i0=0*/ { { 1, 2 } }, /*i0=1*/ { { 3, 4 } } }",
           "(1, -2)",
           "{(1, -2), (nan, inf)}",
           "( {1}, {2, 3} )",
           "true",
       }) {
    EXPECT_EQ(WalkInstructions(
                  absl::StrCat("c = f32[] constant(", literal, "), k=v")),
              absl::StrCat("c = f32[] constant'", literal, "' | k=v\n"));
  }
}

TEST(HloReader, ViewsPointIntoTheText) {
  static constexpr std::string_view kText =
      "HloModule m\nENTRY e {\n  ROOT %x = f32[2] add(f32[2] %a), k=v \n}";
  class Checker : public HloHandler {
   public:
    void OnInstruction(const HloInstructionText& instruction) override {
      called = true;
      EXPECT_EQ(instruction.text, "ROOT %x = f32[2] add(f32[2] %a), k=v");
      EXPECT_EQ(instruction.operand_text, "f32[2] %a");
      EXPECT_EQ(instruction.operands[0].text, "f32[2] %a");
      for (std::string_view view :
           {instruction.text, instruction.name, instruction.shape_text,
            instruction.opcode, instruction.operand_text,
            instruction.operands[0].text, instruction.operands[0].shape_text,
            instruction.operands[0].name, instruction.attributes[0].key,
            instruction.attributes[0].value, instruction.computation->name,
            instruction.computation->module->name}) {
        EXPECT_GE(view.data(), kText.data());
        EXPECT_LE(view.data() + view.size(), kText.data() + kText.size());
      }
    }
    bool called = false;
  };
  HloShapeTable shapes;
  Checker checker;
  ReadHlo(kText, &shapes, &checker);
  EXPECT_TRUE(checker.called);
}

TEST(HloReader, TextEndsWithTheLastAttribute) {
  class Collector : public HloHandler {
   public:
    void OnInstruction(const HloInstructionText& instruction) override {
      texts.push_back(std::string(instruction.text));
    }
    std::vector<std::string> texts;
  };
  HloShapeTable shapes;
  Collector collector;
  ReadHlo("a = f() b = f(), k=v\n\nc = f(), k={1} /*c*/, // d\nROOT d = f(), }",
          &shapes, &collector);
  EXPECT_THAT(collector.texts,
              ElementsAre("a = f()", "b = f(), k=v", "c = f(), k={1} /*c*/",
                          "ROOT d = f()"));
}

TEST(HloReader, EachShapeTextIsParsedOnce) {
  class Collector : public HloHandler {
   public:
    void OnInstruction(const HloInstructionText& instruction) override {
      indices.push_back(instruction.shape_index);
      shapes.push_back(instruction.shape == nullptr
                           ? "none"
                           : instruction.shape->ToString());
    }
    std::vector<int64_t> indices;
    std::vector<std::string> shapes;
  };
  HloShapeTable shapes;
  Collector collector;
  ReadHlo(
      "a = f32[2] f() b = f32[2]{0} f() c = f32[2] f() d = f() "
      "e = F32[]{} f(f64[3] x)",
      &shapes, &collector);
  EXPECT_THAT(collector.indices, ElementsAre(0, 1, 0, -1, 2));
  EXPECT_THAT(collector.shapes, ElementsAre("f32[2]{0}", "f32[2]{0}",
                                            "f32[2]{0}", "none", "f32[]"));
  EXPECT_EQ(shapes.size(), 3);
}

TEST(ReadHlo, StopsWhereTheHandlerHasEnough) {
  class Handler : public HloHandler {
   public:
    void OnInstruction(const HloInstructionText& instruction) override {
      absl::StrAppend(&seen, AbslView(instruction.name));
    }
    bool goes_on() const override { return !tessera::EndsWith(seen, "b"); }
    std::string seen;
  };
  HloShapeTable shapes;
  Handler handler;
  const HloCounts counts = ReadHlo(
      "f { a = f32[] p()\n b = f32[] q()\n c = f32[] r() }", &shapes, &handler);
  EXPECT_EQ(handler.seen, "ab");
  EXPECT_EQ(counts.instructions, 2);
}

}  // namespace
}  // namespace tessera
