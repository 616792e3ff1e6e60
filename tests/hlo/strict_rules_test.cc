#include "tessera/hlo/strict_rules.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

// The messages, each with what stands at its place.
std::string Objections(absl::string_view text) {
  const absl::StatusOr<HloDump> dump = ParseHlo(std::string(text));
  EXPECT_TRUE(dump.ok()) << dump.status();
  EXPECT_TRUE(dump->diagnostics().empty()) << dump->diagnostics()[0].ToString();
  std::string out;
  for (const HloObjection& objection : FindHloObjections(*dump)) {
    absl::StrAppend(&out, objection.at.substr(0, 30), ": ", objection.message,
                    "\n");
  }
  return out;
}

TEST(StrictRules, NameTheOpcode) {
  EXPECT_EQ(Objections("f {  x = f32[] frob()  ROOT y = f32[] add(x)  }"),
            "frob: 'frob' is not an opcode of XLA\n"
            "add: add takes 2 operands, not 1\n");
}

TEST(StrictRules, Table) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"f { ROOT x = f32[] parameter(0) }", ""},
      {"f (p: f32[2]) -> f32[2] { ROOT p = f32[2] parameter(0) }", ""},
      {"f (p: f32[2]) -> f32[3] { ROOT p = f32[2] parameter(0) }",
       "(p: f32[2]) -> f32[3]: the result of the computation is f32[3]{0}, "
       "but its root is f32[2]{0}\n"},
      {"f { a = f32[] parameter(1) }",
       "1: there is no parameter 0, but there is 1\n"},
      {"f { a = f32[] parameter(0)  b = f32[] parameter(0) }",
       "0: there is another parameter 0\n"},
      {"f { a = f32[] parameter(x) }",
       "x: this is not the number of a parameter\n"},
      {"f { ROOT a = f32[] parameter(0)  ROOT b = f32[] negate(a) }",
       "ROOT b = f32[] negate(a): another instruction is marked ROOT\n"},
      {"ENTRY f { a = f32[] parameter(0) } ENTRY g { a = f32[] parameter(0) }",
       "g: another computation is marked ENTRY\n"},
      {"f { a = parameter(0) }",
       "parameter: the shape of a parameter must be given\n"},
      {"f { a = f32[] parameter(0)  b = add(a, a) }", ""},
      {"f { __a = f32[] parameter(0) }", "__a: '__a' is not a legal name\n"},
      {"f { __xla_a = f32[] parameter(0) }", ""},
      {"f { %f32 = f32[] parameter(0) }", "f32: 'f32' is not a legal name\n"},
      {"f { a = f32[] parameter(0), index=1, index=1 }",
       "index: 'index' is given a second time\n"},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(a#0) }", ""},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(a#2) }",
       "a#2: '#2' leads to no element of (f32[], s32[2]{0})\n"},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(a#0#0) }",
       "a#0#0: '#0#0' leads to no element of (f32[], s32[2]{0})\n"},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(s32[2] a#1) }",
       ""},
      {"f { a = f32[2]{0} parameter(0)  b = f32[2]{0} negate(f32[3] a) }",
       "f32[3]: the operand is f32[2]{0}, not f32[3]{0}\n"},
      {"f { a = f32[] parameter(0)  b = f32[] add(a, negate(a, a)) }",
       "negate: negate takes 1 operand, not 2\n"},
      {"f { a = f32[] parameter(0)  b = (f32[]) tuple(a, ...(+3)) }",
       "...(+3): this is not an operand\n"},
      {"f { a = (f32[], s32[]) constant({...}) }",
       "{...}: the literal of a tuple must be written out\n"},
      {"f { a = f32[99] constant({...}) }", ""},
      {"f32[2] add(f32[2], f32[2])", ""},
      {"f { }", "f: the computation has no instruction\n"},
      {"f { a = f32[] parameter(0) } g { b = f32[] constant(1)  "
       "c = f32[] fusion(b), calls={f, f} }",
       "f: calls= takes one computation\n"},
      {"HloModule m, replica_count=1, replica_count=1\n"
       "FileNames\n1 \"a\"\nf { a = f32[] parameter(0) }",
       "replica_count: 'replica_count' is given a second time\n"
       "FileNames\n1 \"a\": there is no table FunctionNames, but there are "
       "others\n"
       "FileNames\n1 \"a\": there is no table FileLocations, but there are "
       "others\n"
       "FileNames\n1 \"a\": there is no table StackFrames, but there are "
       "others\n"},
  };
  for (const Case& c : cases) {
    const std::string got = Objections(c.text);
    EXPECT_EQ(got, c.want) << c.text;
  }
}

TEST(StrictRules, ParseHloGivesTheFirstWithItsPlace) {
  HloParseOptions options;
  options.strict = true;
  EXPECT_EQ(ParseHlo("f {\n  x = f32[] frob()\n}", options).status().message(),
            "2:13: 'frob' is not an opcode of XLA\n"
            "    x = f32[] frob()\n"
            "              ^");
}

