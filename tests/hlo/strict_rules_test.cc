#include "tessera/hlo/strict_rules.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

// The messages, each with what stands at its place.
std::string Objections(std::string_view text) {
  const absl::StatusOr<HloDump> dump = ParseHlo(std::string(text));
  EXPECT_TRUE(dump.ok()) << dump.status();
  EXPECT_TRUE(dump->diagnostics().empty()) << dump->diagnostics()[0].ToString();
  const std::vector<HloObjection> objections = FindHloObjections(*dump);
  std::string out;
  for (const HloObjection& objection : objections) {
    absl::StrAppend(&out, AbslView(objection.at.substr(0, 30)), ": ",
                    objection.message, "\n");
  }
  // Strict reading judges what it reads at once, and says the same.
  HloParseOptions options;
  options.strict = true;
  const absl::Status strict = ParseHlo(std::string(text), options).status();
  EXPECT_EQ(strict.ok(), objections.empty()) << text << "\n" << strict;
  if (!strict.ok() && !objections.empty()) {
    EXPECT_THAT(std::string(strict.message()),
                HasSubstr(objections[0].message));
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
       "1: parameter 0 is missing, but there is 1\n"},
      {"f { a = f32[] parameter(0)  b = f32[] parameter(0) }",
       "0: parameter 0 is declared twice\n"},
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
      {"f { a = (f32[]) parameter(0)  b = f32[] get-tuple-element(a), index=0, "
       "index=0 }",
       "index: 'index' is given a second time\n"},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(a#0) }", ""},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(a#2) }",
       "a#2: '#2' does not name an element of (f32[], s32[2]{0})\n"},
      {"f { a = (f32[], s32[2]) parameter(0)  b = f32[] negate(a#0#0) }",
       "a#0#0: '#0#0' does not name an element of (f32[], s32[2]{0})\n"},
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
      // Of the operands of a text of one instruction, XLA makes parameters.
      {"%m = f32[2] multiply(f32[2], f32[2])", ""},
      {"ROOT %m = f32[2] multiply(f32[2] %a, f32[2]{0} %b), metadata={}", ""},
      {"f32[2] multiply(f32[2] %a, %a)", ""},
      {"%m = f32[2] multiply(f32[2] %a, %b)",
       "%b: the operand 'b' of a text of one instruction must have a shape\n"},
      {"%m = f32[2] multiply(f32[2] %a, f32[3] %a)",
       "f32[3]: the operand is f32[2]{0}, not f32[3]{0}\n"},
      {"%m = f32[2] negate(f32[2]{1} %a)",
       "1}: minor_to_major[0] = 1 is outside [0, 1)\n"},
      {"%m = f32[2] negate(negate(f32[2] %a))", ""},
      {"%m = f32[2] fusion(f32[2] %a), kind=kLoop, calls={ "
       "ROOT b = f32[2] negate(f32[2]) }",
       "negate: negate takes 1 operand, not 0\n"},
      {"%m = f32[2] fusion(f32[2] %a), kind=kLoop, calls=%f",
       "f: the text has no computation 'f'\n"},
      // Among the instructions of a computation, XLA passes over shapes that
      // stand for operands.
      {"f { ROOT m = f32[2] negate(f32[2]) }",
       "negate: negate takes 1 operand, not 0\n"},
      {"f { a = f32[] parameter(0)  ROOT b = f32[] add(a, f32[], a) }", ""},
      {"f { a = f32[] parameter(0)  ROOT b = f32[] add(f32[], a) }",
       "add: add takes 2 operands, not 1\n"},
      {"f { a = f32[] parameter(0)  ROOT b = f32[] add(a, negate(a, s32[2])) }",
       ""},
      {"f { a = f32[] parameter(0 /*of 1*/) }", ""},
      {"f { }", "f: the computation has no instruction\n"},
      {"f { a = f32[] parameter(0) } g { b = f32[] constant(1)  "
       "c = f32[] fusion(b), kind=kLoop, calls={f, f} }",
       "f: calls= takes one computation\n"},
      {"HloModule m, replica_count=1, replica_count=1\n"
       "FileNames\n1 \"a\"\nf { a = f32[] parameter(0) }",
       "replica_count: 'replica_count' is given a second time\n"
       "FileNames\n1 \"a\": the table FunctionNames is missing, but there are "
       "others\n"
       "FileNames\n1 \"a\": the table FileLocations is missing, but there are "
       "others\n"
       "FileNames\n1 \"a\": the table StackFrames is missing, but there are "
       "others\n"},
  };
  for (const Case& c : cases) {
    const std::string got = Objections(c.text);
    EXPECT_EQ(got, c.want) << c.text;
  }
}

