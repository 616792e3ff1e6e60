#include "tessera/hlo/hlo_module.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"
#include "tests/status_matchers.h"

namespace tessera {
namespace {

HloDump Parsed(std::string_view text) {
  absl::StatusOr<HloDump> dump = ParseHlo(std::string(text));
  EXPECT_TRUE(dump.ok()) << dump.status();
  return *std::move(dump);
}

// "line:column: message" of each.
std::vector<std::string> Problems(const HloDump& dump) {
  std::vector<std::string> problems;
  for (const Diagnostic& diagnostic : dump.diagnostics()) {
    problems.push_back(absl::StrCat(diagnostic.line, ":", diagnostic.column,
                                    ": ", diagnostic.message));
  }
  return problems;
}

HloInstruction Named(const HloDump& dump, std::string_view name) {
  for (const HloInstruction instruction : dump.instructions()) {
    if (instruction.name() == name) return instruction;
  }
  ADD_FAILURE() << "no " << name;
  return dump.instructions()[0];
}

TEST(HloModule, HasNoProblemsAndKnowsItsCallees) {
  const HloDump dump = Parsed(R"(
      HloModule m
      double {
        p = f32[2,3]{1,0} parameter(0)
        ROOT sum = f32[2,3]{1,0} add(p, p)
      }
      ENTRY main {
        x = f32[2,3]{1,0} parameter(0)
        ROOT y = f32[2,3]{1,0} fusion(x), kind=kLoop, calls=double
      })");
  EXPECT_EQ(Problems(dump), std::vector<std::string>());
  const HloModule module = dump.modules()[0];
  const HloInstruction y = *module.entry_computation()->root();
  EXPECT_EQ(y.opcode(), "fusion");
  EXPECT_EQ(y.shape()->ToString(), "f32[2,3]{1,0}");
  EXPECT_EQ(y.operand(0).instruction()->name(), "x");
  EXPECT_EQ(y.attribute("kind"), "kLoop");
  EXPECT_EQ(y.calls()[0].computation()->name(), "double");
  EXPECT_EQ(y.called(HloCallKind::kCalls)->root()->name(), "sum");
  EXPECT_EQ(y.called(HloCallKind::kToApply), std::nullopt);
}

TEST(HloModule, EveryPartOfAnInstruction) {
  const HloDump dump = Parsed(R"(
    HloModule m, is_scheduled=true, replica_count=2
    ENTRY %main (p: (f32[2], s32[])) -> f32[2] {
      %p = (f32[2]{0}, s32[]) parameter(0)
      %c = f32[2]{0} constant({1, /*two*/ 2})
      ROOT %s = f32[2]{0} add(f32[2]{0} %p#0, /*index=1*/ %c), metadata={op_name="a,b"}, origin={{"v"}}
    }, execution_thread="main")");
  EXPECT_EQ(Problems(dump), std::vector<std::string>());
  const HloModule module = dump.modules()[0];
  EXPECT_EQ(module.name(), "m");
  EXPECT_TRUE(module.is_scheduled());
  EXPECT_EQ(module.attribute("replica_count"), "2");
  const HloComputation main = *module.entry_computation();
  EXPECT_EQ(main.name(), "main");
  EXPECT_TRUE(main.is_entry());
  EXPECT_EQ(main.module(), module);
  EXPECT_EQ(main.program_shape_text(), "(p: (f32[2], s32[])) -> f32[2]");
  ASSERT_EQ(main.attributes().size(), 1);
  EXPECT_EQ(main.attributes()[0].value, "\"main\"");
  ASSERT_EQ(main.instructions().size(), 3);

  const HloInstruction p = main.instructions()[0];
  EXPECT_EQ(p.parameter_number(), 0);
  EXPECT_EQ(p.literal_text(), std::nullopt);
  EXPECT_EQ(p.operand_count(), 0);
  EXPECT_EQ(main.instructions()[1].literal_text(), "{1, /*two*/ 2}");
  EXPECT_EQ(main.instructions()[1].parameter_number(), std::nullopt);

  const HloInstruction s = main.instructions()[2];
  EXPECT_EQ(*main.root(), s);
  EXPECT_TRUE(s.is_root());
  EXPECT_EQ(s.index_in_computation(), 2);
  EXPECT_EQ(s.computation(), main);
  EXPECT_EQ(s.shape_text(), "f32[2]{0}");
  EXPECT_EQ(s.shape_index(), main.instructions()[1].shape_index());
  ASSERT_EQ(s.operand_count(), 2);
  const HloOperand operand = s.operand(0);
  EXPECT_EQ(operand.text(), "f32[2]{0} %p#0");
  EXPECT_EQ(operand.name(), "p");
  EXPECT_EQ(operand.shape_text(), "f32[2]{0}");
  EXPECT_EQ(operand.tuple_path(), "#0");
  EXPECT_EQ(operand.tuple_indices(), (absl::InlinedVector<int64_t, 2>{0}));
  EXPECT_EQ(operand.opcode(), "");
  EXPECT_EQ(*operand.instruction(), p);
  EXPECT_EQ(s.operand(1).tuple_path(), "");
  ASSERT_EQ(s.attributes().size(), 2);
  EXPECT_EQ(s.attributes()[0].key, "metadata");
  EXPECT_EQ(s.attributes()[0].value, R"({op_name="a,b"})");
  EXPECT_EQ(s.attribute("origin"), R"({{"v"}})");
  EXPECT_EQ(s.attribute("sharding"), std::nullopt);
  EXPECT_EQ(s.text().substr(0, 8), "ROOT %s ");
  EXPECT_EQ(dump.text().substr(s.offset(), 8), "ROOT %s ");
}

TEST(HloModule, NestedOperands) {
  const HloDump dump = Parsed(R"(
    main {
      a = f32[] parameter(0)
      ROOT r = f32[] add(negate(f32[] multiply(a, a#1#2)), a, constant(5), ...(+3))
    })");
  EXPECT_EQ(Problems(dump), std::vector<std::string>());
  const HloInstruction r = Named(dump, "r");
  ASSERT_EQ(r.operand_count(), 4);
  const HloOperand negate = r.operand(0);
  EXPECT_EQ(negate.opcode(), "negate");
  EXPECT_EQ(negate.name(), "");
  EXPECT_EQ(negate.instruction(), std::nullopt);
  ASSERT_EQ(negate.operands().size(), 1);
  const HloOperand multiply = negate.operands()[0];
  EXPECT_EQ(multiply.opcode(), "multiply");
  EXPECT_EQ(multiply.shape_text(), "f32[]");
  ASSERT_EQ(multiply.operands().size(), 2);
  EXPECT_EQ(multiply.operands()[1].instruction()->name(), "a");
  EXPECT_EQ(multiply.operands()[1].tuple_indices(),
            (absl::InlinedVector<int64_t, 2>{1, 2}));
  EXPECT_EQ(r.operand(1).instruction()->name(), "a");
  EXPECT_EQ(r.operand(2).opcode(), "constant");
  EXPECT_TRUE(r.operand(2).operands().empty());
  EXPECT_EQ(r.operand(3).text(), "...(+3)");
  EXPECT_EQ(r.operand(3).opcode(), "");
}

TEST(HloModule, ComputationsWrittenInline) {
  const HloDump dump = Parsed(R"(
    ENTRY main {
      a = f32[2] parameter(0)
      z = f32[] constant(0)
      r = f32[] reduce(a, z), dimensions={0}, to_apply={
        x = f32[] parameter(0)
        y = f32[] parameter(1)
        w = f32[] map(x), to_apply={ q = f32[] parameter(0)  ROOT n = f32[] negate(q) }
        ROOT s = f32[] add(w, y)
      }
      ROOT t = f32[] negate(r)
    })");
  EXPECT_EQ(Problems(dump), std::vector<std::string>());
  const HloComputation main = *dump.modules()[0].entry_computation();
  EXPECT_EQ(main.instructions().size(), 4);
  const HloInstruction r = main.instructions()[2];
  EXPECT_EQ(r.name(), "r");
  EXPECT_EQ(r.attributes()[1].key, "to_apply");
  ASSERT_EQ(r.calls().size(), 1);
  EXPECT_EQ(r.calls()[0].name(), "");
  EXPECT_EQ(r.calls()[0].instruction(), r);
  const HloComputation body = *r.calls()[0].computation();
  EXPECT_TRUE(body.is_inline());
  EXPECT_EQ(*body.caller(), r);
  ASSERT_EQ(body.instructions().size(), 4);
  const HloInstruction s = *body.root();
  EXPECT_EQ(s.name(), "s");
  EXPECT_EQ(s.operand(0).instruction()->name(), "w");
  const HloInstruction w = body.instructions()[2];
  ASSERT_EQ(w.calls().size(), 1);
  EXPECT_EQ(w.calls()[0].instruction(), w);
  EXPECT_EQ(w.calls()[0].computation()->root()->name(), "n");
  EXPECT_EQ(*w.calls()[0].computation()->caller(), w);
  EXPECT_EQ(w.calls()[0].computation()->root()->operand(0).text(), "q");
  EXPECT_EQ(main.root()->operand(0).instruction()->name(), "r");
}

// They are passed over by their ends; an attribute is what it is all the same.
TEST(HloModule, AttributesRoundComputationsWrittenInline) {
  const HloDump dump = Parsed(R"(
    ENTRY main {
      p = pred[] parameter(0)
      w = pred[] while(p), a={1}, condition={ ROOT b = pred[] not(p), x={ {y} } },
          body={
            p = pred[] parameter(0)
            ROOT b = pred[] call(p), to_apply={ ROOT c = pred[] parameter(0) }, d=1
          }, metadata={op_name="{"}
      ROOT x = pred[] conditional(w), branch_computations={ { ROOT c = pred[] parameter(0) },
          { ROOT c = pred[] parameter(0) } }, s={{0}, {1}}, of=%a
           .b
    })");
  const auto attributes = [&dump](std::string_view name) {
    std::string text;
    for (const HloAttribute& attribute : Named(dump, name).attributes()) {
      absl::StrAppend(&text, AbslView(attribute.key), ": ",
                      AbslView(attribute.value), "\n");
    }
    return text;
  };
  EXPECT_EQ(attributes("w"),
            "a: {1}\n"
            "condition: { ROOT b = pred[] not(p), x={ {y} } }\n"
            "body: {\n"
            "            p = pred[] parameter(0)\n"
            "            ROOT b = pred[] call(p), to_apply={ ROOT c = pred[] "
            "parameter(0) }, d=1\n"
            "          }\n"
            "metadata: {op_name=\"{\"}\n");
  EXPECT_EQ(attributes("x"),
            "branch_computations: { { ROOT c = pred[] parameter(0) },\n"
            "          { ROOT c = pred[] parameter(0) } }\n"
            "s: {{0}, {1}}\n"
            "of: %a\n           .b\n");
  EXPECT_EQ(Named(dump, "w").attribute("metadata"), "{op_name=\"{\"}");
  EXPECT_EQ(Named(dump, "w").attribute("d"), std::nullopt);
  EXPECT_EQ(Named(dump, "b").attribute("x"), "{ {y} }");
  EXPECT_EQ(Named(dump, "x").attribute("s"), "{{0}, {1}}");
}

TEST(HloModule, CallsInEverySpelling) {
  const HloDump dump = Parsed(R"(
    f { ROOT a = f32[] parameter(0) }
    g { ROOT a = f32[] parameter(0) }
    ENTRY main {
      p = f32[] parameter(0)
      c1 = f32[] conditional(p, p, p), true_computation=%f, false_computation=g
      c2 = f32[] conditional(p, p, p), branch_computations={%f, /*index=1*/ %g}
      cc = f32[] custom-call(p), called_computations={f}, custom_call_target="f"
      ROOT w = f32[] while(p), condition=f, body=g
    })");
  EXPECT_EQ(Problems(dump), std::vector<std::string>());
  const auto calls = [&dump](std::string_view name) {
    std::string text;
    for (const HloCall call : Named(dump, name).calls()) {
      absl::StrAppend(&text, AbslView(HloCallKindName(call.kind())), "=",
                      AbslView(call.computation()->name()), " ");
    }
    return text;
  };
  EXPECT_EQ(calls("c1"), "true_computation=f false_computation=g ");
  EXPECT_EQ(calls("c2"), "branch_computations=f branch_computations=g ");
  EXPECT_EQ(calls("cc"), "called_computations=f ");
  EXPECT_EQ(calls("w"), "condition=f body=g ");
  EXPECT_EQ(calls("p"), "");
}

TEST(HloModule, CallsWrittenInlineAndByNameStandInTheOrderOfTheText) {
  const HloDump dump = Parsed(R"(
    f { ROOT a = pred[] parameter(0) }
    ENTRY main {
      p = pred[] parameter(0)
      w = pred[] while(p), condition=f, body={ ROOT b = pred[] parameter(0) }
      ROOT x = pred[] unheard(w), of={ ROOT c = pred[] parameter(0) }, calls=f
    })");
  EXPECT_EQ(Problems(dump), std::vector<std::string>());
  const HloRange<HloCall> calls = Named(dump, "w").calls();
  ASSERT_EQ(calls.size(), 2);
  EXPECT_EQ(calls[0].kind(), HloCallKind::kWhileCondition);
  EXPECT_EQ(calls[0].name(), "f");
  EXPECT_EQ(calls[1].kind(), HloCallKind::kWhileBody);
  EXPECT_EQ(calls[1].computation()->root()->name(), "b");
  const HloRange<HloCall> others = Named(dump, "x").calls();
  ASSERT_EQ(others.size(), 2);
  EXPECT_EQ(others[0].computation()->root()->name(), "c");
  EXPECT_EQ(others[1].computation()->name(), "f");
}

// Every mistake repeats it.
TEST(HloModule, ALongNameOfAComputationIsCutInMessages) {
  const std::string name(100000, 'f');
  const HloDump dump = *ParseHlo(
      absl::StrCat("HloModule m\n", name, " { ROOT a = f32[] add(b, c) }\n"));
  ASSERT_EQ(dump.diagnostics().size(), 2);
  for (const Diagnostic& diagnostic : dump.diagnostics()) {
    EXPECT_THAT(diagnostic.message,
                ::testing::EndsWith(absl::StrCat("in the computation '",
                                                 name.substr(0, 200), "...'")));
  }
}

TEST(HloModule, NamesThatAreMissingOrTaken) {
  const HloDump dump = Parsed(R"(HloModule m
f {
  a = f32[] parameter(0)
  a = f32[] add(a, b)
  ROOT b = f32[] negate(c), calls=k
}
f { ROOT a = f32[] call(a), to_apply=nobody }
g { ROOT a = f32[] call(), to_apply=h }
h { ROOT a = f32[] constant(1) }
k { ROOT a = f32[] constant(1) }
)");
  EXPECT_EQ(Problems(dump),
            (std::vector<std::string>{
                "4:3: another instruction 'a' comes before this one in the "
                "computation 'f'",
                "4:20: the instruction 'b' is used before it is defined in "
                "the computation 'f'",
                "5:25: no instruction 'c' comes before this one in the "
                "computation 'f'",
                "5:35: the computation 'k' is called before it is defined",
                "7:1: another computation 'f' comes before this one in the "
                "module",
                "7:25: the instruction 'a' is used before it is defined in "
                "the computation 'f'",
                "7:38: the module has no computation 'nobody'",
                "8:37: the computation 'h' is called before it is defined",
            }));
  EXPECT_EQ(dump.diagnostic_count(), 8);
  EXPECT_EQ(Named(dump, "b").operand(0).instruction(), std::nullopt);
  EXPECT_EQ(dump.instructions()[2].called(HloCallKind::kCalls)->name(), "k");
}

TEST(HloModule, ALineOutOfADumpNamesWhatIsNotThere) {
  struct Case {
    const char* text;
    bool is_one_instruction;
    std::vector<std::string> want;
  };
  const Case kCases[] = {
      {"%m = f32[2,4]{1,0} multiply(f32[2,4]{1,0} %b, f32[2,4]{1,0} %x)",
       true,
       {}},
      {"\n  ROOT m = f32[2] multiply(a, %b), metadata={op_name=\"m\"}\n",
       true,
       {}},
      {"f32[2] multiply(f32[2] a, b)", true, {}},
      {"%r = f32[] reduce(%a, %b), to_apply=%add", true, {}},
      {"%r = f32[] reduce(%a, %b), to_apply={ ROOT %n = f32[] negate(%c) }",
       true,
       {"1:63: no instruction 'c' comes before this one"}},
      {"%a = f32[] negate(%a)",
       true,
       {"1:20: the instruction 'a' is used before it is defined"}},
      // What is more than a line.
      {"a = f32[] negate(x)  b = f32[] negate(a)",
       false,
       {"1:18: no instruction 'x' comes before this one"}},
      {"a = f32[] negate(x)  f { b = f32[] iota() }",
       false,
       {"1:18: no instruction 'x' comes before this one"}},
      {"a = f32[] negate(x)  HloModule m  f { b = f32[] iota() }",
       false,
       {"1:18: no instruction 'x' comes before this one"}},
      {"a = f32[] negate(x)\nFileNames 1 \"a\"",
       false,
       {"1:18: no instruction 'x' comes before this one"}},
      {"HloModule m\na = f32[] negate(x)",
       false,
       {"2:18: no instruction 'x' comes before this one"}},
      {"f { a = f32[] negate(x) }",
       false,
       {"1:22: no instruction 'x' comes before this one in the computation "
        "'f'"}},
  };
  for (const Case& c : kCases) {
    const HloDump dump = Parsed(c.text);
    EXPECT_EQ(dump.is_one_instruction(), c.is_one_instruction) << c.text;
    EXPECT_EQ(Problems(dump), c.want) << c.text;
  }
}

// A text in which there is nothing says so, and where other diagnostics say it,
// these alone do.
TEST(HloModule, ATextWithNothingSaysSo) {
  struct Case {
    const char* text;
    int64_t modules;
    const char* problem;
  };
  constexpr Case kCases[] = {
      {"", 0, "the text has no HLO module"},
      {" \n\t\n", 0, "the text has no HLO module"},
      {"// nothing\n/* at all */", 0, "the text has no HLO module"},
      {"I1124 10:00:00.000000 1 dump.cc:1] \n", 0,
       "the text has no HLO module"},
      {"HloModule m\n", 1, "the text has no computation"},
      {"HloModule a\nHloModule b\n", 2, "the text has no computation"},
  };
  for (const Case& c : kCases) {
    const HloDump dump = Parsed(c.text);
    EXPECT_EQ(dump.modules().size(), c.modules) << c.text;
    EXPECT_EQ(dump.diagnostic_count(), 1) << c.text;
    ASSERT_EQ(dump.diagnostics().size(), 1) << c.text;
    EXPECT_EQ(dump.diagnostics()[0].message, c.problem) << c.text;
    EXPECT_EQ(dump.diagnostics()[0].line, 0) << c.text;
    EXPECT_EQ(dump.diagnostics()[0].ToString(), c.problem) << c.text;
    HloParseOptions options;
    options.strict = true;
    EXPECT_THAT(ParseHlo(c.text, options),
                StatusIs(absl::StatusCode::kInvalidArgument, c.problem))
        << c.text;
    options.strict = false;
    options.diagnostic_limit = 0;
    const absl::StatusOr<HloDump> untold = ParseHlo(c.text, options);
    ASSERT_THAT(untold, IsOk()) << c.text;
    EXPECT_TRUE(untold->diagnostics().empty()) << c.text;
    EXPECT_EQ(untold->diagnostic_count(), 1) << c.text;
  }
  // Cut off, and nothing of it is left.
  EXPECT_EQ(Problems(Parsed("HloModule")).back(),
            "0:0: the text has no HLO module");
  for (const char* text : {"what a pity", "HloModule m {", "{}"}) {
    const HloDump dump = Parsed(text);
    ASSERT_FALSE(dump.diagnostics().empty()) << text;
    EXPECT_EQ(dump.diagnostic_count(), dump.counts().diagnostics) << text;
  }
  EXPECT_EQ(Parsed("f32[] add(f32[], f32[])").diagnostic_count(), 0);
}

TEST(HloModule, SeveralModulesAndNone) {
  const HloDump none = Parsed(" // nothing\n");
  EXPECT_TRUE(none.modules().empty());
  EXPECT_TRUE(none.instructions().empty());

  const HloDump dump = Parsed(R"(# RUN: something
HloModule a
ENTRY e { ROOT x = f32[] constant(1) }
HloModule b
FileNames
1 "a.py"
FunctionNames
1 "f"
FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=2 end_column=3}
StackFrames
1 {file_location_id=1 parent_frame_id=1}

f { ROOT x = f32[] constant(1) }
g { x = f32[] constant(1) }
)");
  ASSERT_EQ(dump.modules().size(), 2);
  EXPECT_EQ(dump.modules()[0].entry_computation()->name(), "e");
  EXPECT_EQ(dump.modules()[0].computations().size(), 1);
  const HloModule b = dump.modules()[1];
  EXPECT_EQ(b.computations().size(), 2);
  // Not the last one, which a dump that breaks off has too.
  EXPECT_FALSE(b.entry_computation().has_value());
  EXPECT_FALSE(b.computations()[1].root()->is_root());
  EXPECT_EQ(b.frame_tables_text().substr(0, 9), "FileNames");
  EXPECT_EQ(b.frame_tables_text().substr(b.frame_tables_text().size() - 2),
            "1}");
  EXPECT_EQ(dump.modules()[0].frame_tables_text(), "");
}

TEST(HloModule, ADumpCanBeMoved) {
  HloDump dump = Parsed("ROOT x = f32[] constant(1)");
  const HloInstruction x = dump.instructions()[0];
  const HloDump moved = std::move(dump);
  EXPECT_EQ(x.name(), "x");
  EXPECT_EQ(x.computation().name(), "");
  EXPECT_EQ(*moved.instructions()[0].shape(), *x.shape());
}

// Where an instruction was skipped, its name is missing: that is said once.
TEST(HloModule, OneMistakeIsReportedOnce) {
  const HloDump dump = Parsed(R"(
    f {
      a = f32[2 parameter(0)
      ROOT b = f32[] negate(a)
    }
    ENTRY g {
      ROOT b = f32[] negate(a)
    })");
  ASSERT_EQ(dump.diagnostics().size(), 2);
  EXPECT_EQ(dump.diagnostics()[0].line, 3);
  EXPECT_EQ(dump.diagnostics()[1].line, 7);
}

TEST(HloModule, ManyMistakesAreCountedAndFewKept) {
  HloParseOptions options;
  options.diagnostic_limit = 3;
  std::string text = "m {\n";
  for (int i = 0; i < 100; ++i)
    absl::StrAppend(&text, "x", i, " = f32[] negate(q)\n");
  absl::StatusOr<HloDump> dump = ParseHlo(text + "}", options);
  ASSERT_TRUE(dump.ok());
  EXPECT_EQ(dump->diagnostics().size(), 3);
  EXPECT_EQ(dump->diagnostic_count(), 100);
}

TEST(ParseHlo, TheFirstMistakeIsAnErrorUnderStrict) {
  HloParseOptions options;
  options.strict = true;
  EXPECT_EQ(
      ParseHlo("HloModule m  main {  ROOT y = f32[] add(x, x)  }", options)
          .status()
          .message(),
      "1:41: no instruction 'x' comes before this one in the "
      "computation 'main'\n"
      "  HloModule m  main {  ROOT y = f32[] add(x, x)  }\n"
      "                                          ^");
}

TEST(ParseHlo, LinesOfALog) {
  const std::string text =
      "I0521 12:04:45.883483    1509 service.cc:186] HloModule m\n"
      "I0521 12:04:45.883491    1509 service.cc:186] ENTRY e {\n"
      "I0521 12:04:45.883493    1509 service.cc:186]   ROOT x = f32[\n"
      "I0521 12:04:45.883495    1509 service.cc:186]     2]{0} iota()\n"
      "}\n";
  const absl::StatusOr<HloDump> dumps[] = {ParseHlo(text), ParseHloView(text),
                                           ParseHlo(FileBytes::OfText(text))};
  for (const absl::StatusOr<HloDump>& dump : dumps) {
    ASSERT_TRUE(dump.ok()) << dump.status();
    EXPECT_EQ(Problems(*dump), std::vector<std::string>());
    EXPECT_EQ(dump->modules()[0].name(), "m");
    ASSERT_EQ(dump->instructions().size(), 1);
    // Its place is that in the log.
    EXPECT_EQ(dump->instructions()[0].offset(), text.find("ROOT"));
  }
}

TEST(ParseHlo, EveryNameInTheDumpsIsFound) {
  for (const char* file : kDumpFiles) {
    const HloDump dump = Parsed(ReadDump(file));
    const std::vector<std::string> problems = Problems(dump);
    if (std::string_view(file).substr(0, 11) == "tpu_maxtext") {
      EXPECT_EQ(problems,
                (std::vector<std::string>{
                    "2000:219: the computation 'fused_computation.195.clone.1' "
                    "is not closed before the text ends"}));
      EXPECT_TRUE(dump.counts().is_merely_cut_off());
    } else {
      EXPECT_EQ(problems, std::vector<std::string>()) << file;
    }
  }
}

TEST(HloInstruction, AllOperandsAreThoseWithinAsWell) {
  const HloDump dump = *ParseHlo(
      "f { a = f32[] p()\n b = f32[] g(%a, add(a, neg(a)), f32[] a#0, a) }");
  const HloInstruction b = dump.instructions()[1];
  std::vector<std::string_view> texts;
  std::string plain;
  for (const HloOperand operand : b.all_operands()) {
    texts.push_back(operand.text());
    absl::StrAppend(&plain, operand.is_plain_name() ? "1" : "0");
  }
  EXPECT_THAT(texts, testing::ElementsAre("%a", "add(a, neg(a))", "a", "neg(a)",
                                          "a", "f32[] a#0", "a"));
  EXPECT_EQ(plain, "1010101");
  EXPECT_EQ(dump.instructions()[0].all_operands().size(), 0);
}

TEST(HloInstruction, SaysWhatTheStrictRulesAsk) {
  const HloDump dump = *ParseHlo(
      "f {\n f32 = f32[] p(), k=1, l=2\n __a = f32[] p(), k=1, k=2\n"
      " __xla_a = f32[] p(), a=1, b=1, c=1, d=1, e=1, f=1, g=1, h=1, i=1, j=1,"
      " k=1, l=1, m=1, n=1, o=1, p=1, q=1, a=1\n}");
  ASSERT_EQ(dump.instructions().size(), 3);
  EXPECT_FALSE(dump.instructions()[0].has_legal_name());
  EXPECT_FALSE(dump.instructions()[1].has_legal_name());
  EXPECT_TRUE(dump.instructions()[2].has_legal_name());
  EXPECT_FALSE(dump.instructions()[0].repeats_attribute());
  EXPECT_TRUE(dump.instructions()[1].repeats_attribute());
  EXPECT_TRUE(dump.instructions()[2].repeats_attribute());
  EXPECT_EQ(dump.opcodes().size(), 1);
  EXPECT_EQ(dump.opcodes()[dump.instructions()[2].opcode_index()], "p");
}

TEST(ParseHlo, TellsItsProgress) {
  std::string text = "f {\n";
  for (int i = 0; i < 100000; ++i) {
    absl::StrAppend(&text, " a", i, " = f32[] parameter(", i, ")\n");
  }
  absl::StrAppend(&text, "}\n");
  std::vector<int64_t> told;
  HloParseOptions options;
  options.progress = [&told](int64_t bytes) { told.push_back(bytes); };
  ASSERT_TRUE(ParseHloView(text, options).ok());
  ASSERT_GT(told.size(), 1);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LE(told.back(), text.size());
}

// Lines of blocks of 4,096 bytes, and of their ends.
TEST(HloInstruction, Line) {
  std::string text = "\nf {\n";
  for (int i = 0; i < 2000; ++i) {
    absl::StrAppend(&text, i % 3 == 0 ? "\n" : "", "  a", i,
                    " = f32[] parameter(", i, ")\n");
  }
  absl::StrAppend(&text, "}\n");
  const HloDump dump = *ParseHlo(std::move(text));
  ASSERT_EQ(dump.instructions().size(), 2000);
  int64_t line = 2;
  for (const HloInstruction instruction : dump.instructions()) {
    line += instruction.index() % 3 == 0 ? 2 : 1;
    EXPECT_EQ(instruction.line(), line) << instruction.text();
  }
}

// A dump keeps the file that it was read from.
TEST(ParseHlo, AFile) {
  absl::StatusOr<HloDump> dump =
      ParseHlo(FileBytes::OfText("f { a = f32[] p() }"));
  const HloDump moved = *std::move(dump);
  EXPECT_EQ(moved.instructions()[0].text(), "a = f32[] p()");
}

}  // namespace
}  // namespace tessera