TEST(HloOpcode, FactsAndSugar) {
  EXPECT_EQ(FindHloOpcode("add")->arity, 2);
  EXPECT_TRUE(FindHloOpcode("all-reduce-start").has_value());
  EXPECT_FALSE(FindHloOpcode("all-reduce-start")->is_async_sugar);
  EXPECT_TRUE(FindHloOpcode("custom-call-start")->is_async_sugar);
  EXPECT_TRUE(FindHloOpcode("slice-update")->is_async_sugar);
  EXPECT_FALSE(FindHloOpcode("all-reduce-update").has_value());
  EXPECT_FALSE(FindHloOpcode("frob-start").has_value());
  EXPECT_FALSE(FindHloOpcode("").has_value());
  EXPECT_TRUE(FindHloOpcode("abs").has_value());
  EXPECT_TRUE(FindHloOpcode("xor").has_value());
}

// Those of xla/hlo/ir/hlo_opcode.h, as of August 2026.
TEST(HloOpcode, FindsEveryOpcode) {
  constexpr absl::string_view kOpcodes =
      "abs acos acosh add add-dependency after-all all-gather all-gather-done "
      "all-gather-start all-reduce all-reduce-done all-reduce-start "
      "all-to-all and asin asinh async-done async-start async-update atan "
      "atan2 atanh batch-norm-grad batch-norm-inference batch-norm-training "
      "bitcast bitcast-convert broadcast call cbrt ceil cholesky clamp "
      "collective-broadcast collective-permute collective-permute-done "
      "collective-permute-start collective-reduce compare complex concatenate "
      "conditional constant convert convolution copy copy-done copy-start "
      "cosine cosh count-leading-zeros custom-call divide domain dot "
      "dynamic-reshape dynamic-slice dynamic-update-slice erf exponential "
      "exponential-minus-one fft floor fusion gather get-dimension-size "
      "get-tuple-element imag infeed iota is-finite log log-plus-one logistic "
      "map maximum minimum mulhi multiply negate not opt-barrier or outfeed "
      "pad parameter partition-id popcnt power ragged-all-to-all ragged-dot "
      "real recv recv-done reduce reduce-precision reduce-scatter "
      "reduce-window remainder replica-id reshape reverse rng "
      "rng-bit-generator rng-get-and-update-state round-nearest-afz "
      "round-nearest-even rsqrt scaled-dot scan scatter select "
      "select-and-scatter send send-done set-dimension-size shift-left "
      "shift-right-arithmetic shift-right-logical shuffle sign sine sinh "
      "slice sort sqrt stochastic-convert subtract tan tanh topk transpose "
      "triangular-solve tuple while xor";
  int64_t count = 0;
  for (const absl::string_view opcode : absl::StrSplit(kOpcodes, ' ')) {
    EXPECT_TRUE(FindHloOpcode(opcode).has_value()) << opcode;
    ++count;
  }
  EXPECT_EQ(count, 136);
}

// Each level's attribute holds all levels below it. Were it read at each, these
// would take minutes.
TEST(StrictRules, ComputationsInlineInOneAnotherTakeLinearTime) {
#ifdef TESSERA_SANITIZER
  constexpr int kLevels = 4000, kGroups = 1 << 19;
#else
  constexpr int kLevels = 8000, kGroups = 1 << 21;
#endif
  std::string text = "f {\n x = f32[] parameter(0)\n";
  for (int i = 0; i < kLevels; ++i) {
    text += " ROOT r = f32[] call(x), to_apply={\n x = f32[] parameter(0)\n";
  }
  text += " ROOT r = f32[] all-reduce(x), replica_groups={{0}";
  for (int i = 0; i < kGroups; ++i) text += ",{1, 2}";
  text += "}\n";
  for (int i = 0; i < kLevels; ++i) text += "}";
  EXPECT_EQ(Objections(text + "}"), "");
}

// What XLA printed, and what its own tests read, passes.
TEST(StrictRules, EveryDumpPasses) {
  for (const char* file : kDumpFiles) {
    if (absl::string_view(file) == kCutOffDumpFile) continue;
    HloParseOptions options;
    options.strict = true;
    const absl::StatusOr<HloDump> dump = ParseHlo(ReadDump(file), options);
    EXPECT_TRUE(dump.ok()) << file << "\n" << dump.status();
  }
}

// The names of tables in a string are not tables.
TEST(StrictRules, FrameTablesOfWhichOneStandsInAString) {
  const absl::StatusOr<HloDump> dump = ParseHlo(
      "HloModule m\n\nFileNames\n1 \"FunctionNames FileLocations "
      "StackFrames\"\n\nENTRY e { ROOT x = f32[] parameter(0) }");
  ASSERT_TRUE(dump.ok());
  const std::vector<HloObjection> objections = FindHloObjections(*dump);
  ASSERT_EQ(objections.size(), 3);
  EXPECT_EQ(objections[0].message,
            "there is no table FunctionNames, but there are others");
}

TEST(StrictRules, HoldWhereNoDiagnosticsAreKept) {
  HloParseOptions options;
  options.strict = true;
  options.diagnostic_limit = 0;
  EXPECT_FALSE(ParseHlo("f { x = f32[ g() }", options).ok());
}

}  // namespace
}  // namespace tessera