// The objections to instructions behind parameters x, y, p and t.
std::string ObjectionsToBody(std::string_view body) {
  return Objections(
      absl::StrCat("add { a = f32[] parameter(0) b = f32[] parameter(1) "
                   "ROOT c = f32[] add(a, b) }\n"
                   "ENTRY e { x = f32[2] parameter(0) "
                   "y = f32[2,2] parameter(1) p = pred[] parameter(2) "
                   "t = (f32[2], s32[]) parameter(3)\n",
                   AbslView(body), "\n}"));
}

struct BodyCase {
  const char* body;
  const char* want;
};

template <size_t size>
void ExpectObjections(const BodyCase (&cases)[size]) {
  for (const BodyCase& c : cases) {
    EXPECT_EQ(ObjectionsToBody(c.body), c.want) << c.body;
  }
}

TEST(StrictRules, AttributesOfOpcodes) {
  ExpectObjections({
      {"z = f32[1] slice(x), slice={[0:1]}", ""},
      {"z = f32[1] slice(x)", "slice: slice must have the attribute slice=\n"},
      {"z = f32[2] get-tuple-element(t), index=0", ""},
      {"z = f32[2] get-tuple-element(t)",
       "get-tuple-element: get-tuple-element must have the attribute index=\n"},
      {"z = pred[2] compare(x, x)",
       "compare: compare must have the attribute direction=\n"},
      {"z = f32[2] fusion(x), kind=kLoop",
       "fusion: fusion must have the attribute calls=\n"},
      {"z = f32[2] while(x), condition=add",
       "while: while must have the attribute body=\n"},
      {"z = f32[2] custom-call(x)",
       "custom-call: custom-call must have the attribute "
       "custom_call_target=\n"},
      {"z = f32[2] negate(x), foo=1", ""},  // of a newer XLA, maybe
      {"z = f32[2] negate(x), foo=1, foo=2",
       "foo: 'foo' is given a second time\n"},
      {"z = f32[2] negate(x), foo =1", "foo: '=' must follow 'foo' at once\n"},
      {"z = f32[2] get-tuple-element(t), index =0",
       "index: '=' must follow 'index' at once\n"},
      {"z = f32[2] add(x, slice(y))",
       "slice: slice must have the attribute slice=\n"},
      {"z = f32[2,2] broadcast(x)",
       "broadcast: broadcast must have the attribute dimensions=\n"},
      {"z = f32[2,2] broadcast(t#0)",
       "broadcast: broadcast must have the attribute dimensions=\n"},
      {"z = pred[2] broadcast(p)", ""},
      {"z = s32[2] broadcast(t#1)", ""},
      {"z = f32[2] conditional(p, x, x), true_computation=add",
       "conditional: conditional on pred[] must have the attribute "
       "false_computation=\n"},
      {"z = f32[2] conditional(t#1, x), true_computation=add",
       "conditional: conditional on s32[] must have the attribute "
       "branch_computations=\n"},
      {"z = f32[2] conditional(x, x), branch_computations={add}",
       "x: the first operand of conditional must be pred[] or s32[], not "
       "f32[2]{0}\n"},
      {"z = f32[] reduce(x, x, x), dimensions={0}, to_apply=add",
       "reduce: reduce takes an even number of operands, not 3\n"},
      {"z = f32[2] scatter(x, x), update_window_dims={}, "
       "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
       "index_vector_dim=1, to_apply=add",
       "scatter: scatter takes an odd number of operands, not 2\n"},
      {"z = f32[2] negate(x), ", ",: no attribute follows the comma\n"},
      {"s = ((f32[2]), f32[1]) slice-start(x)",
       "slice-start: slice-start must have the attribute slice=\n"},
      {"d = f32[1] slice-done(t)", ""},
  });
}

TEST(StrictRules, ValuesOfAttributes) {
  ExpectObjections({
      {"z = pred[2] compare(x, x), direction=XX",
       "XX: in direction: expected one of EQ, NE, GE, GT, LE, LT, found "
       "'XX'\n"},
      {"z = pred[2] compare(x, x), direction=LT, type=TOTALORDER", ""},
      // Of which XLA may take more one day.
      {"z = f32[2] fusion(x), kind=kTree, calls=add", ""},
      {"z = f32[2] fft(x), fft_type=DCT, fft_length={2}",
       "DCT: in type of FFT: expected one of FFT, IFFT, RFFT, IRFFT, found "
       "'DCT'\n"},
      {"z = f32[2] rng(x, x), distribution=rng_exponential", ""},
      {"z = f32[2] get-tuple-element(t), index=one",
       "one: in integer: expected an integer, found 'one'\n"},
      {"z = f32[2,2] transpose(y), dimensions=1",
       "1: in list of integers: expected '{', found '1'\n"},
      {"z = f32[2] call(x), to_apply=add, is_composite=yes",
       "yes: in truth value: expected true or false, found 'yes'\n"},
      {"z = f32[2] custom-call(x), custom_call_target=Sharding",
       "Sharding: in string: expected a string, found 'Sharding'\n"},
      {"z = f32[2] negate(x), backend_config={a: 1}", ""},
      {"z = f32[2] negate(x), backend_config=\"a\"", ""},
      // With a grammar of their own, which is not judged.
      {"z = f32[2] negate(x), backend_config=a, sharding=replicated, "
       "metadata={op_nam=\"a\"}",
       ""},
      {"z = f32[1] slice(x), slice={[2:1]}", ""},  // of the right form
      {"z = f32[1] slice(x), slice={0:1}",
       "0:1}: in slice: expected '[', found '0'\n"},
      {"z = f32[2] pad(x, x), padding=0_1_0", ""},
      {"z = f32[2] pad(x, x), padding=-1_1x0_0_2", ""},
      {"z = f32[2] pad(x, x), padding=1x2",
       "1x2: in padding: '1x2' is not a list like 0_1x2_2_1\n"},
      {"z = f32[2] reduce-window(x, p), window={size=2x3 stride=1x2 "
       "pad=0_1x-1_0 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x1}, "
       "to_apply=add",
       ""},
      {"z = f32[2] reduce-window(x, p), window={}, to_apply=add", ""},
      {"z = f32[2] reduce-window(x, p), window={size=2 foo=2}, to_apply=add",
       "foo=2}: in window: there is no 'foo' in a window\n"},
      {"z = f32[2] reduce-window(x, p), window={size=2 size=2}, to_apply=add",
       "size=2}: in window: size is given twice\n"},
      {"z = f32[2] reduce-window(x, p), window={size=2 pad=1}, to_apply=add",
       "1}: in window: '1' is not a list like 1_1x0_2\n"},
      {"z = f32[2] reduce-window(x, p), window={size=2 stride=2x2}, "
       "to_apply=add",
       "{size=2 stride=2x2}: in window: stride is given for 2 dimensions, but "
       "size for 1\n"},
      {"z = f32[2] convolution(x, x), dim_labels=b01f_01io->b01f", ""},
      {"z = f32[2] convolution(x, x), dim_labels=bf_io->bf", ""},
      {"z = f32[2] convolution(x, x), dim_labels=b0f?_0io->?b0f", ""},
      {"z = f32[2] convolution(x, x), dim_labels=b0f_0io->bf",
       "b0f_0io->bf: in dim_labels: 'b0f_0io->bf' is not like "
       "b01f_01io->b01f\n"},
      {"z = f32[2] convolution(x, x), dim_labels=bbf_0io->b0f",
       "bbf_0io->b0f: in dim_labels: 'bbf_0io->b0f' is not like "
       "b01f_01io->b01f\n"},
      {"z = f32[2] convolution(x, x), dim_labels=b1f_0io->b0f",
       "b1f_0io->b0f: in dim_labels: 'b1f_0io->b0f' is not like "
       "b01f_01io->b01f\n"},
      {"z = f32[2] collective-permute(x), source_target_pairs={{0,1,2}}",
       ",2}}: in source-target pairs: expected '}', found ','\n"},
      {"z = f32[2] collective-permute(x, x, x, x), "
       "source_target_pairs={{0,1}}, slice_sizes={{2}}",
       ""},
      {"z = f32[2] all-reduce(x), replica_groups={{0},1}, to_apply=add",
       "1}: in replica groups: expected '{', found '1'\n"},
      {"z = f32[2] custom-call(x), custom_call_target=\"f\", "
       "output_to_operand_aliasing={{}: 0}",
       "0}: in list of aliases: expected '(', found '0'\n"},
      {"z = f32[2] custom-call(x), custom_call_target=\"f\", "
       "output_to_operand_aliasing={{}: (x, {})}",
       "x, {})}: in list of aliases: expected an integer, found 'x'\n"},
      {"z = f32[2] custom-call(x), custom_call_target=\"f\", "
       "output_to_operand_aliasing={{0,}: (0, {1}), }",
       ""},
  });
}

TEST(StrictRules, Literals) {
  ExpectObjections({
      {"z = f32[2] constant({1, -2.5e-3})", ""},
      {"z = f32[2] constant({...})", ""},
      {"z = f32[0] constant({})", ""},
      {"z = f32[2,0] constant({ {}, {} })", ""},
      {"z = f32[2] constant(5)", ""},  // as XLA reads it, of all elements
      {"z = f32[2] constant({1, 2 3})",
       "3}: the array has 2 elements, but the literal gives more\n"},
      {"z = f32[2] constant({1})",
       "}: dimension 0 has size 2, but the literal gives 1\n"},
      {"z = f32[2,2] constant({1, 2, 3, 4})",
       "}: dimension 0 has size 2, but the literal gives 0\n"},
      {"z = f32[2,2] constant({ {1, 2}, {3, 4} })", ""},
      {"z = f32[2,2] constant({ {1, 2}, {3, 4}, {5, 6} })",
       "{5, 6} }: dimension 0 has size 2, but the literal gives more\n"},
      {"z = f32[2,2] constant({ {1, 2}, {...} })",
       "...} }: '...' is allowed only in the outermost braces\n"},
      {"z = f32[2] constant({ {1, 2} })",
       "{1, 2} }: the array has rank 1, but the braces are nested deeper\n"},
      {"z = f32[] constant({1})",
       "{1}: the array has rank 0, but the braces are nested deeper\n"},
      {"z = f32[] constant(1, 2)",
       ", 2: expected the end of the literal, found ','\n"},
      {"z = f32[] constant()", "constant: a constant must have a literal\n"},
      {"z = u8[2] constant({255, 0})", ""},
      {"z = u8[] constant(300)", "300: 300 does not fit into u8\n"},
      {"z = u8[] constant(-1)", "-1: -1 does not fit into u8\n"},
      {"z = s8[] constant(-129)", "-129: -129 does not fit into s8\n"},
      {"z = s4[2] constant({-8, 7})", ""},
      {"z = s4[] constant(8)", "8: 8 does not fit into s4\n"},
      {"z = u64[] constant(18446744073709551615)", ""},
      {"z = u64[] constant(18446744073709551616)",
       "18446744073709551616: 18446744073709551616 does not fit into u64\n"},
      {"z = s32[] constant(abc)", "abc: expected an integer, found 'abc'\n"},
      {"z = s32[] constant(1.5)", "1.5: expected an integer, found '1.5'\n"},
      {"z = s32[] constant(true)", "true: expected an integer, found 'true'\n"},
      {"z = pred[3] constant({true, 1, 0})", ""},
      {"z = pred[] constant(yes)",
       "yes: expected true, false or an integer, found 'yes'\n"},
      {"z = f32[5] constant({nan, -nan, nan(0x12), inf, -inf})", ""},
      {"z = f32[] constant(0x10)", "0x10: expected a number, found '0x10'\n"},
      {"z = f32[] constant(1e39)", "1e39: 1e39 does not fit into f32\n"},
      {"z = f32[] constant(1e999)", ""},  // read as infinity
      {"z = f16[] constant(65519)", ""},  // rounds to 65504
      {"z = f16[] constant(65520)", "65520: 65520 does not fit into f16\n"},
      {"z = bf16[] constant(3.39e38)", ""},
      {"z = bf16[] constant(-3.4e38)",
       "-3.4e38: -3.4e38 does not fit into bf16\n"},
      {"z = c64[2] constant({(1, -2), (nan, 0.5)})", ""},
      {"z = c64[] constant(1)",
       "1: expected '(' before a complex number, found '1'\n"},
      {"z = (f32[2], s32[]) constant(({1, 2}, 3))", ""},
      {"z = (f32[99], s32[]) constant(({...}, 3))", ""},
      {"z = (f32[2], s32[]) constant(())", ""},
      {"z = (f32[2], (s32[], ())) constant(({1, 2}, (3, ())))", ""},
      {"z = (f32[2], s32[]) constant(({1, 2}))",
       "): expected ',' between the elements of a tuple, found ')'\n"},
      {"z = token[] constant(1)", "1: there is no literal of a token\n"},
      {"z = f32[1,1,1,2] constant({ { /*i0=0*/ { {1, 2} } } })", ""},
  });
}

TEST(StrictRules, SpellingOfShapes) {
  ExpectObjections({
      {"z = f32[8]{0:T(8)SC(0:4)} parameter(4)", ""},
      {"z = s4[8,2]{1,0:D(D,D)T(2,1)L(8)E(4)S(1)} parameter(4)", ""},
      {"z = F32[2] negate(x)",
       "F32[2]: in shape: expected a type or '(', found 'F32'; "
       "type names are lower case\n"},
      {"z = f32[2]{} negate(x)",
       "{}: after the shape: expected end of text, found '{'; {} "
       "after an array is read only with the lenient option\n"},
      {"z = f32[8]{0:S(1)T(8)} parameter(4)",
       "T: T comes after S; XLA reads D T L # * E S SC P "
       "M, in this order\n"},
      {"z = f32[8]{0:SC(0:4)S(1)} parameter(4)",
       "S: S comes after SC; XLA reads D T L # * E S SC "
       "P M, in this order\n"},
      {"z = f32[2] negate(f32[2]{0:S(1)E(32)} x)",
       "E: E comes after S; XLA reads D T L # * E S SC P M, in this "
       "order\n"},
  });
}

TEST(StrictRules, AsynchronousInstructions) {
  ExpectObjections({
      {"s = ((f32[2]), f32[2], s32[]) abs-start(x), "
       "async_execution_thread=\"t\"\n"
       "u = ((f32[2]), f32[2], s32[]) abs-update(s)\n"
       "d = f32[2] abs-done(u)",
       ""},
      {"s = ((f32[2]), f32[2]) custom-call-start(x)",
       "custom-call-start: custom-call-start must have the attribute "
       "custom_call_target=\n"},
      {"s = ((f32[2]), f32[2]) async-start(x)",
       "async-start: async-start must have the attribute calls=\n"},
      {"d = f32[2] abs-done()", "abs-done: abs-done must have an operand\n"},
      {"u = ((f32[2]), f32[2]) abs-update()",
       "abs-update: abs-update must have an operand\n"},
      {"u = ((f32[2]), f32[2]) async-update()",
       "async-update: async-update must have an operand\n"},
      {"d = f32[2] async-done()",
       "async-done: async-done must have an operand\n"},
      // Operands that are bound late.
      {"s = ((), (), (s32[])) async-start(), calls=add\n"
       "u = ((f32[2]), f32[2], (s32[])) async-update(s, x), "
       "output_to_operand_aliasing={{2,0}: (0, {2,0})}\n"
       "v = ((f32[2]), f32[2], (s32[])) async-update(u)\n"
       "d = f32[2] async-done(v)",
       ""},
      // The shape is not that of the operand.
      {"s = ((f32[2]), f32[2]) abs-start(x)\n"
       "u = ((f32[2]), f32[3]) abs-update(s)",
       ""},
      // What goes on is not the start itself.
      {"s = ((f32[2]), f32[2]) abs-start(x)\n"
       "c = ((f32[2]), f32[2]) copy(s)\n"
       "w = (((f32[2]), f32[2]), f32[2]) tuple(c, x)\n"
       "g = ((f32[2]), f32[2]) get-tuple-element(w), index=0\n"
       "u = ((f32[2]), f32[2]) abs-update(g)\n"
       "d = f32[2] abs-done(w#0)",
       ""},
      {"u = ((f32[2]), f32[2]) custom-call-update(x), "
       "output_to_operand_aliasing={{1}: (0, {})}\n"
       "d = f32[2] custom-call-done(t)",
       ""},
  });
}

// A rule that an older XLA had and a newer one has not would refuse what that
// prints.
TEST(StrictRules, WhatNewerVersionsOfXlaPrint) {
  ExpectObjections({
      {"z = (f32[2], s32[2]) topk(x), k=2, largest=true, is_stable=true", ""},
      {"z = f32[2] convolution(x, x), dim_labels=bf_io->bf, "
       "convolution_kind=fprop",
       ""},
      {"z = f32[2] collective-broadcast(x), replica_groups={{0,1}}, "
       "has_dynamic_root=true",
       ""},
      {"z = f32[2] negate(x), result_accuracy={mode=highest}", ""},
      {"z = pred[2] compare(x, x), direction=LT, order=TOTAL", ""},
      {"z = f32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=add, "
       "metadata={op_name=\"a\" new_key={1 2}}, origin=unknown",
       ""},
      // XLA's verifier refuses it, and its parser does not.
      {"z = f32[2] custom-call(x), custom_call_target=\"f\", "
       "output_to_operand_aliasing={{}: (-1, {})}",
       ""},
  });
  EXPECT_EQ(Objections("HloModule m, new_key={1}\n"
                       "e { x = f32[] parameter(0) }, new_key=a"),
            "");
}

TEST(StrictRules, Headers) {
  struct Case {
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, "
       "may-alias), }, buffer_donor={ (1, {}) }\n"
       "e { x = f32[] parameter(0) }, execution_thread=\"a\"",
       ""},
      {"HloModule m, is_scheduled =true\ne { x = f32[] parameter(0) }",
       "is_scheduled: '=' must follow 'is_scheduled' at once\n"},
      {"HloModule m, replica_count=two\ne { x = f32[] parameter(0) }",
       "two: in integer: expected an integer, found 'two'\n"},
      {"HloModule m, input_output_alias={ {0, a}: (0, {}) }\n"
       "e { x = f32[] parameter(0) }",
       "a}: (0, {}) }: in list of aliases: expected a shape index, found "
       "'a'\n"},
      {"HloModule m, buffer_donor={ (0) }\ne { x = f32[] parameter(0) }",
       ") }: in list of buffer donors: expected ',', found ')'\n"},
      {"HloModule m,\ne { x = f32[] parameter(0) }",
       ",: no attribute follows the comma\n"},
      {"e { x = f32[] parameter(0) }, execution_thread=a",
       "a: in string: expected a string, found 'a'\n"},
      // Parameters with a colon, or a '%', or neither.
      {"ENTRY %e (input f32[1,3]{1,0}) -> f32[1,3]{1,0} { "
       "ROOT %input = f32[1,3]{1,0} parameter(0) }",
       ""},
      {"e (%p f32[2], /*index=1*/q: s32[]) -> f32[2] { "
       "ROOT p = f32[2] parameter(0)  q = s32[] parameter(1) }",
       ""},
      {"e (p f32[2], q: s32[]) -> f32[2] { "
       "ROOT p = f32[2] parameter(0)  q = s32[] parameter(1) }",
       ""},
      {"e (p (f32[2], s32[])) -> (f32[2], s32[]) { "
       "ROOT p = (f32[2], s32[]) parameter(0) }",
       ""},
      {"e (%p: f32[2]) -> f32[2] { ROOT p = f32[2] parameter(0) }",
       "%p: f32[2]) -> f32[2]: the name of a parameter has '%' and ':'; XLA "
       "reads one\n"},
      {"e (p: F32[2]) -> f32[2] { ROOT p = f32[2] parameter(0) }",
       "F32[2]: in shape: expected a type or '(', found 'F32'; type names are "
       "lower case\n"},
      {"e (p: f32[2]; q: s32[]) -> f32[2] { ROOT p = f32[2] parameter(0) }",
       "; q: s32[]) -> f32[2]: expected ',' or ')'\n"},
      {"e { x=f32[] parameter(0) }",
       "x: 'x=' is the key of an attribute; a name has a blank before '='\n"},
      {"e { %x=f32[] parameter(0) }", ""},
      {"x = f32[] parameter(0)\ny = f32[] negate(x)",
       "y = f32[] negate(x): instructions outside a computation are read one "
       "at a time\n"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Objections(c.text), c.want) << c.text;
  }
}

// The verdicts are those of XLA's parser.
TEST(StrictRules, AliasesNameAnOutput) {
  struct Case {
    const char* aliases;
    const char* want;
  };
  const Case cases[] = {
      {"{}", ""},
      {"{ {}: (0, {}) }", ""},
      {"{ {0}: (0, {}, must-alias), {1,0}: (1, {}, may-alias), }", ""},
      {"{ {1,}: (0, {0,}) }", ""},
      {"{ {7}: (0, {}, must-alias) }",
       "{7}: (0, {}, must-alias) }: in list of aliases: {7} is not a part of "
       "the result, (f32[2]{0}, (s32[]))\n"},
      {"{ {0}: (0, {}), {2}: (1, {}) }",
       "{2}: (1, {}) }: in list of aliases: {2} is not a part of the result, "
       "(f32[2]{0}, (s32[]))\n"},
      {"{ {0,0}: (0, {}) }",
       "{0,0}: (0, {}) }: in list of aliases: {0,0} is not a part of the "
       "result, "
       "(f32[2]{0}, (s32[]))\n"},
      {"{ {1,1}: (0, {}) }",
       "{1,1}: (0, {}) }: in list of aliases: {1,1} is not a part of the "
       "result, "
       "(f32[2]{0}, (s32[]))\n"},
      {"{ {-1}: (0, {}) }",
       "{-1}: (0, {}) }: in list of aliases: {-1} is not a part of the result, "
       "(f32[2]{0}, (s32[]))\n"},
      {"{ {0}: (-1, {}) }",
       "-1, {}) }: in list of aliases: the parameter number = -1 is less than "
       "0\n"},
      {"{ {0}: (0, {}, no-alias) }",
       "no-alias) }: in list of aliases: expected may-alias or must-alias, "
       "found 'no-alias'\n"},
      {"{ {0}: (0) }", ") }: in list of aliases: expected ',', found ')'\n"},
      // The parser takes these, and the verifier does not.
      {"{ {0}: (9, {}) }", ""},
      {"{ {0}: (0, {3}) }", ""},
      {"{ {0}: (0, {-1}) }", ""},
  };
  for (const Case& c : cases) {
    const std::string header =
        absl::StrCat("HloModule m, input_output_alias=", c.aliases, "\n");
    constexpr std::string_view kBody =
        "{ x = f32[2] parameter(0)  y = s32[] parameter(1)  "
        "u = (s32[]) tuple(y)  ROOT r = (f32[2], (s32[])) tuple(x, u) }\n";
    EXPECT_EQ(Objections(absl::StrCat(header, "ENTRY e ", AbslView(kBody))),
              c.want)
        << c.aliases;
    // The last computation is the entry where none is marked.
    EXPECT_EQ(
        Objections(absl::StrCat(header, "f { ROOT x = f32[] parameter(0) }\ne ",
                                AbslView(kBody))),
        c.want)
        << c.aliases;
  }
  // A result that is no tuple, of a computation before one that is inline.
  EXPECT_EQ(Objections("HloModule m, input_output_alias={ {0}: (0, {}) }\n"
                       "e { x = f32[2] parameter(0)  ROOT y = f32[2] call(x), "
                       "to_apply={ a = f32[2] parameter(0)  "
                       "ROOT t = (f32[2]) tuple(a) } }"),
            "{0}: (0, {}) }: in list of aliases: {0} is not a part of the "
            "result, f32[2]{0}\n");
  EXPECT_EQ(Objections("HloModule m, buffer_donor={ (9, {3}), (0, {-1}) }\n"
                       "e { ROOT x = f32[2] parameter(0) }"),
            "");
  EXPECT_EQ(Objections("HloModule m, buffer_donor={ (-1, {}) }\n"
                       "e { ROOT x = f32[2] parameter(0) }"),
            "-1, {}) }: in list of buffer donors: the parameter number = -1 is "
            "less than 0\n");
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
  constexpr std::string_view kOpcodes =
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
  for (const std::string_view opcode : SplitViews(kOpcodes, ' ')) {
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
  text += "}, to_apply={ ROOT y = f32[] parameter(0) }\n";
  for (int i = 0; i < kLevels; ++i) text += "}";
  EXPECT_EQ(Objections(text + "}"), "");
}

// Nothing that XLA's parser takes is refused.
TEST(StrictRules, AgreeWithTheParserOfXla) {
  std::ifstream file("tests/hlo/xla_verdicts.txt");
  std::string before;
  int64_t taken = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 2 || line[0] == '#') continue;
    const std::string text = line.substr(2);
    if (line[0] == '|') {
      absl::StrAppend(&before, text, "\n");
      continue;
    }
    HloParseOptions options;
    options.strict = true;
    const absl::Status status =
        ParseHlo(absl::StrCat(before, text, "\n}"), options).status();
    EXPECT_EQ(status.ok(), line[0] != '-') << line << "\n" << status;
    taken += line[0] == '+';
  }
  EXPECT_GT(taken, 250);
}

// What XLA printed, and what its own tests read, passes.
TEST(StrictRules, EveryDumpPasses) {
  for (const char* file : kDumpFiles) {
    if (std::string_view(file) == kCutOffDumpFile) continue;
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
            "the table FunctionNames is missing, but there are others");
}

TEST(StrictRules, HoldWhereNoDiagnosticsAreKept) {
  HloParseOptions options;
  options.strict = true;
  options.diagnostic_limit = 0;
  EXPECT_FALSE(ParseHlo("f { x = f32[ g() }", options).ok());
}

}  // namespace
}  // namespace tessera
